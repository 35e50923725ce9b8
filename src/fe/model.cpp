#include "faying/fe/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "faying/core/error.hpp"
#include "faying/fe/deck_geometry.hpp"
#include "fe/constraints/constraints.hpp"
#include "model_parts.hpp"

namespace faying::fe {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using constraint::point;
using Eigen::Vector3d;

/// Elements left out: refused, unless asked otherwise or of rigid bodies, which need none.
void account_for(const Deck& deck, const DeckMesh& mesh, bool leave_out, std::vector<Note>& notes) {
    std::vector<Index> counts(deck.types.size(), 0), first(deck.types.size(), none);
    for (Index e : mesh.left_out) {
        const auto t = static_cast<std::size_t>(deck.elements[static_cast<std::size_t>(e)].type);
        if (counts[t]++ == 0) first[t] = e;
    }
    for (std::size_t t = 0; t < counts.size(); ++t) {
        if (counts[t] == 0) continue;
        const bool rigid = deck.types[t].known && deck.types[t].known->family == Family::rigid;
        const Place at = deck.elements[static_cast<std::size_t>(first[t])].at;
        const std::string text = fmt::format("{} elements of type {} are not assembled", counts[t], deck.types[t].name);
        if (!rigid && !leave_out) throw core::BadInput(deck.where(at), text);
        notes.push_back({rigid ? Severity::note : Severity::physics, at, text});
    }
}

/// The motion of one degree of freedom in a rigid motion: 0-2 translations, 3-5 rotations about `middle`.
double rigid(const Deck& deck, const NodalDof& dof, int motion, const Vector3d& middle) {
    if (dof.dof == motion + 1) return 1;
    if (motion < 3 || dof.dof > 3) return 0;
    return Vector3d::Unit(motion - 3).cross(point(deck, dof.node) - middle)[dof.dof - 1];
}

Sparse enlarged(Sparse matrix, Index size) {
    matrix.conservativeResize(size, size);
    return matrix;
}

/// Point masses on the diagonal; returns their sum.
double add_masses(const Deck& deck, const DeckMesh& mesh, const DofTable& dofs, Sparse& mass,
                  std::vector<Note>& notes) {
    std::vector<Eigen::Triplet<double>> entries;
    double sum = 0;
    for (Index e : mesh.masses) {
        const Element& element = deck.elements[static_cast<std::size_t>(e)];
        const Section* section =
            element.section == none ? nullptr : &deck.sections[static_cast<std::size_t>(element.section)];
        if (!section || section->values.empty())
            throw core::BadInput(deck.where(element.at), fmt::format("mass element {} has no *MASS", element.label));
        const Index node = nodes_of(deck, element)[0];
        sum += section->values[0];
        for (int dof = 1; dof <= 3; ++dof)
            if (const Index i = dofs.find(node, dof); i != none) entries.emplace_back(i, i, section->values[0]);
    }
    if (entries.empty()) return sum;
    Sparse points(mass.rows(), mass.cols());
    points.setFromTriplets(entries.begin(), entries.end());
    mass += points;
    if (sum == 0.0) notes.push_back({Severity::note, {}, "point masses of zero"});
    return sum;
}

/// Rows of free DOF that nothing is felt at: neither stiffness nor mass.
std::vector<bool> felt(const Sparse& stiffness, const Sparse& mass) {
    const Eigen::VectorXd k = stiffness.diagonal(), m = mass.diagonal();
    const double k_size = k.cwiseAbs().maxCoeff(), m_size = m.cwiseAbs().maxCoeff();
    std::vector<bool> all;
    for (Eigen::Index i = 0; i < k.size(); ++i)
        all.push_back(std::abs(k[i]) > 1e-14 * k_size || std::abs(m[i]) > 1e-14 * m_size);
    return all;
}

/// Drops columns of T, and the free DOF they stand for.
void keep(Elimination& elimination, const std::vector<bool>& kept) {
    std::vector<Index> free;
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t c = 0; c < kept.size(); ++c) {
        if (!kept[c]) continue;
        for (Sparse::InnerIterator it(elimination.transformation, static_cast<Eigen::Index>(c)); it; ++it)
            entries.emplace_back(static_cast<int>(it.row()), static_cast<int>(free.size()), it.value());
        free.push_back(elimination.free[c]);
    }
    Sparse t(elimination.transformation.rows(), static_cast<Eigen::Index>(free.size()));
    t.setFromTriplets(entries.begin(), entries.end());
    elimination.transformation = std::move(t);
    elimination.free = std::move(free);
}

/// Before DOF without effect are dropped: what hangs on those alone moves with them.
void check(const Deck& deck, LinearModel& model, bool planar) {
    const Vector3d middle = 0.5 * (bounding_box(deck).low + bounding_box(deck).high);
    const auto rows = static_cast<Eigen::Index>(model.all.size());
    for (int motion = 0; motion < 6; ++motion) {
        if (planar && motion >= 2 && motion <= 4) continue;
        Eigen::VectorXd r(rows), free(static_cast<Eigen::Index>(model.elimination.free.size()));
        for (Eigen::Index i = 0; i < rows; ++i) r[i] = rigid(deck, model.all[static_cast<Index>(i)], motion, middle);
        for (Eigen::Index i = 0; i < free.size(); ++i) free[i] = r[model.elimination.free[static_cast<std::size_t>(i)]];
        const Eigen::VectorXd residual = model.elimination.transformation * free - r;
        auto& c = model.checks;
        c.rigid_residual = std::max(c.rigid_residual, residual.cwiseAbs().maxCoeff() / r.cwiseAbs().maxCoeff());
        if (motion < 3 && c.mass > 0)
            c.mass_error = std::max(c.mass_error, std::abs(free.dot(model.mass * free) / c.mass - 1));
    }
}

}  // namespace

Eigen::MatrixXd rigid_motions(const Deck& deck, const LinearModel& model) {
    const Vector3d middle = 0.5 * (bounding_box(deck).low + bounding_box(deck).high);
    const std::vector<int> motions = is_planar(deck) ? std::vector{0, 1, 5} : std::vector{0, 1, 2, 3, 4, 5};
    Eigen::MatrixXd r(static_cast<Eigen::Index>(model.dofs.size()), static_cast<Eigen::Index>(motions.size()));
    for (Eigen::Index i = 0; i < r.rows(); ++i)
        for (Eigen::Index j = 0; j < r.cols(); ++j)
            r(i, j) =
                rigid(deck, model.dofs[static_cast<std::size_t>(i)], motions[static_cast<std::size_t>(j)], middle);
    return r;
}

namespace {

/// Puts the elements' DOF into model.all.
WholeMatrices assembled(const Deck& deck, const ModelOptions& options, LinearModel& model) {
    const DeckMesh mesh = mesh_of(deck, options.elements);
    model.notes = mesh.notes;
    account_for(deck, mesh, options.leave_out, model.notes);
    if (element_count(mesh.mesh) == 0)
        throw core::BadInput(deck.files[0], "there are no elements to assemble; is the deck cut short?");
    Assembly assembly = assemble(mesh.mesh, options.assembly);
    model.assembly = assembly.checks;
    const int d = assembly.dof_per_node;
    for (Index node : mesh.nodes)
        for (int dof = 1; dof <= d; ++dof) model.all.add(node, dof);
    for (Index e : mesh.masses)
        for (int dof = 1; dof <= d; ++dof)
            model.all.add(nodes_of(deck, deck.elements[static_cast<std::size_t>(e)])[0], dof);
    WholeMatrices whole{enlarged(std::move(assembly.stiffness), model.all.size()),
                        enlarged(std::move(assembly.mass), model.all.size()), assembly.checks.mass, d == 2};
    whole.total_mass += add_masses(deck, mesh, model.all, whole.mass, model.notes);
    return whole;
}

}  // namespace

WholeMatrices whole_matrices(const Deck& deck, const ModelOptions& options, LinearModel& model) {
    return options.matrices ? given(deck, *options.matrices, model.all) : assembled(deck, options, model);
}

void constrain(const Deck& deck, const ConstraintOptions& options, LinearModel& model) {
    ConstraintEquations constraints = constraint_equations(deck, options);
    model.untied = std::move(constraints.untied);
    model.largest_gap = constraints.largest_gap;
    model.notes.insert(model.notes.end(), constraints.notes.begin(), constraints.notes.end());

    for (const auto& equation : constraints.equations)
        for (const Term& term : equation.terms) model.all.add(term.node, term.dof);

    // Supports of DOF that do not exist, as the rotations of ENCASTRE on solids, hold nothing.
    std::erase_if(constraints.supports, [&](const LinearEquation& e) {
        return std::all_of(e.terms.begin(), e.terms.end(),
                           [&](const Term& t) { return model.all.find(t.node, t.dof) == none; });
    });
    model.supports = constraints.supports.size();
    model.equations = all_of(constraints);
    const Box box = bounding_box(deck);
    model.elimination =
        eliminate(model.all, model.equations, {.length = std::max((box.high - box.low).norm(), 1e-300)});
    for (std::size_t k : model.elimination.redundant)
        if (k >= model.supports)
            model.notes.push_back({Severity::note, model.equations[k].at, "a constraint says again what others say"});
    for (const auto& moved : model.elimination.moved)
        if (moved.equation >= model.supports)
            model.notes.push_back(
                {Severity::note, model.equations[moved.equation].at,
                 fmt::format("what this constraint would eliminate is eliminated or fixed already; {} of node {} is "
                             "instead",
                             model.all[moved.eliminated].dof, node_name(deck, model.all[moved.eliminated].node))});
}

void require_mass(const Deck& deck, const LinearModel& model) {
    if (model.checks.mass > 0 && model.mass.nonZeros() > 0) return;
    throw core::BadInput(deck.files[0], "has no mass, and so no modes: give its materials a *DENSITY");
}

LinearModel model_of(const Deck& deck, const ModelOptions& options) {
    LinearModel model;
    WholeMatrices whole = whole_matrices(deck, options, model);
    constrain(deck, options.constraints, model);
    const Sparse k_all = enlarged(std::move(whole.stiffness), model.all.size());
    const Sparse m_all = enlarged(std::move(whole.mass), model.all.size());
    model.checks.mass = whole.total_mass;
    const auto project = [&](const Sparse& full) -> Sparse {
        const Sparse right = full * model.elimination.transformation;
        return model.elimination.transformation.transpose() * right;
    };
    model.stiffness = project(k_all);
    model.mass = project(m_all);
    if (model.stiffness.rows() == 0) throw core::BadInput(deck.files[0], "supports and constraints leave nothing free");
    const bool planar = whole.planar;
    check(deck, model, planar);
    if (const auto kept = felt(model.stiffness, model.mass);
        !std::all_of(kept.begin(), kept.end(), [](bool b) { return b; })) {
        for (std::size_t i = 0; i < kept.size(); ++i)
            if (!kept[i]) model.without_effect.push_back(model.all[model.elimination.free[i]]);
        keep(model.elimination, kept);
        model.stiffness = project(k_all);
        model.mass = project(m_all);
    }
    for (Index i : model.elimination.free) model.dofs.push_back(model.all[i]);
    Eigen::MatrixX3d along = Eigen::MatrixX3d::Zero(model.all.size(), 3);
    for (Index i = 0; i < model.all.size(); ++i)
        if (model.all[i].dof <= 3) along(i, model.all[i].dof - 1) = 1;
    model.body = model.elimination.transformation.transpose() * Eigen::MatrixXd(m_all * along);

    model.checks.rigid_motions_free =
        model.supports == 0 && std::all_of(model.equations.begin(), model.equations.end(),
                                           [&](const auto& e) { return planar || rigid_residual(deck, e) < 1e-10; });
    if (model.checks.rigid_motions_free && !planar &&
        !(model.checks.mass_error < 1e-10 && model.checks.rigid_residual < 1e-10))
        throw core::BadInput(
            deck.files[0], fmt::format("elimination of the constraints loses mass ({:.3g}) or a rigid motion ({:.3g}); "
                                       "1e-10 is allowed",
                                       model.checks.mass_error, model.checks.rigid_residual));
    return model;
}

}  // namespace faying::fe
