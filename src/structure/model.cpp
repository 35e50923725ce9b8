#include "faying/structure/model.hpp"

#include <fmt/format.h>

#include <limits>

#include "faying/core/error.hpp"

namespace faying::structure {

namespace {

/// Tangent of a site after a path.
Eigen::MatrixXd tangent_at(const laws::Law& law, const std::vector<Eigen::VectorXd>& path) {
    const Eigen::VectorXd weight = Eigen::VectorXd::Ones(1);
    laws::JointSet<double> site({{law, weight}});
    for (const auto& u : path) {
        site.evaluate(u);
        site.commit();
    }
    Eigen::MatrixXd tangent(site.rows(), site.rows());
    site.each_tangent([&](Eigen::Index, int width, const double* k) {
        tangent = Eigen::Map<const Eigen::MatrixXd>(k, width, width).transpose();
    });
    return tangent;
}

Eigen::MatrixXd stuck_tangent(const laws::Law& law) {
    Eigen::VectorXd at = Eigen::VectorXd::Zero(law.components());
    if (law.contact()) at(law.normal()) = std::numeric_limits<double>::min();  // just closed
    return tangent_at(law, {at});
}

/// The tangent far along the virgin curve: ten times further must not change it.
Eigen::MatrixXd slip_tangent(const laws::Law& law) {
    if (law.elastic() && law.components() > 1) return stuck_tangent(law);
    if (law.contact()) {  // pressed and dragged far: along the drag only the springs are left
        const Eigen::Index drag = law.normal() == 0 ? 1 : 0;
        const Eigen::VectorXd pressed = Eigen::VectorXd::Unit(law.components(), law.normal());
        const Eigen::VectorXd far = pressed + 1e15 * Eigen::VectorXd::Unit(law.components(), drag);
        const Eigen::MatrixXd there = tangent_at(law, {pressed, far});
        Eigen::MatrixXd diagonal = there(drag, drag) * Eigen::MatrixXd::Identity(there.rows(), there.cols());
        diagonal(law.normal(), law.normal()) = there(law.normal(), law.normal());
        return diagonal;
    }
    if (law.components() > 1) throw core::BadInput(law.name(), "has no slipping stiffness that is known");
    const double stuck = stuck_tangent(law)(0);
    double last = stuck;
    for (double u = 1e-12; u <= 1e15; u *= 10) {
        const double tangent = law.follow({u}).tangent.front();
        if (u > 1e3 && std::abs(tangent - last) <= 1e-12 * std::abs(stuck))
            return Eigen::MatrixXd::Constant(1, 1, tangent);
        last = tangent;
    }
    throw core::BadInput(law.name(), "has no slipping stiffness: its tangent does not settle at large displacement");
}

Eigen::MatrixXd with_joints(const Model& model, Eigen::MatrixXd (*stiffness_of)(const laws::Law&)) {
    Eigen::MatrixXd k = model.stiffness;
    for (const auto& joint : model.joints) {
        const Eigen::MatrixXd site = stiffness_of(joint.law);
        const Eigen::Index width = site.rows();
        Eigen::VectorXd all(joint.map.rows());
        for (Eigen::Index i = 0; i < all.size(); ++i) all(i) = site(i % width, i % width) * joint.weight(i / width);
        k += joint.map.transpose() * all.asDiagonal() * joint.map;
        if (joint.law.contact() || site.isDiagonal(0.0)) continue;
        Eigen::MatrixXd coupled = site;
        coupled.diagonal().setZero();
        for (Eigen::Index s = 0; s < joint.sites(); ++s) {
            const auto rows = joint.map.middleRows(s * width, width);
            k += joint.weight(s) * (rows.transpose() * coupled * rows);
        }
    }
    return k;
}

void check_square(const Eigen::MatrixXd& a, Eigen::Index n, const char* name, const std::string& where) {
    if (a.rows() != n || a.cols() != n)
        throw core::BadInput(where, fmt::format("{} is {} x {}; expected {} x {}", name, a.rows(), a.cols(), n, n));
    if (!a.allFinite()) throw core::BadInput(where, fmt::format("{} has an entry that is not a finite number", name));
    const double largest = a.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < i; ++j)
            if (std::abs(a(i, j) - a(j, i)) > 1e-9 * largest)
                throw core::BadInput(where, fmt::format("{} is not symmetric: entry ({},{}) = {:g} but ({},{}) = {:g}",
                                                        name, i + 1, j + 1, a(i, j), j + 1, i + 1, a(j, i)));
}

/// Viscous damping takes energy away, in whatever direction: C must be positive semidefinite. Measured on
/// mass-normalised coordinates, where its entries are 2 zeta omega whatever the units of the DOF.
void check_damping(const Model& model, const Eigen::LLT<Eigen::MatrixXd>& mass, const std::string& where) {
    if (model.damping.size() == 0) return;
    const Eigen::MatrixXd half = mass.matrixL().solve(model.damping);
    Eigen::MatrixXd normalised = mass.matrixL().solve(half.transpose());
    normalised = (0.5 * (normalised + normalised.transpose())).eval();
    const double rounding = 1e-9 * normalised.norm();
    Eigen::MatrixXd lifted = normalised;
    lifted.diagonal().array() += rounding;
    if (rounding == 0 || Eigen::LLT<Eigen::MatrixXd>(lifted).info() == Eigen::Success) return;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(normalised, Eigen::EigenvaluesOnly);
    throw core::BadInput(
        where, fmt::format("damping must be positive semidefinite: it feeds energy in (its smallest eigenvalue over "
                           "the mass matrix, 2 zeta omega of that motion, is {:g} 1/s)",
                           eigen.eigenvalues()(0)));
}

void check_joint(const Joint& joint, Eigen::Index n, const std::string& where) {
    const std::string owner = fmt::format("{}: {}", where, joint.name);
    if (joint.law.drive() == laws::Drive::force)
        throw core::BadInput(owner, fmt::format("{} is driven by force: at a joint it needs the stiffness 'ks' of a "
                                                "spring in series with it",
                                                joint.law.name()));
    if (joint.map.cols() != n || joint.map.rows() != joint.components() * joint.sites())
        throw core::BadInput(owner, fmt::format("its map is {} x {}; expected {} x {}", joint.map.rows(),
                                                joint.map.cols(), joint.components() * joint.sites(), n));
    if (joint.base.size() > 0 &&
        (joint.local.rows() != joint.map.rows() || joint.local.cols() != joint.base.rows() || joint.base.cols() != n))
        throw core::BadInput(owner, "its sparse map does not fit its map");
    if (!joint.map.allFinite()) throw core::BadInput(owner, "its map has an entry that is not a finite number");
    if (joint.sites() == 0 || !(joint.weight.array() > 0).all() || !joint.weight.allFinite())
        throw core::BadInput(owner, "needs one site or more, each of positive weight");
    if (joint.gap.size() > 0 && (joint.gap.size() != joint.sites() || !joint.gap.allFinite() || !joint.law.contact()))
        throw core::BadInput(owner, "gaps belong to a contact law, one finite number per site");
}

}  // namespace

bool gives_tractions(const Joint& joint) { return (joint.weight.array() != 1.0).any(); }

std::string site_name(const Joint& joint, Eigen::Index site, int component) {
    const bool named = site < Eigen::Index(joint.site_names.size());
    const std::string name = named ? joint.site_names[std::size_t(site)] : fmt::format("site {}", site + 1);
    if (joint.components() == 1) return name;
    if (joint.components() == 3 && joint.law.contact())
        return fmt::format("{}, {}", name, component_names[std::size_t(component)]);
    return fmt::format("{}, {}", name,
                       component == joint.law.normal() ? component_names[2] : std::to_string(component + 1));
}

std::string short_site_name(const Joint& joint, Eigen::Index site) {
    const bool named = site < Eigen::Index(joint.site_names.size());
    return named ? joint.site_names[std::size_t(site)] : std::to_string(site + 1);
}

std::string dof_name(const Model& model, Eigen::Index dof) {
    return dof < Eigen::Index(model.dofs.size()) ? model.dofs[std::size_t(dof)] : fmt::format("DOF {}", dof + 1);
}

Joint single_site(std::string name, laws::Law law, const Eigen::VectorXd& direction) {
    return {std::move(name), std::move(law), direction.transpose(), Eigen::VectorXd::Ones(1), {}, {}};
}

laws::JointSet<double> joint_set(const Model& model) {
    std::vector<laws::SiteGroup> groups;
    for (const auto& joint : model.joints) groups.push_back({joint.law, joint.weight, {}, {}, joint.gap});
    return laws::JointSet<double>(groups);
}

Eigen::MatrixXd stuck_stiffness(const Model& model) { return with_joints(model, stuck_tangent); }
Eigen::MatrixXd slipping_stiffness(const Model& model) { return with_joints(model, slip_tangent); }

void check_model(const Model& model, const std::string& where) {
    const Eigen::Index n = model.mass.rows();
    if (n == 0) throw core::BadInput(where, "the mass matrix is empty");
    check_square(model.mass, n, "mass", where);
    check_square(model.stiffness, n, "stiffness", where);
    if (model.damping.size() > 0) check_square(model.damping, n, "damping", where);
    const Eigen::LLT<Eigen::MatrixXd> mass(model.mass);
    if (mass.info() != Eigen::Success) throw core::BadInput(where, "mass is not positive definite");
    check_damping(model, mass, where);
    if (model.static_force.size() != 0 && model.static_force.size() != n)
        throw core::BadInput(where,
                             fmt::format("static force has {} entries; expected {}", model.static_force.size(), n));
    if (!(model.damping_ratio >= 0 && model.damping_ratio < 1))
        throw core::BadInput(where, fmt::format("damping ratio {:g} is not in [0, 1)", model.damping_ratio));
    for (const auto& joint : model.joints) check_joint(joint, n, where);
    for (const auto& output : model.outputs)
        if (output.row.size() != n)
            throw core::BadInput(
                where, fmt::format("output '{}' has {} entries; expected {}", output.name, output.row.size(), n));
}

namespace {

const Eigen::VectorXd& named(const std::vector<Output>& list, const std::string& name, const char* what) {
    std::string allowed;
    for (const auto& one : list) {
        if (one.name == name) return one.row;
        allowed += (allowed.empty() ? "" : ", ") + one.name;
    }
    throw core::BadInput(fmt::format("unknown {} '{}'; allowed are: {}", what, name,
                                     allowed.empty() ? fmt::format("none, the model names no {}s", what) : allowed));
}

}  // namespace

const Eigen::VectorXd& find_load(const Model& model, const std::string& name) {
    return named(model.loads, name, "load");
}

const Eigen::VectorXd& find_output(const Model& model, const std::string& name) {
    return named(model.outputs, name, "output");
}

}  // namespace faying::structure
