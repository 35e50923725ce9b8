#include "faying/solve/continuation.hpp"

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/solve/newton.hpp"

namespace faying::solve {

namespace {

constexpr double least_cosine = 0.8, wanted_cosine = 0.95;  ///< between successive tangents

/// r(x, p) = 0 at a given p.
class AtParameter final : public Equations {
 public:
    AtParameter(ParametricEquations& equations, double p) : equations_(equations), p_(p) {}
    double evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& r) override { return equations_.evaluate(x, p_, r); }
    void jacobian(const Eigen::VectorXd&, Eigen::MatrixXd& j) override { equations_.jacobian(j, to_p_); }

 private:
    ParametricEquations& equations_;
    double p_;
    Eigen::VectorXd to_p_;
};

/// The same with p among the unknowns (last, over its scale) and the arc-length condition. Unknowns are in the metric.
class Bordered final : public Equations {
 public:
    Bordered(ParametricEquations& equations, const Eigen::VectorXd& scale, const Eigen::VectorXd& tangent,
             const Eigen::VectorXd& predicted)
        : equations_(equations), scale_(scale), tangent_(tangent), predicted_(predicted) {}

    double evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& r) override {
        const Eigen::Index n = equations_.size();
        inner_.resize(n);
        const double size = equations_.evaluate(z.head(n).cwiseProduct(scale_.head(n)), z(n) * scale_(n), inner_);
        r.resize(n + 1);
        r.head(n) = inner_;
        r(n) = tangent_.dot(z - predicted_);
        return std::max(size, std::abs(r(n)));
    }
    void jacobian(const Eigen::VectorXd&, Eigen::MatrixXd& j) override {
        const Eigen::Index n = equations_.size();
        Eigen::MatrixXd to_x(n, n);
        Eigen::VectorXd to_p(n);
        equations_.jacobian(to_x, to_p);
        j.resize(n + 1, n + 1);
        j.topLeftCorner(n, n) = to_x * scale_.head(n).asDiagonal();
        j.col(n).head(n) = to_p * scale_(n);
        j.row(n) = tangent_.transpose();
    }

 private:
    ParametricEquations& equations_;
    const Eigen::VectorXd &scale_, &tangent_, &predicted_;
    Eigen::VectorXd inner_;
};

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
            if (!try_step(step, next, deviation)) {
                if (!((step *= 0.4) >= options_.least_step)) return ended(BranchEnd::step_too_small);
                continue;
            }
            const double way = tangent_(n_);
            const double determinant = sign_;
            for (const double asked : options_.land_on)
                if (!outside(asked) && ((last.p < asked && asked < next.p) || (next.p < asked && asked < last.p)))
                    land(last, next, asked);
            if (outside(next.p)) {
                land(last, next, next.p > last.p ? highest() : lowest());
                return ended(BranchEnd::left_the_range);
            }
            accept(next);
            find_tangent();
            if (way * tangent_(n_) < 0)
                branch_.points.back().special = Special::fold;
            else if (determinant * sign_ < 0)
                branch_.points.back().special = Special::bifurcation;
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
    bool stopped_ = false;

    SolutionBranch ended(BranchEnd end) {
        branch_.end = end;
        return std::move(branch_);
    }

    double lowest() const { return std::min(options_.from, options_.to); }
    double highest() const { return std::max(options_.from, options_.to); }
    bool outside(double p) const { return p < lowest() || p > highest(); }

    void accept(const BranchPoint& point) {
        branch_.points.push_back(point);
        if (go_on_ && !go_on_(point)) stopped_ = true;
        here_ = point;
        here_.x = equations_.accept(point.x, point.p);
        const Eigen::Index n = equations_.size();
        if (n == n_) return;
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
    }

    /// Along which the branch goes on from its last point, the way it came.
    void find_tangent() {
        Eigen::VectorXd of_x(n_), r(n_);
        double of_p = 1;
        equations_.scales(here_.x, here_.p, of_x, of_p);
        Eigen::VectorXd scale(n_ + 1);
        scale << of_x, of_p;
        Eigen::VectorXd way = tangent_;
        if (scale_.size() > 0) way.array() *= scale_.array() / scale.array();
        way.normalize();
        scale_ = scale;
        equations_.evaluate(here_.x, here_.p, r);
        const Eigen::VectorXd at = at_point(here_);
        Bordered bordered(equations_, scale_, way, at);
        Eigen::MatrixXd j;
        bordered.jacobian(at, j);
        Eigen::VectorXd side = Eigen::VectorXd::Zero(n_ + 1);
        side(n_) = 1;
        const Eigen::PartialPivLU<Eigen::MatrixXd> lu(j);
        const Eigen::VectorXd t = lu.solve(side);
        double sign = lu.permutationP().determinant();
        for (Eigen::Index i = 0; i <= n_; ++i) sign *= lu.matrixLU()(i, i) < 0 ? -1.0 : 1.0;
        sign_ = sign;
        tangent_ = t.allFinite() && t.norm() > 0 ? (t / t.norm()).eval() : way;
    }

    Eigen::VectorXd at_point(const BranchPoint& point) const {
        Eigen::VectorXd z(n_ + 1);
        z.head(n_) = point.x.cwiseQuotient(scale_.head(n_));
        z(n_) = point.p / scale_(n_);
        return z;
    }

    bool try_step(double step, BranchPoint& next, double& deviation) {
        const Eigen::VectorXd predicted = at_point(here_) + step * tangent_;
        Eigen::VectorXd z = predicted;
        Bordered bordered(equations_, scale_, tangent_, predicted);
        const auto end =
            newton(bordered, z, {.tolerance = options_.tolerance, .most_iterations = options_.most_iterations});
        if (!end.converged) return false;
        deviation = (z - predicted).norm();
        // Far from the prediction (or no number: a branch that runs away), or along another way than before: another
        // branch, or a turn cut short.
        if (!(deviation <= std::max(2 * options_.deviation, 0.5 * step))) return false;
        Eigen::MatrixXd j;
        bordered.jacobian(z, j);
        const Eigen::VectorXd way = j.partialPivLu().solve(Eigen::VectorXd::Unit(n_ + 1, n_));
        const double turned = way.allFinite() ? way.normalized().dot(tangent_) : 0.0;
        if (turned < least_cosine && step > 100 * options_.least_step) return false;
        deviation = std::max(deviation, options_.deviation * (1 - turned) / (1 - wanted_cosine));
        next.x = z.head(n_).cwiseProduct(scale_.head(n_));
        next.p = z(n_) * scale_(n_);
        if (!std::isfinite(next.x.squaredNorm())) return false;  // nor is what users make of it
        next.residual = end.residual;
        next.iterations = end.iterations;
        return true;
    }

    /// Exactly at p, between two points; kept where it is found.
    void land(const BranchPoint& a, const BranchPoint& b, double p) {
        const double share = (p - a.p) / (b.p - a.p);
        bool converged = false;
        BranchPoint point = solve_at(equations_, a.x + share * (b.x - a.x), p, options_.tolerance,
                                     2 * options_.most_iterations, converged);
        if (!converged) return;
        point.special = Special::asked_for;
        branch_.points.push_back(point);
        if (go_on_ && !go_on_(point)) stopped_ = true;
    }
};

}  // namespace

void ContinuationOptions::check() const {
    core::require(from != to && std::isfinite(from) && std::isfinite(to), "continuation options", "from != to, finite");
    core::require(least_step > 0 && least_step <= first_step && first_step <= largest_step, "continuation options",
                  "0 < least_step <= first_step <= largest_step");
    core::require(deviation > 0, "continuation options", "deviation > 0");
    core::require(most_points >= 2, "continuation options", "most_points >= 2");
}

BranchPoint solve_at(ParametricEquations& equations, const Eigen::VectorXd& guess, double p, double tolerance,
                     int most_iterations, bool& converged) {
    BranchPoint point{.x = guess, .p = p};
    AtParameter at(equations, p);
    const auto end = newton(at, point.x, {.tolerance = tolerance, .most_iterations = most_iterations});
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
    const auto end = newton(bordered, z, {.tolerance = tolerance, .most_iterations = 25});
    if (!end.converged || !((z - predicted).norm() <= (to - from).norm())) return false;
    Eigen::MatrixXd j;
    bordered.jacobian(z, j);
    const Eigen::VectorXd way = j.partialPivLu().solve(Eigen::VectorXd::Unit(n + 1, n));
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
