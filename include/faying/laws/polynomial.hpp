#pragma once
// Polynomial: an elastic spring f = k1 u + k2 u^2 + .. + k9 u^9. No hysteresis; in parallel with an Iwan law it is the
// IGNL element of [S1], and with k1 alone the post-slip spring of [S0] Eq. 30.

#include <algorithm>
#include <array>

#include "faying/core/parameter.hpp"
#include "faying/laws/loop_features.hpp"
#include "faying/laws/parameters.hpp"

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
    static constexpr std::string_view title = "elastic polynomial spring, no hysteresis";
    static constexpr std::string_view source = "[S1] 2";
    static constexpr Claims claims{.odd = false, .return_point = true, .elastic = true};
    static std::vector<Specimen> specimens() { return {{.values = {1.0, 0.0, 0.1}, .amplitude = 1.5}}; }
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues&) {
        core::ParameterValues v{{"k1", seen.force / seen.amplitude}};
        for (int j = 2; j < degree; ++j) v["k" + std::to_string(j)] = 0;
        return {v};
    }

    static const core::ParameterTable<Parameters>& table() {
        static const core::ParameterTable<Parameters> t = coefficients(std::make_index_sequence<degree>{});
        return t;
    }

    explicit Polynomial(const Parameters& p) : p_(p) {}
    Parameters parameters() const { return p_; }
    bool linear() const {
        return std::all_of(p_.k.begin() + 1, p_.k.end(), [](const T& k) { return value(k) == 0.0; });
    }

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

/// The linear spring that stands beside other laws as `+kp`.
template <class T = double>
class Spring {
 public:
    using Scalar = T;
    struct Parameters {
        using Scalar = T;
        T kp;
    };
    template <class U>
    using rebind = Spring<U>;
    static constexpr std::string_view key = "kp";
    static constexpr std::string_view title = "linear spring beside other laws";
    static constexpr std::string_view source = "[S0] Eq. 30";
    static constexpr Claims claims{.return_point = true, .elastic = true};
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues&) {
        return {{{"kp", seen.post_slip_stiffness()}}};
    }

    static const core::ParameterTable<Parameters>& table() {
        static const core::ParameterTable<Parameters> t = {
            core::parameter<&Parameters::kp>("kp", "k_p", "N/m", core::non_negative, core::Scale::logarithmic,
                                             "post-slip stiffness")
                .searched(1e8, 1e13)};
        return t;
    }

    explicit Spring(const Parameters& p) : p_(p) {}
    Parameters parameters() const { return p_; }
    bool linear() const { return true; }

    struct State {};
    State virgin() const { return {}; }

    Step<T, State> step(const State&, const T& u) const {
        return {p_.kp * u, p_.kp, 0.5 * p_.kp * u * u, T(0.0), State{}};
    }

 private:
    Parameters p_;
};

}  // namespace faying::laws
