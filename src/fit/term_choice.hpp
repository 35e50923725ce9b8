#pragma once
// Which terms of P a record asks for. Forward: of the terms not yet in, the one is added that leaves the least
// cross-validated error of the force, until two additions in a row bring nothing; then back to the fewest terms whose
// error is no more than two standard errors (of the paired differences over the folds), or a hundredth, above the least.

#include <functional>

#include "faying/fit/branch_fit.hpp"
#include "integral_form.hpp"

namespace faying::fit {

/// Folds are whole loops where there are three or more, else blocks of every branch. `timed`: terms with velocity too.
ChosenTerms choose_terms(std::vector<Stretch> all, bool timed, std::size_t loops, int threads,
                         const std::function<void(double share)>& progress);

}  // namespace faying::fit
