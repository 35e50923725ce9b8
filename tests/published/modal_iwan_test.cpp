// [S2] 3.1: three masses, modal Iwan models and impacts (examples/three_masses/modal_iwan.toml).

#include <map>

#include "faying/modal/study.hpp"
#include "faying/modes/linear.hpp"
#include "published/scoreboard.hpp"
#include "transient/three_masses.hpp"

namespace {

using namespace faying;
using namespace faying::modal;
using tests::expect_row;

modal::Study study_of_the_paper() {
    Study study;
    const auto levels = [](const std::vector<double>& slip, const std::vector<double>& stuck) {
        std::vector<Level> all;
        for (const double p : slip) all.push_back({p, true});
        for (const double p : stuck) all.push_back({p, false});
        return all;
    };
    study.modes = {{1, levels({6000, 3000, 1000, 450, 150}, {33, 10, 3.4, 1})},
                   {2, levels({50000, 10000, 3400, 200}, {9, 3, 0.8, 0.2, 0.04})},
                   {3, levels({200000, 75000, 15000, 5600, 150}, {12, 2, 0.38, 0.192, 0.096})}};
    study.points = {1, 2, 3};
    study.impacts = {150000, 50000, 15000, 5000, 500, 30, 10, 3, 1};
    study.pulse_mode = 3;
    study.duration = 4000;
    study.step = 0.1;
    return study;
}

const StudyResult& result() {
    static const StudyResult r = run_study(tests::three_masses(), study_of_the_paper(), {});
    return r;
}

const RingDown& impact(int mode, int point, double p) {
    for (const auto& ring : result().impacts)
        if (ring.mode == mode && ring.point == point && ring.p == p) return ring;
    throw std::runtime_error("no such run");
}

TEST(PublishedModalIwan, Table1) {
    const auto model = tests::three_masses();
    const auto modes = modes::linear_modes(model.mass, structure::stuck_stiffness(model));
    expect_row("L1a", {modes.omega(0), modes.omega(1), modes.omega(2)});
    const char* rows[] = {"L1b", "L1c", "L1d"};
    for (Eigen::Index r = 0; r < 3; ++r) {
        const double sign = tests::reference("three_mass")["Phi0_columns_by_row"][0][std::size_t(r)].get<double>() *
                                        modes.shapes(0, r) >
                                    0
                                ? 1
                                : -1;
        expect_row(rows[r], {sign * modes.shapes(0, r), sign * modes.shapes(1, r), sign * modes.shapes(2, r)});
    }
}

void table3() {
    const char* rows[] = {"L3a", "L3b", "L3c"};
    const double kt[] = {1.917e-3, 7.843e-2, 0.1196}, k_infinity[] = {0.1782, 1.399, 2.922};
    for (std::size_t m = 0; m < 3; ++m) {
        const auto& fit = result().modes[m].fit;
        EXPECT_TRUE(fit.converged);
        EXPECT_NEAR(fit.mode.KT, kt[m], 0.02 * kt[m]);
        EXPECT_NEAR(fit.mode.k_infinity, k_infinity[m], 0.02 * k_infinity[m]);
        expect_row(rows[m],
                   {fit.mode.k_infinity, fit.mode.zeta0, fit.mode.FS, fit.mode.KT, fit.mode.chi, fit.mode.beta});
    }
}

void damping_rises_in_microslip() {
    std::vector<double> factors;
    for (const auto& m : result().modes)
        factors.push_back(m.fit.mode.at(m.fit.mode.macroslip()).zeta / m.fit.mode.zeta0);
    expect_row("L4a", factors);
}

void impact_at_mass_two() {
    const ModalIwan table3{1.399, 1e-4, 2.877, 7.843e-2, -0.5150, 5.614};
    const double with_table3 = ratio_at(impact(2, 2, 30), table3, 0.5);
    EXPECT_NEAR(with_table3, 1.67, 0.02);
    expect_row("L5a", {with_table3});
    expect_row("L5c", {ratio_at(impact(2, 2, 30), result().modes[1].fit.mode, 0.5)});
    double first = 0, third = 0;
    for (const auto& c : result().comparisons)
        if (c.point == 2 && c.regime == Regime::microslip) {
            if (c.mode == 1) first = std::max(first, c.mean_ratio);
            if (c.mode == 3) third = std::max(third, c.mean_ratio);
        }
    expect_row("L5b", {100 * (first - 1), 100 * (third - 1)});
}

void dominant_modes() {
    double micro = 0, micro_count = 0, macro = 0, macro_count = 0;
    for (const auto& c : result().comparisons) {
        if (!c.dominant) continue;
        if (c.regime == Regime::microslip) micro += c.mean_ratio - 1, micro_count += 1;
        if (c.regime == Regime::macroslip) macro += 1 / c.mean_ratio - 1, macro_count += 1;
    }
    expect_row("L6a", {100 * micro / micro_count, 100 * macro / macro_count});
    for (const auto& c : result().comparisons)
        if (c.mode == 1 && c.point == 1 && c.p == 15000)
            expect_row("L6b", {impact(1, 1, 15000).points.front().q, 1 / c.first_ratio});
}

// One test: ctest runs each in a process of its own, and the study takes a while.
TEST(PublishedModalIwan, ThreeMasses) {
    table3();
    damping_rises_in_microslip();
    impact_at_mass_two();
    dominant_modes();
}

}  // namespace
