// How a history gets from one point to the next.
//
// A step is taken as one and as two halves; where they disagree it is halved. Contact in the plane, and any law of straight pieces, goes
// in proportion to the way until some site begins to slip, stick, open or close: after a step that did, the place of the
// next such event is found from the sites' forces alone, and one step ends there. So no step has an event inside it
// whose order could matter, however the way was cut.

#include <algorithm>
#include <limits>

#include "faying/modes/rest_state.hpp"
#include "history.hpp"

namespace faying::modes {

namespace {

constexpr double proportional = 1e-10;        ///< of the largest so far: a step that is straight to rounding
constexpr double departed = 1e-11;            ///< of the largest force: a site has left its straight line
constexpr double at_most_of_tolerance = 0.5;  ///< what steps leave adds up
constexpr double may_double = 0.125;          ///< of the tolerance: the error grows with the square of the step
constexpr double compared_loss = 1e-2;        ///< of force times way, that dissipation is compared with at least

double share_of(double part, double whole) { return part > 0 ? part / whole : 0.0; }

}  // namespace

void History::scale(const Eigen::VectorXd& at, const Eigen::VectorXd& force) {
    force_scale_ = std::max(force_scale_, force.norm());
    way_scale_ = std::max(way_scale_, at.norm());
    energy_scale_ = std::max(energy_scale_, force.cwiseAbs().dot(at.cwiseAbs()));
}

double History::apart(const Reached& a, const Reached& b) {
    scale(b.at, b.force);
    double lost = 0, all = 0;
    for (std::size_t j = 0; j < a.dissipated.size(); ++j) {
        lost += (a.dissipated[j] - b.dissipated[j]).lpNorm<1>();
        all += b.dissipated[j].sum();
    }
    return std::max({share_of((a.at - b.at).norm(), way_scale_), share_of((a.force - b.force).norm(), force_scale_),
                     share_of(lost, std::max(all, compared_loss * energy_scale_))});
}

DrivenLoad History::Leg::at(double share) const {
    return {from.share + share * (to.share - from.share), from.value + share * (to.value - from.value)};
}

bool History::advance(const Leg& leg, QuasistaticPoint& point) {
    if (options_.path_tolerance >= 1) return as_given(leg, 0, 1, point);
    double s = 0, step = 1;
    Pace pace;
    Eigen::VectorXd guess;  // of the end of the next step; empty: none
    while (s < 1) {
        if (pace.known) {
            const double e = in_proportion_until(pace, s);
            if (e > s && follow(leg, pace, s, e, point)) s = e;
            pace.known = false;
            continue;
        }
        const double e = s + step < 1 ? s + step : 1.0;
        Attempt made = attempt(leg, s, e, guess, point);
        guess.resize(0);
        const bool least = e - s <= options_.least_step;
        if (made.error <= at_most_of_tolerance * options_.path_tolerance || (least && made.ok)) {
            point.path_error = std::max(point.path_error, std::isfinite(made.error) ? made.error : 1.0);
            point.steps += 2;
            const double middle = 0.5 * (s + e);
            if (!settle(leg, s, middle, made.middle, point) || !settle(leg, middle, e, made.end, point)) return false;
            s = e;
            if (made.error <= may_double * options_.path_tolerance) step *= 2;
            pace = std::move(made.pace);
        } else if (least) {
            return false;
        } else {
            step = 0.5 * (e - s);
            if (made.half) guess = made.middle;
        }
    }
    return true;
}

/// Where the next step should end if it goes on as the last one did; after a turn, where it starts.
Eigen::VectorXd History::onwards(const DrivenLoad& load) const {
    constexpr double farthest = 2;  // steps
    if (last_.way.size() != z_.size()) return z_;
    const double share = (load.value - here_.value).dot(last_.load) / last_.load.squaredNorm();
    if (!(share > 0 && share <= farthest)) return z_;
    return z_ + share * last_.way;
}

/// Steps that are not checked, halved only where there is no equilibrium to be found.
bool History::as_given(const Leg& leg, double s, double e, QuasistaticPoint& point) {
    const DrivenLoad to = leg.at(e);
    Eigen::VectorXd z = onwards(to);
    const Sites begun = sites_;
    const bool found = solve(to, z, point).ok;
    sites_ = begun;
    if (found) {
        point.path_error = 1;
        point.steps += 1;
        last_ = {to.value - here_.value, z - z_};
        return settle(leg, s, e, z, point);
    }
    last_ = {};
    const double middle = 0.5 * (s + e);
    return e - s > options_.least_step && as_given(leg, s, middle, point) && as_given(leg, middle, e, point);
}

History::Attempt History::attempt(const Leg& leg, double s, double e, const Eigen::VectorXd& guess,
                                  QuasistaticPoint& point) {
    const DrivenLoad middle = leg.at(0.5 * (s + e)), end = leg.at(e);
    const Sites begun = sites_;
    const Eigen::VectorXd z0 = z_;
    Attempt made;
    Eigen::VectorXd z1 = guess.size() > 0 ? guess : z0;
    const Reached whole = commit(end, z1, point);
    sites_ = begun;
    made.middle = whole.ok ? Eigen::VectorXd(0.5 * (z0 + z1)) : z0;
    const Reached half = commit(middle, made.middle, point);
    made.half = half.ok;
    Reached two;
    made.end = whole.ok ? z1 : Eigen::VectorXd(2 * made.middle - z0);
    if (half.ok) two = commit(end, made.end, point);
    sites_ = begun;
    made.ok = two.ok;
    made.error = whole.ok && two.ok ? apart(whole, two) : std::numeric_limits<double>::infinity();
    if (made.error <= options_.path_tolerance) made.pace = pace_of(half, two, e - s);
    return made;
}

/// Known where the middle of the step is the middle of its ends.
History::Pace History::pace_of(const Reached& half, const Reached& end, double length) const {
    Pace pace;
    const Eigen::VectorXd at = displacements();
    const Eigen::VectorXd force = at_force_.size() > 0 ? at_force_ : Eigen::VectorXd::Zero(sites_.rows());
    if (share_of((half.at - 0.5 * (at + end.at)).norm(), way_scale_) > proportional ||
        share_of((half.force - 0.5 * (force + end.force)).norm(), force_scale_) > proportional)
        return pace;
    pace.known = true;
    pace.z = (end.z - half.z) / (0.5 * length);  // of the second half, in case the first begins with an event
    pace.at = (end.at - half.at) / (0.5 * length);
    pace.force = (end.force - half.force) / (0.5 * length);
    return pace;
}

/// The share of the way up to which no site leaves its straight line: equilibrium needs no solution there.
double History::in_proportion_until(const Pace& pace, double s) const {
    Sites trial = sites_;
    const Eigen::VectorXd at = displacements();
    const double allowed = departed * force_scale_;
    const auto straight = [&](double e) {
        trial.evaluate(at + (e - s) * pace.at);
        return (trial.force() - at_force_ - (e - s) * pace.force).lpNorm<Eigen::Infinity>() <= allowed;
    };
    if (straight(1)) return 1;
    double low = s, high = 1;
    while (high - low > 1e-15 * high) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        (straight(middle) ? low : high) = middle;
    }
    return high;  // just past it, so that the next step begins with what comes then
}

/// A step that ends with the next event; false, and nothing has happened, where it does not go as foreseen.
bool History::follow(const Leg& leg, const Pace& pace, double s, double e, QuasistaticPoint& point) {
    const Eigen::VectorXd foreseen = z_ + (e - s) * pace.z;
    const Eigen::VectorXd at = displacements() + (e - s) * pace.at;
    Eigen::VectorXd z = foreseen;
    const Sites begun = sites_;
    const Reached end = solve(leg.at(e), z, point);
    sites_ = begun;
    if (!end.ok) return false;
    const double error = share_of((end.at - at).norm(), std::max(way_scale_, at.norm()));
    if (error > options_.path_tolerance) return false;
    point.path_error = std::max(point.path_error, error);
    point.steps += 1;
    return settle(leg, s, e, z, point);
}

/// Commits a step whose end is known, or first what happens on its way.
bool History::settle(const Leg& leg, double s, double e, Eigen::VectorXd z, QuasistaticPoint& point) {
    for (std::size_t located = 0; options_.events && located < most_events(); ++located) {
        Statuses after;
        if (!differs(leg.at(e), z, after, point)) break;
        double low = s, high = e;
        Eigen::VectorXd at_high = z;
        while (high - low > options_.least_step) {
            const double middle = 0.5 * (low + high);
            Eigen::VectorXd trial = z_ + (middle - s) / (e - s) * (z - z_);
            Statuses there;
            if (differs(leg.at(middle), trial, there, point)) {
                high = middle, at_high = trial, after = there;
            } else {
                low = middle;
            }
        }
        note_events(after, high);
        if (high >= e) break;
        take(leg.at(high), at_high);
        s = high;
        if (!solve(leg.at(e), z, point).ok) return false;
    }
    take(leg.at(e), z);
    note_statuses();
    return true;
}

/// Whether some site does something else on the way to a load than it does now.
bool History::differs(const DrivenLoad& load, Eigen::VectorXd& z, Statuses& after, QuasistaticPoint& point) {
    const Sites begun = sites_;
    const auto before = sites_.dissipated_by_site();
    const Reached r = commit(load, z, point);
    if (r.ok) after = statuses(r.at, r.force, before, r.dissipated);
    sites_ = begun;
    return r.ok && after != current_;
}

History::Statuses History::statuses(const Eigen::VectorXd& at, const Eigen::VectorXd& force,
                                    const std::vector<Eigen::VectorXd>& before,
                                    const std::vector<Eigen::VectorXd>& now) const {
    Statuses all;
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
        all.emplace_back();
        for (const auto& state : states(at, force, before, now, j)) all.back().push_back(state.status);
    }
    return all;
}

std::vector<SiteState> History::states(const Eigen::VectorXd& at, const Eigen::VectorXd& force,
                                       const std::vector<Eigen::VectorXd>& before,
                                       const std::vector<Eigen::VectorXd>& now, std::size_t joint) const {
    Prestress p;
    p.sites = at;
    p.force = force;
    for (std::size_t j = 0; j < now.size(); ++j) p.dissipated.push_back(now[j] - before[j]);
    return rest_states(model_, p, joint);
}

void History::note_statuses() {
    current_ = statuses(displacements(), at_force_, before_last_, sites_.dissipated_by_site());
}

void History::note_events(const Statuses& after, double share) {
    for (std::size_t j = 0; j < after.size(); ++j)
        for (std::size_t i = 0; i < after[j].size(); ++i)
            if (after[j][i] != current_[j][i])
                events_->push_back({index_, share, j, Eigen::Index(i), current_[j][i], after[j][i]});
    current_ = after;
}

}  // namespace faying::modes
