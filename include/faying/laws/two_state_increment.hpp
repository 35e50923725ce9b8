#pragma once
// The thesis' own way to step the two-state law, kept by name for comparison: the slip direction eta is found at the
// start of an increment and frozen over it ([S3] Eqs. 3.18-3.24). First order in the increment; with the eigenproblem
// it converges to two_state.hpp, with the patched direction to within a fraction of a per cent of it.
//
//     y = sqrt(eta.A eta) + eta.c,  c = alpha q - b u;   ds >= 0, y + dy >= 0 complementary,
//     y + dy = y + alpha ds - eta.b du;   q += eta ds
//
// eta is either the best real eigenvector of the 4x4 matrix [A, c c^T; A, A] ([S3] App. C) or the explicit patched
// formula of [S3] Eqs. 5.3-5.4 with beta0 = 10, normalised.

#include <Eigen/Core>

#include "faying/laws/two_state.hpp"

namespace faying::laws {

enum class SlipDirection { eigenproblem, patched };

/// eta minimising sqrt(eta.A eta) + eta.c over the unit circle, A diagonal, by the 4x4 eigenproblem.
Eigen::Vector2d slip_direction(const Eigen::Vector2d& A, const Eigen::Vector2d& c);

template <SlipDirection Rule, class T = double>
class TwoStateIncrement {
 public:
    using Scalar = T;
    using Parameters = TwoStateParameters<T>;
    using Vector = Eigen::Matrix<T, 2, 1>;
    template <class U>
    using rebind = TwoStateIncrement<Rule, U>;
    static constexpr std::string_view key =
        Rule == SlipDirection::eigenproblem ? "two-state-increment" : "two-state-patched";
    static constexpr std::string_view title = Rule == SlipDirection::eigenproblem
                                                  ? "two-state by the thesis' increments, 4x4 eigenproblem"
                                                  : "two-state by the thesis' increments, patched slip direction";
    static constexpr std::string_view source = Rule == SlipDirection::eigenproblem ? "[S3] 3.3.5, App. C" : "[S3] 5.1";
    static constexpr Claims claims{.dissipative = false, .cut_tolerance = 0.0};
    static const auto& table() { return Parameters::table(); }
    static std::vector<Specimen> specimens() { return Parameters::specimens(); }
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues& known) {
        return Parameters::starts(seen, known);
    }
    static std::string why_not_admissible(const Parameters& p) {
        if (Rule == SlipDirection::patched && (value(p.b1) == 0.0 || value(p.b2) == 0.0))
            return "the patched slip direction divides by b1 and b2: neither may be zero";
        return p.why_not_admissible();
    }

    explicit TwoStateIncrement(const Parameters& p) : p_(p), A_(p.mu * p.sigma, p.mu), b_(p.b1, p.b2) {
        saturated_ = -A_.cwiseProduct(b_) / strength(b_);
        const T norm = saturated_.norm();
        Vector top = (1.0 + beta0 * norm + norm * norm) * b_.normalized() + norm * saturated_;
        top(0) += core::sign(value(saturated_(0)));
        patch_ = top.cwiseQuotient(saturated_);
    }
    Parameters parameters() const { return p_; }
    Vector saturated() const { return saturated_; }  ///< c_s, [S3] Eq. 4.12
    Vector patch() const { return patch_; }          ///< Q, [S3] Eq. 5.3

    struct State {
        T u{};
        Vector q = Vector::Zero();
        T dissipated{};
    };
    State virgin() const { return {}; }

    Step<T, State> step(const State& from, const T& u) const {
        State next = from;
        next.u = u;
        T tangent = 1.0 + p_.ks;
        const Vector c = p_.alpha * from.q - b_ * from.u;
        if (value(c(0)) != 0.0 || value(c(1)) != 0.0) {  // c = 0 cannot slip and has no direction
            const Vector eta = Rule == SlipDirection::eigenproblem ? by_eigenproblem(c) : by_patch(c);
            const T friction = strength(eta), pull = eta.dot(b_);
            const T ds = (pull * (u - from.u) - (friction + eta.dot(c))) / p_.alpha;
            if (value(ds) > 0.0) {
                next.q += eta * ds;
                next.dissipated += friction * ds;
                tangent -= pull * pull / p_.alpha;
            }
        }
        const T along = b_.dot(next.q), stiffness = 1.0 + p_.ks;
        const T stored = 0.5 * stiffness * u * u - u * along + 0.5 * p_.alpha * next.q.squaredNorm();
        return {stiffness * u - along, tangent, next.dissipated + stored, next.dissipated, next};
    }

    /// eta minimising y = sqrt(eta.A eta) + eta.c over the unit circle. Its derivatives are those of the minimum: eta
    /// turns by the angle that keeps dy/dangle = 0, no matter how the eigenproblem was solved.
    Vector by_eigenproblem(const Vector& c) const {
        Eigen::Vector2d eta = slip_direction(plain(A_), plain(c));
        if constexpr (!is_dual<T>) {
            return eta;
        } else {
            const Vector e = eta.cast<T>(), across(T(-eta(1)), T(eta(0)));
            const T turn = core::implicit_root<T>(0.0, [&](const T&) {
                const T s = strength(e), mixed = across.dot(A_.cwiseProduct(e));
                const T bend = (across.dot(A_.cwiseProduct(across)) - s * s - mixed * mixed / (s * s)) / s - e.dot(c);
                return std::pair(T(mixed / s + across.dot(c)), bend);
            });
            return e + across * turn;
        }
    }

    Vector by_patch(const Vector& c) const {
        const T norm = c.norm();
        Vector eta = patch_.cwiseProduct(c) - norm * c;
        eta(0) -= core::sign(value(c(0)));
        return eta.normalized();  // the denominator of Eq. 5.4 is a positive scale
    }

 private:
    static constexpr double beta0 = 10.0;
    Parameters p_;
    Vector A_, b_, saturated_, patch_;

    /// sqrt(eta.A eta)
    T strength(const Vector& eta) const {
        using std::sqrt;
        return sqrt(eta.dot(A_.cwiseProduct(eta)));
    }
    static Eigen::Vector2d plain(const Vector& x) { return {value(x(0)), value(x(1))}; }
};

}  // namespace faying::laws
