#pragma once
// A study as one JSON document: what the report page draws, `faying study --json` prints and other programs read.
// docs/report.md describes it. The same store gives the same document.
//
//     const nlohmann::json all = report_data(Store("study.db", Access::read));

#include <nlohmann/json_fwd.hpp>

#include "faying/study/result.hpp"

namespace faying::study {

/// The study_result of the store with all there is to draw beside it; throws as that does.
nlohmann::json report_data(const Store& store);

/// The same of a study's store, or from a JSON file that `faying report --out data.json` wrote. Throws BadInput naming the
/// file and, within JSON, the place.
nlohmann::json report_document(const std::string& path);

/// The document as a page (.html) or as data (.json); an empty title leaves the study's. What was written: out, bytes,
/// variants, points (on fronts), ranking.
nlohmann::json write_report(const std::string& path, const std::string& out, const std::string& title = {});

}  // namespace faying::study
