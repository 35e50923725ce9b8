// Steps of a period map that end at events.

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "period_work.hpp"

namespace faying::modes {

namespace {

constexpr double shares[] = {0.125, 0.25, 0.375, 0.5,
                             0.625, 0.75, 0.875, 1.0};  ///< of a step, where events are looked for

/// Cubic through values and slopes at both ends of a step.
template <class T>
T hermite(const T& x0, const T& s0, const T& x1, const T& s1, double h, double at) {
    const double b = 1 - at;
    return b * b * (1 + 2 * at) * x0 + at * at * (3 - 2 * at) * x1 + h * at * b * (b * s0 - at * s1);
}

}  // namespace

/// A step of h from where the motion is; its error over the tolerance.
double PeriodMap::Work::attempt(double step) {
    constexpr double tolerance = 1e-12;
    const auto f = [&](const Vector& from, Vector& to, double t) { rhs(from, to, t); };
    stepper.do_step(f, x, slope, time, next, step, error);
    rhs(next, next_slope, time + step);
    u1 = rows * ConstVector(next.data(), n);
    speed1 = rows * ConstVector(next.data() + n, n);
    pull1 = rows * ConstVector(next_slope.data() + n, n);
    const ConstMatrix e = matrix(std::as_const(error)), end = matrix(std::as_const(next));
    const double pace = std::max(reach, end.col(0).segment(n, n).cwiseAbs().maxCoeff());
    double ratio =
        std::max(e.col(0).head(n).cwiseAbs().maxCoeff() / reach, e.col(0).segment(n, n).cwiseAbs().maxCoeff() / pace);
    const double spread = std::max(1.0, end.rightCols(states).topRows(2 * n).cwiseAbs().maxCoeff());
    ratio = std::max(ratio, 0.1 * e.rightCols(states).topRows(2 * n).cwiseAbs().maxCoeff() / spread);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        const double lever = contacts[c].lever(place(c, next));
        if (!(lever > 0)) continue;
        const auto own = e.row(2 * n + Eigen::Index(c));
        ratio = std::max(
            {ratio, lever * std::abs(own(0)) / reach, 0.1 * lever * own.tail(states).cwiseAbs().maxCoeff() / spread});
    }
    return std::isfinite(ratio) ? ratio / tolerance : std::numeric_limits<double>::infinity();
}

/// At the end of the last attempt: positive before the event.
double PeriodMap::Work::distance(const Event& event) const {
    if (event.kind == Event::Kind::contact) return contacts[event.site].margin(event.what, place(event.site, next));
    const auto& site = sites[event.site];
    const auto j = Eigen::Index(event.site);
    return event.kind == Event::Kind::reversal ? site.way() * speed1(j)
                                               : site.way() * (site.level() - site.base() - u1(j));
}

/// What comes first in the last attempt, by cubics; at `share` of it this is over.
PeriodMap::Work::Event PeriodMap::Work::first_event(double step, double& share) const {
    Event first;
    share = 2;
    for (std::size_t i = 0; i < sites.size(); ++i) {
        const auto& site = sites[i];
        if (!site.remembers() || site.way() == 0) continue;
        const auto j = Eigen::Index(i);
        const double noise = 1e-13 * std::max(std::abs(speed0(j)), step * std::abs(pull0(j)));
        for (const double at : shares) {
            if (at >= share) break;
            const double speed = hermite(speed0(j), pull0(j), speed1(j), pull1(j), step, at);
            const double u = site.base() + hermite(u0(j), speed0(j), u1(j), speed1(j), step, at);
            const bool reached = site.way() * (u - site.level()) > site.margin();
            if (!reached && site.way() * speed >= -noise) continue;
            share = at;
            first = {reached ? Event::Kind::kink : Event::Kind::reversal, i};
        }
    }
    look_at_contacts(step, share, first);
    return first;
}

void PeriodMap::Work::look_at_contacts(double step, double& share, Event& first) const {
    const auto before = matrix(x), after = matrix(next), rate0 = matrix(slope), rate1 = matrix(next_slope);
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        const Contact& contact = contacts[c];
        const Eigen::Index angle = 2 * n + Eigen::Index(c);
        for (const double at : shares) {
            if (at >= share) break;
            const auto p =
                place(c, hermite(u0, speed0, u1, speed1, step, at), hermite(speed0, pull0, speed1, pull1, step, at),
                      hermite(before(angle, 0), rate0(angle, 0), after(angle, 0), rate1(angle, 0), step, at));
            for (const auto what : {Contact::Event::mark, Contact::Event::slip_begins, Contact::Event::slip_ends})
                if (contact.awaits(what) && contact.margin(what, p) < -contact.noise(what, p)) {
                    share = at;
                    first = {Event::Kind::contact, c, what};
                    break;
                }
        }
    }
}

/// The step that ends at the event, which is over after `high`.
double PeriodMap::Work::land(const Event& event, double high) {
    const auto after = [&](double step) {
        attempt(step);
        return distance(event);
    };
    double at_high = after(high);
    if (at_high >= 0) return high;  // the cubic saw what is not there
    double low = std::min(1e-10, 1e-3 * high);
    const double at_low = after(low);
    if (at_low <= 0) return low;
    if (event.kind == Event::Kind::contact) {
        std::uintmax_t most = 80;
        return boost::math::tools::toms748_solve(
                   after, low, high, at_low, at_high,
                   [](double a, double b) { return std::abs(b - a) < 1e-13 * two_pi; }, most)
            .second;
    }
    const auto& site = sites[event.site];
    const auto j = Eigen::Index(event.site);
    double at = high, value = after(high);
    for (int k = 0; k < 80; ++k) {
        const double slope_at = event.kind == Event::Kind::reversal ? site.way() * pull1(j) : -site.way() * speed1(j);
        double to = at - value / slope_at;
        if (!(to > low && to < high) || k > 20) to = 0.5 * (low + high);
        const double move = std::abs(to - at);
        at = to;
        value = after(at);
        if (move < 1e-13 * two_pi || value == 0) break;
        (value > 0 ? low : high) = at;
    }
    return at;
}

void PeriodMap::Work::here() {
    rhs(x, slope, time);
    u0 = rows * ConstVector(x.data(), n);
    speed0 = rows * ConstVector(x.data() + n, n);
    pull0 = rows * ConstVector(slope.data() + n, n);
}

/// A force that jumps changes the acceleration, and the event comes `later` for a motion that varies.
void PeriodMap::Work::jump(const Eigen::VectorXd& before, const Eigen::RowVectorXd& later) {
    rhs(x, slope, time);
    const Eigen::VectorXd drop = before - acceleration;
    if (drop.norm() > 1e-13 * (before.norm() + acceleration.norm()))
        matrix(x).block(n, 1, n, states).noalias() += drop * later;
}

/// Sites that reverse where the motion is.
void PeriodMap::Work::note_reversals() {
    const auto all = matrix(x);
    for (std::size_t i = 0; i < sites.size(); ++i) {
        auto& site = sites[i];
        const auto j = Eigen::Index(i);
        if (!site.remembers() || site.way() == 0) continue;
        if (std::abs(speed0(j)) <= at_once * std::abs(pull0(j)) && site.way() * pull0(j) < 0) {
            const Eigen::VectorXd before = acceleration;
            const Eigen::RowVectorXd later = -(rows.row(j) * all.rightCols(states).middleRows(n, n)) / pull0(j);
            site.reverse(site.base() + u0(j), rows.row(j) * all.rightCols(states).topRows(n));
            changed = changed || site.surprised();
            if (!site.continuous()) {
                site.look_ahead(site.base() + u0(j));
                jump(before, later);
            }
        }
        site.look_ahead(site.base() + u0(j));
    }
}

void PeriodMap::Work::pass_contact(const Event& event) {
    const std::size_t c = event.site;
    const Eigen::Index angle = 2 * n + Eigen::Index(c);
    const Eigen::VectorXd before = acceleration;
    auto p = place(c, x);
    if (contacts[c].margin(event.what, p) > contacts[c].noise(event.what, p)) return;  // a cubic saw what is not there
    auto d = variation(c, x);
    Eigen::RowVectorXd later;
    contacts[c].pass(event.what, p, pull0.segment<3>(contact_row(c)), d, later);
    auto all = matrix(x);
    all(angle, 0) = p.theta;
    all.row(angle).tail(states) = d.theta;
    if (!later.isZero(0.0)) jump(before, later);
}

/// A step towards `target` that ends at the first event, if there is one; false where no step is good enough.
bool PeriodMap::Work::find_step(double target, double& step, Event& event) {
    const auto shorter = [](double ratio) { return std::clamp(0.9 * std::pow(ratio, -1.0 / 8), 0.1, 0.9); };
    const bool whole = target - time <= 1.2 * next_step;
    step = whole ? target - time : next_step;
    for (int tries = 0; tries < 200 && step > 1e-14; ++tries) {
        double ratio = attempt(step), share = 0;
        event = first_event(step, share);
        if (event.kind == Event::Kind::none) {
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
        if (other.kind == Event::Kind::none || other == event) return true;
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

bool PeriodMap::Work::advance(double target) {
    here();
    for (int steps = 0; target - time > 1e-13; ++steps) {
        double step = 0;
        Event event;
        if (steps > 200000 || !find_step(target, step, event)) {
            failure = "the period could not be followed";
            return false;
        }
        x.swap(next);
        time += step;
        here();
        const Eigen::VectorXd before = acceleration;
        note_reversals();
        if (event.kind == Event::Kind::contact) pass_contact(event);
        if (event.kind != Event::Kind::none) here();  // the laws went on to another branch
        if (event.kind == Event::Kind::kink && !sites[event.site].continuous() &&
            (before - acceleration).norm() > 1e-8 * before.norm()) {
            failure = sites[event.site].name() + " has a force that jumps between its reversals";
            return false;
        }
    }
    return true;
}

}  // namespace faying::modes
