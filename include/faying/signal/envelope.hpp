#pragma once
// Ring-down to amplitude, frequency and damping.
//
//     EnvelopeOptions options;                       // Hilbert, automatic segments, 4 % dropped at either end
//     const Envelope e = envelope(record, options, "hammer3.csv");
//     // e.points[k].time, .amplitude, .omega, .zeta, and standard errors
//
// Both methods turn the record into ln A and phase at many instants. Each is fitted by least squares over segments of
// equal length, and slopes are kept at mid-segment only ([S2] 2.2):
//
//     alpha = -d(ln A)/dt,  omega_d = d(phase)/dt,  omega = sqrt(omega_d^2 + alpha^2),  zeta = alpha/omega
//
// Hilbert: modulus and phase of the analytic signal; follows the amplitude of the fundamental. Peaks: the extremum of
// each half wave ([S0] 3.1); follows the peak, unless a band-pass has taken the harmonics away. The two differ where
// the wave is not a sine (elastic hardening), so every envelope says which it is.

#include <string>
#include <vector>

#include "faying/signal/record.hpp"

namespace faying::signal {

enum class Method { hilbert, peaks };
enum class Follows { fundamental, peak };
const char* name(Method method);
const char* name(Follows follows);

struct EnvelopeOptions {
    Method method = Method::hilbert;
    int segments = 0;             ///< 0: one for every ten periods, 3 to 40
    double dropped_start = 0.04;  ///< share of the record left out at the start, for end effects
    double dropped_end = 0.04;
    double noise_limit = 0.3;  ///< a segment whose ln A scatters by more (rms) ends the envelope: it is noise
    bool harmonics_removed =
        false;  ///< a band-pass without the harmonics went before: peaks then follow the fundamental

    void check() const;  ///< throws core::BadInput quoting what is violated
};

struct EnvelopePoint {
    double time = 0;
    double amplitude = 0;     ///< of what was recorded
    double omega = 0;         ///< undamped, rad/s
    double omega_damped = 0;  ///< slope of the phase, rad/s
    double zeta = 0;
    /// Standard errors for even, uncorrelated noise of the size of the residuals. A filter correlates the noise: then
    /// they are right up to a factor that records filtered alike share, which the regression finds.
    double omega_error = 0, zeta_error = 0;
    double width = 0;  ///< s, of the window it comes from, with Hann's weights; 0: segments that do not overlap
};

struct Envelope {
    std::vector<EnvelopePoint> points;
    Follows follows = Follows::fundamental;
    double scatter = 0;        ///< rms of ln A about the fit, over the points kept
    int dropped_segments = 0;  ///< noise at the end
};

/// Throws core::BadInput for a record shorter than three periods, or one in which no segment rises above the noise.
Envelope envelope(const Record& record, const EnvelopeOptions& options, const std::string& where);

/// What was recorded; amplitudes are related by omega ([S2] Eq. 22).
enum class Quantity { displacement, velocity, acceleration };
Envelope converted(Envelope envelope, Quantity from, Quantity to);

}  // namespace faying::signal
