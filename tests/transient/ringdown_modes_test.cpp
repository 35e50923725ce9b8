// RQNMA against what the mode does: a converged ring-down of the three masses, released from the mode's shape.
#include <gtest/gtest.h>

#include <numbers>

#include "faying/modes/backbone.hpp"
#include "faying/transient/simulate.hpp"
#include "three_masses.hpp"

using namespace faying;

namespace {

struct Peak {
    double time, size;
};

/// Peaks of a modal coordinate, between snapshots where its velocity changes sign.
std::vector<Peak> peaks(const structure::Model& model, const Eigen::VectorXd& start, Eigen::Index mode, double step,
                        double duration) {
    transient::Simulation run(model, {}, {.displacement = start, .velocity = {}},
                              {.method = transient::Method::events, .duration = duration, .step = step});
    std::vector<Peak> found;
    double q = 0, v = 0, time = -1;
    run.to_end([&](const transient::Snapshot& s) {
        const double q_now = s.q(mode), v_now = s.q_velocity(mode);
        if (time > 0 && v * v_now < 0) {
            const double t = (s.time - time) * v / (v - v_now);
            found.push_back({time + t, std::abs(q + 0.5 * v * t)});
        }
        q = q_now;
        v = v_now;
        time = s.time;
    });
    return found;
}

}  // namespace

/// In microslip two differences are known. RQNMA's frequency is a secant, that of the motion follows the first
/// harmonic: the drops from the stuck frequency differ by the ratio of docs/theory/nonlinear-modes.md. Damping differs
/// by how far a cycle's energy is from omega^2 q^2/2, as much as the frequency's drop.
TEST(RingDown, FollowsTheNonlinearMode) {
    auto model = tests::three_masses();
    model.damping_ratio = 0;
    const int mode = 2;
    const double stuck = modes::backbone(model, mode, {1e-9}).front().omega;
    const double harmonic = 4 / std::sqrt(std::numbers::pi) * std::tgamma(2.0) / std::tgamma(2.5) * 0.6;
    for (const double q : {0.1, 1.0, 3.0}) {
        const auto first = modes::backbone(model, mode, {q}).front();
        const double period = 2 * std::numbers::pi / first.omega;
        const auto found = peaks(model, first.shape * q, mode - 1, period / 200, 32 * period);
        constexpr std::size_t from = 10, to = 50;  // 20 cycles
        ASSERT_GT(found.size(), to);
        const double turns = 0.5 * double(to - from);
        const double omega = 2 * std::numbers::pi * turns / (found[to].time - found[from].time);
        const double zeta = std::log(found[from].size / found[to].size) / (2 * std::numbers::pi * turns);
        const auto mean = modes::backbone(model, mode, {std::sqrt(found[from].size * found[to].size)}).front();
        const double drop = 1 - mean.omega / stuck;
        EXPECT_NEAR((1 - omega / stuck) / drop, harmonic, 0.2 * drop) << q;
        EXPECT_NEAR(zeta / mean.zeta, 1.0, 2 * drop) << q << " drop " << drop;
    }
}
