#pragma once
// Dual numbers against central differences, for every answer a law gives and every parameter it has.

#include "properties/checkers.hpp"

namespace faying::tests {

/// A quantity with its derivatives, and the size that "relative" refers to.
struct Differentiated {
    const char* name;
    double scale;
};

/// Compares dual derivatives with fourth-order central differences of `answers(law)`, a vector of T for any scalar T.
/// Where differences at h and 2h disagree, a kink lies between them: counted, not compared.
template <class Case, class Answers, class Where>
void compare_derivatives(const Sample& sample, const std::vector<Differentiated>& quantities, Answers&& answers,
                         Where&& where, int& asked, int& kinks) {
    using L = LawOf<Case>;
    using D = typename Case::template Law<core::Dual>;
    for (std::size_t first = 0; first < sample.values.size(); first += core::directions) {
        std::vector<core::Dual> exact;  // not needed where nothing in this pass is differentiated
        for (std::size_t i = first; i < std::min(first + core::directions, sample.values.size()); ++i) {
            const double scale = sample.scales[i];
            if (scale == 0.0) continue;
            if (exact.empty()) exact = answers(make<D>(sample, first));
            const double h = 1e-4 * scale;
            const auto at = [&](double change) {
                Sample moved = sample;
                moved.values[i] += change;
                return answers(make<L>(moved));
            };
            const auto a = at(h), b = at(-h), c = at(2 * h), d = at(-2 * h);
            for (std::size_t k = 0; k < quantities.size(); ++k) {
                const double near = (a[k] - b[k]) / (2 * h), wide = (c[k] - d[k]) / (4 * h);
                const double size = std::max(std::abs(near), quantities[k].scale / scale);
                ++asked;
                if (std::abs(near - wide) > 1e-4 * size) {
                    ++kinks;
                    continue;
                }
                // Differences: 1e-16 h^-1 of round-off and h^4 of truncation, both far below 1e-6.
                expect_close(quantities[k].name, exact[k].v[i - first], (4 * near - wide) / 3, 1e-6 * size,
                             [&] { return "to parameter " + L::table()[i].key + "\n" + where(); });
            }
        }
    }
}

template <class Case>
void check_path_derivatives() {
    int asked = 0, kinks = 0;
    property(std::max(Case::effort / 2, 3), [&] {
        const Trial<Case> t(5);
        const double stiffness =
            std::max(std::abs(t.way.legs.back().end.tangent), t.way.force / std::abs(t.path.back()));
        const std::vector<Differentiated> quantities = {{"d force", t.way.force},
                                                        {"d tangent", stiffness},
                                                        {"d work", t.way.energy()},
                                                        {"d dissipated", t.way.energy()}};
        compare_derivatives<Case>(
            t.sample, quantities,
            [&](const auto& law) {
                using T = typename std::decay_t<decltype(law)>::Scalar;
                const auto end = walk(law, t.path).legs.back().end;
                return std::vector<T>{end.force, end.tangent, end.work, end.dissipated};
            },
            t.where(), asked, kinks);
    });
    EXPECT_LT(kinks, asked / 4) << "too few smooth cases to mean anything";
}

template <class Case>
void check_cycle_derivatives() {
    int asked = 0, kinks = 0;
    property(std::max(Case::effort / 5, 2), [&] {
        const Sample sample = Case::draw();
        const double A = sample.length * log_uniform(0.05, 10.0);
        const auto plain = laws::steady_cycle(make<LawOf<Case>>(sample), A);
        const double k = std::max(std::abs(plain.secant), std::abs(plain.harmonic_stiffness));
        const std::vector<Differentiated> quantities = {
            {"d dissipation", k * A * A}, {"d secant", k}, {"d harmonic stiffness", k}};
        compare_derivatives<Case>(
            sample, quantities,
            [&](const auto& law) {
                using T = typename std::decay_t<decltype(law)>::Scalar;
                const auto c = laws::steady_cycle(law, A);
                return std::vector<T>{c.dissipation, c.secant, c.harmonic_stiffness};
            },
            [&] { return sample.text() + "\namplitude/length " + std::to_string(A / sample.length); }, asked, kinks);
    });
    EXPECT_LT(kinks, asked / 4) << "too few smooth cases to mean anything";
}

}  // namespace faying::tests
