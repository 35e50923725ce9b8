#pragma once
// Random histories and what a law says along them.

#include "faying/laws/law.hpp"
#include "properties/support.hpp"

namespace faying::tests {

/// Turning points: sizes over two and a half decades about `length`, now and then back to an earlier point (or its
/// mirror image) exactly, which is where memory closes.
inline std::vector<double> random_path(double length, int most_turns = 8) {
    std::vector<double> path;
    const int turns = pick(1, most_turns);
    for (int i = 0; i < turns; ++i) {
        const int kind = pick(0, 9);
        if (kind == 8 && !path.empty())
            path.push_back(path[pick(0, int(path.size()) - 1)]);
        else if (kind == 9 && !path.empty())
            path.push_back(-path[pick(0, int(path.size()) - 1)]);
        else
            path.push_back(sign_of_chance() * length * log_uniform(0.05, 20.0));
        // No leg of length zero: which of two tangents holds at a standstill is nobody's to say.
        if (path.size() > 1 && path.back() == path[path.size() - 2]) path.pop_back();
    }
    return path;
}

inline std::string text_of(const std::vector<double>& path) {
    std::ostringstream out;
    out.precision(17);
    out << "path 0";
    for (const double u : path) out << ", " << u;
    return out.str();
}

/// One straight leg of a path and the law's answer at its end.
template <class L>
struct Leg {
    double from = 0, to = 0;
    typename L::State before;
    laws::Step<typename L::Scalar, typename L::State> end;
};

template <class L>
struct Walk {
    std::vector<Leg<L>> legs;
    double force = 0;   ///< largest force met
    double travel = 0;  ///< length of the way

    double energy() const { return force * travel; }
};

template <class L>
Walk<L> walk(const L& law, const std::vector<double>& path) {
    using T = typename L::Scalar;
    Walk<L> w;
    auto z = law.virgin();
    double at = 0;
    for (const double to : path) {
        Leg<L> leg{at, to, z, law.step(z, T(to))};
        for (const double part : {0.02, 0.25, 0.5, 0.75})
            w.force = std::max(w.force, std::abs(laws::value(laws::respond(law, z, T(at + part * (to - at))).force)));
        w.force = std::max(w.force, std::abs(laws::value(leg.end.force)));
        w.travel += std::abs(to - at);
        z = leg.end.next;
        at = to;
        w.legs.push_back(std::move(leg));
    }
    return w;
}

}  // namespace faying::tests
