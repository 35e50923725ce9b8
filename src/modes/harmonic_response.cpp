// Forced responses: along frequency at a given force or amplitude, along force at a frequency or at phase resonance.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "faying/core/error.hpp"
#include "faying/solve/newton.hpp"
#include "harmonic_point.hpp"
#include "harmonic_stability.hpp"
#include "phase_resonances.hpp"
#include "response_equations.hpp"
#include "solved_motion.hpp"

namespace faying::modes {

namespace {

class Responses {
 public:
    Responses(const structure::Model& model, const Interface& interface, const ResponseTask& task,
              const HarmonicOptions& options)
        : model_(model),
          interface_(interface),
          task_(task),
          options_(options),
          system_(model, interface, options.harmonics, options.joints) {
        at_ = system_.harmonics().at(system_.first_order());
        shape_ = system_.shapes().transpose() * task.load.shape;
        if (task.phase_mode > system_.modes())
            throw core::BadInput(
                "response", fmt::format("there is no mode {}; allowed are 1 to {}", task.phase_mode, system_.modes()));
    }

    std::vector<HarmonicPoint> run() {
        const auto start = task_.superharmonic > 1 ? superharmonic_start() : std::nullopt;
        auto points = along(task_, task_.from, task_.to, start ? &*start : nullptr);
        if (task_.along == ResponseTask::Along::frequency) {
            const bool from_behind = points.empty();  // no motion was found at the first frequency
            if (from_behind) points = along(task_, task_.to, task_.from, nullptr);
            // One that turns back to where it began, as on a superharmonic resonance, is not the one that goes through.
            const bool returned = points.size() > 1 && points.back().point.omega == task_.from;
            if (!from_behind && (task_.both_ends || returned)) add_other_end(points);
            if (task_.isolas) add_isolas(points);
        }
        add_physical(points);
        std::vector<HarmonicPoint> out;
        for (auto& solved : points) out.push_back(std::move(solved.point));
        return out;
    }

 private:
    /// Harmonics of every DOF, of several motions in one product, but of no more than stay in the cache.
    void add_physical(std::vector<Solved>& points) const {
        constexpr std::size_t together = 16;
        const Eigen::Index functions = system_.harmonics().size();
        Eigen::MatrixXd modal, all;
        for (std::size_t first = 0; first < points.size(); first += together) {
            const std::size_t count = std::min(together, points.size() - first);
            modal.resize(system_.modes(), functions * Eigen::Index(count));
            for (std::size_t i = 0; i < count; ++i)
                modal.middleCols(functions * Eigen::Index(i), functions) = points[first + i].modal;
            all = system_.physical(modal);
            for (std::size_t i = 0; i < count; ++i)
                points[first + i].point.harmonics = all.middleCols(functions * Eigen::Index(i), functions);
        }
    }

    const structure::Model& model_;
    const Interface& interface_;
    const ResponseTask& task_;
    const HarmonicOptions& options_;
    HarmonicSystem system_;
    Eigen::Index at_ = 0;
    Eigen::VectorXd shape_;
    int branches_ = 1;

    /// The linear answer to a force.
    Eigen::MatrixXd linear(double w, double force) const {
        Eigen::MatrixXd q = Eigen::MatrixXd::Zero(system_.modes(), system_.harmonics().size());
        for (Eigen::Index r = 0; r < q.rows(); ++r) {
            const double w2 = system_.omega()(r) * system_.omega()(r);
            const Complex d(w2 - w * w, w * 2 * system_.damping_ratio(r) * system_.omega()(r));
            const Complex answer = std::abs(d) > 1e-6 * std::max(w2, w * w) ? force * shape_(r) / d : Complex(0.0);
            q(r, at_) = answer.real();
            q(r, at_ + 1) = -answer.imag();
        }
        return q;
    }

    /// The answer of one mode at its resonance.
    Eigen::MatrixXd resonant(Eigen::Index mode, double force, double share) const {
        Eigen::MatrixXd q = Eigen::MatrixXd::Zero(system_.modes(), system_.harmonics().size());
        const double w = system_.omega()(mode), zeta = std::max(system_.damping_ratio(mode), 1e-4);
        q(mode, at_ + 1) = share * force * shape_(mode) / (2 * zeta * w * w);
        return q;
    }

    /// On the response to the first force about the frequency whose multiple is the mode's: the motion whose
    /// superharmonic is largest among those in resonance.
    std::optional<Solved> superharmonic_start() {
        const double w = system_.omega()(task_.phase_mode - 1) / task_.superharmonic;
        ResponseTask sweep{.load = {task_.load.shape, task_.from}, .from = 0.7 * w, .to = 1.4 * w};
        for (int i = 0; i < 200; ++i) sweep.at.push_back(w * (0.7 + 0.7 * (i + 0.5) / 200));
        HarmonicOptions plain = options_;
        plain.stability = false;
        const auto& orders = system_.harmonics().orders();
        const Eigen::Index at = system_.harmonics().at(
            std::size_t(std::find(orders.begin(), orders.end(), task_.superharmonic) - orders.begin()));
        std::optional<Solved> best;
        double last = 0, largest = 0;
        const Solved* before = nullptr;
        const auto points = Responses(*this, sweep, plain).along(sweep, sweep.from, sweep.to, nullptr);
        for (const auto& here : points) {
            system_.choose(here.point.omega);
            const double scale = here.modal.norm();
            Eigen::VectorXd r(system_.size());
            system_.evaluate(system_.unknowns(here.modal, scale), scale, here.point.omega, 0.0, r);
            const double cosine = superharmonic_phase(system_, task_.superharmonic, scale).cosine;
            if (before && cosine * last < 0 && here.modal.middleCols(at, 2).norm() > largest) {
                largest = here.modal.middleCols(at, 2).norm();
                best = std::abs(cosine) < std::abs(last) ? here : *before;
            }
            before = &here;
            last = cosine;
        }
        if (!best)
            throw core::BadInput("response",
                                 fmt::format("order {} is nowhere in resonance with mode {} between {:g} "
                                             "and {:g} rad/s at {:g} N",
                                             task_.superharmonic, task_.phase_mode, sweep.from, sweep.to, task_.from));
        return best;
    }

    double parameter(const ResponseTask& task, double value, double top) const {
        return task.along == ResponseTask::Along::frequency ? value / top : std::log(value);
    }

    /// The branch from one value of the parameter to another; `start`: a motion on it, else the linear answer.
    std::vector<Solved> along(const ResponseTask& task, double from, double to, const Solved* start) {
        const bool frequency = task.along == ResponseTask::Along::frequency, phase = !frequency && task.phase_mode > 0;
        const double w = frequency ? from : (phase ? system_.omega()(task.phase_mode - 1) : task.omega);
        const double p = frequency ? task.load.force : from;
        const double top = frequency ? std::max(task_.from, task_.to) : w;
        Eigen::MatrixXd q = start ? start->modal : phase ? resonant(task.phase_mode - 1, p, 1) : linear(w, p);
        double unit = p;
        if (task.hold && !start) {
            const Eigen::VectorXd row = system_.shapes().transpose() * task.hold->row;
            const double moved = std::hypot(row.dot(q.col(at_)), row.dot(q.col(at_ + 1))),
                         wanted = task.hold->amplitude / (task.hold->acceleration ? w * w : 1.0);
            if (!(moved > 1e-12 * row.norm() * q.norm()))
                throw core::BadInput("--hold", "no force at the load moves what is to be held");
            unit = p * wanted / moved;
            q *= wanted / moved;
        } else if (task.hold) {
            unit = start->point.force;
        }
        const double scale = std::max(q.norm(), 1e-300);
        ResponseEquations equations(system_, task, scale, top, unit);
        solve::ContinuationOptions way;
        way.from = parameter(task, from, top);
        way.to = parameter(task, to, top);
        for (const double value : task.at) way.land_on.push_back(parameter(task, value, top));
        way.first_step = frequency ? 0.02 : 0.1;
        way.largest_step = frequency ? 0.5 : 1.0;
        if (frequency) way.widest_in_p = std::abs(way.to - way.from) / 30;  // antiresonances are seen
        way.deviation = 0.05;
        way.least_step = 1e-9;
        way.tolerance = options_.tolerance;
        way.most_points = options_.most_points + int(task.at.size());
        way.most_iterations = 12;
        const double w_start = start && !frequency ? start->point.omega : w;
        Eigen::VectorXd x = equations.unknowns(q, w_start, unit);
        if (!start) x = begun(equations, task, x, way.from, w, p);
        std::vector<Solved> points;
        bool closed = false;
        if (start) {  // the range reaches behind it
            way.start = way.from;
            way.from = parameter(task, from == std::min(from, to) ? low_end() : high_end(), top);
        }
        const auto note = [&](const solve::BranchPoint& found) {
            points.push_back(solved(equations, task, found, from, to));
            closed = start && came_back(points, *start);
            return !closed;
        };
        const auto branch = solve::follow(equations, x, way, note);
        for (std::size_t i = 0; i < points.size(); ++i)
            points[i].point.turning_point = branch.points[i].special == solve::Special::fold;
        if (options_.stability) locate(equations, task, points, from, to);
        if (closed_) *closed_ = closed;
        return points;
    }

    /// A first motion: from the guess, else ramped up from a small force (or amplitude held), else with less of it.
    Eigen::VectorXd begun(ResponseEquations& equations, const ResponseTask& task, const Eigen::VectorXd& guess,
                          double p, double w, double force) {
        bool converged = false;
        auto point = solve::solve_at(equations, guess, p, options_.tolerance, 30, converged);
        if (converged) return point.x;
        if (equations.by_phase()) {
            for (double share = 0.3; share > 1e-6; share *= 0.3) {
                const auto q = resonant(task.phase_mode - 1, force, share);
                point =
                    solve::solve_at(equations, equations.unknowns(q, w, force), p, options_.tolerance, 30, converged);
                if (converged && point.x(0) > 0.3) return point.x;
            }
            return guess;
        }
        if (task.hold) {
            Eigen::VectorXd x = guess;
            double step = 1.0;
            for (double level = -9; level < 0 && step > 1e-4;) {  // ln of the share held
                equations.held = std::exp(std::min(level, 0.0));
                Eigen::VectorXd trial = level == -9 ? Eigen::VectorXd(guess * equations.held) : x;
                point = solve::solve_at(equations, trial, p, options_.tolerance, 30, converged);
                if (converged) x = point.x;
                if (!converged && level == -9) break;
                level = converged ? level + step : level - 0.5 * step;
                if (!converged) step *= 0.5, level = std::max(level, -8.999);
            }
            equations.held = 1;
            return x;
        }
        if (task.along == ResponseTask::Along::frequency) {  // up in force at the first frequency
            ResponseTask ramp = task;
            ramp.along = ResponseTask::Along::force;
            ramp.omega = w;
            ramp.phase_mode = 0;
            ramp.at.clear();
            HarmonicOptions plain = options_;
            plain.stability = false;
            const auto up = Responses(*this, ramp, plain).along(ramp, 1e-4 * force, force, nullptr);
            if (!up.empty() && up.back().point.force == force) return equations.unknowns(up.back().modal, w, force);
        }
        return guess;
    }

    Responses(const Responses& other, const ResponseTask& task, const HarmonicOptions& options)
        : model_(other.model_),
          interface_(other.interface_),
          task_(task),
          options_(options),
          system_(other.system_),
          at_(other.at_),
          shape_(other.shape_) {}

    Solved solved(ResponseEquations& equations, const ResponseTask& task, const solve::BranchPoint& found, double from,
                  double to) {
        Eigen::VectorXd r;
        const double residual = equations.evaluate(found.x, found.p, r);
        Solved out{point_of(system_, found, equations.scale()), equations.modal(), found.p};
        auto& point = out.point;
        point.residual = std::max(residual, system_.joints().unsettled);
        point.omega = equations.w();
        point.force = equations.force();
        double& own = task.along == ResponseTask::Along::frequency ? point.omega : point.force;
        for (const auto& asked : {std::vector{from, to}, task.at})  // as asked for, not as rounded
            for (const double value : asked)
                if (std::abs(own - value) <= 1e-13 * value) own = value;
        point.converged = point.residual <= options_.tolerance;
        if (options_.stability && point.converged)
            point.stability = stability_of(system_, out.modal, point.omega, options_.most_stability_modes);
        if (options_.derivatives && task.watched.size() > 0 && point.converged &&
            std::find(task.at.begin(), task.at.end(), point.omega) != task.at.end())
            point.watched = equations.derivatives(task.watched);
        return out;
    }

    // --- bifurcations --------------------------------------------------------------------------------------------

    /// Between two points of a branch, at a share of the way: on the branch, in the plane across their chord.
    bool between(ResponseEquations& equations, const ResponseTask& task, const Solved& a, const Solved& b, double share,
                 double from, double to, Solved& out, double& turn) {
        system_.choose((1 - share) * a.point.omega + share * b.point.omega);
        const solve::BranchPoint from_point{.x = equations.in_these_unknowns(a.modal, a.point.omega, a.point.force),
                                            .p = a.p};
        const solve::BranchPoint to_point{.x = equations.in_these_unknowns(b.modal, b.point.omega, b.point.force),
                                          .p = b.p};
        solve::BranchPoint found;
        if (!solve::solve_between(equations, from_point, to_point, share, options_.tolerance, found, turn))
            return false;
        out = solved(equations, task, found, from, to);
        return true;
    }

    /// Folds and losses of stability between neighbours, put in as points of their own.
    void locate(ResponseEquations& equations, const ResponseTask& task, std::vector<Solved>& points, double from,
                double to) {
        std::vector<Solved> all;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (i > 0) {
                const auto& a = points[i - 1];
                const auto& b = points[i];
                Bifurcation kind = b.point.turning_point ? Bifurcation::fold : Bifurcation::none;
                const int before = unstable(a.point.stability), after = unstable(b.point.stability);
                if (kind == Bifurcation::none && before >= 0 && after >= 0 && before != after) {
                    const auto& worse = (after > before ? b : a).point.stability;  // the last multiplier outside
                    const Complex m = worse.multipliers[std::size_t(std::max(before, after)) - 1];
                    kind = std::abs(m.imag()) > 1e-7 ? Bifurcation::neimark_sacker
                           : m.real() < 0            ? Bifurcation::period_doubling
                                                     : Bifurcation::other;
                }
                Solved found;
                if (kind != Bifurcation::none && kind != Bifurcation::other &&
                    refine(equations, task, a, b, kind, from, to, found)) {
                    // Where a slider begins to slip its multipliers jump, perhaps over the circle.
                    const bool jumps =
                        kind != Bifurcation::fold && std::abs(signed_distance(found.point.stability, kind)) > 1e-5;
                    found.point.bifurcation = jumps ? Bifurcation::other : kind;
                    all.push_back(found);
                }
            }
            all.push_back(points[i]);
        }
        points = std::move(all);
    }

    /// The zero of the turn (folds) or of the distance from the unit circle, by bisection and false position.
    bool refine(ResponseEquations& equations, const ResponseTask& task, const Solved& a, const Solved& b,
                Bifurcation kind, double from, double to, Solved& found) {
        const bool fold = kind == Bifurcation::fold;
        double low = 0, high = 1, at_low = 0, at_high = 0, turn = 0;
        Solved trial;
        const auto value = [&](double share) {
            if (!between(equations, task, a, b, share, from, to, trial, turn))
                return std::numeric_limits<double>::quiet_NaN();
            return fold ? turn : signed_distance(trial.point.stability, kind);
        };
        at_low = value(1e-6);
        at_high = value(1 - 1e-6);
        if (!(at_low * at_high < 0)) return false;
        for (int k = 0; k < 40; ++k) {
            double middle = low - at_low * (high - low) / (at_high - at_low);
            if (k % 3 == 2 || !(middle > low && middle < high)) middle = 0.5 * (low + high);
            const double v = value(middle);
            if (std::isnan(v)) return false;
            found = trial;
            if (std::abs(v) < (fold ? 1e-9 : 1e-8) || high - low < 1e-10) return true;
            if (v * at_low > 0)
                low = middle, at_low = v;
            else
                high = middle, at_high = v;
        }
        return true;
    }

    // --- other branches ------------------------------------------------------------------------------------------

    void append(std::vector<Solved>& points, std::vector<Solved> more) {
        for (auto& solved : more) {
            solved.point.branch = branches_;
            points.push_back(std::move(solved));
        }
        ++branches_;
    }

    void add_other_end(std::vector<Solved>& points) {
        auto back = along(task_, task_.to, task_.from, nullptr);
        if (back.empty() || on_branch(points, back.front())) return;
        append(points, std::move(back));
    }

    /// Motions of the load's force at phase resonance, and the branches through those that are on none yet.
    void add_isolas(std::vector<Solved>& points) {
        double largest = 0;
        for (const auto& p : points) largest = std::max(largest, p.point.a);
        ResponseTask task = task_;
        task.isolas = task.both_ends = false;
        for (const auto& start :
             phase_resonances(model_, interface_, task_.phase_mode, task_.load, largest, options_)) {
            if (start.omega <= low_end() || start.omega >= high_end()) continue;
            const Eigen::MatrixXd q = system_.shapes().transpose() * model_.mass * start.harmonics;
            ResponseEquations equations(system_, task, q.norm(), high_end(), task_.load.force);
            bool converged = false;
            const double p = start.omega / high_end();
            const auto found = solve::solve_at(equations, equations.unknowns(q, start.omega, task_.load.force), p,
                                               options_.tolerance, 30, converged);
            if (!converged) continue;
            const auto here = solved(equations, task, found, start.omega, start.omega);
            if (!on_branch(points, here)) append(points, around(here));
        }
    }

    double low_end() const { return std::min(task_.from, task_.to); }
    double high_end() const { return std::max(task_.from, task_.to); }

    /// From a motion on, until it comes back or leaves; if it leaves, the other way too.
    std::vector<Solved> around(const Solved& r) {
        ResponseTask task = task_;
        task.isolas = task.both_ends = false;
        bool closed = false;
        closed_ = &closed;
        auto up = along(task, r.point.omega, high_end(), &r);
        if (!closed) {
            auto down = along(task, r.point.omega, low_end(), &r);
            std::reverse(down.begin(), down.end());
            if (!down.empty()) down.pop_back();
            down.insert(down.end(), up.begin(), up.end());
            up = std::move(down);
        }
        closed_ = nullptr;
        return up;
    }
    bool* closed_ = nullptr;
};

}  // namespace

std::vector<HarmonicPoint> response(const structure::Model& model, const Interface& interface, const ResponseTask& task,
                                    const HarmonicOptions& options) {
    options.check();
    check_task(model, task, options.harmonics);
    return Responses(model, interface, task, options).run();
}

std::vector<HarmonicPoint> response(const structure::Model& model, const Interface& interface, const HarmonicLoad& load,
                                    double from, double to, const std::vector<double>& at,
                                    const HarmonicOptions& options) {
    return response(model, interface, ResponseTask{.load = load, .from = from, .to = to, .at = at}, options);
}

std::vector<HarmonicPoint> response(const structure::Model& model, const HarmonicLoad& load, double from, double to,
                                    const std::vector<double>& at, const HarmonicOptions& options) {
    return response(model, Interface(model), load, from, to, at, options);
}

}  // namespace faying::modes
