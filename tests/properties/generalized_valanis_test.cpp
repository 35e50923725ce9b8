// Generalized Valanis with powers of x.

#include "properties/every_law.hpp"

namespace faying::tests {

using GeneralizedValanises = testing::Types<GeneralizedValanisCase, GeneralizedValanisLopsidedCase>;
INSTANTIATE_TYPED_TEST_SUITE_P(GeneralizedValanises, EveryLaw, GeneralizedValanises, CaseName);

}  // namespace faying::tests
