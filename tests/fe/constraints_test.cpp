// What ties, couplings, rigid bodies, MPCs and transformed equations come to.

#include "faying/fe/constraints.hpp"

#include <map>

#include "constraint_decks.hpp"
#include "faying/core/error.hpp"

namespace {

using namespace faying;
using namespace faying::fe;
using namespace faying::tests;

double worst_rigid_residual(const Deck& deck, const std::vector<LinearEquation>& equations) {
    double worst = 0;
    for (const auto& equation : equations) worst = std::max(worst, rigid_residual(deck, equation));
    return worst;
}

TEST(Constraints, HoldForRigidMotions) {
    // Non-matching tie with a gap, all kinds of couplings, a coupling on a coupling, a rigid body, MPCs; far from the
    // origin of coordinates is covered by the gap block's own offset.
    const Deck deck = parse_deck(
        two_blocks(3, 4, 0.01) + tie(", POSITION TOLERANCE=0.02") +
        "*NODE\n5000,0.3,0.4,2.5\n5001,-1,0.2,0.1\n5002,0.5,0.5,3\n5003,2,2,2\n5004,2.5,2.1,1.7\n5005,2.5,3,1.7\n"
        "*NSET,NSET=REFS\n5000,5003\n"
        "*COUPLING,REF NODE=5000,SURFACE=B_HIGH,CONSTRAINT NAME=K\n*KINEMATIC\n"
        "*COUPLING,REF NODE=5001,SURFACE=A_LOW,CONSTRAINT NAME=D\n*DISTRIBUTING,WEIGHTING METHOD=CUBIC\n"
        "*SURFACE,TYPE=NODE,NAME=REF_SURFACE\nREFS\n"
        "*COUPLING,REF NODE=5002,SURFACE=REF_SURFACE,CONSTRAINT NAME=KK\n*KINEMATIC\n1,6\n"
        "*RIGID BODY,REF NODE=5003,TIE NSET=MORE\n*NSET,NSET=MORE\n5004\n"
        "*MPC\nBEAM,5005,5004\nLINK,5001,5005\n");
    const ConstraintEquations c = constraint_equations(deck);
    EXPECT_TRUE(c.untied.empty());
    EXPECT_NEAR(c.largest_gap, 0.01, 1e-12);
    // tie 25 x 3, kinematic 25 x 3, distributing 6, on top 2 x 6, body 3 + 3 (5004 is an MPC master), beam 3, link 1
    EXPECT_EQ(c.equations.size(), 75u + 75 + 6 + 12 + 6 + 3 + 1);
    EXPECT_LT(worst_rigid_residual(deck, c.equations), 1e-12);
}

TEST(Constraints, TieInterpolatesLinearFieldsOnPlanes) {
    const Deck deck = parse_deck(two_blocks(2, 3) + tie());
    const ConstraintEquations c = constraint_equations(deck);
    Eigen::Matrix3d slope;
    slope << 0.3, -1.2, 0.5, 0.7, 0.1, -0.4, -0.9, 0.8, 0.6;
    EXPECT_EQ(c.equations.size(), 48u);
    for (const auto& equation : c.equations) {
        double sum = 0;
        for (const auto& t : equation.terms)
            sum += t.coefficient * (slope * deck.nodes[static_cast<std::size_t>(t.node)].point)[t.dof - 1];
        EXPECT_LT(std::abs(sum), 1e-12);
        EXPECT_EQ(equation.terms[0].coefficient, 1.0);
    }
}

TEST(Constraints, SlavesWithoutMasterAreListed) {
    // The upper block is twice as wide: half of its 5 x 3 slaves hang over.
    const Deck deck = parse_deck(steel_text + block_text({"A", 2, 2, 1, {1, 1, 1}, {0, 0, 0}, 1}) +
                                 block_text({"B", 4, 2, 1, {2, 1, 1}, {0, 0, 1}, 1001}) + tie());
    const ConstraintEquations c = constraint_equations(deck);
    ASSERT_EQ(c.untied.size(), 6u);
    EXPECT_EQ(c.equations.size(), 27u);
    EXPECT_EQ(deck.nodes[static_cast<std::size_t>(c.untied[0].node)].label, 1004);
    EXPECT_NEAR(c.untied[0].distance, 0.5, 1e-12);
    EXPECT_NEAR(c.untied[1].distance, 1.0, 1e-12);
    EXPECT_NEAR(c.untied[0].tolerance, 0.05 * std::sqrt(0.5), 1e-12);
}

/// The weights of a coupling's nodes, by label: shares of a force on the reference, which is at their middle.
std::map<int, double> weights_of(const std::string& distributing, const ConstraintOptions& options = {}) {
    const Deck deck = parse_deck(two_blocks(2, 2) +
                                 "*NODE\n5000,0.5,0.5,2\n"
                                 "*COUPLING,REF NODE=5000,SURFACE=B_HIGH,CONSTRAINT NAME=D\n" +
                                 distributing);
    const ConstraintEquations c = constraint_equations(deck, options);
    std::map<int, double> weights;
    for (const auto& t : c.equations[0].terms)
        if (t.node != find_node(deck, 5000) && t.dof == 1)
            weights[deck.nodes[static_cast<std::size_t>(t.node)].label] = -t.coefficient;
    return weights;
}

TEST(Constraints, UniformWeightsAreTheSameAtEveryNode) {
    for (const char* said : {"*DISTRIBUTING\n", "*DISTRIBUTING,WEIGHTING METHOD=UNIFORM,COUPLING=STRUCTURAL\n"}) {
        const auto uniform = weights_of(said);
        ASSERT_EQ(uniform.size(), 9u);
        for (const auto& [label, weight] : uniform) EXPECT_NEAR(weight, 1.0 / 9, 1e-14) << label;
    }
    // By area: corners of a 2 x 2 grid have a quarter of the middle's share.
    const auto area = weights_of("*DISTRIBUTING\n", {.weighting = Coupling::Weighting::area});
    double low = 1, high = 0;
    for (const auto& [label, weight] : area) {
        low = std::min(low, weight);
        high = std::max(high, weight);
    }
    EXPECT_NEAR(low, 1.0 / 16, 1e-14);
    EXPECT_NEAR(high, 4.0 / 16, 1e-14);
    EXPECT_EQ(weighting_named("area", "here"), Coupling::Weighting::area);
    EXPECT_EQ(weighting_named("deck", "here"), std::nullopt);
    EXPECT_THROW(weighting_named("AREA", "here"), core::BadInput);
}

TEST(Constraints, DistributingBalancesForceAndMoment) {
    // Force on the reference: its shares at the nodes are the weights, and they balance force and moment.
    const Deck deck = parse_deck(two_blocks(2, 2) +
                                 "*NODE\n5000,0.2,0.9,2\n"
                                 "*COUPLING,REF NODE=5000,SURFACE=B_HIGH,CONSTRAINT NAME=D\n*DISTRIBUTING\n");
    const ConstraintEquations c = constraint_equations(deck);
    ASSERT_EQ(c.equations.size(), 6u);
    Eigen::Vector3d force = Eigen::Vector3d::Zero(), moment = Eigen::Vector3d::Zero();
    for (const auto& t : c.equations[0].terms) {
        if (t.node == find_node(deck, 5000)) continue;
        const Eigen::Vector3d f = -t.coefficient * Eigen::Vector3d::Unit(t.dof - 1);
        force += f;
        moment += (deck.nodes[static_cast<std::size_t>(t.node)].point - Eigen::Vector3d(0.2, 0.9, 2)).cross(f);
    }
    EXPECT_LT((force - Eigen::Vector3d::UnitX()).norm(), 1e-14);
    EXPECT_LT(moment.norm(), 1e-14);
}

TEST(Constraints, TransformedAxesAreTurned) {
    const Deck deck = parse_deck(cube +
                                 "*TRANSFORM,NSET=TOP\n0.6,0.8,0,-0.8,0.6,0\n*EQUATION\n2\n5,1,1.,1,3,-2.\n"
                                 "*BOUNDARY\n6,2,2\n1,2\n");
    const ConstraintEquations c = constraint_equations(deck);
    ASSERT_EQ(c.equations.size(), 1u);
    ASSERT_EQ(c.equations[0].terms.size(), 3u);
    EXPECT_EQ(c.equations[0].terms[0].dof, 2);  // the larger one
    EXPECT_NEAR(c.equations[0].terms[0].coefficient, 0.8, 1e-15);
    EXPECT_NEAR(c.equations[0].terms[1].coefficient, 0.6, 1e-15);
    ASSERT_EQ(c.supports.size(), 2u);
    EXPECT_NEAR(c.supports[0].terms[0].coefficient, -0.8, 1e-15);
    EXPECT_EQ(c.supports[1].terms.size(), 1u);
    const Deck round = parse_deck(cube + "*TRANSFORM,NSET=TOP,TYPE=C\n0,0,0,0,0,1\n*BOUNDARY\n7,1\n");
    const auto radial = constraint_equations(round).supports.at(0);
    ASSERT_EQ(radial.terms.size(), 2u);
    for (const auto& t : radial.terms) EXPECT_NEAR(t.coefficient, std::sqrt(0.5), 1e-15);
}

TEST(Constraints, WhatALinearModelCannotHoldIsRefusedByLine) {
    const auto why = [](const std::string& text) {
        try {
            constraint_equations(parse_deck(text));
        } catch (const core::BadInput& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(why(cube + "*BOUNDARY\n1,1,1,0.25\n"),
              "deck:23: prescribed displacement 0.25: a linear modal model holds zero only");
    EXPECT_NE(why(two_blocks(2, 2, 0.3) + tie()).find("no node of slave surface 'B_LOW' is within 0.035"),
              std::string::npos);
    EXPECT_NE(why(cube + "*SURFACE,NAME=N,TYPE=NODE\n1\n*COUPLING,REF NODE=1,SURFACE=N,CONSTRAINT NAME=C\n*KINEMATIC\n")
                  .find("has no nodes in reach"),
              std::string::npos);
}

/// A table of one direction a node, and equations by node.
struct Line {
    DofTable dofs;
    std::vector<LinearEquation> equations;
    explicit Line(Index nodes) {
        for (Index n = 0; n < nodes; ++n) dofs.add(n, 1);
    }
    void add(std::initializer_list<std::pair<Index, double>> terms) {
        LinearEquation e;
        for (const auto& [node, coefficient] : terms) e.terms.push_back({node, 1, coefficient});
        equations.push_back(e);
    }
};

TEST(Elimination, ChainsRingsAndContradictions) {
    Line chain(4);  // in the wrong order on purpose
    chain.add({{0, 1}, {1, -2}});
    chain.add({{1, 1}, {2, -3}});
    chain.add({{2, 1}, {3, -1}});
    auto e = eliminate(chain.dofs, chain.equations);
    ASSERT_EQ(e.free, std::vector<Index>{3});
    EXPECT_EQ(Eigen::MatrixXd(e.transformation), (Eigen::MatrixXd(4, 1) << 6, 3, 1, 1).finished());
    EXPECT_TRUE(e.moved.empty());

    chain.add({{3, 1}, {0, -1.0 / 6}});  // closes the ring, and agrees
    e = eliminate(chain.dofs, chain.equations);
    EXPECT_EQ(e.redundant, std::vector<std::size_t>{3});
    EXPECT_EQ(e.free.size(), 1u);

    Line against(3);
    against.add({{0, 1}, {1, -1}});
    against.add({{0, 1}, {1, 1}, {2, 1e-3}});  // the first is gone: the largest that is left goes
    e = eliminate(against.dofs, against.equations);
    ASSERT_EQ(e.moved.size(), 1u);
    EXPECT_EQ(e.moved[0].eliminated, 1);
    EXPECT_EQ(e.free, std::vector<Index>{2});
    EXPECT_NEAR(e.transformation.coeff(0, 0), -0.5e-3, 1e-18);
    against.add({{2, 5}});  // nothing is left
    e = eliminate(against.dofs, against.equations);
    EXPECT_TRUE(e.free.empty());
    EXPECT_EQ(e.transformation.nonZeros(), 0);
}

}  // namespace
