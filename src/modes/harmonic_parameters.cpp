// Derivatives of harmonic balance to the parameters of laws: the joints' part by dual numbers, four parameters a pass,
// at the motion as it is; what the motion does about it is one back-substitution each (harmonic_balance.cpp).

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "harmonic_system.hpp"
#include "rest_slope.hpp"

namespace faying::modes {

std::vector<HarmonicSystem::ParameterSlope> HarmonicSystem::parameter_slopes() const {
    const auto parameters = varied_parameters(model_);
    std::vector<ParameterSlope> all;
    for (std::size_t first = 0; first < parameters.size(); first += core::directions) {
        const std::size_t count = std::min<std::size_t>(core::directions, parameters.size() - first);
        const auto slopes = joint_slopes(seeds_of(model_, parameters, first, count));
        for (std::size_t d = 0; d < count; ++d) {
            all.push_back(parameter_slope(slopes.force[d], slopes.stiffness[d]));
            all.back().joint = parameters[first + d].joint;
            all.back().parameter = parameters[first + d].parameter;
        }
    }
    return all;
}

/// Joints' forces at the motion as it is, and stuck stiffnesses, to the parameters that are seeded. Under a static
/// force the state at rest moves with them, and with it every joint.
HarmonicSystem::JointSlopes HarmonicSystem::joint_slopes(const std::vector<std::vector<int>>& seeds) const {
    using core::Dual;
    const auto& map = interface_.site_map();
    const Eigen::MatrixXd u = map * (interface_map_ * (a_ * q_));  // linear springs' too
    const bool loaded = !at_rest_.sites.isZero(0.0);
    Eigen::MatrixXd rest = Eigen::MatrixXd::Zero(map.rows(), core::directions);
    if (loaded) {
        DualSites dual = dual_sites(model_, seeds);
        rest = rest_slope(model_, interface_, at_rest_, Friction::active, dual);
    }
    JointSlopes out;
    out.force.assign(core::directions, Eigen::MatrixXd::Zero(interface_.width(), functions_));
    out.stiffness.assign(core::directions, Eigen::VectorXd::Zero(map.rows()));
    std::vector<laws::JointOf<Dual>> made;  // of the joint whose first part is `whose`
    std::size_t whose = parts_.size();
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        const Part& part = parts_[p];
        const auto& joint = model_.joints[part.joint];
        const auto& own = seeds[part.joint];
        const bool seeded_here = std::any_of(own.begin(), own.end(), [](int s) { return s >= 0; });
        if (!seeded_here && !loaded) continue;
        if (whose == parts_.size() || parts_[whose].joint != part.joint) {
            made = joint.law.joints(1, own);
            whose = p;
        }
        const int width = part.width;
        for (Eigen::Index s = 0; s < part.sites; ++s) {
            const Eigen::Index row = part.row + s * width;
            const double weight = joint.weight(s);
            laws::JointOf<Dual> seeded = made[p - whose];
            std::vector<Dual> base(static_cast<std::size_t>(width)), force(base), tangent(base.size() * base.size());
            for (int c = 0; c < width; ++c) base[std::size_t(c)] = Dual(apart_(row + c));
            seeded.evaluate(base, force, tangent);  // virgin
            if (apart_.segment(row, width).any()) seeded.commit();
            for (int c = 0; c < width; ++c) {
                base[std::size_t(c)] = Dual(base_(row + c));
                base[std::size_t(c)].v = rest.row(row + c).transpose();
            }
            if (width == 3) seeded.evaluate(base, force, tangent);
            for (std::size_t d = 0; d < core::directions; ++d)
                for (int c = 0; c < width; ++c)
                    out.stiffness[d](row + c) += weight * tangent[std::size_t(c * width + c)].v[Eigen::Index(d)];
            seeded.evaluate(base, force, tangent);
            if (!part.spring) seeded.commit();
            const Eigen::MatrixXd motion = u.middleRows(row, width);
            const Eigen::Map<const Eigen::VectorXd> flat(motion.data(), motion.size());
            const auto& begun = begun_[p][begun_[p].size() == 1 ? 0 : std::size_t(s)];
            Eigen::MatrixXd slope;
            if (!part.continuous)
                slope = jumping_slopes(p, p - whose, s, flat, own, rest.middleRows(row, width));
            else
                slope =
                    part.contact
                        ? harmonic::harmonic_contact_parameters(*part.contact, harmonic::contact_slopes(joint.law, own),
                                                                seeded, base, harmonics_, flat, options_)
                        : harmonic::harmonic_force_parameters(begun, seeded, base, harmonics_, flat, options_);
            if (harmonics_.has_mean() && loaded && part.continuous)  // counted from the force at rest
                for (int c = 0; c < width; ++c) slope.row(c) -= force[std::size_t(c)].v.transpose();
            for (int c = 0; c < width; ++c)
                for (Interface::SiteMap::InnerIterator i(map, row + c); i; ++i)
                    for (std::size_t d = 0; d < core::directions; ++d)
                        for (Eigen::Index b = 0; b < functions_; ++b)
                            out.force[d](i.col(), b) += weight * i.value() * slope(b * width + c, Eigen::Index(d));
        }
    }
    return out;
}

/// Of a site whose force jumps: harmonics are smooth in the parameters all the same, but dual numbers do not see when the
/// jump comes. Central differences, or to one side at the end of a parameter's range.
Eigen::MatrixXd HarmonicSystem::jumping_slopes(std::size_t index, std::size_t of_law, Eigen::Index site,
                                               const Eigen::VectorXd& motion, const std::vector<int>& seeds,
                                               const Eigen::MatrixXd& rest) const {
    using core::Dual;
    constexpr double share = 1e-5;
    const Part& part = parts_[index];
    const auto& law = model_.joints[part.joint].law;
    const Eigen::VectorXd base = base_.segment(part.row + site * part.width, part.width);
    // Harmonics, counted from the force at rest, with one parameter moved by `step`.
    const auto harmonics_at = [&](std::size_t moved, Eigen::Index direction, double step) -> Eigen::VectorXd {
        core::ParameterValues values;
        for (std::size_t i = 0; i < law.parameters().size(); ++i)
            if (std::isfinite(law.values()[i]))
                values[law.parameters()[i].key] = law.values()[i] + (i == moved ? step : 0.0);
        const Eigen::VectorXd at = base + step * rest.col(direction);
        auto begun = laws::Law(law.name(), values).joints(1, std::vector<int>(seeds.size(), -1))[of_law];
        std::vector<Dual> u(std::size_t(part.width)), force(u), tangent(u.size() * u.size());
        for (int c = 0; c < part.width; ++c) u[std::size_t(c)] = Dual(at(c));
        begun.evaluate(u, force, tangent);
        if (!part.spring) begun.commit();
        Eigen::VectorXd found = harmonic::harmonic_force(begun, at, harmonics_, motion, options_).force;
        if (harmonics_.has_mean() && !base.isZero(0.0))
            for (int c = 0; c < part.width; ++c) found(c) -= force[std::size_t(c)].a;
        return found;
    };
    Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(motion.size(), core::directions);
    for (Eigen::Index d = 0; d < core::directions; ++d) {
        const auto own = std::size_t(std::find(seeds.begin(), seeds.end(), int(d)) - seeds.begin());
        const double shift = rest.col(d).norm();
        if (own == seeds.size() && !(shift > 0)) continue;
        const double size = own == seeds.size() ? motion.norm() / shift : std::abs(law.values()[own]),
                     step = share * (size > 0 ? size : 1.0);
        std::vector<std::pair<double, Eigen::VectorXd>> ends;
        for (const double to : {step, -step}) {
            try {
                ends.emplace_back(to, harmonics_at(own, d, to));
            } catch (const core::BadInput&) {  // the parameter ends here
                ends.emplace_back(0.0, harmonics_at(own, d, 0.0));
            }
        }
        const double apart = ends[0].first - ends[1].first;
        if (apart > 0) slopes.col(d) = (ends[0].second - ends[1].second) / apart;
    }
    return slopes;
}

/// From the joints' harmonics to the residual. A damping ratio is on the stuck modes, which follow the stuck springs:
/// C = 2 zeta K^(1/2) in the modes, so that dC = 2 zeta dK/(omega_r + omega_s).
HarmonicSystem::ParameterSlope HarmonicSystem::parameter_slope(const Eigen::MatrixXd& g,
                                                               const Eigen::VectorXd& stiffness) const {
    Eigen::MatrixXd damping;
    if (model_.damping.size() == 0 && model_.damping_ratio > 0) {
        const Eigen::MatrixXd sites = Eigen::MatrixXd(interface_.site_map()) * interface_map_;
        damping = sites.transpose() * stiffness.asDiagonal() * sites;
        for (Eigen::Index r = 0; r < modes(); ++r)
            for (Eigen::Index s = 0; s < modes(); ++s) {
                const double both = omega_(r) + omega_(s);
                damping(r, s) = both > 0 ? 2 * model_.damping_ratio * damping(r, s) / both : 0.0;
            }
    }
    ParameterSlope out;
    out.residual = Eigen::VectorXd::Zero(size_);
    const Eigen::MatrixXd load = interface_map_.transpose() * g / a_;
    for (std::size_t o = 0; o < orders_.size(); ++o) {
        const Order& order = orders_[o];
        Eigen::VectorXcd on = complex_of(load, order);
        if (damping.size() > 0 && order.k > 0) on += i_unit * (order.k * w_) * (damping * complex_of(q_, order));
        const Eigen::VectorXcd q = -order.flexible.cwiseProduct(on), y = map_ * q;
        out.residual.segment(order.at * width_, width_) -= y.real();
        if (order.k > 0) out.residual.segment((order.at + 1) * width_, width_) += y.imag();
        const auto count = Eigen::Index(order.kept.size());
        for (Eigen::Index i = 0; i < count; ++i) {
            const Eigen::Index m = order.kept[std::size_t(i)];
            const Complex e = on(m) / (omega_(m) * omega_(m) + order.k * order.k * w_ * w_);
            out.residual(order.kept_at + i) = e.real();
            out.residual(order.kept_at + count + i) = -e.imag();
        }
        if (o == first_) {
            out.cosine = q.real();
            out.sine = -q.imag();
        }
    }
    return out;
}

}  // namespace faying::modes
