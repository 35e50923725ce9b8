#pragma once
// What is searched of a law expression, and its parameters at a point of the search (search.hpp).
//
//     for (const auto& info : searchable("bouc-wen")) info.key;                    // A, n, fs, beta/alpha
//     from_search<double>("mine", searched_parts("bouc-wen"), {{"A", 1e6}, {"n", 1}, {"fs", 10}, {"beta/alpha", 0}});
//                                                                                  // A, n, alpha, beta

#include "faying/laws/expression.hpp"
#include "faying/laws/search.hpp"

namespace faying::laws {

/// A part of an expression, with what may be searched of it.
struct SearchedPart {
    ExpressionPart part;
    std::vector<std::size_t> kept;              ///< parameters searched as they are
    std::vector<core::ParameterInfo> searched;  ///< those, then what stands for the others; keys as written
    std::vector<std::string> keys;              ///< of `searched`, as the law knows them
};
std::vector<SearchedPart> searched_parts(const std::string& law, int components = 1);

/// Of all parts: first what is searched as it is, then what stands for the others.
std::vector<core::ParameterInfo> searchable(const std::string& law, int components = 1);

/// From what is searched to what the law takes; T is double or SearchDual. Throws BadInput naming `owner` where a value
/// is missing.
template <class T>
typename SearchPoint<T>::Values from_search(const std::string& owner, const std::vector<SearchedPart>& parts,
                                            typename SearchPoint<T>::Values values);

}  // namespace faying::laws
