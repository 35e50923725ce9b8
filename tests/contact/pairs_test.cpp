// Pairs of faces: patch tests over meshes that do not match, gaps, and what is refused.

#include <gtest/gtest.h>

#include "faying/core/error.hpp"
#include "faying/fe/deck_reader.hpp"
#include "faying/fe/reduction.hpp"
#include "faying/modes/quasistatic.hpp"
#include "fe/constraint_decks.hpp"
#include "plane_meshes.hpp"

namespace faying {
namespace {

using modes::Drive;
using modes::DriveKind;

constexpr double young = 1e9, wide = 2, high = 1, thick = 0.5;

/// One block on another, `below` and `above` elements wide, `gap` apart; nu = 0. The lower stands on its bottom; the top of
/// the upper moves as one (set GRIP) or is free (surface TOP). Surfaces ABOVE and BELOW face each other.
std::string two_plane_blocks(int below, int above, double gap, bool grip) {
    tests::PlaneDeck deck("CPS8");
    const auto lower =
        deck.add(tests::graded(0, wide, below, 1), tests::graded(-high, 0, 2, 1), [](double x, double y) {
            return std::pair{x, y};
        });
    const auto upper =
        deck.add(tests::graded(0, wide, above, 1), tests::graded(0, high, 2, 1), [gap](double x, double y) {
            return std::pair{x, y + gap};
        });
    deck.surface("BELOW", tests::row_of(lower, lower.ny() - 1), 3);
    deck.surface("ABOVE", tests::row_of(upper, 0), 1);
    deck.surface("TOP", tests::row_of(upper, upper.ny() - 1), 3);
    deck.line("*BOUNDARY");
    for (int i = 0; i <= 2 * lower.nx(); ++i) deck.line(fmt::format("{}, 1, 2", lower.node.at({i, 0})));
    const int head = upper.node.at({0, 2 * upper.ny()});
    for (int i = 1; grip && i <= 2 * upper.nx(); ++i)
        for (int d = 1; d <= 2; ++d)
            deck.line(
                fmt::format("*EQUATION\n2\n{}, {}, 1., {}, {}, -1.", upper.node.at({i, 2 * upper.ny()}), d, head, d));
    deck.line(fmt::format("*NSET, NSET=GRIP\n{}", head));
    return deck.text(young, 0, thick);
}

fe::ReduceOptions of_pair(const std::string& first, const std::string& second) {
    fe::ReduceOptions options;
    options.pairs = {{.name = "pair", .first = first, .second = second}};
    options.modes = 0;
    return options;
}

structure::Model with_friction(const structure::Reduced& reduced, double mu) {
    auto model = structure::bare_model(reduced);
    const auto& pair = reduced.pairs.at(0);
    const laws::Law law("elastic-dry-friction", {{"mu", mu}, {"kn", pair.penalty}, {"kt", pair.penalty}});
    model.joints = {structure::joint_on_pair(reduced, "pair", law, pair)};
    return model;
}

void expect_uniform(const structure::Model& model, double pressure) {
    const std::vector<Drive> drives = {{DriveKind::force, structure::find_load(model, "press"), "press"}};
    const auto run = modes::quasistatic(model, modes::Interface(model), drives, {{pressure}}, {.sites = true});
    ASSERT_EQ(run.stopped, "");
    for (const auto& site : run.points[0].sites[0]) {
        EXPECT_NEAR(site.pressure / pressure, 1, 1e-7);
        EXPECT_LT(site.traction, 1e-6 * pressure);
    }
}

TEST(ContactPairs, APressurePassesUniformlyWhateverTheMeshes) {
    for (const auto& [below, above] : {std::pair{4, 4}, {3, 5}, {5, 3}})
        for (const bool over : {true, false}) {
            auto options = over ? of_pair("ABOVE", "BELOW") : of_pair("BELOW", "ABOVE");
            options.loads = {{.name = "press", .forces = {}, .step = ""}};
            options.loads[0].tractions = {{.surface = "TOP", .pressure = 1}};
            const auto made = fe::reduce(fe::parse_deck(two_plane_blocks(below, above, 0, false)), options);
            EXPECT_EQ(made.pairs[0].matching, below == above);
            EXPECT_NEAR(made.pairs[0].area(), wide * thick, 1e-12);
            expect_uniform(with_friction(made.reduced, 0.3), 1e6);
        }
}

TEST(ContactPairs, APressurePassesUniformlyInSpace) {
    // nu = 0.3: the bottom may slide but for what stops rigid motions.
    for (const auto& [below, above] : {std::pair{2, 2}, {3, 2}}) {
        auto options = of_pair("B_LOW", "A_HIGH");
        options.loads = {{.name = "press", .forces = {}, .step = ""}};
        options.loads[0].tractions = {{.surface = "B_HIGH", .pressure = 1}, {.surface = "A_LOW", .pressure = 1}};
        const auto made = fe::reduce(fe::parse_deck(tests::two_blocks(below, above)), options);
        EXPECT_EQ(made.pairs[0].matching, below == above);
        EXPECT_NEAR(made.pairs[0].area(), 1, 1e-12);
        expect_uniform(with_friction(made.reduced, 0.3), 1e6);
    }
}

TEST(ContactPairs, AGapClosesBeforeAnythingPresses) {
    const double gap = 1e-3;
    auto options = of_pair("ABOVE", "BELOW");
    options.pairs[0].within = 2 * gap;
    options.outputs = {{"x", "GRIP", {}, {1, 0, 0}}, {"y", "GRIP", {}, {0, 1, 0}}};
    const auto made = fe::reduce(fe::parse_deck(two_plane_blocks(4, 4, gap, true)), options);
    EXPECT_NEAR(made.pairs[0].gap.minCoeff(), gap, 1e-15);
    EXPECT_NEAR(made.pairs[0].gap.maxCoeff(), gap, 1e-15);
    const auto model = with_friction(made.reduced, 0.3);
    const std::vector<Drive> drives = {{DriveKind::displacement, structure::find_output(model, "y"), "down"},
                                       {DriveKind::displacement, structure::find_output(model, "x"), "along"}};
    // Down past the gap, up and out, sideways while open, down again.
    const auto run = modes::quasistatic(
        model, modes::Interface(model), drives,
        {{-0.5 * gap, -1.5 * gap, -0.5 * gap, -0.5 * gap, -1.5 * gap}, {0, 0, 0, 0.2 * gap, 0.2 * gap}},
        {.path_tolerance = 1e-6, .sites = true});
    ASSERT_EQ(run.stopped, "");
    const double stiffness = wide * thick / (2 * high / young + 1 / made.reduced.pairs[0].penalty);
    const double pressed = -0.5 * gap * stiffness;
    const double expected[] = {0, pressed, 0, 0, pressed};
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_NEAR(run.points[i].force(0), expected[i], 1e-7 * std::abs(pressed)) << i;
        EXPECT_NEAR(run.points[i].force(1), 0, 1e-6 * std::abs(pressed)) << i;  // closed straight down each time
    }
    EXPECT_NEAR(run.points[0].sites[0][0].gap, 0.5 * gap, 1e-12);
    EXPECT_EQ(run.points[0].sites[0][0].status, modes::SiteStatus::open);
    for (const double d : run.points.back().dissipated) EXPECT_LT(d, 1e-9 * std::abs(pressed * gap));
}

TEST(ContactPairs, ABodyForceIsTheWeight) {
    auto options = of_pair("ABOVE", "BELOW");
    options.loads = {{.name = "press", .forces = {}, .step = ""}};
    options.loads[0].acceleration = {0, -10, 0};
    const auto made = fe::reduce(fe::parse_deck(two_plane_blocks(4, 4, 0, false)), options);
    const auto model = with_friction(made.reduced, 0.3);
    const std::vector<Drive> drives = {{DriveKind::force, structure::find_load(model, "press"), "weight"}};
    const auto run = modes::quasistatic(model, modes::Interface(model), drives, {{1}}, {.sites = true});
    double pressed = 0;  // the upper block's weight: density 1
    for (Eigen::Index i = 0; i < model.joints[0].sites(); ++i)
        pressed += model.joints[0].weight(i) * run.points[0].sites[0][std::size_t(i)].pressure;
    EXPECT_NEAR(pressed, 10 * wide * high * thick, 1e-6);
}

void expect_refused(const std::string& deck, const fe::ReduceOptions& options, const std::string& says) {
    try {
        fe::reduce(fe::parse_deck(deck), options);
        FAIL() << "expected: " << says;
    } catch (const core::BadInput& error) {
        EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
}

TEST(ContactPairs, RefusesWhatCannotBeMeant) {
    expect_refused(two_plane_blocks(4, 4, -1e-3, false), of_pair("ABOVE", "BELOW"), "lie 0.001 in each other");
    auto meant = of_pair("ABOVE", "BELOW");
    meant.pairs[0].gap = -1e-3;
    EXPECT_NO_THROW(fe::reduce(fe::parse_deck(two_plane_blocks(4, 4, -1e-3, false)), meant));
    expect_refused(two_plane_blocks(4, 4, 1, false), of_pair("ABOVE", "BELOW"), "do not face each other within");
    expect_refused(two_plane_blocks(4, 4, 0, false), of_pair("ABOVE", "NOWHERE"), "there is no surface 'NOWHERE'");
    expect_refused(two_plane_blocks(4, 4, 0, false), of_pair("ABOVE", "ABOVE"), "");
    auto twice = of_pair("ABOVE", "BELOW");
    twice.pairs.push_back({.name = "again", .first = "ABOVE", .second = "BELOW"});
    expect_refused(two_plane_blocks(4, 4, 0, false), twice, "on the first surface of two pairs");
    expect_refused(two_plane_blocks(4, 4, 0, false), fe::ReduceOptions(), "contact pairs is needed");
}

}  // namespace
}  // namespace faying
