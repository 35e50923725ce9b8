// Runge-Kutta-Fehlberg 7(8) from reversal to reversal.

#include <fmt/format.h>

#include <algorithm>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>

#include "faying/core/error.hpp"
#include "stepper.hpp"

namespace faying::transient::detail {

namespace {

using Vector = std::vector<double>;
using View = Eigen::Map<const Eigen::VectorXd>;

}  // namespace

/// State of the integrator: q, v, joint work, viscous loss, input.
struct EventStepper::Work {
    boost::numeric::odeint::runge_kutta_fehlberg78<Vector> stepper;
    Vector x, next, error, slope, next_slope;
    Eigen::VectorXd y, g, a, f, v;
    Eigen::MatrixXd tangent;
    Eigen::VectorXd speed0, pull0, speed1, pull1;  ///< y' and y'' at both ends of the attempt
    Eigen::VectorXd damping, rate;
    double started = -1, tried = -1, ratio = 0;  ///< of the last attempt: from when, how long, how well
};

EventStepper::EventStepper(System& system, const Loads& loads, const Options& options)
    : next_step(0.05 / std::max(system.omega().maxCoeff(), 1e-3 / options.step)),
      direction(std::size_t(system.width()), 0.0),
      turns(std::size_t(system.width())),
      system_(system),
      loads_(loads),
      tolerance_(options.local_error()),
      floor_(1e-9 * loads.static_reach(system)),
      work_(std::make_unique<Work>()) {
    const auto n = std::size_t(2 * system.size() + 3);
    for (auto* x : {&work_->x, &work_->next, &work_->error, &work_->slope, &work_->next_slope}) x->resize(n);
    for (auto* x : {&work_->y, &work_->g}) x->setZero(system.width());
    for (auto* x : {&work_->a, &work_->f, &work_->v}) x->setZero(system.size());
    work_->tangent.setZero(system.width(), system.width());
}

EventStepper::~EventStepper() = default;

/// Tries a step h; returns its error over the tolerance. `last` is the time up to which loads are smooth: values there
/// are taken from the left.
double EventStepper::attempt(const Motion& motion, double h, double last) {
    Work& w = *work_;
    const Eigen::Index n = system_.size();
    const auto rhs = [&](const Vector& x, Vector& dx, double t) {
        const View q(x.data(), n), v(x.data() + n, n);
        w.v = v;
        w.y.noalias() = system_.map() * q;
        system_.evaluate(w.y, w.g, w.tangent);
        ++evaluations;
        loads_.at(t < last ? t : std::nextafter(last, motion.time), w.f);
        if (system_.diagonal_damping())
            w.damping = system_.damping().cwiseProduct(w.v);
        else
            w.damping.noalias() = system_.damping_matrix() * w.v;
        w.a = w.f - w.damping - system_.omega().cwiseAbs2().cwiseProduct(q);
        w.a.noalias() -= system_.map().transpose() * w.g;
        w.rate.noalias() = system_.map() * w.v;
        std::copy(v.data(), v.data() + n, dx.begin());
        std::copy(w.a.data(), w.a.data() + n, dx.begin() + n);
        dx[std::size_t(2 * n)] = (w.g + system_.stuck().cwiseProduct(w.y)).dot(w.rate);
        dx[std::size_t(2 * n + 1)] = w.v.dot(w.damping);
        dx[std::size_t(2 * n + 2)] = w.v.dot(w.f);
    };
    if (w.started != motion.time) {  // the laws are committed here until the step is taken
        std::copy(motion.q.data(), motion.q.data() + n, w.x.begin());
        std::copy(motion.v.data(), motion.v.data() + n, w.x.begin() + n);
        std::fill(w.x.begin() + 2 * n, w.x.end(), 0.0);
        rhs(w.x, w.slope, motion.time);
        w.speed0 = system_.map() * View(w.slope.data(), n);
        w.pull0 = system_.map() * View(w.slope.data() + n, n);
        w.started = motion.time;
    } else if (w.tried == h) {
        return w.ratio;
    }
    w.tried = h;
    w.stepper.do_step(rhs, w.x, w.slope, motion.time, w.next, h, w.error);
    rhs(w.next, w.next_slope, motion.time + h);
    w.speed1 = system_.map() * View(w.next_slope.data(), n);
    w.pull1 = system_.map() * View(w.next_slope.data() + n, n);

    const View q(w.next.data(), n), v(w.next.data() + n, n), eq(w.error.data(), n), ev(w.error.data() + n, n);
    const double size =
        std::max({q.cwiseAbs().maxCoeff(), motion.q.cwiseAbs().maxCoeff(), 1e-9 * motion.largest, floor_});
    const double pace = std::max({v.cwiseAbs().maxCoeff(), motion.v.cwiseAbs().maxCoeff(), size * system_.omega()(0)});
    w.ratio = std::max(eq.cwiseAbs().maxCoeff() / (tolerance_ * size), ev.cwiseAbs().maxCoeff() / (tolerance_ * pace));
    return w.ratio;
}

namespace {

/// Cubic through values and slopes at both ends.
double between(double x0, double s0, double x1, double s1, double h, double at) {
    const double b = 1 - at;
    return b * b * (1 + 2 * at) * x0 + at * at * (3 - 2 * at) * x1 + h * at * b * (b * s0 - at * s1);
}

}  // namespace

/// At the end of the attempt: positive before the event, negative after.
double EventStepper::distance(const Event& event) const {
    const double s = direction[std::size_t(event.joint)];
    return event.reversal ? s * work_->speed1(event.joint) : s * (event.level - work_->y(event.joint));
}

/// The event that comes first in the attempt, by cubics through both ends. At `share` of the step it is over.
EventStepper::Event EventStepper::first_event(const Motion& motion, double h, double& share) const {
    const Work& w = *work_;
    Event first;
    share = 2;
    for (Eigen::Index j = 0; j < system_.width(); ++j) {
        const double s = direction[std::size_t(j)];
        if (s == 0) continue;
        const auto& open = turns[std::size_t(j)];
        const double level = open.empty() ? s * HUGE_VAL : (open.size() == 1 ? -open[0] : open[open.size() - 2]);
        const double noise = 1e-13 * std::max(std::abs(w.speed0(j)), h * std::abs(w.pull0(j)));
        for (const double at : {0.25, 0.5, 0.75, 1.0}) {
            if (at >= share) break;
            const double speed = between(w.speed0(j), w.pull0(j), w.speed1(j), w.pull1(j), h, at);
            const double y = between(motion.y(j), w.speed0(j), w.y(j), w.speed1(j), h, at);
            const bool reached = s * (y - level) > 1e-13 * std::abs(level);
            if (!reached && s * speed >= -noise) continue;
            share = at;
            first = {j, !reached, level};
        }
    }
    return first;
}

/// The step that ends at the event, by repeating the step.
double EventStepper::land(const Motion& motion, const Event& event, double high, double last) {
    attempt(motion, high, last);
    double at_high = distance(event);
    if (at_high >= 0) return high;  // the cubic saw an event that is not there
    double low = 0;
    const double s = direction[std::size_t(event.joint)];
    double at_low = event.reversal ? s * work_->speed0(event.joint) : s * (event.level - motion.y(event.joint));
    if (at_low <= 0) {  // starts at a reversal: its velocity is zero to rounding, and grows first
        low = 1e-3 * high;
        attempt(motion, low, last);
        at_low = distance(event);
        if (at_low <= 0) return low;
    }
    // Newton within the bracket. A landing that is off by a share d of the step costs d^2 only, so 1e-9 is round-off.
    double at = high, value = at_high;
    for (int k = 0; k < 60; ++k) {
        const double slope = event.reversal ? s * work_->pull1(event.joint) : -s * work_->speed1(event.joint);
        double next = at - value / slope;
        if (!(next > low && next < high)) next = (low * at_high - high * at_low) / (at_high - at_low);
        if (!(next > low && next < high) || k > 20) next = 0.5 * (low + high);
        const double move = std::abs(next - at);
        at = next;
        attempt(motion, at, last);
        value = distance(event);
        if (move < 1e-9 * at || value == 0) break;
        if (value > 0)
            low = at, at_low = value;
        else
            high = at, at_high = value;
    }
    return at;
}

/// After the step that ended at the event.
void EventStepper::remember(const Event& event, const Motion& motion) {
    auto& open = turns[std::size_t(event.joint)];
    if (event.reversal) {
        open.push_back(motion.y(event.joint));
        direction[std::size_t(event.joint)] *= -1;
        ++reversals;
    } else {
        open.resize(open.size() >= 2 ? open.size() - 2 : 0);
    }
}

void EventStepper::step(Motion& m, double target) {
    Work& w = *work_;
    const Eigen::Index n = system_.size();
    const double left = target - m.time;
    double h = 0, ratio = 0;
    for (int tries = 0;; ++tries) {
        h = std::min(next_step, left);
        if (tries == 0 && left < 1.2 * h) h = left;
        ratio = attempt(m, h, target);
        if (ratio <= 1) break;
        next_step = h * std::clamp(0.9 * std::pow(ratio, -1.0 / 8), 0.1, 0.9);
        if (tries > 100 || !(m.time + next_step > m.time))
            throw core::NotConverged(fmt::format("no step at t = {:g} meets the tolerance", m.time), ratio);
    }
    const double proposal = h * std::clamp(0.9 * std::pow(std::max(ratio, 1e-10), -1.0 / 8), 0.5, 3.0);
    bool whole = h == left;
    Event event;
    double share = 0;
    for (Eigen::Index tries = 0; tries <= 4 * system_.width(); ++tries) {
        const Event found = first_event(m, h, share);
        if (found.joint < 0 || found == event) break;
        event = found;
        const double landed = land(m, event, share * h, target);
        whole = whole && landed == h;
        h = landed;
        attempt(m, h, target);
    }
    m.q = View(w.next.data(), n);
    m.v = View(w.next.data() + n, n);
    m.a = View(w.next_slope.data() + n, n);
    m.joint_work += w.next[std::size_t(2 * n)];
    m.viscous += w.next[std::size_t(2 * n + 1)];
    m.input += w.next[std::size_t(2 * n + 2)];
    m.y = w.y;  // of the last evaluation, at the end of the step
    m.g = w.g;
    system_.commit();
    w.started = -1;
    m.time = whole ? target : m.time + h;
    m.largest = std::max(m.largest, m.q.cwiseAbs().maxCoeff());
    if (event.joint >= 0) remember(event, m);
    for (Eigen::Index j = 0; j < system_.width(); ++j)
        if (double& s = direction[std::size_t(j)]; s == 0 && w.speed1(j) != 0) s = w.speed1(j) > 0 ? 1 : -1;
    // A step cut short says nothing about the next one.
    if (event.joint < 0 && !(whole && h < next_step)) next_step = proposal;
}

}  // namespace faying::transient::detail
