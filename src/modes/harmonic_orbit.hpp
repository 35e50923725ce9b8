#pragma once
// The exact motion of a structure with joints over a period, and the derivative of its end to its beginning:
//
//     X = (q, v/w, what the joints remember)  ->  X' a period later,   dX'/dX
//
// by Runge-Kutta-Fehlberg 7(8) from event to event: reversals of joints, and kinks of their laws. Between them the
// equations of the motion and of its variation are smooth,
//
//     w^2 dq'' + c w dq' + omega^2 dq + P^T (k P dq + Sum_r c_r du_r) = 0,     c_r = df/du_r by dual numbers,
//
// where a law remembers displacements u_r of reversals: du_r = P dq when it reverses, and stays until it does so again.
// The time of a reversal does not matter, since the joint's velocity is zero there; nor does that of a kink, since
// force is continuous. A law whose past is a few numbers remembers those and its last reversal.
//
// The section lies between reversals, where the largest gap is. Tips of older and larger motions are no states but
// parameters: of a motion that is perturbed, the memory of the tip before stays around it.

#include <string>

#include "harmonic_system.hpp"

namespace faying::modes {

struct Orbit {
    bool converged = false;
    double residual = 0;           ///< |X' - X|, relative
    Eigen::VectorXd state;         ///< X
    Eigen::MatrixXd monodromy;     ///< dX'/dX
    Eigen::VectorXd times;         ///< phases w t of the columns below, one per segment
    Eigen::MatrixXd displacement;  ///< modal, about rest
    std::string reason;            ///< where it did not converge
};

class PeriodMap {
 public:
    /// Throws BadInput where a law has no such map (why_not).
    static constexpr int most_modes = 60;  ///< unless told: time grows with the third power of their number
    PeriodMap(const HarmonicSystem& system, double w, double zeta = 0, int most = most_modes);
    ~PeriodMap();
    PeriodMap(const PeriodMap&) = delete;
    PeriodMap& operator=(const PeriodMap&) = delete;

    /// Why there is no map for a structure; empty where there is.
    static std::string why_not(const HarmonicSystem& system, int most = most_modes);

    /// Linearised about a motion as it is: modal harmonics, modes x functions.
    Orbit along(const Eigen::MatrixXd& q, int segments = 1);
    /// About the periodic motion of the equations next to it, found by shooting.
    Orbit beside(const Eigen::MatrixXd& q, int segments = 1);

 private:
    struct Work;
    std::unique_ptr<Work> work_;
};

/// Eigenvalues of a period map that are not zero, the largest first; `forgotten` says how many are (below 1e-10).
std::vector<Complex> multipliers_of(const Eigen::MatrixXd& monodromy, int& forgotten);

}  // namespace faying::modes
