#include "faying/solve/continuation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "branch_equations.hpp"
#include "faying/core/error.hpp"

namespace faying::solve {

namespace {

class Follower {
 public:
    Follower(ParametricEquations& equations, const ContinuationOptions& options,
             const std::function<bool(const BranchPoint&)>& go_on)
        : equations_(equations), options_(options), go_on_(go_on), n_(equations.size()) {}

    SolutionBranch run(const Eigen::VectorXd& guess) {
        bool converged = false;
        BranchPoint first = solve_at(equations_, guess, options_.start.value_or(options_.from), options_.tolerance,
                                     3 * options_.most_iterations, converged);
        if (!converged) return branch_;
        accept(first);
        tangent_ = Eigen::VectorXd::Zero(n_ + 1);
        tangent_(n_) = options_.to > options_.from ? 1.0 : -1.0;
        find_tangent();
        double step = options_.first_step;
        while (Eigen::Index(branch_.points.size()) < options_.most_points) {
            if (stopped_) return ended(BranchEnd::stopped);
            const BranchPoint last = here_;
            BranchPoint next;
            double deviation = 0;
            step = std::min(step,
                            std::max(options_.widest_in_p / std::abs(tangent_(n_) * scale_(n_)), options_.least_step));
            const auto asked = aim();
            const double length = asked ? arc_to(*asked) : 0.0;
            const bool aimed = asked && length <= 1.3 * step;
            if (asked && !aimed && length < 2.6 * step) step = 0.5 * length;  // two like steps
            if (aimed ? !try_at(*asked, length, next, deviation) : !try_step(step, next, deviation)) {
                if (aimed) step = std::min(step, length);
                step *= 0.4;
                const bool ends = step < options_.least_step;
                if (step < 1e-6 && jumps_ahead(step)) return ended(BranchEnd::jump);
                if ((ends || step < 1e-6) && turn_corner(step)) continue;
                if (ends) return ended(BranchEnd::step_too_small);
                continue;
            }
            if (aimed) step = length;
            const double way = tangent_(n_);
            const double determinant = sign_;
            const Eigen::VectorXd slope_here = slope_of(tangent_), slope_there = slope_of(turned_);
            for (const double passed : passed_between(last.p, next.p))  // where it could not aim, as about a turn
                land(last, next, slope_here, slope_there, passed);
            if (outside(next.p)) {
                land(last, next, slope_here, slope_there, next.p > last.p ? highest() : lowest());
                return ended(BranchEnd::left_the_range);
            }
            if (accept(next))
                take_tangent();
            else
                find_tangent();
            if (std::exchange(turned_back_, false) || way * tangent_(n_) < 0)
                branch_.points.back().special = Special::fold;
            else if (determinant * sign_ < 0)
                branch_.points.back().special = Special::bifurcation;
            if (aimed && (next.p == lowest() || next.p == highest())) return ended(BranchEnd::left_the_range);
            const double wanted = options_.deviation / std::max(deviation, 1e-3 * options_.deviation);
            step =
                std::clamp(step * std::clamp(std::sqrt(wanted), 0.4, 2.0), options_.least_step, options_.largest_step);
        }
        return ended(BranchEnd::no_more_points);
    }

 private:
    ParametricEquations& equations_;
    const ContinuationOptions& options_;
    const std::function<bool(const BranchPoint&)>& go_on_;
    Eigen::Index n_;
    SolutionBranch branch_;
    BranchPoint here_;                 ///< the last point, in the unknowns that hold now
    Eigen::VectorXd scale_, tangent_;  ///< of (x, p); tangent in the metric, of length one
    double sign_ = 0;                  ///< of the bordered determinant
    Eigen::VectorXd turned_;           ///< tangent at the end of the last step, in the metric of its beginning
    double turned_sign_ = 0;
    bool stopped_ = false;
    int refusals_ = 0;          ///< of steps that turned as much as the longer ones before
    double refused_ = 0;        ///< how much that was
    std::size_t corner_ = 0;    ///< points there were at the last corner
    bool turned_back_ = false;  ///< in p, at a corner

    SolutionBranch ended(BranchEnd end) {
        branch_.end = end;
        return std::move(branch_);
    }

    double lowest() const { return std::min(options_.from, options_.to); }
    double highest() const { return std::max(options_.from, options_.to); }
    bool outside(double p) const { return p < lowest() || p > highest(); }

    /// Whether the unknowns are what they were.
    bool accept(const BranchPoint& point) {
        branch_.points.push_back(point);
        if (go_on_ && !go_on_(point)) stopped_ = true;
        here_ = point;
        here_.x = equations_.accept(point.x, point.p);
        const Eigen::Index n = equations_.size();
        if (n == n_) return (here_.x - point.x).norm() <= 1e-6 * point.x.norm();
        const auto moved = [&](const Eigen::VectorXd& v, double fill) {  // unknowns at the end come and go
            if (v.size() == 0) return v;
            Eigen::VectorXd w = Eigen::VectorXd::Constant(n + 1, fill);
            w.head(std::min(n, n_)) = v.head(std::min(n, n_));
            w(n) = v(n_);
            return w;
        };
        tangent_ = moved(tangent_, 0.0);
        scale_ = moved(scale_, 1.0);
        n_ = n;
        return false;
    }

    /// The metric of the last point.
    Eigen::VectorXd new_scale() {
        Eigen::VectorXd of_x(n_);
        double of_p = 1;
        equations_.scales(here_.x, here_.p, of_x, of_p);
        Eigen::VectorXd scale(n_ + 1);
        scale << of_x, of_p;
        return scale;
    }

    /// The tangent that the last step ended with.
    void take_tangent() {
        const Eigen::VectorXd scale = new_scale();
        tangent_ = (turned_.array() * scale_.array() / scale.array()).matrix();
        tangent_.normalize();
        scale_ = scale;
        sign_ = turned_sign_;
    }

    /// dx/dp along a tangent; empty where p hardly moves.
    Eigen::VectorXd slope_of(const Eigen::VectorXd& tangent) const {
        if (!(std::abs(tangent(n_)) > 1e-3)) return {};
        return tangent.head(n_).cwiseProduct(scale_.head(n_)) / (tangent(n_) * scale_(n_));
    }

    /// Along which the branch goes on from its last point, the way it came.
    void find_tangent() {
        Eigen::VectorXd r(n_);
        const Eigen::VectorXd scale = new_scale();
        Eigen::VectorXd way = tangent_;
        if (scale_.size() > 0) way.array() *= scale_.array() / scale.array();
        way.normalize();
        scale_ = scale;
        equations_.evaluate(here_.x, here_.p, r);
        const Eigen::VectorXd at = at_point(here_);
        Bordered bordered(equations_, scale_, way, at);
        const BorderedLu& lu = bordered.factorised();
        const Eigen::VectorXd t = lu.solve(Eigen::VectorXd::Unit(n_ + 1, n_));
        sign_ = lu.sign();
        tangent_ = t.allFinite() && t.norm() > 0 ? (t / t.norm()).eval() : way;
    }

    Eigen::VectorXd at_point(const BranchPoint& point) const {
        Eigen::VectorXd z(n_ + 1);
        z.head(n_) = point.x.cwiseQuotient(scale_.head(n_));
        z(n_) = point.p / scale_(n_);
        return z;
    }

    /// Values to be met that lie between two, in the order of the way.
    std::vector<double> passed_between(double a, double b) const {
        std::vector<double> all;
        for (const double p : options_.land_on)
            if (!outside(p) && std::min(a, b) < p && p < std::max(a, b)) all.push_back(p);
        std::sort(all.begin(), all.end());
        if (b < a) std::reverse(all.begin(), all.end());
        return all;
    }

    /// The next value of p to be met on the way it goes, or the end of the range; none where p hardly moves.
    std::optional<double> aim() const {
        if (!(std::abs(tangent_(n_)) > 1e-2)) return std::nullopt;
        const bool up = tangent_(n_) > 0;
        double next = up ? highest() : lowest();
        for (const double p : options_.land_on)
            if (!outside(p) && (up ? p > here_.p && p < next : p < here_.p && p > next)) next = p;
        if (!(std::abs(next - here_.p) > 1e-14 * std::abs(next))) return std::nullopt;
        return next;
    }
    double arc_to(double p) const { return (p - here_.p) / (scale_(n_) * tangent_(n_)); }

    /// Exactly at p, which is `length` along the tangent.
    bool try_at(double p, double length, BranchPoint& next, double& deviation) {
        Eigen::VectorXd predicted = at_point(here_) + length * tangent_;
        predicted(n_) = p / scale_(n_);
        bool converged = false;
        next = solve_at(equations_, predicted.head(n_).cwiseProduct(scale_.head(n_)), p, options_.tolerance,
                        options_.most_iterations, converged);
        next.special = Special::asked_for;
        if (!converged) return false;
        const Eigen::VectorXd z = at_point(next);
        Bordered bordered(equations_, scale_, tangent_, z);
        return on_this_branch(bordered, z, predicted, length, deviation);
    }

    /// Whether a solution is where the prediction led, and goes on about as the branch came; the residual's last
    /// evaluation is there.
    bool on_this_branch(Bordered& bordered, const Eigen::VectorXd& z, const Eigen::VectorXd& predicted, double step,
                        double& deviation) {
        deviation = (z - predicted).norm();
        // Far from the prediction (or no number: a branch that runs away), or along another way than before: another
        // branch, or a turn cut short.
        if (!(deviation <= std::max(2 * options_.deviation, 0.5 * step))) return false;
        const BorderedLu& lu = bordered.factorised();
        const Eigen::VectorXd way = lu.solve(Eigen::VectorXd::Unit(n_ + 1, n_));
        turned_ = way.allFinite() && way.norm() > 0 ? way.normalized() : tangent_;
        turned_sign_ = lu.sign();
        const double turned = way.allFinite() ? turned_.dot(tangent_) : 0.0;
        if (turned < options_.least_cosine && step > 100 * options_.least_step) return is_corner(turned);
        refusals_ = 0;
        deviation = std::max(deviation, options_.deviation * (1 - turned) / (1 - options_.wanted_cosine));
        return true;
    }

    /// A branch that bends turns less over shorter steps. One with a corner (a joint begins to slip) does not: to go
    /// nearer only adds points.
    bool is_corner(double cosine) {
        const double angle = std::acos(std::clamp(cosine, -1.0, 1.0));
        refusals_ = refusals_ > 0 && angle > 0.9 * refused_ ? refusals_ + 1 : 1;
        refused_ = angle;
        if (refusals_ < 3) return false;
        refusals_ = 0;
        return true;
    }

    /// Whether what is left jumps just ahead: with a corner it falls at least in proportion to the distance.
    bool jumps_ahead(double step) {
        const auto left = [&](double distance) {
            const Eigen::VectorXd z = at_point(here_) + distance * tangent_;
            Eigen::VectorXd r;
            return equations_.evaluate(z.head(n_).cwiseProduct(scale_.head(n_)), z(n_) * scale_(n_), r);
        };
        const double near = left(10 * step), far = left(1000 * step);
        return near > 1e3 * options_.tolerance && near > 0.3 * far;
    }

    /// Equations that are smooth on both sides of a surface (a joint slips, or does not) may have a branch that turns
    /// by more than a right angle where it meets it: no step ahead finds it. Beyond, its tangent is that of the other
    /// side, one way of which goes away from the surface. Sets out on it; false where there is none.
    bool turn_corner(double& step) {
        if (corner_ == branch_.points.size()) return false;  // led nowhere
        const Eigen::VectorXd corner = at_point(here_), came = tangent_, last = Eigen::VectorXd::Unit(n_ + 1, n_);
        for (const double beyond : {10 * step, 100 * step, 1000 * step}) {
            const Eigen::VectorXd look = corner + beyond * came;
            Eigen::VectorXd r;
            Bordered other(equations_, scale_, came, look);
            other.evaluate(look, r);
            const Eigen::VectorXd along = other.factorised().solve(last).normalized();
            if (!along.allFinite()) continue;
            for (const double length : {1e-2, 1e-3, 1e-4, 10 * beyond})
                for (const double way : {1.0, -1.0}) {
                    const Eigen::VectorXd out = way * along, predicted = corner + length * out;
                    Eigen::VectorXd z = predicted;
                    Bordered bordered(equations_, scale_, out, predicted);
                    const auto end = newton(bordered, z, rules(options_.tolerance, options_.most_iterations));
                    if (!end.converged || !((z - predicted).norm() <= 0.5 * length)) continue;
                    const Eigen::VectorXd there = bordered.factorised().solve(last).normalized();
                    const bool goes_on = there.dot(out) >= options_.least_cosine,
                               back = (z - corner).normalized().dot(came) < std::max(1e-6, length) - 1;
                    if (!goes_on || back) continue;
                    corner_ = branch_.points.size();
                    turned_back_ = came(n_) * out(n_) < 0;
                    tangent_ = out;
                    refusals_ = 0;
                    step = length;
                    return true;
                }
        }
        return false;
    }

    bool try_step(double step, BranchPoint& next, double& deviation) {
        const Eigen::VectorXd predicted = at_point(here_) + step * tangent_;
        Eigen::VectorXd z = predicted;
        Bordered bordered(equations_, scale_, tangent_, predicted);
        const auto end = newton(bordered, z, rules(options_.tolerance, options_.most_iterations));
        if (!end.converged) return false;
        if (!on_this_branch(bordered, z, predicted, step, deviation)) return false;
        next.x = z.head(n_).cwiseProduct(scale_.head(n_));
        next.p = z(n_) * scale_(n_);
        if (!std::isfinite(next.x.squaredNorm())) return false;  // nor is what users make of it
        next.residual = end.residual;
        next.iterations = end.iterations;
        return true;
    }

    /// Exactly at p, between two points with these dx/dp; kept where it is found.
    void land(const BranchPoint& a, const BranchPoint& b, const Eigen::VectorXd& slope_a,
              const Eigen::VectorXd& slope_b, double p) {
        const double span = b.p - a.p, share = (p - a.p) / span, left = 1 - share;
        Eigen::VectorXd guess = a.x + share * (b.x - a.x);
        if (slope_a.size() > 0 && slope_b.size() > 0)  // the cubic with these ends and slopes
            guess = left * left * (1 + 2 * share) * a.x + share * share * (3 - 2 * share) * b.x +
                    span * share * left * (left * slope_a - share * slope_b);
        bool converged = false;
        BranchPoint point = solve_at(equations_, guess, p, options_.tolerance, 2 * options_.most_iterations, converged);
        if (!converged) return;
        point.special = Special::asked_for;
        branch_.points.push_back(point);
        if (go_on_ && !go_on_(point)) stopped_ = true;
    }
};

}  // namespace

void ParametricEquations::slopes(Slopes& slopes) {
    jacobian(slopes.to_x, slopes.to_p);
    slopes.columns.resize(std::size_t(slopes.to_x.cols()));
    std::iota(slopes.columns.begin(), slopes.columns.end(), Eigen::Index(0));
}

void ContinuationOptions::check() const {
    core::require(from != to && std::isfinite(from) && std::isfinite(to), "continuation options", "from != to, finite");
    core::require(widest_in_p > 0, "continuation options", "0 < widest_in_p");
    core::require(least_step > 0 && least_step <= first_step && first_step <= largest_step, "continuation options",
                  "0 < least_step <= first_step <= largest_step");
    core::require(deviation > 0, "continuation options", "deviation > 0");
    core::require(least_cosine > 0 && least_cosine <= wanted_cosine && wanted_cosine < 1, "continuation options",
                  "0 < least_cosine <= wanted_cosine < 1");
    core::require(most_points >= 2, "continuation options", "most_points >= 2");
}

BranchPoint solve_at(ParametricEquations& equations, const Eigen::VectorXd& guess, double p, double tolerance,
                     int most_iterations, bool& converged) {
    BranchPoint point{.x = guess, .p = p};
    AtParameter at(equations, p);
    const auto end = newton(at, point.x, rules(tolerance, most_iterations));
    converged = end.converged;
    point.residual = end.residual;
    point.iterations = end.iterations;
    return point;
}

bool solve_between(ParametricEquations& equations, const BranchPoint& a, const BranchPoint& b, double share,
                   double tolerance, BranchPoint& found, double& turn) {
    const Eigen::Index n = equations.size();
    Eigen::VectorXd scale(n + 1), of_x(n);
    double of_p = 1;
    equations.scales(a.x, a.p, of_x, of_p);
    scale << of_x, of_p;
    Eigen::VectorXd from(n + 1), to(n + 1);
    from << a.x, a.p;
    to << b.x, b.p;
    from = from.cwiseQuotient(scale);
    to = to.cwiseQuotient(scale);
    const Eigen::VectorXd chord = (to - from).normalized(), predicted = from + share * (to - from);
    if (!chord.allFinite()) return false;
    Eigen::VectorXd z = predicted;
    Bordered bordered(equations, scale, chord, predicted);
    const auto end = newton(bordered, z, rules(tolerance, 25));
    if (!end.converged || !((z - predicted).norm() <= (to - from).norm())) return false;
    const Eigen::VectorXd way = bordered.factorised().solve(Eigen::VectorXd::Unit(n + 1, n));
    if (!way.allFinite()) return false;
    turn = way.normalized()(n);
    found = {.x = z.head(n).cwiseProduct(scale.head(n)),
             .p = z(n) * scale(n),
             .residual = end.residual,
             .iterations = end.iterations};
    return true;
}

SolutionBranch follow(ParametricEquations& equations, const Eigen::VectorXd& guess, const ContinuationOptions& options,
                      const std::function<bool(const BranchPoint&)>& go_on) {
    options.check();
    return Follower(equations, options, go_on).run(guess);
}

}  // namespace faying::solve
