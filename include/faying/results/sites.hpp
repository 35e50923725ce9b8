#pragma once
// What the sites of a joint do, as lists and as a map: in the answers of backbone and preload.

#include <nlohmann/json_fwd.hpp>

#include "faying/io/plot.hpp"
#include "faying/modes/site_loop.hpp"

namespace faying::results {

/// "Pa" where the law gives tractions, else "N".
const char* pressure_unit(const structure::Joint& joint);

/// Lists with an entry per site: `site` (its name), `x`, `y`, `z` / m where places are known, `area` / m^2 where
/// parameters are tractions, `status`, `pressure` (in `pressure_unit`), `gap` / m (how far the faces are apart, 0 where
/// they touch), `slip` / m.
nlohmann::json contact_list(const structure::Joint& joint, const std::vector<modes::SiteState>& states);

/// The sites of all joints as points with what they do there, for ParaView (.vtu). Throws core::BadInput where no places
/// are known.
std::string sites_vtk(const structure::Model& model, const std::vector<std::vector<modes::SiteState>>& states);

/// The joint from above.
io::SiteMap site_map(const structure::Joint& joint, const std::vector<modes::PlaceState>& places);

/// Numbers with the seven digits that are more than a picture shows, which keeps a page small.
void shorten(std::vector<double>& values);

}  // namespace faying::results
