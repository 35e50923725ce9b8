#pragma once
// Masing memory: any odd backbone f0 extended to any history, exactly.
//
//     virgin curve        f = s f0(|u|)
//     branch from (uk,fk) f = fk + 2 s f0(|u - uk|/2),  s = sgn(u - uk)
//
// Reversal points (uk, fk) stack up; when a branch reaches the point before the last reversal both leave the stack
// (return-point memory), and beyond the largest past amplitude the virgin curve resumes. Work a step: one backbone
// evaluation, O(1) stack operations amortised. Loop at amplitude A: D = 8 Int_0^A f0 du - 4 A f0(A).
//
// A backbone supplies f0, its slope and its dissipation d0(u) = 2 Int_0^u f0 - u f0(u), all for u >= 0. The last one
// rather than the integral, because 8 Int f0 - 4 A f0 cancels in microslip while d0 has a form that does not;
// Int_0^u f0 = (d0 + u f0)/2, a branch of length 2x dissipates 2 d0(x), a steady loop 4 d0(A).

#include <cmath>
#include <optional>
#include <vector>

#include "faying/laws/law.hpp"

namespace faying::laws {

template <class T>
struct BackboneValue {
    T force{};
    T tangent{};
    T dissipated{};  ///< d0(u) = 2 Int_0^u f0 - u f0(u)
};

template <class B>
concept Backbone = std::copyable<B> && requires(const B b, typename B::Scalar u) {
    { b.at(u) } -> std::same_as<BackboneValue<typename B::Scalar>>;  // u >= 0
    { B::key } -> std::convertible_to<std::string_view>;
};

template <Backbone B>
class Masing {
 public:
    using Scalar = typename B::Scalar;
    using Parameters = typename B::Parameters;
    template <class U>
    using rebind = Masing<typename B::template rebind<U>>;

    static constexpr std::string_view key = B::key;
    static constexpr bool continuous = [] {
        if constexpr (requires { B::continuous; }) return B::continuous;
        return true;
    }();
    static constexpr Claims claims{.odd = true, .return_point = true, .masing = true, .continuous = continuous};
    static const auto& table() { return B::table(); }

    explicit Masing(const Parameters& parameters) : backbone_(parameters) {}
    explicit Masing(const B& backbone) : backbone_(backbone) {}
    Parameters parameters() const { return backbone_.parameters(); }
    const B& backbone() const { return backbone_; }

    /// Where the direction of travel changed, and the totals there.
    struct Reversal {
        Scalar u{}, force{}, stored{}, dissipated{};
        Scalar leg{};    ///< dissipated on the leg that ended here: d0 on the virgin curve, 2 d0 on a branch
        Scalar inner{};  ///< dissipated in loops that have closed on the branch that starts here
    };

    struct State {
        Reversal here;          ///< the committed point, ready to be pushed
        Scalar closed_loops{};  ///< dissipated in loops that have closed on the virgin curve
        int direction = 0;      ///< of the last movement
        std::vector<Reversal> turns;
    };

    State virgin() const { return {}; }

    Response<Scalar> respond(const State& z, const Scalar& u) const {
        Reversal end;
        const Scalar tangent = arrive(z, travel(z, u), u, end);
        return {end.force, tangent, end.stored + end.dissipated, end.dissipated};
    }

    Step<Scalar, State> step(State z, const Scalar& u) const {
        const Travel way = travel(z, u);
        Step<Scalar, State> out;
        const Reversal& end = out.next.here;  // written in place: copying it would cost as much as the backbone
        out.tangent = arrive(z, way, u, out.next.here);
        if (way.turned) z.turns.push_back(z.here);
        while (z.turns.size() > way.depth) z.turns.pop_back();
        if (way.depth > 0) z.turns.back().inner += way.inner_loops;
        out.next.closed_loops = way.depth == 0 ? way.closed_loops : z.closed_loops;
        out.next.direction = way.direction;
        out.next.turns = std::move(z.turns);
        out.force = end.force;
        out.work = end.stored + end.dissipated;
        out.dissipated = end.dissipated;
        return out;
    }

 private:
    B backbone_;

    struct Travel {
        int direction = 0;
        bool turned = false;    ///< the committed point is a new reversal
        std::size_t depth = 0;  ///< reversal points still open (the new one included)
        Scalar inner_loops{};   ///< dissipated in the loops closed on the way, owed to the innermost open branch
        Scalar closed_loops{};  ///< State::closed_loops after the move
    };

    Travel travel(const State& z, const Scalar& u) const {
        Travel way;
        way.direction = direction_of(value(u) - value(z.here.u), z.direction);
        way.turned = z.direction != 0 && way.direction != z.direction;
        way.depth = z.turns.size() + (way.turned ? 1 : 0);
        way.closed_loops = z.closed_loops;
        const auto open = [&](std::size_t i) -> const Reversal& { return i < z.turns.size() ? z.turns[i] : z.here; };
        const double s = way.direction;
        while (way.depth > 0) {
            if (way.depth >= 2) {
                const Reversal& last = open(way.depth - 1);
                const Reversal& before = open(way.depth - 2);
                if (s * (value(u) - value(before.u)) < 0) break;
                way.inner_loops += last.dissipated + last.inner + last.leg - before.dissipated;
                way.depth -= 2;
            } else {
                const Reversal& first = open(0);
                if (s * (value(u) + value(first.u)) < 0) break;
                way.closed_loops = first.dissipated + first.inner + first.leg + way.inner_loops;
                way.inner_loops = Scalar(0.0);
                way.depth = 0;
            }
        }
        if (way.depth == 0) {
            way.closed_loops += way.inner_loops;
            way.inner_loops = Scalar(0.0);
        }
        return way;
    }

    /// Fills in the point u at the end of the way; returns the tangent there.
    Scalar arrive(const State& z, const Travel& way, const Scalar& u, Reversal& end) const {
        end.u = u;
        if (way.depth == 0) {
            const double s = value(u) < 0 ? -1.0 : 1.0;
            const auto curve = backbone_.at(s * u);
            end.force = s * curve.force;
            end.stored = 0.5 * (s * u * curve.force - curve.dissipated);
            end.leg = curve.dissipated;
            end.dissipated = way.closed_loops + curve.dissipated;
            return curve.tangent;
        }
        const Reversal& from = way.depth <= z.turns.size() ? z.turns[way.depth - 1] : z.here;
        const double s = way.direction;
        const Scalar run = u - from.u;
        const auto curve = backbone_.at(0.5 * s * run);
        end.force = from.force + 2.0 * s * curve.force;
        end.stored = from.stored + run * (from.force + s * curve.force);
        end.leg = 2.0 * curve.dissipated;
        end.dissipated = from.dissipated + from.inner + way.inner_loops + end.leg;
        return curve.tangent;
    }
};

}  // namespace faying::laws
