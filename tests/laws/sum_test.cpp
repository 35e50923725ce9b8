// Laws that a program puts together at run time: sums, laws known only by their answers, laws that answer for many
// sites at once.

#include <gtest/gtest.h>

#include "faying/laws/catalogue.hpp"

namespace {

using namespace faying;
using namespace faying::laws;

const core::ParameterValues iwan = {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}};
const std::vector<double> path = {0, 3, -0.7, 2.5, -4, 0.3};

TEST(Sums, AreWhatTheExpressionIs) {
    const Law sum = Law("jenkins", {{"kt", 1}, {"fs", 2}}) + Law("jenkins", {{"kt", 3}, {"fs", 1}}) +
                    Law("polynomial", {{"k1", 0.5}});
    const Law named("jenkins+jenkins+polynomial", {{"1.kt", 1}, {"1.fs", 2}, {"2.kt", 3}, {"2.fs", 1}, {"k1", 0.5}});
    EXPECT_EQ(sum.name(), named.name());
    EXPECT_EQ(sum.values(), named.values());
    ASSERT_EQ(sum.parameters().size(), named.parameters().size());
    for (std::size_t i = 0; i < sum.parameters().size(); ++i)
        EXPECT_EQ(sum.parameters()[i].key, named.parameters()[i].key);
    EXPECT_EQ(sum.follow(path).f, named.follow(path).f);
    EXPECT_EQ(sum.cycle(2.0).dissipation, named.cycle(2.0).dissipation);
    EXPECT_EQ(sum.masing(), named.masing());
    EXPECT_EQ(sum.claims().masing, named.claims().masing);
    EXPECT_EQ(sum.joints(3).size(), 3u);
}

TEST(Sums, RefuseWhatStandsAlone) {
    const Law jenkins("jenkins", {{"kt", 1}, {"fs", 2}});
    EXPECT_THROW(jenkins + Law("six-state", {}), core::BadInput);
    EXPECT_THROW(jenkins + Law("elastic-dry-friction", {{"kt", 1}, {"mu", 0.3}, {"kn", 1}}), core::BadInput);
}

TEST(Sums, PromiseWhatEveryPartDoes) {
    auto with_spring = iwan;
    with_spring["kp"] = 0.1;
    EXPECT_TRUE(Law("iwan4+kp", with_spring).claims().masing);
    auto stiffening = iwan;
    stiffening["k1"] = 0, stiffening["k3"] = 0.1;
    const Law law("iwan4+polynomial", stiffening);
    EXPECT_FALSE(law.claims().masing);
    EXPECT_TRUE(law.claims().return_point);
    EXPECT_TRUE(law.masing()) << "a backbone needs no more than the virgin curve";
    EXPECT_TRUE(Law("polynomial", {{"k1", 1}}).claims().elastic);
}

TEST(Sums, CoefficientsLeftOutBesideOthersAreZero) {
    EXPECT_EQ(Law("polynomial", {{"k3", 2}}).follow({0, 3}).f.back(), 54);
    auto stiffening = iwan;
    stiffening["k3"] = 2;
    EXPECT_EQ(Law("iwan4+polynomial", stiffening).follow({0, 3}).f.back(),
              Law("iwan4", iwan).follow({0, 3}).f.back() + 54);
    EXPECT_THROW(Law("polynomial", {}), core::BadInput) << "a spring without any coefficient";
    EXPECT_THROW(Law("jenkins", {{"kt", 1}}), core::BadInput) << "no default stands in for what is no coefficient";
}

/// A slider that claims to be Masing's and whose tangent is wrong.
struct Wrong {
    using Scalar = double;
    struct State {
        double u = 0, f = 0;
    };
    static constexpr std::string_view key = "wrong";
    static constexpr Claims claims{.masing = true};
    State virgin() const { return {}; }
    Step<double, State> step(State z, double u) const {
        z = {u, std::clamp(z.f + 2 * (u - z.u), -1.0, 0.7)};
        return {.force = z.f, .tangent = 5, .work = 0, .dissipated = 0, .next = z};
    }
};

TEST(Checks, FollowWholePaths) {
    EXPECT_TRUE(Law("iwan4", iwan).check({.amplitude = 20}).empty());
    std::vector<std::string> broken;
    for (const auto& finding : Law(Wrong{}).check({.amplitude = 2})) broken.push_back(finding.invariant);
    for (const char* invariant : {"odd symmetry", "Masing's rule", "tangent is the slope of the force"})
        EXPECT_NE(std::find(broken.begin(), broken.end(), invariant), broken.end()) << invariant;
    EXPECT_THROW(Law("elastic-dry-friction", {{"kt", 1}, {"mu", 0.3}, {"kn", 1}}).check(), core::BadInput);
}

/// A spring that counts how often it is asked, and for how many sites.
struct ManySprings {
    using Scalar = double;
    struct State {
        double u = 0;
    };
    static constexpr std::string_view key = "many-springs";
    std::vector<std::size_t>* asked;
    State virgin() const { return {}; }
    Step<double, State> step(State z, double u) const {
        ADD_FAILURE() << "one by one";
        return {.force = u, .tangent = 1, .work = 0.5 * u * u, .dissipated = 0, .next = z};
    }
    void respond_sites(const std::vector<State>& from, std::span<const double> u, std::span<double> force,
                       std::span<double> tangent) const {
        asked->push_back(from.size());
        for (std::size_t i = 0; i < u.size(); ++i) force[i] = 2 * u[i], tangent[i] = 2;
    }
    void step_sites(std::vector<State>& states, std::span<const double> u, std::span<double> dissipated) const {
        for (std::size_t i = 0; i < u.size(); ++i) states[i].u = u[i], dissipated[i] = 1;
    }
};

TEST(ManySites, AreAskedAtOnce) {
    std::vector<std::size_t> asked;
    Joint joint(ManySprings{&asked}, 5);
    const std::vector<double> u = {1, 2, 3, 4, 5};
    std::vector<double> force(5), tangent(5);
    joint.evaluate(u, force, tangent);
    EXPECT_EQ(force, (std::vector<double>{2, 4, 6, 8, 10}));
    joint.commit();
    EXPECT_EQ(joint.dissipated(), 5);
    joint.trace(2, std::span(u).first(3), std::span(force).first(3), std::span(tangent).first(3));
    EXPECT_EQ(asked, (std::vector<std::size_t>{5, 3}));
}

TEST(Entries, CanBeReplaced) {
    LawEntry entry;
    entry.info.key = "replaced";
    entry.make = [](const std::vector<double>&) { return model_of(Wrong{}); };
    EXPECT_THROW(replace_entry(entry), core::BadInput);
    add_entry(entry);
    EXPECT_THROW(add_entry(entry), core::BadInput) << "made by something else, as far as anybody can tell";
    const Law before("replaced", {});
    entry.info.title = "another";
    entry.make = [](const std::vector<double>&) { return find_law("jenkins").make({1, 2}); };
    replace_entry(entry);
    EXPECT_EQ(find_law("replaced").info.title, "another");
    EXPECT_EQ(before.follow({2.0}).f[0], 0.7);
    EXPECT_EQ(Law("replaced", {}).follow({2.0}).f[0], 2.0);
}

}  // namespace
