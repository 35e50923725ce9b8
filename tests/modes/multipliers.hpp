#pragma once
// Points of responses with their stability, multipliers beside expected ones, and one mass on a joint whose force jumps.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <complex>
#include <string>
#include <vector>

#include "event_driven.hpp"
#include "faying/modes/harmonic_balance.hpp"
#include "harmonic_stability.hpp"

namespace faying::tests {

using structure::Model;

inline modes::HarmonicPoint point_at(const Model& m, const VectorXd& load, double p, double w, int highest) {
    modes::HarmonicOptions options{.harmonics = core::Harmonics::up_to(highest)};
    options.stability = true;
    for (const auto& point : modes::response(m, {load, p}, 0.9999 * w, 1.0001 * w, {w}, options))
        if (point.omega == w) return point;
    return {};
}

/// Every multiplier found is among the expected, and every one of the expected is found or zero.
inline void expect_alike(const modes::Stability& s, const std::vector<Complex>& expected, double tolerance) {
    ASSERT_TRUE(s.stable.has_value()) << s.reason;
    EXPECT_EQ(s.method, "exact orbit") << s.reason;
    EXPECT_LT(s.orbit_residual, 1e-9);
    ASSERT_FALSE(s.multipliers.empty());
    std::string all;
    for (const Complex& e : expected) all += fmt::format(" {:.3e}{:+.3e}i", e.real(), e.imag());
    for (const Complex& m : s.multipliers) {
        double nearest = 10;
        for (const Complex& e : expected) nearest = std::min(nearest, std::abs(e - m));
        EXPECT_LT(nearest, tolerance) << m << " not among" << all;
    }
    for (const Complex& e : expected) {
        double nearest = std::abs(e);
        for (const Complex& m : s.multipliers) nearest = std::min(nearest, std::abs(e - m));
        EXPECT_LT(nearest, tolerance) << e << " is not found";
    }
}

/// One mass on a spring and a joint of one displacement.
inline Model on_spring(const laws::Law& law, double ratio) {
    Model m;
    m.mass = m.stiffness = MatrixXd::Identity(1, 1);
    m.damping = MatrixXd::Constant(1, 1, 2 * ratio);
    m.joints = {structure::single_site("joint", law, VectorXd::Ones(1))};
    return m;
}

inline const laws::Law reid("reid", {{"k", 0.8}, {"eta", 0.15}});
inline const laws::Law iwan5("iwan5", {{"FS", 0.6}, {"KT", 2}, {"chi", -0.5}, {"beta", 5}, {"theta", 0.8}});

}  // namespace faying::tests
