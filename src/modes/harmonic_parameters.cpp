// Derivatives of harmonic balance to the parameters of laws: the joints' part by dual numbers, four parameters a pass,
// at the motion as it is; what the motion does about it is one back-substitution each (harmonic_balance.cpp).

#include "faying/core/error.hpp"
#include "harmonic_system.hpp"

namespace faying::modes {

std::vector<HarmonicSystem::ParameterSlope> HarmonicSystem::parameter_slopes() const {
    using core::Dual;
    if (!at_rest_.sites.isZero(0.0))
        throw core::BadInput("derivatives", "the state at rest depends on parameters where there is a static force");
    for (const auto& part : parts_)
        if (!part.continuous)
            throw core::BadInput(model_.joints[part.joint].name, "has a force that jumps, where derivatives have none");
    const auto& map = interface_.site_map();
    const Eigen::MatrixXd u = map * (a_ * y_);
    std::vector<ParameterSlope> all;
    for (std::size_t p = 0; p < parts_.size();) {
        const std::size_t j = parts_[p].joint;
        const auto& joint = model_.joints[j];
        std::size_t end = p;
        while (end < parts_.size() && parts_[end].joint == j) ++end;
        const std::size_t count = joint.law.parameters().size();
        for (std::size_t first = 0; first < count; first += core::directions) {
            const std::size_t many = std::min<std::size_t>(core::directions, count - first);
            std::vector<int> seeds(count, -1);
            for (std::size_t d = 0; d < many; ++d) seeds[first + d] = int(d);
            const auto made = joint.law.joints(1, seeds);
            std::vector<Eigen::MatrixXd> g(many, Eigen::MatrixXd::Zero(width_, functions_));
            std::vector<Eigen::VectorXd> stiffness(many, Eigen::VectorXd::Zero(map.rows()));
            for (std::size_t k = p; k < end; ++k) {
                const Part& part = parts_[k];
                const int width = part.width;
                laws::JointOf<Dual> seeded = made[k - p];
                std::vector<Dual> at(static_cast<std::size_t>(width), Dual(0.0)), force(at),
                    tangent(at.size() * at.size());
                seeded.evaluate(at, force, tangent);
                if (!part.spring) seeded.commit();
                for (Eigen::Index s = 0; s < part.sites; ++s) {
                    const Eigen::Index row = part.row + s * width;
                    const Eigen::MatrixXd motion = u.middleRows(row, width);
                    const Eigen::MatrixXd slope = laws::harmonic_force_parameters(
                        begun_[k][begun_[k].size() == 1 ? 0 : std::size_t(s)], seeded, Eigen::VectorXd::Zero(width),
                        harmonics_, Eigen::Map<const Eigen::VectorXd>(motion.data(), motion.size()), options_);
                    for (std::size_t d = 0; d < many; ++d)
                        for (int c = 0; c < width; ++c) {
                            const double weight = joint.weight(s);
                            stiffness[d](row + c) += weight * tangent[std::size_t(c * width + c)].v[Eigen::Index(d)];
                            for (Interface::SiteMap::InnerIterator i(map, row + c); i; ++i)
                                for (Eigen::Index b = 0; b < functions_; ++b)
                                    g[d](i.col(), b) += weight * i.value() * slope(b * width + c, Eigen::Index(d));
                        }
                }
            }
            for (std::size_t d = 0; d < many; ++d) {
                all.push_back(parameter_slope(g[d], stiffness[d]));
                all.back().joint = j;
                all.back().parameter = first + d;
            }
        }
        p = end;
    }
    return all;
}

/// From the joints' harmonics to the residual. A damping ratio is on the stuck modes, which follow the stuck springs:
/// C = 2 zeta K^(1/2) in the modes, so that dC = 2 zeta dK/(omega_r + omega_s).
HarmonicSystem::ParameterSlope HarmonicSystem::parameter_slope(const Eigen::MatrixXd& g,
                                                               const Eigen::VectorXd& stiffness) const {
    constexpr Complex i_unit{0.0, 1.0};
    Eigen::MatrixXd damping;
    if (model_.damping.size() == 0 && model_.damping_ratio > 0) {
        const Eigen::MatrixXd sites = Eigen::MatrixXd(interface_.site_map()) * map_;
        damping = sites.transpose() * stiffness.asDiagonal() * sites;
        for (Eigen::Index r = 0; r < modes(); ++r)
            for (Eigen::Index s = 0; s < modes(); ++s) {
                const double both = omega_(r) + omega_(s);
                damping(r, s) = both > 0 ? 2 * model_.damping_ratio * damping(r, s) / both : 0.0;
            }
    }
    ParameterSlope out;
    out.residual = Eigen::VectorXd::Zero(size_);
    const Eigen::MatrixXd load = map_.transpose() * g / a_;
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
