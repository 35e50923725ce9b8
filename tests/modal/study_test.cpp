#include "faying/modal/study.hpp"

#include <gtest/gtest.h>

#include <map>

#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"
#include "transient/three_masses.hpp"

using namespace faying;
using namespace faying::modal;

namespace {

Study small() {
    Study study;
    study.modes = {{2, {{3000, true}, {400, true}, {20}, {3}}}};
    study.places = {{.dof = 1, .pulse_mode = 3, .levels = {{3}}}};
    study.duration = 800;
    study.step = 0.2;
    study.segments = 12;
    study.tolerance = 1e-7;
    return study;
}

void expect_same(const StudyResult& a, const StudyResult& b) {
    EXPECT_EQ(a.modes[0].fit.mode.KT, b.modes[0].fit.mode.KT);
    EXPECT_EQ(a.modes[0].fit.mode.chi, b.modes[0].fit.mode.chi);
    ASSERT_EQ(a.comparisons.size(), b.comparisons.size());
    EXPECT_EQ(a.comparisons[0].mean_ratio, b.comparisons[0].mean_ratio);
    EXPECT_EQ(a.modes[0].model_difference, b.modes[0].model_difference);
}

}  // namespace

TEST(ModalStudy, SameBitsOnAnyThreadsAndFromAStore) {
    const auto model = tests::three_masses();
    std::map<std::string, std::vector<RingDown>> kept;
    RunOptions storing;
    storing.threads = 1;
    storing.store = {[&](const std::string& name, std::vector<RingDown>& run) {
                         const auto found = kept.find(name);
                         if (found == kept.end()) return false;
                         run = found->second;
                         return true;
                     },
                     [&](const std::string& name, const std::vector<RingDown>& run) { kept[name] = run; }};
    // Stopped after three runs: the next call takes them up.
    storing.progress = [](std::size_t done, std::size_t) { return done < 3; };
    EXPECT_THROW(run_study(model, small(), storing), core::Interrupted);
    EXPECT_EQ(kept.size(), 3u);
    storing.progress = {};
    const auto resumed = run_study(model, small(), storing);
    EXPECT_EQ(kept.size(), 9u);  // four levels, one impact, four of the fitted model
    RunOptions threads;
    threads.threads = 3;
    expect_same(resumed, run_study(model, small(), threads));

    const auto& mode = resumed.modes[0];
    EXPECT_NEAR(mode.fit.mode.k_infinity / (mode.omega_infinity * mode.omega_infinity), 1, 2e-3);
    EXPECT_NEAR(mode.fit.mode.omega0() / mode.omega0, 1, 2e-3);
    for (const auto& ring : mode.selective) EXPECT_LT(ring.energy_error, 1e-5);
    EXPECT_EQ(resumed.comparisons[0].regime, Regime::microslip);
    EXPECT_GT(resumed.comparisons[0].mean_ratio, 1);  // other modes stir the joint: more damping than the mode alone
}

/// Valanis' law only tends to slip: what regime a run is in is not known, and is not called microslip.
TEST(ModalStudy, SaysWhenALawHasNoMacroslip) {
    auto model = tests::three_masses();
    model.joints[0].law = laws::Law("valanis", {{"E0", 1}, {"Et", 0}, {"lambda", 0.1}, {"kappa", 0.5}});
    const auto result = run_study(model, small(), {});
    ASSERT_FALSE(result.comparisons.empty());
    for (const auto& ring : result.modes[0].selective) EXPECT_FALSE(ring.joint_reach.has_value());
    EXPECT_EQ(result.comparisons[0].regime, Regime::unknown);
    EXPECT_STREQ(name(Regime::unknown), "unknown");
}

TEST(ModalStudy, BadStudiesAreRefused) {
    const auto model = tests::three_masses();
    auto study = small();
    study.modes[0].mode = 4;
    EXPECT_THROW(run_study(model, study, {}), core::BadInput);
    study = small();
    study.places[0].levels.clear();
    EXPECT_THROW(run_study(model, study, {}), core::BadInput);
    study = small();
    study.places[0].dof = 0;
    study.places[0].output = "nose";
    EXPECT_THROW(run_study(model, study, {}), core::BadInput);
    study = small();
    study.step = 0;
    EXPECT_THROW(run_study(model, study, {}), core::BadInput);
}

/// An output is struck as the DOF it reads, and a level may have a duration of its own.
TEST(ModalStudy, PlacesByNameAndLevelsWithTheirOwnDuration) {
    auto model = tests::three_masses();
    model.outputs.push_back({"nose", Eigen::Vector3d(1, 0, 0)});
    auto study = small();
    study.modes = {{2, {{20}, {3, false, 400, 0.1}}}};
    study.places.push_back({.output = "nose", .pulse_mode = 3, .levels = {{3}, {3, false, 400, 0.1}}});
    const auto result = run_study(model, study, {});
    ASSERT_EQ(result.impacts.size(), 3u);
    EXPECT_EQ(result.impacts[0].place, "DOF 1");
    EXPECT_EQ(result.impacts[1].place, "nose");
    ASSERT_EQ(result.impacts[0].points.size(), result.impacts[1].points.size());
    EXPECT_EQ(result.impacts[0].points.back().zeta, result.impacts[1].points.back().zeta);
    EXPECT_GT(result.impacts[2].points.back().q, 1.02 * result.impacts[1].points.back().q);  // ended earlier
}
