#pragma once
// Measured forced responses in files (text, .h5, .mat):
//
//     const auto data = files::read_response("sweep.csv");          // data.omega, data.force, data.amplitude

#include <string>
#include <vector>

namespace faying::files {

/// Steady answers to p cos(omega t) at one place: A cos(omega t - phase), first harmonic.
struct MeasuredResponse {
    std::vector<double> omega;      ///< rad/s
    std::vector<double> force;      ///< p, N
    std::vector<double> amplitude;  ///< A, of whatever was measured
    std::vector<double> phase;      ///< lag behind the force, rad; empty where it was not measured

    std::size_t size() const { return omega.size(); }
};

/// Columns (variables) by name: omega (rad/s) or frequency (Hz), force, amplitude, and phase where it is known. Rows in
/// any order. Throws BadInput naming file and column.
MeasuredResponse read_response(const std::string& path);

}  // namespace faying::files
