#pragma once
// What a search varies. Most parameters are searched as they are, in the range their table gives (per square metre of
// joint). A law whose parameters change size and unit with one another says what is searched in their place:
//
//     static SearchForm search_form() { return {.left_out = {"lambda"}, .instead = {saturation_force()}}; }
//     template <class Point>
//     static void from_search(Point& x) {           // lambda = E0/fs
//         const auto saturated = x.take("fs");
//         x.put("lambda", x.read("E0") / saturated);
//     }

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "faying/core/dual.hpp"
#include "faying/core/error.hpp"
#include "faying/core/parameter.hpp"

namespace faying::laws {

struct SearchForm {
    std::vector<std::string> left_out;         ///< parameters that are not searched as they are
    std::vector<core::ParameterInfo> instead;  ///< what is, each with its range
};

/// The force at which a law saturates, per square metre.
inline core::ParameterInfo saturation_force() {
    return {"fs",
            "f_s",
            "N",
            core::positive,
            core::Scale::logarithmic,
            "force at which the law saturates",
            {},
            core::SearchRange{1e4, 3e7}};
}

/// Named values of a point on their way from what is searched to what the law takes. The two names say how a key is
/// written in an expression of several laws: among what is searched, and among the parameters.
template <class T>
class SearchPoint {
 public:
    using Values = std::vector<std::pair<std::string, T>>;
    using Name = std::function<std::string(std::string_view)>;
    SearchPoint(std::string owner, Values& values, Name search_name, Name law_name)
        : owner_(std::move(owner)),
          values_(values),
          search_name_(std::move(search_name)),
          law_name_(std::move(law_name)) {}

    /// The value, which is no parameter of the law.
    T take(std::string_view key) {
        const std::string name = search_name_(key);
        for (auto at = values_.begin(); at != values_.end(); ++at)
            if (at->first == name) {
                T value = at->second;
                values_.erase(at);
                return value;
            }
        throw core::BadInput(owner_, "parameter '" + name + "' has neither range nor value");
    }
    /// The value of a parameter that stays.
    T read(std::string_view key) {
        T value = take(key);
        values_.emplace_back(search_name_(key), value);
        return value;
    }
    void put(std::string_view key, const T& value) { values_.emplace_back(law_name_(key), value); }

 private:
    std::string owner_;
    Values& values_;
    Name search_name_, law_name_;
};

/// Directions a search may have.
inline constexpr int most_searched = 8;
using SearchDual = core::Jet<most_searched>;

}  // namespace faying::laws
