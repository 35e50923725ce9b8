#pragma once
// Laws that the library does not know: plain structs, as a user writes them.

#include "faying/laws/catalogue.hpp"
#include "faying/laws/contact.hpp"

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

/// An element of two modal coordinates: forces of the potential a x^2 y + b x^4/4 + c x^2 y^2/2 + d y^4/4.
template <class T = double>
struct CoupledModes {
    using Scalar = T;
    template <class U>
    using rebind = CoupledModes<U>;
    static constexpr std::string_view key = "test-coupled-modes";
    static constexpr std::size_t inputs = 2;
    static constexpr laws::Claims claims{.odd = false, .elastic = true};
    T a, b, c, d;

    static const auto& table() {
        static const core::ParameterTable<CoupledModes> t = {
            core::parameter<&CoupledModes::a>("a", "a", "", core::any_real, core::Scale::linear, "x^2 y"),
            core::parameter<&CoupledModes::b>("b", "b", "", core::any_real, core::Scale::linear, "x^4/4"),
            core::parameter<&CoupledModes::c>("c", "c", "", core::any_real, core::Scale::linear, "x^2 y^2/2"),
            core::parameter<&CoupledModes::d>("d", "d", "", core::any_real, core::Scale::linear, "y^4/4")};
        return t;
    }
    T potential(const T& x, const T& y) const {
        return a * x * x * y + 0.25 * b * x * x * x * x + 0.5 * c * x * x * y * y + 0.25 * d * y * y * y * y;
    }

    struct State {};
    State virgin() const { return {}; }
    laws::ElementStep<T, 2, State> step(const State&, const std::array<T, 2>& u) const {
        const T &x = u[0], &y = u[1];
        laws::ElementStep<T, 2, State> s;
        s.force = {2.0 * a * x * y + b * x * x * x + c * x * y * y, a * x * x + c * x * x * y + d * y * y * y};
        const T mixed = 2.0 * a * x + 2.0 * c * x * y;
        s.tangent = {std::array<T, 2>{2.0 * a * y + 3.0 * b * x * x + c * y * y, mixed},
                     std::array<T, 2>{mixed, c * x * x + 3.0 * d * y * y}};
        s.work = potential(x, y);
        return s;
    }
};

/// Contact in a plane, (tangential, normal): a slider at mu kn un while pressed, as elastic-dry-friction has it in
/// space.
template <class T = double>
struct PlaneContact {
    using Scalar = T;
    template <class U>
    using rebind = PlaneContact<U>;
    static constexpr std::string_view key = "test-plane-contact";
    static constexpr std::size_t inputs = 2;
    static constexpr int normal = 1;
    T kt, mu, kn;

    static const auto& table() {
        static const core::ParameterTable<PlaneContact> t = {
            core::parameter<&PlaneContact::kt>("kt", "N/m", "tangential stiffness"),
            core::parameter<&PlaneContact::mu>("mu", "", "coefficient of friction"),
            core::parameter<&PlaneContact::kn>("kn", "N/m", "normal stiffness")};
        return t;
    }

    laws::ElasticDryFriction<T> in_space() const {
        typename laws::ElasticDryFriction<T>::Parameters p{};
        p.kt = kt;
        p.mu = mu;
        p.kn = kn;
        p.kp = T(0.0);
        p.fs = T(0.0);
        return laws::ElasticDryFriction<T>(p);
    }
    using State = typename laws::ElasticDryFriction<T>::State;
    State virgin() const { return in_space().virgin(); }
    laws::ElementStep<T, 2, State> step(const State& z, const std::array<T, 2>& u) const {
        const auto s = in_space().step(z, {u[0], T(0.0), u[1]});
        laws::ElementStep<T, 2, State> out;
        out.force = {s.force[0], s.force[2]};
        out.tangent = {std::array<T, 2>{s.tangent[0][0], s.tangent[0][2]},
                       std::array<T, 2>{s.tangent[2][0], s.tangent[2][2]}};
        out.work = s.work;
        out.dissipated = s.dissipated;
        out.next = s.next;
        return out;
    }
    auto memory(const State& z) const { return in_space().memory(z); }
    template <class M>
    State with_memory(State z, const M& m) const {
        return in_space().with_memory(std::move(z), m);
    }
};

}  // namespace faying::tests
