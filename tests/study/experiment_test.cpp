#include "faying/study/experiment.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <utility>

#include "faying/files/backbones.hpp"
#include "faying/modes/prestress.hpp"
#include "modes/lap_joint.hpp"
#include "source_dir.hpp"

namespace {

using namespace faying;
using namespace faying::study;

std::string data(const std::string& name) { return tests::source_dir() + "/data/" + name; }

/// The virtual joint: nodes carry the bolts, share the interface, and differ as they are told to.
TEST(VirtualExperiment, NodesFollowThePressure) {
    Experiment e;
    e.reduced = tests::full_joint(7, 3, 9);
    e.loads = {{"preload", 11500.0}};
    e.joint.spread = 0;
    e.joint.least_pressure = 0.8;  // some nodes are pressed less
    const double exponent = std::exchange(e.joint.exponent, 0);
    const auto even = rough_model(e);
    ASSERT_EQ(even.joints.size(), 32u);
    const Eigen::VectorXd rest = modes::prestress(even).u;
    std::vector<double> pressure;
    double area = 0, force = 0;
    for (const auto& j : even.joints) {
        pressure.push_back(e.joint.kn * std::max(0.0, j.map.row(2).dot(rest)));
        area += j.weight(0);
        force += j.weight(0) * pressure.back();
    }
    EXPECT_NEAR(area, e.reduced.quadrature.weight.sum(), 1e-12);
    // What the faces' own springs (1e4 N/m in all) take is next to nothing.
    EXPECT_NEAR(force / even.static_force.sum(), 1, 1e-3);

    e.joint.exponent = exponent;
    const auto pressed = rough_model(e);
    int least = 0;
    for (std::size_t i = 0; i < pressure.size(); ++i) {
        const double p = pressure[i] / (force / area);
        least += p < 0.8;
        const auto& values = pressed.joints[i].law.values();  // kt, mu, kn
        EXPECT_NEAR(values[0] / e.joint.kt, std::pow(std::max(p, 0.8), exponent), 1e-9);
        EXPECT_EQ(values[1], e.joint.mu);
    }
    EXPECT_GT(least, 0);
    EXPECT_LT(least, 32);

    e.joint.spread = 0.3;
    double sum = 0, squares = 0;
    const auto rough = rough_model(e);
    for (const auto& j : rough.joints) {
        const double x = std::log(j.law.values()[1] / e.joint.mu) / e.joint.spread;
        sum += x / 32, squares += x * x / 32;
    }
    EXPECT_LT(std::abs(sum), 3 / std::sqrt(32.0));
    EXPECT_NEAR(squares, 1, 3 * std::sqrt(2 / 32.0));
}

TEST(VirtualExperiment, ShippedBackbonesAreLabelled) {
    const std::string path = data("brake_reuss_virtual/backbones.csv");
    std::string line;
    std::ifstream file(path);
    std::getline(file, line);
    EXPECT_TRUE(line.starts_with("# virtual"));
    const auto backbones = files::read_backbones(path);
    ASSERT_EQ(backbones.size(), 3u);
    for (const auto& b : backbones) {
        EXPECT_TRUE(b.has_bounds());
        EXPECT_LT(b.omega.back(), b.omega.front());    // joints soften
        EXPECT_GT(b.zeta.back(), 2 * b.zeta.front());  // and dissipate
    }
}

}  // namespace
