// Interfaces of many contacts, of which few slip or open at a time.
#include <gtest/gtest.h>

#include <cmath>

#include "faying/modes/prestress.hpp"
#include "faying/structure/reduced.hpp"
#include "faying/transient/simulate.hpp"
#include "faying/transient/system.hpp"
#include "modes/lap_joint.hpp"
#include "transient/plain_newmark.hpp"

using namespace faying;
using namespace faying::transient;

namespace {

structure::Model lap_joint(const char* law = "elastic-dry-friction",
                           core::ParameterValues values = {{"kt", 4e12}, {"mu", 0.3}, {"kn", 2e12}}) {
    const auto reduced = tests::full_joint(5, 2, 6);
    auto model = structure::bare_model(reduced, {{"preload", 6000.0}});
    model.outputs = reduced.outputs;
    model.joints = {structure::joint_on_interface(reduced, "interface", laws::Law(law, values), "")};
    return model;
}

Excitation blow(const structure::Model& model, double force) {
    return {{point_load(model, model.size()), half_sine(force, 2000)}, {point_load(model, 1), half_sine(force, 3000)}};
}

}  // namespace

TEST(WideInterface, IsPlainNewmark) {
    for (const auto& model :
         {lap_joint(), lap_joint("jenkins-prager-2d", {{"kt", 4e12}, {"fs", 3e5}, {"kp", 1e10}, {"kn", 2e12}})}) {
        const double h = 2e-5;
        const auto load = blow(model, 3e4);
        Simulation run(model, load, {{}, {}, true}, {.duration = 200 * h, .step = h});
        ASSERT_TRUE(run.to_end({}));
        EXPECT_GT(run.now().energy.joint_dissipated, 0);
        const Eigen::VectorXd rest = modes::prestress(model).u, want = tests::plain_newmark(model, load, h, 200, rest);
        EXPECT_LT((run.now().displacement - want).norm(), 1e-10 * (want - rest).norm()) << model.joints[0].law.name();
    }
}

/// Contacts that the bolts leave open have no stiffness in the modes about rest.
TEST(WideInterface, ModesAreThoseAboutRest) {
    auto model = lap_joint();
    model.static_force(2) -= 2e3;  // a corner is pried open
    const Eigen::VectorXd rest = modes::prestress(model).u;
    const auto& joint = model.joints.front();
    const System closed(model), about_rest(model, 0, rest);
    Eigen::Index open = 0;
    for (Eigen::Index s = 0; s < joint.sites(); ++s) {
        const bool is_open = joint.map.row(3 * s + 2).dot(rest) <= 0;
        open += is_open;
        for (Eigen::Index i = 0; i < 3; ++i)
            EXPECT_EQ(about_rest.stuck()(3 * s + i), is_open ? 0 : closed.stuck()(3 * s + i));
    }
    EXPECT_GT(open, 0);
    EXPECT_LT(open, joint.sites());
    EXPECT_TRUE(((closed.omega() - about_rest.omega()).array() > -1e-6 * closed.omega().maxCoeff()).all());
    EXPECT_GT((closed.omega() - about_rest.omega()).maxCoeff(), 0);
}

/// Blows too weak to slip anything leave a linear structure: no site is loose, and nothing is lost.
TEST(WideInterface, RestsWhereNothingSlips) {
    const auto model = lap_joint("jenkins-2d", {{"kt", 4e12}, {"fs", 1e30}, {"kn", 2e12}});
    const double h = 1e-5;
    Simulation run(model, blow(model, 1e3), {{}, {}, true}, {.duration = 300 * h, .step = h});
    ASSERT_TRUE(run.to_end({}));
    EXPECT_EQ(run.now().energy.joint_dissipated, 0);
    EXPECT_LT(std::abs(run.now().energy.error()), 1e-9);
}

TEST(WideInterface, ResumesBitForBit) {
    const auto model = lap_joint();
    const auto load = blow(model, 3e4);
    const Options options{.method = Method::alpha, .duration = 4e-3, .step = 2e-5};
    Simulation whole(model, load, {{}, {}, true}, options);
    whole.to_end({});
    std::vector<Eigen::VectorXd> committed;
    Simulation first(model, load, {{}, {}, true}, options), second(model, load, {{}, {}, true}, options);
    int left = 77;
    EXPECT_FALSE(first.to_end(
        {}, {}, [&](const Eigen::VectorXd& y) { committed.push_back(y); }, [&](double) { return left-- > 0; }));
    second.resume(first.restart(), committed);
    second.to_end({});
    EXPECT_TRUE((second.now().displacement.array() == whole.now().displacement.array()).all());
    EXPECT_TRUE((second.now().q_acceleration.array() == whole.now().q_acceleration.array()).all());
}
