#pragma once
// Two laws side by side: same displacement, forces add. `+kp` is a law beside a linear spring ([S0] Eq. 30: reversal
// forces come from the law alone, which is what separate states give); IGNL is an Iwan law beside a polynomial spring.

#include <algorithm>
#include <utility>

#include "faying/laws/law.hpp"

namespace faying::laws {

template <class First, class Second>
class Parallel {
 public:
    using Scalar = typename First::Scalar;
    static constexpr std::string_view key = "parallel";
    static constexpr Claims claims{
        .odd = claims_of<First>().odd && claims_of<Second>().odd,
        .return_point = claims_of<First>().return_point && claims_of<Second>().return_point,
        .masing = claims_of<First>().masing && claims_of<Second>().masing,
        .dissipative = claims_of<First>().dissipative && claims_of<Second>().dissipative,
        .continuous = claims_of<First>().continuous && claims_of<Second>().continuous,
        .elastic = claims_of<First>().elastic && claims_of<Second>().elastic,
        .cut_tolerance = claims_of<First>().cut_tolerance == 0 || claims_of<Second>().cut_tolerance == 0
                             ? 0.0  // not claimed
                             : std::max(claims_of<First>().cut_tolerance, claims_of<Second>().cut_tolerance),
    };

    Parallel(First first, Second second) : first_(std::move(first)), second_(std::move(second)) {}
    const First& first() const { return first_; }
    const Second& second() const { return second_; }

    struct State {
        typename First::State first;
        typename Second::State second;
    };
    State virgin() const { return {first_.virgin(), second_.virgin()}; }

    Step<Scalar, State> step(State z, const Scalar& u) const {
        auto a = first_.step(std::move(z.first), u);
        auto b = second_.step(std::move(z.second), u);
        return {a.force + b.force, a.tangent + b.tangent, a.work + b.work, a.dissipated + b.dissipated,
                State{std::move(a.next), std::move(b.next)}};
    }

 private:
    First first_;
    Second second_;
};

}  // namespace faying::laws
