#include "faying/transient/system.hpp"

#include <algorithm>
#include <limits>

#include "basis.hpp"

namespace faying::transient {

namespace {

/// Sum of the parts' virgin tangents; contacts just closed, or just open where they are at rest.
Eigen::VectorXd virgin_tangent(std::vector<laws::Joint>& parts, const structure::Joint& joint,
                               const Eigen::VectorXd& rest) {
    const Eigen::Index c = joint.components(), count = joint.map.rows();
    Eigen::VectorXd y = Eigen::VectorXd::Zero(count), sum = y, force(count), tangent(count * c);
    if (c == 3)
        for (Eigen::Index s = 0; s < joint.sites(); ++s) {
            const bool open = rest.size() > 0 && !(joint.map.row(3 * s + 2).dot(rest) > 0);
            y(3 * s + 2) = (open ? -1 : 1) * std::numeric_limits<double>::min();
        }
    for (laws::Joint& part : parts) {
        part.evaluate({y.data(), std::size_t(count)}, {force.data(), std::size_t(count)},
                      {tangent.data(), std::size_t(count * c)});
        for (Eigen::Index s = 0; s < joint.sites(); ++s)
            for (Eigen::Index i = 0; i < c; ++i) sum(s * c + i) += joint.weight(s) * tangent((s * c + i) * c + i);
    }
    return sum;
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
    Eigen::Index rows = 0;
    std::size_t widest = 0;
    for (const auto& joint : model.joints) {
        auto parts = joint.law.joints(std::size_t(joint.sites()));
        const Eigen::VectorXd all = virgin_tangent(parts, joint, rest);
        for (std::size_t i = parts.size(); i-- > 0;)
            if (joint.law.parts()[i].linear) parts.erase(parts.begin() + std::ptrdiff_t(i));
        const bool spring = parts.empty();
        is_spring_.insert(is_spring_.end(), std::size_t(joint.map.rows()), spring);
        (spring ? springs : active).push_back(joint.map);
        (spring ? spring_stiffness : stuck).push_back(all);
        if (spring) continue;
        slipping.push_back(virgin_tangent(parts, joint, rest));
        const Eigen::Index c = joint.components();
        groups_.push_back({std::move(parts), rows, joint.sites(), c, joint.weight});
        widest = std::max(widest, std::size_t(joint.sites() * c * c));
        rows += joint.map.rows();
    }
    force_.resize(widest);
    tangent_.resize(widest);
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

void System::evaluate_parts(const Eigen::VectorXd& y, Eigen::VectorXd& f, Eigen::MatrixXd& tangent) {
    for (Group& group : groups_) {
        const Eigen::Index c = group.components, count = group.sites * c;
        bool first = true;
        for (laws::Joint& part : group.parts) {
            part.evaluate({y.data() + group.first, std::size_t(count)}, {force_.data(), std::size_t(count)},
                          {tangent_.data(), std::size_t(count * c)});
            const auto put = [first](double& to, double x) { to = first ? x : to + x; };
            for (Eigen::Index s = 0; s < group.sites; ++s)
                for (Eigen::Index i = 0; i < c; ++i) {
                    const Eigen::Index row = group.first + s * c + i;
                    put(f(row), group.weight(s) * force_[std::size_t(s * c + i)]);
                    for (Eigen::Index j = 0; j < c; ++j)
                        put(tangent(row, group.first + s * c + j),
                            group.weight(s) * tangent_[std::size_t((s * c + i) * c + j)]);
                }
            first = false;
        }
    }
}

void System::evaluate(const Eigen::VectorXd& y, Eigen::VectorXd& g, Eigen::MatrixXd& tangent) {
    evaluate_parts(y, g, tangent);
    g.noalias() -= slipping_.cwiseProduct(y);
    tangent.diagonal() -= slipping_;
}

void System::find_loose(const Eigen::MatrixXd& tangent, std::vector<Eigen::Index>& rows) const {
    rows.clear();
    for (const Group& group : groups_)
        for (Eigen::Index s = 0; s < group.sites; ++s) {
            const Eigen::Index c = group.components, row = group.first + s * c;
            if ((tangent.block(row, row, c, c).array() == 0).all()) continue;
            for (Eigen::Index i = 0; i < c; ++i) rows.push_back(row + i);
        }
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
