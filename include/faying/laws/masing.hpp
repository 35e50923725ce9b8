#pragma once
// Masing memory: any odd virgin curve f0 extended to any history, exactly.
//
//     virgin curve        f = s f0(|u|)
//     branch from (uk,fk) f = fk + 2 s f0(|u - uk|/2),  s = sgn(u - uk)
//
// Reversal points (uk, fk) stack up; when a branch reaches the point before the last reversal both leave the stack
// (return-point memory), and beyond the largest past amplitude the virgin curve resumes. Work a step: one virgin curve
// evaluation, O(1) stack operations amortised. Loop at amplitude A: D = 8 Int_0^A f0 du - 4 A f0(A).
//
// A virgin curve supplies f0, its slope and its dissipation d0(u) = 2 Int_0^u f0 - u f0(u), all for u >= 0. The last
// one rather than the integral, because 8 Int f0 - 4 A f0 cancels in microslip while d0 has a form that does not;
// Int_0^u f0 = (d0 + u f0)/2, a branch of length 2x dissipates 2 d0(x), a steady loop 4 d0(A).

#include <cmath>
#include <optional>
#include <vector>

#include "faying/laws/parameters.hpp"

namespace faying::laws {

template <class T>
struct CurveValue {
    T force{};
    T tangent{};
    T dissipated{};  ///< d0(u) = 2 Int_0^u f0 - u f0(u)
};

template <class B>
concept VirginCurve = std::copyable<B> && requires(const B b, typename B::Scalar u) {
    { b.at(u) } -> std::same_as<CurveValue<typename B::Scalar>>;  // u >= 0
    { B::key } -> std::convertible_to<std::string_view>;
};

template <VirginCurve B>
class Masing {
 public:
    using Scalar = typename B::Scalar;
    using Parameters = typename B::Parameters;
    using Description = B;
    template <class U>
    using rebind = Masing<typename B::template rebind<U>>;

    static constexpr std::string_view key = B::key;
    static constexpr bool continuous = [] {
        if constexpr (requires { B::continuous; }) return B::continuous;
        return true;
    }();
    static constexpr Claims claims{.odd = true, .return_point = true, .masing = true, .continuous = continuous};
    static const auto& table() { return B::table(); }

    explicit Masing(const Parameters& parameters) : curve_(parameters) {}
    explicit Masing(const B& curve) : curve_(curve) {}
    Parameters parameters() const { return curve_.parameters(); }
    const B& virgin_curve() const { return curve_; }
    Scalar macroslip() const requires requires(const B curve) { curve.macroslip(); }
    { return curve_.macroslip(); }

    /// Where the direction of travel changed, and the totals there. What the next step needs first, u, stands apart
    /// from what waits for the virgin curve: they are copied in pairs, and the pair (u, force) would make each step
    /// wait for the last (a tenth of its time).
    struct Reversal {
        Scalar u{};
        Scalar inner{};  ///< dissipated in loops that have closed on the branch that starts here
        Scalar force{}, stored{}, dissipated{};
        Scalar leg{};  ///< dissipated on the leg that ended here: d0 on the virgin curve, 2 d0 on a branch
    };

    struct State {
        Reversal here;          ///< the committed point, ready to be pushed
        Scalar closed_loops{};  ///< dissipated in loops that have closed on the virgin curve
        int direction = 0;      ///< of the last movement
        std::vector<Reversal> turns;
    };

    State virgin() const { return {}; }

    Response<Scalar> respond(const State& z, const Scalar& u) const {
        const Travel way = travel(z, u);
        Reversal end;
        const Scalar tangent = way.depth == 0 ? on_virgin_curve(way.closed_loops, u, end)
                                              : on_branch(way.depth <= z.turns.size() ? z.turns[way.depth - 1] : z.here,
                                                          way.inner_loops, way.direction, u, end);
        return {end.force, tangent, end.stored + end.dissipated, end.dissipated};
    }

    /// Branches end where they meet an older reversal (or its mirror image, on the virgin curve), and have the kinks
    /// of the virgin curve at twice the distance.
    void kinks(const State& z, std::vector<double>& at) const {
        const auto from = [&](double u, double scale) {
            at.push_back(u);
            if constexpr (requires { curve_.macroslip(); })
                for (const double s : {-scale, scale}) at.push_back(u + s * value(curve_.macroslip()));
        };
        from(0.0, 1.0);
        from(value(z.here.u), 2.0);
        for (const Reversal& turn : z.turns) from(value(turn.u), 2.0);
        if (!z.turns.empty()) at.push_back(-value(z.turns.front().u));
        at.push_back(-value(z.here.u));
    }

    Step<Scalar, State> step(const State& z, const Scalar& u) const { return step(State(z), u); }

    /// In the state's own place: moving it about costs as much as a virgin curve.
    Step<Scalar, State> step(State&& z, const Scalar& u) const {
        const Travel way = travel(z, u);
        Step<Scalar, State> out{.next = std::move(z)};
        State& next = out.next;
        if (way.depth > next.turns.size())
            next.turns.push_back(next.here);
        else
            while (next.turns.size() > way.depth) next.turns.pop_back();
        next.direction = way.direction;
        if (way.depth == 0) {
            next.closed_loops = way.closed_loops;
            out.tangent = on_virgin_curve(way.closed_loops, u, next.here);
        } else {
            next.turns.back().inner += way.inner_loops;
            out.tangent = on_branch(next.turns.back(), Scalar(0.0), way.direction, u, next.here);
        }
        out.force = next.here.force;
        out.work = next.here.stored + next.here.dissipated;
        out.dissipated = next.here.dissipated;
        return out;
    }

 private:
    B curve_;

    struct Travel {
        int direction = 0;
        std::size_t depth = 0;  ///< reversal points still open (the new one included)
        Scalar inner_loops{};   ///< dissipated in the loops closed on the way, owed to the innermost open branch
        Scalar closed_loops{};  ///< State::closed_loops after the move
    };

    Travel travel(const State& z, const Scalar& u) const {
        Travel way;
        way.direction = direction_of(value(u) - value(z.here.u), z.direction);
        const std::size_t known = z.turns.size();
        const Reversal* const turns = z.turns.data();
        way.depth = known + (way.direction * z.direction < 0 ? 1 : 0);  // a new reversal at z.here
        const double s = way.direction;
        const auto open = [&](std::size_t i) -> const Reversal& { return i < known ? turns[i] : z.here; };
        // A loop closes where the branch meets the reversal before the last, or mirrors the only one.
        for (; way.depth >= 2; way.depth -= 2) {
            const Reversal& before = turns[way.depth - 2];  // never z.here, which would be the last
            if (s * (value(u) - value(before.u)) < 0) return way;
            const Reversal& last = open(way.depth - 1);
            way.inner_loops += last.dissipated + last.inner + last.leg - before.dissipated;
        }
        way.closed_loops = z.closed_loops;
        if (way.depth == 1) {
            const Reversal& first = open(0);
            if (s * (value(u) + value(first.u)) < 0) return way;
            way.closed_loops = first.dissipated + first.inner + first.leg;
            way.depth = 0;
        }
        way.closed_loops += way.inner_loops;
        return way;
    }

    // Both fill in the point u and return the tangent there.

    Scalar on_virgin_curve(const Scalar& closed_loops, const Scalar& u, Reversal& end) const {
        const double s = value(u) < 0 ? -1.0 : 1.0;
        end.u = u;
        const auto curve = curve_.at(s * u);
        end.force = s * curve.force;
        end.stored = 0.5 * (s * u * curve.force - curve.dissipated);
        end.leg = curve.dissipated;
        end.dissipated = closed_loops + curve.dissipated;
        return curve.tangent;
    }

    /// `inner`: dissipated in loops closed on this branch beyond those the reversal point knows of.
    Scalar on_branch(const Reversal& from, const Scalar& inner, double s, const Scalar& u, Reversal& end) const {
        const Scalar run = u - from.u;
        end.u = u;
        const auto curve = curve_.at(0.5 * s * run);
        end.force = from.force + 2.0 * s * curve.force;
        end.stored = from.stored + run * (from.force + s * curve.force);
        end.leg = 2.0 * curve.dissipated;
        end.dissipated = from.dissipated + from.inner + inner + end.leg;
        return curve.tangent;
    }
};

}  // namespace faying::laws
