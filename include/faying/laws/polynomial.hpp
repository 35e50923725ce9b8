#pragma once
// Polynomial: an elastic spring f = k1 u + k2 u^2 + .. + k9 u^9. No hysteresis; in parallel with an Iwan law it is the
// IGNL element of [S1], and with k1 alone the post-slip spring of [S0] Eq. 30.

#include <array>

#include "faying/core/parameter.hpp"
#include "faying/laws/law.hpp"

namespace faying::laws {

template <class T = double>
class Polynomial {
 public:
    static constexpr int degree = 9;
    using Scalar = T;
    struct Parameters {
        using Scalar = T;
        std::array<T, degree> k;
    };
    template <class U>
    using rebind = Polynomial<U>;
    static constexpr std::string_view key = "polynomial";
    static constexpr Claims claims{.odd = false, .return_point = true};

    static const core::ParameterTable<Parameters>& table() {
        static const core::ParameterTable<Parameters> t = coefficients(std::make_index_sequence<degree>{});
        return t;
    }

    explicit Polynomial(const Parameters& p) : p_(p) {}
    Parameters parameters() const { return p_; }

    struct State {};
    State virgin() const { return {}; }
    void kinks(const State&, std::vector<double>&) const {}

    Step<T, State> step(const State&, const T& u) const {
        T force(0.0), tangent(0.0), energy(0.0);
        for (int j = degree; j >= 1; --j) {  // Horner, all three at once
            force = (force + p_.k[j - 1]) * u;
            tangent = tangent * u + double(j) * p_.k[j - 1];
            energy = energy * u + p_.k[j - 1] / double(j + 1);
        }
        return {force, tangent, energy * u * u, T(0.0), State{}};
    }

 private:
    Parameters p_;

    template <std::size_t... J>
    static core::ParameterTable<Parameters> coefficients(std::index_sequence<J...>) {
        return {core::element<&Parameters::k, J>("k" + std::to_string(J + 1), "k_" + std::to_string(J + 1),
                                                 J == 0 ? "N/m" : "N/m^" + std::to_string(J + 1), core::any_real,
                                                 core::Scale::linear, "coefficient of u^" + std::to_string(J + 1),
                                                 J == 0 ? std::nullopt : std::optional<double>(0.0))...};
    }
};

}  // namespace faying::laws
