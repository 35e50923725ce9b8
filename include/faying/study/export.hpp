#pragma once
// Fronts as files: a table for each variant, the ranking, and ready model files of the points one would choose.
//
//     export_fronts(study, study_result(store), "fronts");    // ranking.csv, iwan4.csv, iwan4-knee.toml, .. in fronts/

#include <string>

#include "faying/study/result.hpp"
#include "faying/study/study.hpp"

namespace faying::study {

/// All files or none; the folder is made. The same study gives the same bytes, however it was run.
void export_fronts(const Study& study, const StudyResult& result, const std::string& folder);

/// A model file (TOML) of a variant at a parameter set; `folder` is where it will stand.
std::string model_text(const Study& study, const Variant& variant, const std::vector<double>& values,
                       const std::string& folder, const std::string& comment);

}  // namespace faying::study
