#include "faying/structure/model.hpp"

#include <fmt/format.h>

#include "faying/core/error.hpp"

namespace faying::structure {

namespace {

Eigen::MatrixXd with_joints(const Model& model, double (*stiffness_of)(const laws::Law&)) {
    Eigen::MatrixXd k = model.stiffness;
    for (const auto& joint : model.joints) k += stiffness_of(joint.law) * joint.direction * joint.direction.transpose();
    return k;
}

double stuck_tangent(const laws::Law& law) { return law.follow({0.0}).tangent.front(); }

/// The tangent far along the virgin curve: ten times further must not change it.
double slip_tangent(const laws::Law& law) {
    const double stuck = stuck_tangent(law);
    double last = stuck;
    for (double u = 1e-12; u <= 1e15; u *= 10) {
        const double tangent = law.follow({u}).tangent.front();
        if (u > 1e3 && std::abs(tangent - last) <= 1e-12 * std::abs(stuck)) return tangent;
        last = tangent;
    }
    throw core::BadInput(law.name(), "has no slipping stiffness: its tangent does not settle at large displacement");
}

void check_square(const Eigen::MatrixXd& a, Eigen::Index n, const char* name, const std::string& where) {
    if (a.rows() != n || a.cols() != n)
        throw core::BadInput(where, fmt::format("{} is {} x {}; expected {} x {}", name, a.rows(), a.cols(), n, n));
    if (!a.allFinite()) throw core::BadInput(where, fmt::format("{} has an entry that is not a finite number", name));
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < i; ++j)
            if (std::abs(a(i, j) - a(j, i)) > 1e-9 * a.cwiseAbs().maxCoeff())
                throw core::BadInput(where, fmt::format("{} is not symmetric: entry ({},{}) = {:g} but ({},{}) = {:g}",
                                                        name, i + 1, j + 1, a(i, j), j + 1, i + 1, a(j, i)));
}

}  // namespace

Eigen::MatrixXd stuck_stiffness(const Model& model) { return with_joints(model, stuck_tangent); }
Eigen::MatrixXd slipping_stiffness(const Model& model) { return with_joints(model, slip_tangent); }

void check_model(const Model& model, const std::string& where) {
    const Eigen::Index n = model.mass.rows();
    if (n == 0) throw core::BadInput(where, "the mass matrix is empty");
    check_square(model.mass, n, "mass", where);
    check_square(model.stiffness, n, "stiffness", where);
    if (model.damping.size() > 0) check_square(model.damping, n, "damping", where);
    if (Eigen::LLT<Eigen::MatrixXd>(model.mass).info() != Eigen::Success)
        throw core::BadInput(where, "mass is not positive definite");
    if (model.static_force.size() != 0 && model.static_force.size() != n)
        throw core::BadInput(where,
                             fmt::format("static force has {} entries; expected {}", model.static_force.size(), n));
    if (!(model.damping_ratio >= 0 && model.damping_ratio < 1))
        throw core::BadInput(where, fmt::format("damping ratio {:g} is not in [0, 1)", model.damping_ratio));
}

}  // namespace faying::structure
