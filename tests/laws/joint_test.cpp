// Joints: trial and committed states, copies, per-site parameters, contact sites, a user's own law, dual numbers.

#include "faying/laws/joint.hpp"

#include "faying/laws/bouc_wen.hpp"
#include "faying/laws/iwan.hpp"
#include "faying/laws/jenkins.hpp"
#include "laws/walks.hpp"

namespace {

using namespace faying::laws;
using namespace faying::tests;
using faying::core::Dual;

/// Forces and tangents of one evaluation.
template <class T>
struct Answer {
    std::vector<T> force, tangent;
};
template <class T>
Answer<T> evaluate(JointOf<T>& joint, const std::vector<T>& u) {
    Answer<T> a{std::vector<T>(u.size()), std::vector<T>(u.size() * joint.components())};
    joint.evaluate(u, a.force, a.tangent);
    return a;
}

TEST(Joint, TrialsLeaveTheCommittedStateAlone) {
    const Iwan4<> law({10.0, 2.0, -0.4, 1.5});
    Joint joint(law, 3);
    evaluate(joint, {1.0, -2.0, 9.0});
    joint.commit();
    const auto before = evaluate(joint, {0.5, 0.5, 0.5});
    for (const double u : random_walk(20.0, 50)) evaluate(joint, {u, -u, 2 * u});
    const auto after = evaluate(joint, {0.5, 0.5, 0.5});
    EXPECT_EQ(before.force, after.force);
    EXPECT_EQ(before.tangent, after.tangent);
    EXPECT_EQ(before.force[0], follow(law, {1.0, 0.5}).force);
    EXPECT_EQ(before.force[1], follow(law, {-2.0, 0.5}).force);
    EXPECT_EQ(before.tangent[2], follow(law, {9.0, 0.5}).tangent);
}

TEST(Joint, CommitTakesTheLastTrial) {
    const Jenkins<> law({3.0, 2.0});
    Joint joint(law, 2);
    evaluate(joint, {50.0, 50.0});
    evaluate(joint, {1.0, -4.0});
    joint.commit();
    EXPECT_RELATIVE(joint.dissipated(0), follow(law, {1.0}).dissipated, 1e-15);
    EXPECT_RELATIVE(joint.dissipated(1), follow(law, {-4.0}).dissipated, 1e-15);
    EXPECT_RELATIVE(joint.dissipated(), joint.dissipated(0) + joint.dissipated(1), 1e-15);
    EXPECT_EQ(evaluate(joint, {0.5, 0.5}).force[1], follow(law, {-4.0, 0.5}).force);
    EXPECT_THROW(joint.dissipated(2), std::out_of_range);
}

TEST(Joint, ResetIsVirgin) {
    const Iwan4<> law({10.0, 2.0, -0.4, 1.5});
    Joint joint(law, 1);
    for (const double u : {3.0, -2.0, 1.0}) {
        evaluate(joint, {u});
        joint.commit();
    }
    joint.reset();
    EXPECT_EQ(joint.dissipated(), 0.0);
    EXPECT_EQ(evaluate(joint, {0.7}).force[0], follow(law, {0.7}).force);
}

TEST(Joint, CommitAfterResetWithoutATrialStaysVirgin) {
    Joint joint(Jenkins<>({3.0, 2.0}), 1);
    evaluate(joint, {5.0});
    joint.commit();
    joint.reset();
    joint.commit();
    EXPECT_EQ(joint.dissipated(), 0.0);
    EXPECT_EQ(evaluate(joint, {0.5}).force[0], 1.5);
}

TEST(Joint, CopiesAreIndependent) {
    Joint first(Iwan4<>({10.0, 2.0, -0.4, 1.5}), 1);
    evaluate(first, {4.0});
    first.commit();
    Joint second = first;
    const double shared = evaluate(first, {1.0}).force[0];
    evaluate(second, {-9.0});
    second.commit();
    EXPECT_EQ(evaluate(first, {1.0}).force[0], shared);
    EXPECT_NE(evaluate(second, {1.0}).force[0], shared);
    second = first;
    EXPECT_EQ(evaluate(second, {1.0}).force[0], shared);
    const Joint third = std::move(second);
    EXPECT_EQ(third.sites(), 1u);
}

TEST(Joint, EachSiteItsOwnParameters) {
    const std::vector<Jenkins<>> laws = {Jenkins<>({3.0, 2.0}), Jenkins<>({5.0, 1.0}), Jenkins<>({7.0, 9.0})};
    Joint joint(laws);
    EXPECT_EQ(joint.sites(), 3u);
    evaluate(joint, {1.0, 1.0, 1.0});
    joint.commit();
    const auto a = evaluate(joint, {0.9, 0.9, 0.9});
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(a.force[i], follow(laws[i], {1.0, 0.9}).force);
}

TEST(Joint, ContactSitesHaveThreeComponents) {
    const ElasticDryFriction<> law({3.0, 0.0, 0.5, 0.0, 10.0});
    Joint joint(law, 2);
    EXPECT_EQ(joint.components(), 3);
    const std::vector<double> press = {0.0, 0.0, 0.2, 0.1, 0.0, 0.3}, slide = {1.0, 0.5, 0.2, 0.1, 0.0, -0.1};
    evaluate(joint, press);
    joint.commit();
    const auto a = evaluate(joint, slide);
    for (std::size_t site = 0; site < 2; ++site) {
        const std::size_t k = 3 * site;
        const auto z = law.step(law.virgin(), {press[k], press[k + 1], press[k + 2]}).next;
        const auto s = law.step(z, {slide[k], slide[k + 1], slide[k + 2]});
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(a.force[k + i], s.force[i]);
            for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(a.tangent[9 * site + 3 * i + j], s.tangent[i][j]);
        }
    }
    joint.commit();
    EXPECT_GT(joint.dissipated(0), 0.0);
}

/// Laws whose past is a few numbers: written back, they are the same joint again.
TEST(Joint, MemoryCanBeReadAndSet) {
    const BoucWen<> law({2.0, 1.5, -0.3, 1.0});
    Joint walked(law, 2), other(law, 2);
    evaluate(walked, {3.0, -1.0});
    walked.commit();
    evaluate(walked, {0.5, 0.25});
    walked.commit();
    evaluate(other, {0.5, 0.25});
    other.commit();
    ASSERT_EQ(walked.memory_size(), 1u);
    std::vector<double> past(2);
    walked.memory(past);
    other.set_memory(past);
    EXPECT_EQ(evaluate(walked, {-1.0, 2.0}).force, evaluate(other, {-1.0, 2.0}).force);
    EXPECT_EQ(Joint(Iwan4<>({10.0, 2.0, -0.4, 1.5}), 1).memory_size(), 0u);
    const Joint twice = walked;
    other = twice;  // same kind: states are copied in place
    EXPECT_EQ(evaluate(walked, {-1.0, 2.0}).force, evaluate(other, {-1.0, 2.0}).force);
}

struct MySpring {  // the example of law.hpp
    using Scalar = double;
    struct State {
        double u = 0;
    };
    static constexpr std::string_view key = "my-spring";
    double k;
    State virgin() const { return {}; }
    Step<double, State> step(State z, double u) const {
        z.u = u;
        return {.force = k * u, .tangent = k, .work = 0.5 * k * u * u, .dissipated = 0, .next = z};
    }
};

TEST(Joint, TakesAUsersOwnLaw) {
    Joint joint(MySpring{4.0}, 2);
    const auto a = evaluate(joint, {1.0, -0.5});
    EXPECT_EQ(a.force[0], 4.0);
    EXPECT_EQ(a.force[1], -2.0);
    EXPECT_EQ(a.tangent[1], 4.0);
    joint.commit();
    EXPECT_EQ(joint.dissipated(), 0.0);
}

TEST(Joint, DualNumbersCarryDerivativesThroughStatesAndDisplacements) {
    const double FS = 10.0, KT = 2.0, chi = -0.4, beta = 1.5, h = 1e-5;
    JointOf<Dual> joint(Iwan4<Dual>({Dual(FS, 0), Dual(KT, 1), Dual(chi), Dual(beta)}), 1);
    // The path depends on a third parameter p = 1: u = 4 p, then -p.
    evaluate(joint, {4.0 * Dual(1.0, 2)});
    joint.commit();
    const auto a = evaluate(joint, {-1.0 * Dual(1.0, 2)});
    const auto at = [&](double dFS, double dKT, double dp) {
        return follow(Iwan4<>({FS + dFS, KT + dKT, chi, beta}), {4.0 * (1 + dp), -1.0 * (1 + dp)});
    };
    // h^2 of the difference quotients
    EXPECT_NEAR(a.force[0].v[0], (at(h, 0, 0).force - at(-h, 0, 0).force) / (2 * h), 1e-8);
    EXPECT_NEAR(a.force[0].v[1], (at(0, h, 0).force - at(0, -h, 0).force) / (2 * h), 1e-8);
    EXPECT_NEAR(a.force[0].v[2], (at(0, 0, h).force - at(0, 0, -h).force) / (2 * h), 1e-8);
    EXPECT_NEAR(a.tangent[0].v[2], (at(0, 0, h).tangent - at(0, 0, -h).tangent) / (2 * h), 1e-8);
    joint.commit();
    EXPECT_NEAR(joint.dissipated().v[2], (at(0, 0, h).dissipated - at(0, 0, -h).dissipated) / (2 * h), 1e-8);
}

}  // namespace
