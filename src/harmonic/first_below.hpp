#pragma once
// The first time at which a smooth function falls below a level, however short it stays there: a part of the time is
// passed only where bounds of its derivatives show that it holds no such time, and halved until they do.

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace faying::harmonic::detail {

/// A function and its derivatives at a time.
struct Local {
    double value = 0, slope = 0, bend = 0;
};
/// Of the second and third derivative's size, anywhere. Without the third the second is not looked at.
struct Bounds {
    double bend = 0, jerk = std::numeric_limits<double>::infinity();
};

template <class F>
class FirstBelow {
 public:
    FirstBelow(F f, Bounds bounds, double level, double shortest = 1e-9)
        : f_(std::move(f)), bounds_(bounds), level_(level), shortest_(shortest) {}

    /// A time at which it is below the level, at a minimum or behind the first crossing, with one that is before it.
    struct Bracket {
        double before = 0, below = 0;
    };
    std::optional<Bracket> find(double from, double to) const {
        const Local start = at(from);
        if (start.value < 0) return Bracket{from, from};
        if (!(to > from)) return std::nullopt;
        return search(from, start, to, at(to));
    }

 private:
    F f_;
    Bounds bounds_;
    double level_, shortest_;

    Local at(double t) const {
        Local here = f_(t);
        here.value -= level_;
        return here;
    }

    /// `a` is not below.
    std::optional<Bracket> search(double from, const Local& a, double to, const Local& b) const {
        const double length = to - from, mean = 0.5 * (a.bend + b.bend), spread = 0.5 * bounds_.jerk * length;
        const double most = std::min(bounds_.bend, mean + spread), least = std::max(-bounds_.bend, mean - spread);
        if (std::min(a.value, b.value) >= std::max(most, 0.0) * length * length / 8) return std::nullopt;
        if (least >= 0) {  // convex: from both ends no lower than the tangents
            if (a.slope >= 0) return std::nullopt;
            if (b.slope <= 0) return b.value < 0 ? std::optional(Bracket{from, to}) : std::nullopt;
            const double share = (b.value - a.value - b.slope * length) / (a.slope - b.slope);
            if (a.value + a.slope * std::clamp(share, 0.0, length) >= 0) return std::nullopt;
        }
        const bool falls = a.slope + b.slope + std::max(most, 0.0) * length < 0;
        if (b.value < 0 && (most <= 0 || falls)) return Bracket{from, to};
        if (length < shortest_) return b.value < 0 ? std::optional(Bracket{from, to}) : std::nullopt;
        const double middle = 0.5 * (from + to);
        const Local between = at(middle);
        if (auto found = search(from, a, middle, between)) return found;
        return between.value < 0 ? std::optional(Bracket{from, middle}) : search(middle, between, to, b);
    }
};

/// Where a function that is positive at `from` and not at `to` is zero, to rounding; not before it is.
template <class F>
double falls_to_zero(F&& f, double from, double to, double at_from, double at_to) {
    std::uintmax_t most = 100;
    const auto ends = boost::math::tools::toms748_solve(
        f, from, to, at_from, at_to, [](double a, double b) { return std::abs(b - a) <= 2e-15; }, most);
    return ends.second;
}

}  // namespace faying::harmonic::detail
