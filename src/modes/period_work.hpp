#pragma once
// A period of motion and of its variation, from event to event: Runge-Kutta-Fehlberg 7(8) on (q, q'/omega) and their
// derivatives to X, landing on every reversal and kink of every joint.

#include <algorithm>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "harmonic_orbit.hpp"
#include "joint_memory.hpp"

namespace faying::modes {

/// Cubic through values and slopes at both ends of a step.
inline double hermite(double x0, double s0, double x1, double s1, double h, double at) {
    const double b = 1 - at;
    return b * b * (1 + 2 * at) * x0 + at * at * (3 - 2 * at) * x1 + h * at * b * (b * s0 - at * s1);
}

struct PeriodMap::Work {
    using Vector = std::vector<double>;
    using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;
    using ConstVector = Eigen::Map<const Eigen::VectorXd>;
    static constexpr double two_pi = 2 * std::numbers::pi;
    static constexpr double at_once = 1e-8;  ///< phase below which two events are one: a tip is off by its square

    const HarmonicSystem& system;
    double w, zeta;
    Eigen::Index n;
    std::vector<JointMemory> sites;
    Eigen::MatrixXd rows;     ///< site displacements = rows q
    Eigen::VectorXd damping;  ///< c - 2 zeta w
    Eigen::MatrixXd damping_matrix;
    const Eigen::MatrixXd* prescribed = nullptr;  ///< modal harmonics, where the motion is given
    double section = 0, reach = 1;                ///< phase of the beginning; size of q
    Eigen::Index states = 0;                      ///< of X
    bool changed = false;                         ///< not the reversals that were expected

    // running
    boost::numeric::odeint::runge_kutta_fehlberg78<Vector> stepper;
    Vector x, next, error, slope, next_slope;
    Eigen::VectorXd u0, speed0, pull0, u1, speed1, pull1;
    double time = 0, next_step = 0;
    Eigen::VectorXd h, h_slope, h_bend;  ///< harmonics at a time, scratch

    Work(const HarmonicSystem& s, double frequency, double z) : system(s), w(frequency), zeta(z), n(s.modes()) {
        const Eigen::MatrixXd all = Eigen::MatrixXd(s.site_map()) * s.map();
        for (const auto& site : s.sites()) sites.emplace_back(site);
        rows.resize(Eigen::Index(sites.size()), n);
        for (std::size_t i = 0; i < sites.size(); ++i) rows.row(Eigen::Index(i)) = all.row(sites[i].row());
        damping = s.damping().array() - 2 * zeta * w;
        damping_matrix = s.damping_matrix();
        if (damping_matrix.size() > 0) damping_matrix.diagonal().array() -= 2 * zeta * w;
    }

    // --- motion given by harmonics -----------------------------------------------------------------------------

    /// Values of every function and of its two derivatives to the phase.
    void harmonics_at(double t) {
        const auto& harmonics = system.harmonics();
        h.resize(harmonics.size());
        h_slope.setZero(harmonics.size());
        h_bend.setZero(harmonics.size());
        harmonics.values(t, h.data());
        for (std::size_t i = 0; i < harmonics.orders().size(); ++i) {
            const double k = harmonics.orders()[i];
            if (k == 0) continue;
            const Eigen::Index b = harmonics.at(i);
            h_slope(b) = -k * h(b + 1);
            h_slope(b + 1) = k * h(b);
            h_bend.segment(b, 2) = -k * k * h.segment(b, 2);
        }
    }

    /// X of a motion given by its harmonics; the section goes where it is farthest from reversals.
    Eigen::VectorXd begin(const Eigen::MatrixXd& q) {
        const auto& harmonics = system.harmonics();
        std::vector<std::vector<double>> turns(sites.size());
        std::vector<double> all;
        for (std::size_t i = 0; i < sites.size(); ++i) {
            if (!sites[i].could_remember()) continue;
            const Eigen::VectorXd motion = (rows.row(Eigen::Index(i)) * q).transpose();
            const double size = motion.norm();
            if (!(size > 1e-14 * rows.row(Eigen::Index(i)).norm() * q.norm())) continue;  // it does not move
            turns[i] = core::turning_points(harmonics, motion);
            all.insert(all.end(), turns[i].begin(), turns[i].end());
        }
        section = 0;
        std::sort(all.begin(), all.end());
        double gap = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double to = i + 1 < all.size() ? all[i + 1] : all.front() + two_pi;
            if (to - all[i] > gap) {
                gap = to - all[i];
                section = 0.5 * (all[i] + to);
            }
        }
        reach = std::max(q.norm(), std::numeric_limits<double>::min());
        std::vector<std::vector<double>> tips(sites.size());
        for (std::size_t i = 0; i < sites.size(); ++i) {
            auto& at = turns[i];
            for (double& t : at)
                if (t < section) t += two_pi;
            std::sort(at.begin(), at.end());
            for (const double t : at) {
                harmonics_at(t);
                tips[i].push_back(sites[i].base() + rows.row(Eigen::Index(i)).dot(q * h));
            }
        }
        harmonics_at(section);
        return assemble(q * h, q * h_slope, tips);
    }

    /// X from a displacement, a velocity and the tips of every site in the period before.
    Eigen::VectorXd assemble(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                             const std::vector<std::vector<double>>& tips) {
        states = 2 * n;
        for (std::size_t i = 0; i < sites.size(); ++i) {
            sites[i].expect(tips[i], states);
            states += sites[i].count();
        }
        Eigen::VectorXd start(states);
        start.head(n) = q;
        start.segment(n, n) = v;
        for (const auto& site : sites) start.segment(site.first(), site.count()) = site.values();
        const std::size_t size = std::size_t(2 * n * (states + 1));
        for (auto* vector : {&x, &next, &error, &slope, &next_slope}) vector->assign(size, 0.0);
        return start;
    }

    // --- equations ---------------------------------------------------------------------------------------------

    void damped(const Eigen::Ref<const Eigen::MatrixXd>& v, Eigen::MatrixXd& out) const {
        if (damping_matrix.size() > 0)
            out.noalias() = damping_matrix * v;
        else
            out.noalias() = damping.asDiagonal() * v;
    }

    void rhs(const Vector& from, Vector& to, double t) {
        const ConstMatrix all(from.data(), 2 * n, states + 1);  // first column: the motion; then the variation
        Eigen::Map<Eigen::MatrixXd> out(to.data(), 2 * n, states + 1);
        const Eigen::MatrixXd y = system.map() * all.topRows(n);
        Eigen::MatrixXd g = -system.tangent() * y;
        const auto& map = system.site_map();
        for (std::size_t i = 0; i < sites.size(); ++i) {
            auto& site = sites[i];
            const auto index = Eigen::Index(i);
            const double u = site.base() + rows.row(index).dot(all.col(0).head(n));
            site.evaluate(u);
            Eigen::RowVectorXd on(states + 1);
            on(0) = 0;
            on.tail(states).noalias() = site.tangent() * (rows.row(index) * all.rightCols(states).topRows(n));
            site.add_memory(on.tail(states));
            on(0) = site.force();
            on *= site.weight();
            for (Interface::SiteMap::InnerIterator j(map, site.row()); j; ++j) g.row(j.col()) += j.value() * on;
        }
        Eigen::MatrixXd pull(n, states + 1);
        damped(all.bottomRows(n), pull);
        pull *= w;
        pull.noalias() += system.omega().cwiseAbs2().asDiagonal() * all.topRows(n);
        pull.noalias() += system.map().transpose() * g;
        harmonics_at(t);
        pull.col(0) -= system.force() * h;
        out.topRows(n) = all.bottomRows(n);
        out.bottomRows(n) = pull * (-1 / (w * w));
        if (prescribed) {
            out.col(0).head(n) = *prescribed * h_slope;
            out.col(0).tail(n) = *prescribed * h_bend;
        }
    }

    // --- steps -------------------------------------------------------------------------------------------------

    /// A step of h from where the motion is; its error over the tolerance.
    double attempt(double step) {
        constexpr double tolerance = 1e-12;
        const auto f = [&](const Vector& from, Vector& to, double t) { rhs(from, to, t); };
        stepper.do_step(f, x, slope, time, next, step, error);
        rhs(next, next_slope, time + step);
        u1 = rows * ConstVector(next.data(), n);
        speed1 = rows * ConstVector(next.data() + n, n);
        pull1 = rows * ConstVector(next_slope.data() + n, n);
        const ConstMatrix e(error.data(), 2 * n, states + 1), end(next.data(), 2 * n, states + 1);
        const double pace = std::max(reach, end.col(0).tail(n).cwiseAbs().maxCoeff());
        double ratio =
            std::max(e.col(0).head(n).cwiseAbs().maxCoeff() / reach, e.col(0).tail(n).cwiseAbs().maxCoeff() / pace);
        const double spread = std::max(1.0, end.rightCols(states).cwiseAbs().maxCoeff());
        ratio = std::max(ratio, 0.1 * e.rightCols(states).cwiseAbs().maxCoeff() / spread);
        return std::isfinite(ratio) ? ratio / tolerance : std::numeric_limits<double>::infinity();
    }

    struct Event {
        Eigen::Index site = -1;
        bool reversal = true;
        bool operator==(const Event&) const = default;
    };

    /// At the end of the last attempt: positive before the event.
    double distance(const Event& event) const {
        const auto& site = sites[std::size_t(event.site)];
        return event.reversal ? site.way() * speed1(event.site)
                              : site.way() * (site.level() - site.base() - u1(event.site));
    }

    /// What comes first in the last attempt, by cubics; at `share` of it this is over.
    Event first_event(double step, double& share) const {
        Event first;
        share = 2;
        for (std::size_t i = 0; i < sites.size(); ++i) {
            const auto& site = sites[i];
            if (!site.remembers() || site.way() == 0) continue;
            const auto j = Eigen::Index(i);
            const double noise = 1e-13 * std::max(std::abs(speed0(j)), step * std::abs(pull0(j)));
            for (const double at : {0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0}) {
                if (at >= share) break;
                const double speed = hermite(speed0(j), pull0(j), speed1(j), pull1(j), step, at);
                const double u = site.base() + hermite(u0(j), speed0(j), u1(j), speed1(j), step, at);
                const bool reached = site.way() * (u - site.level()) > site.margin();
                if (!reached && site.way() * speed >= -noise) continue;
                share = at;
                first = {j, !reached};
            }
        }
        return first;
    }

    /// The step that ends at the event, which is over after `high`.
    double land(const Event& event, double high) {
        attempt(high);
        double at_high = distance(event);
        if (at_high >= 0) return high;  // the cubic saw what is not there
        double low = 0;
        const auto& site = sites[std::size_t(event.site)];
        double at_low = event.reversal ? site.way() * speed0(event.site)
                                       : site.way() * (site.level() - site.base() - u0(event.site));
        if (at_low <= 0) {
            low = 1e-3 * high;
            attempt(low);
            at_low = distance(event);
            if (at_low <= 0) return low;
        }
        double at = high, value = at_high;
        attempt(high);
        for (int k = 0; k < 80; ++k) {
            const double slope_at = event.reversal ? site.way() * pull1(event.site) : -site.way() * speed1(event.site);
            double to = at - value / slope_at;
            if (!(to > low && to < high) || k > 20) to = 0.5 * (low + high);
            const double move = std::abs(to - at);
            at = to;
            attempt(at);
            value = distance(event);
            if (move < 1e-13 * two_pi || value == 0) break;
            (value > 0 ? low : high) = at;
        }
        return at;
    }

    void here() {
        rhs(x, slope, time);
        u0 = rows * ConstVector(x.data(), n);
        speed0 = rows * ConstVector(x.data() + n, n);
        pull0 = rows * ConstVector(slope.data() + n, n);
    }

    /// Sites that reverse where the motion is.
    void note_reversals() {
        const ConstMatrix all(x.data(), 2 * n, states + 1);
        for (std::size_t i = 0; i < sites.size(); ++i) {
            auto& site = sites[i];
            const auto j = Eigen::Index(i);
            if (!site.remembers() || site.way() == 0) continue;
            if (std::abs(speed0(j)) <= at_once * std::abs(pull0(j)) && site.way() * pull0(j) < 0) {
                site.reverse(site.base() + u0(j), rows.row(j) * all.rightCols(states).topRows(n));
                changed = changed || site.surprised();
            }
            site.look_ahead(site.base() + u0(j));
        }
    }

    /// A step towards `target` that ends at the first event, if there is one; false where no step is good enough.
    bool find_step(double target, double& step, Event& event) {
        const auto shorter = [](double ratio) { return std::clamp(0.9 * std::pow(ratio, -1.0 / 8), 0.1, 0.9); };
        const bool whole = target - time <= 1.2 * next_step;
        step = whole ? target - time : next_step;
        for (int tries = 0; tries < 200 && step > 1e-14; ++tries) {
            double ratio = attempt(step), share = 0;
            event = first_event(step, share);
            if (event.site < 0) {
                if (ratio <= 1) {
                    const double proposal = step / shorter(std::max(ratio, 1e-9)) * 0.9;
                    next_step = whole && tries == 0 ? std::max(next_step, proposal) : std::min(proposal, 3 * step);
                    return true;
                }
                step *= shorter(ratio);
                continue;
            }
            if (ratio > 1 && share < 1) {  // the attempt went over a kink: nearer first
                step *= share;
                continue;
            }
            step = land(event, share * step);
            ratio = attempt(step);
            if (ratio > 1) {
                step *= shorter(ratio);
                continue;
            }
            const Event other = first_event(step, share);
            if (other.site < 0 || other == event) return true;
            const double earlier = land(other, share * step);
            if (earlier < step - at_once) {
                step = earlier;
                event = other;
            }
            if (attempt(step) <= 1) return true;
            step *= 0.5;
        }
        return false;
    }

    bool advance(double target) {
        here();
        for (int steps = 0; target - time > 1e-13; ++steps) {
            double step = 0;
            Event event;
            if (steps > 200000 || !find_step(target, step, event)) return false;
            x.swap(next);
            time += step;
            here();
            note_reversals();
            if (event.site >= 0) here();  // the laws went on to another branch
        }
        return true;
    }

    /// A period from X, in so many parts.
    bool run(const Eigen::VectorXd& start, int segments, Orbit& orbit) {
        changed = false;
        for (auto& site : sites) site.start(start.segment(site.first(), site.count()));
        Eigen::Map<Eigen::MatrixXd>(x.data(), 2 * n, states + 1).col(0) = start.head(2 * n);
        orbit.state = start;
        orbit.monodromy = Eigen::MatrixXd::Identity(states, states);
        orbit.times.resize(segments);
        orbit.displacement.resize(n, segments);
        time = section;
        next_step = std::min(0.1, 0.5 * w / system.omega().maxCoeff());
        identity();
        rhs(x, slope, time);
        here();
        for (std::size_t i = 0; i < sites.size(); ++i) {
            const auto j = Eigen::Index(i);
            sites[i].set_out(speed0(j) != 0 ? speed0(j) : pull0(j));
            sites[i].look_ahead(sites[i].base() + u0(j));
        }
        for (int s = 0; s < segments; ++s) {
            orbit.times(s) = time;
            orbit.displacement.col(s) = ConstVector(x.data(), n);
            if (!advance(section + two_pi * (s + 1) / segments)) return false;
            orbit.monodromy = collected() * orbit.monodromy;
            if (s + 1 < segments) identity();
        }
        for (const auto& site : sites) changed = changed || !site.complete();
        Eigen::VectorXd end(states);
        end.head(2 * n) = ConstVector(x.data(), 2 * n);
        for (const auto& site : sites) end.segment(site.first(), site.count()) = site.values();
        gap_of_period = end - start;
        orbit.residual =
            gap_of_period.head(2 * n).cwiseAbs().maxCoeff() / std::max(reach, end.segment(n, n).cwiseAbs().maxCoeff());
        for (const auto& site : sites)
            if (site.count() > 0)
                orbit.residual = std::max(orbit.residual, gap_of_period.segment(site.first(), site.count())
                                                              .cwiseQuotient(site.sizes())
                                                              .cwiseAbs()
                                                              .maxCoeff());
        return std::isfinite(orbit.residual);
    }
    Eigen::VectorXd gap_of_period;  ///< X' - X of the last run

    /// The variation begins anew.
    void identity() {
        Eigen::Map<Eigen::MatrixXd> all(x.data(), 2 * n, states + 1);
        all.rightCols(states).setZero();
        all.block(0, 1, 2 * n, 2 * n).setIdentity();
        for (auto& site : sites) site.vary_alone(states);
    }
    Eigen::MatrixXd collected() const {
        Eigen::MatrixXd m(states, states);
        m.topRows(2 * n) = ConstMatrix(x.data(), 2 * n, states + 1).rightCols(states);
        for (const auto& site : sites) site.collect(m.middleRows(site.first(), site.count()));
        return m;
    }
};

}  // namespace faying::modes
