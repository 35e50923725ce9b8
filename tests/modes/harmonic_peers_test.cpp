// Examples of NLvib (Krack and Gross 2019) and tmdsimpy (Porter 2023), rebuilt from their descriptions, with their
// number of harmonics and samples: every point solves their equations too, written here a second time on all DOF.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "faying/modes/harmonic_balance.hpp"

namespace {

using namespace faying;
using core::Harmonics;
using std::numbers::pi;
using structure::Model;

/// A spring k1 u + k3 u^3, or a slider where fs > 0.
struct Element {
    Eigen::VectorXd direction;
    double k = 0, k3 = 0, fs = 0;
};

Model model_of(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& stiffness, const Eigen::MatrixXd& damping,
               const std::vector<Element>& elements) {
    Model m;
    m.mass = mass;
    m.stiffness = stiffness;
    m.damping = damping;
    for (const auto& e : elements)
        m.joints.push_back(structure::single_site("element",
                                                  e.fs > 0 ? laws::Law("jenkins", {{"kt", e.k}, {"fs", e.fs}})
                                                           : laws::Law("polynomial", {{"k1", e.k}, {"k3", e.k3}}),
                                                  e.direction));
    return m;
}

/// -k^2 w^2 M + .. of every harmonic, and the elements' forces by alternating between frequency and time: N samples per
/// period, two periods from a slider at rest, discrete Fourier sums. The largest entry, over the largest force.
double residual(const Model& m, const std::vector<Element>& elements, const modes::HarmonicPoint& p,
                const Harmonics& harmonics, int samples, const Eigen::VectorXd& load, double zeta = 0) {
    const Eigen::Index functions = harmonics.size();
    const Eigen::MatrixXd& x = p.harmonics;
    Eigen::MatrixXd r = m.stiffness * x;
    const Eigen::MatrixXd damping = m.damping - 2 * zeta * p.omega * m.mass;
    double largest = r.cwiseAbs().maxCoeff();
    for (std::size_t i = 0; i < harmonics.orders().size(); ++i) {
        const double kw = harmonics.orders()[i] * p.omega;
        const Eigen::Index b = harmonics.at(i);
        if (kw == 0) continue;
        r.middleCols(b, 2) -= kw * kw * m.mass * x.middleCols(b, 2);
        r.col(b) += kw * damping * x.col(b + 1);
        r.col(b + 1) -= kw * damping * x.col(b);
        if (harmonics.orders()[i] == 1) r.col(b) -= load;
    }
    for (const auto& e : elements) {
        const Eigen::VectorXd motion = x.transpose() * e.direction;
        double slider = 0;
        Eigen::VectorXd h(functions), sum = Eigen::VectorXd::Zero(functions);
        for (int j = 0; j < 2 * samples; ++j) {
            harmonics.values(2 * pi * (j % samples) / samples, h.data());
            const double u = motion.dot(h);
            double f = e.k * u + e.k3 * u * u * u;
            if (e.fs > 0) {
                f = std::clamp(e.k * (u - slider), -e.fs, e.fs);
                slider = u - f / e.k;
            }
            if (j >= samples) sum += f * h;
        }
        for (Eigen::Index b = 0; b < functions; ++b)
            r.col(b) += e.direction * sum(b) * (b == 0 && harmonics.has_mean() ? 1.0 : 2.0) / samples;
    }
    return r.cwiseAbs().maxCoeff() / std::max(largest, load.cwiseAbs().maxCoeff());
}

modes::HarmonicOptions sampled(int highest, int samples) {
    modes::HarmonicOptions options{.harmonics = Harmonics::up_to(highest)};
    options.joints.samples = samples;
    return options;
}

Eigen::MatrixXd one_by_one(double x) { return Eigen::MatrixXd::Constant(1, 1, x); }

/// Springs between neighbours and to the walls at both ends.
Eigen::MatrixXd chain(int masses, double k) {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(masses, masses);
    for (int i = 0; i < masses; ++i) {
        m(i, i) = 2 * k;
        if (i > 0) m(i, i - 1) = m(i - 1, i) = -k;
    }
    return m;
}

TEST(NLvib, Example1Duffing) {
    const std::vector<Element> cubic{{Eigen::VectorXd::Ones(1), 0, 0.1, 0}};
    const Model m = model_of(one_by_one(1), one_by_one(1), one_by_one(0.05), cubic);
    const Eigen::VectorXd load = Eigen::VectorXd::Constant(1, 0.18);
    const auto options = sampled(7, 64);
    const auto points = modes::response(m, {Eigen::VectorXd::Ones(1), 0.18}, 0.5, 1.6, {}, options);
    EXPECT_EQ(points.back().omega, 1.6);
    EXPECT_LE(points.size(), 150u);
    int turns = 0;
    double peak = 0;
    for (const auto& p : points) {
        ASSERT_TRUE(p.converged);
        EXPECT_LT(residual(m, cubic, p, options.harmonics, 64, load), 1e-10) << p.omega;
        turns += p.turning_point;
        peak = std::max(peak, p.a);
        // One term of the same equation, in closed form: near it, as the example draws
        const double d = 1 + 0.075 * p.a * p.a - p.omega * p.omega, loss = 0.05 * p.omega;
        EXPECT_NEAR(p.a * std::hypot(d, loss), 0.18, 0.02) << p.omega;
    }
    EXPECT_EQ(turns, 2);
    EXPECT_GT(peak, 2.2);
}

TEST(NLvib, Example4TwoMassesCubicMode) {
    const std::vector<Element> cubic{{Eigen::Vector2d(1, 0), 0, 0.5, 0}};
    const Model m = model_of(Eigen::Matrix2d::Identity(), chain(2, 1), Eigen::MatrixXd::Zero(2, 2), cubic);
    const auto options = sampled(9, 128);
    std::vector<double> amplitudes;
    for (int i = 0; i <= 12; ++i) amplitudes.push_back(std::pow(10.0, -1 + 0.15 * i));  // below the loops
    const auto points = modes::epmc(m, 1, amplitudes, options);
    double last = 1;
    for (const auto& p : points) {
        ASSERT_TRUE(p.converged) << p.a;
        EXPECT_LT(residual(m, cubic, p, options.harmonics, 128, Eigen::Vector2d::Zero(), p.zeta), 1e-10) << p.a;
        EXPECT_GT(p.omega, last - 1e-12);
        EXPECT_LT(std::abs(p.zeta), 1e-12);
        last = p.omega;
    }
    EXPECT_LT(last, std::sqrt(3.0));
}

TEST(NLvib, Example7ChainWithFrictionAndCubicSprings) {
    // Three masses, two elastic dry friction elements and two cubic springs (the stop of the
    // example left out, and a quarter of its samples)
    const std::vector<Element> elements{{Eigen::Vector3d(1, 0, 0), 20, 0, 1},
                                        {Eigen::Vector3d(-1, 1, 0), 20, 0, 1},
                                        {Eigen::Vector3d(0, 1, 0), 0, 1, 0},
                                        {Eigen::Vector3d(0, -1, 1), 0, 1, 0}};
    const Model m = model_of(Eigen::Matrix3d::Identity(), chain(3, 1), 0.02 * chain(3, 1), elements);
    const auto options = sampled(7, 256);
    const Eigen::Vector3d load(0, 1, 0);
    const auto points = modes::response(m, {load, 1.0}, 0.5, 1.2, {}, options);
    ASSERT_FALSE(points.empty());
    EXPECT_EQ(points.back().omega, 1.2);
    EXPECT_LE(points.size(), 150u);
    for (std::size_t i = 0; i < points.size(); i += 5) {
        ASSERT_TRUE(points[i].converged);
        EXPECT_LT(residual(m, elements, points[i], options.harmonics, 256, load), 1e-10) << points[i].omega;
    }
}

TEST(NLvib, TwoMassesWithFrictionForcedAndAsAMode) {
    const std::vector<Element> slider{{Eigen::Vector2d(-1, 1), 1, 0, 0.3}};
    const Model m = model_of(Eigen::Matrix2d::Identity(), chain(2, 1), 0.02 * chain(2, 1), slider);
    const auto options = sampled(7, 512);
    const Eigen::Vector2d load(0.4, 0);
    const auto points = modes::response(m, {Eigen::Vector2d(1, 0), 0.4}, 0.6, 2.4, {}, options);
    EXPECT_EQ(points.back().omega, 2.4);
    EXPECT_LE(points.size(), 150u);
    for (const auto& p : points) {
        ASSERT_TRUE(p.converged);
        EXPECT_LT(residual(m, slider, p, options.harmonics, 512, load), 1e-10) << p.omega;
    }
    for (const auto& p : modes::epmc(m, 2, {0.01, 0.1, 0.3, 1, 10, 100}, options)) {
        ASSERT_TRUE(p.converged) << p.a;
        EXPECT_LT(residual(m, slider, p, options.harmonics, 512, Eigen::Vector2d::Zero(), p.zeta), 1e-10) << p.a;
    }
}

TEST(Tmdsimpy, OneMassJenkinsMode) {
    // m = 1, k = 1, c = 0.01, kt = 0.25, Fs = 0.2; harmonics 0 to 3, 1024 samples; a from 1e-2 to 1e5
    const std::vector<Element> slider{{Eigen::VectorXd::Ones(1), 0.25, 0, 0.2}};
    const Model m = model_of(one_by_one(1), one_by_one(1), one_by_one(0.01), slider);
    const auto options = sampled(3, 1024);
    const auto points = modes::epmc(m, 1, {1e-2, 0.5, 1, 3, 30, 1e3, 1e5}, options);
    for (const auto& p : points) {
        ASSERT_TRUE(p.converged) << p.a;
        EXPECT_LT(residual(m, slider, p, options.harmonics, 1024, Eigen::VectorXd::Zero(1), p.zeta), 1e-10) << p.a;
    }
    EXPECT_NEAR(points.front().omega, std::sqrt(1.25), 1e-12);
    EXPECT_NEAR(points.back().omega, 1, 1e-7);
}

TEST(Tmdsimpy, OneMassDuffingModeWithOneHarmonic) {
    const std::vector<Element> cubic{{Eigen::VectorXd::Ones(1), 0, 1, 0}};
    const Model m = model_of(one_by_one(1), one_by_one(1), one_by_one(0.01), cubic);
    for (const auto& p : modes::epmc(m, 1, {0.01, 0.1, 1, 10, 100}, sampled(1, 128)))
        EXPECT_NEAR(p.omega / std::sqrt(1 + 0.75 * p.a * p.a), 1, 1e-12) << p.a;
}

TEST(Tmdsimpy, ThreeMassesDrivenThroughResonance) {
    Eigen::Matrix3d mass, stiffness;
    mass << 6.12, 3.33, 4.14, 3.33, 4.69, 3.42, 4.14, 3.42, 3.7;
    stiffness << 3.0, 0.77, 1.8, 0.77, 2.48, 1.71, 1.8, 1.71, 2.51;
    const std::vector<Element> cubic{{Eigen::Vector3d(-1, 1, 0), 0, 3.2, 0}};
    const Model m = model_of(mass, stiffness, 0.0001 * mass + 0.0003 * stiffness, cubic);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix3d> eigen(stiffness, mass);
    const double w = std::sqrt(eigen.eigenvalues()(0));
    const Eigen::Vector3d load = mass * eigen.eigenvectors().col(0);
    const auto options = sampled(5, 128);
    const auto points = modes::response(m, {load, 0.01}, 0.9 * w, 1.1 * w, {w}, options);
    EXPECT_TRUE(std::any_of(points.begin(), points.end(), [&](const auto& p) { return p.omega == w; }));
    for (const auto& p : points) {
        ASSERT_TRUE(p.converged);
        EXPECT_LT(residual(m, cubic, p, options.harmonics, 128, 0.01 * load), 1e-10) << p.omega;
    }
}

}  // namespace
