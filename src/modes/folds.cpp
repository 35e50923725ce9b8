// Past turning points of a branch in q, by arc length in (lambda, z, ln q).

#include <cmath>
#include <limits>

#include "faying/solve/continuation.hpp"
#include "tracer.hpp"

namespace faying::modes {

namespace {

/// Unknowns: lambda, then z, of which kept modes come and go at the end; parameter: ln q.
class ArcEquations final : public solve::ParametricEquations {
 public:
    ArcEquations(Equations& equations, const Branch& start) : equations_(equations), b_(start) {}

    static Eigen::VectorXd unknowns(const Branch& b) {
        Eigen::VectorXd x(b.z.size() + 1);
        x << b.lambda, b.z;
        return x;
    }
    void place(const Eigen::VectorXd& x, double log_q) {
        b_.q = std::exp(log_q);
        b_.lambda = x(0);
        b_.z = x.tail(x.size() - 1);
    }
    const Branch& here() const { return b_; }

    Eigen::Index size() const override { return b_.z.size() + 1; }
    double evaluate(const Eigen::VectorXd& x, double log_q, Eigen::VectorXd& r) override {
        place(x, log_q);
        const double size = equations_.residual_size(b_);
        r = turned(equations_.residual());
        return b_.lambda > 0 ? size : std::numeric_limits<double>::infinity();
    }
    void jacobian(Eigen::MatrixXd& to_x, Eigen::VectorXd& to_p) override {
        const Eigen::MatrixXd& j = equations_.jacobian(b_);
        const Eigen::Index n = b_.z.size();
        to_x.resize(n + 1, n + 1);
        for (Eigen::Index i = 0; i <= n; ++i) to_x.col(i) = turned(j.col(i == 0 ? n : i - 1));
        to_p = turned(equations_.amplitude_slope(b_));
    }
    void scales(const Eigen::VectorXd& x, double, Eigen::VectorXd& of_x, double& of_p) override {
        of_x.setConstant(x.size(), x.tail(x.size() - 1).norm());
        of_x(0) = std::abs(x(0));
        of_p = 1;
    }
    Eigen::VectorXd accept(const Eigen::VectorXd& x, double log_q) override {
        place(x, log_q);
        b_.slope.resize(0);
        equations_.refresh_kept(b_);
        return unknowns(b_);
    }

 private:
    Equations& equations_;
    Branch b_;

    /// The amplitude equation first.
    static Eigen::VectorXd turned(const Eigen::VectorXd& r) {
        Eigen::VectorXd out(r.size());
        out << r(r.size() - 1), r.head(r.size() - 1);
        return out;
    }
};

}  // namespace

bool Tracer::around_folds(double q, const std::vector<double>& asked, int& iterations) {
    if (ended_ || sites_.sticks()) return false;  // contact has kinks where smooth laws fold
    constexpr double far_below = 1e-3;
    const Branch start = branch_.back();
    use_own_inertia();
    ArcEquations arc(equations_, start);
    solve::ContinuationOptions way;
    way.from = std::log(far_below * start.q);
    way.start = std::log(start.q);
    way.to = std::log(q) + 1e-3;
    way.largest_step = 0.1;
    way.first_step = 1e-3;
    way.tolerance = options_.tolerance;
    way.most_iterations = most_newton;
    way.most_points = 500;
    for (const double each : asked) way.land_on.push_back(std::log(each));
    std::vector<Crossing> met;
    bool there = false;
    double last = *way.start, way_up = 1;
    int folds = 0;
    solve::follow(arc, ArcEquations::unknowns(start), way, [&](const solve::BranchPoint& point) {
        iterations += point.iterations;
        const bool turned = (point.p - last) * way_up < 0;
        if (turned) turned_at_ = std::max(turned_at_, std::exp(std::max(last, point.p)));
        folds += turned;
        if (turned) way_up = -way_up;
        last = point.p;
        for (const double each : asked) {
            if (point.special != solve::Special::asked_for || std::abs(point.p - std::log(each)) > 1e-14) continue;
            arc.place(point.x, point.p);
            Branch b = arc.here();
            b.q = each;
            if (!try_at(b, iterations)) return false;
            equations_.find_slope(b);
            there = each == q;
            met.push_back({std::move(b), folds_ + folds});
        }
        return !there && iterations < options_.most_steps;
    });
    if (!there) {
        crossings_.insert(crossings_.end(), met.begin(), met.end());
        ended_ = true;
        return false;
    }
    folds_ = met.back().folds;
    branch_ = {met.back().branch};
    met.pop_back();
    crossings_.insert(crossings_.end(), met.begin(), met.end());
    try_at(branch_.back(), iterations);
    return true;
}

}  // namespace faying::modes
