#pragma once
// Derivatives of a law that is not a template of its scalar: central differences, history included.
//
// Beside the law itself run, for each direction of core::Dual, the law a little further and a little less far in that
// direction: its parameters moved, and its displacements by as much as they carry. Half the difference of the answers
// over the step is the derivative, whatever happened before. Steps are 6e-6 of a parameter's size, which leaves about
// 1e-10 of a smooth answer; at a corner of the law the two sides are averaged. Parameters stay within their bounds.

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <optional>
#include <span>

#include "faying/laws/contact.hpp"
#include "faying/laws/parameters.hpp"

namespace faying::laws {

/// Which direction of core::Dual each parameter is seeded in, in table order; -1: none.
using Seeds = std::span<const int>;

/// Step of a central difference, relative: the cube root of the rounding unit.
inline constexpr double relative_step = 6e-6;

/// A parameter moved up and down, within its bounds.
struct MovedParameter {
    double up, down;
};
inline MovedParameter moved(const core::ParameterInfo& info, double x) {
    const double step = relative_step * (x != 0.0 ? std::abs(x) : 1.0);
    const auto within = [&](double to) { return info.bounds.contains(to) ? to : x; };
    return {within(x + step), within(x - step)};
}

template <class L>
requires HysteresisLaw<L> || ContactLaw<L>
class Differenced {
 public:
    using Scalar = core::Dual;
    static constexpr int directions = core::directions;
    static constexpr std::string_view key = L::key;
    static constexpr Claims claims = claims_of<L>();

    /// How far one side goes up and the other down, for a derivative of one.
    struct Reach {
        double up = 0, down = 0;
        bool none() const { return up + down == 0; }
    };
    /// The law moved in one direction, for a law whose parameters its type does not name.
    struct Sides {
        L up, down;
        Reach reach;
    };
    /// `sides(d)` gives those of direction d, or none where no parameter is seeded in it.
    template <class Moved>
    requires requires(const Moved& m) {
        { m(0) } -> std::same_as<std::optional<Sides>>;
    }
    Differenced(const L& law, const Moved& sides) : law_(law) {
        for (int d = 0; d < directions; ++d)
            if (auto given = sides(d)) {
                step_[d] = given->reach;
                up_[d] = given->up;
                down_[d] = given->down;
            }
    }

    Differenced(const L& law, Seeds seeds) : law_(law) {
        if constexpr (NamedParameters<L>) {
            const auto& table = L::table();
            for (int d = 0; d < directions; ++d) {
                auto up = parameters_of(law), down = up;
                for (std::size_t i = 0; i < table.size() && i < seeds.size(); ++i) {
                    if (seeds[i] != d) continue;
                    const double x = table[i].at(up);
                    const auto to = moved(table[i], x);
                    table[i].at(up) = to.up;
                    table[i].at(down) = to.down;
                    step_[d] = {to.up - x, x - to.down};
                }
                if (!step_[d].none()) up_[d] = law_from<L>(up), down_[d] = law_from<L>(down);
            }
        }
    }

    struct State {
        typename L::State middle;
        std::array<typename L::State, directions> up, down;
        std::array<Reach, directions> reach;
        double size = 0;  ///< greatest displacement so far
    };
    State virgin() const {
        State z{law_.virgin(), {}, {}, step_};
        for (int d = 0; d < directions; ++d) {
            z.up[d] = up_[d].virgin();
            z.down[d] = down_[d].virgin();
        }
        return z;
    }

    auto step(const State& z, const core::Dual& u) const requires HysteresisLaw<L> {
        return advanced<Step<core::Dual, State>>(
            z, std::array<core::Dual, 1>{u},
            [](const L& law, auto& state, auto& at) { return law.step(state, at[0]); });
    }
    auto step(const State& z, const Vector3<core::Dual>& u) const requires ContactLaw<L> {
        return advanced<ContactStep<core::Dual, State>>(
            z, u, [](const L& law, auto& state, auto& at) { return law.step(state, at); });
    }

    auto memory(const State& z) const requires FiniteMemoryLaw<L> {
        const auto middle = law_.memory(z.middle);
        std::array<core::Dual, std::tuple_size_v<decltype(law_.memory(z.middle))>> out;
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = core::Dual(middle[i]);
        for (int d = 0; d < directions; ++d) {
            if (z.reach[d].none()) continue;
            const auto up = up_[d].memory(z.up[d]), down = down_[d].memory(z.down[d]);
            for (std::size_t i = 0; i < out.size(); ++i) out[i].v[d] = slope(up[i], down[i], z.reach[d]);
        }
        return out;
    }
    template <class Memory>
    State with_memory(State z, const Memory& m) const requires FiniteMemoryLaw<L> {
        double size = 0;
        for (const auto& x : m) size = std::max(size, std::abs(x.a));
        const auto set = [&](const L& law, typename L::State& state, int d, double side) {
            auto plain = law.memory(state);
            for (std::size_t i = 0; i < m.size(); ++i) plain[i] = m[i].a + (d < 0 ? 0.0 : side * m[i].v[d]);
            state = law.with_memory(std::move(state), plain);
        };
        set(law_, z.middle, -1, 0);
        for (int d = 0; d < directions; ++d) {
            reach_for(z, d, m, size > 0 ? size : 1.0);
            set(up_[d], z.up[d], d, z.reach[d].up);
            set(down_[d], z.down[d], d, -z.reach[d].down);
        }
        return z;
    }

 private:
    L law_;
    std::array<L, directions> up_ = filled(), down_ = filled();
    std::array<Reach, directions> step_{};

    std::array<L, directions> filled() const {
        return [this]<std::size_t... I>(std::index_sequence<I...>) {
            return std::array<L, directions>{((void)I, law_)...};
        }
        (std::make_index_sequence<directions>{});
    }

    static double slope(double up, double down, const Reach& reach) { return (up - down) / (reach.up + reach.down); }
    static void slope(core::Dual& out, int d, double up, double down, const Reach& reach) {
        out.v[d] = slope(up, down, reach);
    }

    /// A direction in which no parameter goes is first stepped into by what moves: a share of its size.
    template <class Values>
    static void reach_for(State& z, int d, const Values& values, double size) {
        if (!z.reach[d].none()) return;
        double carried = 0;
        for (const auto& x : values) carried = std::max(carried, std::abs(x.v[d]));
        if (carried > 0) z.reach[d].up = z.reach[d].down = relative_step * size / carried;
    }

    template <class Out, std::size_t N, class Move>
    Out advanced(State z, const std::array<core::Dual, N>& u, const Move& move) const {
        std::array<double, N> at;
        for (std::size_t i = 0; i < N; ++i) z.size = std::max(z.size, std::abs(u[i].a));
        const auto place = [&](int d, double side) {
            for (std::size_t i = 0; i < N; ++i) at[i] = u[i].a + (d < 0 ? 0.0 : side * u[i].v[d]);
        };
        place(-1, 0);
        auto middle = move(law_, z.middle, at);
        Out out = lifted<Out>(middle);
        for (int d = 0; d < directions; ++d) {
            reach_for(z, d, u, z.size > 0 ? z.size : 1e-6);  // a micrometre: where joints slip
            if (z.reach[d].none()) {
                z.up[d] = z.down[d] = middle.next;
                continue;
            }
            place(d, z.reach[d].up);
            auto up = move(up_[d], z.up[d], at);
            place(d, -z.reach[d].down);
            auto down = move(down_[d], z.down[d], at);
            differentiate(out, d, up, down, z.reach[d]);
            z.up[d] = std::move(up.next);
            z.down[d] = std::move(down.next);
        }
        z.middle = std::move(middle.next);
        out.next = std::move(z);
        return out;
    }

    template <class Out, class Plain>
    static Out lifted(const Plain& plain) {
        Out out;
        if constexpr (HysteresisLaw<L>) {
            out.force = core::Dual(plain.force);
            out.tangent = core::Dual(plain.tangent);
        } else {
            for (std::size_t i = 0; i < 3; ++i) {
                out.force[i] = core::Dual(plain.force[i]);
                for (std::size_t j = 0; j < 3; ++j) out.tangent[i][j] = core::Dual(plain.tangent[i][j]);
            }
            out.tangential_work = core::Dual(plain.tangential_work);
        }
        out.work = core::Dual(plain.work);
        out.dissipated = core::Dual(plain.dissipated);
        return out;
    }

    template <class Out, class Plain>
    static void differentiate(Out& out, int d, const Plain& up, const Plain& down, const Reach& reach) {
        if constexpr (HysteresisLaw<L>) {
            slope(out.force, d, up.force, down.force, reach);
            slope(out.tangent, d, up.tangent, down.tangent, reach);
        } else {
            for (std::size_t i = 0; i < 3; ++i) {
                slope(out.force[i], d, up.force[i], down.force[i], reach);
                for (std::size_t j = 0; j < 3; ++j)
                    slope(out.tangent[i][j], d, up.tangent[i][j], down.tangent[i][j], reach);
            }
            slope(out.tangential_work, d, up.tangential_work, down.tangential_work, reach);
        }
        slope(out.work, d, up.work, down.work, reach);
        slope(out.dissipated, d, up.dissipated, down.dissipated, reach);
    }
};

}  // namespace faying::laws
