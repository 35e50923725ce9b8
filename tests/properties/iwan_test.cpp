// The Iwan family: exact, stiction, sliders.

#include "properties/every_law.hpp"

namespace faying::tests {

using Iwans = testing::Types<Iwan4Case, Iwan5Case, Iwan5StictionCase>;
INSTANTIATE_TYPED_TEST_SUITE_P(Iwans, EveryLaw, Iwans, CaseName);

}  // namespace faying::tests
