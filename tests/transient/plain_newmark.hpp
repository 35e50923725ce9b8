#pragma once
// A preloaded structure with one contact joint, stepped the plain way: what transient::Simulation is held against.

#include <Eigen/Sparse>

#include "faying/transient/excitation.hpp"

namespace faying::tests {

/// Average acceleration in physical coordinates from rest at u, Newton on all of them with a dense tangent.
inline Eigen::VectorXd plain_newmark(const structure::Model& model, const transient::Excitation& load, double h,
                                     int steps, Eigen::VectorXd u) {
    const auto& joint = model.joints.front();
    auto parts = joint.law.joints(std::size_t(joint.sites()));
    const Eigen::Index rows = joint.map.rows();
    Eigen::VectorXd force(rows), tangent(3 * rows);
    const Eigen::SparseMatrix<double> map = joint.map.sparseView();
    Eigen::SparseMatrix<double> local(rows, rows);
    const auto joints = [&](const Eigen::VectorXd& u, Eigen::MatrixXd* stiffness) {
        const Eigen::VectorXd y = map * u;
        parts[0].evaluate({y.data(), std::size_t(rows)}, {force.data(), std::size_t(rows)},
                          {tangent.data(), std::size_t(3 * rows)});
        std::vector<Eigen::Triplet<double>> entries;
        for (Eigen::Index s = 0; s < joint.sites(); ++s)
            for (Eigen::Index i = 0; i < 3; ++i) {
                force(3 * s + i) *= joint.weight(s);
                for (Eigen::Index j = 0; j < 3; ++j)
                    entries.emplace_back(3 * s + i, 3 * s + j, joint.weight(s) * tangent(9 * s + 3 * i + j));
            }
        local.setFromTriplets(entries.begin(), entries.end());
        if (stiffness) *stiffness = Eigen::SparseMatrix<double>(map.transpose() * local * map);
        return Eigen::VectorXd(map.transpose() * force);
    };
    const auto outer = [&](double t) {
        Eigen::VectorXd f = model.static_force;
        for (const auto& l : load) f += l.history.value(t) * l.shape;
        return f;
    };
    Eigen::VectorXd v = Eigen::VectorXd::Zero(u.size());
    Eigen::MatrixXd stiffness;
    Eigen::VectorXd a = model.mass.ldlt().solve(outer(0) - model.stiffness * u - joints(u, nullptr));
    parts[0].commit();
    for (int k = 1; k <= steps; ++k) {
        const Eigen::VectorXd f = outer(k * h), start = u + h * v + 0.25 * h * h * a, speed = v + 0.5 * h * a;
        Eigen::VectorXd next = start;
        for (int i = 0; i < 30; ++i) {
            const Eigen::VectorXd pull = joints(next, &stiffness);
            const Eigen::VectorXd r = model.mass * (next - start) * (4 / (h * h)) + model.stiffness * next + pull - f;
            const Eigen::VectorXd move =
                (model.mass * (4 / (h * h)) + model.stiffness + stiffness).partialPivLu().solve(r);
            next -= move;
            if (move.norm() <= 1e-15 * next.norm()) break;
        }
        joints(next, nullptr);
        parts[0].commit();
        a = (next - start) * (4 / (h * h));
        u = next;
        v = speed + 0.5 * h * a;
    }
    return u;
}

}  // namespace faying::tests
