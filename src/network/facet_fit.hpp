#pragma once
// Least squares of a polytope's facets to histories of a network: the misfit with its derivatives, and two ways down.
//
//     const Misfit misfit(histories);
//     const Fitted near = levenberg_marquardt(misfit, start, 30);
//     const Fitted best = quasi_newton(misfit, near, 600);

#include <Eigen/Core>
#include <vector>

#include "faying/network/condense.hpp"
#include "faying/network/facet_walk.hpp"

namespace faying::network {

/// xi at every point over its range, and what is dissipated at every few points over that of the whole history: the sum
/// of squares, and its model from first derivatives (J^T J and J^T r, history by history: J is never held).
class Misfit {
 public:
    enum class With { cost, gradient, normal };  ///< each with those before it
    struct Model {
        double cost = 0;           ///< infinite where the numbers are not those of a law
        Eigen::VectorXd gradient;  ///< J^T r, half of the cost's
        Eigen::MatrixXd normal;    ///< J^T J, the lower half
    };

    explicit Misfit(const std::vector<KnownHistory>& histories);

    /// A cost above `bound` need not be known: it may come back as infinite.
    Model operator()(const Facets& facets, With with, double bound = core::infinity) const;

 private:
    const std::vector<KnownHistory>& histories_;
    double least_range_ = 1e-300, least_loss_ = 1e-300;  ///< a history along which next to nothing moves counts less
};

struct Fitted {
    Facets facets;
    double cost = core::infinity;
    int iterations = 0;
    bool converged = false;
};

/// On the normal equations: thousands of residuals that no law of few states meets, so that a valley's floor is reached
/// long before round-off in J^T J matters. It ends where three steps in a row, or none at all, gain next to nothing.
Fitted levenberg_marquardt(const Misfit& misfit, const Facets& start, int iterations);

/// The misfit has a kink wherever two events of a history change places, and there are so many that along its flat
/// directions it may curve a hundred times as much as J^T J says: Levenberg and Marquardt's steps come to nothing far
/// from a minimum. BFGS sees the kinks as curvature (Lewis and Overton 2013); it begins with J^T J and ends where twenty
/// steps together gain less than 0.2 %.
Fitted quasi_newton(const Misfit& misfit, const Fitted& start, int iterations);

}  // namespace faying::network
