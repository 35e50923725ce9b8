#pragma once
// What is kept of a study beside its evaluations: the head, and a result for each finished variant.

#include <nlohmann/json.hpp>
#include <string>

#include "faying/fit/certify.hpp"
#include "faying/study/evaluation_log.hpp"
#include "faying/study/run.hpp"

namespace faying::study {

inline const std::string head_key = "head", fingerprint_key = "fingerprint", workers_key = "workers";
inline std::string result_key(const std::string& variant) { return "result:" + variant; }

/// Title, inputs, measured modes, what is searched.
nlohmann::json head_of(const Study& study, const std::string& code_version, const std::string& command);

/// How a search went, for the result.
struct SearchRecord {
    std::vector<long> history_evaluations;
    std::vector<double> history_area;
    nlohmann::json methods = nlohmann::json::array();  ///< of each method its own front
    fit::CertifiedFront front;
    double seconds = 0;
};

/// A finished variant: its front with the errors of all modes, backbones, loops and slip of the points to choose from.
nlohmann::json result_of(const Study& study, const Problem& problem, const SearchRecord& search,
                         EvaluationLog& evaluation_log);

/// NaN where the mode did not converge.
fit::Errors errors_of(const Mode& mode, const ModeCurve& curve);

}  // namespace faying::study
