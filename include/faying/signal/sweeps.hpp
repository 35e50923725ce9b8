#pragma once
// Backbones from forced responses: sweeps in which the response is held, or the force; tests at phase resonance.
//
//     const SweepPoint p = response_held(sweep, "shaker.csv");                     // one amplitude: omega, zeta with bounds
//     for (const auto& p : force_held(sweeps, 20)) ..                // amplitudes that three points or more pass through
//
// At one amplitude a mode is linear: its dynamic stiffness Z = F/x = (k - m w^2 + 2 i zeta m w0^2) exp(i theta) is a
// straight line over w^2. Its direction is the phase offset theta of the instruments, its foot the frequency, its
// distance from the origin the damping: neither errs with theta. Errors are taken as a share of Z (weights 1/|Z|^2).
// Beside the line: the phase alone (cotangent, a line over w^2 too) and the magnitude alone (|Z|^2, a parabola); where
// they end up is the bounds.

#include <optional>
#include <string>
#include <vector>

#include "faying/signal/backbone.hpp"

namespace faying::signal {

/// Fundamental of force and response at one frequency after another.
struct Sweep {
    std::string name = {};
    std::vector<double> frequency = {};  ///< Hz, rising or falling
    std::vector<double> force = {};      ///< N
    std::vector<double> amplitude = {};  ///< m, m/s or m/s^2
    std::vector<double> phase = {};      ///< rad, of the response against the force
    int derivative = 0;                  ///< 0: of displacement, 1: velocity, 2: acceleration

    /// Throws core::BadInput opened by `where`: sizes, values, frequencies that neither rise nor fall, or stand twice.
    void check(const std::string& where) const;
    bool holds_response() const;  ///< it varies less than the force
    /// A quarter turn throughout, within 0.35 rad, while force and response vary: steps of a phase-resonance test.
    bool holds_phase() const;
};

enum class Held { response, force, phase };
const char* name(Held held);

struct SweepPoint {
    Held held = Held::response;
    std::string name = {};  ///< of the sweep, where it is one
    double amplitude = 0;   ///< as recorded
    double omega = 0, zeta = 0;
    Bounds95 omega_bounds, zeta_bounds;              ///< what line, phase and magnitude say, and the line's own 95 %
    double omega_phase = 0, zeta_phase = 0;          ///< nan where too few points are near resonance
    double omega_magnitude = 0, zeta_magnitude = 0;  ///< nan likewise
    double phase_offset = 0;                         ///< rad, within a quarter turn: a sensor turned about is none
    double mass = 0;                                 ///< kg, effective where force and response are measured
    double scatter = 0;                              ///< of Z about the line, relative
    int count = 0;                                   ///< of points
};

/// Throws core::BadInput for fewer than five points, or points that no resonance lies among.
SweepPoint response_held(const Sweep& sweep, const std::string& where);

/// Points of equal amplitude on the flanks of several sweeps, at `levels` amplitudes spaced evenly in the logarithm. Those
/// with fewer than four points are left out.
std::vector<SweepPoint> force_held(const std::vector<Sweep>& sweeps, int levels);

/// A point of the backbone for each line of a test at phase resonance, whose effective mass is known: the dynamic
/// stiffness there has w0^2 - w^2 = Re Z/m and 2 zeta w0^2 = Im Z/m. Bounds reach to what the lines say if the phase was
/// a quarter turn exactly.
std::vector<SweepPoint> phase_held(const Sweep& test, double mass, const std::string& where);

}  // namespace faying::signal
