#pragma once
// A study as one JSON document: what the report page draws, `faying study --json` prints and other programs read.
// docs/report.md describes it. The same store gives the same document.
//
//     const nlohmann::json all = report_data(Store("study.db", Access::read));

#include <nlohmann/json_fwd.hpp>

#include "faying/study/store.hpp"

namespace faying::study {

/// Throws BadInput for a store that holds no study. Variants that are not finished are listed as such.
nlohmann::json report_data(const Store& store);

/// Where the errors are taken, for people: "at the measured amplitudes (mode 1: 31, ..)", or at others, by whose
/// choice.
std::string compared_text(const nlohmann::json& report);

/// The names of finished variants, best first.
std::vector<std::string> ranking(const nlohmann::json& report);

}  // namespace faying::study
