#include "harmonic_system.hpp"

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/modes/harmonic_balance.hpp"
#include "stuck_modes.hpp"

namespace faying::modes {

namespace {

using core::Dual;
constexpr double pole_range = 0.1;  ///< share of (k w)^2 within which a mode stays an unknown

}  // namespace

HarmonicSystem::HarmonicSystem(const structure::Model& model, const Interface& interface,
                               const core::Harmonics& harmonics, const harmonic::HarmonicOptions& options)
    : model_(model), interface_(interface), harmonics_(harmonics), options_(options) {
    const auto& orders = harmonics.orders();
    first_ = modes::first_order(harmonics);
    options.check(harmonics);
    functions_ = harmonics.size();
    at_rest_ = prestress(model, interface);
    apart_ = Eigen::VectorXd::Zero(at_rest_.sites.size());
    const auto joints = structure::joint_set(model);
    for (const auto& part : joints.parts())
        if (part.apart.size() > 0) apart_.segment(part.row, part.count) = part.apart;
    base_ = at_rest_.sites + apart_;
    start_joints();
    auto stuck = stuck_modes(model, interface, tangent_on_interface());
    cap_stiffness();
    if (capped_) {
        auto capped = stuck_modes(model, interface, tangent_on_interface());
        stuck_omega_ = std::move(stuck.omega);
        stuck_shapes_ = capped.shapes.transpose() * (model.mass * stuck.shapes);
        stuck = std::move(capped);
    }
    find_active();
    omega_ = std::move(stuck.omega);
    shapes_ = std::move(stuck.shapes);
    interface_map_ = std::move(stuck.on_y);
    map_ = of_interface(interface_map_);
    damping_ = 2 * model.damping_ratio * omega_;
    if (model.damping.size() > 0) {
        const Eigen::MatrixXd c = shapes_.transpose() * model.damping * shapes_;
        damping_ = c.diagonal();
        Eigen::MatrixXd rest = c;
        rest.diagonal().setZero();
        if (rest.norm() > 1e-12 * c.norm()) damping_matrix_ = c;
    }
    for (std::size_t i = 0; i < orders.size(); ++i) {
        orders_.emplace_back();
        orders_.back().k = orders[i];
        orders_.back().at = harmonics.at(i);
    }
    force_ = Eigen::MatrixXd::Zero(modes(), functions_);
}

double HarmonicSystem::damping_ratio(Eigen::Index mode) const {
    return omega_(mode) > 0 ? damping_(mode) / (2 * omega_(mode)) : 0.0;
}

/// Joints at the end of their path to the prestressed state, and the tangents that the linear part takes over: stuck
/// springs, and of contacts what they have at rest.
void HarmonicSystem::start_joints() {
    Eigen::Index row = 0;
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
        const auto& joint = model_.joints[j];
        const auto& law = joint.law;
        const int width = joint.components();
        const auto contact = options_.samples == 0 ? harmonic::contact_pieces(law) : std::nullopt;
        if (width != 1 && options_.samples == 0 && !contact)
            throw core::BadInput(joint.name, law.name() +
                                                 " acts in three directions and has no closed pieces: give "
                                                 "a number of samples per period");
        const std::vector<int> none(law.parameters().size(), -1);
        auto made = law.joints(1, none);
        for (std::size_t k = 0; k < made.size(); ++k) {
            Part part{.begun = made[k],
                      .joint = j,
                      .row = row,
                      .sites = joint.sites(),
                      .width = width,
                      .spring = law.parts()[k].spring,
                      .continuous = law.parts()[k].claims.continuous,
                      .return_point = law.parts()[k].claims.return_point,
                      .linear = law.parts()[k].linear,
                      .contact = contact};
            std::vector<laws::JointOf<Dual>> begun;
            std::vector<Dual> at(static_cast<std::size_t>(width)), force(at), tangent(at.size() * at.size());
            part.stiffness.resize(width, part.sites);
            part.force.setZero(width, part.sites);
            for (Eigen::Index s = 0; s < part.sites; ++s) {
                if (s > 0 && base_.isZero(0.0)) {  // one serves for all
                    part.stiffness.col(s) = part.stiffness.col(0);
                    continue;
                }
                laws::JointOf<Dual> site = made[k];
                for (int c = 0; c < width; ++c) at[std::size_t(c)] = Dual(apart_(row + s * width + c));
                site.evaluate(at, force, tangent);
                if (apart_.segment(row + s * width, width).any()) site.commit();
                for (int c = 0; c < width; ++c) at[std::size_t(c)] = Dual(base_(row + s * width + c));
                if (width == 3) site.evaluate(at, force, tangent);
                for (int c = 0; c < width; ++c) part.stiffness(c, s) = tangent[std::size_t(c * width + c)].a;
                site.evaluate(at, force, tangent);
                if (!base_.segment(row + s * width, width).isZero(0.0))
                    for (int c = 0; c < width; ++c) part.force(c, s) = force[std::size_t(c)].a;
                if (!part.spring) site.commit();
                begun.push_back(std::move(site));
            }
            begun_.push_back(std::move(begun));
            parts_.push_back(std::move(part));
        }
        row += joint.map.rows();
    }
}

Eigen::MatrixXd HarmonicSystem::tangent_on_interface() const {
    const auto& sites = interface_.site_map();
    Eigen::VectorXd stiffness = Eigen::VectorXd::Zero(sites.rows());
    for (const Part& part : parts_)
        for (Eigen::Index s = 0; s < part.sites; ++s)
            stiffness.segment(part.row + s * part.width, part.width) +=
                model_.joints[part.joint].weight(s) * part.stiffness.col(s);
    return sites.transpose() * (stiffness.asDiagonal() * Eigen::MatrixXd(sites));
}

/// A joint that is far stiffer than the structure and slips would have its forces as small differences of large ones:
/// the linear part then takes only some of its stiffness. Not with a damping ratio, which is on the stuck modes.
void HarmonicSystem::cap_stiffness() {
    constexpr double most = 1e4;  // of what the structure has at the same place
    if (model_.damping_ratio > 0) return;
    for (Part& part : parts_) {
        if (part.linear) continue;
        for (Eigen::Index i = 0; i < part.sites * part.width; ++i) {
            const Eigen::Index site = i / part.width, c = i % part.width;
            double own = 0;
            for (Interface::SiteMap::InnerIterator at(interface_.site_map(), part.row + i); at; ++at)
                own = std::max(own, interface_.stiffness()(at.col(), at.col()) / (at.value() * at.value()));
            const double limit = most * own / model_.joints[part.joint].weight(site);
            if (!(limit > 0) || !(part.stiffness(c, site) > limit)) continue;
            part.stiffness(c, site) = limit;
            capped_ = true;
        }
    }
}

/// Displacements that a law sees that is more than a linear spring, and the tangents of such laws on them.
void HarmonicSystem::find_active() {
    const auto& all = interface_.site_map();
    using Row = Interface::SiteMap::InnerIterator;
    std::vector<Eigen::Index> place(std::size_t(all.cols()), -1);
    Eigen::VectorXd stiffness = Eigen::VectorXd::Zero(all.rows());
    for (const Part& part : parts_) {
        if (part.linear) continue;
        const auto& weight = model_.joints[part.joint].weight;
        for (Eigen::Index i = 0; i < part.sites * part.width; ++i) {
            const Eigen::Index site = i / part.width;
            stiffness(part.row + i) += weight(site) * part.stiffness(i % part.width, site);
            for (Row at(all, part.row + i); at; ++at) place[std::size_t(at.col())] = 0;
        }
    }
    for (std::size_t i = 0; i < place.size(); ++i) {
        if (place[i] < 0) continue;
        place[i] = Eigen::Index(active_.size());
        active_.push_back(Eigen::Index(i));
    }
    width_ = Eigen::Index(active_.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index row = 0; row < all.rows(); ++row)
        for (Row at(all, row); at; ++at)
            if (place[std::size_t(at.col())] >= 0) entries.emplace_back(row, place[std::size_t(at.col())], at.value());
    sites_on_y_.resize(all.rows(), width_);
    sites_on_y_.setFromTriplets(entries.begin(), entries.end());
    tangent_ = sites_on_y_.transpose() * (stiffness.asDiagonal() * Eigen::MatrixXd(sites_on_y_));
}

std::vector<HarmonicSystem::Site> HarmonicSystem::sites() const {
    std::vector<Site> all;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const Part& part = parts_[p];
        if (part.linear) continue;
        const auto& joint = model_.joints[part.joint];
        for (Eigen::Index s = 0; s < part.sites; ++s) {
            const Eigen::Index row = part.row + s * part.width;
            all.push_back({.begun = &begun_[p][begun_[p].size() == 1 ? 0 : std::size_t(s)],
                           .row = row,
                           .width = part.width,
                           .weight = joint.weight(s),
                           .base = base_.segment(row, part.width),
                           .spring = part.spring,
                           .continuous = part.continuous,
                           .return_point = part.return_point,
                           .contact = harmonic::contact_pieces(joint.law),
                           .name = joint.name});
        }
    }
    return all;
}

void HarmonicSystem::choose(double w) {
    evaluated_ = false;
    size_ = width_ * functions_;
    for (auto& order : orders_) {
        order.kept.clear();
        order.kept_at = size_;
        const double kw2 = double(order.k) * order.k * w * w;
        if (order.k > 0)
            for (Eigen::Index r = 0; r < modes(); ++r)
                if (damping_matrix_.size() > 0 || std::abs(omega_(r) * omega_(r) - kw2) <= pole_range * kw2)
                    order.kept.push_back(r);
        size_ += 2 * Eigen::Index(order.kept.size());
    }
}

Eigen::VectorXd HarmonicSystem::unknowns(const Eigen::MatrixXd& q, double a) const {
    Eigen::VectorXd x(size_);
    const Eigen::MatrixXd y = map_ * q / a;
    for (Eigen::Index b = 0; b < functions_; ++b) x.segment(b * width_, width_) = y.col(b);
    for (const auto& order : orders_) {
        const auto count = Eigen::Index(order.kept.size());
        for (Eigen::Index i = 0; i < count; ++i) {
            x(order.kept_at + i) = q(order.kept[std::size_t(i)], order.at) / a;
            x(order.kept_at + count + i) = q(order.kept[std::size_t(i)], order.at + 1) / a;
        }
    }
    return x;
}

harmonic::HarmonicOptions HarmonicSystem::options_of(const Part& part) const {
    auto options = options_;
    options.jumps = !part.continuous;
    return options;
}

/// G = S^T f - (tangents) y, from the joints' forces at rest.
HarmonicSystem::JointForces HarmonicSystem::joints_at(const Eigen::MatrixXd& y) const {
    JointForces out;
    out.force.setZero(width_, functions_);
    out.dissipated_by_joint.assign(model_.joints.size(), 0.0);
    const Eigen::MatrixXd u = sites_on_y_ * y;
    for (std::size_t p = 0; p < parts_.size(); ++p)
        if (!parts_[p].linear)
            for (Eigen::Index s = 0; s < parts_[p].sites; ++s) add_site(out, p, s, u);
    return out;
}

void HarmonicSystem::add_site(JointForces& out, std::size_t index, Eigen::Index site, const Eigen::MatrixXd& u) const {
    using Row = Interface::SiteMap::InnerIterator;
    const Part& part = parts_[index];
    const double weight = model_.joints[part.joint].weight(site);
    const int width = part.width;
    const auto& begun = begun_[index][begun_[index].size() == 1 ? 0 : std::size_t(site)];
    const Eigen::Index row = part.row + site * width;
    const Eigen::VectorXd base = base_.segment(row, width);
    const Eigen::MatrixXd motion = u.middleRows(row, width);
    const Eigen::Map<const Eigen::VectorXd> flat(motion.data(), motion.size());
    auto answer = part.contact ? harmonic::harmonic_contact(*part.contact, begun, base, harmonics_, flat, options_)
                               : harmonic::harmonic_force(begun, base, harmonics_, flat, options_of(part));
    out.dissipated += weight * answer.dissipated;
    out.dissipated_by_joint[part.joint] += weight * answer.dissipated;
    out.unsettled = std::max(out.unsettled, answer.residual);
    if (harmonics_.has_mean()) answer.force.head(width) -= part.force.col(site);
    for (int c = 0; c < width; ++c) {
        const double stiffness = part.stiffness(c, site);
        for (Eigen::Index b = 0; b < functions_; ++b) {
            const double force = weight * (answer.force(b * width + c) - stiffness * motion(c, b));
            for (Row i(sites_on_y_, row + c); i; ++i) out.force(i.col(), b) += i.value() * force;
            answer.slope(b * width + c, b * width + c) -= stiffness;
        }
    }
    if (!answer.slope.isZero(0.0)) out.moving.push_back({row, width, weight * answer.slope});
}

namespace {

/// (S^T block S) y of every moving site.
template <bool Transposed>
Eigen::MatrixXd moving_times(const std::vector<HarmonicSystem::SiteSlope>& moving, const Interface::SiteMap& sites,
                             const Eigen::MatrixXd& y) {
    using Row = Interface::SiteMap::InnerIterator;
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(y.rows(), y.cols());
    for (const auto& site : moving) {
        Eigen::MatrixXd u = Eigen::MatrixXd::Zero(site.width, y.cols());
        for (int c = 0; c < site.width; ++c)
            for (Row i(sites, site.row + c); i; ++i) u.row(c) += i.value() * y.row(i.col());
        const Eigen::Map<const Eigen::VectorXd> flat(u.data(), u.size());
        const Eigen::VectorXd force =
            Transposed ? Eigen::VectorXd(site.block.transpose() * flat) : Eigen::VectorXd(site.block * flat);
        for (Eigen::Index b = 0; b < y.cols(); ++b)
            for (int c = 0; c < site.width; ++c)
                for (Row i(sites, site.row + c); i; ++i) out(i.col(), b) += i.value() * force(b * site.width + c);
    }
    return out;
}

}  // namespace

Eigen::MatrixXd HarmonicSystem::slope_times(const JointForces& joints, const Eigen::MatrixXd& y) const {
    return moving_times<false>(joints.moving, sites_on_y_, y);
}

Eigen::MatrixXd HarmonicSystem::slope_transposed_times(const JointForces& joints, const Eigen::MatrixXd& y) const {
    return moving_times<true>(joints.moving, sites_on_y_, y);
}

Eigen::MatrixXd HarmonicSystem::joint_slope() const {
    using Row = Interface::SiteMap::InnerIterator;
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(width_ * functions_, width_ * functions_);
    for (const auto& site : joints_.moving)
        for (int c = 0; c < site.width; ++c)
            for (Row i(sites_on_y_, site.row + c); i; ++i)
                for (int e = 0; e < site.width; ++e)
                    for (Row j(sites_on_y_, site.row + e); j; ++j)
                        for (Eigen::Index d = 0; d < functions_; ++d)
                            for (Eigen::Index b = 0; b < functions_; ++b)
                                out(b * width_ + i.col(), d * width_ + j.col()) +=
                                    i.value() * j.value() * site.block(b * site.width + c, d * site.width + e);
    return out;
}

}  // namespace faying::modes
