// A hammer hit, the ring-down, and the backbone read off it: what an experiment would do, next to what the mode does.

#include <fmt/format.h>

#include <cmath>

#include "faying/modes/backbone.hpp"
#include "faying/modes/linear.hpp"
#include "faying/signal/envelope.hpp"
#include "faying/transient/simulate.hpp"

using namespace faying;

int main() {
    // 1. The three masses of 1_backbone.cpp.
    structure::Model model;
    model.mass = 10 * Eigen::Matrix3d::Identity();
    model.stiffness = Eigen::Matrix3d{{18, -9, 0}, {-9, 18, -9}, {0, -9, 9}};
    model.damping_ratio = 1e-4;
    model.joints = {structure::single_site(
        "joint", laws::Law("iwan4", {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}}), Eigen::Vector3d(0, -1, 1))};

    // 2. Half a sine in the shape of the second mode, then free; from reversal to reversal, without a time step.
    const auto stuck = modes::linear_modes(model.mass, structure::stuck_stiffness(model));
    transient::Simulation run(model, {{transient::mode_load(model, 2), transient::half_sine(9.0, stuck.omega(1))}}, {},
                              {.method = transient::Method::events, .duration = 600, .step = 0.1, .tolerance = 1e-9});
    signal::Record record{.start = 0, .step = 0.1, .values = {}};
    run.to_end([&](const transient::Snapshot& now) { record.values.push_back(now.q(1)); });
    fmt::print("energy balance of the run: {:.1e}\n", run.balance().error);

    // 3. Frequency and damping of the record, segment by segment, after the pulse.
    const auto after = signal::cropped(record, 10, 600, "ring-down");
    const auto measured = signal::envelope(after, {.segments = 6}, "ring-down");

    // 4. Against the backbone at the same amplitudes.
    double worst_omega = 0, worst_zeta = 0;
    for (const auto& p : measured.points) {
        const auto b = modes::backbone(model, 2, {p.amplitude}).front();
        fmt::print("q {:6.3f}: omega {:.6f} ({:.6f}), zeta {:.6f} ({:.6f})\n", p.amplitude, p.omega, b.omega, p.zeta,
                   b.zeta);
        worst_omega = std::max(worst_omega, std::abs(p.omega / b.omega - 1));
        worst_zeta = std::max(worst_zeta, std::abs(p.zeta / b.zeta - 1));
    }
    return run.balance().held && measured.points.size() >= 4 && worst_omega < 1e-3 && worst_zeta < 0.1 ? 0 : 1;
}
