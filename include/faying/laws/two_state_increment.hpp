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

template <SlipDirection Rule>
class TwoStateIncrement {
 public:
    using Scalar = double;
    using Parameters = TwoStateParameters<double>;
    static constexpr std::string_view key =
        Rule == SlipDirection::eigenproblem ? "two-state-increment" : "two-state-patched";
    static constexpr Claims claims{.dissipative = false, .cut_tolerance = 0.0};
    static const auto& table() { return Parameters::table(); }
    static std::string complaint(const Parameters& p) {
        if (Rule == SlipDirection::patched && (p.b1 == 0.0 || p.b2 == 0.0))
            return "the patched slip direction divides by b1 and b2: neither may be zero";
        return p.complaint();
    }

    explicit TwoStateIncrement(const Parameters& p) : p_(p), A_(p.mu * p.sigma, p.mu), b_(p.b1, p.b2) {
        saturated_ = -A_.cwiseProduct(b_) / std::sqrt(b_.dot(A_.cwiseProduct(b_)));
        const double norm = saturated_.norm();
        Eigen::Vector2d top = (1.0 + beta0 * norm + norm * norm) * b_.normalized() + norm * saturated_;
        top(0) += core::sign(saturated_(0));
        patch_ = top.cwiseQuotient(saturated_);
    }
    Parameters parameters() const { return p_; }
    Eigen::Vector2d saturated() const { return saturated_; }  ///< c_s, [S3] Eq. 4.12
    Eigen::Vector2d patch() const { return patch_; }          ///< Q, [S3] Eq. 5.3

    struct State {
        double u = 0;
        Eigen::Vector2d q = Eigen::Vector2d::Zero();
        double dissipated = 0;
    };
    State virgin() const { return {}; }

    Step<double, State> step(const State& from, double u) const {
        State next = from;
        next.u = u;
        double tangent = 1.0 + p_.ks;
        const Eigen::Vector2d c = p_.alpha * from.q - b_ * from.u;
        if (c.squaredNorm() > 0.0) {  // c = 0 cannot slip and has no direction
            const Eigen::Vector2d eta = Rule == SlipDirection::eigenproblem ? by_eigenproblem(c) : by_patch(c);
            const double y = std::sqrt(eta.dot(A_.cwiseProduct(eta))) + eta.dot(c);
            const double ds = (eta.dot(b_) * (u - from.u) - y) / p_.alpha;
            if (ds > 0.0) {
                next.q += eta * ds;
                next.dissipated += std::sqrt(eta.dot(A_.cwiseProduct(eta))) * ds;
                tangent -= eta.dot(b_) * eta.dot(b_) / p_.alpha;
            }
        }
        const double force = (1.0 + p_.ks) * u - b_.dot(next.q);
        const double stored = 0.5 * (1.0 + p_.ks) * u * u - u * b_.dot(next.q) + 0.5 * p_.alpha * next.q.squaredNorm();
        return {force, tangent, next.dissipated + stored, next.dissipated, next};
    }

    /// eta minimising sqrt(eta.A eta) + eta.c over the unit circle.
    Eigen::Vector2d by_eigenproblem(const Eigen::Vector2d& c) const { return slip_direction(A_, c); }

    Eigen::Vector2d by_patch(const Eigen::Vector2d& c) const {
        const double norm = c.norm();
        Eigen::Vector2d eta = patch_.cwiseProduct(c) - norm * c;
        eta(0) -= core::sign(c(0));
        return eta.normalized();  // the denominator of Eq. 5.4 is a positive scale
    }

 private:
    static constexpr double beta0 = 10.0;
    Parameters p_;
    Eigen::Vector2d A_, b_, saturated_, patch_;
};

}  // namespace faying::laws
