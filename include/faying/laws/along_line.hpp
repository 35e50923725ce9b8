#pragma once
// A contact law moved along one tangential line while the normal approach un stays put: a law of one displacement,
// so that everything made for those (loops, cycles, plots, comparisons) serves contact laws too.

#include "faying/laws/contact.hpp"

namespace faying::laws {

/// Whether a contact law is to be had along a line too; `static constexpr bool moves_along_line = false` says no.
template <ContactLaw C>
constexpr bool moves_along_line() {
    if constexpr (requires { C::moves_along_line; })
        return C::moves_along_line;
    else
        return NamedParameters<C>;
}

template <ContactLaw C>
class AlongLine;

namespace detail {
/// The same on another scalar, if the contact law is a template of it.
template <class C, class U>
struct AlongLineOn {};
template <class C, class U>
requires requires { typename C::template rebind<U>; }
struct AlongLineOn<C, U> {
    using type = AlongLine<typename C::template rebind<U>>;
};
}  // namespace detail

template <ContactLaw C>
class AlongLine {
 public:
    using Scalar = typename C::Scalar;
    using Description = C;
    struct Parameters : ParametersOf<C> {
        using Scalar = typename C::Scalar;
        Scalar un;
    };
    template <class U>
    using rebind = typename detail::AlongLineOn<C, U>::type;
    static constexpr std::string_view key = C::key;
    static constexpr Claims claims{.return_point = true};

    static const core::ParameterTable<Parameters>& table() {
        static const core::ParameterTable<Parameters> t = lifted(std::make_index_sequence<8>{});
        return t;
    }

    static std::vector<Specimen> specimens() requires requires { C::specimens(); }
    {
        auto all = C::specimens();
        for (auto& s : all) {
            for (std::size_t i = s.values.size(); i < C::table().size(); ++i)
                s.values.push_back(C::table()[i].fallback.value());
            s.values.push_back(s.normal_approach);
        }
        return all;
    }

    explicit AlongLine(const Parameters& p) : contact_(law_from<C>(p)), un_(p.un) {}
    Parameters parameters() const { return {parameters_of(contact_), un_}; }
    const C& contact() const { return contact_; }

    using State = typename C::State;
    State virgin() const {
        auto z = contact_.step(contact_.virgin(), {Scalar(0.0), Scalar(0.0), un_}).next;
        return z;
    }

    Step<Scalar, State> step(const State& z, const Scalar& u) const {
        const auto s = contact_.step(z, {u, Scalar(0.0), un_});
        return {s.force[0], s.tangent[0][0], s.tangential_work, s.dissipated, s.next};
    }

 private:
    C contact_;
    Scalar un_;

    template <std::size_t I>
    static void lift(core::ParameterTable<Parameters>& entries) {
        const auto& table = C::table();
        if (I >= table.size()) return;
        const core::ParameterInfo& info = table[I];
        entries.push_back({info, [](Parameters& p) -> Scalar& { return C::table()[I].at(p); }});
    }

    template <std::size_t... I>
    static core::ParameterTable<Parameters> lifted(std::index_sequence<I...>) {
        core::ParameterTable<Parameters> entries;
        (lift<I>(entries), ...);
        entries.push_back(core::parameter<&Parameters::un, Parameters>(
            "un", "u_n", "m", core::any_real, core::Scale::linear,
            "normal approach held along the path, positive when pressed together; x:y:n points carry it themselves"));
        return entries;
    }
};

}  // namespace faying::laws
