// What commands do, from C++: a request in, an answer that shows itself out.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/network/generators.hpp"
#include "faying/results/backbone.hpp"
#include "faying/results/geometric.hpp"
#include "faying/results/harmonic.hpp"
#include "faying/results/loops.hpp"
#include "faying/results/network.hpp"
#include "faying/results/preload.hpp"
#include "faying/results/simulate.hpp"
#include "faying/signal/ring_down.hpp"
#include "faying/structure/fingerprint.hpp"

namespace faying {
namespace {

structure::Model chain(const laws::Law& law) {
    structure::Model model;
    model.mass = 10 * Eigen::MatrixXd::Identity(2, 2);
    model.stiffness.resize(2, 2);
    model.stiffness << 18, -9, -9, 9;
    model.damping_ratio = 1e-3;
    Eigen::VectorXd direction(2);
    direction << -1, 1;
    model.joints = {structure::single_site("lap", law, direction)};
    model.outputs = {{"tip", Eigen::Vector2d(0, 1)}};
    return model;
}

const laws::Law jenkins("jenkins", {{"kt", 2}, {"fs", 1}});

TEST(Words, NumbersAndKeysAreAllUsedOrComplainedAbout) {
    EXPECT_EQ(core::parse_numbers("0,1,-0.5", "x"), (std::vector<double>{0, 1, -0.5}));
    const auto q = core::log_spaced("0.1:100:4", "x");
    ASSERT_EQ(q.size(), 4u);
    EXPECT_NEAR(q[1], 1, 1e-15);
    EXPECT_EQ(q.back(), 100);
    core::Words words("load", "at=2,p=3;4");
    EXPECT_EQ(words.index("at"), 2);
    EXPECT_THROW(words.finish(), core::BadInput);  // p is left
    EXPECT_EQ(words.vector("p"), Eigen::Vector2d(3, 4));
    EXPECT_NO_THROW(words.finish());
    for (const char* bad : {"1:0:3", "0:1:3", "1:2:1", "1:2"}) EXPECT_THROW(core::log_spaced(bad, "x"), core::BadInput);
}

TEST(SuitedOptions, FollowTheLaws) {
    EXPECT_EQ(modes::suited_options(chain(jenkins)).framework, modes::Framework::masing);
    const laws::Law pinched("pinched", {{"K0", 2}, {"theta_m", 1}, {"beta", 0.5}, {"eps", 0.1}});
    ASSERT_FALSE(pinched.masing());
    EXPECT_EQ(modes::suited_options(chain(pinched)).framework, modes::Framework::loops);
    const auto chosen = modes::suited_options(chain(jenkins), modes::Framework::loops, modes::Dissipation::modal);
    EXPECT_EQ(chosen.framework, modes::Framework::loops);
    EXPECT_EQ(chosen.dissipation, modes::Dissipation::modal);
}

TEST(Backbone, TheAnswerIsThatOfTheAnalysisInEveryForm) {
    const auto model = chain(jenkins);
    const auto run = results::backbone(model, {.mode = 1, .amplitudes = {0.5, 5}, .output = "tip"});
    const auto points = modes::backbone(model, 1, {0.5, 5}, run.options);
    const auto data = json(run);
    const auto columns = table(run);
    ASSERT_EQ(columns.columns[0].size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(run.points[i].omega, points[i].omega);
        EXPECT_EQ(data["points"][i]["zeta"].get<double>(), points[i].zeta);
        EXPECT_EQ(io::column(columns, "displacement", "")[i],
                  modes::amplitude_of(points[i], model.outputs[0].row, modes::Quantity::displacement));
    }
    EXPECT_EQ(data["framework"], "masing");
    EXPECT_EQ(figure(run).details.size(), 2u);  // loops behind every point
    EXPECT_NO_THROW(run.require_converged());
    EXPECT_THROW(results::backbone(model, {.mode = 1, .amplitudes = {1}, .output = "no"}), core::BadInput);
}

TEST(Loops, RefinedPathsEndAtThePoints) {
    const auto fine = results::refined({1, -1}, 4);
    EXPECT_EQ(fine, (std::vector<double>{0.25, 0.5, 0.75, 1, 0.5, 0, -0.5, -1}));
    const auto runs = results::follow({jenkins}, results::input_from_path("1,-1"));
    EXPECT_EQ(runs.runs[0].history.f, (std::vector<double>{1, -1}));
    EXPECT_EQ(figure(runs).panels[0].curves[0].marks, (std::vector<std::size_t>{59, 119}));
}

TEST(Fingerprint, TellsModelsApart) {
    const auto model = chain(jenkins);
    EXPECT_EQ(structure::fingerprint(model), structure::fingerprint(chain(jenkins)));
    EXPECT_NE(structure::fingerprint(model), structure::fingerprint(chain({"jenkins", {{"kt", 2}, {"fs", 1.1}}})));
}

/// A ring-down of known frequency and damping, with a second mode far away that the band takes out.
TEST(RingDown, ThePipelineFindsWhatWasPutIn) {
    constexpr double omega = 2 * std::numbers::pi * 20, zeta = 2e-3;
    signal::Record record{0, 1e-3, {}};
    for (int i = 0; i < 20000; ++i) {
        const double t = 1e-3 * i;
        record.values.push_back(std::exp(-zeta * omega * t) * std::cos(omega * std::sqrt(1 - zeta * zeta) * t) +
                                0.2 * std::cos(2 * std::numbers::pi * 150 * t));
    }
    signal::RingDownOptions options;
    options.band = {15, 25, 4};
    options.settled = 1e-3;  // what is left of the ends bounds what is found
    options.to = 8;
    const auto found = signal::ring_down(record, options, "made");
    ASSERT_GT(found.points.size(), 3u);
    for (const auto& p : found.points) {
        EXPECT_NEAR(p.omega / omega, 1, 1e-4);
        EXPECT_NEAR(p.zeta / zeta, 1, 0.02);
    }
    options.band = {15, 900, 4};
    EXPECT_THROW(signal::ring_down(record, options, "made"), core::BadInput);  // beyond Nyquist
    options.band = {19.99, 20.01, 4};
    EXPECT_THROW(signal::ring_down(record, options, "made"), core::BadInput);  // the filter outlasts the record
}

/// Stopped and gone on with, the record is that of a run that never was.
TEST(Simulate, AStoppedRunGoesOnToTheSameRecord) {
    const auto folder = std::filesystem::temp_directory_path() / "faying_results_test";
    std::filesystem::create_directories(folder);
    results::SimulateRequest request;
    request.loads = {{"impulse", "at=2,p=3,omega=1"}};
    request.run.duration = 40;
    request.run.step = 0.05;
    request.run.samples = {40};
    request.record = true;
    const auto whole = results::simulate(chain(jenkins), request);
    ASSERT_TRUE(whole.ended);
    request.out = (folder / "run.h5").string();
    const auto part = results::simulate(chain(jenkins), request, {.go_on = [](double share) { return share < 0.4; }});
    EXPECT_FALSE(part.ended);
    request.resume = true;
    std::vector<double> missing, missing_anew;  // rows of earlier sessions come again, with all that they had
    const auto rest = results::simulate(chain(jenkins), request,
                                        {.row = [&](const auto& s) { missing.push_back(s.energy.missing()); }});
    ASSERT_TRUE(rest.ended);
    EXPECT_EQ(rest.record, whole.record);
    EXPECT_EQ(rest.samples.at(0).displacement, whole.samples.at(0).displacement);
    EXPECT_EQ(rest.samples.at(0).energy.joint_work, whole.samples.at(0).energy.joint_work);
    request.out.clear();
    request.resume = false;
    results::simulate(chain(jenkins), request,
                      {.row = [&](const auto& s) { missing_anew.push_back(s.energy.missing()); }});
    EXPECT_EQ(missing, missing_anew);
    std::filesystem::remove_all(folder);
}

/// A start that is no words needs a name by which its record is known again.
TEST(Simulate, ARecordIsKnownByWhatWasGiven) {
    const auto folder = std::filesystem::temp_directory_path() / "faying_results_given_test";
    std::filesystem::create_directories(folder);
    results::SimulateRequest request;
    request.start = transient::Start{Eigen::Vector2d(1, 0), {}, false};
    request.run.duration = 4;
    request.run.step = 0.05;
    request.out = (folder / "run.h5").string();
    EXPECT_THROW(results::simulate(chain(jenkins), request), core::BadInput);
    request.given = "one";
    EXPECT_TRUE(results::simulate(chain(jenkins), request).ended);
    request.resume = true;
    EXPECT_TRUE(results::simulate(chain(jenkins), request).ended);
    request.given = "another";
    EXPECT_THROW(results::simulate(chain(jenkins), request), core::BadInput);
    std::filesystem::remove_all(folder);
}

TEST(Preload, NeedsALoad) {
    EXPECT_THROW(results::preload(chain(jenkins)), core::BadInput);
    auto model = chain(jenkins);
    model.static_force = Eigen::Vector2d(0, 1);
    const auto rest = results::preload(model);
    // The force goes through both springs; the joint sticks beside the second.
    EXPECT_NEAR(rest.prestress.u(0), 1.0 / 9, 1e-12);
    EXPECT_NEAR(rest.prestress.u(1) - rest.prestress.u(0), 1.0 / 11, 1e-12);
    EXPECT_EQ(rest.states[0][0].status, modes::SiteStatus::stuck);
    EXPECT_EQ(json(rest)["dofs"].size(), 2u);
}

/// A linear chain has the same mode at every amplitude, and a response that peaks where it is.
TEST(Harmonic, ALinearModeKeepsItsFrequency) {
    const auto model = chain({"polynomial", {{"k1", 2.0}}});
    const auto run = results::epmc(model, {.mode = 1, .amplitudes = {0.1, 1, 10}});
    run.require_converged();
    for (const auto& p : run.points) EXPECT_NEAR(p.omega, run.points[0].omega, 1e-9);
    EXPECT_EQ(table(run).columns[0].size(), 3u);

    results::ResponseRequest request;
    request.task.load.shape = Eigen::VectorXd::Unit(2, 0);
    request.task.from = 0.9 * run.points[0].omega;
    request.task.to = 1.1 * run.points[0].omega;
    request.task.at = {run.points[0].omega};
    request.levels = {1, 2};
    request.only_asked = true;
    const auto forced = results::response(model, request);
    forced.require_converged();
    ASSERT_EQ(forced.levels.size(), 2u);
    ASSERT_EQ(forced.levels[1].points.size(), 1u);
    EXPECT_NEAR(forced.levels[1].points[0].a / forced.levels[0].points[0].a, 2, 1e-8);
    EXPECT_EQ(json(forced)["points"].size(), 2u);
    EXPECT_FALSE(figure(forced).panels.empty());
    request.outputs = {"nowhere"};
    EXPECT_THROW(results::response(model, request), core::BadInput);
}

TEST(Geometric, AmplitudesAreEvenlySpacedWithoutRest) {
    EXPECT_EQ(results::even_amplitudes("1:3:3", false, "--range"), (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(results::even_amplitudes("8", false, "--range"), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(results::even_amplitudes("-1:1:3", true, "--range"), (std::vector<double>{-1, 1}));
    EXPECT_THROW(results::even_amplitudes("3:1:3", false, "--range"), core::BadInput);
}

/// Along a path with its energy accounted for, and with fewer states at a known error.
TEST(Network, FollowsALoadAndIsCondensed) {
    const auto net = network::random_network(40, 7);
    const auto run = results::follow_network(net, results::input_from_path("0,1,-0.5"));
    EXPECT_EQ(table(run).columns[0].size(), 3u);
    EXPECT_LT(run.history.energy_balance, 1e-10);
    EXPECT_THROW(results::follow_network(net, results::input_from_path("0:0:1,1:0:1")), core::BadInput);
    const auto small = results::condense_network(net, {.condense = {.states = 3}, .curve = {1, 2}});
    EXPECT_EQ(small.made.law.states(), 3);
    EXPECT_EQ(small.curve.size(), 2u);
    EXPECT_LT(results::worst_of(small.unseen).force, 0.5);
    EXPECT_EQ(json(small)["curve"].size(), 2u);
    EXPECT_NE(law_text(small).find("40 sliders"), std::string::npos);
}

}  // namespace
}  // namespace faying
