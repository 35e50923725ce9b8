// Valanis from exponential to bilinear.

#include "properties/every_law.hpp"

namespace faying::tests {

using Valanises = testing::Types<ValanisExponentialCase, ValanisCase, ValanisBilinearCase, ValanisMasingCase>;
INSTANTIATE_TYPED_TEST_SUITE_P(Valanises, EveryLaw, Valanises, CaseName);

}  // namespace faying::tests
