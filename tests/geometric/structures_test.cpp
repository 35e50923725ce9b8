// A panel on slipping supports, an oscillator that slips, arches with limit points, and CalculiX beside us.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "faying/core/error.hpp"
#include "faying/fe/calculix.hpp"
#include "faying/fe/deck_reader.hpp"
#include "faying/geometric/ignl.hpp"
#include "faying/geometric/sice.hpp"
#include "faying/io/process.hpp"
#include "fe/box_mesh.hpp"
#include "fe/deck_text.hpp"
#include "reference.hpp"

namespace {

using namespace faying;
using namespace faying::geometric;

const nlohmann::json& panel_numbers() { return tests::reference("geometric")["slipping_panel"]; }

Opened& panel() {
    static Opened one = open_structure(tests::source_dir() + "/examples/panel/panel.toml");
    return one;
}
const Mode& panel_mode() {
    static const Mode mode = linear_mode(panel().stuck(), panel().rest, 1);
    return mode;
}

TEST(Panel, Preload) {
    auto& p = panel();
    const Index centre = p.solid->row(fe::find_node(*p.deck, 443), 2);
    EXPECT_NEAR(p.rest.u(centre) / panel_numbers()["preload"]["center_y"].get<double>(), 1, 1e-9);
    EXPECT_NEAR(p.preload.normal_sum / panel_numbers()["preload"]["sum_normal"].get<double>(), 1, 1e-9);
    EXPECT_EQ(p.preload.closed, panel_numbers()["preload"]["closed"].get<int>());
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(panel_mode().all_omega(static_cast<Index>(i)) /
                        (2 * M_PI * panel_numbers()["frequencies_hz"][i].get<double>()),
                    1, 1e-7);  // modes beside the one asked for are not refined
    EXPECT_NEAR(panel_mode().shape(centre) / panel_numbers()["phi1_center_y"].get<double>(), 1, 1e-7);
}

TEST(Panel, TiedAndSlipping) {
    auto& p = panel();
    {
        ModalPath path(p.stuck(), p.rest, panel_mode());
        for (std::size_t i = 0; i < 20; i += 3) {
            const auto& expected = panel_numbers()["A_tied"][i];
            const PathPoint at = path.to(expected["q"].get<double>());
            ASSERT_TRUE(at.converged);
            EXPECT_NEAR(at.alpha / expected["alpha"].get<double>(), 1, 1e-8);
        }
    }
    System& slipping = p.slipping();
    ModalPath path(slipping, p.rest, panel_mode());
    for (std::size_t i = 0; i < 20; ++i) {
        const auto& expected = panel_numbers()["C_pos"][i];
        const PathPoint at = path.to(expected["q"].get<double>());
        ASSERT_TRUE(at.converged);
        EXPECT_NEAR(at.alpha / expected["alpha"].get<double>(), 1, 1e-8);
        EXPECT_EQ(p.touching->closed(at.u), expected["closed"].get<int>());
        EXPECT_EQ(p.touching->slipping(at.u), expected["slipping"].get<int>());
    }
}

TEST(Panel, LoopAndMasing) {
    const auto& expected = panel_numbers()["loop"][0];
    const auto r = ignl(panel(), panel_mode(), {expected["q"].get<double>()}, {.order = 5, .grid = 20});
    const IgnlPoint& p = r.points[0];
    ASSERT_TRUE(p.converged) << p.reason;
    EXPECT_NEAR(p.loop / expected["D_trapezoid_of_alpha_dq"].get<double>(), 1, 1e-5);
    EXPECT_LT(p.closure, 1e-8);
    EXPECT_NEAR(p.alpha_slip / expected["alpha_at_plus_first"].get<double>(), 1, 1e-6);
    EXPECT_FALSE(r.masing_holds);
    EXPECT_GT(p.masing_positive, 10 * p.loop);
    EXPECT_LT(p.masing_negative, 0);
    // The sites' own loss is what the load does around the loop, but for the steps' size.
    EXPECT_NEAR(p.loop_friction / p.loop, 1, 0.02);
}

TEST(Oscillator, StaticPointsAndFolds) {
    auto it = open_structure(tests::source_dir() + "/examples/panel/sdof.toml");
    const Mode mode = linear_mode(it.stuck(), it.rest, 1);
    EXPECT_NEAR(mode.omega, std::sqrt(1.316e5 + 2.632e5), 1e-10);
    ModalPath path(it.slipping(), it.rest, mode);
    const PathPoint top = path.to(path.by_load(5000));
    ASSERT_TRUE(top.converged);
    EXPECT_NEAR(top.q / tests::reference("ignl_sdof")["K3=5.396e+10"]["X0"].get<double>(), 1, 1e-10);
}

TEST(Oscillator, SofteningFolds) {
    auto it = open_structure(tests::source_dir() + "/examples/panel/sdof_softening.toml");
    const Mode mode = linear_mode(it.stuck(), it.rest, 1);
    const auto r = ignl(it, mode, {0.01, 0.03}, {.loops = false});
    ASSERT_EQ(r.stuck_folds.size(), 2u);  // one on each side
    EXPECT_NEAR(r.stuck_folds[0].alpha, 4110.72, 0.005);
    EXPECT_NEAR(r.stuck_folds[1].alpha, -4110.72, 0.005);
    EXPECT_NEAR(r.slip_folds[0].alpha, 3262.47, 0.005);
    EXPECT_TRUE(r.points[0].converged);
    EXPECT_FALSE(r.points[1].converged);  // no free motion beyond the crest of the potential
    System& stuck = it.stuck();
    const auto s = sice(stuck, it.rest, mode, {.amplitudes = {0.01, 0.02}});
    ASSERT_EQ(s.folds.size(), 1u);
    EXPECT_NEAR(s.folds[0].alpha / r.stuck_folds[0].alpha, 1, 1e-6);

    // Control by load ends before the fold and keeps its last point; arc length goes around it.
    ModalPath path(stuck, it.rest, mode);
    EXPECT_FALSE(path.to(path.by_load(4200)).converged);
    EXPECT_TRUE(path.here().converged);
    EXPECT_LT(path.here().alpha, 4110.73);
    path.restart();
    for (int i = 0; i < 40; ++i) ASSERT_TRUE(path.advance(1e-3).converged);
    EXPECT_LT(path.here().slope, 0);
    EXPECT_NEAR(path.here().alpha, 3.948e5 * path.here().q - 5.395e8 * std::pow(path.here().q, 3), 1e-7 * 4000);
}

/// A strip bent along a parabola, both ends clamped (or one), or held at the middle of both, as a deck.
std::string arch_deck(fe::ElementKind kind, double rise, bool clamp_right, const std::string& rest,
                      double thickness = 6e-3, bool pinned = false) {
    const tests::Grid grid{24, 1, 1, {0.3, thickness, 0.01}, {}};
    fe::Mesh mesh = tests::box_mesh(kind, grid, fe::isotropic(2.1e11, 0.3, 7850));
    std::string left = "*NSET,NSET=CLAMP\n", tip = "*NSET,NSET=TIP\n";
    for (Eigen::Index a = 0; a < mesh.nodes.rows(); ++a) {
        const double x = mesh.nodes(a, 0);
        const bool held = !pinned || std::abs(mesh.nodes(a, 1) - 0.5 * thickness) < 1e-9;
        if (held && (x < 1e-9 || (clamp_right && x > 0.3 - 1e-9))) left += fmt::format("{},\n", a + 1);
        if (std::abs(x - (clamp_right ? 0.15 : 0.3)) < 1e-9) tip += fmt::format("{},\n", a + 1);
        mesh.nodes(a, 1) += 4 * rise * x * (0.3 - x) / 0.09;
    }
    tests::round_coordinates(mesh.nodes);
    return tests::deck_text(mesh, 2.1e11, 0.3, 7850,
                            left + tip + fmt::format("*BOUNDARY\nCLAMP,1,{}\n", fe::traits(kind).dimension()) + rest);
}

/// Last displacements that CalculiX printed, node by node.
std::map<int, Eigen::Vector3d> printed(const fe::CalculixRun& run) {
    std::ifstream file(run.folder / (run.job + ".dat"));
    std::map<int, Eigen::Vector3d> u;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        int node = 0;
        Eigen::Vector3d d;
        if (words >> node >> d(0) >> d(1) >> d(2)) u[node] = d;
    }
    return u;
}

class BesideCalculix : public testing::TestWithParam<std::tuple<fe::ElementKind, bool>> {};
INSTANTIATE_TEST_SUITE_P(Kinds, BesideCalculix,
                         testing::Combine(testing::Values(fe::ElementKind::CPE8, fe::ElementKind::C3D20),
                                          testing::Bool()));

/// Loads on TIP along 2, by CalculiX and by us: every displacement there to 1e-6 of the largest, which is returned.
double beside_calculix(fe::ElementKind kind, bool arch, double thickness, double load) {
    const std::string step = fmt::format(
        "*STEP,NLGEOM,INC=1000\n*STATIC\n0.1,1.,1e-6,0.1\n*CONTROLS,PARAMETERS=FIELD\n1.e-8,1.e-8,,,1.e-8\n*CLOAD\n"
        "TIP,2,{}\n*NODE PRINT,NSET=TIP\nU\n*END STEP\n",
        load);
    const std::string text = arch_deck(kind, arch ? 8e-3 : 0, arch, step, thickness);
    const io::ScratchFolder folder;
    const auto theirs = printed(fe::run_calculix(text, folder.path()));
    EXPECT_FALSE(theirs.empty());
    const fe::Deck deck = fe::parse_deck(text);
    Solid solid(deck);
    const Rest rest = at_rest(solid, solid.load());
    double largest = 0;
    for (const auto& [node, u] : theirs) largest = std::max(largest, u.cwiseAbs().maxCoeff());
    for (const auto& [node, u] : theirs)
        for (int i = 1; i <= fe::traits(kind).dimension(); ++i) {
            const Index row = solid.row(fe::find_node(deck, node), i);
            EXPECT_NEAR(rest.u(row), u(i - 1), 1e-6 * largest) << node << " " << i;
        }
    return largest;
}

TEST_P(BesideCalculix, LoadsOnACantileverAndAnArch) {
    const auto [kind, arch] = GetParam();
    const double load = (arch ? -10000.0 : 6000.0) * (kind == fe::ElementKind::CPE8 ? 1.0 : 0.0035);
    EXPECT_GT(beside_calculix(kind, arch, 6e-3, load), arch ? 2e-5 : 0.02);
    if (arch)
        for (const double share : {-1.0, 2.0, 4.0}) beside_calculix(kind, arch, 6e-3, share * load);
}

TEST(Thin, CantileverBesideCalculix) { EXPECT_GT(beside_calculix(fe::ElementKind::C3D20, false, 2e-3, 1.0), 0.02); }

TEST(Arch, TaylorCoefficientsFollowThePathOnBothSides) {
    const fe::Deck deck = fe::parse_deck(arch_deck(fe::ElementKind::CPE8, 6e-3, true, ""));
    Solid solid(deck);
    const Rest rest = at_rest(solid, solid.load());
    const Mode mode = linear_mode(solid, rest, 3);
    ModalPath path(solid, rest, mode);
    const Taylor t = taylor(solid, rest, mode, 7);
    const double small = 0.05 * telling_amplitude(t.k);
    for (const double q : {small, -small}) {
        const PathPoint p = path.to(q);
        ASSERT_TRUE(p.converged);
        double sum = 0;
        for (Index j = 7; j > 0; --j) sum = (sum + t.k(j)) * q;
        EXPECT_NEAR(p.alpha / sum, 1, 1e-7);
        path.restart();
    }
}

/// A deep arch on pins turns back in amplitude before it has snapped through. Large steps would leap to where it hangs
/// down, and call the way there a limit point.
TEST(Arch, WhereTheAmplitudeTurnsBackLargeStepsEndToo) {
    const fe::Deck deck = fe::parse_deck(arch_deck(fe::ElementKind::CPE8, 0.03, true, "", 3e-3, true));
    Solid solid(deck);
    const Rest rest = at_rest(solid, solid.load());
    const Mode mode = linear_mode(solid, rest, 2);
    SiceOptions options;
    for (int i = 1; i <= 20; ++i) options.amplitudes.push_back(-0.009 * i);
    const auto s = sice(solid, rest, mode, options);
    EXPECT_TRUE(s.points[2].converged);
    EXPECT_FALSE(s.points[8].converged);
    ASSERT_EQ(s.folds.size(), 1u);
    EXPECT_NEAR(s.folds[0].q, -0.0206, 2e-4);
    // Along its own length the path goes on, and back.
    ModalPath path(solid, rest, mode);
    PathPoint p = path.here();
    for (int i = 1; i <= 25 && p.sense > 0; ++i) {
        p = path.along(-4e-3 * i);
        ASSERT_TRUE(p.converged);
    }
    EXPECT_EQ(p.sense, -1);
    EXPECT_NEAR(p.q / s.last[1].q, 1, 0.1);
}

TEST(Arch, ALoadBeyondItsLimitPointIsNoRest) {
    const auto loaded = [](double load) {
        Solid solid(fe::parse_deck(arch_deck(fe::ElementKind::CPE8, 3e-3, true,
                                             fmt::format("*STEP,NLGEOM\n*STATIC\n*CLOAD\nTIP,2,{}\n*END STEP\n", load),
                                             1.5e-3)));
        return at_rest(solid, solid.load());
    };
    EXPECT_LT(loaded(-300).u.cwiseAbs().maxCoeff(), 1.5e-3);
    EXPECT_THROW(loaded(-700), core::NotConverged);  // it would hang down by 5 mm
}

TEST(Refusals, WhatCannotBendFar) {
    const std::string deck = arch_deck(fe::ElementKind::CPE8, 0, false, "");
    EXPECT_THROW(Solid(fe::parse_deck(deck.substr(0, deck.find("*BOUNDARY")) + "*MPC\nBEAM,1,2\n")), core::BadInput);
    Solid solid(fe::parse_deck(
        arch_deck(fe::ElementKind::CPE8, 3e-3, true, "*STEP,NLGEOM\n*STATIC\n*CLOAD\nTIP,2,-1e5\n*END STEP\n")));
    EXPECT_NO_THROW(at_rest(solid, 1e-3 * solid.load()));
}

}  // namespace
