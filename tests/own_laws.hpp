#pragma once
// Laws that the library does not know: plain structs, as a user writes them.

#include "faying/laws/catalogue.hpp"

namespace faying::tests {

/// Dahl's friction, df/du = k (1 - sgn(du) f/fc); valanis with Et = kappa = 0. One number of memory.
template <class T = double>
struct Dahl {
    using Scalar = T;
    template <class U>
    using rebind = Dahl<U>;
    static constexpr std::string_view key = "test-dahl";
    T k, fc;

    static const auto& table() {
        static const core::ParameterTable<Dahl> t = {
            core::parameter<&Dahl::k>("k", "N/m", "stiffness when stuck").searched(1e11, 1e16),
            core::parameter<&Dahl::fc>("fc", "N", "friction force").searched(1e4, 3e7)};
        return t;
    }

    struct State {
        T u{}, force{}, dissipated{};
    };
    State virgin() const { return {}; }
    laws::Step<T, State> step(const State& z, const T& u) const {
        using std::exp;
        const double s = laws::value(u) < laws::value(z.u) ? -1 : 1;
        const T distance = s * (u - z.u), left = exp(-k * distance / fc), gap = z.force - s * fc;
        const T force = s * fc + gap * left;
        const T dissipated = z.dissipated + fc * distance +  // Int f^2/fc du
                             (1.0 - left) * gap * (2.0 * s * fc + 0.5 * gap * (1.0 + left)) / k;
        return {force, k * (1.0 - s * force / fc), dissipated + 0.5 * force * force / k, dissipated,
                State{u, force, dissipated}};
    }
    std::array<T, 1> memory(const State& z) const { return {z.force}; }
    State with_memory(State z, const std::array<T, 1>& m) const {
        z.force = m[0];
        return z;
    }
};

/// The same for double alone: no derivatives but by differences.
struct PlainDahl : Dahl<double> {
    template <class U>
    using rebind = typename U::none;  // not a template of its scalar
    static constexpr std::string_view key = "test-plain-dahl";
    static const auto& table() {
        static const core::ParameterTable<PlainDahl> t = {
            core::parameter<&PlainDahl::k, PlainDahl>("k", "N/m", "stiffness when stuck"),
            core::parameter<&PlainDahl::fc, PlainDahl>("fc", "N", "friction force")};
        return t;
    }
};

/// Two sliders in parallel, Masing; memory of two numbers. `Templated`: whether T may be a dual number.
template <class T = double>
struct TwoSliders {
    using Scalar = T;
    template <class U>
    using rebind = TwoSliders<U>;
    static constexpr std::string_view key = "test-two-sliders";
    static constexpr laws::Claims claims{.return_point = true, .masing = true};
    T k1, f1, k2, f2;

    static const auto& table() {
        static const core::ParameterTable<TwoSliders> t = {
            core::parameter<&TwoSliders::k1>("k1", "N/m", "stiffness of the first"),
            core::parameter<&TwoSliders::f1>("f1", "N", "slip force of the first"),
            core::parameter<&TwoSliders::k2>("k2", "N/m", "stiffness of the second"),
            core::parameter<&TwoSliders::f2>("f2", "N", "slip force of the second")};
        return t;
    }
    T macroslip() const { return laws::value(f1 / k1) > laws::value(f2 / k2) ? T(f1 / k1) : T(f2 / k2); }

    struct State {
        T u{};
        std::array<T, 2> force{};
        T dissipated{};
    };
    State virgin() const { return {}; }
    laws::Step<T, State> step(State z, const T& u) const {
        T tangent(0.0), stored(0.0);
        const std::array<T, 2> k{k1, k2}, limit{f1, f2};
        for (int i = 0; i < 2; ++i) {
            const T trial = z.force[i] + k[i] * (u - z.u);
            T held = trial;
            if (laws::value(trial) > laws::value(limit[i])) held = limit[i];
            if (laws::value(trial) < -laws::value(limit[i])) held = -limit[i];
            if (laws::value(held) == laws::value(trial)) tangent += k[i];
            z.dissipated += held * (trial - held) / k[i];
            stored += 0.5 * held * held / k[i];
            z.force[i] = held;
        }
        z.u = u;
        return {z.force[0] + z.force[1], tangent, z.dissipated + stored, z.dissipated, z};
    }
    std::array<T, 2> memory(const State& z) const { return z.force; }
    State with_memory(State z, const std::array<T, 2>& m) const {
        z.force = m;
        return z;
    }
};

struct PlainTwoSliders : TwoSliders<double> {
    template <class U>
    using rebind = typename U::none;
    static constexpr std::string_view key = "test-plain-two-sliders";
    static const auto& table() {
        using P = PlainTwoSliders;
        static const core::ParameterTable<P> t = {core::parameter<&P::k1, P>("k1", "N/m", "stiffness of the first"),
                                                  core::parameter<&P::f1, P>("f1", "N", "slip force of the first"),
                                                  core::parameter<&P::k2, P>("k2", "N/m", "stiffness of the second"),
                                                  core::parameter<&P::f2, P>("f2", "N", "slip force of the second")};
        return t;
    }
};

/// A contact law: a slider along each axis, at mu kn un while pressed; nothing else.
struct Grip {
    using Scalar = double;
    static constexpr std::string_view key = "test-grip";
    double kt, mu, kn;

    static const auto& table() {
        static const core::ParameterTable<Grip> t = {
            core::parameter<&Grip::kt>("kt", "N/m", "tangential stiffness").searched(1e11, 1e16),
            core::parameter<&Grip::mu>("mu", "", "coefficient of friction").searched(0.02, 3),
            core::parameter<&Grip::kn>("kn", "N/m", "normal stiffness").searched(1e11, 1e15)};
        return t;
    }

    struct State {
        laws::Vector3<double> u{};
        std::array<double, 2> traction{};
        double dissipated = 0;
    };
    State virgin() const { return {}; }
    laws::ContactStep<double, State> step(State z, const laws::Vector3<double>& u) const {
        laws::ContactStep<double, State> out;
        const double normal = kn * std::max(u[2], 0.0), limit = mu * normal;
        for (std::size_t i = 0; i < 2; ++i) {
            const double trial = z.traction[i] + kt * (u[i] - z.u[i]), held = std::clamp(trial, -limit, limit);
            const bool slips = held != trial;
            out.tangent[i][i] = slips ? 0.0 : kt;
            if (slips && u[2] > 0) out.tangent[i][2] = std::copysign(mu * kn, trial);
            z.dissipated += held * (trial - held) / kt;
            out.tangential_work += 0.5 * held * held / kt;
            out.force[i] = z.traction[i] = held;
        }
        out.force[2] = normal;
        out.tangent[2][2] = u[2] > 0 ? kn : 0.0;
        out.dissipated = z.dissipated;
        out.tangential_work += z.dissipated;
        out.work = out.tangential_work + 0.5 * normal * normal / kn;
        z.u = u;
        out.next = z;
        return out;
    }
};

}  // namespace faying::tests
