// Parts, instances, included files.

#include <map>

#include "deck_tests.hpp"

namespace {

using namespace faying;
using namespace faying::fe;
using namespace faying::tests;

TEST(DeckAssembly, TranslatesFirstThenRotates) {
    const Deck deck = read_deck(deck_path("assembly.inp"));
    const Index second = deck.instances.find("block-2");
    ASSERT_NE(second, none);
    // (1, 0, 2) moves to (4, 0, 2), then a quarter turn about the line x = 3 along z: (3, 1, 2).
    const Node& node = deck.nodes[static_cast<std::size_t>(find_node(deck, 6, second))];
    EXPECT_LT((node.point - Eigen::Vector3d(3, 1, 2)).norm(), 1e-15);
    const Node& first = deck.nodes[static_cast<std::size_t>(find_node(deck, 6, deck.instances.find("Block-1")))];
    EXPECT_EQ(first.point, Eigen::Vector3d(1, 0, 2));
    EXPECT_EQ(node_name(deck, find_node(deck, 6, second)), "Block-2.6");
    EXPECT_EQ(element_name(deck, 1), "Block-2.1");
}

TEST(DeckAssembly, SetsOfInstancesAndOfTheAssembly) {
    const Deck deck = read_deck(deck_path("assembly.inp"));
    EXPECT_EQ(labels(deck, "Block-1.Top"), (std::vector<Index>{5, 6, 7, 8}));
    EXPECT_EQ(labels(deck, "Block-2.Low Corner"), (std::vector<Index>{1}));
    EXPECT_EQ(labels(deck, "Both"), (std::vector<Index>{5, 6, 5, 6, 7, 8}));
    const auto& both = deck.node_sets[deck.node_sets.find("Both")].nodes;
    EXPECT_EQ(deck.nodes[static_cast<std::size_t>(both[1])].instance, 0);
    EXPECT_EQ(deck.nodes[static_cast<std::size_t>(both[2])].instance, 1);
    EXPECT_EQ(deck.surfaces[deck.surfaces.find("Surf-1")].faces, (std::vector<SurfaceFace>{{0, 2}}));
    EXPECT_EQ(deck.surfaces[deck.surfaces.find("Around")].faces.size(), 6u);
    EXPECT_TRUE(deck.element_sets[deck.element_sets.find("_Surf-1_S2")].internal);
}

TEST(DeckAssembly, Constraints) {
    const Deck deck = read_deck(deck_path("assembly.inp"));
    ASSERT_EQ(deck.ties.size(), 1u);
    EXPECT_EQ(deck.ties[0].name, "Glue");
    EXPECT_FALSE(deck.ties[0].adjust);
    EXPECT_TRUE(deck.ties[0].node_to_surface);
    EXPECT_EQ(deck.ties[0].position_tolerance, 0.1);
    ASSERT_EQ(deck.couplings.size(), 2u);
    EXPECT_EQ(deck.couplings[0].reference, find_node(deck, 1));
    EXPECT_EQ(deck.couplings[0].dofs.bits, 0b010111);
    EXPECT_EQ(deck.couplings[1].kind, Coupling::Kind::distributing);
    EXPECT_EQ(deck.couplings[1].dofs.bits, 0b111111);
    EXPECT_EQ(deck.couplings[1].weighting, Coupling::Weighting::linear);
    EXPECT_EQ(deck.couplings[1].influence_radius, 2.0);
    ASSERT_EQ(deck.rigid_bodies.size(), 1u);
    EXPECT_EQ(deck.rigid_bodies[0].nodes, deck.node_sets.find("Both"));
    EXPECT_EQ(deck.boundaries[0].type, "ENCASTRE");
    EXPECT_EQ(deck.steps[0].boundaries[0].value, 0.01);
    EXPECT_TRUE(deck.steps[0].nonlinear_geometry);
    EXPECT_TRUE(complains(deck, Severity::note, "part 'Unused' has no instance"));
}

TEST(DeckAssembly, OrientationsTurnWithTheirInstance) {
    const Deck deck = parse_deck(
        "*PART, NAME=P\n*NODE\n1\n*ORIENTATION, NAME=O\n1,0,0, 0,1,0\n3, 30.\n*END PART\n*ASSEMBLY, NAME=A\n"
        "*INSTANCE, NAME=I, PART=P\n1,2,3\n0,0,0,0,0,1,90\n*END INSTANCE\n*END ASSEMBLY\n");
    const auto& o = deck.orientations[deck.orientations.find("I.O")];
    EXPECT_NEAR(o.values[1], 1, 1e-15);
    EXPECT_NEAR(o.values[3], -1, 1e-15);
    EXPECT_EQ(o.rotation_angle, 30);
}

TEST(DeckAssembly, ElementsMayJoinInstances) {
    const Deck deck = parse_deck(
        "*PART, NAME=P\n*NODE, NSET=N\n1,0,0,0\n*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n*END "
        "INSTANCE\n"
        "*INSTANCE, NAME=J, PART=P\n1,0,0\n*END INSTANCE\n*ELEMENT, TYPE=SPRINGA, ELSET=S\n1, I.1, J.1\n"
        "*NSET, NSET=X\nI.N, J.1\n*END ASSEMBLY\n*SPRING, ELSET=S\n\n1000.\n*BOUNDARY\nA.J.N, 1\nA.I.1, 2\n");
    EXPECT_EQ(nodes_of(deck, deck.elements[0])[1], find_node(deck, 1, 1));
    EXPECT_EQ(labels(deck, "X").size(), 2u);
    EXPECT_EQ(deck.sections[0].keyword.lines, (std::vector<std::string>{"", "1000."}));
    EXPECT_EQ(deck.boundaries[0].target.set, deck.node_sets.find("J.N"));
    EXPECT_EQ(deck.boundaries[1].target.node, find_node(deck, 1, 0));
}

/// A folder of files in memory.
Deck read_files(const std::map<std::string, std::string>& files) {
    return read_deck("jobs/main.inp", [&](const std::string& path) -> std::optional<std::string> {
        const auto found = files.find(path);
        if (found == files.end()) return {};
        return found->second;
    });
}

std::string refused_files(const std::map<std::string, std::string>& files) {
    try {
        read_files(files);
    } catch (const core::BadInput& error) {
        return error.what();
    }
    return "";
}

TEST(DeckIncludes, AreRelativeToTheIncludingFileAndContinueBlocks) {
    const Deck deck =
        read_files({{"jobs/main.inp", "*NODE\n1,0,0,0\n*INCLUDE, INPUT=sub/mesh.inp\n3,1,1,0\n*NSET, NSET=A\n1,4\n"},
                    {"jobs/sub/mesh.inp", "2,1,0,0\n*Include, input=\"more.inp\"\n"},
                    {"jobs/sub/more.inp", "** data only\n4,0,1,0"}});
    EXPECT_EQ(deck.nodes.size(), 4u);
    EXPECT_EQ(labels(deck, "A"), (std::vector<Index>{1, 4}));
    EXPECT_EQ(deck.where(deck.nodes[2].at), "jobs/sub/more.inp:2");
    EXPECT_EQ(deck.where(deck.nodes[3].at), "jobs/main.inp:4");
    EXPECT_TRUE(complains(deck, Severity::note, "does not end with a line end"));
}

TEST(DeckIncludes, DataFiles) {
    const Deck deck = read_files(
        {{"jobs/main.inp", "*NODE, INPUT=n.dat\n3,1,0,0\n*NSET, NSET=A\n1,2\n"}, {"jobs/n.dat", "1,0,0,0\n2,1,0,0\n"}});
    EXPECT_EQ(deck.nodes.size(), 3u);
}

TEST(DeckIncludes, CyclesAndMissingFilesAreRefused) {
    EXPECT_EQ(
        refused_files({{"jobs/main.inp", "*INCLUDE, INPUT=a.inp\n"}, {"jobs/a.inp", "**\n*INCLUDE, INPUT=main.inp\n"}}),
        "jobs/a.inp:2: includes 'main.inp', which is already being read: a cycle");
    EXPECT_EQ(refused_files({{"jobs/main.inp", "*INCLUDE, INPUT=a.inp\n"}}),
              "jobs/main.inp:1: file 'a.inp' cannot be read (looked for jobs/a.inp)");
    EXPECT_EQ(refused_files({{"jobs/main.inp", "*INCLUDE\n"}}), "jobs/main.inp:1: *INCLUDE needs INPUT=file");
    EXPECT_EQ(refused_files({{"jobs/main.inp", "*INCLUDE, INPUT=a, PASSWORD=x\n"}}),
              "jobs/main.inp:1: encrypted files cannot be read; leave PASSWORD out");
    EXPECT_THROW(read_deck("/nonexistent/deck.inp"), core::BadInput);
    EXPECT_THROW(read_deck(deck_path("")), core::BadInput);  // a folder
}

}  // namespace
