#pragma once
// What is minimised: a callable from law parameters to objectives. Whatever solver stands behind it says whether it
// converged; nothing unconverged ever reaches a front.
//
//     fit::Objective objective = [](const std::vector<double>& values) -> fit::Evaluation {
//         return {.objectives = {f1(values), f2(values)}};
//     };

#include <Eigen/Dense>
#include <functional>
#include <limits>
#include <string_view>
#include <vector>

namespace faying::fit {

enum class Status { converged, not_converged, failed };
std::string_view name(Status status);  ///< "converged", "not converged", "failed"

struct Evaluation {
    std::vector<double> objectives;  ///< all to be minimised
    Eigen::MatrixXd jacobian = {};   ///< d objective / d parameter value, a row an objective; empty: not known
    double residual = 0;             ///< of the solver behind it; greater is worse
    Status status = Status::converged;

    /// Converged, with finite objectives.
    bool usable() const;
};

/// Called from many threads at once; the same values give the same bits.
using Objective = std::function<Evaluation(const std::vector<double>& values)>;

/// A parameter set and what came of it.
struct Candidate {
    std::vector<double> values;
    Evaluation evaluation;
};

/// How far a set is from usable, for sorting: 0, or the residual, or infinity.
double violation(const Evaluation& evaluation);

}  // namespace faying::fit
