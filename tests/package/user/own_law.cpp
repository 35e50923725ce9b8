// A stranger's laws, one of them a contact law, in a stranger's program: by value, by name and from a model file.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "faying/files/model.hpp"
#include "faying/fit/identify.hpp"
#include "faying/laws/catalogue.hpp"
#include "faying/modes/backbone.hpp"
#include "faying/transient/simulate.hpp"

using namespace faying;

/// A slider beside a spring, for double alone.
struct Damper {
    using Scalar = double;
    static constexpr std::string_view key = "damper";
    static constexpr laws::Claims claims{.return_point = true, .masing = true};
    double k, kt, fs;

    static const auto& table() {
        static const core::ParameterTable<Damper> t = {core::parameter<&Damper::k>("k", "N/m", "spring"),
                                                       core::parameter<&Damper::kt>("kt", "N/m", "grip"),
                                                       core::parameter<&Damper::fs>("fs", "N", "slip force")};
        return t;
    }
    static laws::Starts starts(const laws::LoopFeatures& seen, const core::ParameterValues&) {
        return {{{"k", seen.post_slip_stiffness()}, {"kt", seen.sticking_stiffness()}, {"fs", seen.slip_force}}};
    }
    double macroslip() const { return fs / kt; }

    struct State {
        double slider = 0, dissipated = 0;
    };
    State virgin() const { return {}; }
    laws::Step<double, State> step(State z, double u) const {
        const double trial = kt * (u - z.slider), friction = std::clamp(trial, -fs, fs);
        const double moved = u - friction / kt - z.slider;
        z.dissipated += friction == trial ? 0.0 : friction * moved;
        if (friction != trial) z.slider += moved;
        const double stored = 0.5 * k * u * u + 0.5 * friction * friction / kt;
        return {k * u + friction, friction == trial ? k + kt : k, stored + z.dissipated, z.dissipated, z};
    }
};

/// Friction along each axis while pressed.
struct Pad {
    using Scalar = double;
    static constexpr std::string_view key = "pad";
    double kt, mu, kn;

    static const auto& table() {
        static const core::ParameterTable<Pad> t = {core::parameter<&Pad::kt>("kt", "N/m", "tangential stiffness"),
                                                    core::parameter<&Pad::mu>("mu", "", "friction"),
                                                    core::parameter<&Pad::kn>("kn", "N/m", "normal stiffness")};
        return t;
    }

    struct State {
        laws::Vector3<double> u{};
        std::array<double, 2> traction{};
        double dissipated = 0;
    };
    State virgin() const { return {}; }
    laws::ContactStep<double, State> step(State z, const laws::Vector3<double>& u) const {
        laws::ContactStep<double, State> out;
        out.force[2] = kn * std::max(u[2], 0.0);
        out.tangent[2][2] = u[2] > 0 ? kn : 0.0;
        for (std::size_t i = 0; i < 2; ++i) {
            const double limit = mu * out.force[2], trial = z.traction[i] + kt * (u[i] - z.u[i]);
            out.force[i] = z.traction[i] = std::clamp(trial, -limit, limit);
            const bool slips = out.force[i] != trial;
            out.tangent[i][i] = slips ? 0.0 : kt;
            if (slips && u[2] > 0) out.tangent[i][2] = std::copysign(mu * kn, trial);
            z.dissipated += out.force[i] * (trial - out.force[i]) / kt;
            out.tangential_work += 0.5 * out.force[i] * out.force[i] / kt;
        }
        out.dissipated = z.dissipated;
        out.tangential_work += z.dissipated;
        out.work = out.tangential_work + 0.5 * out.force[2] * out.force[2] / kn;
        z.u = u;
        out.next = z;
        return out;
    }
};

bool close(double a, double b, double tolerance) {
    if (std::abs(a - b) <= tolerance * std::abs(b)) return true;
    std::printf("%.12g where %.12g is expected\n", a, b);
    return false;
}

int main() {
    laws::add_law<Damper>();
    laws::add_law<Pad>();
    std::ofstream("damper.toml") << "[structure]\nmass = [[1, 0], [0, 1]]\nstiffness = [[4, -1], [-1, 4]]\n"
                                    "[[joint]]\nlaw = \"damper+kp\"\ndofs = [1, 2]\n"
                                    "parameters = { k = 0.3, kt = 2, fs = 0.5, kp = 0.1 }\n";
    const auto own = files::read_model("damper.toml");
    auto known = own;
    known.joints[0].law = laws::Law("jenkins-prager", {{"kt", 2}, {"fs", 0.5}, {"kp", 0.4}});
    bool good = true;
    for (const auto framework : {modes::Framework::masing, modes::Framework::loops}) {
        const modes::BackboneOptions options{.framework = framework, .derivatives = true};
        const auto a = modes::backbone(own, 2, {0.1, 0.4, 1.5}, options),
                   b = modes::backbone(known, 2, {0.1, 0.4, 1.5}, options);
        for (std::size_t i = 0; i < a.size(); ++i) {
            good =
                good && a[i].converged && close(a[i].omega, b[i].omega, 1e-9) && std::abs(a[i].zeta - b[i].zeta) < 1e-9;
            for (const auto& d : a[i].derivatives)
                if (d.parameter == 2)  // fs
                    good = good && d.law == laws::Derivatives::differences &&
                           std::abs(d.omega - b[i].derivatives[1].omega) < 1e-7;
        }
    }

    transient::Simulation run(own, {}, {.displacement = Eigen::Vector2d(-1, 1), .velocity = {}},
                              {.duration = 10, .step = 0.01});
    double error = 1;
    run.to_end([&](const transient::Snapshot& now) { error = std::abs(now.energy.error()); });
    good = good && error < 1e-3;

    fit::Loop loop;
    for (int i = 0; i <= 100; ++i) loop.u.push_back(std::sin(0.1 * i));
    loop.f = laws::Law(Damper{0.3, 2, 0.5}).follow(loop.u).f;
    good = good && close(fit::identify(loop, "damper").parameters.at("fs"), 0.5, 1e-5);

    const laws::Law line("pad", {{"kt", 3}, {"mu", 0.5}, {"kn", 10}, {"un", 0.2}});
    good = good && close(line.cycle(1).dissipation, 4 * (1 - 1.0 / 3), 1e-12);
    structure::Model block;
    block.mass = Eigen::Matrix3d::Identity();
    block.stiffness = Eigen::Vector3d(1, 2, 1).asDiagonal();
    block.static_force = Eigen::Vector3d(0, 0, 1);
    block.joints = {{"pad", laws::Law(Pad{2, 0.5, 10}), Eigen::Matrix3d::Identity(), Eigen::VectorXd::Ones(1), {}, {}}};
    const auto slid = modes::backbone(block, 1, {0.5}, {.framework = modes::Framework::loops});
    good = good && slid[0].converged && slid[0].zeta > 0.01;
    return good ? 0 : 1;
}
