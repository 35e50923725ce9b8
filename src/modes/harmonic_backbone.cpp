// Nonlinear modes by harmonic balance, as points of a backbone.

#include <cmath>
#include <numbers>

#include "faying/modes/harmonic_balance.hpp"

namespace faying::modes {

namespace {

/// Displacements of every site at the two ends of its motion, the one nearer to t = 0 first.
struct Tips {
    Eigen::VectorXd plus, minus;
};

Tips tips_of(const structure::Model& model, const Interface& interface, const Eigen::VectorXd& rest,
             const Eigen::MatrixXd& motion, const core::Harmonics& harmonics) {
    const Eigen::MatrixXd u = Eigen::MatrixXd(interface.site_map() * (interface.rows() * motion));
    Tips tips{rest, rest};
    Eigen::VectorXd h(harmonics.size());
    for (const double t : {0.0, std::numbers::pi}) {
        harmonics.values(t, h.data());
        (t == 0 ? tips.plus : tips.minus) += u * h;
    }
    Eigen::Index row = 0;
    for (const auto& joint : model.joints)
        for (Eigen::Index i = 0; i < joint.map.rows(); ++i, ++row) {
            if (joint.components() != 1) continue;  // where displacements belong together, they are of one time
            const Eigen::VectorXd own = u.row(row).transpose();
            double low = 0, high = 0;
            for (const double t : core::turning_points(harmonics, own)) {
                harmonics.values(t, h.data());
                low = std::min(low, own.dot(h));
                high = std::max(high, own.dot(h));
            }
            const bool up = tips.plus(row) >= tips.minus(row);
            tips.plus(row) = rest(row) + (up ? high : low);
            tips.minus(row) = rest(row) + (up ? low : high);
        }
    return tips;
}

std::vector<Eigen::VectorXd> by_joint(const structure::Model& model, const Eigen::VectorXd& all) {
    std::vector<Eigen::VectorXd> parts;
    Eigen::Index row = 0;
    for (const auto& joint : model.joints) {
        parts.push_back(all.segment(row, joint.map.rows()));
        row += joint.map.rows();
    }
    return parts;
}

}  // namespace

std::vector<BackbonePoint> backbone_points(const structure::Model& model, const Interface& interface,
                                           const std::vector<HarmonicPoint>& points, const core::Harmonics& harmonics) {
    const auto at_rest = prestress(model, interface);
    std::vector<BackbonePoint> all;
    for (const auto& from : points) {
        BackbonePoint to;
        to.q = from.a;
        to.residual = from.residual;
        to.iterations = from.iterations;
        to.converged = from.converged;
        if (!from.converged) {
            to.reason = "harmonic balance did not converge";
            all.push_back(std::move(to));
            continue;
        }
        to.omega = from.omega;
        to.zeta = from.zeta;
        double kinetic = 0;  // of x' M x' over a period, over pi omega
        for (std::size_t i = 0; i < harmonics.orders().size(); ++i) {
            const double k = harmonics.orders()[i];
            const Eigen::Index b = harmonics.at(i);
            if (k == 0) continue;
            for (const Eigen::Index f : {b, b + 1}) {
                const auto x = from.harmonics.col(f);
                kinetic += k * k * x.dot(model.mass * x);
                if (k == 1 && f == b) to.shape = x / from.a;
            }
        }
        to.zeta_friction = from.dissipation / (2 * std::numbers::pi * from.omega * from.omega * kinetic);
        to.zeta_viscous = from.zeta - to.zeta_friction;
        to.dissipation = from.dissipation;
        to.dissipation_by_joint = from.dissipation_by_joint;
        to.derivatives = from.derivatives;
        const Tips tips = tips_of(model, interface, at_rest.sites, from.harmonics, harmonics);
        to.site_rest = by_joint(model, at_rest.sites);
        to.site_plus = by_joint(model, tips.plus);
        to.site_minus = by_joint(model, tips.minus);
        all.push_back(std::move(to));
    }
    return all;
}

}  // namespace faying::modes
