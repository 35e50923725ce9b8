// Elements of several displacements in time.
#include <gtest/gtest.h>

#include "faying/transient/simulate.hpp"
#include "own_laws.hpp"
#include "relative.hpp"

using namespace faying;
using namespace faying::transient;

/// Six coordinates by three elements: wide enough for the solver that takes only what is loose.
TEST(Element, KeepsItsEnergyInTime) {
    const tests::CoupledModes<> element{.a = 0.3, .b = 0.8, .c = 0.5, .d = 0.2};
    structure::Model model;
    model.mass = Eigen::MatrixXd::Identity(6, 6);
    model.stiffness = Eigen::VectorXd::LinSpaced(6, 1.0, 3.5).asDiagonal();
    model.joints = {
        {"elements", laws::Law(element), Eigen::MatrixXd::Identity(6, 6), Eigen::VectorXd::Ones(3), {}, {}}};
    Start start;
    start.displacement = (Eigen::VectorXd(6) << 0.8, -0.3, 0.1, 0.5, -0.6, 0.4).finished();
    const auto energy = [&](const Snapshot& s) {
        double sum = 0.5 * s.velocity.squaredNorm() + 0.5 * s.displacement.dot(model.stiffness * s.displacement);
        for (Eigen::Index i = 0; i < 6; i += 2) sum += element.potential(s.displacement(i), s.displacement(i + 1));
        return sum;
    };
    double drift[2] = {};
    for (int fine = 0; fine < 2; ++fine) {
        Simulation run(model, {}, start, {.duration = 10, .step = fine ? 0.0025 : 0.005});
        const double begun = energy(run.now());
        ASSERT_TRUE(run.to_end({}));
        drift[fine] = std::abs(energy(run.now()) / begun - 1);
        EXPECT_LT(run.balance().error, 1e-4);
    }
    EXPECT_LT(drift[1], 1e-5);
    EXPECT_LT(drift[1], 0.35 * drift[0]);  // second order
}
