#pragma once
// What drives a structure: F(t) = Sum_k shape_k h_k(t).
//
//     Excitation hammer{{point_load(model, 2), half_sine(30.0, omega3)}};          // [S2] Eq. 29: DOF 2, 30 N
//     Excitation modal{{mode_load(model, 2), half_sine(9.0, omega2)}};             // [S2] Eq. 27: in a mode's shape
//     Excitation shaker{{base_load(model, rigid), random(1e-2, 10, 200, 500, 42)}};

#include <Eigen/Dense>
#include <cstdint>
#include <functional>
#include <vector>

#include "faying/structure/model.hpp"

namespace faying::transient {

/// A function of time that is smooth between its corners, and continuous from the right at them.
struct History {
    std::function<double(double)> value;
    std::vector<double> corners;
    double peak = 0;   ///< its greatest absolute value, roughly
    double omega = 0;  ///< how fast it changes at the most, rad/s, roughly
};

/// amplitude sin(omega t) for 0 <= t < pi/omega.
History half_sine(double amplitude, double omega);
/// amplitude sin(omega t + phase), for 0 <= t < duration.
History sine(double amplitude, double omega, double phase, double duration);
/// A sine whose frequency goes linearly from one to the other in `duration`, then nothing.
History chirp(double amplitude, double from, double to, double duration);
/// Gaussian noise with the one-sided spectral density `level` (unit^2 s/rad) between two frequencies (rad/s): `lines`
/// cosines of random phase in equal bands. The same seed gives the same bits.
History random(double level, double from, double to, int lines, std::uint64_t seed);
/// The same with a density given at several frequencies, straight lines between them.
History random(const std::vector<double>& omega, const std::vector<double>& level, int lines, std::uint64_t seed);
/// Straight lines between samples, zero outside. Throws core::BadInput unless time increases.
History tabulated(std::vector<double> times, std::vector<double> values);

struct Load {
    Eigen::VectorXd shape;
    History history;
};
using Excitation = std::vector<Load>;

/// Unit force on a DOF (from 1).
Eigen::VectorXd point_load(const structure::Model& model, Eigen::Index dof);
/// M phi of a mode (from 1), joints stuck or slipping: excites that mode alone in the linear limit.
Eigen::VectorXd mode_load(const structure::Model& model, Eigen::Index mode, bool slipping = false);
/// -M r: coordinates relative to a base that accelerates along the rigid motion r.
Eigen::VectorXd base_load(const structure::Model& model, const Eigen::VectorXd& rigid);

}  // namespace faying::transient
