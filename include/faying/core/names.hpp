#pragma once
// Names of choices, in one table for both ways.
//
//     constexpr Names<Method, 2> methods{{{"rqnma", Method::rqnma}, {"qsma", Method::qsma}}};
//     name_of(methods, Method::qsma);               // "qsma"
//     named(methods, "qsma", "--method");           // Method::qsma; throws BadInput listing what is allowed

#include <array>
#include <string>
#include <utility>

#include "faying/core/error.hpp"

namespace faying::core {

template <class Choice, std::size_t N>
using Names = std::array<std::pair<const char*, Choice>, N>;

template <class Choice, std::size_t N>
const char* name_of(const Names<Choice, N>& names, Choice choice) {
    for (const auto& [name, of] : names)
        if (of == choice) return name;
    return "";
}

template <class Choice, std::size_t N>
Choice named(const Names<Choice, N>& names, const std::string& word, const std::string& where) {
    std::string allowed;
    for (const auto& [name, of] : names) {
        if (word == name) return of;
        allowed += (allowed.empty() ? "" : ", ") + std::string(name);
    }
    throw BadInput(where, "'" + word + "' is not known; allowed are " + allowed);
}

}  // namespace faying::core
