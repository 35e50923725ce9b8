#pragma once
// Private to signal/: what is not to be trusted, and why.

#include "faying/signal/found_modes.hpp"
#include "mode_track.hpp"

namespace faying::signal::detail {

/// The sum, difference or multiple of stronger lines that a line may be: "f1 + f2 (80.5 + 297.6 Hz)"; "" where it is none.
struct Combination {
    std::string text;
    std::vector<std::size_t> of;  ///< indices of the lines it is made of, each as often as it enters
};
Combination combination_of(const Line& line, const std::vector<Line>& stronger);

/// Remarks of one mode: beating, noise, nodes, methods. `close` are lines of a finer spectrum.
void add_remarks(FoundMode& mode, const std::vector<ModeTrack>& tracks, const std::vector<Line>& close,
                 const std::vector<std::string>& names, const FindOptions& options);

}  // namespace faying::signal::detail
