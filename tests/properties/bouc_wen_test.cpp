// Bouc-Wen, each of its closed forms and its virgin curve under Masing's rules.

#include "properties/every_law.hpp"

namespace faying::tests {

using BoucWens = testing::Types<BoucWenOneCase, BoucWenTwoCase, BoucWenCase, BoucWenMasingCase>;
INSTANTIATE_TYPED_TEST_SUITE_P(BoucWens, EveryLaw, BoucWens, CaseName);

}  // namespace faying::tests
