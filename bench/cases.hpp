#pragma once
// Every law of the catalogue with the parameters it is timed with, and the amplitude of its walk: about one and a half
// times the onset of macroslip, so that the walk sees microslip, closing minor loops and full slip.

#include "faying/laws/along_line.hpp"
#include "faying/laws/bouc_wen.hpp"
#include "faying/laws/generalized_valanis.hpp"
#include "faying/laws/iwan.hpp"
#include "faying/laws/iwan5_stiction.hpp"
#include "faying/laws/iwan_sliders.hpp"
#include "faying/laws/jenkins.hpp"
#include "faying/laws/pinched.hpp"
#include "faying/laws/polynomial.hpp"
#include "faying/laws/six_state.hpp"
#include "faying/laws/two_state.hpp"
#include "faying/laws/two_state_increment.hpp"
#include "faying/laws/valanis.hpp"

namespace faying::bench {

using namespace faying::laws;

/// Parameters by their place in the law's own table; those not given take the table's default.
template <class L>
L make(std::initializer_list<double> values) {
    typename L::Parameters p{};
    auto given = values.begin();
    for (const auto& entry : L::table()) entry.at(p) = given != values.end() ? *given++ : entry.fallback.value();
    return L(p);
}

/// Calls visit(name, law, amplitude, seeded): `seeded` parameters carry a direction in the timing of derivatives.
template <class Visit>
void every_law(Visit&& visit) {
    visit("jenkins", make<Jenkins<>>({1.0, 1.0}), 1.5, 2);
    visit("jenkins-prager", make<JenkinsPrager<>>({1.0, 1.0, 0.1}), 1.5, 3);
    visit("prager", make<Prager<>>({1.0, 0.1, 1e6}), 1.5, 3);
    visit("polynomial", make<Polynomial<>>({1.0, 0.0, 0.1}), 1.5, 4);
    visit("elastic-dry-friction", make<AlongLine<ElasticDryFriction<>>>({1.0, 0.5, 2.0, 1.0}), 1.5, 4);
    visit("elastic-dry-friction-linear", make<AlongLine<ElasticDryFrictionLinear<>>>({1.0, 0.5, 2.0, 1.0}), 1.5, 4);
    visit("jenkins-2d", make<AlongLine<Jenkins2d<>>>({1.0, 1.0, 2.0, 1.0}), 1.5, 4);
    visit("jenkins-2d-penalty", make<AlongLine<Jenkins2dPenalty<>>>({1.0, 1.0, 2.0, core::infinity, 1.0}), 1.5, 4);
    visit("jenkins-prager-2d", make<AlongLine<JenkinsPrager2d<>>>({1.0, 1.0, 0.1, 2.0, 1.0}), 1.5, 4);
    visit("jenkins-prager-2d-penalty",
          make<AlongLine<JenkinsPrager2dPenalty<>>>({1.0, 1.0, 0.1, 2.0, core::infinity, 1.0}), 1.5, 4);

    // [S2]: phi_max = 11.25
    visit("iwan4", make<Iwan4<>>({10.0, 1.0, -0.5, 5.0}), 17.0, 4);
    visit("iwan5", make<Iwan5<>>({10.0, 1.0, -0.5, 5.0, 0.8}), 17.0, 4);
    visit("iwan5-stiction", make<Iwan5Stiction<>>({10.0, 1.0, -0.5, 5.0, 0.8}), 17.0, 4);
    visit("iwan4-sliders", make<Iwan4Sliders<>>({10.0, 1.0, -0.5, 5.0, 200.0, 1.05}), 17.0, 4);
    visit("equal-sliders", make<EqualSliders<>>({1.0, 1.0, 500.0}), 1.5, 2);

    // the derivative to n at n = 1 and 2 is a closed form apart, so it is timed apart
    visit("bouc-wen n=1", make<BoucWen<>>({2.0, 1.5, 0.5, 1.0}), 2.0, 3);
    visit("bouc-wen n=1, n seeded", make<BoucWen<>>({2.0, 1.5, 0.5, 1.0}), 2.0, 4);
    visit("bouc-wen n=2", make<BoucWen<>>({2.0, 1.5, 0.5, 2.0}), 2.0, 3);
    visit("bouc-wen n=2, n seeded", make<BoucWen<>>({2.0, 1.5, 0.5, 2.0}), 2.0, 4);
    visit("bouc-wen n=1.5", make<BoucWen<>>({2.0, 1.5, 0.5, 1.5}), 2.0, 4);
    visit("bouc-wen-masing n=1", make<BoucWenMasing<>>({2.0, 1.0, 1.0}), 2.0, 2);
    visit("bouc-wen-masing n=1, n seeded", make<BoucWenMasing<>>({2.0, 1.0, 1.0}), 2.0, 3);
    visit("bouc-wen-masing n=2, n seeded", make<BoucWenMasing<>>({2.0, 1.0, 2.0}), 2.0, 3);
    visit("bouc-wen-masing n=1.5", make<BoucWenMasing<>>({2.0, 1.0, 1.5}), 2.0, 3);

    visit("valanis", make<Valanis<>>({2.0, 0.1, 1.5, 0.6}), 2.0, 4);
    visit("valanis-masing", make<ValanisMasing<>>({2.0, 0.1, 1.5, 0.6}), 2.0, 4);
    visit("generalized-valanis", make<GeneralizedValanis<>>({10.0, 20.0, 5.0}), 0.2, 4);

    // [S3] Eq. 4.20: initial slope 1, saturated slope 0
    visit("two-state", make<TwoState<>>({2.0 / 3, 1.0 / 16, std::sqrt(32.0 / 135), std::sqrt(58.0 / 135)}), 2.0, 4);
    visit("two-state-increment",
          make<TwoStateIncrement<SlipDirection::eigenproblem>>(
              {2.0 / 3, 1.0 / 16, std::sqrt(32.0 / 135), std::sqrt(58.0 / 135)}),
          2.0, 4);
    visit("two-state-patched",
          make<TwoStateIncrement<SlipDirection::patched>>(
              {2.0 / 3, 1.0 / 16, std::sqrt(32.0 / 135), std::sqrt(58.0 / 135)}),
          2.0, 4);
    visit("six-state", make<SixState<>>({}), 1.5, 4);

    visit("pinched", make<Pinched<>>({2.0, 1.0, 0.4}), 1.0, 4);
    visit("reid", make<Reid<>>({1.0, 0.2}), 1.0, 2);
}

/// The law again on dual numbers, its first `seeded` parameters carrying a direction each.
template <class L>
auto with_derivatives(const L& law, int seeded) {
    using D = typename L::template rebind<core::Dual>;
    auto values = law.parameters();
    typename D::Parameters p{};
    for (std::size_t i = 0; i < L::table().size(); ++i) {
        core::Dual x(L::table()[i].at(values));
        if (int(i) < seeded) x.v[Eigen::Index(i)] = 1.0;
        D::table()[i].at(p) = x;
    }
    return D(p);
}

}  // namespace faying::bench
