// Finite sets of sliders.

#include "properties/every_law.hpp"

namespace faying::tests {

using Sliders = testing::Types<Iwan4SlidersCase, EqualSlidersCase>;
INSTANTIATE_TYPED_TEST_SUITE_P(Sliders, EveryLaw, Sliders, CaseName);

}  // namespace faying::tests
