// Newton and arc-length continuation on small systems whose answers are known.

#include "faying/solve/continuation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "faying/core/error.hpp"
#include "faying/solve/newton.hpp"

namespace {

using namespace faying::solve;

struct Rosenbrock final : Equations {
    double evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& r) override {
        r.resize(2);
        r << 10 * (x(1) - x(0) * x(0)), 1 - x(0);
        return r.norm();
    }
    void jacobian(const Eigen::VectorXd& x, Eigen::MatrixXd& j) override {
        j.resize(2, 2);
        j << -20 * x(0), 10, -1, 0;
    }
};

TEST(Newton, EndsAtRounding) {
    Rosenbrock equations;
    Eigen::VectorXd x = Eigen::Vector2d(-1.2, 1);
    const auto end = newton(equations, x);
    EXPECT_TRUE(end.converged);
    EXPECT_LT((x - Eigen::Vector2d(1, 1)).norm(), 1e-14);
}

struct NoRoot final : Equations {
    double evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& r) override {
        r.resize(1);
        r(0) = x(0) * x(0) + 1;
        return std::abs(r(0));
    }
    void jacobian(const Eigen::VectorXd& x, Eigen::MatrixXd& j) override { j.setConstant(1, 1, 2 * x(0)); }
};

TEST(Newton, SaysWhenThereIsNothing) {
    NoRoot equations;
    Eigen::VectorXd x = Eigen::VectorXd::Constant(1, 3.0);
    const auto end = newton(equations, x);
    EXPECT_FALSE(end.converged);
    EXPECT_GE(end.residual, 1.0);
}

/// x^2 + p^2 = 1 in one unknown: p turns back at +-1.
struct Circle final : ParametricEquations {
    double x = 0, p = 0;
    Eigen::Index size() const override { return 1; }
    double evaluate(const Eigen::VectorXd& at, double parameter, Eigen::VectorXd& r) override {
        x = at(0);
        p = parameter;
        r.resize(1);
        r(0) = x * x + p * p - 1;
        return std::abs(r(0));
    }
    void jacobian(Eigen::MatrixXd& to_x, Eigen::VectorXd& to_p) override {
        to_x.setConstant(1, 1, 2 * x);
        to_p.setConstant(1, 2 * p);
    }
    void scales(const Eigen::VectorXd&, double, Eigen::VectorXd& of_x, double& of_p) override {
        of_x.setOnes(1);
        of_p = 1;
    }
};

TEST(Continuation, GoesAroundACircleAndMarksItsTurns) {
    Circle circle;
    ContinuationOptions options{.from = 0, .to = 2, .land_on = {0.5}};
    double length = 0;
    Eigen::Vector2d last(1, 0);
    const auto branch = follow(circle, Eigen::VectorXd::Ones(1), options, [&](const BranchPoint& point) {
        const Eigen::Vector2d here(point.x(0), point.p);
        EXPECT_LT(std::abs(here.norm() - 1), 1e-12);
        length += (here - last).norm();
        last = here;
        return length < 2.8;
    });
    EXPECT_EQ(branch.end, BranchEnd::stopped);
    int folds = 0, asked = 0;
    for (const auto& point : branch.points) {
        folds += point.special == Special::fold;
        asked += point.special == Special::asked_for;
        EXPECT_TRUE(point.special != Special::asked_for || point.p == 0.5);
    }
    EXPECT_EQ(folds, 1);  // at p = 1
    EXPECT_EQ(asked, 2);  // on the way there and back
    EXPECT_LT(branch.points.back().x(0), 0);
}

TEST(Continuation, LeavesNoLongChordsInTheParameter) {
    Circle circle;
    for (const double widest : {0.3, 0.02}) {
        double last = 0, largest = 0;
        follow(circle, Eigen::VectorXd::Ones(1), {.from = 0, .to = 0.9, .widest_in_p = widest},
               [&](const BranchPoint& point) {
                   largest = std::max(largest, std::abs(point.p - last));
                   last = point.p;
                   return true;
               });
        EXPECT_EQ(last, 0.9);
        EXPECT_LT(largest, 1.31 * widest);  // the last step to an end may be a third longer
        EXPECT_GT(largest, 0.4 * widest);
    }
}

/// x (p - x^2) = 0, from x = 0 through the pitchfork at p = 0.
struct Pitchfork final : ParametricEquations {
    double x = 0, p = 0;
    Eigen::Index size() const override { return 1; }
    double evaluate(const Eigen::VectorXd& at, double parameter, Eigen::VectorXd& r) override {
        x = at(0);
        p = parameter;
        r.setConstant(1, x * (p - x * x));
        return std::abs(r(0));
    }
    void jacobian(Eigen::MatrixXd& to_x, Eigen::VectorXd& to_p) override {
        to_x.setConstant(1, 1, p - 3 * x * x);
        to_p.setConstant(1, x);
    }
    void scales(const Eigen::VectorXd&, double, Eigen::VectorXd& of_x, double& of_p) override {
        of_x.setOnes(1);
        of_p = 1;
    }
};

TEST(Continuation, NoticesABifurcation) {
    Pitchfork equations;
    const auto branch = follow(equations, Eigen::VectorXd::Zero(1), {.from = -1.03, .to = 1});
    EXPECT_EQ(branch.end, BranchEnd::left_the_range);
    int found = 0;
    for (std::size_t i = 1; i < branch.points.size(); ++i)
        if (branch.points[i].special == Special::bifurcation) {
            ++found;
            EXPECT_LE(branch.points[i - 1].p * branch.points[i].p, 0);
        }
    EXPECT_EQ(found, 1);
    EXPECT_EQ(branch.points.back().p, 1.0);
}

/// x = p, and one more from p = 1 on: no step leads across, however short.
struct Cliff final : ParametricEquations {
    int evaluations = 0;
    Eigen::Index size() const override { return 1; }
    double evaluate(const Eigen::VectorXd& at, double parameter, Eigen::VectorXd& r) override {
        ++evaluations;
        r.setConstant(1, at(0) - parameter - (parameter > 1 ? 1.0 : 0.0));
        return std::abs(r(0));
    }
    void jacobian(Eigen::MatrixXd& to_x, Eigen::VectorXd& to_p) override {
        to_x.setConstant(1, 1, 1.0);
        to_p.setConstant(1, -1.0);
    }
    void scales(const Eigen::VectorXd&, double, Eigen::VectorXd& of_x, double& of_p) override {
        of_x.setOnes(1);
        of_p = 1;
    }
};

TEST(Continuation, EndsWhereTheEquationsJump) {
    Cliff equations;
    const auto branch = follow(equations, Eigen::VectorXd::Zero(1), {.from = 0, .to = 2});
    EXPECT_EQ(branch.end, BranchEnd::jump);
    ASSERT_FALSE(branch.points.empty());
    EXPECT_LE(branch.points.back().p, 1);
    EXPECT_GT(branch.points.back().p, 1 - 1e-5);
    EXPECT_LT(equations.evaluations, 1000);  // a search for another way on would be thousands
}

/// x (1 - p) = 1, lengths and residual relative to x: the branch runs away at p = 1, by the same factor at every step.
struct Pole final : ParametricEquations {
    double x = 0, p = 0;
    Eigen::Index size() const override { return 1; }
    double evaluate(const Eigen::VectorXd& at, double parameter, Eigen::VectorXd& r) override {
        x = at(0);
        p = parameter;
        r.resize(1);
        r(0) = x * (1 - p) - 1;
        return std::abs(r(0)) / (1 + std::abs(x));
    }
    void jacobian(Eigen::MatrixXd& to_x, Eigen::VectorXd& to_p) override {
        to_x.setConstant(1, 1, 1 - p);
        to_p.setConstant(1, -x);
    }
    void scales(const Eigen::VectorXd& at, double, Eigen::VectorXd& of_x, double& of_p) override {
        of_x.setConstant(1, std::abs(at(0)));
        of_p = 1;
    }
};

TEST(Continuation, ABranchThatRunsAwayEnds) {
    Pole equations;
    const auto branch = follow(equations, Eigen::VectorXd::Constant(1, 1.0),
                               {.from = 0, .to = 2, .least_step = 1e-9, .largest_step = 0.5, .most_points = 100000});
    EXPECT_EQ(branch.end, BranchEnd::step_too_small);
    ASSERT_FALSE(branch.points.empty());
    for (const auto& point : branch.points) {
        EXPECT_TRUE(point.x.allFinite());
        EXPECT_LE(point.p, 1 + 1e-6);
    }
    EXPECT_GT(branch.points.back().x(0), 1e100);
}

TEST(Continuation, RefusesARangeThatIsNone) {
    Circle circle;
    EXPECT_THROW(follow(circle, Eigen::VectorXd::Ones(1), {.from = 1, .to = 1}), faying::core::BadInput);
}

}  // namespace
