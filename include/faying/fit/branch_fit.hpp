#pragma once
// Laws linear in their parameters, from the slopes of a loop: the generalized Valanis law ([S4] 2.3)
//
//     df/dx = E1 + s (P(x, v) - E2 f)
//
// by linear least squares, branch by branch. Solved by a QR of the column-scaled matrix ([S4] Eq. 17 squares the
// condition number, and its printed form lacks H^T on the right).
//
//     const auto points = fit::ends_dropped(fit::central_differences(loop), +1, 0.1);
//     const auto fitted = fit::fitted_to_slopes(points, [](const fit::LoopPoint& p) {
//         return std::vector<double>{1, p.x, -p.f};                    // E1, a1, E2 of a rising branch
//     });

#include <Eigen/Dense>
#include <functional>
#include <string>
#include <vector>

#include "faying/core/parameter.hpp"
#include "faying/fit/loop.hpp"

namespace faying::fit {

struct LoopPoint {
    double x, v, f, slope;  ///< slope is df/dx
    double s = 1;           ///< direction of travel
    double pace = 1;  ///< |v| over the greatest |v| of the loop; without times, as if each branch were half a sine
};

/// df/dx by central differences over `stride` samples either way, within each branch: no difference spans a reversal.
/// v is differenced in the same way where times are known, else 0.
std::vector<LoopPoint> central_differences(const Loop& loop, int stride = 1);

/// The points travelling in direction s at more than `cut` of the greatest pace: the ends of the branch, where a
/// difference over a turn or a small denominator spoils the slope, are left out.
std::vector<LoopPoint> ends_dropped(const std::vector<LoopPoint>& points, double s, double cut);

struct LinearFit {
    Eigen::VectorXd parameters;
    Eigen::VectorXd standard_errors;
    double rms = 0;        ///< of the slope
    double condition = 0;  ///< of the column-scaled matrix
};

/// `columns(point)` is a row of H: what each parameter multiplies. Throws BadInput with fewer points than parameters,
/// and for a column of zeros.
LinearFit fitted_to_slopes(const std::vector<LoopPoint>& points,
                           const std::function<std::vector<double>(const LoopPoint&)>& columns);

struct BranchFitOptions {
    std::vector<std::string> terms = {"a1"};  ///< of P
    bool symmetric = false;                   ///< one set for both directions, instead of one each
    double cut = 0.1;
    int stride = 1;
    void check() const;
};

struct BranchFit {
    core::ParameterValues parameters, standard_errors;  ///< keys of generalized-valanis
    double condition = 0;                               ///< the greater of the two branches'
    std::size_t points = 0;
};

BranchFit fit_generalized_valanis(const Loop& loop, const BranchFitOptions& options = {});

}  // namespace faying::fit
