// [S3] Appendix F: dissipation per cycle of Bouc-Wen and of the two-state law.

#include "faying/laws/catalogue.hpp"
#include "faying/laws/two_state_increment.hpp"
#include "published/scoreboard.hpp"
#include "reference.hpp"
#include "turning_points.hpp"

namespace {

using namespace faying::laws;
using faying::tests::expect_row;
using faying::tests::reference;
using faying::tests::TwoSines;

const double pi = std::numbers::pi;
const TwoSines one{1, 2 * pi}, two{1, 2 * pi, 0.6, 8 * pi};
const TwoStateParameters<double> printed{3.3311, 0.1524, 1.1334, 1.4232, 0.2942, 1};

/// Work in the two halves of the twelfth cycle, by when both laws repeat to round-off.
std::array<double, 2> steady_halves(const Law& law, const TwoSines& u) {
    std::vector<double> path;
    std::vector<std::size_t> ends;
    for (int half = 0; half < 24; ++half) {
        for (const double x : u.turns(0.5 * half, 0.5 * (half + 1))) path.push_back(x);
        path.back() = 0.0;  // u(half/2), without the sine's round-off
        ends.push_back(path.size() - 1);
    }
    const auto h = law.follow(path);
    return {h.work[ends[22]] - h.work[ends[21]], h.work[ends[23]] - h.work[ends[22]]};
}

double steady_work(const Law& law, const TwoSines& u) {
    const auto [first, second] = steady_halves(law, u);
    return first + second;
}

/// The fourth cycle as the thesis steps it, dt apart, and the trapezoid rule for the work.
double stepped_work(const TwoSines& u, double dt) {
    const TwoStateIncrement<SlipDirection::eigenproblem> law(printed);
    auto z = law.virgin();
    const int a_cycle = static_cast<int>(std::lround(1 / dt));
    double work = 0, force = 0;
    for (int i = 1; i <= 4 * a_cycle; ++i) {
        const auto s = law.step(z, u(i * dt));
        if (i > 3 * a_cycle) work += 0.5 * (force + s.force) * (s.next.u - z.u);
        force = s.force;
        z = s.next;
    }
    return work;
}

TEST(PublishedAppendixF, DissipationPerCycle) {
    const Law bouc_wen("bouc-wen", {{"A", 1}, {"alpha", 0.8}, {"beta", -0.2}, {"n", 1}});
    const Law two_state("two-state", {{"mu", printed.mu},
                                      {"sigma", printed.sigma},
                                      {"alpha", printed.alpha},
                                      {"b1", printed.b1},
                                      {"b2", printed.b2},
                                      {"ks", printed.ks}});
    const double bw1 = steady_work(bouc_wen, one), ts1 = steady_work(two_state, one);
    const double bw2 = steady_work(bouc_wen, two), ts2 = steady_work(two_state, two);
    expect_row("F1", {bw1});
    expect_row("F2", {ts1});
    expect_row("F3", {100 * (bw1 - ts1) / ts1});
    expect_row("F4", {bw2});
    expect_row("F5", {ts2});
    expect_row("F6", {100 * (bw2 - ts2) / ts2});
    expect_row("F7", {bw2, ts2});
    expect_row("F8", {(bw2 - ts2) / ts2 / ((bw1 - ts1) / ts1)});
    const auto bw = steady_halves(bouc_wen, two), ts = steady_halves(two_state, two);
    expect_row("F11", {bw[0], bw[1], ts[0], ts[1]});
    const auto data = reference("low_dimensional")["appendix_F"]["per_cycle_k1_to_12"];
    EXPECT_RELATIVE(bw1, data["single"]["BW"][11].get<double>(), 1e-12);
    EXPECT_RELATIVE(ts1, data["single"]["two_state"][11].get<double>(), 1e-12);
    EXPECT_RELATIVE(bw2, data["two"]["BW"][11].get<double>(), 1e-12);
    EXPECT_RELATIVE(ts2, data["two"]["two_state"][11].get<double>(), 1e-12);
}

TEST(PublishedAppendixF, IncrementsOfTheThesis) {
    expect_row("F9", {stepped_work(one, 0.02), stepped_work(one, 0.01), stepped_work(one, 0.001)});
    expect_row("F10", {stepped_work(two, 0.02), stepped_work(two, 0.01), stepped_work(two, 0.001)});
}

}  // namespace
