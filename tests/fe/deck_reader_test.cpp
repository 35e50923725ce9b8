#include "deck_tests.hpp"

namespace {

using namespace faying;
using namespace faying::fe;
using namespace faying::tests;
using Labels = std::vector<Index>;

const Eigen::Vector3d& point(const Deck& deck, Index label, Index instance = none) {
    return deck.nodes[static_cast<std::size_t>(find_node(deck, label, instance))].point;
}

TEST(DeckReader, TakesAParameterByItsBeginning) {
    const Deck deck = parse_deck(tests::cube +
                                 "*NODE\n9,0.5,0.5,2\n*SURFACE,TYPE=NODE,NAME=T\nTOP\n"
                                 "*Coupling, constraint nam=C, ref nod=9, surf=T\n*Kinematic\n");
    ASSERT_EQ(deck.couplings.size(), 1u);
    EXPECT_EQ(deck.couplings[0].name, "C");
    EXPECT_EQ(deck.nodes[static_cast<std::size_t>(deck.couplings[0].reference)].label, 9);
}

TEST(DeckReader, NumbersAsPeopleWriteThem) {
    const Deck deck = parse_deck("*node\n1, 1., .5, -.25\n2,1e-3,1d-3,1.D+2\n3,+2,-0,1E5\n4 , 1e-400 , , 7\n5\n");
    EXPECT_EQ(point(deck, 1), Eigen::Vector3d(1, 0.5, -0.25));
    EXPECT_EQ(point(deck, 2), Eigen::Vector3d(1e-3, 1e-3, 100));
    EXPECT_EQ(point(deck, 3), Eigen::Vector3d(2, 0, 1e5));
    EXPECT_EQ(point(deck, 4), Eigen::Vector3d(0, 0, 7));
    EXPECT_EQ(point(deck, 5), Eigen::Vector3d(0, 0, 0));
}

TEST(DeckReader, KeywordsInAnyCaseWithBlanksContinuationsAndComments) {
    const Deck deck = parse_deck(
        "** nothing\r\n  *HEADING\r\nAny text, 1, 2\r\n*NoDe ,  nset = a Set ,\r\n** between\r\n  "
        "System=R\r\n1,0,0,0\r\n"
        "\r\n** more\r\n2,1,0,0\r\n** *STEP\r\n** *END STEP\r\n");
    EXPECT_EQ(deck.heading, "Any text, 1, 2\n");
    EXPECT_EQ(deck.nodes.size(), 2u);
    EXPECT_EQ(deck.nodes[1].at.line, 10);
    EXPECT_EQ(labels(deck, "A SET"), (Labels{1, 2}));
    EXPECT_EQ(deck.node_sets[0].name, "a Set");
    EXPECT_TRUE(deck.steps.empty());
}

TEST(DeckReader, QuotedNamesKeepBlanksAndCommas) {
    const Deck deck = parse_deck("*NODE\n1\n2\n*NSET, NSET=\"Left, upper\"\n1\n*NSET, NSET=B\n\"left, Upper\", 2\n");
    EXPECT_EQ(labels(deck, "Left, upper"), (Labels{1}));
    EXPECT_EQ(labels(deck, "b"), (Labels{1, 2}));
}

TEST(DeckReader, BlanksAtTheEndsOfAQuotedNameAreNoPartOfIt) {
    const Deck deck = parse_deck("*NODE\n1\n2\n*NSET, NSET=\" a set\v \"\n1\n*NSET, NSET=B\n\"a set\", 2\n");
    EXPECT_EQ(labels(deck, "a set"), (Labels{1}));
    EXPECT_EQ(labels(deck, "B"), (Labels{1, 2}));
}

TEST(DeckReader, SystemWithNineSixThreeAndNoValues) {
    const Deck deck = parse_deck(
        "*SYSTEM\n1,0,0, 1,1,0\n0,0,0\n*NODE\n1, 2,3,4\n"  // x along +y, third point on the -x side
        "*SYSTEM\n1,0,0, 1,1,0\n*NODE\n2, 2,3,4\n*SYSTEM\n5,6,7\n*NODE\n3, 2,3,4\n*SYSTEM\n*NODE\n4, 2,3,4\n"
        "*SYSTEM\n0,0,0, 0,0,1\n0,1,0\n*NODE\n5, 2,3,4\n");
    EXPECT_LT((point(deck, 1) - Eigen::Vector3d(1 - 3, 2, 4)).norm(), 1e-15);
    EXPECT_LT((point(deck, 2) - Eigen::Vector3d(1 - 3, 2, 4)).norm(), 1e-15);
    EXPECT_EQ(point(deck, 3), Eigen::Vector3d(7, 9, 11));
    EXPECT_EQ(point(deck, 4), Eigen::Vector3d(2, 3, 4));
    EXPECT_LT((point(deck, 5) - Eigen::Vector3d(-4, 3, 2)).norm(), 1e-15);  // x to z, y to y, so z to -x
}

TEST(DeckReader, CylindricalAndSphericalNodes) {
    const Deck deck = parse_deck(
        "*NODE, SYSTEM=C\n1, 2, 90, 3\n*SYSTEM\n1,1,1\n*NODE, SYSTEM=C\n2, 2, 180, 3\n*SYSTEM\n"
        "*NODE, SYSTEM=S\n3, 2, 0, 90\n4, 2, 90, 0\n");
    EXPECT_LT((point(deck, 1) - Eigen::Vector3d(0, 2, 3)).norm(), 1e-15);
    EXPECT_LT((point(deck, 2) - Eigen::Vector3d(-1, 1, 4)).norm(), 1e-15);
    EXPECT_LT((point(deck, 3) - Eigen::Vector3d(0, 0, 2)).norm(), 1e-15);
    EXPECT_LT((point(deck, 4) - Eigen::Vector3d(0, 2, 0)).norm(), 1e-15);
}

TEST(DeckReader, SetsGrowSortAndKeepOrderWhenUnsorted) {
    const Deck deck = parse_deck(
        "*NODE\n1\n2\n3\n4\n5\n6\n*NSET, NSET=A\n5,3\n*NSET, NSET=A\n1, 3\n"
        "*NSET, NSET=PAIR, UNSORTED\n4,2,6\n*NSET, NSET=PAIR, UNSORTED\nA, 4\n"
        "*NSET, NSET=G, GENERATE\n1,5,2\n6,6\n*NSET, NSET=MIXED, UNSORTED\n6\n*NSET, NSET=MIXED\n2\n");
    EXPECT_EQ(labels(deck, "A"), (Labels{1, 3, 5}));
    EXPECT_EQ(labels(deck, "PAIR"), (Labels{4, 2, 6, 1, 3, 5, 4}));
    EXPECT_EQ(labels(deck, "G"), (Labels{1, 3, 5, 6}));
    EXPECT_EQ(labels(deck, "MIXED"), (Labels{2, 6}));
    EXPECT_TRUE(complains(deck, Severity::note, "UNSORTED set 'MIXED' grows without UNSORTED"));
}

TEST(DeckReader, NodesOfElementsAndRangesWithGaps) {
    const Deck deck = parse_deck(cube + "*NSET, NSET=FROM, ELSET=ONE\n*NSET, NSET=GAP, GENERATE\n7, 12\n");
    EXPECT_EQ(labels(deck, "FROM"), (Labels{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(labels(deck, "GAP"), (Labels{7, 8}));
    EXPECT_TRUE(complains(deck, Severity::note, "4 of the 6 nodes 7 to 12 are not defined"));
}

TEST(DeckReader, ElementsOverTwoLinesWithAndWithoutComma) {
    std::string text = "*NODE\n";
    for (int n = 1; n <= 20; ++n) text += std::to_string(n) + "\n";
    const Deck deck = parse_deck(text +
                                 "*ELEMENT, TYPE=C3D20R\n1,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n16,17,18,19,20\n"
                                 "2,1,2,3,4,5,6,7,8,9,10,\n11,12,13,14,15,16,17,18,19,20\n"
                                 "*ELEMENT, TYPE=B31\n3,1,2\n4,1,2,3\n*Element, type=U1\n5, 1,2,3,\n4,5\n");
    ASSERT_EQ(deck.elements.size(), 5u);
    EXPECT_EQ(deck.elements[0].size, 20);
    EXPECT_EQ(deck.elements[1].at.line, 25);
    EXPECT_EQ(deck.elements[3].size, 3);
    EXPECT_EQ(deck.elements[4].size, 5);
    EXPECT_TRUE(complains(deck, Severity::physics, "element type U1 is not known: its 1 elements are kept"));
    EXPECT_TRUE(complains(deck, Severity::physics, "the 2 elements of type B31 are kept, not assembled"));
}

TEST(DeckReader, RepeatedNodesAndElementsMustAgree) {
    EXPECT_EQ(parse_deck("*NODE\n1,1,2,3\n1,1,2,3\n").nodes.size(), 1u);
    EXPECT_EQ(refusal("*NODE\n1,1,2,3\n1,1,2,4\n"),
              "deck:3: node 1 is already defined at deck:2 with other coordinates");
}

TEST(DeckReader, GeneratedMeshes) {
    const Deck deck = parse_deck(
        "*NODE\n1,0,0\n5,4,0\n101,0,2\n105,4,2\n*NGEN, NSET=LOW\n1,5\n*NGEN, NSET=HIGH\n101,105,1\n"
        "*NFILL, NSET=ALL\nLOW,HIGH,2,50\n*ELEMENT, TYPE=CPS4\n1,1,2,52,51\n*ELGEN, ELSET=E\n1,4,1,1,2,50,10\n");
    EXPECT_EQ(deck.nodes.size(), 15u);
    EXPECT_EQ(point(deck, 53), Eigen::Vector3d(2, 1, 0));
    EXPECT_EQ(labels(deck, "ALL").size(), 15u);
    ASSERT_EQ(deck.elements.size(), 8u);
    const auto last = nodes_of(deck, deck.elements[static_cast<std::size_t>(find_element(deck, 14))]);
    EXPECT_EQ(deck.nodes[static_cast<std::size_t>(last[2])].label, 105);
}

TEST(DeckReader, Surfaces) {
    const Deck deck = parse_deck(cube +
                                 "*SURFACE, NAME=S\nBODY, S2\n*SURFACE, NAME=T, TYPE=ELEMENT\n1, S1\n"
                                 "*SURFACE, NAME=FREE\nBODY\n*SURFACE, NAME=N, TYPE=NODE\nTOP, 0.25\n1\n"
                                 "*SURFACE, NAME=BOTH, COMBINE=UNION\nS, T\n");
    EXPECT_EQ(deck.surfaces[0].faces, (std::vector<SurfaceFace>{{0, 2}}));
    EXPECT_EQ(nodes_of(deck, deck.surfaces[0].faces[0]), (Labels{4, 5, 6, 7}));
    EXPECT_EQ(deck.surfaces[2].faces.size(), 6u);
    EXPECT_EQ(deck.surfaces[3].nodes[0].area, 0.25);
    EXPECT_EQ(deck.surfaces[3].nodes[4].area, 1.0);
    EXPECT_EQ(deck.surfaces[4].faces.size(), 2u);
}

TEST(DeckReader, FreeFacesLeaveOutSharedOnes) {
    const Deck deck = parse_deck(cube +
                                 "*NODE\n9,0,0,2\n10,1,0,2\n11,1,1,2\n12,0,1,2\n*ELEMENT, TYPE=C3D8, ELSET=UP\n"
                                 "2,5,6,7,8,9,10,11,12\n*SURFACE, NAME=F\nONE\n");
    EXPECT_EQ(deck.surfaces[0].faces.size(), 5u);
    for (const auto& face : deck.surfaces[0].faces) EXPECT_NE(face.face, 2);
    EXPECT_TRUE(complains(deck, Severity::physics, "1 elements of type C3D8 have no section"));
}

TEST(DeckReader, EquationsPairSetsElementwise) {
    const Deck deck = parse_deck(cube +
                                 "*NSET, NSET=A, UNSORTED\n3,1\n*NSET, NSET=B, UNSORTED\n2,4\n*EQUATION\n"
                                 "3\nA,1,1.,B,1,-1.\n7,2,.5\n2\n5,3,1,6,3,-1\n");
    ASSERT_EQ(deck.equations.size(), 3u);
    const auto& second = deck.equations[1].terms;
    EXPECT_EQ(deck.nodes[static_cast<std::size_t>(second[0].node)].label, 1);
    EXPECT_EQ(deck.nodes[static_cast<std::size_t>(second[1].node)].label, 4);
    EXPECT_EQ(deck.nodes[static_cast<std::size_t>(second[2].node)].label, 7);
    EXPECT_EQ(second[2].coefficient, 0.5);
    EXPECT_EQ(deck.equations[2].at.line, 30);
}

TEST(DeckReader, MpcsRigidBodiesAndMasses) {
    const Deck deck =
        parse_deck(cube +
                   "*NODE, NSET=REF\n100,0,0,5\n*MPC\nBEAM, TOP, 100\nTIE, 1, 2\n"
                   "*RIGID BODY, REF NODE=REF, PIN NSET=TOP\n*RIGID BODY, NSET=TOP, REF NODE=100, ROT NODE=1\n"
                   "*ELEMENT, TYPE=MASS, ELSET=M\n50, 100\n*MASS, ELSET=M\n2.5\n");
    EXPECT_EQ(deck.mpcs.size(), 5u);
    EXPECT_EQ(deck.mpcs[0].kind, Mpc::Kind::beam);
    EXPECT_EQ(deck.rigid_bodies[0].pinned, deck.node_sets.find("TOP"));
    EXPECT_EQ(deck.rigid_bodies[1].reference, find_node(deck, 100));
    EXPECT_EQ(deck.rigid_bodies[1].rotation_node, find_node(deck, 1));
    EXPECT_EQ(deck.sections.back().values, (std::vector<double>{2.5}));
}

TEST(DeckReader, MaterialsOfEveryKind) {
    const Deck deck = parse_deck(
        "*MATERIAL, NAME=A\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1,2,3,.1,.2,.3,4,5\n6, 20.\n*PLASTIC\n1,0\n"
        "*EXPANSION\n1e-5\n*MATERIAL, NAME=B\n*ELASTIC, TYPE=LAMINA\n1,2,3,4,5,6\n*DENSITY\n1000.,20\n900,100\n");
    EXPECT_EQ(deck.materials[0].elastic, (std::vector<double>{1, 2, 3, .1, .2, .3, 4, 5, 6}));
    EXPECT_EQ(deck.materials[0].others.size(), 2u);
    EXPECT_TRUE(complains(deck, Severity::physics, "*PLASTIC of material 'A' is kept, not used"));
    EXPECT_TRUE(complains(deck, Severity::kept, "*EXPANSION of material 'A' is kept"));
    EXPECT_TRUE(complains(deck, Severity::physics, "TYPE=LAMINA"));
    EXPECT_EQ(deck.materials[1].density, 1000);
    EXPECT_TRUE(complains(deck, Severity::note, "its first row is used"));
}

TEST(DeckReader, BoundariesLoadsAndSteps) {
    const Deck deck =
        parse_deck(cube +
                   "*BOUNDARY\nTOP, XSYMM\n1, 2\n2,1,3,0.5\n3,11,11,20.\n*STEP, PERTURBATION, NAME=Modes\n"
                   "*FREQUENCY\n10\n*BOUNDARY, OP=NEW\nTOP, PINNED\n*CLOAD, OP=NEW\nTOP, 3, -1.5\n"
                   "*NODE FILE\nU\n*DLOAD\nBODY, GRAV, 9.81, 0,0,-1\n*END STEP\n");
    ASSERT_EQ(deck.boundaries.size(), 3u);
    EXPECT_EQ(deck.boundaries[0].dofs.bits, 0b110001);
    EXPECT_EQ(deck.boundaries[1].dofs.bits, 0b10);
    EXPECT_EQ(deck.boundaries[2].value, 0.5);
    EXPECT_TRUE(complains(deck, Severity::physics, "degree of freedom 11"));
    ASSERT_EQ(deck.steps.size(), 1u);
    const Step& step = deck.steps[0];
    EXPECT_EQ(step.procedure, "FREQUENCY");
    EXPECT_TRUE(step.perturbation && step.new_boundaries && step.new_loads);
    EXPECT_EQ(step.loads[0].value, -1.5);
    EXPECT_EQ(step.others.size(), 3u);
    EXPECT_TRUE(step.text.starts_with("*STEP, PERTURBATION, NAME=Modes\n*FREQUENCY\n10\n"));
    EXPECT_TRUE(step.text.ends_with("*END STEP\n"));
    EXPECT_TRUE(complains(deck, Severity::kept, "*DLOAD in a step"));
}

TEST(DeckReader, ContactAndPreTensionAreNoted) {
    const Deck deck =
        parse_deck(cube +
                   "*SURFACE, NAME=S\nBODY, S2\n*SURFACE, NAME=T\nBODY, S1\n*SURFACE INTERACTION, NAME=Dry\n"
                   "*FRICTION, SLIP TOLERANCE=0.005\n0.2,\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=HARD\n"
                   "*CONTACT PAIR, INTERACTION=Dry, ADJUST=0.1\nS, T\n"
                   "*PRE-TENSION SECTION, SURFACE=S, NODE=1\n0,0,1\n*AMPLITUDE, NAME=RAMP\n0,0,1,1\n");
    EXPECT_EQ(deck.interactions[0].friction, 0.2);
    EXPECT_EQ(deck.contact_pairs.size(), 1u);
    EXPECT_EQ(*deck.pre_tensions[0].normal, Eigen::Vector3d(0, 0, 1));
    EXPECT_TRUE(complains(deck, Severity::physics, "contact is noted"));
    EXPECT_TRUE(complains(deck, Severity::physics, "bolt pre-tension is noted"));
    EXPECT_EQ(deck.amplitudes.size(), 1);
}

TEST(DeckReader, UnknownKeywordsAreKeptAndReported) {
    const Deck deck = parse_deck(cube + "*Initial Conditions, type=STRESS\nBODY, 1,2,3\n*RESTART, WRITE\n");
    ASSERT_EQ(deck.others.size(), 2u);
    EXPECT_EQ(deck.others[0].lines, (std::vector<std::string>{"BODY, 1,2,3"}));
    EXPECT_EQ(deck.others[0].at.line, 22);
    EXPECT_TRUE(complains(deck, Severity::physics, "*Initial Conditions is not known here"));
    EXPECT_TRUE(complains(deck, Severity::kept, "*RESTART"));
    EXPECT_THROW(require_all_physics(deck), core::BadInput);
    EXPECT_NO_THROW(require_all_physics(parse_deck(cube)));
}

}  // namespace
