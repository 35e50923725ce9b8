#pragma once
// One table per law: key, symbol, unit, bounds, scale and where the number lives. The command line, model files, fits,
// reports and docs all read it; nothing about a parameter is written down twice.
//
//     struct Parameters { using Scalar = double; Scalar kt, fs; };
//     static const ParameterTable<Parameters>& table() {
//         static const ParameterTable<Parameters> t = {
//             parameter<&Parameters::kt>("kt", "k_t", "N/m", positive, Scale::logarithmic, "tangential stiffness"),
//             ..};
//         return t;
//     }

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "faying/core/error.hpp"

namespace faying::core {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// An interval, each end open or closed.
struct Bounds {
    double lower = -infinity;
    double upper = infinity;
    bool lower_open = false;
    bool upper_open = false;

    bool contains(double x) const;
    std::string text() const;  ///< "(0, inf)", "[0, 1]"
};

/// A number as a message shows it: "1e-06".
std::string number_text(double x);

inline constexpr Bounds positive{0.0, infinity, true, true};
inline constexpr Bounds non_negative{0.0, infinity, false, true};
inline constexpr Bounds any_real{-infinity, infinity, true, true};

enum class Scale { linear, logarithmic };

/// Usual range of a search, per square metre of joint where the unit holds a force.
struct SearchRange {
    double low, high;
};

/// What the outside world needs to know of a parameter.
struct ParameterInfo {
    std::string key;
    std::string symbol;  ///< as it is written in a formula (TeX)
    std::string unit;    ///< SI; the power of N in it is the power of patch area it scales with
    Bounds bounds;
    Scale scale = Scale::linear;
    std::string meaning;
    std::optional<double> fallback = {};     ///< value when the key is not given; none: the key is required
    std::optional<SearchRange> search = {};  ///< where a fit looks for it; none: the user says
};

/// ... and where it lives in a law's `Parameters`.
template <class P>
struct Parameter : ParameterInfo {
    using Scalar = typename P::Scalar;
    Scalar& (*at)(P&);

    /// The same with the range a fit searches:  parameter<&P::fs>("fs", ..).searched(1e4, 3e7)
    Parameter searched(double low, double high) && {
        this->search = SearchRange{low, high};
        return std::move(*this);
    }
};

template <class P>
using ParameterTable = std::vector<Parameter<P>>;

namespace detail {
template <class M>
struct MemberOf;
template <class P, class M>
struct MemberOf<M P::*> {
    using type = P;
};
}  // namespace detail

template <auto Member, class P = typename detail::MemberOf<decltype(Member)>::type>
Parameter<P> parameter(std::string key, std::string symbol, std::string unit, Bounds bounds, Scale scale,
                       std::string meaning, std::optional<double> fallback = std::nullopt) {
    return {{std::move(key), std::move(symbol), std::move(unit), bounds, scale, std::move(meaning), fallback, {}},
            [](P& p) -> typename P::Scalar& { return p.*Member; }};
}

/// The short form, for a law of your own:  parameter<&MyLaw::k>("k", "N/m", "stiffness"). Logarithmic where only
/// positive values are allowed.
template <auto Member, class P = typename detail::MemberOf<decltype(Member)>::type>
Parameter<P> parameter(std::string key, std::string unit, std::string meaning, Bounds bounds = positive,
                       std::optional<double> fallback = std::nullopt) {
    const Scale scale = bounds.lower >= 0.0 && bounds.upper == infinity ? Scale::logarithmic : Scale::linear;
    std::string symbol = key;
    return parameter<Member, P>(std::move(key), std::move(symbol), std::move(unit), bounds, scale, std::move(meaning),
                                fallback);
}

/// An entry of an array member, for laws with a numbered family of coefficients.
template <auto Member, std::size_t Index, class P = typename detail::MemberOf<decltype(Member)>::type>
Parameter<P> element(std::string key, std::string symbol, std::string unit, Bounds bounds, Scale scale,
                     std::string meaning, std::optional<double> fallback = std::nullopt) {
    return {{std::move(key), std::move(symbol), std::move(unit), bounds, scale, std::move(meaning), fallback, {}},
            [](P& p) -> typename P::Scalar& { return (p.*Member)[Index]; }};
}

using ParameterValues = std::map<std::string, double>;

/// Values in table order, from named ones: unknown, missing, non-finite or out-of-range keys throw BadInput naming
/// `owner`, the key and what is allowed.
std::vector<double> checked_values(std::string_view owner, const std::vector<const ParameterInfo*>& table,
                                   const ParameterValues& given);

}  // namespace faying::core
