// From deck to K and M in free degrees of freedom; CalculiX' own modes of the flattened deck as the measure.

#include "faying/fe/model.hpp"

#include <sstream>

#include "box_mesh.hpp"
#include "constraint_decks.hpp"
#include "faying/fe/calculix.hpp"
#include "faying/fe/deck_writer.hpp"

namespace {

using namespace faying;
using namespace faying::fe;
using namespace faying::tests;

const std::string couplings =
    "*NODE\n5000,0.5,0.4,1.6\n5001,1.5,0.2,0.1\n"
    "*COUPLING,REF NODE=5000,SURFACE=B_HIGH,CONSTRAINT NAME=K\n*KINEMATIC\n"
    "*SURFACE,TYPE=NODE,NAME=SIDE\nA_HIGH_N\n"
    "*COUPLING,REF NODE=5001,SURFACE=SIDE,CONSTRAINT NAME=D\n*DISTRIBUTING\n";
const std::string masses = "*ELEMENT,TYPE=MASS,ELSET=M\n9000,5000\n9001,5001\n*MASS,ELSET=M\n300.\n";
const std::string held = "*BOUNDARY\nA_LOW_N,ENCASTRE\n";

/// The first ten frequencies of the flattened deck, by ccx, against ours.
void expect_as_ccx(const std::string& text) {
    const Deck deck = parse_deck(text);
    const LinearModel model = model_of(deck);
    const Eigen::VectorXd ours = eigenvalues(model);
    FlatOptions options;
    options.constraints = constraint_equations(deck).equations;
    options.own_equations = false;
    options.step = FrequencyStep{.modes = 10};
    std::ostringstream flat;
    write_flat_deck(deck, flat, options);
    const io::ScratchFolder folder;
    const auto run = run_calculix(flat.str(), folder.path());
    const auto theirs = read_eigenfrequencies(run.folder, run.job);
    ASSERT_GE(theirs.size(), 10u);
    for (std::size_t k = 0; k < 10; ++k)
        EXPECT_NEAR(std::sqrt(ours[static_cast<Eigen::Index>(k)]) / theirs[k].omega, 1, 1e-6) << k;
}

TEST(Model, TiedDeckVibratesAsCcxSays) { expect_as_ccx(two_blocks(3, 2) + tie() + held); }

TEST(Model, TiedAndCoupledDeckVibratesAsCcxSays) {
    expect_as_ccx(two_blocks(2, 3, 0.01) + tie(", POSITION TOLERANCE=0.02") + couplings + masses + held);
}

TEST(Model, CouplingOnCouplingsVibratesAsCcxSays) {
    expect_as_ccx(two_blocks(2, 3) + tie() + couplings + masses +
                  "*NODE\n5002,2,2,2\n*SURFACE,TYPE=NODE,NAME=REFS\n5000\n5001\n"
                  "*COUPLING,REF NODE=5002,SURFACE=REFS,CONSTRAINT NAME=KK\n*KINEMATIC\n" +
                  held);
}

TEST(Model, TiePassesThePatchTestWhereTheSlaveRefinesTheMaster) {
    // A linear field on the outside gives the same field inside. (Meshes that are not nested do not pass it: a tie node
    // by node does not carry a constant stress exactly. The field itself is always admissible: constraints_test.)
    const Deck deck = parse_deck(two_blocks(2, 4) + tie());
    const LinearModel model = model_of(deck);
    Eigen::Matrix3d slope;
    slope << 0.3, -1.2, 0.5, 0.7, 0.1, -0.4, -0.9, 0.8, 0.6;
    const auto n = static_cast<Eigen::Index>(model.dofs.size());
    Eigen::VectorXd exact(n);
    std::vector<bool> outside;
    for (const NodalDof& dof : model.dofs) {
        const Eigen::Vector3d& x = deck.nodes[static_cast<std::size_t>(dof.node)].point;
        exact[static_cast<Eigen::Index>(outside.size())] = (slope * x)[dof.dof - 1];
        outside.push_back(x.minCoeff() < 1e-9 || x[0] > 1 - 1e-9 || x[1] > 1 - 1e-9 || x[2] > 1.2 - 1e-9);
    }
    Eigen::VectorXd given = exact;
    for (Eigen::Index i = 0; i < n; ++i)
        if (!outside[static_cast<std::size_t>(i)]) given[i] = 0;
    const Eigen::VectorXd u = solve_held(model.stiffness, {}, given, outside);
    EXPECT_LT((u - exact).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Model, RigidMotionsAndMassSurviveElimination) {
    const LinearModel model =
        model_of(parse_deck(two_blocks(2, 3, 0.01) + tie(", POSITION TOLERANCE=0.02") + couplings + masses +
                            "*NODE\n5002,2,2,2\n*SURFACE,TYPE=NODE,NAME=REFS\n5000\n5001\n"
                            "*COUPLING,REF NODE=5002,SURFACE=REFS,CONSTRAINT NAME=KK\n*KINEMATIC\n"));
    EXPECT_TRUE(model.checks.rigid_motions_free);
    EXPECT_NEAR(model.checks.mass, 2 * 0.6 * 7850 + 600, 1e-8);
    EXPECT_LT(model.checks.mass_error, 1e-10);
    EXPECT_LT(model.checks.rigid_residual, 1e-10);
    EXPECT_EQ(zero_modes(eigenvalues(model)), 6);
    EXPECT_NEAR(model.largest_gap, 0.01, 1e-12);
}

TEST(Model, DistributingCouplingStiffensNothing) {
    const std::string plain = two_blocks(2, 2) + tie() + held;
    const Eigen::VectorXd without = eigenvalues(model_of(parse_deck(plain)));
    const Eigen::VectorXd with =
        eigenvalues(model_of(parse_deck(plain + "*NODE\n5001,3,0.2,0.1\n*COUPLING,REF NODE=5001,SURFACE=B_HIGH,"
                                                "CONSTRAINT NAME=D\n*DISTRIBUTING\n")));
    ASSERT_EQ(with.size(), without.size());
    EXPECT_LT((with - without).cwiseAbs().maxCoeff() / without.maxCoeff(), 1e-12);
    EXPECT_NEAR(with[0] / without[0], 1, 1e-10);
}

TEST(Model, OverconstrainedDecksAreReportedAndStayRigidlyFree) {
    const auto count = [](const LinearModel& model, const std::string& text) {
        return std::count_if(model.notes.begin(), model.notes.end(),
                             [&](const Note& c) { return c.text.find(text) != std::string::npos; });
    };
    // Tied both ways on matching meshes: the second says nothing new.
    const LinearModel twice = model_of(parse_deck(two_blocks(2, 2) + tie() + "*TIE, NAME=BACK\nA_HIGH, B_LOW\n"));
    EXPECT_EQ(count(twice, "says again"), 27);
    EXPECT_EQ(zero_modes(eigenvalues(twice)), 6);
    // Slaves of a tie that also follow a reference node: the master follows instead.
    const LinearModel both =
        model_of(parse_deck(two_blocks(2, 3) + tie() +
                            "*NODE\n5000,0.5,0.4,1.6\n"
                            "*COUPLING,REF NODE=5000,SURFACE=B_LOW,CONSTRAINT NAME=K\n*KINEMATIC\n"));
    EXPECT_GT(count(both, "eliminated or fixed already"), 0);
    EXPECT_TRUE(both.checks.rigid_motions_free);
    EXPECT_LT(both.checks.rigid_residual, 1e-10);
    EXPECT_EQ(zero_modes(eigenvalues(both)), 6);
}

TEST(Model, PlaneDecksHaveThreeRigidMotions) {
    const Deck deck = parse_deck(
        "*NODE\n1,0,0\n2,1,0\n3,2,0\n4,0,1\n5,1,1\n6,2,1\n11,0,1\n12,2,1\n13,2,2\n14,0,2\n20,1,3\n"
        "*ELEMENT,TYPE=CPS4,ELSET=A\n1,1,2,5,4\n2,2,3,6,5\n*ELEMENT,TYPE=CPS4,ELSET=B\n3,11,12,13,14\n" +
        steel_text +
        "*SOLID SECTION,ELSET=A,MATERIAL=STEEL\n0.1\n*SOLID SECTION,ELSET=B,MATERIAL=STEEL\n0.1\n"
        "*SURFACE,NAME=LOW\n1,S3\n2,S3\n*SURFACE,NAME=UP\n3,S1\n*SURFACE,NAME=TOP\n3,S3\n*TIE,NAME=T\nLOW,UP\n"
        "*COUPLING,REF NODE=20,SURFACE=TOP,CONSTRAINT NAME=K\n*KINEMATIC\n");
    const LinearModel model = model_of(deck);
    EXPECT_EQ(zero_modes(eigenvalues(model)), 3);
    EXPECT_NEAR(model.checks.mass, 0.1 * 4 * 7850, 1e-9);
    EXPECT_LT(model.checks.mass_error, 1e-10);
}

TEST(Model, NothingIsDroppedWithoutAWord) {
    const std::string text = cube + "*ELEMENT,TYPE=S4,ELSET=SH\n2,1,2,3,4\n";
    EXPECT_THROW(model_of(parse_deck(text)), core::BadInput);
    const LinearModel model = model_of(parse_deck(text), {.leave_out = true});
    ASSERT_EQ(model.notes.size(), 1u);
    EXPECT_EQ(model.notes[0].text, "1 elements of type S4 are not assembled");
    EXPECT_EQ(zero_modes(eigenvalues(model)), 6);
    // A reference that nothing hangs on has no say, and is named.
    const LinearModel line =
        model_of(parse_deck(cube + "*NODE\n20,1,0,3\n*SURFACE,NAME=N,TYPE=NODE\n1\n5\n"
                                   "*COUPLING,REF NODE=20,SURFACE=N,CONSTRAINT NAME=D\n*DISTRIBUTING\n"));
    EXPECT_EQ(line.dofs.size(), 24u);
    ASSERT_EQ(line.without_effect.size(), 1u);
    EXPECT_EQ(line.without_effect[0].dof, 6);
}

}  // namespace
