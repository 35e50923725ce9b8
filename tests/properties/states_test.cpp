// Laws with a few hidden states. Six-state is driven by force and integrated numerically: it has its own few checks
// here (a case that barely slips has no scale of its own to compare with), and reference_test.cpp holds its numbers.

#include "faying/laws/catalogue.hpp"
#include "faying/laws/six_state.hpp"
#include "properties/every_law.hpp"

namespace faying::tests {

using States = testing::Types<TwoStateCase>;
INSTANTIATE_TYPED_TEST_SUITE_P(States, EveryLaw, States, CaseName);

TEST(SixState, CutsMirrorsAndEnergy) {
    using Law = laws::SixState<>;
    Law::Parameters printed{};
    for (const auto& entry : Law::table()) entry.at(printed) = *entry.fallback;
    const Law law(printed);
    property(20, [&] {
        auto whole = law.virgin(), cut = law.virgin(), mirror = law.virgin();
        double dissipated = 0, scale = 1;
        for (int turn = 0; turn < 6; ++turn) {
            const double from = whole.force, to = uniform(-3.0, 3.0);
            const auto a = law.step(whole, to);
            const auto b = law.step(law.step(cut, from + uniform(0.0, 1.0) * (to - from)).next, to);
            const auto c = law.step(mirror, -to);
            scale = std::max(scale, std::abs(a.force));
            const auto where = [] { return std::string(); };
            expect_close("displacement after a cut", b.force, a.force, 1e-9 * scale, where);
            expect_close("dissipation after a cut", b.dissipated, a.dissipated, 1e-9 * scale, where);
            expect_close("mirrored displacement", c.force, -a.force, 1e-9 * scale, where);
            RC_ASSERT(a.dissipated >= dissipated);
            dissipated = a.dissipated;
            whole = a.next;
            cut = b.next;
            mirror = c.next;
        }
    });
}

TEST(SixState, DerivativesOfAPathAndACycle) {
    const laws::Law law("six-state", {});
    const std::vector<double> path{1.0, -0.6, 0.8};
    const auto exact = law.follow_derivatives({path});
    const auto cycles = law.cycle_derivatives(1.0);
    for (const std::size_t i : {0u, 3u, 21u, 30u, 42u, 47u}) {
        const double x = law.values()[i], h = 1e-5 * std::max(1.0, std::abs(x));
        const std::string key = law.parameters()[i].key;
        const laws::Law up("six-state", {{key, x + h}}), down("six-state", {{key, x - h}});
        const double want = (up.follow(path).u.back() - down.follow(path).u.back()) / (2 * h);
        EXPECT_NEAR(exact[i].u.back(), want, 1e-5 * std::max(1.0, std::abs(want))) << key;
        const double loss = (up.cycle(1.0).dissipation - down.cycle(1.0).dissipation) / (2 * h);
        EXPECT_NEAR(cycles[i].dissipation, loss, 1e-5 * std::max(1.0, std::abs(loss))) << key;
    }
}

}  // namespace faying::tests
