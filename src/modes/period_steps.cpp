// Steps of a period and the events that they land on.

#include <algorithm>
#include <utility>

#include "period_work.hpp"

namespace faying::modes {

namespace {

/// Cubic through values and slopes at both ends of a step.
double hermite(double x0, double s0, double x1, double s1, double h, double at) {
    const double b = 1 - at;
    return b * b * (1 + 2 * at) * x0 + at * at * (3 - 2 * at) * x1 + h * at * b * (b * s0 - at * s1);
}

/// Values, slopes and curvatures at both ends of a step: their quintic at a share of it, and its derivatives.
struct Quintic {
    Eigen::Vector3d x0, s0, c0, x1, s1, c1;
    double h;

    Eigen::Vector3d at(double r, int derivative) const {
        // coefficients of r^3, r^4, r^5
        const Eigen::Vector3d run = x1 - x0 - h * s0 - 0.5 * h * h * c0, slope = h * (s1 - s0) - h * h * c0,
                              bend = h * h * (c1 - c0);
        const Eigen::Vector3d a = 10 * run - 4 * slope + 0.5 * bend, b = -15 * run + 7 * slope - bend,
                              c = 6 * run - 3 * slope + 0.5 * bend;
        if (derivative == 0) return x0 + r * (h * s0 + r * (0.5 * h * h * c0 + r * (a + r * (b + r * c))));
        if (derivative == 1) return s0 + r * h * c0 + r * r / h * (3 * a + r * (4 * b + r * 5 * c));
        return c0 + r / (h * h) * (6 * a + r * (12 * b + r * 20 * c));
    }
};

constexpr int looks = 8;          ///< per step
constexpr int most_at_once = 40;  ///< events that follow one another without any time between

}  // namespace

/// A step of h from where the motion is; its error over the tolerance.
double PeriodMap::Work::attempt(double step) {
    const auto f = [&](const Vector& from, Vector& to, double t) { rhs(from, to, t); };
    stepper.do_step(f, x, slope, time, next, step, error);
    rhs(next, next_slope, time + step);
    note_end(next, next_slope);
    return error_ratio();
}

/// The same of the motion without its variations, which stand behind it.
void PeriodMap::Work::probe(double step) {
    const Eigen::Index all = std::exchange(columns, 0);
    const auto f = [&](const Vector& from, Vector& to, double t) { rhs(from, to, t); };
    way.assign(x.begin(), x.begin() + height());
    way_slope.assign(slope.begin(), slope.begin() + height());
    for (auto* vector : {&way_end, &way_end_slope, &way_error}) vector->resize(way.size());
    probing.do_step(f, way, way_slope, time, way_end, step, way_error);
    rhs(way_end, way_end_slope, time + step);
    note_end(way_end, way_end_slope);
    columns = all;
}

void PeriodMap::Work::note(const Vector& state, const Vector& state_slope, Eigen::VectorXd& u, Eigen::VectorXd& speed,
                           Eigen::VectorXd& pull, Eigen::VectorXd& angle, Eigen::VectorXd& turning) const {
    u = rows * ConstVector(state.data(), n);
    speed = rows * ConstVector(state.data() + n, n);
    pull = rows * ConstVector(state_slope.data() + n, n);
    const auto count = Eigen::Index(contacts.size());
    angle = ConstVector(state.data() + 2 * n, count);
    turning = ConstVector(state_slope.data() + 2 * n, count);
}

void PeriodMap::Work::note_end(const Vector& end, const Vector& end_slope) {
    note(end, end_slope, u1, speed1, pull1, angle1, turning1);
}

double PeriodMap::Work::error_ratio() const {
    constexpr double tolerance = 1e-12;
    const ConstMatrix e(error.data(), height(), columns + 1), end(next.data(), height(), columns + 1);
    const double pace = std::max(reach, end.col(0).segment(n, n).cwiseAbs().maxCoeff());
    double ratio =
        std::max(e.col(0).head(n).cwiseAbs().maxCoeff() / reach, e.col(0).segment(n, n).cwiseAbs().maxCoeff() / pace);
    double spread = 1, off = 0;
    if (columns > 0) {
        spread = std::max(1.0, end.rightCols(columns).topRows(2 * n).cwiseAbs().maxCoeff());
        off = e.rightCols(columns).topRows(2 * n).cwiseAbs().maxCoeff();
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) {  // a direction counts by the friction that has it
        const Eigen::Index row = 2 * n + Eigen::Index(i);
        double share = 0, arm = 0;
        for (const bool at_end : {false, true}) {
            const auto p = place(i, at_end);
            share = std::max(share, contacts[i].share_of_limit(p));
            arm = std::max(arm, contacts[i].arm(p));
        }
        ratio = std::max(ratio, share * std::abs(e(row, 0)));
        if (columns > 0) off = std::max(off, arm * e.row(row).tail(columns).cwiseAbs().maxCoeff());
    }
    ratio = std::max(ratio, off / spread);
    return std::isfinite(ratio) ? ratio / tolerance : std::numeric_limits<double>::infinity();
}

ContactMemory::Place PeriodMap::Work::place(std::size_t contact, bool at_end) const {
    const Eigen::Index row = row_of(contact);
    const auto i = Eigen::Index(contact);
    return {contacts[contact].base() + (at_end ? u1 : u0).segment<3>(row), (at_end ? speed1 : speed0).segment<3>(row),
            (at_end ? pull1 : pull0).segment<3>(row), (at_end ? angle1 : angle0)(i), (at_end ? turning1 : turning0)(i)};
}

ContactMemory::Place PeriodMap::Work::place_within(std::size_t contact, double step, double share) const {
    const auto a = place(contact, false), b = place(contact, true);
    const Quintic way{a.u, a.v, a.a, b.u, b.v, b.a, step};
    ContactMemory::Place p;
    p.u = way.at(share, 0);
    p.v = way.at(share, 1);
    p.a = way.at(share, 2);
    p.angle = hermite(a.angle, a.turning, b.angle, b.turning, step, share);
    p.turning = a.turning + share * (b.turning - a.turning);
    return p;
}

/// At the end of the last attempt, or at its beginning: positive before the event.
PeriodMap::Work::Rate PeriodMap::Work::distance(const Event& event, bool at_end) const {
    const Eigen::Index i = event.site;
    if (event.kind == Event::Kind::contact) {
        const auto ahead = contacts[std::size_t(i)].ahead(event.of_contact, place(std::size_t(i), at_end));
        return {ahead->value, ahead->rate};
    }
    const auto& site = sites[std::size_t(i)];
    const double u = (at_end ? u1 : u0)(i), speed = (at_end ? speed1 : speed0)(i), pull = (at_end ? pull1 : pull0)(i);
    if (event.kind == Event::Kind::reversal) return {site.way() * speed, site.way() * pull};
    return {site.way() * (site.level() - site.base() - u), -site.way() * speed};
}

/// What comes first in the last attempt, by polynomials; at `share` of it this is over.
PeriodMap::Work::Event PeriodMap::Work::first_event(double step, double& share) const {
    Event first;
    share = 2;
    for (std::size_t i = 0; i < sites.size(); ++i) {
        const auto& site = sites[i];
        if (!site.remembers() || site.way() == 0) continue;
        const auto j = Eigen::Index(i);
        const double noise = 1e-13 * std::max(std::abs(speed0(j)), step * std::abs(pull0(j)));
        for (int k = 1; k <= looks; ++k) {
            const double at = double(k) / looks;
            if (at >= share) break;
            const double speed = hermite(speed0(j), pull0(j), speed1(j), pull1(j), step, at);
            const double u = site.base() + hermite(u0(j), speed0(j), u1(j), speed1(j), step, at);
            const bool reached = site.way() * (u - site.level()) > site.margin();
            if (!reached && site.way() * speed >= -noise) continue;
            share = at;
            first = {reached ? Event::Kind::level : Event::Kind::reversal, j};
        }
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) first_of_contact(i, step, first, share);
    return first;
}

/// Between two looks a cubic shows whether it is over for a short while.
void PeriodMap::Work::first_of_contact(std::size_t contact, double step, Event& first, double& share) const {
    const auto& memory = contacts[contact];
    for (const auto kind : ContactMemory::kinds) {
        auto before = memory.ahead(kind, place(contact, false));
        if (!before) continue;
        const double part = 1.0 / looks;
        for (int k = 1; k <= looks && (k - 1) * part < share; ++k) {
            const auto after = *memory.ahead(kind, place_within(contact, step, k * part));
            double over = 2;
            if (after.value < -after.noise) over = k * part;
            if (before->rate < 0 && after.rate > 0) {  // where the cubic is lowest: its slope is a quadratic
                const double a = before->rate * part * step, b = after.rate * part * step,
                             rise = after.value - before->value, linear = 6 * rise - 4 * a - 2 * b,
                             square = 3 * (a + b) - 6 * rise;
                const double root = std::sqrt(std::max(linear * linear - 4 * a * square, 0.0));
                const double at = (k - 1 + std::clamp(-2 * a / (linear + root), 0.0, 1.0)) * part;
                const auto lowest = *memory.ahead(kind, place_within(contact, step, at));
                if (lowest.value < -lowest.noise) over = at;
            }
            if (over < share) {
                share = over;
                first = {Event::Kind::contact, Eigen::Index(contact), kind};
            }
            if (over < 2) break;
            before = after;
        }
    }
}

/// The step that ends at the event, which is over after `high`; 0 where it is over already.
double PeriodMap::Work::land(const Event& event, double high) {
    probe(high);
    double at_high = distance(event, true).value;
    if (at_high >= 0) return high;  // the polynomial saw what is not there
    double low = 0, at_low = distance(event, false).value;
    if (at_low <= 0) {
        low = 1e-3 * high;
        probe(low);
        at_low = distance(event, true).value;
        if (at_low <= 0) return event.kind == Event::Kind::contact ? 0.0 : low;
    }
    double at = high, value = at_high;
    probe(high);
    for (int k = 0; k < 80; ++k) {
        double to = at - value / distance(event, true).rate;
        if (!(to > low && to < high) || k > 20) to = 0.5 * (low + high);
        const double move = std::abs(to - at);
        at = to;
        probe(at);
        value = distance(event, true).value;
        if (move < 1e-13 * two_pi || value == 0) break;
        (value > 0 ? low : high) = at;
    }
    return at;
}

void PeriodMap::Work::here() {
    rhs(x, slope, time);
    note(x, slope, u0, speed0, pull0, angle0, turning0);
}

/// The joints' force changes by as much at an event (pushed, on the modes), whose time varies by `later`.
void PeriodMap::Work::add_jump(const Eigen::VectorXd& pushed, const Eigen::RowVectorXd& later) {
    Matrix all(x.data(), height(), columns + 1);
    all.rightCols(columns).middleRows(n, n) += pushed * later / (w * w);
}

/// A site that reverses where the motion is, or goes on behind a kink. False where it would stay where it turns.
bool PeriodMap::Work::note_site(std::size_t i) {
    auto& site = sites[i];
    const auto j = Eigen::Index(i);
    const ConstMatrix all(x.data(), height(), columns + 1);
    const double u = site.base() + u0(j), before = site.force();
    const bool turns = std::abs(speed0(j)) <= at_once * std::abs(pull0(j)) && site.way() * pull0(j) < 0;
    const bool kink = !turns && !(site.way() * (site.level() - u) > site.margin());
    const Eigen::RowVectorXd moved = rows.row(j) * all.rightCols(columns).topRows(n);
    Eigen::RowVectorXd later;
    if (site.jumps() && turns) later = -(rows.row(j) * all.rightCols(columns).middleRows(n, n)) / pull0(j);
    if (site.jumps() && kink) later = (site.level_variation() - moved) / speed0(j);
    if (turns) {
        site.reverse(u, moved);
        changed = changed || site.surprised();
    }
    site.look_ahead(u);
    if (later.size() == 0) return true;
    site.evaluate(u);
    const Eigen::VectorXd pushed = (site.force() - before) * site.weight() * rows.row(j).transpose();
    const double pull = pull0(j) - rows.row(j).dot(pushed) / (w * w);
    if (turns && !(pull * pull0(j) > 0)) {
        trouble = "a joint stays where it turns, as its force jumps";
        return false;
    }
    add_jump(pushed, later);
    return true;
}

void PeriodMap::Work::note_contact(const Event& event) {
    const auto i = std::size_t(event.site);
    const auto ahead = contacts[i].ahead(event.of_contact, place(i, false));
    if (!ahead || ahead->value > 2 * ahead->noise + 1e-10 * std::abs(ahead->rate)) return;  // seen, but not there
    Matrix all(x.data(), height(), columns + 1);
    const auto map_of_site = rows.middleRows(row_of(i), 3);
    const Eigen::Index angle = 2 * n + event.site;
    ContactMemory::Variation varied{map_of_site * all.rightCols(columns).topRows(n),
                                    map_of_site * all.rightCols(columns).middleRows(n, n),
                                    all.row(angle).tail(columns)};
    const auto jump = contacts[i].pass(event.of_contact, place(i, false), varied, all(angle, 0));
    all.row(angle).tail(columns) = varied.angle;
    if (jump) add_jump(contacts[i].weight() * map_of_site.transpose() * jump->force, jump->later);
}

bool PeriodMap::Work::note_reversals(const Event& event) {
    for (std::size_t i = 0; i < sites.size(); ++i)
        if (sites[i].remembers() && sites[i].way() != 0 && !note_site(i)) return false;
    if (event.kind == Event::Kind::contact && event.site >= 0) note_contact(event);
    return true;
}

/// A step towards `target` that ends at the first event, if there is one; false where no step is good enough.
bool PeriodMap::Work::find_step(double target, double& step, Event& event) {
    const auto shorter = [](double ratio) { return std::clamp(0.9 * std::pow(ratio, -1.0 / 8), 0.1, 0.9); };
    const bool whole = target - time <= 1.2 * next_step;
    step = whole ? target - time : next_step;
    for (int tries = 0; tries < 200 && step > 1e-14; ++tries) {
        double ratio = attempt(step), share = 0;
        event = first_event(step, share);
        if (event.site < 0) {
            if (ratio <= 1) {
                const double proposal = step * std::clamp(0.9 * std::pow(std::max(ratio, 1e-9), -1.0 / 8), 0.5, 3.0);
                next_step = whole && tries == 0 ? std::max(next_step, proposal) : proposal;
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
        if (step == 0) return true;
        ratio = attempt(step);
        if (ratio > 1) {
            step *= shorter(ratio);
            continue;
        }
        const Event other = first_event(step, share);
        if (other.site < 0 || other == event) return true;
        const double earlier = land(other, share * step);
        if (earlier < step - (other.kind == Event::Kind::contact ? 1e-12 : at_once)) {
            step = earlier;
            event = other;
        }
        if (step == 0 || attempt(step) <= 1) return true;
        step *= 0.5;
    }
    return false;
}

bool PeriodMap::Work::advance(double target) {
    here();
    int at_this_time = 0;
    for (int steps = 0; target - time > 1e-13; ++steps) {
        double step = 0;
        Event event;
        if (steps > 200000 || at_this_time > most_at_once || !find_step(target, step, event)) return false;
        at_this_time = step > 0 ? 0 : at_this_time + 1;
        if (step > 0) {
            x.swap(next);
            time += step;
            here();
        }
        if (!note_reversals(event)) return false;
        if (event.site >= 0) here();  // the laws went on to another branch
    }
    return true;
}

}  // namespace faying::modes
