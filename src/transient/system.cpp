#include "faying/transient/system.hpp"

#include <limits>

#include "faying/core/error.hpp"
#include "faying/modes/linear.hpp"

namespace faying::transient {

System::System(const structure::Model& model, Eigen::Index modes) {
    Eigen::Index rows = 0;
    for (const auto& joint : model.joints) rows += joint.map.rows();
    Eigen::MatrixXd b(rows, model.size());
    Eigen::VectorXd touching = Eigen::VectorXd::Zero(rows);  // at rest, contacts just closed
    rows = 0;
    std::size_t widest = 0;
    for (const auto& joint : model.joints) {
        const Eigen::Index c = joint.components();
        b.middleRows(rows, joint.map.rows()) = joint.map;
        if (c == 3)
            for (Eigen::Index s = 0; s < joint.sites(); ++s)
                touching(rows + 3 * s + 2) = std::numeric_limits<double>::min();
        groups_.push_back({joint.law.joints(std::size_t(joint.sites())), rows, joint.sites(), c, joint.weight});
        widest = std::max(widest, std::size_t(joint.sites() * c * c));
        rows += joint.map.rows();
    }
    force_.resize(widest);
    tangent_.resize(widest);
    Eigen::VectorXd f(rows);
    Eigen::MatrixXd tangent(rows, rows);
    evaluate_all(touching, f, tangent);
    stuck_ = tangent.diagonal();

    const auto linear =
        modes::linear_modes(model.mass, model.stiffness + b.transpose() * stuck_.asDiagonal() * b, modes);
    omega_ = linear.omega;
    shapes_ = linear.shapes;
    projection_ = shapes_.transpose() * model.mass;
    map_ = b * shapes_;
    if (model.damping.size() > 0)
        damping_matrix_ = shapes_.transpose() * model.damping * shapes_;
    else
        damping_ = 2 * model.damping_ratio * omega_;
    static_ = Eigen::VectorXd::Zero(size());
    if (model.static_force.size() > 0) static_ = modal_force(model.static_force);
}

Eigen::VectorXd System::damping_force(const Eigen::VectorXd& velocity) const {
    if (diagonal_damping()) return damping_.cwiseProduct(velocity);
    return damping_matrix_ * velocity;
}

void System::evaluate_all(const Eigen::VectorXd& y, Eigen::VectorXd& f, Eigen::MatrixXd& tangent) {
    f.setZero();
    tangent.setZero();
    for (Group& group : groups_) {
        const Eigen::Index c = group.components, count = group.sites * c;
        for (laws::Joint& part : group.parts) {
            part.evaluate({y.data() + group.first, std::size_t(count)}, {force_.data(), std::size_t(count)},
                          {tangent_.data(), std::size_t(count * c)});
            for (Eigen::Index s = 0; s < group.sites; ++s)
                for (Eigen::Index i = 0; i < c; ++i) {
                    const Eigen::Index row = group.first + s * c + i;
                    f(row) += group.weight(s) * force_[std::size_t(s * c + i)];
                    for (Eigen::Index j = 0; j < c; ++j)
                        tangent(row, group.first + s * c + j) +=
                            group.weight(s) * tangent_[std::size_t((s * c + i) * c + j)];
                }
        }
    }
}

void System::evaluate(const Eigen::VectorXd& y, Eigen::VectorXd& g, Eigen::MatrixXd& tangent) {
    evaluate_all(y, g, tangent);
    g.noalias() -= stuck_.cwiseProduct(y);
    tangent.diagonal() -= stuck_;
}

void System::commit() {
    for (Group& group : groups_)
        for (laws::Joint& part : group.parts) part.commit();
}

double System::dissipated() const {
    double sum = 0;
    for (const Group& group : groups_)
        for (const laws::Joint& part : group.parts)
            for (Eigen::Index s = 0; s < group.sites; ++s) sum += group.weight(s) * part.dissipated(std::size_t(s));
    return sum;
}

double System::strain_energy(const Eigen::VectorXd& q) const {
    const Eigen::VectorXd y = map_ * q;
    return 0.5 * (omega_.cwiseProduct(q).squaredNorm() - y.dot(stuck_.cwiseProduct(y)));
}

}  // namespace faying::transient
