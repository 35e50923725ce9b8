#include "faying/fit/errors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "faying/core/error.hpp"

namespace {

using namespace faying;
using fit::Backbone;
using fit::Prediction;

Backbone example() { return {1, {1, 2, 4}, {100, 98, 95}, {1e-3, 2e-3, 5e-3}, {}, {}, {}, {}}; }

Prediction same(const Backbone& b) {
    return {Eigen::Map<const Eigen::VectorXd>(b.omega.data(), 3), Eigen::Map<const Eigen::VectorXd>(b.zeta.data(), 3)};
}

TEST(Errors, PerfectModelHasNone) {
    const auto data = example();
    const auto e = fit::errors(data, same(data));
    EXPECT_EQ(e.frequency, 0);
    EXPECT_EQ(e.damping, 0);
    const auto o = fit::objectives(data, same(data)).objectives;
    EXPECT_NEAR(o[0], -28, 1e-12);
    EXPECT_NEAR(o[1], -28, 1e-12);
}

TEST(Errors, UniformRelativeErrorsComeBack) {
    const auto data = example();
    auto model = same(data);
    model.omega *= 1.03;
    for (auto& z : model.zeta) z = std::pow(z, 0.9);  // ln z moved by a tenth of itself
    const auto e = fit::errors(data, model);
    EXPECT_NEAR(e.frequency, 0.03, 1e-15);
    EXPECT_NEAR(e.damping, 0.1, 1e-15);
    const auto o = fit::objectives(data, model).objectives;
    EXPECT_NEAR(o[0], 2 * std::log10(0.03), 1e-13);
    EXPECT_NEAR(o[1], -2, 1e-13);
    EXPECT_NEAR(fit::errors_of(o).frequency, e.frequency, 1e-14);
    EXPECT_NEAR(fit::errors_of(o).damping, e.damping, 1e-14);
}

TEST(Errors, UnitsOfFrequencyDoNotMatter) {
    auto data = example();
    auto model = same(data);
    model.omega += Eigen::Vector3d(1, -2, 3);
    const double before = fit::errors(data, model).frequency;
    for (auto& w : data.omega) w /= 8;
    model.omega /= 8;
    EXPECT_EQ(fit::errors(data, model).frequency, before);
}

TEST(Errors, NegativeDampingCountsAsAHundredPerCent) {
    const auto data = example();
    for (const double bad : {-1e-3, 0.0, std::nan("")}) {
        auto model = same(data);
        model.zeta(1) = bad;
        EXPECT_NEAR(fit::errors(data, model).damping, std::sqrt(1.0 / 3), 1e-15);
    }
}

TEST(Errors, JacobianIsTheDerivative) {
    const auto data = example();
    const auto model = [&](const Eigen::Vector2d& p) {
        Prediction m = same(data);
        m.omega_slopes = m.zeta_slopes = Eigen::MatrixXd(3, 2);
        for (int i = 0; i < 3; ++i) {
            m.omega(i) += p(0) * (i + 1) + p(1) * p(1);
            m.omega_slopes.row(i) << i + 1, 2 * p(1);
            m.zeta(i) *= std::exp(p(0) - i * p(1));
            m.zeta_slopes.row(i) << m.zeta(i), -i * m.zeta(i);
        }
        return m;
    };
    const Eigen::Vector2d p(0.3, -0.4);
    const auto jacobian = fit::objectives(data, model(p)).jacobian;
    for (int k = 0; k < 2; ++k) {
        const Eigen::Vector2d h = 1e-6 * Eigen::Vector2d::Unit(k);
        const auto up = fit::objectives(data, model(p + h)).objectives;
        const auto down = fit::objectives(data, model(p - h)).objectives;
        for (int j = 0; j < 2; ++j) EXPECT_NEAR(jacobian(j, k), (up[j] - down[j]) / 2e-6, 1e-8);
    }
}

TEST(Errors, VariabilityIsTheErrorOfTheBounds) {
    auto data = example();
    EXPECT_FALSE(fit::variability(data));
    for (std::size_t i = 0; i < 3; ++i) {
        data.omega_low.push_back(data.omega[i] * 0.99);
        data.omega_high.push_back(data.omega[i] * 1.02);
        data.zeta_low.push_back(i == 0 ? -1e-4 : data.zeta[i]);
        data.zeta_high.push_back(std::pow(data.zeta[i], 0.8));
    }
    const auto v = *fit::variability(data);
    EXPECT_NEAR(v.lower.frequency, 0.01, 1e-14);
    EXPECT_NEAR(v.upper.frequency, 0.02, 1e-14);
    EXPECT_NEAR(v.upper.damping, 0.2, 1e-14);
    EXPECT_TRUE(std::isnan(v.lower.damping));  // as [S0] Table 2, mode 1
}

TEST(Errors, ResamplingKeepsPowerLaws) {
    Backbone b{2, {}, {}, {}, {}, {}, {}, {}};
    for (const double a : {1e-3, 3e-3, 2e-2, 1.0}) {
        b.amplitude.push_back(a);
        b.omega.push_back(100 - 2 * std::log(a));
        b.zeta.push_back(0.01 * std::pow(a, 0.4));
    }
    const auto r = fit::resampled(b, 20);
    ASSERT_EQ(r.size(), 20u);
    EXPECT_EQ(r.mode, 2);
    EXPECT_EQ(r.amplitude.front(), b.amplitude.front());
    EXPECT_EQ(r.amplitude.back(), b.amplitude.back());
    for (std::size_t k = 0; k < 20; ++k) {
        EXPECT_NEAR(r.amplitude[k], 1e-3 * std::pow(1e3, double(k) / 19), 1e-12);
        EXPECT_NEAR(r.omega[k], 100 - 2 * std::log(r.amplitude[k]), 1e-11);
        EXPECT_NEAR(r.zeta[k] / (0.01 * std::pow(r.amplitude[k], 0.4)), 1, 1e-12);
    }
}

}  // namespace
