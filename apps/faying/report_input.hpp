#pragma once
// What a report is made from.

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace faying::app {

/// The report's data (docs/report.md) of a study file, or from a JSON file that `faying report --out data.json` wrote.
/// Throws BadInput naming the file and, within JSON, the place.
nlohmann::json report_document(const std::string& path);

}  // namespace faying::app
