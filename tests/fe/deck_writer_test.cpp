#include "faying/fe/deck_writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "deck_tests.hpp"

namespace {

using namespace faying;
using namespace faying::fe;
using namespace faying::tests;

std::string flat(const Deck& deck, const FlatOptions& options = {}) {
    std::ostringstream out;
    write_flat_deck(deck, out, options);
    return out.str();
}

/// A deck with constraints left aside, to write the rest.
FlatOptions without_constraints() {
    FlatOptions options;
    options.constraints.emplace();
    return options;
}

TEST(CcxNumber, FitsTwentyCharactersAndKeepsDigits) {
    EXPECT_EQ(ccx_number(1), "1");
    EXPECT_EQ(ccx_number(-0.1), "-0.1");
    EXPECT_EQ(ccx_number(1e-300), "1e-300");
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> mantissa(-10, 10), exponent(-12, 12);
    for (int i = 0; i < 20000; ++i) {
        const double x = mantissa(random) * std::pow(10.0, exponent(random));
        const std::string text = ccx_number(x);
        ASSERT_LE(text.size(), 20u) << text;
        ASSERT_NEAR(std::strtod(text.c_str(), nullptr), x, 5e-15 * std::abs(x)) << text;
        if (std::abs(x) > 0.01 && std::abs(x) < 1e10) {
            ASSERT_EQ(std::strtod(text.c_str(), nullptr), x) << text;
        }
    }
    EXPECT_LE(ccx_number(-1.7976931348623157e308).size(), 20u);
    EXPECT_LE(ccx_number(-4.9406564584124654e-324).size(), 20u);
}

TEST(FlatDeck, ReadsBackTheSame) {
    const Deck deck = parse_deck(cube +
                                 "*SURFACE, NAME=S\nBODY, S2\n*SURFACE, NAME=N, TYPE=NODE\nTOP\n"
                                 "*BOUNDARY\n1, ENCASTRE\n2,1,2\n*EQUATION\n2\n5,1,1.,6,1,-1.\n");
    const Deck back = parse_deck(flat(deck));
    ASSERT_EQ(back.nodes.size(), deck.nodes.size());
    for (std::size_t n = 0; n < deck.nodes.size(); ++n) {
        EXPECT_EQ(back.nodes[n].label, deck.nodes[n].label);
        EXPECT_EQ(back.nodes[n].point, deck.nodes[n].point);
    }
    EXPECT_EQ(back.connectivity, deck.connectivity);
    EXPECT_EQ(labels(back, "TOP"), labels(deck, "TOP"));
    EXPECT_EQ(back.surfaces[0].faces, deck.surfaces[0].faces);
    EXPECT_EQ(back.materials[0].elastic, deck.materials[0].elastic);
    EXPECT_EQ(back.equations.size(), 1u);
    EXPECT_EQ(back.boundaries.size(), 5u);  // three of node 1, for a solid node has no rotations
    EXPECT_TRUE(std::none_of(back.notes.begin(), back.notes.end(),
                             [](const Note& c) { return c.severity == Severity::physics; }));
}

TEST(FlatDeck, InstancesAreRenumberedOnlyWhenTheyClash) {
    const Deck deck = read_deck(deck_path("assembly.inp"));
    std::ostringstream out;
    FlatOptions options = without_constraints();
    options.state_of_step = 0;
    const FlatReport report = write_flat_deck(deck, out, options);
    ASSERT_EQ(report.renumbered.size(), 2u);  // the assembly's own node 1 comes first, then each instance
    EXPECT_EQ(report.renumbered[0].instance, "Block-1");
    EXPECT_EQ(report.renumbered[0].node_shift, 1000);
    EXPECT_EQ(report.renumbered[0].element_shift, 0);
    EXPECT_EQ(report.renumbered[1].node_shift, 2000);
    EXPECT_EQ(report.renumbered[1].element_shift, 1000);
    const Deck back = parse_deck(out.str());
    EXPECT_EQ(back.nodes.size(), deck.nodes.size());
    for (std::size_t n = 0; n < deck.nodes.size(); ++n)
        EXPECT_EQ(back.nodes[static_cast<std::size_t>(find_node(back, report.node_labels[n]))].point,
                  deck.nodes[n].point);
    EXPECT_EQ(labels(back, "Block-2_Top"), (std::vector<Index>{2005, 2006, 2007, 2008}));
    EXPECT_NE(back.node_sets.find("Block-1_Low_Corner"), none);
}

TEST(FlatDeck, NamesAreMadeFitAndStayApart) {
    const std::string name(100, 'x');
    const Deck deck =
        parse_deck("*NODE\n1\n*NSET, NSET=\"A B\"\n1\n*NSET, NSET=A_B\n1\n*NSET, NSET=1st\n1\n*NSET, NSET=" + name +
                   "1\n1\n*NSET, NSET=" + name + "2\n1\n");
    std::ostringstream out;
    const auto report = write_flat_deck(deck, out);
    ASSERT_EQ(report.renamed.size(), 5u);
    EXPECT_EQ(report.renamed[0].to, "A_B");
    EXPECT_EQ(report.renamed[1].to, "A_B_2");
    EXPECT_EQ(report.renamed[2].to, "N_1st");
    EXPECT_EQ(report.renamed[4].to.size(), 80u);
    EXPECT_NE(report.renamed[3].to, report.renamed[4].to);
}

TEST(FlatDeck, RotationsBecomeAnExtraNode) {
    const Deck deck = parse_deck(cube + "*NODE\n100,0,0,5\n*BOUNDARY\n100, 3, 5\n");
    FlatOptions options;
    LinearEquation equation;  // u1 of node 5 follows u1 and the rotation about y of node 100
    equation.terms = {{find_node(deck, 5), 1, 1.0}, {find_node(deck, 100), 1, -1.0}, {find_node(deck, 100), 5, 4.0}};
    options.constraints = {equation};
    std::ostringstream out;
    const auto report = write_flat_deck(deck, out, options);
    ASSERT_EQ(report.rotation_nodes.size(), 1u);
    EXPECT_EQ(report.rotation_nodes[0].label, 101);
    EXPECT_NE(out.str().find("*EQUATION\n3\n5,1,1,100,1,-1,101,2,4\n"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("*BOUNDARY\n100,3,3\n101,1,1\n101,2,2\n"), std::string::npos) << out.str();
}

TEST(FlatDeck, TheEliminatedTermIsAFreeOne) {
    const Deck deck = parse_deck(cube +
                                 "*BOUNDARY\n5,1\n*EQUATION\n2\n5,1,1,6,1,-1\n2\n6,1,1,7,1,-1\n"
                                 "3\n8,2,1,8,2,1,7,2,-2\n2\n5,1,1,5,1,-1\n");
    const std::string text = flat(deck);
    EXPECT_NE(text.find("*EQUATION\n2\n6,1,-1,5,1,1\n*EQUATION\n2\n7,1,-1,6,1,1\n*EQUATION\n2\n8,2,2,7,2,-2\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), 'Q'), 3);
}

std::string refused(const Deck& deck, const FlatOptions& options) {
    try {
        flat(deck, options);
    } catch (const core::BadInput& error) {
        return error.what();
    }
    return "";
}

TEST(FlatDeck, RefusesWhatItWouldLose) {
    const Deck tied = read_deck(deck_path("assembly.inp"));
    EXPECT_EQ(refused(tied, {}),
              deck_path("assembly.inp") + ":55: this constraint cannot be written without the equations it stands for");
    FlatOptions loaded = without_constraints();
    loaded.step = StaticStep{};
    loaded.state_of_step = 0;
    EXPECT_EQ(refused(tied, loaded),
              deck_path("assembly.inp") + ":80: *Dsload cannot be written flat yet; point loads can");
    loaded.state_of_step = 7;
    EXPECT_EQ(refused(tied, loaded), deck_path("assembly.inp") + ": step 8 is asked for; the deck has 1");
    const Deck turned = parse_deck(cube + "*TRANSFORM, NSET=TOP\n1,0,0,0,1,0\n");
    EXPECT_EQ(refused(turned, {}), "deck:22: nodal axes (*TRANSFORM) cannot be written flat yet");
    const Deck moment = parse_deck(cube + "*STEP\n*STATIC\n*CLOAD\n1,4,1.\n*END STEP\n");
    FlatOptions first;
    first.step = StaticStep{};
    first.state_of_step = 0;
    EXPECT_EQ(refused(moment, first), "deck:25: moment on node 1, which has no rotations");
    const auto path = std::filesystem::temp_directory_path() / "faying_refused.inp";
    std::filesystem::remove(path);
    EXPECT_THROW(write_flat_deck(tied, path.string()), core::BadInput);
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(FlatDeck, SaysWhatItLeavesOut) {
    const Deck deck = parse_deck(cube + "*ELEMENT, TYPE=COH3D8\n2,1,2,3,4,5,6,7,8\n*INITIAL CONDITIONS\n1\n");
    std::ostringstream out;
    const auto report = write_flat_deck(deck, out);
    ASSERT_EQ(report.left_out.size(), 2u);
    EXPECT_EQ(report.left_out[0].text, "1 elements of type COH3D8, which CalculiX does not have");
    EXPECT_EQ(report.left_out[1].text, "*INITIAL CONDITIONS");
    EXPECT_EQ(report.element_labels, (std::vector<Index>{1, 0}));
}

}  // namespace
