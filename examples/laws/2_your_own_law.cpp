// A law of your own: a plain struct. check_law() tells which invariant it breaks.

#include <fmt/format.h>

#include "faying/laws/check.hpp"
#include "faying/laws/joint.hpp"

using faying::laws::Step;

// 1. A spring k beside a Coulomb slider that grips rigidly enough (kt) up to fs.
struct Damper {
    using Scalar = double;
    struct State {
        double slider = 0, dissipated = 0;
    };
    static constexpr std::string_view key = "damper";
    static constexpr faying::laws::Claims claims{.return_point = true};
    double k, kt, fs;

    State virgin() const { return {}; }
    Step<double, State> step(State z, double u) const {
        double friction = kt * (u - z.slider);
        const bool slips = std::abs(friction) > fs;
        if (slips) {
            friction = std::copysign(fs, friction);
            z.dissipated += friction * (u - friction / kt - z.slider);
            z.slider = u - friction / kt;
        }
        const double stored = 0.5 * k * u * u + 0.5 * friction * friction / kt;
        return {k * u + friction, slips ? k : k + kt, stored + z.dissipated, z.dissipated, z};
    }
};

// 2. The same with a slip: it forgets to move the slider.
struct Forgetful : Damper {
    static constexpr std::string_view key = "forgetful";
    Step<double, State> step(State z, double u) const {
        auto s = Damper::step(z, u);
        s.next.slider = z.slider;
        return s;
    }
};

int main() {
    const Damper damper{0.1, 10, 1};
    const auto none = faying::laws::check_law(damper);
    const auto some = faying::laws::check_law(Forgetful{damper});
    fmt::print("damper: {} complaints\nforgetful: {}\n", none.size(),
               some.empty() ? "no complaints" : some.front().invariant + ": " + some.front().evidence);

    // 3. Many sites of it, as a structure uses them.
    faying::laws::Joint joint(damper, 3);
    const std::vector<double> u{0.05, 0.2, -0.4};
    std::vector<double> f(3), k(3);
    joint.evaluate(u, f, k);
    joint.commit();
    fmt::print("forces {:.3f} {:.3f} {:.3f}, dissipated {:.4f}\n", f[0], f[1], f[2], joint.dissipated());
    return none.empty() && !some.empty() ? 0 : 1;
}
