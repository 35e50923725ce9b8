#include "faying/fe/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "faying/core/error.hpp"
#include "reduction_loads.hpp"
#include "reduction_pairs.hpp"

namespace faying::fe {

namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Sparse = Eigen::SparseMatrix<double>;

/// Shares of a part of the work as shares of the whole.
Share part(const Share& whole, double from, double to) {
    return [&whole, from, to](double share) { whole(from + share * (to - from)); };
}

Sparse stacked(const std::vector<Sparse>& blocks, const std::vector<std::vector<int>>& rows_of, Eigen::Index columns) {
    std::vector<Eigen::Triplet<double>> entries;
    int row = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        std::vector<int> place(static_cast<std::size_t>(blocks[b].rows()), -1);
        for (int r : rows_of[b]) place[static_cast<std::size_t>(r)] = row++;
        for (Eigen::Index j = 0; j < blocks[b].outerSize(); ++j)
            for (Sparse::InnerIterator it(blocks[b], j); it; ++it)
                if (const int r = place[static_cast<std::size_t>(it.row())]; r >= 0)
                    entries.emplace_back(r, static_cast<int>(j), it.value());
    }
    Sparse all(row, columns);
    all.setFromTriplets(entries.begin(), entries.end());
    return all;
}

void reduce_to_patches(const Deck& deck, const ReduceOptions& options, Reduction& r, const MatrixXd& motions) {
    const WholeJoint& joint = *options.whole_joint;
    std::vector<PatchFaces> patches;
    if (!joint.cuts.empty()) patches = cut_patches(r.interface, joint.cuts);
    for (const PatchBox& box : joint.boxes)
        patches.push_back(box.surfaces.empty() ? box_patch(r.interface, box.name, box.centre, 0.5 * box.size)
                                               : surface_patch(deck, r.interface, box.name, box.surfaces));
    if (patches.empty()) throw core::BadInput("whole joint", "needs cuts or patches");

    std::vector<int> kept;
    const auto named = [](const std::vector<int>& list, int m) {
        return std::find(list.begin(), list.end(), m) != list.end();
    };
    for (int m = 0; m < 6; ++m)
        if (!named(joint.tied, m) && !named(joint.free, m)) kept.push_back(m);
    std::vector<Sparse> averages;
    for (const auto& patch : patches)
        averages.push_back(patch_average(r.interface, patch, r.model.all) * r.model.elimination.transformation);
    std::vector<Sparse> blocks = averages;
    blocks.insert(blocks.end(), averages.begin(), averages.end());
    std::vector<std::vector<int>> rows(patches.size(), kept);
    rows.resize(2 * patches.size(), joint.tied);
    const Sparse c = stacked(blocks, rows, r.model.stiffness.cols());
    const auto count = static_cast<Eigen::Index>(kept.size() * patches.size());

    r.craig_bampton =
        reduce_weak(r.model.stiffness, r.model.mass, motions, c, count, options.modes, part(options.done, 0.2, 1));
    const auto& basis = r.craig_bampton.basis;
    for (std::size_t k = 0; k < patches.size(); ++k) {
        const MatrixXd rows_here = r.craig_bampton.rows.part(MatrixXd(averages[k].transpose()));
        MatrixXd map = sparse::inner(rows_here, basis);
        for (std::size_t m = 0; m < kept.size(); ++m) {
            map.row(kept[m]).setZero();
            map(kept[m], static_cast<Eigen::Index>(k * kept.size() + m)) = 1;
            r.reduced.dofs.push_back(
                fmt::format("{}: {}", patches[k].name, patch_motions[static_cast<std::size_t>(kept[m])]));
        }
        for (int m : joint.tied) map.row(m).setZero();
        r.reduced.patches.push_back({patches[k].name, patches[k].area, patches[k].centroid, r.interface.axes, map});
    }
}

/// x = T x': the first side's interface nodes become relative motions along the axes.
Sparse relative_coordinates(const Deck& deck, const Reduction& r, std::vector<Eigen::Index>& boundary) {
    const auto& model = r.model;
    const Sparse relative = relative_motion(deck, r.interface, model.all) * model.elimination.transformation;
    std::vector<Eigen::Index> free_of(static_cast<std::size_t>(model.all.size()), -1);
    for (std::size_t i = 0; i < model.elimination.free.size(); ++i)
        free_of[static_cast<std::size_t>(model.elimination.free[i])] = static_cast<Eigen::Index>(i);
    const Eigen::Index n = model.stiffness.rows();
    std::vector<Eigen::Triplet<double>> entries;
    std::vector<bool> replaced(static_cast<std::size_t>(n), false);
    for (Index node : r.interface.first.nodes)
        for (int d = 1; d <= 3; ++d) {
            const Eigen::Index i = free_of[static_cast<std::size_t>(model.all.find(node, d))];
            if (i < 0)
                throw core::BadInput(
                    fmt::format("node {}", node_name(deck, node)),
                    fmt::format("of surface '{}' is bound by a constraint or support of the deck; a full "
                                "joint needs it free",
                                r.interface.first.surface));
            replaced[static_cast<std::size_t>(i)] = true;
            boundary.push_back(i);
        }
    // u_rel = A (x_1 - P x_2)  =>  x_1 = A^T u_rel + P x_2, with the rows of `relative` being [A, -A P].
    const Eigen::SparseMatrix<double, Eigen::RowMajor> rows = relative;
    for (std::size_t k = 0; k < r.interface.first.nodes.size(); ++k)
        for (int d = 0; d < 3; ++d) {
            const auto to = static_cast<int>(boundary[3 * k + static_cast<std::size_t>(d)]);
            for (int a = 0; a < 3; ++a) {
                const double axis = r.interface.axes(a, d);
                entries.emplace_back(to, static_cast<int>(boundary[3 * k + static_cast<std::size_t>(a)]), axis);
                for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(
                         rows, static_cast<Eigen::Index>(3 * k) + a);
                     it; ++it)
                    if (!replaced[static_cast<std::size_t>(it.col())])
                        entries.emplace_back(to, static_cast<int>(it.col()), -axis * it.value());
            }
        }
    for (Eigen::Index i = 0; i < n; ++i)
        if (!replaced[static_cast<std::size_t>(i)]) entries.emplace_back(static_cast<int>(i), static_cast<int>(i), 1.0);
    Sparse t(n, n);
    t.setFromTriplets(entries.begin(), entries.end());
    return t;
}

/// Kronecker product with the identity of three: nodes to their three relative motions.
MatrixXd thrice(const MatrixXd& a) {
    MatrixXd all = MatrixXd::Zero(3 * a.rows(), 3 * a.cols());
    for (Eigen::Index i = 0; i < a.rows(); ++i)
        for (Eigen::Index j = 0; j < a.cols(); ++j)
            for (int d = 0; d < 3; ++d) all(3 * i + d, 3 * j + d) = a(i, j);
    return all;
}

void add_quadrature(const InterfaceMesh& mesh, const InterfacePoints& points, Reduction& r) {
    auto& q = r.reduced.quadrature;
    q.weight = points.weight;
    q.points = points.points;
    q.element = points.element;
    q.nodes = MatrixXd::Identity(3 * mesh.points.rows(), r.craig_bampton.mass.cols());
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index i = 0; i < points.weight.size(); ++i) {
        const Matrix3d local = points.axes[static_cast<std::size_t>(i)] * r.interface.axes.transpose();
        for (Eigen::Index j = 0; j < points.shape.cols(); ++j)
            if (points.shape(i, j) != 0.0)
                for (int a = 0; a < 3; ++a)
                    for (int b = 0; b < 3; ++b)
                        if (local(a, b) != 0.0)
                            entries.emplace_back(static_cast<int>(3 * i) + a, static_cast<int>(3 * j) + b,
                                                 points.shape(i, j) * local(a, b));
    }
    q.interpolation.resize(3 * points.weight.size(), q.nodes.rows());
    q.interpolation.setFromTriplets(entries.begin(), entries.end());
    q.map = q.interpolation * q.nodes;
}

/// Where a finer mesh pays: normal pressure under the loads plus displacement in the first mode, each over its largest
/// ([S0] 3.2), and a floor so that no part is left without elements.
Eigen::VectorXd objective(const StrongBoundary& held, const Deck& deck, const ReduceOptions& options,
                          const Reduction& r, const Sparse& t) {
    const InterfaceMesh& fine = r.interface_mesh;
    const Eigen::Index n = fine.points.rows();
    const InterfacePoints points = quadrature_points(fine, r.interface.axes);
    const MatrixXd gram = points.shape.transpose() * points.weight.asDiagonal() * points.shape;
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(n);
    const auto add = [&](const Eigen::VectorXd& values) {
        if (const double largest = values.maxCoeff(); largest > 0) sum += values / largest;
    };
    Eigen::VectorXd load = Eigen::VectorXd::Zero(r.model.stiffness.rows());
    for (const LoadCase& one : options.loads) load += free_load(deck, r.model, one);
    const Eigen::VectorXd force = held.reaction(t.transpose() * load);
    const Eigen::VectorXd normal = Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<3>>(force.data() + 2, n);
    const Eigen::VectorXd pressure = gram.ldlt().solve(normal);
    add(pressure.cwiseAbs());
    if (const Eigen::VectorXd mode = held.first_mode(); mode.size() > 0) {
        const Eigen::VectorXd u = r.model.elimination.transformation * (t * mode);
        Eigen::VectorXd size(n);
        for (Eigen::Index i = 0; i < n; ++i) {
            Eigen::Vector3d at;
            for (int d = 0; d < 3; ++d)
                at[d] = u(r.model.all.find(r.interface.first.nodes[static_cast<std::size_t>(i)], d + 1));
            size(i) = at.norm();
        }
        add(size);
    }
    return sum.array() + 0.05;
}

void reduce_to_elements(const Deck& deck, const ReduceOptions& options, Reduction& r, const MatrixXd& motions) {
    std::vector<Eigen::Index> boundary;
    const Sparse t = relative_coordinates(deck, r, boundary);
    const Sparse k = t.transpose() * Sparse(r.model.stiffness * t), m = t.transpose() * Sparse(r.model.mass * t);
    // A rigid motion has no relative part: its other rows stay as they are.
    MatrixXd rigid = motions;
    for (Eigen::Index b : boundary) rigid.row(b).setZero();
    const StrongBoundary held(k, m, rigid, boundary, options.modes);
    options.done(0.4);

    const InterfaceMesh fine = r.interface_mesh;
    MatrixXd w = MatrixXd::Identity(3 * fine.points.rows(), 3 * fine.points.rows());
    if (options.full_joint->mesh != FullJoint::MeshKind::deck) {
        const bool graded = options.full_joint->mesh == FullJoint::MeshKind::graded;
        r.interface_mesh = coarse_mesh(fine, r.interface.axes, options.full_joint->elements,
                                       graded ? objective(held, deck, options, r, t) : Eigen::VectorXd());
        const MatrixXd onto = projection(fine, r.interface_mesh);
        if (Eigen::ColPivHouseholderQR<MatrixXd>(onto).rank() < onto.cols())
            throw core::BadInput(
                "full_joint",
                fmt::format(
                    "elements = {}: in places finer than the deck, whose faces there have {} nodes for {} of the "
                    "new mesh, so that some would not move anything; take fewer, or mesh = \"deck\"",
                    options.full_joint->elements, onto.rows(), onto.cols()));
        w = thrice(onto);
    }
    r.craig_bampton = held.reduce(w, part(options.done, 0.45, 1));
    const auto rows = r.craig_bampton.rows;
    for (Eigen::Index j = 0; j < r.craig_bampton.basis.cols(); ++j)
        r.craig_bampton.basis.col(j) = rows.part(t * rows.whole(r.craig_bampton.basis.col(j)));
    for (Eigen::Index i = 0; i < w.cols() / 3; ++i)
        for (int d = 0; d < 3; ++d)
            r.reduced.dofs.push_back(
                fmt::format("interface node {}: {}", i + 1, patch_motions[static_cast<std::size_t>(d)]));
    const bool own = options.full_joint->mesh == FullJoint::MeshKind::deck;
    add_quadrature(
        r.interface_mesh,
        own ? quadrature_points(fine, r.interface.axes) : quadrature_points(r.interface_mesh, fine, r.interface.axes),
        r);
}

double worst_rigid_frequency(const LinearModel& model, const MatrixXd& motions) {
    double worst = 0;
    if (!model.checks.rigid_motions_free) return worst;
    for (Eigen::Index j = 0; j < motions.cols(); ++j) {
        const Eigen::VectorXd r = motions.col(j);
        worst = std::max(worst, std::sqrt(std::max(0.0, r.dot(model.stiffness * r) / r.dot(model.mass * r))));
    }
    return worst / (2 * std::numbers::pi);
}

}  // namespace

Deck without_ties_across(const Deck& deck, const std::string& one, const std::string& other, std::vector<Note>& notes) {
    Deck open = deck;
    const Index first = deck.surfaces.find(one), second = deck.surfaces.find(other);
    std::erase_if(open.ties, [&](const Tie& tie) {
        const bool across =
            (tie.slave == first && tie.master == second) || (tie.slave == second && tie.master == first);
        if (across)
            notes.push_back(
                {Severity::note, tie.at, fmt::format("tie '{}' joins the interface: the joint replaces it", tie.name)});
        return across;
    });
    return open;
}

Deck without_ties_across_pairs(const Deck& deck, const ReduceOptions& options, std::vector<Note>& notes) {
    Deck open = deck;
    if (open.ties.empty()) return open;
    for (const auto& pair : options.pairs_of_deck ? pairs_in(deck) : options.pairs)
        open = without_ties_across(open, pair.first, pair.second, notes);
    return open;
}

Reduction reduce(const Deck& given, const ReduceOptions& options) {
    const bool pairs = options.pairs_of_deck || !options.pairs.empty();
    if (int(options.whole_joint.has_value()) + int(options.full_joint.has_value()) + int(pairs) != 1)
        throw core::BadInput("reduction", "one of a whole joint, a full joint and contact pairs is needed");
    Reduction r;
    Deck deck = given;
    if (pairs) {
        deck = without_ties_across_pairs(given, options, r.notes);
    } else {
        deck = without_ties_across(given, options.interface.first, options.interface.second, r.notes);
        r.interface = interface_of(deck, options.interface);
        if (options.snap) {
            deck = snapped(deck, r.interface);
            r.interface = interface_of(deck, options.interface);
        }
    }
    r.model = model_of(deck, options.model);
    r.full_dof = r.model.stiffness.rows();
    options.done(0.2);
    r.mass = r.model.checks.mass;
    require_mass(deck, r.model);
    r.notes.insert(r.notes.end(), r.model.notes.begin(), r.model.notes.end());
    if (!pairs) r.interface_mesh = deck_mesh(deck, r.interface);
    const MatrixXd motions = rigid_motions(deck, r.model);
    r.rigid_frequency = worst_rigid_frequency(r.model, motions);
    if (!(r.rigid_frequency < 0.01))
        throw core::BadInput(deck.files[0],
                             fmt::format("a rigid motion has {:.3g} Hz where 0.01 is allowed: a constraint "
                                         "of the deck resists it",
                                         r.rigid_frequency));

    if (pairs)
        reduce_to_pairs(deck, options, r, motions);
    else if (options.whole_joint)
        reduce_to_patches(deck, options, r, motions);
    else
        reduce_to_elements(deck, options, r, motions);
    r.reduced.mass = r.craig_bampton.mass;
    r.reduced.stiffness = r.craig_bampton.stiffness;
    const Eigen::Index own = r.craig_bampton.fixed_residual.size();  // of those after them, static shapes of loads
    for (Eigen::Index m = 0; m < r.craig_bampton.fixed_omega.size(); ++m)
        r.reduced.dofs.push_back(fmt::format("{} {}: {:.6g} rad/s", m < own ? "fixed-interface mode" : "static shape",
                                             m < own ? m + 1 : m - own + 1, r.craig_bampton.fixed_omega(m)));
    add_loads(deck, options, r);
    add_outputs(deck, options, r);
    const Eigen::Index modes = std::min<Eigen::Index>(5, own);
    const MatrixXd shapes =
        r.craig_bampton.rows.whole(r.craig_bampton.basis.middleCols(r.craig_bampton.boundary, modes));
    // The relative motion at the joint stays as it is while the rest settles.
    std::vector<Index> held = r.interface.first.nodes;
    held.insert(held.end(), r.interface.second.nodes.begin(), r.interface.second.nodes.end());
    for (const auto& pair : r.pairs) {
        held.insert(held.end(), pair.nodes.begin(), pair.nodes.end());
        for (const auto& facing : pair.facing)
            for (const auto& [node, matrix] : facing) held.push_back(node);
    }
    std::sort(held.begin(), held.end());
    held.erase(std::unique(held.begin(), held.end()), held.end());
    r.choices = weighed_choices(deck, options.model, r.model,
                                {r.craig_bampton.fixed_omega.head(modes), shapes,
                                 r.model.checks.rigid_motions_free ? motions : MatrixXd(motions.rows(), 0), held});
    structure::check_reduced(r.reduced, "reduction");
    return r;
}

}  // namespace faying::fe
