#pragma once
// Laws linear in their parameters, from the slopes of a loop: the generalized Valanis law ([S4] 2.3)
//
//     df/dx = E1 + s (P(x, v) - E2 f)
//
// by linear least squares, branch by branch. Solved by a QR of the column-scaled matrix ([S4] Eq. 17 squares the
// condition number, and its printed form lacks H^T on the right). Without slopes, by what the law makes of each branch
// (LoopForm::integral).
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

/// Where the parameters come from.
enum class LoopForm {
    integral,     ///< the force along each branch, without derivatives: no bias by sampling
    spline,       ///< slopes of a smoothing spline
    differences,  ///< slopes by central differences, as [S4] has them
};

struct BranchFitOptions {
    std::vector<std::string> terms = {"a1"};  ///< of P; {"auto"}: chosen by cross-validation
    bool symmetric = false;                   ///< one set for both directions, instead of one each
    LoopForm form = LoopForm::integral;
    double cut = 0.1;  ///< of slopes only, as stride
    int stride = 1;
    int threads = 0;
    std::function<void(double share)> progress = {};  ///< of the choice of terms
    void check() const;
    bool chosen_terms() const { return terms.size() == 1 && terms.front() == "auto"; }
};

/// A step of the choice of terms: what was added and the cross-validated root mean square error of the force with it.
struct TermStep {
    std::string added;  ///< empty: E1 and E2 alone
    double error = 0;
};

/// The terms of one direction (or of both), and how they were come by where they were chosen.
struct ChosenTerms {
    std::vector<std::string> terms;
    std::vector<TermStep> path = {};  ///< also what was tried beyond the terms taken
};

struct BranchFit {
    core::ParameterValues parameters, standard_errors;  ///< keys of generalized-valanis
    core::ParameterValues absent = {};                  ///< zeros of terms that only the other direction has
    double condition = 0;                               ///< the greater of the two branches'
    std::size_t points = 0;
    ChosenTerms rising, falling;  ///< alike where symmetric
};

/// Loops of one joint, together.
BranchFit fit_generalized_valanis(const std::vector<Loop>& loops, const BranchFitOptions& options = {});
inline BranchFit fit_generalized_valanis(const Loop& loop, const BranchFitOptions& options = {}) {
    return fit_generalized_valanis(std::vector<Loop>{loop}, options);
}

/// df/dx of a smoothing spline of f over x within each branch, smoothed as generalized cross-validation asks; v likewise.
std::vector<LoopPoint> spline_slopes(const Loop& loop);

}  // namespace faying::fit
