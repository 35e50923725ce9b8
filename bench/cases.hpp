#pragma once
// Every law of the library with the parameters it is timed with, its specimens: about one and a half times the onset of
// macroslip, so that a walk sees microslip, closing minor loops and full slip.

#include <string>

#include "faying/laws/along_line.hpp"
#include "faying/laws/entry.hpp"
#include "faying/laws/library.hpp"

namespace faying::bench {

using namespace faying::laws;

template <class L, class Visit>
void every_specimen(Visit& visit) {
    for (const auto& s : specimens_of<L>())
        visit(std::string(L::key) + (s.label.empty() ? "" : " " + s.label), law_from<L>(parameters_from<L>(s.values)),
              s.amplitude, s.seeded);
}

template <class Visit, class... L>
void every_law(LawList<L...>, Visit& visit) {
    const auto one = [&visit]<class Law>(LawList<Law>) {
        if constexpr (ContactLaw<Law>)
            every_specimen<AlongLine<Law>>(visit);
        else
            every_specimen<Law>(visit);
    };
    (one(LawList<L>{}), ...);
}

/// Calls visit(name, law, amplitude, seeded): `seeded` parameters carry a direction in the timing of derivatives.
template <class Visit>
void every_law(Visit&& visit) {
    every_law(Library{}, visit);
}

/// The law again on dual numbers, its first `seeded` parameters carrying a direction each.
template <class L>
auto with_derivatives(const L& law, int seeded) {
    using D = typename L::template rebind<core::Dual>;
    auto values = law.parameters();
    typename D::Parameters p{};
    for (std::size_t i = 0; i < L::table().size(); ++i) {
        core::Dual x(L::table()[i].at(values));
        if (int(i) < seeded) x.v[Eigen::Index(i)] = 1.0;
        D::table()[i].at(p) = x;
    }
    return D(p);
}

}  // namespace faying::bench
