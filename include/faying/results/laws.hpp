#pragma once
// The catalogue of laws as data and for people.
//
//     for (const laws::LawInfo& info : listed_laws()) ..           // key, title, parameters with units and ranges
//     text({described_law("iwan4")}, true)

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "faying/laws/catalogue.hpp"

namespace faying::results {

/// Every law once: a contact law that can be moved along a line is listed as such.
std::vector<laws::LawInfo> listed_laws();
/// As listed; throws BadInput naming those there are.
laws::LawInfo described_law(const std::string& key);

nlohmann::json json(const std::vector<laws::LawInfo>& laws);
/// Laws of many parameters show the required ones, unless every one is asked for.
std::string text(const std::vector<laws::LawInfo>& laws, bool every_parameter);

}  // namespace faying::results
