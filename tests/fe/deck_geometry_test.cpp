// Face tables, areas, volumes, units.

#include "faying/fe/deck_geometry.hpp"

#include <cmath>

#include "deck_tests.hpp"
#include "faying/fe/deck_summary.hpp"
#include "faying/fe/face.hpp"

namespace {

using namespace faying;
using namespace faying::fe;
using namespace faying::tests;

TEST(ElementTypes, AreFoundInAnyCase) {
    EXPECT_EQ(find_element_type("c3d8i")->name, "C3D8I");
    EXPECT_EQ(find_element_type("C3D7"), nullptr);
    for (const auto& type : element_types()) {
        if (type.shape) {
            EXPECT_EQ(type.node_count, node_count(*type.shape)) << type.name;
        }
        if (type.assembled_as) {
            EXPECT_EQ(traits(*type.assembled_as).shape, type.shape) << type.name;
        }
    }
}

TEST(ElementTypes, ShellsHaveTwoSidesThenEdges) {
    for (const char* name : {"S3", "S4R", "S6", "S8R"}) {
        const auto& type = *find_element_type(name);
        const auto faces = element_faces(type);
        ASSERT_EQ(static_cast<int>(faces.size()), 2 + corner_count(*type.shape));
        const Coordinates x = node_coordinates(*type.shape);
        Coordinates back(x.rows(), 3);
        for (int a = 0; a < faces[1].count; ++a) back.row(a) = x.row(faces[1].nodes[static_cast<std::size_t>(a)]);
        const auto up = face_geometry(faces[0].shape, x), down = face_geometry(faces[1].shape, back);
        EXPECT_NEAR(up.area, down.area, 1e-14);
        EXPECT_NEAR(up.normal[2], 1, 1e-14);
        EXPECT_NEAR(down.normal[2], -1, 1e-14);
    }
}

/// A quadratic element bent onto a quarter of a tube: the volume is that of the parabolas, found by hand integration.
TEST(DeckGeometry, CurvedQuadraticEdgesCount) {
    // A hexa20 on the unit cube whose edge 5-6 bulges up by h: the top face gets z = 1 + h * N(s, t).
    std::string text = "*NODE\n";
    const Coordinates x = (node_coordinates(Shape::hex20).array() + 1) / 2;
    for (Eigen::Index n = 0; n < x.rows(); ++n)
        text += std::to_string(n + 1) + "," + std::to_string(x(n, 0)) + "," + std::to_string(x(n, 1)) + "," +
                std::to_string(x(n, 2) + (n == 12 ? 0.3 : 0.0)) + "\n";
    text += "*ELEMENT, TYPE=C3D20\n1,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,\n16,17,18,19,20\n";
    const Deck deck = parse_deck(text);
    // Integral of (1 - s2)(1 - t)/2 over the unit square of area 1: 2/3 * 1/2 = 1/3.
    EXPECT_NEAR(*element_volume(deck, deck.elements[0]), 1 + 0.3 / 3, 1e-14);
}

TEST(DeckGeometry, SkewBrickIsExactAndInsideOutIsSeen) {
    // Trilinear map of the cube with one corner pulled: V = 1 + h/4 along one axis.
    std::string text = cube;
    text.replace(text.find("7,1,1,1"), 7, "7,1,1,1.4");
    const Deck deck = parse_deck(text);
    EXPECT_NEAR(*element_volume(deck, deck.elements[0]), 1 + 0.4 / 4, 1e-15);
    const DeckSummary summary = summarize(parse_deck(cube + "*ELEMENT, TYPE=C3D4\n9,1,2,3,5\n10,1,3,2,5\n"));
    EXPECT_EQ(summary.inside_out, 1);
    EXPECT_FALSE(summary.mass_is_whole);
    EXPECT_NEAR(summary.mass, 7850, 1e-9);
    EXPECT_EQ(summary.types[0].count, 1);
}

TEST(DeckGeometry, PlanesShellsAndMasses) {
    const Deck deck = parse_deck(
        "*NODE\n1,0,0\n2,2,0\n3,2,1\n4,0,1\n*ELEMENT, TYPE=CPS4, ELSET=P\n1,1,2,3,4\n*ELEMENT, TYPE=S4R, "
        "ELSET=S\n2,1,2,3,4\n"
        "*ELEMENT, TYPE=MASS, ELSET=M\n3,1\n*MATERIAL, NAME=M\n*ELASTIC\n70000,0.3\n*DENSITY\n2.7e-9\n"
        "*SOLID SECTION, ELSET=P, MATERIAL=M\n0.5\n*SHELL SECTION, ELSET=S, MATERIAL=M\n0.1\n*MASS, ELSET=M\n7.\n"
        "*SURFACE, NAME=EDGE\nP,S1\nP,S2\n*SURFACE, NAME=UP\nS,SPOS\n");
    EXPECT_NEAR(*element_volume(deck, deck.elements[0]), 1.0, 1e-15);
    EXPECT_NEAR(*element_volume(deck, deck.elements[1]), 0.2, 1e-15);
    EXPECT_NEAR(surface_area(deck, deck.surfaces[0]), 3.0, 1e-15);
    EXPECT_NEAR(surface_area(deck, deck.surfaces[1]), 2.0, 1e-15);
    const auto summary = summarize(deck);
    EXPECT_NEAR(summary.mass, 7 + 1.2 * 2.7e-9, 1e-15);
    EXPECT_EQ(summary.box.high, Eigen::Vector3d(2, 1, 0));
    EXPECT_EQ(summary.units, "mm, t, s, N, MPa");
}

TEST(Units, AreGuessedFromSteelAndAluminium) {
    EXPECT_EQ(guess_units(2.1e11, 7850), "SI: m, kg, s, N, Pa");
    EXPECT_EQ(guess_units(7e10, 2700), "SI: m, kg, s, N, Pa");
    EXPECT_EQ(guess_units(210000, 7.85e-9), "mm, t, s, N, MPa");
    EXPECT_EQ(guess_units(210, 7.85e-6), "mm, kg, ms, kN, GPa");
    EXPECT_EQ(guess_units(2.1e8, 7.85e-6), "mm, kg, s, mN, kPa");
    EXPECT_EQ(guess_units(2.9e7, 7.3e-4), "inch, lbf s2/in, s, lbf, psi");
    EXPECT_EQ(guess_units(2.1e11, {}), "SI: m, kg, s, N, Pa");
    EXPECT_EQ(guess_units(1e20, 1.0), "");
}

}  // namespace
