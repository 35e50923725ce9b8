#include "faying/core/quadrature.hpp"

#include <boost/math/quadrature/gauss.hpp>

namespace faying::core {

const GaussRule& gauss_rule() {
    using Rule = boost::math::quadrature::gauss<double, 15>;
    static const GaussRule rule{Rule::abscissa(), Rule::weights()};
    return rule;
}

}  // namespace faying::core
