#include <fmt/format.h>

#include <algorithm>

#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/results/harmonic.hpp"
#include "faying/results/loads.hpp"

namespace faying::results {

namespace {

struct ResponseRange {
    double from = 0, to = 0;

    double low() const { return std::min(from, to); }
    double high() const { return std::max(from, to); }
};

ResponseRange two_numbers(const std::string& text, const char* option, const char* unit) {
    const std::string expected = fmt::format("LO:HI in {}, two different positive numbers", unit);
    const auto [from, to] = core::parse_pair(text, option, expected);
    if (!(from > 0) || !(to > 0) || from == to)
        throw core::BadInput(option, fmt::format("'{}' must be {}", text, expected));
    for (const double x : {from, to}) check_size(option, "an end", x);
    return {from, to};
}

/// LO:HI, or for frequencies asked for alone a little beyond them on both sides.
ResponseRange range_of(const ResponseWords& o, const std::vector<double>& at) {
    if (!o.omega.empty()) return two_numbers(o.omega, "--omega", "rad/s");
    const auto [low, high] = std::minmax_element(at.begin(), at.end());
    return {0.9 * *low, 1.1 * *high};
}

/// Frequencies asked for exactly.
std::vector<double> asked_for(const ResponseWords& o) {
    const auto at = o.at.empty() ? std::vector<double>() : core::parse_numbers(o.at, "--at-omega");
    for (const double w : at) {
        if (!(w > 0)) throw core::BadInput("--at-omega", fmt::format("frequency {:g} is not above zero", w));
        check_size("--at-omega", "omega", w);
    }
    return at;
}

modes::ResponseTask task_of(const ResponseWords& o, const structure::Model& model, const std::vector<double>& at,
                            const HarmonicForceWords& force) {
    modes::ResponseTask task;
    task.load = {force.shape, force.levels.front()};
    if (!o.force_range.empty()) {
        const ResponseRange range = two_numbers(o.force_range, "--force-range", "N");
        task.along = modes::ResponseTask::Along::force;
        task.from = range.from;
        task.to = range.to;
        task.phase_mode = o.phase_resonance;
        task.superharmonic = std::max(1, o.superharmonic);
        if (o.phase_resonance == 0) task.omega = at.front();
        for (const double p : force.levels)
            if (p > range.low() && p < range.high()) task.at.push_back(p);
        return task;
    }
    const ResponseRange range = range_of(o, at);
    for (const double w : at)
        if (w < range.low() || w > range.high())
            throw core::BadInput("--at-omega", fmt::format("{:g} is outside --omega {}", w, o.omega));
    task.from = range.from;
    task.to = range.to;
    task.at = at;
    task.both_ends = o.both_ends;
    task.isolas = o.isolas > 0;
    task.phase_mode = o.isolas;
    if (!o.hold.empty()) {
        if (force.levels.size() > 1) throw core::BadInput("--hold", "finds the force: give --force without levels");
        task.hold = parse_hold(model, o.hold);
        check_size("--hold", "amplitude", task.hold->amplitude);
    }
    return task;
}

}  // namespace

void ResponseWords::check() const {
    const auto asked = asked_for(*this);
    const bool along_force = !force_range.empty();
    if (!along_force && omega.empty() && at.empty())
        throw core::BadInput("response", "give --omega LO:HI, --at-omega w1,w2,.., or both");
    if (along_force && (phase_resonance > 0) == (asked.size() == 1))
        throw core::BadInput("--force-range", "needs one frequency (--at-omega) or --phase-resonance MODE");
    if (along_force && (!omega.empty() || !hold.empty() || both_ends || isolas > 0))
        throw core::BadInput("--force-range", "does not go with --omega, --hold, --both-ends or --isolas");
    if (!along_force && phase_resonance > 0)
        throw core::BadInput("--phase-resonance", "needs --force-range LO:HI, along which it is followed");
    if (superharmonic > 0 && phase_resonance == 0)
        throw core::BadInput("--superharmonic", "needs --phase-resonance MODE, with which it is in resonance");
    if (isolas > 0 && !hold.empty()) throw core::BadInput("--isolas", "does not go with --hold");
}

void ResponseWords::apply(const structure::Model& model, ResponseRequest& to) const {
    const auto loaded = parse_harmonic_force(model, force);
    to.task = task_of(*this, model, asked_for(*this), loaded);
    to.levels = loaded.levels;
    to.only_asked = omega.empty() && force_range.empty();
}

}  // namespace faying::results
