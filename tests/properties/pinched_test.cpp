// Pinched and Reid.

#include "properties/every_law.hpp"

namespace faying::tests {

using Pinches = testing::Types<PinchedCase, ReidCase>;
INSTANTIATE_TYPED_TEST_SUITE_P(Pinches, EveryLaw, Pinches, CaseName);

}  // namespace faying::tests
