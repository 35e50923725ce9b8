#pragma once
// The parameters of a law: a struct `Parameters` that the law is made from, or for a plain struct the law itself.
//
//     template <class T = double>
//     struct Damper {                                             // its own parameters
//         using Scalar = T;
//         T k, fs;
//         static const auto& table() {
//             using faying::core::parameter;
//             static const faying::core::ParameterTable<Damper> t = {
//                 parameter<&Damper::k>("k", "N/m", "stiffness"), parameter<&Damper::fs>("fs", "N", "slip force")};
//             return t;
//         }
//         ..
//     };
//
// A parameter called kp is the spring that acts in full slip.

#include "faying/core/parameter.hpp"
#include "faying/laws/law.hpp"

namespace faying::laws {

namespace detail {
template <class L>
struct ParametersTrait {
    using type = L;
};
template <class L>
requires requires { typename L::Parameters; }
struct ParametersTrait<L> {
    using type = typename L::Parameters;
};
}  // namespace detail

template <class L>
using ParametersOf = typename detail::ParametersTrait<L>::type;

/// A law that names its parameters.
template <class L>
concept NamedParameters = requires {
    { L::table() } -> std::convertible_to<core::ParameterTable<ParametersOf<L>>>;
};

/// A law that is a template of its scalar, so that dual numbers run through it.
template <class L>
concept DualLaw = NamedParameters<L> && requires {
    typename L::template rebind<core::Dual>;
};

template <class L>
ParametersOf<L> parameters_of(const L& law) {
    if constexpr (requires { typename L::Parameters; })
        return law.parameters();
    else
        return law;
}

template <class L>
L law_from(const ParametersOf<L>& parameters) {
    return L(parameters);
}

/// Parameters on the law's scalar from plain values in table order; those not given take the table's default.
template <NamedParameters L>
ParametersOf<L> parameters_from(const std::vector<double>& values) {
    ParametersOf<L> p{};
    const auto& table = L::table();
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i].at(p) = typename L::Scalar(i < values.size() ? values[i] : table[i].fallback.value());
    return p;
}

/// Plain values in table order.
template <class L>
std::vector<double> values_of(const L& law) {
    std::vector<double> values;
    if constexpr (NamedParameters<L>) {
        auto p = parameters_of(law);
        for (const auto& entry : L::table()) values.push_back(value(entry.at(p)));
    }
    return values;
}

/// The same law on another scalar, its parameters' values converted.
template <class U, class L>
requires NamedParameters<L> && requires { typename L::template rebind<U>; }
auto rebind(const L& law) {
    using Target = typename L::template rebind<U>;
    auto source = parameters_of(law);
    ParametersOf<Target> target{};
    const auto& from = L::table();
    const auto& to = Target::table();
    for (std::size_t i = 0; i < from.size(); ++i) to[i].at(target) = U(value(from[i].at(source)));
    return law_from<Target>(target);
}

namespace detail {
/// A law made of another on another scalar, if the other is a template of it.
template <template <class> class Made, class L, class U>
struct MadeOn {};
template <template <class> class Made, class L, class U>
requires requires { typename L::template rebind<U>; }
struct MadeOn<Made, L, U> {
    using type = Made<typename L::template rebind<U>>;
};

template <class L, class Parameters, std::size_t I>
void lift_entry(core::ParameterTable<Parameters>& entries) {
    using Scalar = typename L::Scalar;
    if (I >= L::table().size()) return;
    const core::ParameterInfo& info = L::table()[I];
    entries.push_back({info, [](Parameters& p) -> Scalar& { return L::table()[I].at(p); }});
}
}  // namespace detail

/// The table of L, of N entries at most, for parameters that are those of L and some more.
template <class L, class Parameters, std::size_t N>
core::ParameterTable<Parameters> lifted_table() {
    core::ParameterTable<Parameters> entries;
    [&]<std::size_t... I>(std::index_sequence<I...>) { (detail::lift_entry<L, Parameters, I>(entries), ...); }
    (std::make_index_sequence<N>{});
    return entries;
}

/// A law with parameters it is tested and timed with.
struct Specimen {
    std::vector<double> values;  ///< in table order; those left out take the table's default
    double amplitude = 1;        ///< of a walk that shows microslip, closing loops and full slip
    int seeded = 4;              ///< parameters whose derivatives are timed, from the first
    std::string label = {};      ///< tells several specimens of one law apart: "n=2"
    double normal_approach = 0;  ///< of a contact law that is moved along a line
};

}  // namespace faying::laws
