#pragma once
// Nonlinear normal modes: periodic free motions of a conservative structure, from rest to rest,
//
//     M u'' + f(u) = f_s,    u(t) = u_0 + Sum_k U_k cos k omega t
//
// One coordinate with a polynomial force: the period is an integral. With E = V(q+) = V(q-), V - E has both turning
// points as factors, V - E = -(q+ - q)(q - q-) g(q), and q = m + h cos s turns the period into
// T = Int_0^2pi ds / sqrt(2 g): the trapezoid rule converges exponentially.
//
// Structures: harmonic balance on all their degrees of freedom (a cubic force is integrated exactly by 4 H + 2 samples
// a period, of which half repeat), and shooting for small ones.
//
//     const NnmPoint p = nnm_of_polynomial(k, 1e-3, 9);                      // at q+ = 1e-3
//     const auto points = nnm(system, rest, mode, {1e-4, 1e-3}, {});         // at phi^T M U_1

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "faying/geometric/modal_path.hpp"

namespace faying::geometric {

struct NnmPoint {
    double omega = 0, energy = 0;
    double q_plus = 0, q_minus = 0;  ///< phi^T M (u - u_0) at the two moments of rest
    std::vector<double> harmonics;   ///< of phi^T M (u - u_0): mean, cos, cos 2, ..
    std::optional<bool> stable;      ///< nothing where it was not computed
    double residual = 0;             ///< relative; NaN where the branch did not get there
    int iterations = 0;
    bool converged = false;
    std::string reason;                     ///< why it did not converge, or what is to be known of the point
    MatrixXd motion;                        ///< U_k, a column a harmonic; empty for polynomials
    std::optional<double> multiplier = {};  ///< largest of the period map, where it was computed
    /// Internal resonance passed since the point before: a harmonic went over another mode's frequency, and a tongue
    /// branched off that this curve hides.
    struct Passed {
        double from = 0, to = 0;     ///< phi^T M U_1
        int harmonic = 0, mode = 0;  ///< the nearest by the linear frequencies; 0: none is near
    };
    std::vector<Passed> passed = {};
};

/// k(j) of q^j, j = 0 ..; unit mass. Motions about q = 0 from q+ > 0; marked where there are none.
NnmPoint nnm_of_polynomial(const VectorXd& k, double q_plus, int harmonics = 9);

struct NnmOptions {
    int harmonics = 9;
    double tolerance = 1e-6;                ///< of the residual; Newton goes on to rounding
    int most_halvings = 8;                  ///< of a step in amplitude
    double tongue = 0.01;                   ///< a higher harmonic of another shape above this share is flagged
    std::function<void(double)> done = {};  ///< told how far it is
};

/// At ascending amplitudes phi^T M U_1 > 0, by harmonic balance.
std::vector<NnmPoint> nnm(const System& system, const Rest& rest, const Mode& mode,
                          const std::vector<double>& amplitudes, const NnmOptions& options = {});

/// Largest multiplier of the period map of a motion found by harmonic balance, of disturbances in the lowest modes:
/// above one (by more than what the rest of the structure and the steps leave, about 1 %) it is unstable.
double largest_multiplier(const System& system, const Rest& rest, const NnmPoint& point, int modes = 12,
                          int steps = 400);
/// Of a small structure, all multipliers, by the sensitivities of shooting; nothing for a large one.
std::optional<double> largest_multiplier_by_shooting(const System& system, const Rest& rest, const VectorXd& start,
                                                     double period);

/// At ascending amplitudes q+ by shooting, with the multipliers of the period map for stability; for small structures.
std::vector<NnmPoint> nnm_by_shooting(const System& system, const Rest& rest, const Mode& mode,
                                      const std::vector<double>& amplitudes, const NnmOptions& options = {});

}  // namespace faying::geometric
