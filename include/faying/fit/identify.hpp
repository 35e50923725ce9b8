#pragma once
// The parameters of any law from a measured loop: least squares of the force (Ceres) on the law's own derivatives, from
// several starts that are read off the loop. `generalized-valanis` is linear in its parameters and goes by
// branch_fit.hpp.
//
//     const auto fitted = fit::identify(files::read_loop("loop.csv"), "iwan4+kp");
//     fitted.parameters.at("FS"), fitted.standard_errors.at("FS"), fitted.rms, fitted.condition;
//
// What was before the record is not known: it may begin with the virgin curve, or be a steady loop, through which the
// law is driven several times and the last pass compared. Both are tried, the one of less misfit is taken, and what the
// other gave is part of the answer.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "faying/core/parameter.hpp"
#include "faying/fit/branch_fit.hpp"
#include "faying/fit/loop.hpp"

namespace faying::fit {

enum class Memory { automatic, virgin, steady };
std::string_view name(Memory memory);  ///< "virgin", ..

struct IdentifyOptions {
    core::ParameterValues fixed = {};    ///< held at these values
    std::vector<std::string> free = {};  ///< parameters with a default that are to be found too
    core::ParameterValues start = {};    ///< instead of what the loop suggests
    Memory memory = Memory::automatic;
    int passes = 3;      ///< through a steady loop
    int screened = 200;  ///< starts around the suggested ones that are tried once; the best go on
    int iterations = 300;
    int threads = 0;
    BranchFitOptions branch = {};  ///< generalized-valanis only
    bool refine = false;           ///< generalized-valanis: least squares of the force, from the branches' answer
    std::function<void(double share)> progress = {};  ///< of all work that is done; from any thread, one at a time

    void check() const;
};

/// What the past of the record that was not taken gave.
struct OtherPast {
    Memory memory = Memory::virgin;
    double rms = 0, relative_rms = 0;  ///< infinite where the law refuses it
    core::ParameterValues parameters = {};
    bool alike = false;     ///< no worse beyond round-off: taken is what the first point suggests
    bool complete = false;  ///< searched to the end; else given up when it was far behind
};

struct Identified {
    core::ParameterValues parameters;       ///< found, fixed, and defaults that are not zero
    core::ParameterValues standard_errors;  ///< of the free ones, for errors independent from point to point
    double rms = 0;                         ///< of the force (of the displacement for a law driven by force)
    double relative_rms = 0;                ///< over the root mean square of the measured force
    double condition = 0;                   ///< of the column-scaled sensitivities; above 1e8 some cannot be told apart
    std::vector<std::string> entangled = {};  ///< which, if so
    Memory memory = Memory::virgin;           ///< as it was followed
    std::optional<OtherPast> other = {};      ///< where both were tried
    bool converged = true;
    int iterations = 0;
    std::vector<double> modelled;  ///< force at the measured points (displacement for a law driven by force), in turn
    double aic = 0, bic = 0;       ///< of independent Gaussian errors, n ln(relative_rms^2) + 2 k and + k ln n
    std::optional<BranchFit> branches = {};  ///< generalized-valanis: as the branches gave it
};

/// Throws BadInput for a law or key that is not there and for a loop that cannot be used; NotConverged when no start
/// leads anywhere.
Identified identify(const Loop& loop, const std::string& law, const IdentifyOptions& options = {});
/// Several loops of one joint, every sample of equal weight; one past for all.
Identified identify_together(const std::vector<Loop>& loops, const std::string& law,
                             const IdentifyOptions& options = {});

/// What a law with known parameters makes of a loop.
struct LoopPrediction {
    std::vector<double> modelled;
    double rms = 0, relative_rms = 0;
};
LoopPrediction predict(const Loop& loop, const std::string& law, const core::ParameterValues& parameters, Memory memory,
                       int passes);

/// Starts the loop suggests for the parameters of a law, the likeliest first; `known` are values that are held.
std::vector<core::ParameterValues> suggested_starts(const std::string& law, const LoopFeatures& seen,
                                                    const core::ParameterValues& known = {});

}  // namespace faying::fit
