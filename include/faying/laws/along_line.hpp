#pragma once
// A contact law moved along one tangential line while the normal approach un stays put: a law of one displacement,
// so that everything made for those (loops, cycles, plots, comparisons) serves contact laws too.

#include "faying/laws/contact.hpp"

namespace faying::laws {

template <ContactLaw C>
class AlongLine {
 public:
    using Scalar = typename C::Scalar;
    struct Parameters : C::Parameters {
        Scalar un;
    };
    template <class U>
    using rebind = AlongLine<typename C::template rebind<U>>;
    static constexpr std::string_view key = C::key;
    static constexpr Claims claims{.return_point = true};

    static const core::ParameterTable<Parameters>& table() {
        static const core::ParameterTable<Parameters> t = lifted(std::make_index_sequence<8>{});
        return t;
    }

    explicit AlongLine(const Parameters& p) : contact_(p), un_(p.un) {}
    Parameters parameters() const { return {contact_.parameters(), un_}; }
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
        const auto& own = C::table();
        if (I >= own.size()) return;
        const core::ParameterInfo& info = own[I];
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
