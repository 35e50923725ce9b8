// Frequency and damping of a mode against amplitude: three masses in a row, a bolted joint between the last two.

#include <fmt/format.h>

#include "faying/modes/backbone.hpp"
#include "faying/modes/linear.hpp"

using namespace faying;

int main() {
    // 1. The structure: M, K, viscous damping, and a joint that reads u3 - u2.
    structure::Model model;
    model.mass = 10 * Eigen::Matrix3d::Identity();
    model.stiffness = Eigen::Matrix3d{{18, -9, 0}, {-9, 18, -9}, {0, -9, 9}};
    model.damping_ratio = 1e-4;
    model.joints = {structure::single_site(
        "joint", laws::Law("iwan4", {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}}), Eigen::Vector3d(0, -1, 1))};

    // 2. Between which frequencies the modes can lie: the joint stuck, and in full slip.
    const auto stuck = modes::linear_modes(model.mass, structure::stuck_stiffness(model));
    const auto slipping = modes::linear_modes(model.mass, structure::slipping_stiffness(model));
    fmt::print("mode 2: {:.6f} rad/s stuck, {:.6f} slipping\n", stuck.omega(1), slipping.omega(1));

    // 3. The backbone of the second mode. Every point carries its residual.
    const auto points = modes::backbone(model, 2, {0.1, 1, 10, 100, 1000});
    bool fine = true;
    double last = stuck.omega(1);
    for (const auto& p : points) {
        fmt::print("q {:6.1f}: omega {:.6f}, zeta {:.6f}, dissipated per cycle {:.3e}, residual {:.0e}\n", p.q, p.omega,
                   p.zeta, p.dissipation, p.residual);
        fine = fine && p.converged && p.omega < last && p.omega > slipping.omega(1) && p.dissipation > 0;
        last = p.omega;
    }

    // 4. How it depends on the joint: exact derivatives to every parameter of the law.
    const auto with = modes::backbone(model, 2, {10}, {.derivatives = true}).front();
    for (const auto& d : with.derivatives)
        fmt::print("d zeta/d {} = {:.3e}\n", model.joints[d.joint].law.parameters()[d.parameter].key, d.zeta);
    return fine && with.derivatives.size() == 4 ? 0 : 1;
}
