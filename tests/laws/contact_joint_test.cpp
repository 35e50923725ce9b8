// Contact laws by name at joints; decoupled axes; parameter derivatives of joints made by name.

#include "faying/core/error.hpp"
#include "faying/laws/catalogue.hpp"
#include "faying/laws/decoupled.hpp"
#include "laws/walks.hpp"

namespace {

using namespace faying;
using namespace faying::laws;
using core::Dual;

const core::ParameterValues dry = {{"kt", 3}, {"mu", 0.5}, {"kn", 10}};

TEST(ContactLaws, StandAtJointsByName) {
    const Law law = Law("elastic-dry-friction", dry);
    EXPECT_EQ(law.components(), 3);
    EXPECT_FALSE(law.masing());
    auto joints = law.joints(1);
    const ElasticDryFriction<> direct({3.0, 0.0, 0.5, 0.0, 10.0});
    auto z = direct.virgin();
    std::vector<double> force(3), tangent(9);
    for (const Vector3<double> u : {Vector3<double>{0, 0, 0.2}, {1, 0.5, 0.2}, {-1, 0.5, -0.1}, {0.3, 0.2, 0.1}}) {
        joints[0].evaluate(std::span<const double>(u), force, tangent);
        joints[0].commit();
        const auto s = direct.step(z, u);
        z = s.next;
        for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(force[i], s.force[i]);
        EXPECT_EQ(joints[0].dissipated(), s.dissipated);
    }
    EXPECT_THROW(law.follow({1.0}), core::BadInput);
    EXPECT_THROW(law.cycle(1.0), core::BadInput);
    EXPECT_THROW(Law("jenkins", {}), core::BadInput);
    EXPECT_THROW(Law("jenkins-2d", dry), core::BadInput);
}

/// Along one axis the decoupled law is the coupled one; across it, each axis does what it would alone.
TEST(ContactLaws, DecoupledAxesAreTwoLines) {
    const ElasticDryFriction<>::Parameters p{3.0, 0.0, 0.5, 0.0, 10.0};
    const ElasticDryFriction<> coupled(p);
    const Decoupled<ElasticDryFriction<>> decoupled(p);
    auto x = coupled.virgin(), y = coupled.virgin();
    auto z = decoupled.virgin();
    for (const Vector3<double> u :
         {Vector3<double>{0, 0, 0.2}, {1, 0.5, 0.3}, {-1, 0.7, 0.1}, {-2, 0, -0.1}, {0.3, 0.2, 0.1}, {0.5, -1, 0.2}}) {
        const auto a = coupled.step(x, {u[0], 0, u[2]}), b = coupled.step(y, {0, u[1], u[2]});
        const auto s = decoupled.step(z, u);
        EXPECT_EQ(s.force[0], a.force[0]);
        EXPECT_EQ(s.force[1], b.force[1]);
        EXPECT_EQ(s.force[2], a.force[2]);
        EXPECT_EQ(s.tangent[0][2], a.tangent[0][2]);
        EXPECT_EQ(s.tangent[1][2], b.tangent[1][2]);
        EXPECT_EQ(s.tangent[1][1], b.tangent[1][1]);
        EXPECT_EQ(s.tangent[0][1], 0.0);
        EXPECT_RELATIVE(s.dissipated, a.dissipated + b.dissipated, 1e-14);
        EXPECT_NEAR(s.work, a.work + b.work - 0.5 * 10 * u[2] * u[2] * (u[2] > 0), 1e-13);
        x = a.next, y = b.next, z = s.next;
    }
}

/// Derivatives of joints made by name against central differences, for a law in parallel and a contact law.
TEST(ContactLaws, SeededJointsCarryTheDerivativeOfTheChosenParameter) {
    const double h = 1e-6;
    const auto drive = [](auto& joints, auto scalar, const std::vector<std::vector<double>>& path) {
        using T = decltype(scalar);
        T sum(0.0);
        for (auto& joint : joints) {
            const std::size_t w = std::size_t(joint.components());
            std::vector<T> force(w), tangent(w * w);
            for (const auto& point : path) {
                const std::vector<T> u(point.begin(), point.end());
                joint.evaluate(u, force, tangent);
                joint.commit();
            }
            sum += force[0] + joint.dissipated();
        }
        return sum;
    };
    const auto check = [&](auto make, core::ParameterValues values, const std::vector<std::vector<double>>& path) {
        const Law law = make(values);
        for (std::size_t i = 0; i < law.parameters().size(); ++i) {
            std::vector<int> seeds(law.parameters().size(), -1);
            seeds[i] = 2;
            auto dual = law.joints(1, seeds);
            const Dual d = drive(dual, Dual(0.0), path);
            EXPECT_EQ(d.v[0], 0.0);
            const std::string key = law.parameters()[i].key;
            auto up = values, down = values;
            up[key] += h;
            down[key] -= h;
            auto above = make(up).joints(1), below = make(down).joints(1);
            EXPECT_NEAR(d.v[2], (drive(above, 0.0, path) - drive(below, 0.0, path)) / (2 * h), 1e-7) << key;
        }
    };
    check([](const auto& v) { return Law("iwan4+kp", v); },
          {{"FS", 10}, {"KT", 2}, {"chi", -0.4}, {"beta", 1.5}, {"kp", 0.3}}, {{4}, {-3}, {1}});
    check([](const auto& v) { return Law("elastic-dry-friction", v); }, dry,
          {{0, 0, 0.2}, {1, 0.5, 0.2}, {-1, 0.5, 0.3}});
    const Law sum("iwan4+kp", {{"FS", 10}, {"KT", 2}, {"chi", -0.4}, {"beta", 1.5}, {"kp", 0.3}});
    EXPECT_EQ(sum.cycle_derivatives(1.0).size(), 5u);
    EXPECT_EQ(sum.elastic_joints(1).size(), 1u);
    EXPECT_FALSE(sum.elastic());
}

}  // namespace
