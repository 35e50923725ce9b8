#include "faying/transient/system.hpp"

#include <algorithm>

#include "basis.hpp"

namespace faying::transient {

namespace {

/// Diagonal of the virgin tangents; contacts just closed, or just open where they are at rest.
Eigen::VectorXd virgin_tangent(const structure::Joint& joint, const std::vector<std::size_t>& parts,
                               const Eigen::VectorXd& rest) {
    laws::JointSet<double> sites({{joint.law, joint.weight, {}, parts, joint.gap}});
    Eigen::VectorXd y = sites.just_closed(), diagonal = y;
    for (Eigen::Index i = 0; i < y.size() && rest.size() > 0; ++i)
        if (joint.law.contact() && i % joint.components() == joint.law.normal()) {
            const double gap = joint.gap.size() > 0 ? joint.gap(i / joint.components()) : 0.0;
            if (!(joint.map.row(i).dot(rest) > gap)) y(i) -= std::max(std::abs(gap), 2 * y(i));
        }
    sites.evaluate(y);
    sites.each_tangent([&](Eigen::Index row, int width, const double* k) {
        for (int i = 0; i < width; ++i) diagonal(row + i) = k[i * width + i];
    });
    return diagonal;
}

Eigen::MatrixXd stacked(const std::vector<Eigen::MatrixXd>& blocks, Eigen::Index columns) {
    Eigen::Index rows = 0;
    for (const auto& block : blocks) rows += block.rows();
    Eigen::MatrixXd all(rows, columns);
    rows = 0;
    for (const auto& block : blocks) {
        all.middleRows(rows, block.rows()) = block;
        rows += block.rows();
    }
    return all;
}

}  // namespace

System::System(const structure::Model& model, Eigen::Index modes, const Eigen::VectorXd& rest) {
    std::vector<Eigen::MatrixXd> active, springs, stuck, slipping, spring_stiffness;
    std::vector<laws::SiteGroup> groups;
    for (const auto& joint : model.joints) {
        std::vector<std::size_t> parts;
        for (std::size_t i = 0; i < joint.law.parts().size(); ++i)
            if (!joint.law.parts()[i].linear) parts.push_back(i);
        const bool spring = parts.empty();
        is_spring_.insert(is_spring_.end(), std::size_t(joint.map.rows()), spring);
        (spring ? springs : active).push_back(joint.map);
        (spring ? spring_stiffness : stuck).push_back(virgin_tangent(joint, {}, rest));
        if (spring) continue;
        slipping.push_back(virgin_tangent(joint, parts, rest));
        groups.push_back({joint.law, joint.weight, {}, parts, joint.gap});
        widest_ = std::max<Eigen::Index>(widest_, joint.components());
    }
    joints_ = laws::JointSet<double>(groups);
    stuck_ = stacked(stuck, 1);
    slipping_ = stacked(slipping, 1);
    spring_stiffness_ = stacked(spring_stiffness, 1);
    const Eigen::MatrixXd b = stacked(active, model.size()), c = stacked(springs, model.size());
    const Eigen::MatrixXd stiffness =
        model.stiffness + b.transpose() * stuck_.asDiagonal() * b + c.transpose() * spring_stiffness_.asDiagonal() * c;
    Eigen::MatrixXd forces(model.size(), b.rows() + (model.static_force.size() > 0));
    forces.leftCols(b.rows()) = b.transpose();
    if (model.static_force.size() > 0) forces.rightCols(1) = model.static_force;
    auto basis = detail::basis(model.mass, stiffness, forces, modes);
    kept_ = basis.kept;
    omega_ = basis.omega;
    shapes_ = basis.shapes;
    left_out_ = std::move(basis.left_out);
    if (left_out_.omega.size() == 0) left_out_.shapes.resize(model.size(), 0);
    left_out_.projection = left_out_.shapes.transpose() * model.mass;
    left_out_.map = b * left_out_.shapes;
    projection_ = shapes_.transpose() * model.mass;
    map_ = b * shapes_;
    spring_map_ = c * shapes_;
    if (model.damping.size() > 0) {
        damping_matrix_ = shapes_.transpose() * model.damping * shapes_;
        left_out_.damping = (left_out_.shapes.transpose() * model.damping * left_out_.shapes).diagonal();
    } else {
        damping_ = 2 * model.damping_ratio * omega_;
        left_out_.damping = 2 * model.damping_ratio * left_out_.omega;
    }
    static_ = Eigen::VectorXd::Zero(size());
    left_out_.static_force = Eigen::VectorXd::Zero(left_out_.omega.size());
    if (model.static_force.size() > 0) {
        static_ = modal_force(model.static_force);
        left_out_.static_force = left_out_.shapes.transpose() * model.static_force;
    }
}

Eigen::VectorXd System::damping_force(const Eigen::VectorXd& velocity) const {
    if (diagonal_damping()) return damping_.cwiseProduct(velocity);
    return damping_matrix_ * velocity;
}

void System::evaluate(const Eigen::VectorXd& y, Eigen::VectorXd& g, Eigen::MatrixXd& tangent) {
    joints_.evaluate(y);
    g.noalias() = joints_.force() - slipping_.cwiseProduct(y);
    joints_.each_tangent([&](Eigen::Index row, int width, const double* k) {
        for (int i = 0; i < width; ++i)
            for (int j = 0; j < width; ++j) tangent(row + i, row + j) = *k++ - (i == j ? slipping_(row + i) : 0.0);
    });
}

void System::find_loose(const Eigen::MatrixXd& tangent, std::vector<Eigen::Index>& rows) const {
    rows.clear();
    joints_.each_tangent([&](Eigen::Index row, int width, const double*) {
        if ((tangent.block(row, row, width, width).array() == 0).all()) return;
        for (int i = 0; i < width; ++i) rows.push_back(row + i);
    });
}

double System::spring_energy(const Eigen::VectorXd& q) const {
    return 0.5 * spring_stiffness_.dot((spring_map_ * q).cwiseAbs2());
}

double System::strain_energy(const Eigen::VectorXd& q) const {
    return 0.5 * (omega_.cwiseProduct(q).squaredNorm() - stuck_.dot((map_ * q).cwiseAbs2())) - spring_energy(q);
}

Eigen::VectorXd System::in_order(const Eigen::VectorXd& active, const Eigen::VectorXd& springs) const {
    Eigen::VectorXd all(Eigen::Index(is_spring_.size()));
    Eigen::Index a = 0, s = 0;
    for (Eigen::Index i = 0; i < all.size(); ++i) all(i) = is_spring_[std::size_t(i)] ? springs(s++) : active(a++);
    return all;
}

Eigen::VectorXd System::joint_displacement(const Eigen::VectorXd& q, const Eigen::VectorXd& y) const {
    return in_order(y, spring_map_ * q);
}

Eigen::VectorXd System::joint_force(const Eigen::VectorXd& q, const Eigen::VectorXd& y,
                                    const Eigen::VectorXd& g) const {
    return in_order(g + stuck_.cwiseProduct(y), spring_stiffness_.cwiseProduct(spring_map_ * q));
}

}  // namespace faying::transient
