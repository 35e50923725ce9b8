#pragma once
// Fronts of an earlier study, for a new one to start from.

#include <map>
#include <string>
#include <vector>

#include "faying/study/variants.hpp"

namespace faying::study {

/// Of each variant that the store at `path` has finished under the same name: the parameter values of its front.
/// Throws BadInput when there is none, or when a variant had other parameters.
std::map<std::string, std::vector<std::vector<double>>> read_starting_fronts(const std::string& path,
                                                                             const std::vector<Variant>& variants);

}  // namespace faying::study
