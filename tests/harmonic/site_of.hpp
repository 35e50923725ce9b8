#pragma once
// One site of a law as harmonic forces take it: on dual numbers, nothing seeded.

#include "faying/laws/catalogue.hpp"

namespace faying::tests {

inline laws::JointOf<core::Dual> site_of(const laws::Law& law) {
    const std::vector<int> none(law.parameters().size(), -1);
    return law.joints(1, none).front();
}

}  // namespace faying::tests
