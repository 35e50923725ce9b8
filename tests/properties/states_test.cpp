// Laws with a few hidden states.

#include "properties/every_law.hpp"

namespace faying::tests {

using States = testing::Types<TwoStateCase, SixStateCase>;
INSTANTIATE_TYPED_TEST_SUITE_P(States, EveryLaw, States, CaseName);

}  // namespace faying::tests
