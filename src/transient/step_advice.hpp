#pragma once
// Whether steps of fixed length resolve a run, known before it.

#include "faying/transient/simulate.hpp"
#include "faying/transient/system.hpp"

namespace faying::transient::detail {

StepAdvice step_advice(const structure::Model& model, const System& system, const Excitation& excitation,
                       const Options& options);

}  // namespace faying::transient::detail
