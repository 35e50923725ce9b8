// [S3] chapter 2: the printed six-state matrices and the loads of Tables 2.1 and 2.2.

#include "faying/laws/six_state.hpp"

#include <Eigen/Eigenvalues>

#include "published/scoreboard.hpp"
#include "reference.hpp"
#include "turning_points.hpp"

namespace {

using namespace faying::laws;
using faying::tests::expect_row;
using faying::tests::reference;
using faying::tests::TwoSines;

SixState<>::Parameters printed() {
    SixState<>::Parameters p{};
    for (const auto& e : SixState<>::table()) e.at(p) = *e.fallback;
    return p;
}

Eigen::Matrix<double, 6, 1> eigenvalues(const std::array<double, 21>& upper) {
    Eigen::Matrix<double, 6, 6> m;
    int k = 0;
    for (int i = 0; i < 6; ++i)
        for (int j = i; j < 6; ++j) m(i, j) = m(j, i) = upper[k++];
    return Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>>(m).eigenvalues();
}

TEST(PublishedSixState, Matrices) {
    const auto p = printed();
    const SixState<> law(p);
    expect_row("2a", {law.stick_half_width()});
    EXPECT_RELATIVE(law.stick_half_width(),
                    reference("low_dimensional")["six_state"]["virgin_stick_halfwidth_f"].get<double>(), 1e-13);
    double norm = 0;
    for (const double b : p.b) norm += b * b;
    expect_row("2b", {norm});
    const auto K = eigenvalues(p.K), A = eigenvalues(p.A);
    expect_row("2c", {K(0), K(5)});
    EXPECT_GT(K(0), 0);
    EXPECT_LT(K(5), 3);  // Phi^T K Phi with the eigenvalues of K in (0, 3)
    expect_row("2d", {A(0), A(5)});
}

/// Dissipation in the first period of sin t, from the virgin state.
double first_window(const TwoSines& force) {
    const SixState<> law(printed());
    auto z = law.virgin();
    for (const double f : force.turns(0, 2 * std::numbers::pi)) z = law.step(z, f).next;
    return z.dissipated;
}

TEST(PublishedSixState, Loads) {
    const double pi = std::numbers::pi, w = 4.16753;
    std::vector<double> amplitudes, frequencies;
    for (const auto& [a1, a2] :
         std::vector<std::pair<double, double>>{{0.4, 1}, {1, 0.4}, {1, 1.5}, {1.5, 1}, {1, 3}, {3, 1}})
        amplitudes.push_back(first_window({a1, 1, a2, w}));
    for (const double w2 : {pi / 4, pi / 2, pi, 1.25 * pi, 1.5 * pi, 2 * pi})
        frequencies.push_back(first_window({1, 1, 1.5, w2}));
    expect_row("2e", amplitudes);
    expect_row("2f", frequencies);
    const auto cases = reference("low_dimensional")["six_state"]["cases"];
    EXPECT_RELATIVE(amplitudes[0], cases["2.1.1"][0]["D"].get<double>(), 1e-9);
    EXPECT_RELATIVE(amplitudes[1], cases["2.1.2"][0]["D"].get<double>(), 1e-9);
    EXPECT_RELATIVE(frequencies[0], cases["2.2.1"][0]["D"].get<double>(), 1e-9);
}

TEST(PublishedSixState, SticksAfterAReversal) {
    // "a brief interval of sticking (no slip, seen as a small vertical portion)": how long, from saturated slip
    const SixState<> law(printed());
    const auto top = law.step(law.virgin(), 3.0).next;
    double low = 0, high = 3;  // of the unloading, by bisection on the compliance
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (law.step(top, 3.0 - middle).tangent == 0.0 ? low : high) = middle;
    }
    expect_row("2g", {low});
}

TEST(PublishedSixState, BoucWenOfFigure21) {
    // z = 0.619 (sin t + 0.4 sin 4.16753 t) must stay below the law's limit (alpha1/(alpha2+alpha3))^(1/2)
    const TwoSines z{0.619, 1, 0.619 * 0.4, 4.16753};
    double peak = 0;
    for (const double x : z.turns(0, 400)) peak = std::max(peak, std::abs(x));
    expect_row("2h", {peak, std::sqrt(1 / 1.3)});
}

}  // namespace
