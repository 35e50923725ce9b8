// [S4] section 2: the original and the generalized Valanis law in the oscillator of Fig. 1, and the closed forms.

#include "faying/laws/catalogue.hpp"
#include "faying/laws/generalized_valanis.hpp"
#include "published/oscillator.hpp"
#include "published/scoreboard.hpp"
#include "reference.hpp"

namespace {

using namespace faying::laws;
using faying::tests::expect_row;
using faying::tests::Motion;
using faying::tests::Oscillator;
using faying::tests::reference;

/// A law on the turning points that the integrator found, from rest, against the integrator's forces there.
template <class Slope>
void expect_same_forces(const Law& law, const Oscillator<Slope>& oscillator, int periods, double tolerance) {
    std::vector<double> x, f;
    oscillator.settle(periods, [&](const Motion& m) {
        x.push_back(m.x);
        f.push_back(m.f);
    });
    const auto h = law.follow(x);
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        worst = std::max(worst, std::abs(h.f[i] - f[i]));
        largest = std::max(largest, std::abs(f[i]));
    }
    EXPECT_LT(worst, tolerance * largest) << law.name();
}

template <class Loop>
void expect_loop(const Loop& loop, const nlohmann::json& data, double tolerance) {
    EXPECT_RELATIVE(loop.highest, data["xmax"].get<double>(), tolerance);
    EXPECT_RELATIVE(loop.force_at_highest, data["F_at_xmax"].get<double>(), tolerance);
    EXPECT_RELATIVE(loop.lowest, data["xmin"].get<double>(), tolerance);
    EXPECT_RELATIVE(loop.force_at_lowest, data["F_at_xmin"].get<double>(), tolerance);
    EXPECT_RELATIVE(loop.dissipation, data["D_per_cycle"].get<double>(), tolerance);
    EXPECT_EQ(loop.turns, data["turning_points_in_cycle"].get<int>());
    EXPECT_LT(loop.closure, 1e-9);
}

template <class Loop>
std::vector<double> shown(const Loop& loop) {
    return {loop.highest, loop.force_at_highest, loop.dissipation};
}

TEST(PublishedValanis, Table1) {
    const double E0 = 3000, Et = 100, kappa = 0.1, alpha0 = 1, lambda = E0 / (alpha0 * (1 - kappa * Et / E0));
    const auto joint = [&](double k) {
        return Oscillator([=](double x, double, double f, double s) {
            const double reach = s * lambda / E0 * (Et * x - f);
            return E0 * (1 + reach) / (1 + k * reach);
        });
    };
    const auto first = joint(kappa), second = joint(0);  // case I: g2 = Et x; case II: g2 - f = 0
    const auto one = first.loop(first.settle(100)), two = second.loop(second.settle(100));
    expect_loop(one, reference("generalized_valanis")["valanis_linear_caseI"], 2e-9);
    expect_row("V1", shown(one));
    expect_row("V2", shown(two));
    expect_row("V3", {100 * (two.highest / one.highest - 1), 100 * (two.force_at_highest / one.force_at_highest - 1),
                      100 * (two.dissipation / one.dissipation - 1)});
    expect_same_forces(Law("valanis", {{"E0", E0}, {"Et", Et}, {"lambda", lambda}, {"kappa", kappa}}), first, 100,
                       1e-11);
    expect_same_forces(Law("valanis", {{"E0", E0}, {"Et", Et}, {"lambda", lambda}, {"kappa", 0}}), second, 100, 1e-11);
}

TEST(PublishedValanis, LoopsOfTheExamples) {
    const auto data = reference("generalized_valanis");
    const Oscillator example1([](double x, double, double f, double s) { return 10 + s * (5 * x - 20 * f); });
    const auto one = example1.loop(example1.settle(700));
    expect_loop(one, data["ex1"], 1e-11);
    expect_row("V4", shown(one));
    expect_same_forces(Law("generalized-valanis", {{"E1", 10}, {"E2", 20}, {"a1", 5}}), example1, 200, 1e-11);

    const Oscillator printed(
        [](double x, double v, double f, double s) { return 10 + s * (30 * x + 1400 * x * x * std::abs(v) - 20 * f); });
    const auto lopsided = printed.loop(printed.settle(700));
    expect_row("V5", {lopsided.highest, lopsided.force_at_highest, lopsided.lowest, lopsided.force_at_lowest});
    const Oscillator solved(
        [](double x, double, double f, double s) { return 10 + s * (30 * x + 1400 * x * x * s - 20 * f); });
    const auto even = solved.loop(solved.settle(700));
    expect_row("V6", {even.highest, even.force_at_highest, even.lowest, even.force_at_lowest});
    expect_same_forces(
        Law("generalized-valanis", {{"E1", 10}, {"E2", 20}, {"a1", 30}, {"a3", 1400}, {"a3_down", -1400}}), solved, 200,
        1e-11);

    const Oscillator example3([](double x, double v, double f, double s) {
        return 30 + s * ((5 * x + 3 * std::exp(x) * v) * 1e4 - 500 * f);
    });
    const auto three = example3.loop(example3.settle(200));
    expect_loop(three, data["ex3"], 1e-9);
    expect_row("V7", shown(three));

    const Oscillator example4([](double x, double, double f, double s) {
        return s > 0 ? 10 + 40 * std::sin(x) - 20 * f : 10 - (15 * x - 20 * f);
    });
    const auto four = example4.loop(example4.settle(700));
    expect_row("V8", {four.highest, four.force_at_highest, four.lowest, four.force_at_lowest});
    // sin x to x^5: the next term is 40 x^7/5040, 7e-9 of a slope of 10
    expect_same_forces(Law("generalized-valanis", {{"E1", 10},
                                                   {"E2", 20},
                                                   {"a1", 40},
                                                   {"a6", -40.0 / 6},
                                                   {"a15", 40.0 / 120},
                                                   {"a1_down", 15},
                                                   {"a6_down", 0},
                                                   {"a15_down", 0}}),
                       example4, 200, 1e-8);
}

TEST(PublishedValanis, VelocityTermsFollowTheOscillator) {
    // x^2 |v|: a7 going up, -a7 going down. Pieces of constant speed converge to the motion at second order.
    const Oscillator example2(
        [](double x, double v, double f, double s) { return 10 + s * (30 * x + 1400 * x * x * std::abs(v) - 20 * f); });
    const Law law("generalized-valanis", {{"E1", 10}, {"E2", 20}, {"a1", 30}, {"a7", 1400}, {"a7_down", -1400}});
    std::vector<double> errors;
    for (const int n : {400, 800, 1600}) {
        const auto samples = example2.sample(Motion{}, 5 * example2.period() / n, n + 1);
        std::vector<double> x, t;
        for (const auto& m : samples) {
            x.push_back(m.x);
            t.push_back(m.t);
        }
        errors.push_back(std::abs(law.follow(Path{x, t}).f.back() - samples.back().f));
    }
    EXPECT_LT(errors[2], 1e-4);
    EXPECT_GT(errors[0] / errors[2], 10);
}

TEST(PublishedValanis, ClosedForms) {
    const double E1 = 10, E2 = 20, alpha = 5, xm = 0.1641036404142725;
    const auto worst = [](const Law& law, double reach, const auto& formula) {
        // ten loops settle it: e^(-2 E2 reach) a half loop
        std::vector<double> path;
        for (int i = 0; i < 10; ++i) path.insert(path.end(), {reach, -reach});
        const std::size_t start = path.size();
        const double at_zero = [&] {
            auto p = path;
            p.push_back(0);
            return law.follow(p).f.back();
        }();
        for (int i = 1; i <= 40; ++i) path.push_back(-reach + 2 * reach * i / 40);
        const auto h = law.follow(path);
        double most = 0;
        for (std::size_t i = start; i < path.size(); ++i)
            most = std::max(most, std::abs(h.f[i] - formula(path[i], at_zero)));
        return most;
    };
    const Law linear("generalized-valanis", {{"E1", E1}, {"E2", E2}, {"a1", alpha}});
    expect_row("V9", {worst(linear, xm, [&](double x, double at_zero) {  // Eqs. 9-10, rising
                   const double c = at_zero + alpha / (E2 * E2) - E1 / E2;
                   return E1 / E2 - alpha / (E2 * E2) + c * std::exp(-E2 * x) + alpha / E2 * x;
               })});
    const double a = 30, b = 1400;
    const Law square("generalized-valanis", {{"E1", E1}, {"E2", E2}, {"a1", a}, {"a3", b}, {"a3_down", -b}});
    expect_row("V10", {worst(square, 0.1, [&](double x, double at_zero) {  // Eqs. 11-12, rising
                   const double level = (E1 * E2 * E2 - a * E2 + 2 * b) / (E2 * E2 * E2), c = at_zero - level;
                   return level + b / E2 * x * x + c * std::exp(-E2 * x) - (2 * b - E2 * a) / (E2 * E2) * x;
               })});
}

}  // namespace
