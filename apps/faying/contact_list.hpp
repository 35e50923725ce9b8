#pragma once
// What the sites of a joint do, as lists: in the JSON of backbone and preload.

#include <nlohmann/json.hpp>

#include "faying/modes/site_loop.hpp"

namespace faying::app {

/// Lists with an entry a site: `site` (its name), `x`, `y`, `z` / m where places are known, `area` / m^2 where
/// parameters are tractions, `status`, `pressure` (in `pressure_unit`), `gap` / m (how far the faces are apart, 0 where
/// they touch), `slip` / m.
nlohmann::json contact_list(const structure::Joint& joint, const std::vector<modes::SiteState>& states);

}  // namespace faying::app
