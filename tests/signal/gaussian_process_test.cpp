#include "faying/signal/gaussian_process.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "faying/core/error.hpp"

using namespace faying;
using signal::GaussianProcess;

namespace {

double curve(double x) { return 3 + std::sin(1.7 * x) + 0.4 * x; }

struct Points {
    std::vector<double> x, y, error;
};
Points measured(int n, double noise, double growth, std::mt19937_64& random) {
    Points p;
    std::normal_distribution<double> normal;
    for (int i = 0; i < n; ++i) {
        p.x.push_back(4.0 * i / (n - 1));
        p.error.push_back(noise * std::exp(growth * p.x.back()));
        p.y.push_back(curve(p.x.back()) + p.error.back() * normal(random));
    }
    return p;
}

}  // namespace

TEST(GaussianProcess, WithoutNoiseItInterpolates) {
    std::mt19937_64 random(1);
    const Points p = measured(25, 0, 0, random);
    const GaussianProcess fit(p.x, p.y, {});
    for (double x = 0; x <= 4; x += 0.037) EXPECT_NEAR(fit.at(x).mean, curve(x), 1e-3);
    EXPECT_LT(fit.noise_deviation(), 1e-3);
}

/// Four points are enough, however far they are from each other.
TEST(GaussianProcess, FewPointsAreEnough) {
    for (const int n : {4, 5, 8}) {
        std::vector<double> x, y;
        for (int i = 0; i < n; ++i) x.push_back(i * i), y.push_back(2 + 0.5 * i * i);
        const GaussianProcess fit(x, y, {});
        EXPECT_NEAR(fit.at(0).mean, 2, 1e-3) << n;
        EXPECT_NEAR(fit.at((n - 1) * (n - 1)).mean, 2 + 0.5 * (n - 1) * (n - 1), 1e-3) << n;
    }
}

TEST(GaussianProcess, ItIsIndifferentToUnits) {
    std::mt19937_64 random(2);
    Points p = measured(60, 0.05, 0, random);
    const auto a = GaussianProcess(p.x, p.y, {}).at(1.3);
    for (double& y : p.y) y = 1e4 * y - 7;
    for (double& x : p.x) x = 100 * x + 5;
    const auto b = GaussianProcess(p.x, p.y, {}).at(135);
    EXPECT_NEAR(b.mean, 1e4 * a.mean - 7, 1e-4 * 1e4 * a.mean);
    EXPECT_NEAR(b.mean_error, 1e4 * a.mean_error, 2e-2 * b.mean_error);
}

TEST(GaussianProcess, BoundsHoldWhatTheySay) {
    // 100 repeats: the true curve within the bounds of the mean, new points within the bounds of an observation.
    for (const bool weighted : {false, true}) {
        std::mt19937_64 random(3);
        int curve_in = 0, point_in = 0, total = 0;
        double noise = 0;
        for (int repeat = 0; repeat < 100; ++repeat) {
            const Points p = measured(50, 0.1, weighted ? 0.5 : 0, random);
            const GaussianProcess fit(p.x, p.y, weighted ? p.error : std::vector<double>{});
            noise += fit.noise_deviation() / 100;
            std::normal_distribution<double> normal;
            for (double x = 0.05; x < 4; x += 0.2, ++total) {
                const auto at = fit.at(x);
                const double one = curve(x) + 0.1 * std::exp(weighted ? 0.5 * x : 0) * normal(random);
                curve_in += std::abs(at.mean - curve(x)) < 1.96 * at.mean_error;
                point_in += std::abs(at.mean - one) < 1.96 * at.observation_error;
            }
        }
        EXPECT_GT(curve_in, 0.90 * total);
        EXPECT_LT(curve_in, 0.99 * total);
        EXPECT_GT(point_in, 0.90 * total);
        EXPECT_LT(point_in, 0.99 * total);
        if (!weighted) {
            EXPECT_NEAR(noise, 0.1, 0.01);
        }
    }
}

TEST(GaussianProcess, BadPointsAreRefused) {
    EXPECT_THROW(GaussianProcess({1, 2, 3}, {1, 2, 3}, {}), core::BadInput);
    EXPECT_THROW(GaussianProcess({1, 1, 1, 1}, {1, 2, 3, 4}, {}), core::BadInput);
    EXPECT_THROW(GaussianProcess({1, 2, 3, 4}, {1, 2, 3, std::nan("")}, {}), core::BadInput);
    EXPECT_THROW(GaussianProcess({1, 2, 3, 4}, {1, 2, 3}, {}), core::BadInput);
}
