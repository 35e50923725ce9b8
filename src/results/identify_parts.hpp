#pragma once
// What one law's answer and a comparison of laws both show.

#include <optional>
#include <string>
#include <vector>

#include "faying/results/identify.hpp"

namespace faying::results {

/// A parameter of the law's table that has a value.
struct FoundParameter {
    std::string key, unit;
    double value;
    std::optional<double> error;  ///< none: it was held
};
std::vector<FoundParameter> found_parameters(const LawIdentified& run);

std::vector<LoopAnswer> read_loops(const IdentifyRequest& request);
LawIdentified identified(const std::string& law, std::vector<LoopAnswer> loops, const fit::IdentifyOptions& options);

/// A panel a loop: measured, and what each law makes of it.
std::vector<io::Panel> loop_panels(const std::vector<const LawIdentified*>& runs);

}  // namespace faying::results
