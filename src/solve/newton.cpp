#include "faying/solve/newton.hpp"

#include "faying/core/error.hpp"
#include "faying/solve/dense.hpp"

namespace faying::solve {

void NewtonOptions::check() const {
    core::require(tolerance > 0 && tolerance <= 1e-2, "newton options", "0 < tolerance <= 1e-2");
    core::require(most_iterations >= 1, "newton options", "most_iterations >= 1");
}

namespace {

class DenseProblem {
 public:
    DenseProblem(Equations& equations, Eigen::VectorXd& x, double tolerance)
        : equations_(equations), x_(x), tolerance_(tolerance), at_(x), r_(x.size()), change_(x.size()) {}

    double evaluate() { return equations_.evaluate(at_, r_); }
    bool direction() {
        if (equations_.step(x_, r_, change_)) return change_.allFinite();
        jacobian_.resize(x_.size(), x_.size());
        equations_.jacobian(x_, jacobian_);
        lu_.compute(jacobian_);
        lu_.solve(r_, change_);
        return change_.allFinite();
    }
    void move(double, double to) {
        at_ = x_;
        if (to != 0) at_ -= to * change_;
    }
    bool settled(double before, double after, double) {
        x_ = at_;
        return after < 0.1 * tolerance_ && after / before > slow;
    }

 private:
    static constexpr double slow = 0.3;
    Equations& equations_;
    Eigen::VectorXd& x_;
    double tolerance_;
    Eigen::VectorXd at_, r_, change_;
    Eigen::MatrixXd jacobian_;
    DenseLu lu_;
};

}  // namespace

NewtonResult newton(Equations& equations, Eigen::VectorXd& x, const NewtonOptions& options) {
    options.check();
    DenseProblem problem(equations, x, options.tolerance);
    const auto end = core::newton(problem, {.tolerance = options.tolerance,
                                            .enough = options.enough,
                                            .most_iterations = options.most_iterations,
                                            .most_cuts = options.damped ? 10 : 0,
                                            .near = options.tolerance});
    return {end.converged(), end.residual, end.iterations, end.end};
}

}  // namespace faying::solve
