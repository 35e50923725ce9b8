// Jenkins and its relatives, and the elastic spring.

#include "properties/every_law.hpp"

namespace faying::tests {

using Springs = testing::Types<JenkinsCase, JenkinsPragerCase, PragerCase, PolynomialCase>;
INSTANTIATE_TYPED_TEST_SUITE_P(Springs, EveryLaw, Springs, CaseName);

}  // namespace faying::tests
