// The three masses of [S2] against states computed independently (tests/reference/three_mass.json).
#include <gtest/gtest.h>

#include "faying/transient/simulate.hpp"
#include "reference.hpp"
#include "three_masses.hpp"

using namespace faying;
using namespace faying::transient;

namespace {

struct Want {
    std::vector<double> times;
    std::vector<Eigen::VectorXd> q, v;
};

Want wanted(const nlohmann::json& states, double latest) {
    Want w;
    std::map<double, nlohmann::json> sorted;
    for (const auto& [time, state] : states.items()) sorted[std::stod(time)] = state;
    for (const auto& [time, state] : sorted) {
        if (time > latest) continue;
        w.times.push_back(time);
        w.q.push_back(tests::vector(state["q"]));
        w.v.push_back(tests::vector(state["qdot"]));
    }
    return w;
}

/// Largest difference of q and q' over the given times.
double largest_difference(const nlohmann::json& run, const std::string& law, const Want& want, Options options) {
    const auto model = tests::three_masses(law);
    const Excitation hit{{tests::vector(run["force_vec"]), half_sine(1.0, run["omega_pulse"])}};
    options.duration = want.times.back();
    options.samples = want.times;
    Simulation simulation(model, hit, {}, options);
    const Eigen::MatrixXd signs = tests::reference_signs(model);
    double worst = 0;
    std::size_t i = 0;
    simulation.to_end({}, [&](const Snapshot& s) {
        worst = std::max(worst, (signs * s.q - want.q[i]).cwiseAbs().maxCoeff());
        worst = std::max(worst, (signs * s.q_velocity - want.v[i]).cwiseAbs().maxCoeff());
        ++i;
    });
    EXPECT_EQ(i, want.times.size());
    return worst;
}

}  // namespace

// An implementation in 80-bit arithmetic differs from the reference by 2.8e-11, 2.1e-10 and 4.85e-9 at t = 10, 100 and
// 1000, and from ours by less than 1e-11: the bound, 1e-8 of the motion's size (14), is the reference's own error.
TEST(ThreeMass, SlidersWithNewmark) {
    for (const char* name : {"impact_mass2_p30", "selective_mode2_p9_phi02"}) {
        const auto& run = tests::reference("three_mass")["states"][name];
        const Want want = wanted(run["newmark_N200_geom1p05_dt0p02"], 4000);
        EXPECT_LT(largest_difference(run, "iwan4-sliders", want, {.step = 0.02, .energy = false}), 14e-8) << name;
    }
}

TEST(ThreeMass, ContinuumWithEvents) {
    for (const char* name : {"impact_mass2_p30", "selective_mode2_p9_phi02"}) {
        const auto& run = tests::reference("three_mass")["states"][name];
        const Want want = wanted(run["continuum_converged"], 4000);
        EXPECT_LT(largest_difference(run, "iwan4", want, {.method = Method::events, .step = 1.0, .tolerance = 1e-13}),
                  1e-7)
            << name;
    }
}
