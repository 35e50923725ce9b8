#include "faying/modes/quasistatic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "driven_statics.hpp"
#include "faying/core/error.hpp"
#include "faying/modes/rest_state.hpp"

namespace faying::modes {

void QuasistaticOptions::check() const {
    core::require(tolerance >= 1e-15 && tolerance <= 1e-2, "quasistatic options", "1e-15 <= tolerance <= 1e-2");
    core::require(path_tolerance >= 1e-12 && path_tolerance <= 1, "quasistatic options",
                  "1e-12 <= path_tolerance <= 1");
    core::require(least_step >= 1e-15 && least_step <= 1, "quasistatic options", "1e-15 <= least_step <= 1");
    core::require(most_iterations >= 1, "quasistatic options", "most_iterations >= 1");
}

namespace {

/// What the joints have done at an equilibrium, to compare two ways there.
struct Reached {
    Eigen::VectorXd z, at, force;
    std::vector<Eigen::VectorXd> dissipated;  ///< by joint and site
    double residual = 0;
    bool ok = false;
};

class History {
 public:
    History(const structure::Model& model, const Interface& interface, const std::vector<Drive>& drives,
            const QuasistaticOptions& options)
        : model_(model),
          options_(options),
          drives_(drives),
          sites_(structure::joint_set(model)),
          statics_(interface, sites_) {
        statics_.drive(model, unlocked(drives));
        z_ = Eigen::VectorXd::Zero(statics_.size());
        here_ = {.share = 0, .value = Eigen::VectorXd::Zero(Eigen::Index(drives.size()))};
        before_last_ = sites_.dissipated_by_site();
        current_.resize(model.joints.size());
        for (std::size_t j = 0; j < model.joints.size(); ++j)
            current_[j].assign(std::size_t(model.joints[j].sites()), SiteStatus::stuck);
    }

    /// The static force, then what is locked is held where it is.
    QuasistaticPoint seat() {
        QuasistaticPoint point = settle_static();
        if (std::none_of(drives_.begin(), drives_.end(), [](const Drive& d) { return d.locked; })) return point;
        // The same equilibrium with reactions of locked rows (nothing so far) among the unknowns
        const Eigen::VectorXd before = z_;
        const Eigen::Index held = statics_.held();
        statics_.drive(model_, drives_);
        z_ = Eigen::VectorXd::Zero(statics_.size());
        z_.head(before.size() - held) = before.head(before.size() - held);
        Eigen::Index from = before.size() - held, to = from;
        offset_ = Eigen::VectorXd::Zero(here_.value.size());
        for (std::size_t j = 0; j < drives_.size(); ++j) {
            if (drives_[j].kind != DriveKind::displacement) continue;
            if (drives_[j].locked)
                offset_(Eigen::Index(j)) = drives_[j].row.dot(point.x);
            else
                z_(to) = before(from++);
            ++to;
        }
        here_.value += offset_;
        statics_.set(here_);
        statics_.reached(z_, at_force_);
        return point;
    }

    /// Straight from virgin joints: loads on the way are only a way to a guess.
    QuasistaticPoint settle_static() {
        QuasistaticPoint point;
        const DrivenLoad all{1.0, here_.value};
        if (statics_.static_force() == 0) {
            here_ = all;
            finish(point, true);
            return point;
        }
        Eigen::VectorXd z = statics_.stuck_start(all, z_);
        if (!solve(all, z, point).ok) {
            double share = 0, step = 0.1;
            z.setZero();
            while (share < 1 && step > 1e-6) {
                const double next = std::min(1.0, share + step);
                Eigen::VectorXd guess =
                    share > 0 ? Eigen::VectorXd(next / share * z) : statics_.stuck_start({next, here_.value}, z_);
                if (solve({next, here_.value}, guess, point).ok) {
                    z = guess, share = next, step *= 1.5;
                } else {
                    step *= 0.4;
                }
            }
            if (share < 1) refuse_static(all, share);
        }
        take(all, z);
        const auto [closed, contacts] = sites_.touching(statics_.displacements(z_));
        if (contacts > 0 && closed == 0)
            throw core::NotConverged("quasistatic: the static load opens the joint completely",
                                     std::numeric_limits<double>::quiet_NaN());
        note_statuses();
        finish(point, true);
        return point;
    }

    /// Says what the load would do to joints that could not slide nor open: where it pulls on them, they part.
    [[noreturn]] void refuse_static(const DrivenLoad& all, double share) {
        const auto [closed, contacts] =
            sites_.touching(statics_.displacements(statics_.stuck_start(all, Eigen::VectorXd::Zero(statics_.size()))));
        std::string why;
        if (contacts > 0 && closed < contacts)
            why = fmt::format(": it pulls on {} of {} sites of contact, which open", contacts - closed, contacts);
        throw core::NotConverged(
            fmt::format("quasistatic: equilibrium was lost at {:.3g} of the static load{}", share, why),
            std::numeric_limits<double>::quiet_NaN());
    }

    /// Straight to the next values of the drives; false when it ends on the way, where it then stays.
    bool go(const Eigen::VectorXd& given, std::size_t index, QuasistaticRun& run) {
        QuasistaticPoint point;
        const Eigen::VectorXd value = offset_.size() > 0 ? Eigen::VectorXd(given + offset_) : given;
        index_ = index;
        events_ = &run.events;
        const DrivenLoad from = here_, to{1.0, value};
        const bool reached = from.value == value || advance(from, to, 0.0, 1.0, {}, point);
        point.value = reached ? value : here_.value;
        if (offset_.size() > 0) point.value -= offset_;
        finish(point, reached);
        run.points.push_back(std::move(point));
        return reached;
    }

    Eigen::VectorXd forces() const { return at_force_; }
    Eigen::VectorXd displacements() const { return statics_.displacements(z_); }

 private:
    using Statuses = std::vector<std::vector<SiteStatus>>;

    const structure::Model& model_;
    const QuasistaticOptions& options_;
    const std::vector<Drive>& drives_;
    Sites sites_;
    DrivenStatics statics_;
    Eigen::VectorXd z_, at_force_;
    Eigen::VectorXd offset_;  ///< where locked drives were locked; empty: none
    DrivenLoad here_;
    std::vector<Eigen::VectorXd> before_last_;  ///< dissipated before the last step
    Statuses current_;
    double force_scale_ = 0, way_scale_ = 0, energy_scale_ = 0;
    std::size_t index_ = 0;
    std::vector<SiteEvent>* events_ = nullptr;

    /// As they are under the static force: what is to be locked is a load of nothing.
    static std::vector<Drive> unlocked(std::vector<Drive> drives) {
        for (auto& d : drives)
            if (d.locked) d.kind = DriveKind::force;
        return drives;
    }

    /// From the committed states to a load; states are left as they were.
    Reached solve(const DrivenLoad& load, Eigen::VectorXd& z, QuasistaticPoint& point) {
        Reached r;
        const solve::NewtonOptions rules{.tolerance = options_.tolerance, .most_iterations = options_.most_iterations};
        statics_.set(load);
        auto end = solve::newton(statics_, z, rules);
        point.iterations += end.iterations;
        if (!end.converged && sites_.sticks()) {  // nothing may have held what contact holds
            z = statics_.stuck_start(load, z_);
            end = solve::newton(statics_, z, rules);
            point.iterations += end.iterations;
        }
        r.ok = end.converged;
        r.residual = end.residual;
        r.z = z;
        r.at = statics_.displacements(z);
        sites_.evaluate(r.at);
        r.force = sites_.force();
        return r;
    }

    /// The same, and on: states are committed there.
    Reached commit(const DrivenLoad& load, Eigen::VectorXd& z, QuasistaticPoint& point) {
        Reached r = solve(load, z, point);
        if (!r.ok) return r;
        sites_.commit();
        r.dissipated = sites_.dissipated_by_site();
        return r;
    }

    void take(const DrivenLoad& load, const Eigen::VectorXd& z) {
        before_last_ = sites_.dissipated_by_site();
        sites_.evaluate(statics_.displacements(z));
        at_force_ = sites_.force();
        sites_.commit();
        z_ = z;
        here_ = load;
        statics_.set(load);
        statics_.reached(z, at_force_);
        scale(statics_.displacements(z), at_force_);
    }

    void scale(const Eigen::VectorXd& at, const Eigen::VectorXd& force) {
        force_scale_ = std::max(force_scale_, force.norm());
        way_scale_ = std::max(way_scale_, at.norm());
        energy_scale_ = std::max(energy_scale_, force.cwiseAbs().dot(at.cwiseAbs()));
    }

    double apart(const Reached& a, const Reached& b) {
        scale(b.at, b.force);
        double lost = 0;
        for (std::size_t j = 0; j < a.dissipated.size(); ++j) lost += (a.dissipated[j] - b.dissipated[j]).lpNorm<1>();
        const auto share = [](double part, double whole) { return part > 0 ? part / whole : 0.0; };
        return std::max({share((a.at - b.at).norm(), way_scale_), share((a.force - b.force).norm(), force_scale_),
                         share(lost, energy_scale_)});
    }

    static DrivenLoad between(const DrivenLoad& a, const DrivenLoad& b, double share) {
        return {a.share + share * (b.share - a.share), a.value + share * (b.value - a.value)};
    }

    /// From shares `s` to `e` of the way between two points; `guess` of the end, may be empty.
    bool advance(const DrivenLoad& from, const DrivenLoad& to, double s, double e, const Eigen::VectorXd& guess,
                 QuasistaticPoint& point) {
        const DrivenLoad middle = between(from, to, 0.5 * (s + e)), end = between(from, to, e);
        const Sites begun = sites_;
        const Eigen::VectorXd z0 = z_;
        Eigen::VectorXd z1 = guess.size() > 0 ? guess : z0;
        const Reached whole = commit(end, z1, point);
        sites_ = begun;
        if (whole.ok && options_.path_tolerance >= 1) {  // as given, unchecked
            point.path_error = 1;
            point.steps += 1;
            return settle(from, to, s, e, z1, point);
        }
        Eigen::VectorXd zm = whole.ok ? Eigen::VectorXd(0.5 * (z0 + z1)) : z0;
        const Reached half = commit(middle, zm, point);
        Reached two;
        Eigen::VectorXd z2 = whole.ok ? z1 : Eigen::VectorXd(2 * zm - z0);
        if (half.ok) two = commit(end, z2, point);
        sites_ = begun;
        const double error = whole.ok && two.ok ? apart(whole, two) : std::numeric_limits<double>::infinity();
        const bool least = e - s <= options_.least_step;
        if (error <= options_.path_tolerance || (least && two.ok)) {
            point.path_error = std::max(point.path_error, std::isfinite(error) ? error : 1.0);
            point.steps += 2;
            return settle(from, to, s, 0.5 * (s + e), zm, point) && settle(from, to, 0.5 * (s + e), e, z2, point);
        }
        if (least) return false;
        return advance(from, to, s, 0.5 * (s + e), half.ok ? zm : Eigen::VectorXd(), point) &&
               advance(from, to, 0.5 * (s + e), e, two.ok ? z2 : Eigen::VectorXd(), point);
    }

    /// Commits a step whose end is known, or first what happens on its way.
    bool settle(const DrivenLoad& from, const DrivenLoad& to, double s, double e, Eigen::VectorXd z,
                QuasistaticPoint& point) {
        for (std::size_t located = 0; options_.events && located < most_events(); ++located) {
            Statuses after;
            if (!differs(between(from, to, e), z, after, point)) break;
            double low = s, high = e;
            Eigen::VectorXd at_high = z;
            while (high - low > options_.least_step) {
                const double middle = 0.5 * (low + high);
                Eigen::VectorXd trial = z_ + (middle - s) / (e - s) * (z - z_);
                Statuses there;
                if (differs(between(from, to, middle), trial, there, point)) {
                    high = middle, at_high = trial, after = there;
                } else {
                    low = middle;
                }
            }
            note_events(after, high);
            if (high >= e) break;
            take(between(from, to, high), at_high);
            s = high;
            if (!commit_again(between(from, to, e), z, point)) return false;
        }
        take(between(from, to, e), z);
        note_statuses();
        return true;
    }

    std::size_t most_events() const { return 10 + 10 * std::size_t(sites_.rows()); }

    /// The end of a step from new states.
    bool commit_again(const DrivenLoad& load, Eigen::VectorXd& z, QuasistaticPoint& point) {
        return solve(load, z, point).ok;
    }

    /// Whether some site does something else on the way to a load than it does now.
    bool differs(const DrivenLoad& load, Eigen::VectorXd& z, Statuses& after, QuasistaticPoint& point) {
        const Sites begun = sites_;
        const auto before = sites_.dissipated_by_site();
        const Reached r = commit(load, z, point);
        if (r.ok) after = statuses(r.at, r.force, before, r.dissipated);
        sites_ = begun;
        return r.ok && after != current_;
    }

    Statuses statuses(const Eigen::VectorXd& at, const Eigen::VectorXd& force,
                      const std::vector<Eigen::VectorXd>& before, const std::vector<Eigen::VectorXd>& now) const {
        Statuses all;
        for (std::size_t j = 0; j < model_.joints.size(); ++j) {
            all.emplace_back();
            for (const auto& state : states(at, force, before, now, j)) all.back().push_back(state.status);
        }
        return all;
    }

    std::vector<SiteState> states(const Eigen::VectorXd& at, const Eigen::VectorXd& force,
                                  const std::vector<Eigen::VectorXd>& before, const std::vector<Eigen::VectorXd>& now,
                                  std::size_t joint) const {
        Prestress p;
        p.sites = at;
        p.force = force;
        for (std::size_t j = 0; j < now.size(); ++j) p.dissipated.push_back(now[j] - before[j]);
        return rest_states(model_, p, joint);
    }

    void note_statuses() { current_ = statuses(displacements(), at_force_, before_last_, sites_.dissipated_by_site()); }

    void note_events(const Statuses& after, double share) {
        for (std::size_t j = 0; j < after.size(); ++j)
            for (std::size_t i = 0; i < after[j].size(); ++i)
                if (after[j][i] != current_[j][i])
                    events_->push_back({index_, share, j, Eigen::Index(i), current_[j][i], after[j][i]});
        current_ = after;
    }

    void finish(QuasistaticPoint& point, bool reached) {
        statics_.set(here_);
        const auto at = displacements();
        if (point.value.size() == 0) point.value = here_.value;
        if (at_force_.size() == 0) at_force_ = Eigen::VectorXd::Zero(sites_.rows());
        point.x = statics_.full(z_);
        point.displacement.resize(Eigen::Index(drives_.size()));
        for (std::size_t j = 0; j < drives_.size(); ++j)
            point.displacement(Eigen::Index(j)) = drives_[j].row.dot(point.x);
        point.force = statics_.driving_forces(z_);
        point.residual = statics_.full_residual(model_, z_, at_force_);
        sites_.dissipated(point.dissipated);
        point.converged = reached && point.residual <= std::max(options_.tolerance, 1e-10);
        if (options_.sites)
            for (std::size_t j = 0; j < model_.joints.size(); ++j)
                point.sites.push_back(states(at, at_force_, before_last_, sites_.dissipated_by_site(), j));
    }
};

void check_drives(const structure::Model& model, const std::vector<Drive>& drives,
                  const std::vector<std::vector<double>>& values) {
    core::require(!drives.empty(), "quasistatic", "at least one load or prescribed displacement");
    core::require(values.size() == drives.size(), "quasistatic", "a history of every drive");
    for (std::size_t j = 0; j < drives.size(); ++j) {
        core::require(drives[j].row.size() == model.size(), "quasistatic", "a row of a drive as long as the DOF");
        core::require(values[j].size() == values[0].size(), "quasistatic", "histories of one length");
        core::require(!drives[j].locked || drives[j].kind == DriveKind::displacement, "quasistatic",
                      "a locked drive that is a displacement");
        for (const double v : values[j])
            if (!std::isfinite(v)) throw core::BadInput("quasistatic", "a history has a value that is not finite");
    }
}

std::string why_stopped(const QuasistaticRun& run, const std::vector<Drive>& drives) {
    const auto& last = run.points.back();
    std::string where;
    for (std::size_t j = 0; j < drives.size(); ++j)
        where += fmt::format("{}{} = {:.6g}", j ? ", " : "", drives[j].name.empty() ? "drive" : drives[j].name,
                             last.value(Eigen::Index(j)));
    return fmt::format("no equilibrium was found beyond {} on the way to point {}", where, run.points.size());
}

}  // namespace

QuasistaticRun quasistatic(const structure::Model& model, const Interface& interface, const std::vector<Drive>& drives,
                           const std::vector<std::vector<double>>& values, const QuasistaticOptions& options) {
    options.check();
    check_drives(model, drives, values);
    History history(model, interface, drives, options);
    QuasistaticRun run;
    run.seated = history.seat();
    for (std::size_t i = 0; i < values[0].size(); ++i) {
        Eigen::VectorXd value(Eigen::Index(drives.size()));
        for (std::size_t j = 0; j < drives.size(); ++j) value(Eigen::Index(j)) = values[j][i];
        if (!history.go(value, i, run)) {
            run.stopped = why_stopped(run, drives);
            break;
        }
        if (options.progress) options.progress(i + 1);
    }
    return run;
}

QuasistaticLoop quasistatic_loop(const structure::Model& model, const Interface& interface,
                                 const std::vector<Drive>& drives, const Eigen::VectorXd& amplitudes, int points,
                                 double closure, int most_loops, const QuasistaticOptions& options) {
    options.check();
    core::require(points >= 1 && most_loops >= 1 && closure > 0, "quasistatic loop",
                  "points >= 1, most_loops >= 1, closure > 0");
    check_drives(model, drives, std::vector<std::vector<double>>(drives.size(), {0.0}));
    History history(model, interface, drives, options);
    QuasistaticLoop loop;
    auto& run = loop.run;
    run.seated = history.seat();
    double total = 0;
    const auto go = [&](double from, double to) {
        for (int k = 1; k <= points; ++k) {
            const double share = k == points ? to : from + (to - from) * k / points;
            if (!history.go(share * amplitudes, run.points.size(), run)) {
                run.stopped = why_stopped(run, drives);
                return false;
            }
            if (options.progress) options.progress(run.points.size());
        }
        return true;
    };
    const auto lost = [&] {
        double sum = 0;
        for (const double d : run.points.back().dissipated) sum += d;
        return sum;
    };
    if (!go(0, 1)) return loop;
    for (loop.loops = 1; loop.loops <= most_loops; ++loop.loops) {
        const Eigen::VectorXd u = history.displacements(), f = history.forces();
        loop.first = run.points.size() - 1;
        total = lost();
        if (!go(1, -1)) return loop;
        const Eigen::VectorXd swing_u = history.displacements() - u, swing_f = history.forces() - f;
        if (!go(-1, 1)) return loop;
        loop.dissipation = lost() - total;
        const auto share = [](double part, double whole) { return part > 0 ? part / whole : 0.0; };
        loop.closure_error = std::max(share((history.displacements() - u).norm(), swing_u.norm()),
                                      share((history.forces() - f).norm(), swing_f.norm()));
        if ((loop.closed = loop.closure_error <= closure)) break;
    }
    loop.loops = std::min(loop.loops, most_loops);
    return loop;
}

}  // namespace faying::modes
