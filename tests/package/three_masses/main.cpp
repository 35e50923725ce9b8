// Three masses with an Iwan joint between the second and the third: a backbone, with the library's analyses alone.

#include <cstdio>

#include "faying/modes/backbone.hpp"
#include "faying/transient/simulate.hpp"

using namespace faying;

int main() {
    structure::Model model;
    model.mass = 10 * Eigen::Matrix3d::Identity();
    model.stiffness = Eigen::Matrix3d{{18, -9, 0}, {-9, 18, -9}, {0, -9, 9}};
    model.damping_ratio = 1e-4;
    model.joints = {structure::single_site(
        "joint", laws::Law("iwan4", {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}}), Eigen::Vector3d(0, -1, 1))};
    bool fine = true;
    double last = 1e9;
    for (const auto& point : modes::backbone(model, 2, {0.1, 1, 10})) {
        std::printf("q %5.1f: omega %.6f, zeta %.6f\n", point.q, point.omega, point.zeta);
        fine = fine && point.converged && point.omega < last;  // it softens
        last = point.omega;
    }
    transient::Simulation run(model, {}, {.displacement = Eigen::Vector3d(1, -1, 1), .velocity = {}},
                              {.duration = 20, .step = 0.02});
    double error = 1;
    run.to_end([&](const transient::Snapshot& now) { error = std::abs(now.energy.error()); });
    std::printf("ring-down: energy balance to %.0e\n", error);
    return fine && error < 1e-3 ? 0 : 1;
}
