#pragma once
// What a study came to: modes, variants with their fronts, areas and ranks. Made from a store; the same store gives the
// same result.
//
//     const StudyResult result = study_result(Store("study.db", Access::read));
//     for (const VariantResult* v : result.ranked()) std::printf("%s %g\n", v->name.c_str(), *v->score);
//     result.variants[0].front[3].errors[1]->damping;                // of the second mode

#include <optional>
#include <string>
#include <vector>

#include "faying/fit/errors.hpp"
#include "faying/fit/pareto.hpp"
#include "faying/study/store.hpp"

namespace faying::study {

struct ModeResult {
    int mode = 0;  ///< in the measurement
    std::string name;
    bool fitted = true;                           ///< else only predicted
    std::optional<fit::Variability> variability;  ///< of the measurement
    std::optional<double> variability_area;       ///< and the area it leaves
    fit::Box box;                                 ///< within which areas are taken
};

/// A point of a certified Pareto front.
struct FrontPoint {
    std::vector<double> values;  ///< of the variant's parameters
    double residual = 0;
    std::vector<std::optional<fit::Errors>> errors;  ///< by mode; none where it did not converge
    bool knee = false, utopia = false;               ///< points one would choose
};

struct VariantResult {
    enum class Status { not_started, running, finished, failed };
    struct Counts {
        long evaluations = 0, unconverged = 0, failed = 0, tight = 0;
        long candidates = 0, certified = 0;  ///< of the front
    };

    std::string name, law, joint, framework, method;
    std::vector<std::string> parameters;  ///< keys of what was searched
    Status status = Status::not_started;
    std::string message;  ///< why it failed
    std::vector<FrontPoint> front;
    Counts counts;
    std::vector<std::optional<double>> area;  ///< by mode: not dominated within the box ([S0] 3.7)
    std::vector<std::optional<int>> ranks;    ///< by mode, from 1
    std::optional<double> score;              ///< mean area of the predicted modes ([S0] Table 9)
    std::optional<int> rank;
};

struct StudyResult {
    std::string title;
    bool is_virtual = false;  ///< the measurement is a virtual experiment
    /// Where the errors are taken, for people: "errors at the measured amplitudes (mode 1: 31, ..)"; older stores do not
    /// say.
    std::string compared;
    std::vector<ModeResult> modes;
    std::vector<VariantResult> variants;

    /// Finished variants, best first.
    std::vector<const VariantResult*> ranked() const;
    bool any_front() const;
};

/// Throws BadInput for a store that holds no study. Variants that are not finished are listed as such.
StudyResult study_result(const Store& store);

/// The ranking as a table, or the front of the only variant, for people.
std::string ranking_text(const StudyResult& result);
std::string front_text(const StudyResult& result);

}  // namespace faying::study
