#pragma once
// Private to solve/: what Newton solves on a branch r(x, p) = 0, at a given p or across the branch.

#include <algorithm>
#include <cmath>
#include <limits>

#include "faying/core/parameter.hpp"
#include "faying/solve/continuation.hpp"
#include "faying/solve/newton.hpp"

namespace faying::solve {

/// A little above rounding: a step that gains nothing costs as much as one that does.
inline NewtonOptions rules(double tolerance, int most_iterations) {
    return {.tolerance = tolerance, .enough = 1e-4 * tolerance, .most_iterations = most_iterations};
}

/// Newton's steps of a branch: a factorisation serves on while what is left falls fast.
class BranchEquations : public Equations {
 public:
    void jacobian(const Eigen::VectorXd&, Eigen::MatrixXd&) override {}  // steps are found below
    bool step(const Eigen::VectorXd&, const Eigen::VectorXd& r, Eigen::VectorXd& change) override {
        const bool serves = lu_.ready() && size_ <= 1e-3 * factorised_at_ && size_ <= 0.05 * served_at_;
        if (!serves) {
            factorise();
            factorised_at_ = size_;
            served_at_ = std::numeric_limits<double>::infinity();
        } else {
            served_at_ = size_;
        }
        change = lu_.solve(r);
        return true;
    }
    /// At the point of the last evaluation.
    const BorderedLu& factorised() {
        factorise();
        return lu_;
    }

 protected:
    double size_ = 0;  ///< of the last residual
    BorderedLu lu_;

 private:
    double factorised_at_ = 0, served_at_ = 0;
    virtual void factorise() = 0;
};

/// r(x, p) = 0 at a given p.
class AtParameter final : public BranchEquations {
 public:
    AtParameter(ParametricEquations& equations, double p) : equations_(equations), p_(p) {}
    double evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& r) override {
        return size_ = equations_.evaluate(x, p_, r);
    }

 private:
    ParametricEquations& equations_;
    double p_;
    Slopes slopes_;

    void factorise() override {
        equations_.slopes(slopes_);
        lu_.compute(slopes_);
    }
};

/// The same with p among the unknowns (last, over its scale) and the arc-length condition. Unknowns are in the metric.
class Bordered final : public BranchEquations {
 public:
    Bordered(ParametricEquations& equations, const Eigen::VectorXd& scale, const Eigen::VectorXd& tangent,
             const Eigen::VectorXd& predicted)
        : equations_(equations), scale_(scale), tangent_(tangent), predicted_(predicted) {}

    double evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& r) override {
        const Eigen::Index n = equations_.size();
        if (!((z - predicted_).squaredNorm() < too_far * too_far)) return core::infinity;
        inner_.resize(n);
        const double size = equations_.evaluate(z.head(n).cwiseProduct(scale_.head(n)), z(n) * scale_(n), inner_);
        r.resize(n + 1);
        r.head(n) = inner_;
        r(n) = tangent_.dot(z - predicted_);
        return size_ = std::max(size, std::abs(r(n)));
    }

 private:
    static constexpr double too_far = 5;  ///< in the metric, several longest steps: Newton went astray
    ParametricEquations& equations_;
    const Eigen::VectorXd &scale_, &tangent_, &predicted_;
    Eigen::VectorXd inner_;
    Slopes slopes_;

    void factorise() override {
        equations_.slopes(slopes_);
        lu_.compute(slopes_, scale_, tangent_);
    }
};

}  // namespace faying::solve
