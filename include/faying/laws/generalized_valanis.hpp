#pragma once
// Generalized Valanis ([S4] Eqs. 7-8):  df/dx = E1 + s (P(x, v) - E2 f),  s = sgn(v),  v = dx/dt,
//
//     P = a1 x + a2 v + a3 x^2 + a4 x v + a5 v^2 + a6 x^3 + ..   (Pascal's triangle, [S4] Eq. 14, to degree 5)
//
// one set (E1, E2, a) for x rising and, if wanted, another for x falling (keys ending in _down), which makes loops
// lopsided. On a straight path at constant speed P is a polynomial in x, and with z = -E2 d <= 0 over the distance d
//
//     f = f0 e^z + Sum_k g_k k! h^(k+1) phi_(k+1)(z),   g_k the Taylor coefficients of E1 + s P at the start, h = s d,
//
// exact, velocity terms included. A P with velocity terms needs the time along the path: step(z, u, duration); without
// a duration such a law refuses. No potential is known for it, so `dissipated` is the net work, which is the
// dissipation over any closed cycle.

#include <array>
#include <string>

#include "faying/core/error.hpp"
#include "faying/core/special.hpp"
#include "faying/laws/parameters.hpp"

namespace faying::laws {

template <class T = double>
class GeneralizedValanis {
 public:
    static constexpr int degree = 5;
    static constexpr int terms = degree * (degree + 3) / 2;  // monomials of degree 1 to 5
    using Scalar = T;

    /// E1, E2 and the coefficients of P for one direction of travel.
    struct Side {
        T E1, E2;
        std::array<T, terms> a;
    };
    struct Parameters {
        using Scalar = T;
        std::array<T, terms + 2> up;    ///< E1, E2, a1, a2, ..
        std::array<T, terms + 2> down;  ///< the same when x falls; a NaN means: as when it rises
    };
    template <class U>
    using rebind = GeneralizedValanis<U>;
    static constexpr std::string_view key = "generalized-valanis";
    static constexpr std::string_view title = "generalized Valanis with a polynomial P(x, v)";
    static constexpr std::string_view source = "[S4] 2.2";
    static std::vector<Specimen> specimens() { return {{.values = {10.0, 20.0, 5.0}, .amplitude = 0.2}}; }
    static constexpr Claims claims{.odd = false, .dissipative = false};

    /// Powers of x and v in the monomial that a_{index+1} multiplies.
    static constexpr std::array<int, 2> powers(int index) {
        int total = 1;
        while (index > total) index -= ++total;  // index within the row of this degree
        return {total - index, index};
    }

    static const core::ParameterTable<Parameters>& table() {
        static const core::ParameterTable<Parameters> t = entries(std::make_index_sequence<terms>{});
        return t;
    }

    explicit GeneralizedValanis(const Parameters& p) : p_(p), up_(side(p.up, p.up)), down_(side(p.down, p.up)) {
        for (const Side* branch : {&up_, &down_})
            for (int i = 0; i < terms; ++i)
                if (powers(i)[1] > 0 && value(branch->a[i]) != 0.0) velocity_term_ = i + 1;
    }
    Parameters parameters() const { return p_; }
    bool needs_time() const { return velocity_term_ > 0; }

    struct State {
        T u{}, force{}, work{};
        int direction = 1;  ///< of the last movement
    };
    State virgin() const { return {}; }
    std::array<T, 1> memory(const State& z) const { return {z.force}; }
    State with_memory(State z, const std::array<T, 1>& m) const {
        z.force = m[0];
        return z;
    }

    Step<T, State> step(const State& z, const T& u) const {
        if (needs_time())
            throw core::BadInput("generalized-valanis",
                                 "a" + std::to_string(velocity_term_) +
                                     " multiplies velocity, so the law needs the time along the path; give a signal "
                                     "with times, or only a1 a3 a6 a10 a15 (powers of x)");
        return advance(z, u, T(0.0));
    }

    Step<T, State> step(const State& z, const T& u, double duration) const {
        return advance(z, u, duration > 0 ? T((u - z.u) / duration) : T(0.0));
    }

 private:
    Parameters p_;
    Side up_, down_;
    int velocity_term_ = 0;

    static Side side(const std::array<T, terms + 2>& given, const std::array<T, terms + 2>& other) {
        Side s;
        const auto pick = [&](int i) { return std::isnan(value(given[i])) ? other[i] : given[i]; };
        s.E1 = pick(0);
        s.E2 = pick(1);
        for (int i = 0; i < terms; ++i) s.a[i] = pick(i + 2);
        return s;
    }

    Step<T, State> advance(const State& z, const T& u, const T& velocity) const {
        const T run = u - z.u;
        const int direction = direction_of(run, z.direction);
        const double s = direction;
        const Side& branch = s < 0 ? down_ : up_;
        // P as a polynomial in x at this speed, then E1 + s P expanded about the start.
        std::array<T, degree + 1> poly;
        poly.fill(T(0.0));
        for (int i = 0; i < terms; ++i) {
            const auto [px, pv] = powers(i);
            if (value(branch.a[i]) == 0.0 && core::is_constant(branch.a[i])) continue;
            T term = branch.a[i];
            for (int k = 0; k < pv; ++k) term = term * velocity;
            poly[px] += term;
        }
        std::array<T, degree + 1> taylor = poly;
        for (int k = 0; k < degree; ++k)  // repeated synthetic division: coefficients about z.u
            for (int j = degree - 1; j >= k; --j) taylor[j] += taylor[j + 1] * z.u;
        for (auto& g : taylor) g = s * g;
        taylor[0] += branch.E1;

        const auto phi = core::phi_functions<degree + 2>(T(-branch.E2 * s * run));
        T force = z.force * phi[0];
        T work = z.work + z.force * run * phi[1];
        T power = run;  // k! h^(k+1)
        for (int k = 0; k <= degree; ++k) {
            force += taylor[k] * power * phi[k + 1];
            work += taylor[k] * power * run * phi[k + 2];
            power = power * run * double(k + 1);
        }
        T P = poly[degree];
        for (int k = degree - 1; k >= 0; --k) P = P * u + poly[k];
        const T tangent = branch.E1 + s * (P - branch.E2 * force);
        return {force, tangent, work, work, State{u, force, work, direction}};
    }

    static std::string monomial(int index) {
        const auto [px, pv] = powers(index);
        std::string text;
        if (px > 0) text += px == 1 ? "x" : "x^" + std::to_string(px);
        if (pv > 0) text += (text.empty() ? "" : " ") + (pv == 1 ? std::string("v") : "v^" + std::to_string(pv));
        return text;
    }

    static std::string unit(int index) {
        const auto [px, pv] = powers(index);
        return "N/m^" + std::to_string(px + pv + 1) + (pv == 0 ? "" : pv == 1 ? " s" : " s^" + std::to_string(pv));
    }

    template <std::size_t... I>
    static core::ParameterTable<Parameters> entries(std::index_sequence<I...>) {
        using core::Scale;
        const double same = std::numeric_limits<double>::quiet_NaN();
        core::ParameterTable<Parameters> t = {
            core::element<&Parameters::up, 0>("E1", "E_1", "N/m", core::any_real, Scale::linear,
                                              "stiffness at zero force and displacement"),
            core::element<&Parameters::up, 1>("E2", "E_2", "1/m", core::non_negative, Scale::logarithmic,
                                              "pace of softening"),
            core::element<&Parameters::up, I + 2>("a" + std::to_string(I + 1), "a_{" + std::to_string(I + 1) + "}",
                                                  unit(I), core::any_real, Scale::linear,
                                                  "coefficient of " + monomial(I) + " in P", 0.0)...};
        const core::ParameterTable<Parameters> falling = {
            core::element<&Parameters::down, 0>("E1_down", "E_1^-", "N/m", core::any_real, Scale::linear,
                                                "E1 when x falls (default: as when it rises)", same),
            core::element<&Parameters::down, 1>("E2_down", "E_2^-", "1/m", core::non_negative, Scale::logarithmic,
                                                "E2 when x falls (default: as when it rises)", same),
            core::element<&Parameters::down, I + 2>("a" + std::to_string(I + 1) + "_down",
                                                    "a_{" + std::to_string(I + 1) + "}^-", unit(I), core::any_real,
                                                    Scale::linear,
                                                    "a" + std::to_string(I + 1) +
                                                        " when x falls (default: as when it "
                                                        "rises)",
                                                    same)...};
        t.insert(t.end(), falling.begin(), falling.end());
        return t;
    }
};

}  // namespace faying::laws
