#include "harmonic_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "faying/core/error.hpp"
#include "faying/modes/harmonic_balance.hpp"
#include "faying/modes/linear.hpp"

namespace faying::modes {

namespace {

using core::Dual;
constexpr double pole_range = 0.1;  ///< share of (k w)^2 within which a mode stays an unknown
constexpr Complex i_unit{0.0, 1.0};

/// Which parts of a law have forces that do not jump, as the catalogue says; a law of the user's own is taken to be so.
std::vector<bool> continuous_parts(const laws::Law& law) {
    std::vector<bool> all;
    if (law.parts().size() > 1)
        for (const auto& part : laws::parts_of(law.name(), law.components()))
            all.push_back(part.law->info.claims.continuous);
    all.resize(law.parts().size(), true);
    if (all.size() == 1)
        for (const auto& entry : laws::catalogue())
            if (entry.info.key == law.name()) all[0] = all[0] && entry.info.claims.continuous;
    return all;
}

}  // namespace

HarmonicSystem::HarmonicSystem(const structure::Model& model, const Interface& interface,
                               const core::Harmonics& harmonics, const laws::HarmonicOptions& options)
    : model_(model), interface_(interface), harmonics_(harmonics), options_(options) {
    for (const auto& joint : model.joints)
        if (joint.gap.size() > 0 && !joint.gap.isZero(0.0))
            throw core::BadInput(joint.name, "has gaps, which harmonic balance does not know; quasistatic does");
    const auto& orders = harmonics.orders();
    first_ = modes::first_order(harmonics);
    options.check(harmonics);
    width_ = interface.width();
    functions_ = harmonics.size();
    at_rest_ = prestress(model, interface);
    start_joints();
    const Eigen::MatrixXd& t = interface.rows();
    const auto linear = linear_modes(model.mass, model.stiffness + t.transpose() * tangent_ * t);
    omega_ = linear.omega;
    shapes_ = linear.shapes;
    map_ = t * shapes_;
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
    Eigen::VectorXd stiffness = Eigen::VectorXd::Zero(interface_.site_map().rows());
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
        const auto& joint = model_.joints[j];
        const auto& law = joint.law;
        const int width = joint.components();
        const auto contact = options_.samples == 0 ? laws::contact_pieces(law) : std::nullopt;
        if (width != 1 && options_.samples == 0 && !contact)
            throw core::BadInput(joint.name, law.name() +
                                                 " acts in three directions and has no closed pieces: give "
                                                 "a number of samples per period");
        const std::vector<int> none(law.parameters().size(), -1);
        auto made = law.joints(1, none);
        const auto continuous = continuous_parts(law);
        for (std::size_t k = 0; k < made.size(); ++k) {
            Part part{.begun = made[k],
                      .joint = j,
                      .row = row,
                      .sites = joint.sites(),
                      .width = width,
                      .spring = law.parts()[k].spring,
                      .continuous = continuous[k],
                      .contact = contact};
            std::vector<laws::JointOf<Dual>> begun;
            std::vector<Dual> at(static_cast<std::size_t>(width)), force(at), tangent(at.size() * at.size());
            for (Eigen::Index s = 0; s < part.sites; ++s) {
                laws::JointOf<Dual> site = made[k];
                for (int c = 0; c < width; ++c) at[std::size_t(c)] = Dual(0.0);
                site.evaluate(at, force, tangent);
                for (int c = 0; c < width; ++c) at[std::size_t(c)] = Dual(at_rest_.sites(row + s * width + c));
                if (width == 3) site.evaluate(at, force, tangent);
                for (int c = 0; c < width; ++c)
                    stiffness(row + s * width + c) += joint.weight(s) * tangent[std::size_t(c * width + c)].a;
                site.evaluate(at, force, tangent);
                if (!part.spring) site.commit();
                begun.push_back(std::move(site));
                if (at_rest_.sites.isZero(0.0)) break;  // one serves for all
            }
            begun_.push_back(std::move(begun));
            parts_.push_back(std::move(part));
        }
        row += joint.map.rows();
    }
    const auto& s = interface_.site_map();
    tangent_ = s.transpose() * (stiffness.asDiagonal() * Eigen::MatrixXd(s));
}

std::vector<HarmonicSystem::Site> HarmonicSystem::sites() const {
    std::vector<Site> all;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const Part& part = parts_[p];
        const auto& joint = model_.joints[part.joint];
        for (Eigen::Index s = 0; s < part.sites; ++s) {
            const Eigen::Index row = part.row + s * part.width;
            all.push_back({.begun = &begun_[p][begun_[p].size() == 1 ? 0 : std::size_t(s)],
                           .row = row,
                           .width = part.width,
                           .weight = joint.weight(s),
                           .base = at_rest_.sites.segment(row, part.width),
                           .spring = part.spring,
                           .continuous = part.continuous,
                           .name = joint.name});
        }
    }
    return all;
}

void HarmonicSystem::choose(double w) {
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

Eigen::VectorXcd HarmonicSystem::complex_of(const Eigen::MatrixXd& m, const Order& order) const {
    return order.k == 0 ? Eigen::VectorXcd(m.col(order.at).cast<Complex>())
                        : Eigen::VectorXcd(m.col(order.at) - i_unit * m.col(order.at + 1));
}

/// What the other modes' velocities do to a mode.
Complex HarmonicSystem::coupled_damping(Eigen::Index mode, const Eigen::VectorXcd& q) const {
    return (damping_matrix_.row(mode).cast<Complex>() * q)(0) - damping_(mode) * q(mode);
}

laws::HarmonicOptions HarmonicSystem::options_of(const Part& part) const {
    auto options = options_;
    options.jumps = !part.continuous;
    return options;
}

/// G = S^T f - (tangents) y, from the joints' forces at rest.
HarmonicSystem::JointForces HarmonicSystem::joints_at(const Eigen::MatrixXd& y) const {
    const auto& map = interface_.site_map();
    using Row = Interface::SiteMap::InnerIterator;
    JointForces out;
    out.force = -tangent_ * y;
    out.slope.setZero(width_ * functions_, width_ * functions_);
    for (Eigen::Index b = 0; b < functions_; ++b) out.slope.block(b * width_, b * width_, width_, width_) = -tangent_;
    out.dissipated_by_joint.assign(model_.joints.size(), 0.0);
    const Eigen::MatrixXd u = map * y;
    std::vector<Dual> at, force, tangent;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const Part& part = parts_[p];
        const auto& weight = model_.joints[part.joint].weight;
        const int width = part.width;
        for (Eigen::Index s = 0; s < part.sites; ++s) {
            const auto& begun = begun_[p][begun_[p].size() == 1 ? 0 : std::size_t(s)];
            const Eigen::Index row = part.row + s * width;
            const Eigen::VectorXd base = at_rest_.sites.segment(row, width);
            const Eigen::MatrixXd motion = u.middleRows(row, width);
            const Eigen::Map<const Eigen::VectorXd> flat(motion.data(), motion.size());
            const auto answer = part.contact
                                    ? laws::harmonic_contact(*part.contact, begun, base, harmonics_, flat, options_)
                                    : laws::harmonic_force(begun, base, harmonics_, flat, options_of(part));
            out.dissipated += weight(s) * answer.dissipated;
            out.dissipated_by_joint[part.joint] += weight(s) * answer.dissipated;
            out.unsettled = std::max(out.unsettled, answer.residual);
            Eigen::VectorXd rest = Eigen::VectorXd::Zero(width);  // the force at rest
            if (harmonics_.has_mean() && !base.isZero(0.0)) {
                at.assign(std::size_t(width), Dual(0.0));
                for (int c = 0; c < width; ++c) at[std::size_t(c)] = Dual(base(c));
                force = at;
                tangent.assign(std::size_t(width) * std::size_t(width), Dual(0.0));
                begun.trace(0, at, force, tangent);
                for (int c = 0; c < width; ++c) rest(c) = force[std::size_t(c)].a;
            }
            for (int c = 0; c < width; ++c)
                for (Row i(map, row + c); i; ++i)
                    for (Eigen::Index b = 0; b < functions_; ++b) {
                        const double counted = b == 0 && harmonics_.has_mean() ? rest(c) : 0.0;
                        out.force(i.col(), b) += weight(s) * i.value() * (answer.force(b * width + c) - counted);
                    }
            for (int c = 0; c < width; ++c)
                for (Row i(map, row + c); i; ++i)
                    for (int e = 0; e < width; ++e)
                        for (Row j(map, row + e); j; ++j) {
                            const double both = weight(s) * i.value() * j.value();
                            for (Eigen::Index d = 0; d < functions_; ++d)
                                for (Eigen::Index b = 0; b < functions_; ++b)
                                    out.slope(b * width_ + i.col(), d * width_ + j.col()) +=
                                        both * answer.slope(b * width + c, d * width + e);
                        }
        }
    }
    return out;
}

void HarmonicSystem::fill_order(Order& order) {
    const Eigen::Index n = modes();
    const double k = order.k, kw = k * w_;
    order.d.resize(n);
    order.flexible.resize(n);
    order.d_w.resize(n);
    order.d_zeta.resize(n);
    std::size_t next = 0;
    const double rigid = 1e-9 * omega_.maxCoeff();
    for (Eigen::Index r = 0; r < n; ++r) {
        order.d(r) = omega_(r) * omega_(r) - kw * kw + i_unit * kw * (damping_(r) - 2 * zeta_ * w_);
        order.d_w(r) = -2 * k * kw + i_unit * k * (damping_(r) - 4 * zeta_ * w_);
        order.d_zeta(r) = -2.0 * i_unit * kw * w_;
        const bool kept = next < order.kept.size() && order.kept[next] == r;
        next += kept;
        const bool floating = order.k == 0 && !(omega_(r) > rigid);  // nothing holds a rigid motion in place
        order.flexible(r) = kept || floating ? Complex(0.0) : 1.0 / order.d(r);
    }
}

double HarmonicSystem::evaluate(const Eigen::Ref<const Eigen::VectorXd>& x, double a, double w, double zeta,
                                Eigen::Ref<Eigen::VectorXd> r) {
    a_ = a;
    w_ = w;
    zeta_ = zeta;
    y_ = Eigen::Map<const Eigen::MatrixXd>(x.data(), width_, functions_);
    joints_ = joints_at(a_ * y_);
    g_ = joints_.force / a_;
    load_ = map_.transpose() * g_ - force_ / a_;
    q_.resize(modes(), functions_);
    double kept_residual = 0;
    for (auto& order : orders_) {
        fill_order(order);
        const Eigen::VectorXcd load = complex_of(load_, order);
        Eigen::VectorXcd q = -order.flexible.cwiseProduct(load);
        const auto count = Eigen::Index(order.kept.size());
        for (Eigen::Index i = 0; i < count; ++i)
            q(order.kept[std::size_t(i)]) = Complex(x(order.kept_at + i), -x(order.kept_at + count + i));
        q_.col(order.at) = q.real();
        if (order.k > 0) q_.col(order.at + 1) = -q.imag();
        for (Eigen::Index i = 0; i < count; ++i) {
            const Eigen::Index m = order.kept[std::size_t(i)];
            Complex e = order.d(m) * q(m) + load(m);
            if (damping_matrix_.size() > 0) e += i_unit * (order.k * w_) * coupled_damping(m, q);
            e /= omega_(m) * omega_(m) + order.k * order.k * w_ * w_;
            r(order.kept_at + i) = e.real();
            r(order.kept_at + count + i) = -e.imag();
            kept_residual = std::max(kept_residual, std::abs(e));
        }
        const Eigen::Index parts = order.k > 0 ? 2 : 1;
        for (Eigen::Index b = order.at; b < order.at + parts; ++b)
            r.segment(b * width_, width_) = y_.col(b) - map_ * q_.col(b);
    }
    const double motion = std::max(y_.norm(), std::numeric_limits<double>::min());
    const double size = width_ > 0 ? r.head(width_ * functions_).norm() / motion : 0.0;
    return std::max(size, kept_residual / std::max(q_.norm(), std::numeric_limits<double>::min()));
}

void HarmonicSystem::jacobian(Eigen::Ref<Eigen::MatrixXd> to_x) const {
    const Eigen::Index joints = width_ * functions_;
    to_x.setZero();
    to_x.topLeftCorner(joints, joints).setIdentity();
    for (const auto& order : orders_) {
        const Eigen::Index at = order.at * width_;
        const bool mean = order.k == 0;
        const Eigen::MatrixXd real = map_ * order.flexible.real().asDiagonal() * map_.transpose();
        const auto cosine = joints_.slope.middleRows(at, width_);
        if (mean) {
            to_x.block(at, 0, width_, joints).noalias() += real * cosine;
            continue;
        }
        const Eigen::MatrixXd imaginary = map_ * order.flexible.imag().asDiagonal() * map_.transpose();
        const auto sine = joints_.slope.middleRows(at + width_, width_);
        to_x.block(at, 0, width_, joints).noalias() += real * cosine + imaginary * sine;
        to_x.block(at + width_, 0, width_, joints).noalias() += real * sine - imaginary * cosine;
        const auto count = Eigen::Index(order.kept.size());
        for (Eigen::Index i = 0; i < count; ++i) {
            const Eigen::Index m = order.kept[std::size_t(i)], c = order.kept_at + i, s = c + count;
            const double scale = 1 / (omega_(m) * omega_(m) + order.k * order.k * w_ * w_);
            to_x.col(c).segment(at, width_) -= map_.col(m);
            to_x.col(s).segment(at + width_, width_) -= map_.col(m);
            to_x.row(c).head(joints) += scale * (map_.col(m).transpose() * cosine);
            to_x.row(s).head(joints) += scale * (map_.col(m).transpose() * sine);
            to_x(c, c) += scale * order.d(m).real();
            to_x(c, s) += scale * order.d(m).imag();
            to_x(s, s) += scale * order.d(m).real();
            to_x(s, c) -= scale * order.d(m).imag();
            if (damping_matrix_.size() > 0)
                for (Eigen::Index k = 0; k < count; ++k) {
                    const Eigen::Index other = order.kept[std::size_t(k)];
                    if (other == m) continue;
                    const double coupled = scale * order.k * w_ * damping_matrix_(m, other);
                    to_x(c, order.kept_at + count + k) += coupled;
                    to_x(s, order.kept_at + k) -= coupled;
                }
        }
    }
}

void HarmonicSystem::slopes(Eigen::Ref<Eigen::VectorXd> to_w, Eigen::Ref<Eigen::VectorXd> to_zeta,
                            Eigen::Ref<Eigen::VectorXd> to_log_a) const {
    to_w.setZero();
    to_zeta.setZero();
    to_log_a.setZero();
    const Eigen::VectorXd stretched = joints_.slope * Eigen::Map<const Eigen::VectorXd>(y_.data(), y_.size()) -
                                      Eigen::Map<const Eigen::VectorXd>(g_.data(), g_.size());
    const Eigen::MatrixXd moved =
        map_.transpose() * Eigen::Map<const Eigen::MatrixXd>(stretched.data(), width_, functions_) + force_ / a_;
    const auto put = [&](const Order& order, const Eigen::VectorXcd& on_q, Eigen::Ref<Eigen::VectorXd> out) {
        const Eigen::VectorXcd on_y = map_ * on_q;
        out.segment(order.at * width_, width_) += on_y.real();
        if (order.k > 0) out.segment((order.at + 1) * width_, width_) -= on_y.imag();
    };
    for (const auto& order : orders_) {
        const Eigen::VectorXcd q = complex_of(q_, order), load = complex_of(moved, order);
        put(order, order.flexible.cwiseProduct(load), to_log_a);
        if (order.k == 0) continue;
        put(order, order.flexible.cwiseProduct(order.d_w).cwiseProduct(q), to_w);
        put(order, order.flexible.cwiseProduct(order.d_zeta).cwiseProduct(q), to_zeta);
        const auto count = Eigen::Index(order.kept.size());
        for (Eigen::Index i = 0; i < count; ++i) {
            const Eigen::Index m = order.kept[std::size_t(i)], c = order.kept_at + i, s = c + count;
            const double kw = order.k * w_, scale = 1 / (omega_(m) * omega_(m) + kw * kw);
            Complex on_w = order.d_w(m) * q(m), residual = order.d(m) * q(m) + complex_of(load_, order)(m);
            if (damping_matrix_.size() > 0) {
                const Complex coupled = coupled_damping(m, q);
                on_w += i_unit * double(order.k) * coupled;
                residual += i_unit * kw * coupled;
            }
            on_w = scale * (on_w - residual * scale * 2.0 * kw * double(order.k));
            const Complex on_zeta = scale * order.d_zeta(m) * q(m), on_a = scale * load(m);
            to_w(c) = on_w.real();
            to_w(s) = -on_w.imag();
            to_zeta(c) = on_zeta.real();
            to_zeta(s) = -on_zeta.imag();
            to_log_a(c) = on_a.real();
            to_log_a(s) = -on_a.imag();
        }
    }
}

HarmonicSystem::Row HarmonicSystem::modal_row(std::size_t index, const Eigen::VectorXd& cosine,
                                              const Eigen::VectorXd& sine) const {
    const Order& order = orders_[index];
    Row row{.to_x = Eigen::RowVectorXd::Zero(size_)};
    const Eigen::VectorXcd weight = cosine.cast<Complex>() + i_unit * sine.cast<Complex>();
    const Eigen::VectorXcd lever = weight.cwiseProduct(order.flexible), v = map_ * lever, q = complex_of(q_, order);
    const Eigen::Index at = order.at * width_, joints = width_ * functions_;
    row.to_x.head(joints) -= v.real().transpose() * joints_.slope.middleRows(at, width_) +
                             v.imag().transpose() * joints_.slope.middleRows(at + width_, width_);
    const auto count = Eigen::Index(order.kept.size());
    for (Eigen::Index i = 0; i < count; ++i) {
        row.to_x(order.kept_at + i) = cosine(order.kept[std::size_t(i)]);
        row.to_x(order.kept_at + count + i) = sine(order.kept[std::size_t(i)]);
    }
    const auto real_sum = [](const Eigen::VectorXcd& a, const Eigen::VectorXcd& b) {
        return (a.transpose() * b)(0).real();
    };
    row.to_w = -real_sum(lever, order.d_w.cwiseProduct(q));
    row.to_zeta = -real_sum(lever, order.d_zeta.cwiseProduct(q));
    const Eigen::VectorXd stretched = joints_.slope * Eigen::Map<const Eigen::VectorXd>(y_.data(), y_.size()) -
                                      Eigen::Map<const Eigen::VectorXd>(g_.data(), g_.size());
    const Eigen::MatrixXd moved =
        map_.transpose() * Eigen::Map<const Eigen::MatrixXd>(stretched.data(), width_, functions_) + force_ / a_;
    row.to_log_a = -real_sum(lever, complex_of(moved, order));
    return row;
}

void HarmonicSystem::force_slope(const Eigen::VectorXd& force, Eigen::Ref<Eigen::VectorXd> to) const {
    to.setZero();
    const Order& order = orders_[first_];
    const Eigen::VectorXcd on_y = map_ * (order.flexible.cwiseProduct(force.cast<Complex>()) / a_);
    to.segment(order.at * width_, width_) = -on_y.real();
    to.segment((order.at + 1) * width_, width_) = on_y.imag();
    for (std::size_t i = 0; i < order.kept.size(); ++i) {
        const Eigen::Index m = order.kept[i];
        to(order.kept_at + Eigen::Index(i)) = -force(m) / (a_ * (omega_(m) * omega_(m) + w_ * w_));
    }
}

double HarmonicSystem::force_row(const Eigen::VectorXd& force, const Eigen::VectorXd& cosine,
                                 const Eigen::VectorXd& sine) const {
    const Eigen::VectorXcd q = orders_[first_].flexible.cwiseProduct(force.cast<Complex>()) / a_;
    return cosine.dot(q.real()) - sine.dot(q.imag());
}

}  // namespace faying::modes
