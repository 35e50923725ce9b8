#pragma once
// Solution branches r(x, p) = 0 of n equations in n unknowns and a parameter, followed by arc length:
//
//     (x, p)(s):   r = 0,   t . W ((x, p) - (x, p)_predicted) = 0,   t the unit tangent, W a diagonal metric
//
// so that turning points in p are passed. Steps follow the distance between prediction and solution. Turning points
// and simple bifurcations are noticed (the tangent's p component, the sign of the bordered determinant), and the
// branch lands exactly on the values of p that are asked for.

#include <Eigen/Dense>
#include <functional>
#include <optional>
#include <vector>

#include "faying/core/parameter.hpp"
#include "faying/solve/bordered.hpp"

namespace faying::solve {

class ParametricEquations {
 public:
    virtual ~ParametricEquations() = default;
    virtual Eigen::Index size() const = 0;
    /// r, and the size of it that counts, relative.
    virtual double evaluate(const Eigen::VectorXd& x, double p, Eigen::VectorXd& r) = 0;
    /// dr/dx and dr/dp at the point of the last evaluation.
    virtual void jacobian(Eigen::MatrixXd& to_x, Eigen::VectorXd& to_p) = 0;
    /// The same, for equations that know which columns are those of the identity.
    virtual void slopes(Slopes& slopes);
    /// Lengths that count as one, for the metric: of each unknown and of p; asked for at every point.
    virtual void scales(const Eigen::VectorXd& x, double p, Eigen::VectorXd& of_x, double& of_p) = 0;
    /// The point is accepted: a phase reference may follow it, and so may the choice of unknowns, of which only those
    /// at the end may come and go. Returns the point in the unknowns of the next ones.
    virtual Eigen::VectorXd accept(const Eigen::VectorXd& x, double) { return x; }
};

struct ContinuationOptions {
    double from = 0, to = 1;           ///< of p; the branch ends where it leaves this range
    std::optional<double> start = {};  ///< where in it the branch begins, and goes towards `to`; at `from` when empty
    double first_step = 0.01;          ///< in the metric
    double least_step = 1e-7, largest_step = 0.3;
    double widest_in_p = core::infinity;  ///< between two points: a curve drawn through them has no long chords
    double deviation = 0.02;              ///< wanted between prediction and solution, in the metric
    double least_cosine = 0.8, wanted_cosine = 0.95;  ///< between successive tangents
    double tolerance = 1e-10;                         ///< of the residual
    int most_points = 1000;
    int most_iterations = 10;          ///< of Newton at a point
    std::vector<double> land_on = {};  ///< values of p to be met exactly, wherever the branch crosses them

    void check() const;
};

enum class Special { none, fold, bifurcation, asked_for };

struct BranchPoint {
    Eigen::VectorXd x;
    double p = 0;
    double residual = 0;
    int iterations = 0;
    Special special = Special::none;  ///< a fold or bifurcation lies between this point and the one before
};

/// `jump`: the equations do, just beyond the last point.
enum class BranchEnd { left_the_range, stopped, no_more_points, step_too_small, jump };

struct SolutionBranch {
    std::vector<BranchPoint> points;
    BranchEnd end = BranchEnd::step_too_small;
};

/// From a guess at p = from (or start). `go_on` sees every point and may stop the branch.
SolutionBranch follow(ParametricEquations& equations, const Eigen::VectorXd& guess, const ContinuationOptions& options,
                      const std::function<bool(const BranchPoint&)>& go_on = {});

/// The solution at a share of the way from one point of a branch to another, in the plane across their chord (and in
/// the same unknowns). `turn` is how much p gains there along the branch, oriented as the chord: zero at a fold.
bool solve_between(ParametricEquations& equations, const BranchPoint& a, const BranchPoint& b, double share,
                   double tolerance, BranchPoint& found, double& turn);

/// The solution at one p.
BranchPoint solve_at(ParametricEquations& equations, const Eigen::VectorXd& guess, double p, double tolerance,
                     int most_iterations, bool& converged);

}  // namespace faying::solve
