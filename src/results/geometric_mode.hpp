#pragma once
// What the answers of results/geometric.hpp have in common.

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "faying/results/geometric.hpp"

namespace faying::results {

/// The structure read, preloaded, and its mode found, by the share of the work that `after` is.
GeometricMode open_mode(GeometricRequest request, core::Stages& stages, double after,
                        const std::function<void(const geometric::Opened&, const std::string& file)>& check = {});

/// Facts of the structure and its mode that every result begins with.
nlohmann::json mode_json(const GeometricMode& about);
std::string mode_text(const GeometricMode& about);

/// Sorted; throws BadInput for one that is not above zero.
std::vector<double> positive_amplitudes(std::vector<double> amplitudes, const std::string& where);

}  // namespace faying::results
