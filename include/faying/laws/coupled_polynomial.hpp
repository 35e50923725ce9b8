#pragma once
// An elastic potential of N displacements that act together, a polynomial of degree 3 and more:
//
//     V(q) = Sum_p v_p q_1^p1 .. q_N^pN,    f_i = dV/dq_i
//
// What a structure that bends far leaves when it is condensed onto N modes (geometric/coupled.hpp); the linear part
// stays with the structure. Coefficients are named by their powers: v21 of q_1^2 q_2.
//
//     const CoupledPolynomial<2> element({.v = {..}});        // v30, v21, v12, v03, v40, ..

#include <array>
#include <string>

#include "faying/core/parameter.hpp"
#include "faying/laws/law.hpp"

namespace faying::laws {

namespace detail {

/// Powers of every term of N displacements from degree 3 to `highest`, degree by degree, the first power falling.
template <std::size_t N>
constexpr std::size_t count_terms(int highest) {
    std::size_t count = 0;
    for (int d = 3; d <= highest; ++d) {
        std::size_t choose = 1;  // of d + N - 1 choose N - 1
        for (std::size_t i = 1; i < N; ++i) choose = choose * (static_cast<std::size_t>(d) + i) / i;
        count += choose;
    }
    return count;
}

template <std::size_t N, int Highest>
constexpr auto powers_of_terms() {
    std::array<std::array<int, N>, count_terms<N>(Highest)> all{};
    std::size_t at = 0;
    for (int d = 3; d <= Highest; ++d) {
        std::array<int, N> p{};
        p[0] = d;
        while (true) {
            all[at++] = p;
            // The last place that can give one to its right; all that is right of it comes back to the next place.
            std::size_t i = N - 1;
            while (i > 0 && p[i - 1] == 0) --i;
            if (i == 0) break;
            const int rest = p[N - 1] + 1;
            p[i - 1] -= 1;
            p[N - 1] = 0;
            p[i] = rest;
        }
    }
    return all;
}

}  // namespace detail

template <std::size_t N, class T = double>
class CoupledPolynomial {
    static_assert(N == 2 || N == 3);

 public:
    static constexpr int degree = N == 2 ? 8 : 6;  ///< of the potential
    static constexpr auto powers = detail::powers_of_terms<N, degree>();
    static constexpr std::size_t inputs = N;
    using Scalar = T;
    struct Parameters {
        using Scalar = T;
        std::array<T, powers.size()> v;
    };
    template <class U>
    using rebind = CoupledPolynomial<N, U>;
    static constexpr std::string_view key = N == 2 ? "coupled-polynomial-2" : "coupled-polynomial-3";
    static constexpr std::string_view title =
        N == 2 ? "elastic potential of two displacements" : "elastic potential of three displacements";
    static constexpr std::string_view source = "[S1] 2.2, several modes";
    static constexpr Claims claims{.odd = false, .elastic = true};

    static std::string name(std::size_t term) {
        std::string digits = "v";
        for (const int p : powers[term]) digits += static_cast<char>('0' + p);
        return digits;
    }
    static const core::ParameterTable<Parameters>& table() {
        static const core::ParameterTable<Parameters> t = coefficients(std::make_index_sequence<powers.size()>{});
        return t;
    }

    explicit CoupledPolynomial(const Parameters& p) : p_(p) {}
    Parameters parameters() const { return p_; }

    struct State {};
    State virgin() const { return {}; }

    ElementStep<T, N, State> step(const State&, const std::array<T, N>& q) const {
        std::array<std::array<T, degree + 1>, N> power;
        for (std::size_t i = 0; i < N; ++i) {
            power[i][0] = T(1.0);
            for (int d = 1; d <= degree; ++d) power[i][d] = power[i][d - 1] * q[i];
        }
        // The term differentiated as often as `times` says.
        const auto slope = [&](std::size_t term, const std::array<int, N>& times) {
            T x = p_.v[term];
            for (std::size_t i = 0; i < N; ++i) {
                int p = powers[term][i];
                for (int k = 0; k < times[i]; ++k) x = x * double(p--);
                if (p < 0) return T(0.0);
                x = x * power[i][p];
            }
            return x;
        };
        ElementStep<T, N, State> s;
        for (std::size_t term = 0; term < powers.size(); ++term) {
            if constexpr (!is_dual<T>)
                if (p_.v[term] == 0) continue;
            s.work += slope(term, {});
            for (std::size_t i = 0; i < N; ++i) {
                std::array<int, N> times{};
                ++times[i];
                s.force[i] += slope(term, times);
                for (std::size_t j = 0; j <= i; ++j) {
                    ++times[j];
                    s.tangent[i][j] += slope(term, times);
                    --times[j];
                }
            }
        }
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = i + 1; j < N; ++j) s.tangent[i][j] = s.tangent[j][i];
        return s;
    }

 private:
    Parameters p_;

    template <std::size_t... J>
    static core::ParameterTable<Parameters> coefficients(std::index_sequence<J...>) {
        return {core::element<&Parameters::v, J>(name(J), name(J), "", core::any_real, core::Scale::linear,
                                                 "coefficient of the potential, powers of each displacement",
                                                 std::optional<double>(0.0))...};
    }
};

}  // namespace faying::laws
