// The flat clamped strip of tests/reference/geometric.json, computed there by another program.

#include <gtest/gtest.h>

#include "faying/fe/deck_reader.hpp"
#include "faying/geometric/condensation.hpp"
#include "faying/geometric/nnm.hpp"
#include "faying/geometric/solid.hpp"
#include "reference.hpp"

namespace {

using namespace faying;
using namespace faying::geometric;

struct Strip {
    Solid solid{fe::read_deck(tests::source_dir() + "/tests/reference/decks/flat.inp")};
    Rest rest = at_rest(solid, solid.load());
    Mode mode = linear_mode(solid, rest, 1);
};

Strip& strip() {
    static Strip one;
    return one;
}

const nlohmann::json& expected() { return tests::reference("geometric")["flat_clamped_strip"]; }

TEST(FlatStrip, Frequencies) {
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(
            strip().mode.all_omega(static_cast<Index>(i)) / (2 * M_PI * expected()["frequencies_hz"][i].get<double>()),
            1, 1e-7);
    EXPECT_NEAR(strip().mode.omega * strip().mode.omega / expected()["omega1_sq"].get<double>(), 1, 1e-10);
    EXPECT_LT(strip().mode.residual, 1e-7);
}

TEST(FlatStrip, StaticPoints) {
    auto& s = strip();
    ModalPath path(s.solid, s.rest, s.mode);
    const auto& points = expected()["static"]["S1"];
    for (std::size_t i = 8; i < points.size(); ++i) {
        const PathPoint p = path.to(points[i]["q"].get<double>());
        ASSERT_TRUE(p.converged);
        EXPECT_NEAR(p.alpha / points[i]["alpha"].get<double>(), 1, 1e-8);
        EXPECT_NEAR(p.slope / points[i]["dalpha_dq"].get<double>(), 1, 1e-7);
        EXPECT_NEAR(p.energy / points[i]["energy"].get<double>(), 1, 1e-8);
        EXPECT_EQ(p.unstable, 0);
        RecordProperty("iterations", p.iterations);
    }
}

TEST(FlatStrip, TaylorCoefficients) {
    auto& s = strip();
    const Taylor t = taylor(s.solid, s.rest, s.mode, 9);
    const auto& k = expected()["ICE_taylor"];
    for (const auto& [j, tolerance] : {std::pair{"1", 1e-10}, {"3", 1e-9}, {"5", 1e-8}, {"7", 1e-7}, {"9", 1e-6}})
        EXPECT_NEAR(t.k(std::stoi(j)) / k[j].get<double>(), 1, tolerance) << j;
    // Even ones vanish by symmetry: against q^j of the odd neighbours at one thickness.
    EXPECT_LT(std::abs(t.k(2)) * 1.5e-3, 1e-10 * t.k(1));
}

TEST(FlatStrip, Fits) {
    std::vector<double> q, alpha;
    int compared = 0;
    for (const auto& p : expected()["static"]["S1"]) {
        q.push_back(p["q"]);
        alpha.push_back(p["alpha"]);
    }
    for (const auto& [order, fit] : expected()["SICE_fits"]["S1"].items()) {
        const Fit ours = fit_polynomial(strip().mode.omega, q, alpha, std::stoi(order));
        EXPECT_NEAR(ours.rms * ours.rms / fit["J"].get<double>(), 1, 1e-3) << order;
        for (const auto& [j, k] : fit["k"].items())
            if (std::stoi(j) % 2 == 1) {
                EXPECT_NEAR(ours.k(std::stoi(j)) / k.get<double>(), 1, 1e-4) << order << " " << j;
                ++compared;
            }
    }
    EXPECT_EQ(compared, 16);
}

TEST(FlatStrip, ModesOfFits) {
    int compared = 0;
    for (const auto& [order, points] : expected()["NNM_of_fits"]["S1"].items()) {
        VectorXd k = VectorXd::Zero(std::stoi(order) + 1);
        k(1) = expected()["omega1_sq"].get<double>();
        for (const auto& [j, value] : expected()["SICE_fits"]["S1"][order]["k"].items())
            k(std::stoi(j)) = value.get<double>();
        for (const auto& p : points) {
            const NnmPoint ours = nnm_of_polynomial(k, p["q_plus"].get<double>());
            ASSERT_TRUE(ours.converged) << ours.reason;
            EXPECT_NEAR(ours.omega / p["omega"].get<double>(), 1, 1e-10);
            EXPECT_NEAR(ours.energy / p["energy"].get<double>(), 1, 1e-10);
            EXPECT_NEAR(ours.q_minus / p["q_minus"].get<double>(), 1, 1e-10);
            double sum = 0;
            for (const double h : ours.harmonics) sum += h;
            EXPECT_NEAR(sum / ours.q_plus, 1, 1e-6);
            ++compared;
        }
    }
    EXPECT_EQ(compared, 20);
}

/// A cubic spring: every other coefficient of the phase vanishes, at some amplitudes to the last bit.
TEST(PolynomialNnm, HarmonicsAddUpToTheAmplitude) {
    const VectorXd k = Eigen::Vector4d(0, 394800, 0, 5.396e10);
    for (const double q : {4e-3, 4.02e-3, 5e-3}) {
        const NnmPoint p = nnm_of_polynomial(k, q, 15);
        double sum = 0;
        for (const double h : p.harmonics) sum += h;
        EXPECT_NEAR(sum / q, 1, 1e-12) << q;
    }
}

TEST(FlatStrip, ModesOfTheMesh) {
    auto& s = strip();
    std::vector<double> amplitudes;
    for (const auto& p : expected()["full_FE_NNM_HB_H9"])
        if (p["q1"].get<double>() < 1.1e-3) amplitudes.push_back(p["q1"]);
    ASSERT_EQ(amplitudes.size(), 6u);
    const auto points = nnm(s.solid, s.rest, s.mode, amplitudes);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& p = expected()["full_FE_NNM_HB_H9"][i];
        ASSERT_TRUE(points[i].converged) << points[i].reason;
        EXPECT_NEAR(points[i].omega / p["omega"].get<double>(), 1, 1e-8) << amplitudes[i];
        EXPECT_NEAR(points[i].energy / p["energy"].get<double>(), 1, 1e-7);
        EXPECT_NEAR(points[i].q_plus / p["q_t0"].get<double>(), 1, 1e-8);
    }
}

}  // namespace
