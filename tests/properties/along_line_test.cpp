// Contact laws along a line.

#include "properties/every_law.hpp"

namespace faying::tests {

using AlongLines =
    testing::Types<AlongLineCase<laws::ElasticDryFriction>, AlongLineCase<laws::ElasticDryFrictionLinear>,
                   AlongLineCase<laws::ElasticDryFrictionSpring>, AlongLineCase<laws::Jenkins2d>,
                   AlongLineCase<laws::Jenkins2dPenalty>, AlongLineCase<laws::JenkinsPrager2d>,
                   AlongLineCase<laws::JenkinsPrager2dPenalty>>;
INSTANTIATE_TYPED_TEST_SUITE_P(AlongLines, EveryLaw, AlongLines, CaseName);

}  // namespace faying::tests
