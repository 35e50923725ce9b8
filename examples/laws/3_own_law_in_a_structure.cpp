// A law of your own in a structure: backbones with derivatives, a ring-down, a model file, and its parameters from a
// measured loop.

#include <fmt/format.h>

#include <fstream>
#include <numbers>

#include "faying/files/model.hpp"
#include "faying/fit/identify.hpp"
#include "faying/laws/catalogue.hpp"
#include "faying/modes/backbone.hpp"
#include "faying/transient/simulate.hpp"

using namespace faying;

// 1. Dahl's friction, df/du = k (1 - sgn(du) f/fc): a struct with its parameters, a state and a step that is exact for
//    any straight path. As a template of the scalar it has derivatives; with double alone they come by differences.
template <class T = double>
struct Dahl {
    using Scalar = T;
    template <class U>
    using rebind = Dahl<U>;
    static constexpr std::string_view key = "dahl";
    T k, fc;

    static const auto& table() {
        static const core::ParameterTable<Dahl> t = {core::parameter<&Dahl::k>("k", "N/m", "stiffness when stuck"),
                                                     core::parameter<&Dahl::fc>("fc", "N", "friction force")};
        return t;
    }

    struct State {
        T u{}, force{}, dissipated{};
    };
    State virgin() const { return {}; }
    laws::Step<T, State> step(const State& z, const T& u) const {
        using std::exp;
        const double s = laws::value(u) < laws::value(z.u) ? -1 : 1;
        const T distance = s * (u - z.u), left = exp(-k * distance / fc), gap = z.force - s * fc;
        const T force = s * fc + gap * left;
        const T dissipated = z.dissipated + fc * distance +  // Int f^2/fc du
                             (1.0 - left) * gap * (2.0 * s * fc + 0.5 * gap * (1.0 + left)) / k;
        return {force, k * (1.0 - s * force / fc), dissipated + 0.5 * force * force / k, dissipated,
                State{u, force, dissipated}};
    }
    // Its past is one number, which the loops of a structure may solve for (optional).
    std::array<T, 1> memory(const State& z) const { return {z.force}; }
    State with_memory(State z, const std::array<T, 1>& m) const {
        z.force = m[0];
        return z;
    }
};

int main() {
    // 2. One call makes it a Law, which stands wherever laws do: here between two masses.
    structure::Model model;
    model.mass = Eigen::Matrix2d::Identity();
    model.stiffness = Eigen::Matrix2d{{4.0, -1.0}, {-1.0, 4.0}};
    model.joints = {structure::single_site("joint", laws::Law(Dahl<>{.k = 2, .fc = 1}), Eigen::Vector2d(-1, 1))};

    // 3. Frequency and damping against amplitude, with derivatives to k and fc.
    const auto points =
        modes::backbone(model, 2, {0.01, 0.1, 1}, {.framework = modes::Framework::loops, .derivatives = true});
    for (const auto& p : points)
        fmt::print("q {:5.2f}: omega {:.6f}, zeta {:.6f}, d zeta/d fc {:9.6f}\n", p.q, p.omega, p.zeta,
                   p.derivatives[1].zeta);

    // 4. A ring-down: the energy that leaves is what the joint dissipates.
    transient::Simulation run(model, {}, {.displacement = Eigen::Vector2d(-1, 1), .velocity = {}},
                              {.duration = 20, .step = 0.02});
    double amplitude = 0, error = 0;
    run.to_end([&](const transient::Snapshot& now) {
        if (now.time > 15) amplitude = std::max(amplitude, now.displacement(1));
        error = std::abs(now.energy.error());
    });
    fmt::print("ring-down: 1 at the start, {:.4f} after 15 s; energy balance to {:.0e}\n", amplitude, error);

    // 5. Registered, it has a name: in expressions, and in the files of this program.
    laws::add_law<Dahl<>>();
    std::ofstream("own_law.toml") << "[structure]\nmass = [[1, 0], [0, 1]]\nstiffness = [[4, -1], [-1, 4]]\n"
                                     "[[joint]]\nlaw = \"dahl+kp\"\nparameters = { k = 2, fc = 1, kp = 0.1 }\n"
                                     "dofs = [1, 2]\n";
    const auto from_file =
        modes::backbone(files::read_model("own_law.toml"), 2, {1.0}, {.framework = modes::Framework::loops});
    fmt::print("from own_law.toml: omega {:.6f}, zeta {:.6f}\n", from_file[0].omega, from_file[0].zeta);

    // 6. Its parameters from a loop.
    fit::Loop loop;
    for (int i = 0; i <= 200; ++i) loop.u.push_back(std::sin(3 * std::numbers::pi * i / 200));
    loop.f = laws::Law("dahl", {{"k", 3}, {"fc", 0.7}}).follow(loop.u).f;
    const auto found = fit::identify(loop, "dahl", {.start = {{"k", 1}, {"fc", 1}}});
    fmt::print("identified: k {:.6f}, fc {:.6f}\n", found.parameters.at("k"), found.parameters.at("fc"));

    return points[2].converged && from_file[0].converged && amplitude < 0.9 && error < 1e-3 &&
                   std::abs(found.parameters.at("fc") - 0.7) < 1e-6
               ? 0
               : 1;
}
