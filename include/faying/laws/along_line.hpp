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

template <class C>
class AlongLine {
 public:
    using Scalar = typename C::Scalar;
    using Description = C;
    struct Parameters : ParametersOf<C> {
        using Scalar = typename C::Scalar;
        Scalar un;
    };
    template <class U>
    using rebind = typename detail::MadeOn<AlongLine, C, U>::type;
    static constexpr std::string_view key = C::key;
    static constexpr Claims claims{.return_point = true};

    static const core::ParameterTable<Parameters>& table() {
        static const core::ParameterTable<Parameters> t = [] {
            auto entries = lifted_table<C, Parameters, 8>();
            entries.push_back(
                core::parameter<&Parameters::un, Parameters>("un", "u_n", "m", core::any_real, core::Scale::linear,
                                                             "normal approach held along the path, positive when "
                                                             "pressed together; x:y:n points carry it themselves"));
            return entries;
        }();
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
};

}  // namespace faying::laws
