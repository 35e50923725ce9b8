#pragma once
// The table behind all26(): no search axes yet.

#include <vector>

#include "faying/study/variants.hpp"

namespace faying::study {

std::vector<Variant> published_variants();

}  // namespace faying::study
