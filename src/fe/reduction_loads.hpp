#pragma once
// Private to the reduction: loads and outputs of the deck in reduced coordinates.

#include "faying/fe/reduction.hpp"

namespace faying::fe {

void add_loads(const Deck& deck, const ReduceOptions& options, Reduction& r);
void add_outputs(const Deck& deck, const ReduceOptions& options, Reduction& r);

}  // namespace faying::fe
