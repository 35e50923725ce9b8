// [S2] 3.1: three masses, modal Iwan models and impacts (examples/three_masses/modal_iwan.toml).

#include <map>

#include "faying/files/modal_study.hpp"
#include "faying/files/model.hpp"
#include "faying/modes/linear.hpp"
#include "published/friction_exponent.hpp"
#include "published/scoreboard.hpp"
#include "transient/three_masses.hpp"

namespace {

using namespace faying;
using namespace faying::modal;
using tests::expect_row;

/// [S2] Table 3.
const ModalIwan printed[] = {{0.1782, 1e-4, 0.4462, 1.917e-3, -0.5002, 5.700},
                             {1.399, 1e-4, 2.877, 7.843e-2, -0.5150, 5.614},
                             {2.922, 1e-4, 3.278, 0.1196, -0.5070, 4.800}};

const StudyResult& result() {
    static const StudyResult r =
        run_study(tests::three_masses(),
                  files::read_modal_study(tests::source_dir() + "/examples/three_masses/modal_iwan.toml").study, {});
    return r;
}

const RingDown& impact(int mode, int dof, double p) {
    const std::string place = Place{.dof = dof}.name();
    for (const auto& ring : result().impacts)
        if (ring.mode == mode && ring.place == place && ring.p == p) return ring;
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
    for (std::size_t m = 0; m < 3; ++m) {
        const auto& fit = result().modes[m].fit;
        EXPECT_TRUE(fit.converged);
        EXPECT_NEAR(fit.mode.KT / printed[m].KT, 1, 0.02);
        EXPECT_NEAR(fit.mode.k_infinity / printed[m].k_infinity, 1, 0.02);
        expect_row(rows[m],
                   {fit.mode.k_infinity, fit.mode.zeta0, fit.mode.FS, fit.mode.KT, fit.mode.chi, fit.mode.beta});
    }
}

/// What mode 2 alone does, from its ring-downs: the exponent of the friction loss decade by decade, and how far the
/// damping of the printed and of the fitted model is off.
void mode_two_alone() {
    const auto& mode = result().modes[1];
    std::vector<ModalPoint> points;
    for (const auto& ring : mode.selective) points.insert(points.end(), ring.points.begin(), ring.points.end());
    std::vector<double> exponents;
    for (const auto& [low, high] : {std::pair(0.02, 0.2), std::pair(0.2, 2.0), std::pair(2.0, 9.0)}) {
        std::vector<ModalPoint> decade;
        for (const auto& p : points)
            if (p.q > low && p.q < high) decade.push_back(p);
        exponents.push_back(tests::friction_exponent(decade, 1e-4, mode.omega0));
    }
    expect_row("L3d", exponents);
    const auto off = [&](const ModalIwan& model, double q) {
        for (const auto& ring : mode.selective)
            if (const double ratio = ratio_at(ring, model, q); std::isfinite(ratio)) return 100 * (1 / ratio - 1);
        return std::numeric_limits<double>::quiet_NaN();
    };
    expect_row("L3e", {off(printed[1], 0.03), off(printed[1], 0.5), off(printed[1], 25)});
    expect_row("L3f", {off(mode.fit.mode, 0.03), off(mode.fit.mode, 0.5), off(mode.fit.mode, 25)});
}

/// Root mean square of ln(zeta of the model / measured), %, where the mode alone stays in microslip.
double microslip_misfit(const ModeResult& mode, const ModalIwan& model) {
    double sum = 0, count = 0;
    for (const auto& ring : mode.selective)
        for (const auto& p : ring.points)
            if (p.q < 0.9 * mode.fit.mode.macroslip()) {
                sum += std::pow(std::log(model.at(p.q).zeta / p.zeta), 2);
                count += 1;
            }
    return 100 * std::sqrt(sum / count);
}

/// Table 3 within 2 %, from procedure I as the paper had it: examples/three_masses/table3.toml.
void table3_of_sliders() {
    const auto file = files::read_modal_study(tests::source_dir() + "/examples/three_masses/table3.toml");
    const StudyResult sliders = run_study(files::read_model(file.model), file.study, {});
    const char* rows[] = {"L3g", "L3j", "L3k"};
    for (std::size_t m = 0; m < 3; ++m) {
        const auto& fit = sliders.modes[m].fit;
        EXPECT_TRUE(fit.converged);
        EXPECT_NEAR(fit.mode.KT / printed[m].KT, 1, 0.02);
        EXPECT_NEAR(fit.mode.k_infinity / printed[m].k_infinity, 1, 0.02);
        EXPECT_NEAR(fit.mode.chi / printed[m].chi, 1, 0.02);
        expect_row(rows[m],
                   {fit.mode.k_infinity, fit.mode.zeta0, fit.mode.FS, fit.mode.KT, fit.mode.chi, fit.mode.beta});
    }
    const auto& exact = result().modes[1];
    std::vector<double> off;
    for (const double q : {0.03, 0.15, 0.5})
        for (const auto& ring : sliders.modes[1].selective)
            if (const double ratio = ratio_at(ring, exact.fit.mode, q); std::isfinite(ratio)) {
                off.push_back(100 * (ratio - 1));
                break;
            }
    expect_row("L3h", off);
    expect_row("L3i", {microslip_misfit(exact, printed[1]), microslip_misfit(exact, exact.fit.mode)});
}

void damping_rises_in_microslip() {
    std::vector<double> factors;
    for (const auto& m : result().modes)
        factors.push_back(m.fit.mode.at(m.fit.mode.macroslip()).zeta / m.fit.mode.zeta0);
    expect_row("L4a", factors);
}

void impact_at_mass_two() {
    const double with_table3 = ratio_at(impact(2, 2, 30), printed[1], 0.5);
    EXPECT_NEAR(with_table3, 1.67, 0.02);
    expect_row("L5a", {with_table3});
    expect_row("L5c", {ratio_at(impact(2, 2, 30), result().modes[1].fit.mode, 0.5)});
    double first = 0, third = 0;
    for (const auto& c : result().comparisons)
        if (c.place == "DOF 2" && c.regime == Regime::microslip) {
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
        if (c.mode == 1 && c.place == "DOF 1" && c.p == 15000)
            expect_row("L6b", {impact(1, 1, 15000).points.front().q, 1 / c.first_ratio});
}

// One test: ctest runs each in a process of its own, and the study takes a while.
TEST(PublishedModalIwan, ThreeMasses) {
    table3();
    mode_two_alone();
    table3_of_sliders();
    damping_rises_in_microslip();
    impact_at_mass_two();
    dominant_modes();
}

}  // namespace
