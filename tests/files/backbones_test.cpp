// Measured backbones through files and back.

#include "faying/files/backbones.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "faying/core/error.hpp"

namespace {

using namespace faying;
using fit::Backbone;

Backbone example() { return {1, {1, 2, 4}, {100, 98, 95}, {1e-3, 2e-3, 5e-3}, {}, {}, {}, {}}; }

class BackboneFile : public testing::Test {
 protected:
    std::string path = testing::TempDir() + "faying_backbone.csv";
    void TearDown() override { std::filesystem::remove(path); }
    void write(const std::string& text) const { std::ofstream(path) << text; }
    std::string note(const std::string& text) const {
        write(text);
        try {
            files::read_backbones(path);
        } catch (const core::BadInput& e) {
            return e.what();
        }
        return "";
    }
};

TEST_F(BackboneFile, ModesApartAndInOrder) {
    write("mode,amplitude,frequency,zeta\n2,1,50,0.01\n1,2,10,0.02\n1,1,11,0.01\n");
    const auto all = files::read_backbones(path);
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
        files::write_backbones(path + ending, {b});
        const auto back = files::read_backbones(path + ending).at(0);
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
    const auto b = files::read_backbones(path).at(0);
    EXPECT_EQ(b.omega_low, (std::vector<double>{9.5, 8.5}));
    EXPECT_EQ(b.zeta_high, (std::vector<double>{0.015, 0.025}));
}

TEST_F(BackboneFile, SaysWhatIsWrong) {
    EXPECT_NE(note("amplitude,omega\n1,2\n").find("has no column 'zeta'; there are: amplitude, omega"),
              std::string::npos);
    EXPECT_NE(note("1,2,3\n").find("has no header"), std::string::npos);
    EXPECT_NE(note("amplitude,omega,zeta\n1,2,0.1\n0,2,0.1\n").find("data row 2: amplitude 0"), std::string::npos);
    EXPECT_NE(note("amplitude,omega,zeta\n1,2,1\n").find("must be in (0, 1)"), std::string::npos);
    EXPECT_NE(note("amplitude,omega,zeta\n1,2,.1\n1,2,.1\n").find("there twice"), std::string::npos);
    EXPECT_NE(note("mode,amplitude,omega,zeta\n1.5,1,2,.1\n").find("whole number"), std::string::npos);
    EXPECT_NE(note("amplitude,omega,zeta,omega_low\n1,2,.1,1\n").find("or none"), std::string::npos);
    EXPECT_NE(
        note("amplitude,omega,zeta,omega_low,omega_high,zeta_low,zeta_high\n1,2,.1,3,4,.1,.1\n").find("must enclose"),
        std::string::npos);
}

}  // namespace
