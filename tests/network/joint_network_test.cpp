// The sliders of a structure's joints as a network: the same statics as the structure's own.

#include "faying/network/joint_network.hpp"

#include <gtest/gtest.h>

#include "faying/core/error.hpp"
#include "faying/modes/about.hpp"
#include "faying/network/follower.hpp"
#include "faying/network/generators.hpp"
#include "faying/network/sensitivity.hpp"

namespace faying::network {
namespace {

/// Masses in a row, each joined to the next by a spring and a slider, the first held.
structure::Model row_of_sliders(int n) {
    structure::Model model;
    model.mass = Eigen::MatrixXd::Identity(n, n);
    model.stiffness = 0.2 * Eigen::MatrixXd::Identity(n, n);
    for (int i = 0; i + 1 < n; ++i) {
        Eigen::VectorXd d = Eigen::VectorXd::Zero(n);
        d(i) = -1;
        d(i + 1) = 1;
        model.stiffness += d * d.transpose();
        model.joints.push_back(
            structure::single_site("j", laws::Law("jenkins", {{"kt", 2.0 + i}, {"fs", 0.3 + 0.1 * i}}), d));
    }
    return model;
}

/// Along a load the structure's equilibrium, joints followed step by step, is the network's.
TEST(JointNetwork, MovesAsTheStructureDoes) {
    const int n = 5;
    const auto model = row_of_sliders(n);
    const auto made = network_of_joints(model, {.dof = n});
    EXPECT_EQ(made.network.size(), n - 1);
    Follower walk(made.network);
    // Sliders by hand: u from K_s u = F f + B^T D x, the friction forces from it.
    const Eigen::MatrixXd K = structure::stuck_stiffness(model);
    for (const double f : {0.5, 2.0, -1.5, 0.3, 3.0}) {
        walk.advance(f);
        Eigen::VectorXd pull = Eigen::VectorXd::Unit(n, n - 1) * f;
        for (int i = 0; i + 1 < n; ++i)
            pull += model.joints[std::size_t(i)].map.row(0).transpose() * (2.0 + i) * walk.state().x(i);
        const Eigen::VectorXd u = K.llt().solve(pull);
        for (int i = 0; i + 1 < n; ++i) {
            const double r = (2.0 + i) * (model.joints[std::size_t(i)].map.row(0).dot(u) - walk.state().x(i));
            EXPECT_NEAR(r, walk.state().r(i), 1e-12);
            EXPECT_LE(std::abs(r), 0.3 + 0.1 * i + 1e-12);
        }
        EXPECT_NEAR(u(n - 1), f / made.spring + walk.xi(), 1e-12);
    }
    EXPECT_GT(walk.dissipated(), 0.1);
}

/// A mode's own inertia as the load: with all sliders held the spring is omega^2.
TEST(JointNetwork, SpringOfAModeIsItsFrequencySquared) {
    const auto model = row_of_sliders(4);
    const auto modes = modes::linear_modes(model.mass, structure::stuck_stiffness(model), 2);
    EXPECT_NEAR(network_of_joints(model, {.mode = 2}).spring, modes.omega(1) * modes.omega(1), 1e-11);
}

TEST(JointNetwork, WhatIsRefused) {
    auto model = row_of_sliders(3);
    EXPECT_THROW(network_of_joints(model, {}), core::BadInput);
    EXPECT_THROW(network_of_joints(model, {.dof = 9}), core::BadInput);
    EXPECT_THROW(network_of_joints(model, {.mode = 1, .dof = 1}), core::BadInput);
    model.joints[0].law = laws::Law("iwan4", {{"FS", 1}, {"KT", 1}, {"chi", -0.5}, {"beta", 1}});
    EXPECT_THROW(network_of_joints(model, {.dof = 1}), core::BadInput);
    model.joints.clear();
    EXPECT_THROW(network_of_joints(model, {.dof = 1}), core::BadInput);
}

/// Derivatives to K and b against central differences, stops of sliders in mid-branch included.
TEST(Sensitivity, OfPositionsAndDissipationToTheNetwork) {
    const std::vector<double> loads{0.7, -1.1, 1.6, 0.2, 2.2, -2.5, -0.4, 1.0};
    int checked = 0;
    for (const unsigned seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
        const auto net = random_network(8, seed);
        Eigen::MatrixXd dK = Eigen::MatrixXd::Random(8, 8);
        dK = (dK + dK.transpose()).eval() * 0.02;
        const Eigen::VectorXd db = Eigen::VectorXd::Random(8);
        Follower walk(net);
        Sensitivity slopes(
            walk, 1, [&](double f, const Eigen::VectorXd& x, Eigen::MatrixXd& change) { change = db * f - dK * x; });
        const auto moved = [&](double p) {
            auto other = net;
            other.stiffness += p * dK;
            other.coupling += p * db;
            return Follower(other);
        };
        const double h = 1e-7;
        auto up = moved(h), down = moved(-h);
        for (const double f : loads) {
            slopes.advance(f, Eigen::RowVectorXd::Zero(1));
            up.advance(f);
            down.advance(f);
            const Eigen::VectorXd want = (up.state().x - down.state().x) / (2 * h);
            EXPECT_LT((slopes.positions().col(0) - want).norm(), 1e-6 * (1 + want.norm())) << seed << " at " << f;
            const double loss = (up.dissipated() - down.dissipated()) / (2 * h);
            EXPECT_NEAR(slopes.dissipated()(0), loss, 1e-5 * (1 + std::abs(loss)));
            ++checked;
        }
    }
    EXPECT_EQ(checked, 48);
}

}  // namespace
}  // namespace faying::network
