// Nonlinear least squares within bounds, in place of Ceres, which is not there in a browser: Levenberg-Marquardt with
// steps cut at the bounds. The search around it (scattered starts, both pasts) is the library's own.

#include "fit/least_squares.hpp"

#include <cmath>
#include <limits>

namespace faying::fit {

LeastSquaresRun minimise(const LeastSquares& problem, std::vector<double> start) {
    const auto n = Eigen::Index(start.size());
    const Eigen::Map<const Eigen::VectorXd> lower(problem.lower.data(), n), upper(problem.upper.data(), n);
    Eigen::VectorXd x = Eigen::Map<Eigen::VectorXd>(start.data(), n).cwiseMax(lower).cwiseMin(upper);
    Eigen::VectorXd r, trial_r;
    Eigen::MatrixXd J;
    const auto answer = [&](double cost, bool converged, int iterations) {
        return LeastSquaresRun{{x.begin(), x.end()}, cost, converged, iterations};
    };
    if (!problem.evaluate(x.data(), r, &J) || !r.allFinite() || !J.allFinite())
        return answer(std::numeric_limits<double>::infinity(), false, 0);
    double cost = 0.5 * r.squaredNorm(), damping = 1e-4;
    int refused = 0;
    for (int i = 0; i < problem.iterations; ++i) {
        Eigen::VectorXd gradient = J.transpose() * r;
        // Coordinates that stand at a bound and would leave it are held.
        std::vector<Eigen::Index> free;
        for (Eigen::Index k = 0; k < n; ++k)
            if (!(x(k) <= lower(k) && gradient(k) > 0) && !(x(k) >= upper(k) && gradient(k) < 0)) free.push_back(k);
        if (free.empty() || gradient(free).cwiseAbs().maxCoeff() <= 1e-14) return answer(cost, true, i);
        const Eigen::MatrixXd own = J(Eigen::all, free);
        Eigen::VectorXd diagonal = own.colwise().squaredNorm();
        diagonal = diagonal.cwiseMax(1e-6).cwiseMin(1e32);
        Eigen::MatrixXd stacked(own.rows() + own.cols(), own.cols());
        stacked << own, Eigen::MatrixXd((damping * diagonal).cwiseSqrt().asDiagonal());
        Eigen::VectorXd right = Eigen::VectorXd::Zero(stacked.rows());
        right.head(r.size()) = -r;
        const Eigen::VectorXd step = stacked.colPivHouseholderQr().solve(right);
        Eigen::VectorXd trial = x;
        trial(free) += step;
        trial = trial.cwiseMax(lower).cwiseMin(upper);
        const bool allowed =
            step.allFinite() && problem.evaluate(trial.data(), trial_r, nullptr) && trial_r.allFinite();
        const double trial_cost = allowed ? 0.5 * trial_r.squaredNorm() : std::numeric_limits<double>::infinity();
        const double moved = (trial - x).norm();
        if (trial_cost < cost) {
            Eigen::MatrixXd trial_J;
            if (!problem.evaluate(trial.data(), trial_r, &trial_J) || !trial_J.allFinite())
                return answer(cost, false, i);
            const bool settled = cost - trial_cost <= 1e-13 * cost;
            x = trial;
            r = trial_r;
            J = trial_J;
            cost = trial_cost;
            damping = std::max(damping / 3, 1e-16);
            refused = 0;
            if (settled) return answer(cost, true, i + 1);
        } else {
            if (allowed && moved <= 1e-12 * (x.norm() + 1e-12)) return answer(cost, true, i + 1);
            damping *= 4;
            if (++refused > 60 || damping > 1e40) return answer(cost, allowed, i + 1);
        }
    }
    return answer(cost, false, problem.iterations);
}

}  // namespace faying::fit
