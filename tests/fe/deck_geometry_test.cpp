// Face tables, areas, volumes, units.

#include "faying/fe/deck_geometry.hpp"

#include <cmath>
#include <set>

#include "deck_tests.hpp"
#include "faying/fe/deck_summary.hpp"

namespace {

using namespace faying;
using namespace faying::fe;
using namespace faying::tests;

/// Nodes of the reference element, midside nodes in the middle: enough to test every face table.
std::vector<Eigen::Vector3d> reference(Topology shape) {
    using V = Eigen::Vector3d;
    std::vector<V> x;
    std::vector<std::pair<int, int>> edges;
    switch (shape) {
        case Topology::tetra4:
        case Topology::tetra10:
            x = {V(0, 0, 0), V(1, 0, 0), V(0, 1, 0), V(0, 0, 1)};
            edges = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
            break;
        case Topology::wedge6:
        case Topology::wedge15:
            x = {V(0, 0, 0), V(1, 0, 0), V(0, 1, 0), V(0, 0, 1), V(1, 0, 1), V(0, 1, 1)};
            edges = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
            break;
        default:
            x = {V(0, 0, 0), V(1, 0, 0), V(1, 1, 0), V(0, 1, 0), V(0, 0, 1), V(1, 0, 1), V(1, 1, 1), V(0, 1, 1)};
            edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    }
    if (shape == Topology::tetra10 || shape == Topology::wedge15 || shape == Topology::hexa20)
        for (const auto& [a, b] : edges)
            x.push_back(0.5 * (x[static_cast<std::size_t>(a)] + x[static_cast<std::size_t>(b)]));
    return x;
}

class SolidType : public testing::TestWithParam<ElementType> {};

TEST_P(SolidType, FacesCloseTheElementAndPointOutwards) {
    const ElementType& type = GetParam();
    const auto x = reference(type.shape);
    ASSERT_EQ(static_cast<int>(x.size()), type.node_count);
    Eigen::Vector3d centre = Eigen::Vector3d::Zero(), total = Eigen::Vector3d::Zero();
    for (const auto& point : x) centre += point / static_cast<double>(x.size());
    double flux = 0;
    for (const auto& face : element_faces(type)) {
        std::vector<Eigen::Vector3d> points;
        for (int n : face.nodes) points.push_back(x[static_cast<std::size_t>(n)]);
        const auto integral = integrate_face(face.shape, points, centre);
        EXPECT_GT(integral.flux, 0);                                // outward
        EXPECT_NEAR(integral.vector.norm(), integral.area, 1e-14);  // flat: midside nodes are on the right edges
        total += integral.vector;
        flux += integral.flux;
    }
    EXPECT_LT(total.norm(), 1e-14);
    const double volume = type.shape == Topology::tetra4 || type.shape == Topology::tetra10   ? 1.0 / 6
                          : type.shape == Topology::wedge6 || type.shape == Topology::wedge15 ? 0.5
                                                                                              : 1.0;
    EXPECT_NEAR(flux / 3, volume, 1e-14);
}

std::vector<ElementType> solids() {
    std::vector<ElementType> all;
    for (const auto& type : element_types())
        if (type.family == Family::solid) all.push_back(type);
    return all;
}
INSTANTIATE_TEST_SUITE_P(All, SolidType, testing::ValuesIn(solids()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ElementTypes, FacesAsAbaqusNumbersThem) {
    // *SURFACE in the Abaqus manual: which corners are on which face of a brick, tetrahedron and wedge.
    const auto corners = [](const char* type, int face, std::size_t count) {
        std::set<int> nodes;
        const auto& f = element_faces(*find_element_type(type))[static_cast<std::size_t>(face - 1)];
        for (std::size_t c = 0; c < count; ++c) nodes.insert(f.nodes[c] + 1);
        return nodes;
    };
    using Set = std::set<int>;
    const std::vector<Set> brick = {{1, 2, 3, 4}, {5, 6, 7, 8}, {1, 2, 5, 6}, {2, 3, 6, 7}, {3, 4, 7, 8}, {1, 4, 5, 8}};
    for (int f = 1; f <= 6; ++f) EXPECT_EQ(corners("C3D20R", f, 4), brick[static_cast<std::size_t>(f - 1)]);
    const std::vector<Set> tetra = {{1, 2, 3}, {1, 2, 4}, {2, 3, 4}, {1, 3, 4}};
    for (int f = 1; f <= 4; ++f) EXPECT_EQ(corners("C3D10", f, 3), tetra[static_cast<std::size_t>(f - 1)]);
    const std::vector<Set> sides = {{1, 2, 4, 5}, {2, 3, 5, 6}, {1, 3, 4, 6}};
    EXPECT_EQ(corners("C3D6", 1, 3), (Set{1, 2, 3}));
    EXPECT_EQ(corners("C3D6", 2, 3), (Set{4, 5, 6}));
    for (int f = 3; f <= 5; ++f) EXPECT_EQ(corners("C3D15", f, 4), sides[static_cast<std::size_t>(f - 3)]);
    EXPECT_EQ(corners("CPS4", 4, 2), (Set{1, 4}));
    EXPECT_EQ(corners("CPE6", 3, 2), (Set{1, 3}));
    EXPECT_EQ(find_element_type("c3d8i")->name, "C3D8I");
    EXPECT_EQ(find_element_type("C3D7"), nullptr);
}

/// A quadratic element bent onto a quarter of a tube: the volume is that of the parabolas, found by hand integration.
TEST(DeckGeometry, CurvedQuadraticEdgesCount) {
    // A hexa20 on the unit cube whose edge 5-6 bulges up by h: the top face gets z = 1 + h * N(s, t).
    std::string text = "*NODE\n";
    const auto x = reference(Topology::hexa20);
    for (std::size_t n = 0; n < x.size(); ++n)
        text += std::to_string(n + 1) + "," + std::to_string(x[n][0]) + "," + std::to_string(x[n][1]) + "," +
                std::to_string(x[n][2] + (n == 12 ? 0.3 : 0.0)) + "\n";
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
