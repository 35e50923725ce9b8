// Reduced models against the full ones they came from.

#include "faying/fe/reduction.hpp"

#include <gtest/gtest.h>

#include "constraint_decks.hpp"

namespace faying::fe {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

/// Dense frequencies (rad/s) of K, M without the rigid ones.
VectorXd elastic_omega(const MatrixXd& k, const MatrixXd& m, Eigen::Index rigid, Eigen::Index count) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen(k, m, Eigen::EigenvaluesOnly);
    return eigen.eigenvalues().segment(rigid, count).cwiseSqrt();
}

ReduceOptions options(const std::vector<double>& cuts, Eigen::Index modes) {
    ReduceOptions o;
    o.interface = {.first = "B_LOW", .second = "A_HIGH", .tangent = {1, 0, 0}, .tolerance = 0.1};
    o.whole_joint = WholeJoint{cuts, {}, {}, {}};
    o.modes = modes;
    return o;
}

/// The six springs of each patch, in reduced coordinates.
MatrixXd with_springs(const structure::Reduced& r, double k) {
    MatrixXd stiffness = r.stiffness;
    for (const auto& p : r.patches) stiffness += k * p.map.transpose() * p.map;
    return stiffness;
}

/// The same springs on the full model.
MatrixXd with_springs(const Reduction& r, const std::vector<double>& cuts, double k) {
    MatrixXd stiffness = r.model.stiffness;
    for (const auto& patch : cut_patches(r.interface, cuts)) {
        const MatrixXd rows = patch_average(r.interface, patch, r.model.all) * r.model.elimination.transformation;
        stiffness += k * rows.transpose() * rows;
    }
    return stiffness;
}

TEST(Reduction, WholeJointCountsItsCoordinates) {
    const Reduction r = reduce(parse_deck(tests::two_blocks(4, 4)), options({0, 0.5, 1}, 13));
    EXPECT_EQ(r.reduced.mass.rows(), 2 * 6 + 13);
    EXPECT_EQ(r.craig_bampton.rigid, 6);
    EXPECT_EQ(r.craig_bampton.loose, 6);
    EXPECT_LT(r.rigid_frequency, 0.01);
    EXPECT_EQ(r.reduced.dofs.size(), 25u);
    EXPECT_NEAR(r.mass, 2 * 0.6 * 7850, 1e-9);
}

TEST(Reduction, TheBasisIsFreeOfRigidMotions) {
    const Deck deck = parse_deck(tests::two_blocks(4, 4));
    const Reduction r = reduce(deck, options({0, 0.5, 1}, 13));
    const MatrixXd rigid = rigid_motions(deck, r.model);
    const MatrixXd coupling = rigid.transpose() * (r.model.mass * r.craig_bampton.basis);
    const double size = std::sqrt((rigid.transpose() * (r.model.mass * rigid)).diagonal().maxCoeff() *
                                  r.reduced.mass.diagonal().maxCoeff());
    EXPECT_LT(coupling.cwiseAbs().maxCoeff() / size, 1e-10);
    // Mass and stiffness are those of the basis.
    EXPECT_LT((r.reduced.mass - r.craig_bampton.basis.transpose() * (r.model.mass * r.craig_bampton.basis)).norm(),
              1e-10 * r.reduced.mass.norm());
    EXPECT_LT(
        (r.reduced.stiffness - r.craig_bampton.basis.transpose() * (r.model.stiffness * r.craig_bampton.basis)).norm(),
        1e-9 * r.reduced.stiffness.norm());
}

TEST(Reduction, WithEveryModeItIsTheFullModel) {
    const std::vector<double> cuts{0, 1};
    const Deck deck = parse_deck(tests::two_blocks(2, 2));
    const Eigen::Index n = model_of(deck).stiffness.rows();
    const Reduction r = reduce(deck, options(cuts, n - 6 - 6));
    const VectorXd full = elastic_omega(with_springs(r, cuts, 3e9), r.model.mass, 6, 12);
    const VectorXd reduced = elastic_omega(with_springs(r.reduced, 3e9), r.reduced.mass, 0, 12);
    for (Eigen::Index i = 0; i < 12; ++i) EXPECT_NEAR(reduced(i) / full(i), 1, 1e-8) << i;
}

TEST(Reduction, FortyModesGiveSevenFrequenciesWithinATenthOfAPercent) {
    const std::vector<double> cuts{0, 0.5, 1};
    const Reduction r = reduce(parse_deck(tests::two_blocks(4, 6)), options(cuts, 40));
    const VectorXd full = elastic_omega(with_springs(r, cuts, 3e9), r.model.mass, 6, 7);
    const VectorXd reduced = elastic_omega(with_springs(r.reduced, 3e9), r.reduced.mass, 0, 7);
    for (Eigen::Index i = 0; i < 7; ++i) {
        EXPECT_NEAR(reduced(i) / full(i), 1, 1e-3) << i;
        EXPECT_GE(reduced(i) / full(i), 1 - 1e-9) << "a Ritz value is not below";
    }
}

/// Patches that no law acts on change nothing: averages do not stiffen.
TEST(Reduction, UnloadedPatchesChangeNoFrequency) {
    const Deck deck = parse_deck(tests::two_blocks(4, 4));
    const Eigen::Index n = model_of(deck).stiffness.rows();
    const Reduction one = reduce(deck, options({0, 0.5}, n - 6 - 6));
    const Reduction two = reduce(deck, options({0, 0.5, 1}, n - 12 - 6));
    MatrixXd k1 = one.reduced.stiffness, k2 = two.reduced.stiffness;
    k1 += 3e9 * one.reduced.patches[0].map.transpose() * one.reduced.patches[0].map;
    k2 += 3e9 * two.reduced.patches[0].map.transpose() * two.reduced.patches[0].map;
    const VectorXd a = elastic_omega(k1, one.reduced.mass, 0, 12), b = elastic_omega(k2, two.reduced.mass, 0, 12);
    for (Eigen::Index i = 0; i < 12; ++i) EXPECT_NEAR(a(i) / b(i), 1, 1e-8) << i;
}

TEST(Reduction, FullJointHeldIsTheTiedModel) {
    for (const auto& [lower, upper] : {std::pair{3, 3}, {3, 5}}) {
        Deck deck = parse_deck(tests::two_blocks(lower, upper) + tests::tie());
        ReduceOptions o = options({}, 10);
        o.whole_joint.reset();
        o.full_joint = FullJoint{};
        const Reduction r = reduce(deck, o);
        ASSERT_FALSE(r.notes.empty());
        EXPECT_NE(r.notes[0].text.find("joint replaces it"), std::string::npos);
        const LinearModel tied = model_of(deck);
        const VectorXd full = elastic_omega(tied.stiffness, tied.mass, 6, 10);
        for (Eigen::Index i = 0; i < 10; ++i)
            // Meshes that match: the same constraint. Others: a tie is node to surface, the joint L2.
            EXPECT_NEAR(r.craig_bampton.fixed_omega(i) / full(i), 1, lower == upper ? 1e-9 : 1e-2) << i;
    }
}

TEST(Reduction, StaticAnswersAtTheJointAreExact) {
    Deck deck = parse_deck(tests::two_blocks(4, 4));
    const std::vector<double> cuts{0, 0.5, 1};
    ReduceOptions o = options(cuts, 3);
    o.loads = {{"pull", {{"B_HIGH_N", {100, -30, 50}}, {"A_LOW_N", {-100, 30, -50}}}, ""}};
    o.outputs = {{"top", "B_HIGH_N", {}, {0, 0, 1}}};
    const Reduction r = reduce(deck, o);
    // Full model: balanced load, springs at the patches, rigid motions pinned by a shift far below the elastic.
    const MatrixXd k = with_springs(r, cuts, 3e9);
    VectorXd f = VectorXd::Zero(k.rows());
    for (std::size_t i = 0; i < r.model.dofs.size(); ++i) {
        const auto& dof = r.model.dofs[i];
        const double z = deck.nodes[static_cast<std::size_t>(dof.node)].point[2];
        const Eigen::Vector3d force(100, -30, 50);
        if (z > 1.19) f(static_cast<Eigen::Index>(i)) = force[dof.dof - 1] / 25;
        if (z < 0.01) f(static_cast<Eigen::Index>(i)) = -force[dof.dof - 1] / 25;
    }
    const MatrixXd rigid = rigid_motions(deck, r.model);
    const MatrixXd mr = r.model.mass * rigid;
    f -= mr * (rigid.transpose() * mr).ldlt().solve(rigid.transpose() * f);
    MatrixXd bordered = MatrixXd::Zero(k.rows() + 6, k.rows() + 6);
    bordered.topLeftCorner(k.rows(), k.rows()) = k;
    const double scale = k.diagonal().mean() / mr.cwiseAbs().maxCoeff();
    bordered.topRightCorner(k.rows(), 6) = scale * mr;
    bordered.bottomLeftCorner(6, k.rows()) = scale * mr.transpose();
    VectorXd right = VectorXd::Zero(k.rows() + 6);
    right.head(k.rows()) = f;
    const VectorXd x = bordered.partialPivLu().solve(right).head(k.rows());
    const VectorXd reduced = with_springs(r.reduced, 3e9).ldlt().solve(r.reduced.loads[0].second);
    const auto patches = cut_patches(r.interface, cuts);
    for (std::size_t p = 0; p < 2; ++p) {
        const VectorXd full =
            (patch_average(r.interface, patches[p], r.model.all) * r.model.elimination.transformation) * x;
        const VectorXd ours = r.reduced.patches[p].map * reduced;
        EXPECT_LT((full - ours).norm(), 1e-8 * full.norm());
    }
}

TEST(Reduction, TiedMotionsHaveNoCoordinateAndFreeOnesNoConstraint) {
    ReduceOptions o = options({0, 0.5, 1}, 5);
    o.whole_joint->tied = {2, 3, 4};
    o.whole_joint->free = {5};
    const Reduction r = reduce(parse_deck(tests::two_blocks(4, 4)), o);
    EXPECT_EQ(r.reduced.mass.rows(), 2 * 2 + 5);
    for (const auto& p : r.reduced.patches) {
        EXPECT_EQ(p.map.row(2).norm(), 0);
        EXPECT_GT(p.map.row(5).norm(), 0);
    }
}

/// Interface nodes 84 micrometres apart: rigid motions stay free with and without snapping, and snapping closes the
/// gap.
TEST(Reduction, MisplacedPartnersResistNoRigidMotion) {
    for (const bool snap : {false, true}) {
        ReduceOptions o = options({0, 0.5, 1}, 6);
        o.snap = snap;
        const Reduction r = reduce(parse_deck(tests::two_blocks(4, 4, 84e-6)), o);
        EXPECT_EQ(r.craig_bampton.rigid, 6);
        EXPECT_LT(r.rigid_frequency, 0.01);
        EXPECT_NEAR(r.interface.largest_gap, snap ? 0 : 84e-6, 1e-12);
        ReduceOptions full = o;
        full.whole_joint.reset();
        full.full_joint = FullJoint{};
        EXPECT_EQ(reduce(parse_deck(tests::two_blocks(4, 4, 84e-6)), full).craig_bampton.rigid, 6);
    }
    ReduceOptions o = options({0, 0.5, 1}, 6);
    o.snap = true;
    EXPECT_THROW(reduce(parse_deck(tests::two_blocks(4, 6)), o), core::BadInput);
}

/// What another program would have written for the deck: K and M of its elements, before constraints.
GivenMatrices element_matrices_of(const Deck& deck, bool labelled) {
    const DeckMesh mesh = mesh_of(deck);
    const Assembly all = assemble(mesh.mesh);
    Eigen::PermutationMatrix<Eigen::Dynamic> order(all.stiffness.rows());  // to the deck's order of nodes
    for (std::size_t row = 0; row < mesh.nodes.size(); ++row)
        for (int dof = 0; dof < 3; ++dof) order.indices()(int(3 * row) + dof) = int(3 * mesh.nodes[row]) + dof;
    GivenMatrices given{{order * all.stiffness * order.transpose(), {}}, {order * all.mass * order.transpose(), {}}};
    if (!labelled) return given;
    for (const auto& node : deck.nodes)
        for (int dof = 1; dof <= 3; ++dof) given.stiffness.labels.push_back({node.label, dof});
    given.mass.labels = given.stiffness.labels;
    return given;
}

TEST(Reduction, MatricesFromElsewhereInPlaceOfElements) {
    const Deck deck = parse_deck(tests::two_blocks(4, 4));
    ReduceOptions o = options({0, 0.5, 1}, 8);
    const Reduction own = reduce(deck, o);
    for (const bool labelled : {true, false}) {
        o.model.matrices = element_matrices_of(deck, labelled);
        const Reduction r = reduce(deck, o);
        EXPECT_NEAR(r.mass / own.mass, 1, 1e-12);
        EXPECT_LT((r.reduced.mass - own.reduced.mass).norm(), 1e-10 * own.reduced.mass.norm());
        EXPECT_LT((r.reduced.stiffness - own.reduced.stiffness).norm(), 1e-10 * own.reduced.stiffness.norm());
    }
    o.model.matrices->stiffness.matrix.coeffRef(0, 1) *= 1.1;
    EXPECT_THROW(reduce(deck, o), core::BadInput);  // not symmetric
    o.model.matrices = element_matrices_of(deck, false);
    o.model.matrices->mass.matrix.conservativeResize(6, 6);
    EXPECT_THROW(reduce(deck, o), core::BadInput);  // of another size
    o.model.matrices = element_matrices_of(deck, true);
    o.model.matrices->stiffness.labels.back().node = o.model.matrices->mass.labels.back().node = 999999;
    EXPECT_THROW(reduce(deck, o), core::BadInput);  // a node that the deck does not have
}

TEST(Reduction, RefusesWhatCannotBeReduced) {
    const auto message = [](const std::string& deck, const ReduceOptions& o) {
        try {
            reduce(parse_deck(deck), o);
        } catch (const core::BadInput& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string loose = tests::block_text({"C", 2, 2, 2, {1, 1, 1}, {5, 5, 5}, 50001});
    EXPECT_NE(message(tests::two_blocks(2, 2) + loose, options({0, 1}, 3)).find("mechanism"), std::string::npos);
    ReduceOptions o = options({0, 1}, 3);
    o.loads = {{"pull", {{"NOWHERE", {1, 0, 0}}}, ""}};
    EXPECT_NE(message(tests::two_blocks(2, 2), o).find("no node set 'NOWHERE'"), std::string::npos);
    EXPECT_NE(message(tests::two_blocks(2, 2), options({0, 0.01, 1}, 3)).find("too coarse"), std::string::npos);
    EXPECT_NE(message(tests::two_blocks(2, 2), options({0, 0.5, 1}, 3)).find("fewer patches"), std::string::npos);
}

}  // namespace
}  // namespace faying::fe
