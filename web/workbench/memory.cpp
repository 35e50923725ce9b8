#include "memory.hpp"

#include "faying/core/text.hpp"
#include "faying/laws/expression.hpp"
#include "faying/laws/library.hpp"

namespace faying::workbench {

namespace {

using laws::value;

/// The state of a law after a path, by what its type tells of it.
template <laws::HysteresisLaw L>
Remembered of_law(const std::vector<double>& values, std::span<const double> points) {
    const auto law = laws::law_from<L>(laws::parameters_from<L>(values));
    auto z = law.virgin();
    for (const double u : points) z = law.step(std::move(z), u).next;
    Remembered r{std::string(L::key)};
    if constexpr (requires { z.turns; }) {
        r.turns.emplace();
        for (const auto& turn : z.turns) r.turns->push_back({value(turn.u), value(turn.force)});
    } else if constexpr (requires { z.positions; }) {
        for (std::size_t i = 0; i < z.positions.size(); ++i)
            r.numbers.emplace_back("slider " + std::to_string(i + 1), value(z.positions[i]));
    } else if constexpr (requires { z.bands; }) {
        r.numbers.emplace_back("bands of sliders that moved together", double(z.bands.size()));
    } else if constexpr (requires { z.theta; }) {
        r.numbers.emplace_back("theta", value(z.theta));
    } else if constexpr (requires { z.z[0]; }) {
        for (int i = 0; i < 2; ++i) r.numbers.emplace_back("z" + std::to_string(i + 1), value(z.z[i]));
    } else if constexpr (requires { z.q[0]; }) {
        for (int i = 0; i < int(z.q.size()); ++i) r.numbers.emplace_back("q" + std::to_string(i + 1), value(z.q[i]));
    } else if constexpr (requires { z.force; }) {
        r.numbers.emplace_back("force", value(z.force));
    }
    return r;
}

/// The first law of the list with that key; nothing for contact laws, which remember a traction.
template <class... L>
std::optional<Remembered> find(laws::LawList<L...>, const std::string& key, const std::vector<double>& values,
                               std::span<const double> points) {
    std::optional<Remembered> r;
    const auto ask = [&]<class One>(laws::LawList<One>) {
        if constexpr (laws::HysteresisLaw<One>)
            if (!r && key == One::key) r = of_law<One>(values, points);
    };
    (ask(laws::LawList<L>{}), ...);
    return r;
}

}  // namespace

std::vector<Remembered> remembered(const std::string& expression, const std::vector<double>& values,
                                   std::span<const double> points) {
    std::vector<Remembered> all;
    std::size_t first = 0;
    for (const auto& part : laws::parts_of(expression)) {
        const auto next = first + part.parameters.size();
        const std::vector<double> own(values.begin() + long(first), values.begin() + long(next));
        all.push_back(find(laws::Library{}, part.law->info.key, own, points).value_or(Remembered{part.law->info.key}));
        first = next;
    }
    return all;
}

}  // namespace faying::workbench
