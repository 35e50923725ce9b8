#pragma once
// [S4] Fig. 1: m x'' + k x + f = F sin(omega t), df = slope(x, v, f, s) dx, s = sgn v, from rest.
//
// Runge-Kutta-Fehlberg of order 8 with a fixed step; every reversal of v is located, because the slope jumps there and
// a step across it would be of first order. Converged to round-off with 400 steps a period.

#include <boost/math/tools/roots.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <numbers>
#include <vector>

namespace faying::tests {

struct Motion {
    double t = 0, x = 0, v = 0, f = 0;
    double work = 0;       ///< Int f dx since rest
    double direction = 1;  ///< s, also where v = 0
};

/// `slope(x, v, f, s)` is df/dx of the joint.
template <class Slope>
class Oscillator {
 public:
    double mass = 1, stiffness = 100, amplitude = 1, omega = 9.85;  // [S4] Fig. 1

    static constexpr int steps_a_period = 400;

    explicit Oscillator(Slope slope) : slope_(slope) {}
    double period() const { return 2 * std::numbers::pi / omega; }

    /// One step of length h, cut at every reversal; `at_reversal` sees each.
    template <class Visitor>
    void step(Motion& m, double h, Visitor at_reversal) const {
        for (double left = h; left > 0;) {
            Motion next = plain_step(m, left);
            if (next.v * m.direction >= 0) {
                m = next;
                return;
            }
            const auto velocity = [&](double part) { return part == 0 ? m.direction : plain_step(m, part).v; };
            std::uintmax_t most = 100;
            const auto root = boost::math::tools::toms748_solve(velocity, 0.0, left, m.direction, next.v,
                                                                boost::math::tools::eps_tolerance<double>(50), most);
            m = plain_step(m, root.second);
            m.v = 0;
            m.direction = -m.direction;
            at_reversal(m);
            left -= root.second;
        }
    }
    void step(Motion& m, double h) const {
        step(m, h, [](const Motion&) {});
    }

    /// The motion after a number of periods, from rest.
    template <class Visitor>
    Motion settle(int periods, Visitor at_reversal) const {
        Motion m;
        for (int i = 0; i < periods * steps_a_period; ++i) {
            m.t = period() * i / steps_a_period;
            step(m, period() / steps_a_period, at_reversal);
        }
        m.t = period() * periods;
        return m;
    }
    Motion settle(int periods) const {
        return settle(periods, [](const Motion&) {});
    }

    /// One period from `m` on: where it turns, and where it ends.
    struct Loop {
        double highest = 0, force_at_highest = 0, lowest = 0, force_at_lowest = 0, dissipation = 0, closure = 0;
        int turns = 0;
        Motion end;
    };
    Loop loop(Motion m) const {
        Loop l;
        const Motion start = m;
        for (int i = 0; i < steps_a_period; ++i)
            step(m, period() / steps_a_period, [&](const Motion& at) {
                ++l.turns;
                if (at.x > l.highest) l.highest = at.x, l.force_at_highest = at.f;
                if (at.x < l.lowest) l.lowest = at.x, l.force_at_lowest = at.f;
            });
        l.dissipation = m.work - start.work;
        l.closure = std::abs(m.x - start.x) / l.highest + std::abs(m.f - start.f) / l.force_at_highest;
        l.end = m;
        return l;
    }

    /// n samples dt apart, the first at `m`.
    std::vector<Motion> sample(Motion m, double dt, int n) const {
        std::vector<Motion> samples = {m};
        const int parts = std::max(1, static_cast<int>(std::ceil(dt / period() * steps_a_period)));
        while (static_cast<int>(samples.size()) < n) {
            for (int i = 0; i < parts; ++i) step(m, dt / parts);
            samples.push_back(m);
        }
        return samples;
    }

 private:
    using Vector = std::array<double, 4>;  // x, v, f, work
    Slope slope_;

    Motion plain_step(const Motion& m, double h) const {
        const double s = m.direction;
        const auto rate = [&](const Vector& y, Vector& dy, double t) {
            dy[0] = y[1];
            dy[1] = (amplitude * std::sin(omega * t) - stiffness * y[0] - y[2]) / mass;
            dy[2] = slope_(y[0], y[1], y[2], s) * y[1];
            dy[3] = y[2] * y[1];
        };
        Vector y = {m.x, m.v, m.f, m.work};
        boost::numeric::odeint::runge_kutta_fehlberg78<Vector>().do_step(rate, y, m.t, h);
        return {m.t + h, y[0], y[1], y[2], y[3], s};
    }
};

}  // namespace faying::tests
