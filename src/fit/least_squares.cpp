#include "least_squares.hpp"

#include <ceres/ceres.h>
#include <glog/logging.h>

#include <cmath>
#include <limits>

namespace faying::fit {

namespace {

class Cost : public ceres::CostFunction {
 public:
    explicit Cost(const LeastSquares& problem) : problem_(problem) {
        mutable_parameter_block_sizes()->push_back(int(problem.lower.size()));
        set_num_residuals(int(problem.residuals));
    }

    bool Evaluate(double const* const* parameters, double* residuals, double** jacobians) const override {
        const bool slopes = jacobians && jacobians[0];
        Eigen::VectorXd r;
        Eigen::MatrixXd J;
        if (!problem_.evaluate(parameters[0], r, slopes ? &J : nullptr) || !r.allFinite()) return false;
        Eigen::Map<Eigen::VectorXd>(residuals, r.size()) = r;
        if (!slopes) return true;
        if (!J.allFinite()) return false;
        for (Eigen::Index i = 0; i < J.rows(); ++i)
            for (Eigen::Index k = 0; k < J.cols(); ++k) jacobians[0][i * J.cols() + k] = J(i, k);
        return true;
    }

 private:
    const LeastSquares& problem_;
};

}  // namespace

LeastSquaresRun minimise(const LeastSquares& problem, std::vector<double> x) {
    static const int silent = FLAGS_minloglevel = google::GLOG_FATAL;  // a refused start is an answer, not a log line
    static_cast<void>(silent);
    ceres::Problem ceres_problem;
    ceres_problem.AddResidualBlock(new Cost(problem), nullptr, x.data());
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::isfinite(problem.lower[i])) ceres_problem.SetParameterLowerBound(x.data(), int(i), problem.lower[i]);
        if (std::isfinite(problem.upper[i])) ceres_problem.SetParameterUpperBound(x.data(), int(i), problem.upper[i]);
    }
    ceres::Solver::Options options;
    options.linear_solver_type = ceres::DENSE_QR;
    options.logging_type = ceres::SILENT;
    options.num_threads = 1;
    options.max_num_iterations = problem.iterations;
    options.max_num_consecutive_invalid_steps = 20;
    options.function_tolerance = 1e-13;
    options.gradient_tolerance = 1e-14;
    options.parameter_tolerance = 1e-12;
    ceres::Solver::Summary summary;
    ceres::Solve(options, &ceres_problem, &summary);
    LeastSquaresRun run;
    const bool usable = summary.IsSolutionUsable() && summary.final_cost >= 0;
    run.cost = usable ? summary.final_cost : std::numeric_limits<double>::infinity();
    run.converged = summary.termination_type == ceres::CONVERGENCE;
    run.iterations = int(summary.iterations.size());
    run.x = std::move(x);
    return run;
}

}  // namespace faying::fit
