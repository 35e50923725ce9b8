#include "faying/geometric/joint_system.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "faying/core/error.hpp"
#include "faying/core/quadrature.hpp"

namespace faying::geometric {

JointSystem::JointSystem(const structure::Model& model, Friction friction)
    : stiffness_(model.stiffness), mass_(model.mass.sparseView(0, 0)) {
    if (model.static_force.size() > 0 && !model.static_force.isZero())
        throw core::BadInput("[structure] static", "a static load is not taken by this analysis; leave it out");
    for (const auto& joint : model.joints) {
        groups_.push_back({joint.map, joint.weight, joint.components()});
        auto parts = joint.law.joints(static_cast<std::size_t>(joint.sites()));
        std::size_t first = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto& about = joint.law.parts()[i];
            Part part{groups_.size() - 1, std::move(parts[i]), {}, about.spring};
            if (about.spring && about.parameters == 9)
                part.polynomial.assign(joint.law.values().begin() + static_cast<std::ptrdiff_t>(first),
                                       joint.law.values().begin() + static_cast<std::ptrdiff_t>(first + 9));
            first += about.parameters;
            friction_ = friction_ || !about.spring;
            if (!about.spring && friction == Friction::stuck) {
                VectorXd f = VectorXd::Zero(model.size());
                std::vector<double> k;
                evaluate(part, VectorXd::Zero(model.size()), f, k);
                const Group& g = groups_.back();
                const Index c = g.components;
                for (Index s = 0; s < g.weight.size(); ++s) {
                    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>
                        block(k.data() + s * c * c, c, c);
                    const MatrixXd rows = g.map.middleRows(s * c, c);
                    stiffness_ += g.weight(s) * rows.transpose() * block * rows;
                }
                continue;
            }
            symmetric_ = symmetric_ && (about.spring || joint.components() == 1);
            parts_.push_back(std::move(part));
        }
    }
}

/// Adds the part's forces on x; tangents of its sites, before weights.
void JointSystem::evaluate(Part& part, const VectorXd& u, VectorXd& force, std::vector<double>& tangent) const {
    const Group& g = groups_[part.group];
    const VectorXd d = g.map * u;
    std::vector<double> f(static_cast<std::size_t>(d.size()));
    tangent.resize(f.size() * static_cast<std::size_t>(g.components));
    part.joint.evaluate({d.data(), f.size()}, f, tangent);
    for (Index i = 0; i < d.size(); ++i)
        force += g.map.row(i).transpose() * (g.weight(i / g.components) * f[static_cast<std::size_t>(i)]);
}

VectorXd JointSystem::force(const VectorXd& u) const {
    VectorXd f = stiffness_ * u;
    std::vector<double> k;
    for (auto& part : parts_) evaluate(part, u, f, k);
    return f;
}

Sparse JointSystem::tangent(const VectorXd& u) const {
    MatrixXd t = stiffness_;
    VectorXd f = VectorXd::Zero(size());
    std::vector<double> k;
    for (auto& part : parts_) {
        evaluate(part, u, f, k);
        const Group& g = groups_[part.group];
        const Index c = g.components;
        for (Index s = 0; s < g.weight.size(); ++s) {
            const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> block(
                k.data() + s * c * c, c, c);
            const MatrixXd rows = g.map.middleRows(s * c, c);
            t += g.weight(s) * rows.transpose() * block * rows;
        }
    }
    Sparse full(size(), size());
    full.reserve(Eigen::VectorXi::Constant(static_cast<int>(size()), static_cast<int>(size())));
    for (Index c = 0; c < size(); ++c)
        for (Index r = 0; r < size(); ++r) full.insert(r, c) = t(r, c);
    full.makeCompressed();
    return full;
}

bool JointSystem::conservative() const {
    return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.spring; });
}

double JointSystem::energy(const VectorXd& u) const {
    double sum = 0.5 * u.dot(stiffness_ * u);
    std::vector<double> k;
    for (auto& part : parts_)
        if (part.spring)  // force . u along the straight way: exact for polynomials to degree 28
            sum += core::gauss_panel(
                [&](double s) {
                    VectorXd f = VectorXd::Zero(size());
                    evaluate(part, s * u, f, k);
                    return f.dot(u);
                },
                0.0, 1.0);
    return sum;
}

VectorXd JointSystem::series(const MatrixXd& u, int order) const {
    if (order == 0) return force(u.col(0));
    if (order == 1) return tangent(u.col(0)) * u.col(1);
    VectorXd f = VectorXd::Zero(size());
    if (order < u.cols()) f = stiffness_ * u.col(order);
    for (const auto& part : parts_) {
        if (part.polynomial.empty())
            throw core::BadInput("taylor",
                                 "a law of this model is no polynomial: its Taylor coefficients are not known");
        const Group& g = groups_[part.group];
        const MatrixXd d = g.map * u;
        for (Index site = 0; site < d.rows(); ++site) {
            // Powers of the displacement's series, one after the other.
            VectorXd x = VectorXd::Zero(order + 1), power = VectorXd::Zero(order + 1);
            for (Index j = 0; j <= order && j < d.cols(); ++j) x(j) = d(site, j);
            power(0) = 1;
            double sum = 0;
            for (const double k : part.polynomial) {
                VectorXd next = VectorXd::Zero(order + 1);
                for (Index a = 0; a <= order; ++a)
                    for (Index b = 0; a + b <= order; ++b) next(a + b) += power(a) * x(b);
                power = next;
                sum += k * power(order);
            }
            f += g.map.row(site).transpose() * (g.weight(site) * sum);
        }
    }
    return f;
}

void JointSystem::commit(const VectorXd& u) {
    VectorXd f = VectorXd::Zero(size());
    std::vector<double> k;
    for (auto& part : parts_) {
        evaluate(part, u, f, k);
        part.joint.commit();
    }
}

void JointSystem::restore(const std::any& past) { parts_ = std::any_cast<const std::vector<Part>&>(past); }

double JointSystem::dissipated() const {
    double sum = 0;
    for (const auto& part : parts_)
        for (Index s = 0; s < groups_[part.group].weight.size(); ++s)
            sum += groups_[part.group].weight(s) * part.joint.dissipated(static_cast<std::size_t>(s));
    return sum;
}

}  // namespace faying::geometric
