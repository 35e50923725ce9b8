#pragma once
// Implicit condensation onto several modes at once: what it takes to hold them at q = (q_1 .. q_N) while all else
// settles is the gradient of a potential,
//
//     alpha_r(q) = omega_r^2 q_r + dV/dq_r,    V(q) = Sum_p v_p q_1^p1 .. q_N^pN
//
// exactly to a chosen order, without static points: along each of many directions c the structure's own Taylor
// coefficients give alpha(s c), and V is what all of them agree on. One factorisation for all.
//
//     const std::vector<Mode> modes{linear_mode(system, rest, 1), linear_mode(system, rest, 3)};
//     const CoupledTaylor v = coupled_taylor(system, rest, modes, 5);
//     model_text(v, "modes 1 and 3");                    // a model file for nnm, backbone, response, simulate

#include <functional>
#include <string>
#include <vector>

#include "faying/geometric/condensation.hpp"

namespace faying::geometric {

struct CoupledTaylor {
    std::vector<double> omega;             ///< of the modes
    std::vector<std::vector<int>> powers;  ///< of each term
    VectorXd v;                            ///< its coefficient
    double residual = 0;                   ///< of the orders, the largest of all directions
    double disagreement = 0;  ///< of the directions about V, over the linear force where an order first is as large
    int order = 0;            ///< of the forces
};

/// Two modes up to order 7, or three up to 5. Throws BadInput for others, and where the structure has no Taylor
/// coefficients.
CoupledTaylor coupled_taylor(const System& system, const Rest& rest, const std::vector<Mode>& modes, int order,
                             const std::function<void(double)>& done = {});

/// v21 of q_1^2 q_2: what the element calls the term.
std::string name_of(const std::vector<int>& powers);

/// Modal coordinates with the element `coupled-polynomial-N` between them, as a model file.
std::string model_text(const CoupledTaylor& condensed, const std::string& remark);

/// From here on `coupled-polynomial-2` and `-3` are names of laws.
void add_coupled_polynomials();

}  // namespace faying::geometric
