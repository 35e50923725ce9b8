// Parameter derivatives of the two-state law where its formulas are singular: a circular ellipse (sigma = 1), whose
// virgin path meets it at rest, and a coupling that is zero; and of the thesis' increments.

#include <gtest/gtest.h>

#include "faying/laws/two_state_increment.hpp"

namespace {

using namespace faying::laws;
using faying::core::Dual;

struct Answer {
    std::vector<double> force, dissipated;
};

const std::vector<double> path = {0.3, 2.0, 5.0, -1.0, -6.0, -5.5, 0.2, 0.1, 7.0, 7.0, -7.0};

Answer follow(const std::array<double, 4>& p) {
    const TwoState<> law({p[0], p[1], p[2], p[3], 0.1, 1.0});
    auto z = law.virgin();
    Answer a;
    for (const double u : path) {
        const auto s = law.step(z, u);
        a.force.push_back(s.force);
        a.dissipated.push_back(s.dissipated);
        z = s.next;
    }
    return a;
}

TEST(TwoStateDerivatives, MatchCentralDifferencesWhereTheFormulasAreSingular) {
    const std::vector<std::array<double, 4>> cases = {{0.7, 1.0, 0.8, -0.6},
                                                      {0.7, 1.0, 0.8, 0.0},
                                                      {0.7, 0.06, 0.0, 0.9},
                                                      {0.7, 0.06, 0.6, 0.0},
                                                      {0.7, 20.0, 0.5, 0.7}};
    for (const auto& p : cases) {
        const TwoState<Dual> law({Dual(p[0], 0), Dual(p[1], 1), Dual(p[2], 2), Dual(p[3], 3), Dual(0.1), Dual(1.0)});
        auto z = law.virgin();
        std::vector<Dual> force, dissipated;
        for (const double u : path) {
            const auto s = law.step(z, Dual(u));
            force.push_back(s.force);
            dissipated.push_back(s.dissipated);
            z = s.next;
        }
        for (int j = 0; j < 4; ++j) {
            const double h = 1e-5;  // differences are good to h^2 and 1e-16/h
            auto more = p, less = p;
            more[j] += h;
            less[j] -= h;
            const Answer plus = follow(more), minus = follow(less);
            for (std::size_t i = 0; i < path.size(); ++i) {
                EXPECT_NEAR(force[i].v[j], (plus.force[i] - minus.force[i]) / (2 * h), 1e-6)
                    << "sigma " << p[1] << " parameter " << j << " point " << i;
                EXPECT_NEAR(dissipated[i].v[j], (plus.dissipated[i] - minus.dissipated[i]) / (2 * h), 1e-6)
                    << "sigma " << p[1] << " parameter " << j << " point " << i;
            }
        }
    }
}

/// Force, tangent and dissipation of the increments of a loading and an unloading.
template <SlipDirection Rule, class T>
std::vector<T> increments(const std::array<T, 6>& p) {
    const TwoStateIncrement<Rule, T> law({p[0], p[1], p[2], p[3], p[4], p[5]});
    auto z = law.virgin();
    std::vector<T> answers;
    for (int i = 1; i <= 120; ++i) {
        const auto s = law.step(z, T(0.05 * (i <= 60 ? i : 120 - i)));
        answers.insert(answers.end(), {s.force, s.tangent, s.work, s.dissipated});
        z = s.next;
    }
    return answers;
}

template <SlipDirection Rule>
void match_differences() {
    const std::array<double, 6> p = {0.7, 0.06, 0.5, 0.65, 0.1, 1.2};
    const auto plain = increments<Rule>(p);
    for (int first = 0; first < 6; first += 4) {
        std::array<Dual, 6> seeded;
        for (int j = 0; j < 6; ++j) seeded[j] = j >= first && j < first + 4 ? Dual(p[j], j - first) : Dual(p[j]);
        const auto dual = increments<Rule>(seeded);
        for (int j = first; j < std::min(first + 4, 6); ++j) {
            const double h = 1e-6;  // no increment of this path begins or ends its slip within h
            auto more = p, less = p;
            more[j] += h;
            less[j] -= h;
            const auto plus = increments<Rule>(more), minus = increments<Rule>(less);
            for (std::size_t i = 0; i < plain.size(); ++i) {
                EXPECT_NEAR(dual[i].a, plain[i], 1e-12);
                EXPECT_NEAR(dual[i].v[j - first], (plus[i] - minus[i]) / (2 * h), 1e-7)
                    << "parameter " << j << " at " << i;
            }
        }
    }
}

TEST(TwoStateDerivatives, OfTheThesisIncrementsMatchCentralDifferences) {
    match_differences<SlipDirection::eigenproblem>();
    match_differences<SlipDirection::patched>();
}

}  // namespace
