#include "faying/fit/errors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

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

class BackboneFile : public testing::Test {
 protected:
    std::string path = testing::TempDir() + "faying_backbone.csv";
    void TearDown() override { std::filesystem::remove(path); }
    void write(const std::string& text) const { std::ofstream(path) << text; }
    std::string complaint(const std::string& text) const {
        write(text);
        try {
            fit::read_backbones(path);
        } catch (const core::BadInput& e) {
            return e.what();
        }
        return "";
    }
};

TEST_F(BackboneFile, ModesApartAndInOrder) {
    write("mode,amplitude,frequency,zeta\n2,1,50,0.01\n1,2,10,0.02\n1,1,11,0.01\n");
    const auto all = fit::read_backbones(path);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].mode, 1);
    EXPECT_EQ(all[0].amplitude, (std::vector<double>{1, 2}));
    EXPECT_NEAR(all[0].omega[0], 2 * M_PI * 11, 1e-12);
    EXPECT_EQ(all[1].mode, 2);
}

TEST_F(BackboneFile, RoundTrip) {
    auto b = example();
    b.omega[1] = 98.0 / 3;
    for (std::size_t i = 0; i < 3; ++i) {
        b.omega_low.push_back(b.omega[i] / 1.1);
        b.omega_high.push_back(b.omega[i] * 1.1);
        b.zeta_low.push_back(b.zeta[i] / 3);
        b.zeta_high.push_back(b.zeta[i] * 3);
    }
    b.mode = 2;
    for (const char* ending : {"", ".h5", ".mat"}) {
        fit::write_backbones(path + ending, {b});
        const auto back = fit::read_backbones(path + ending).at(0);
        EXPECT_EQ(back.mode, 2);
        EXPECT_EQ(back.omega, b.omega);
        EXPECT_EQ(back.zeta_low, b.zeta_low);
        EXPECT_EQ(back.zeta_high, b.zeta_high);
        std::filesystem::remove(path + ending);
    }
}

TEST_F(BackboneFile, ReadsWhatEnvelopeWrites) {
    write(
        "amplitude,omega,zeta,omega_mean_low,omega_mean_high,zeta_mean_low,zeta_mean_high,"
        "omega_observation_low,omega_observation_high,zeta_observation_low,zeta_observation_high\n"
        "1,10,0.01,9.9,10.1,0.009,0.011,9.5,10.5,0.005,0.015\n2,9,0.02,8.9,9.1,0.019,0.021,8.5,9.5,0.015,0.025\n");
    const auto b = fit::read_backbones(path).at(0);
    EXPECT_EQ(b.omega_low, (std::vector<double>{9.5, 8.5}));
    EXPECT_EQ(b.zeta_high, (std::vector<double>{0.015, 0.025}));
}

TEST_F(BackboneFile, SaysWhatIsWrong) {
    EXPECT_NE(complaint("amplitude,omega\n1,2\n").find("has no column 'zeta'; there are: amplitude, omega"),
              std::string::npos);
    EXPECT_NE(complaint("1,2,3\n").find("has no header"), std::string::npos);
    EXPECT_NE(complaint("amplitude,omega,zeta\n1,2,0.1\n0,2,0.1\n").find("data row 2: amplitude 0"), std::string::npos);
    EXPECT_NE(complaint("amplitude,omega,zeta\n1,2,1\n").find("must be in (0, 1)"), std::string::npos);
    EXPECT_NE(complaint("amplitude,omega,zeta\n1,2,.1\n1,2,.1\n").find("there twice"), std::string::npos);
    EXPECT_NE(complaint("mode,amplitude,omega,zeta\n1.5,1,2,.1\n").find("whole number"), std::string::npos);
    EXPECT_NE(complaint("amplitude,omega,zeta,omega_low\n1,2,.1,1\n").find("or none"), std::string::npos);
    EXPECT_NE(complaint("amplitude,omega,zeta,omega_low,omega_high,zeta_low,zeta_high\n1,2,.1,3,4,.1,.1\n")
                  .find("must enclose"),
              std::string::npos);
}

}  // namespace
