// [S3] Eqs. 4.12-4.20 and Appendices E, I, J: what the printed two-state parameters say of the loops.

#include "faying/laws/two_state.hpp"

#include "faying/laws/check.hpp"
#include "faying/laws/cycle.hpp"
#include "faying/laws/two_state_increment.hpp"
#include "published/scoreboard.hpp"
#include "turning_points.hpp"

namespace {

using namespace faying::laws;
using faying::tests::expect_row;
using Parameters = TwoStateParameters<double>;  // alpha, sigma, b1, b2, ks, mu

const std::vector<Parameters> table_E = {{0.2222, 0.1425, 0.2047, 0.2458, -0.2481, 0.0176},
                                         {0.1879, 0.0047, 0.0175, 0.3734, 0.1515, 0.1164},
                                         {1.4728, 0.9925, -1.7047, -1.4578, 2.5444, 0.1506},
                                         {2.4733, 0.0707, 0.6868, -1.0032, -0.0319, 0.2039},
                                         {0.3736, 0.0152, 1.2695, -0.2733, 3.8860, 0.0503}};

/// [S3] Eqs. 4.18-4.19.
Parameters normalised(double alpha, double sigma) {
    return {
        alpha, sigma, std::sqrt(alpha * (1 - alpha) / (1 - sigma)), std::sqrt(alpha * (alpha - sigma) / (1 - sigma)),
        0,     1};
}

const std::vector<Parameters> table_J3 = {normalised(0.7223, 0.0627), normalised(0.6818, 0.1206),
                                          normalised(0.6554, 0.0587), normalised(0.6267, 0.0898),
                                          normalised(0.6584, 0.0597), normalised(0.6223, 0.0872)};

/// What the law itself does between -far and far: measured, not the formulas.
struct Saturated {
    double slope, half_gap;  ///< of the branches where they cross u = 0
    double stick_slope;      ///< just after a reversal
    TwoState<>::Vector c;    ///< alpha q - b u at the end
};
Saturated drive_far(const Parameters& p, double far) {
    const TwoState<> law(p);
    const auto top = law.step(law.virgin(), far), bottom = law.step(top.next, -far);
    const auto falling = law.step(top.next, 0.0), rising = law.step(bottom.next, 0.0);
    const auto q = law.hidden_state(top.next);
    return {rising.tangent,
            0.5 * (rising.force - falling.force),
            law.step(top.next, far - 1e-3).tangent,
            {p.alpha * q[0] - p.b1 * far, p.alpha * q[1] - p.b2 * far}};
}

TEST(PublishedTwoState, AppendixE) {
    std::vector<double> slope, half_gap, saturated, stick, loss, shrink;
    for (const auto& p : table_E) {
        const auto s = drive_far(p, 60);
        slope.push_back(s.slope);
        EXPECT_NEAR(s.slope, 1 + p.ks - (p.b1 * p.b1 + p.b2 * p.b2) / p.alpha, 1e-12);
        half_gap.push_back(s.half_gap);
        EXPECT_NEAR(s.half_gap, std::sqrt(p.mu * (p.sigma * p.b1 * p.b1 + p.b2 * p.b2)) / p.alpha, 1e-12);
        EXPECT_DOUBLE_EQ(s.stick_slope, 1 + p.ks);
        saturated.insert(saturated.end(), s.c.begin(), s.c.end());

        // Sane loops: nothing that check_law can find, and less dissipation at less amplitude (Figs. 3.7(c)). The
        // amplitudes of the figures are not printed; five times where the virgin law starts to slip shows a full loop.
        const TwoState<> law(p);
        const double reach = std::sqrt(p.mu / (p.b1 * p.b1 / p.sigma + p.b2 * p.b2));
        stick.push_back(reach);
        EXPECT_EQ(law.step(law.virgin(), 0.999 * reach).dissipated, 0);
        EXPECT_GT(law.step(law.virgin(), 1.001 * reach).dissipated, 0);
        for (const auto& f : check_law(law, {.amplitude = 5 * reach}))
            ADD_FAILURE() << f.invariant << ": " << f.evidence;
        const double full = steady_cycle(law, 5 * reach).dissipation;
        loss.push_back(full);
        for (const double part : {0.85, 0.70}) shrink.push_back(steady_cycle(law, part * 5 * reach).dissipation / full);
        EXPECT_GT(full, 0);
    }
    expect_row("E1", slope);
    expect_row("E2", half_gap);
    expect_row("E3", saturated);
    expect_row("E4", stick);
    expect_row("E5", loss);
    expect_row("E6", shrink);
}

TEST(PublishedTwoState, NormalisedFamily) {
    const auto lap = normalised(2.0 / 3, 1.0 / 16);
    expect_row("4a", {lap.b1, lap.b2});
    double worst_slope = 0, worst_gap = 0, worst_start = 0;
    auto all = table_J3;
    all.push_back(lap);
    all.push_back(normalised(0.5, 0.49));  // Fig. 4.7
    for (const auto& p : all) {
        const auto s = drive_far(p, 60);
        worst_slope = std::max(worst_slope, std::abs(s.slope));
        worst_gap = std::max(worst_gap, std::abs(2 * s.half_gap - 2));
        worst_start = std::max(worst_start, std::abs(s.stick_slope - 1));
    }
    expect_row("4b", {worst_slope, worst_gap, worst_start});
    const auto fig47 = normalised(0.5, 0.49);
    expect_row("4c", {fig47.b1, fig47.b2, steady_cycle(TwoState<>(fig47), 5.0).dissipation});
}

/// Dissipation over the second 2 s, by when every one of these loops repeats to round-off.
double per_two_seconds(const Parameters& p, const faying::tests::TwoSines& u) {
    const TwoState<> law(p);
    auto z = law.virgin();
    for (const double x : u.turns(0, 2)) z = law.step(z, x).next;
    const double before = z.dissipated;
    for (const double x : u.turns(2, 4)) z = law.step(z, x).next;
    return z.dissipated - before;
}

TEST(PublishedTwoState, Table41) {
    // fbar = a0 f - a1 u and ubar = a2 u, so that Int f du = Int fbar dubar/(a0 a2), in kN mm = J.
    const double pi = std::numbers::pi, a0 = 11.1266, a2 = 1.1255;
    std::vector<double> joules;
    for (const auto& [second, times] :
         std::vector<std::pair<double, double>>{{1, 8}, {1, 9}, {0.8, 10}, {0.8, 11}, {0.6, 12}, {0.6, 13}})
        joules.push_back(per_two_seconds(normalised(2.0 / 3, 1.0 / 16), {2 * a2, 2 * pi, second * a2, times * pi}) /
                         (a0 * a2));
    expect_row("4d", joules);
}

TEST(PublishedTwoState, TableJ3) {
    std::vector<double> b1, b2;
    for (const auto& p : table_J3) {
        b1.push_back(p.b1);
        b2.push_back(p.b2);
    }
    expect_row("J1", b1);
    expect_row("J2", b2);
    const std::vector<std::array<double, 2>> scales = {{3.3689, 0.7565}, {5.0186, 1.0560}, {4.5717, 1.1333},
                                                       {6.4280, 1.1111}, {4.2293, 1.1224}, {4.1501, 1.1429}};
    std::vector<double> joules;
    for (int i = 0; i < 6; ++i) {
        const auto [a0, a2] = scales[i];
        const double pi = std::numbers::pi, second = i % 2 ? 0.6 : 1, times = i % 2 ? 12 : 8;
        joules.push_back(per_two_seconds(table_J3[i], {2 * a2, 2 * pi, second * a2, times * pi}) / (a0 * a2) / 2);
    }
    expect_row("J3", joules);
}

TEST(PublishedTwoState, AppendixI) {
    // c at u = 60 against c_s = -A b/sqrt(b.A b), and eta there against b/|b|, every printed parameter set
    double worst_c = 0, worst_eta = 0;
    auto all = table_E;
    all.insert(all.end(), table_J3.begin(), table_J3.end());
    all.push_back(normalised(2.0 / 3, 1.0 / 16));
    for (const auto& p : all) {
        const auto c = drive_far(p, 60).c;
        const TwoStateIncrement<SlipDirection::eigenproblem> thesis(p);
        const Eigen::Vector2d now(c[0], c[1]), b(p.b1, p.b2);
        worst_c = std::max(worst_c, (now - thesis.saturated()).norm() / thesis.saturated().norm());
        worst_eta = std::max(worst_eta, (thesis.by_eigenproblem(now) - b.normalized()).norm());
    }
    expect_row("I1", {worst_c});
    expect_row("I2", {worst_eta});
}

}  // namespace
