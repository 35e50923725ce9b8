#pragma once
// What a law says about itself, gathered from its type. All of it but the key may be left out of a user's law.
//
//     key, title, source          what it is called, one line for people, where it comes from
//     table()                     parameters: key, unit, bounds, default, range of a search
//     claims, drive               what it promises; whether displacement or force is prescribed
//     macroslip()                 displacement beyond which all of it slips
//     linear()                    of a spring: the stiffness is the same everywhere
//     starts(features, known)     starting values from a measured loop
//     search_form(), from_search  what is searched in place of parameters (search.hpp)
//     specimens()                 parameters to test and time it with
//     why_not_admissible(p)       parameters that are each in bounds and do not go together: why; else empty
//
// A law made of another (Masing of a curve, a contact law along a line) names it as `Description`.

#include "faying/laws/law_model.hpp"
#include "faying/laws/loop_features.hpp"
#include "faying/laws/search.hpp"

namespace faying::laws {

/// What `faying laws` prints of an entry.
struct LawInfo {
    std::string key;
    std::string title;
    std::string source;  ///< [S0]..[S4] and section
    std::vector<core::ParameterInfo> parameters;
    Claims claims;
    Drive drive = Drive::displacement;
    int components = 1;  ///< 3 for contact laws on (x, y, n)
    Derivatives derivatives = Derivatives::exact;
};

/// One entry of the catalogue.
struct LawEntry {
    LawInfo info;
    std::function<std::shared_ptr<const LawModel>(const std::vector<double>& values)>
        make;                                                                             ///< in table order, checked
    Starts (*starts)(const LoopFeatures&, const core::ParameterValues& known) = nullptr;  ///< none: suggests nothing
    SearchForm search = {};
    void (*from_search)(SearchPoint<double>&) = nullptr;
    void (*from_search_with_slopes)(SearchPoint<SearchDual>&) = nullptr;
    std::vector<Specimen> specimens = {};
};

namespace detail {

template <class L>
struct DescriptionOf {
    using type = L;
};
template <class L>
requires requires { typename L::Description; }
struct DescriptionOf<L> {
    using type = typename DescriptionOf<typename L::Description>::type;
};

}  // namespace detail

/// Of the law, or of what it is made of.
template <class L>
std::vector<Specimen> specimens_of() {
    using About = typename detail::DescriptionOf<L>::type;
    std::vector<Specimen> all;
    if constexpr (requires { L::specimens(); })
        all = L::specimens();
    else if constexpr (requires { About::specimens(); })
        all = About::specimens();
    return all;
}

/// The facts of a law's type, without a way to make it by name.
template <class L>
LawInfo info_of() {
    using About = typename detail::DescriptionOf<L>::type;
    LawInfo info;
    info.key = std::string(L::key);
    info.title = info.key;
    if constexpr (requires { About::title; }) info.title = std::string(About::title);
    if constexpr (requires { About::source; }) info.source = std::string(About::source);
    if constexpr (NamedParameters<L>) info.parameters = {L::table().begin(), L::table().end()};
    info.claims = claims_of<L>();
    info.drive = drive_of<L>();
    info.components = ContactLaw<L> ? 3 : 1;
    info.derivatives = DualLaw<L> ? Derivatives::exact : Derivatives::differences;
    return info;
}

template <class L>
void require_admissible(const ParametersOf<L>& p) {
    if constexpr (requires { L::why_not_admissible(p); })
        if (const std::string why = L::why_not_admissible(p); !why.empty())
            throw core::BadInput(std::string(L::key), why);
}

template <class L>
LawEntry entry_of() {
    static_assert(HysteresisLaw<L> || ContactLaw<L>, "not a law: see faying/laws/law.hpp and contact.hpp");
    static_assert(NamedParameters<L>, "a law found by name needs table(): see faying/laws/parameters.hpp");
    using About = typename detail::DescriptionOf<L>::type;
    LawEntry e;
    e.info = info_of<L>();
    e.make = +[](const std::vector<double>& values) {  // + : a plain function, which tells entries of one type
        const auto p = parameters_from<L>(values);
        require_admissible<L>(p);
        return model_of(law_from<L>(p));
    };
    if constexpr (requires(const LoopFeatures& f, const core::ParameterValues& known) { About::starts(f, known); })
        e.starts = [](const LoopFeatures& f, const core::ParameterValues& known) -> Starts {
            return About::starts(f, known);
        };
    if constexpr (requires { About::search_form(); }) {
        e.search = About::search_form();
        e.from_search = [](SearchPoint<double>& x) { About::from_search(x); };
        e.from_search_with_slopes = [](SearchPoint<SearchDual>& x) { About::from_search(x); };
    }
    e.specimens = specimens_of<L>();
    return e;
}

}  // namespace faying::laws
