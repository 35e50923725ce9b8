#include "equations.hpp"

#include <cmath>

namespace faying::modes {

namespace {
constexpr double near_a_pole = 0.05;       ///< share of lambda within which a fixed-interface mode stays an unknown
constexpr Eigen::Index small_system = 64;  ///< factorising is as cheap as anything else
}  // namespace

Equations::Equations(const structure::Model& model, const Interface& interface, Sites& sites,
                     const BackboneOptions& options)
    : model_(model), interface_(interface), sites_(sites), options_(options) {
    for (Eigen::Index k = 0; k < interface.modes(); ++k)
        if (interface.couples_by_stiffness(k)) rigid_.push_back(k);
    increments_.resize(sites.rows());
    gap_.resize(interface.modes());
    t_.resize(interface.modes());
    s_.resize(interface.modes());
    coupling_.resize(interface.width(), interface.modes());
    scaled_.resize(interface.width(), interface.modes());
}

void Equations::set_mode(const Eigen::VectorXd& y, const Eigen::VectorXd& xi, double lambda) {
    mode_y_ = y;
    mode_xi_ = xi;
    mode_lambda_ = lambda;
    load_y_.resize(y.size());
    load_modes_.resize(xi.size());
    interface_.apply_mass(y, xi, load_y_, load_modes_);
    compliance_ = 0;
    for (Eigen::Index k = 0; k < xi.size(); ++k)
        if (!interface_.couples_by_stiffness(k))
            compliance_ += load_modes_(k) * load_modes_(k) / interface_.omega2()(k);
}

std::vector<Eigen::Index> Equations::near(double lambda) const {
    if (options_.method == Method::qsma) return rigid_;
    std::vector<Eigen::Index> close;
    for (Eigen::Index k = 0; k < interface_.modes(); ++k)
        if (std::abs(interface_.omega2()(k) - lambda) <= near_a_pole * std::abs(lambda)) close.push_back(k);
    return close;
}

Branch Equations::start(double q) const {
    Branch b{q, {}, mode_lambda_, near(mode_lambda_), {}};
    b.z.resize(width() + long(b.kept.size()));
    b.z.head(width()) = mode_y_;
    for (std::size_t i = 0; i < b.kept.size(); ++i) b.z(width() + long(i)) = mode_xi_(b.kept[i]);
    return b;
}

void Equations::increments(const Branch& b, Eigen::VectorXd& out) const {
    out.noalias() = interface_.site_map() * b.z.head(width());
    out *= b.q;
}

Eigen::VectorXd Equations::inner(const Branch& b) const {
    Eigen::VectorXd xi(interface_.modes());
    if (options_.method == Method::qsma) {
        for (Eigen::Index k = 0; k < xi.size(); ++k) xi(k) = b.lambda * load_modes_(k) / interface_.omega2()(k);
    } else {
        xi.noalias() = interface_.mass_coupling().transpose() * b.z.head(width());
        xi *= b.lambda;
        if (!rigid_.empty()) xi.noalias() -= interface_.stiffness_coupling().transpose() * b.z.head(width());
        xi.array() /= interface_.omega2().array() - b.lambda;
    }
    for (std::size_t i = 0; i < b.kept.size(); ++i) xi(b.kept[i]) = b.z(width() + long(i));
    return xi;
}

Eigen::VectorXd Equations::full_shape(const Branch& b) const { return interface_.full(b.z.head(width()), inner(b)); }

double Equations::overlap(const Branch& a, const Branch& b) const {
    Eigen::VectorXd on_y(width()), on_modes(interface_.modes());
    interface_.apply_mass(b.z.head(width()), inner(b), on_y, on_modes);
    return a.z.head(width()).dot(on_y) + inner(a).dot(on_modes);
}

void Equations::linear_rqnma(const Branch& b) {
    const Eigen::Index m = width();
    const auto z = b.z.head(m);
    auto r = residual_.head(m), c = border_.head(m);
    r.noalias() = interface_.stiffness() * z;
    on_y_.noalias() = interface_.mass() * z;
    r -= b.lambda * on_y_;
    c = -on_y_;
    corner_ = 0;
    if (interface_.modes() > 0) {
        s_.noalias() = interface_.mass_coupling().transpose() * z;
        t_ = -b.lambda * s_;
        if (!rigid_.empty()) t_.noalias() += interface_.stiffness_coupling().transpose() * z;
        gap_ = 1.0 / (interface_.omega2().array() - b.lambda);
        std::size_t next = 0;
        for (Eigen::Index k = 0; k < gap_.size(); ++k) {
            const bool kept = next < b.kept.size() && b.kept[next] == k;
            if (kept) {  // an unknown of its own: row C_k.z + (omega_k^2 - lambda) xi
                const Eigen::Index i = m + long(next++);
                const double xi = b.z(i);
                residual_(i) = t_(k) + (interface_.omega2()(k) - b.lambda) * xi;
                border_(i) = -s_(k) - xi;
                t_(k) = xi;  // what multiplies C_k below
                s_(k) = xi;  // and M_k
                gap_(k) = 0.0;
            } else {
                const double g = gap_(k), t = t_(k), s = s_(k);
                corner_ -= (s * s - 2.0 * s * t * g + t * t * g * g) * g;
                t_(k) = -t * g;
                s_(k) = -t * g;  // D' z = .. + M_c (t g) + C (s g - t g^2)
                gap_(k) = s * g - t * g * g;
            }
        }
        // r += C t_, border += -M_c s_ + C gap_, with C = K_c - lambda M_c
        r.noalias() -= b.lambda * (interface_.mass_coupling() * t_);
        c.noalias() -= interface_.mass_coupling() * s_;
        c.noalias() -= b.lambda * (interface_.mass_coupling() * gap_);
        if (!rigid_.empty()) {
            r.noalias() += interface_.stiffness_coupling() * t_;
            c.noalias() += interface_.stiffness_coupling() * gap_;
        }
    }
    const Eigen::Index n = b.z.size();
    residual_(n) = 0.5 * (b.z.dot(border_.head(n)) + 1.0);
    scale_ = std::max(std::abs(b.lambda), mode_lambda_) * border_.head(n).norm();
}

void Equations::linear_qsma(const Branch& b) {
    const Eigen::Index m = width(), n = b.z.size();
    residual_.head(m).noalias() = interface_.stiffness() * b.z.head(m);
    border_.head(m) = -load_y_;
    for (std::size_t i = 0; i < b.kept.size(); ++i) {
        const Eigen::Index at = m + long(i), k = b.kept[i];
        residual_.head(m) += interface_.stiffness_coupling().col(k) * b.z(at);
        residual_(at) = interface_.stiffness_coupling().col(k).dot(b.z.head(m)) + interface_.omega2()(k) * b.z(at);
        border_(at) = -load_modes_(k);
    }
    residual_.head(n) += b.lambda * border_.head(n);
    corner_ = -compliance_;
    residual_(n) = 1.0 + border_.head(n).dot(b.z) + corner_ * b.lambda;
    scale_ = b.lambda * border_.head(n).norm();
}

double Equations::evaluate(const Branch& b) {
    const Eigen::Index n = b.z.size(), m = width();
    if (residual_.size() != n + 1) {
        residual_.resize(n + 1);
        border_.resize(n + 1);
        on_y_.resize(m);
        change_.resize(n + 1);
        jacobian_.resize(n + 1, n + 1);
        have_factors_ = false;
    }
    if (options_.method == Method::qsma)
        linear_qsma(b);
    else
        linear_rqnma(b);
    increments(b, increments_);
    sites_.evaluate(increments_);
    on_y_.noalias() = interface_.site_map().transpose() * sites_.force();
    residual_.head(m) += on_y_ / b.q;
    return std::max(residual_.head(n).norm() / std::abs(scale_), std::abs(residual_(n)));
}

void Equations::factorise(const Branch& b) {
    const Eigen::Index n = b.z.size(), m = width();
    jacobian_.setZero();
    auto top = jacobian_.topLeftCorner(m, m);
    top = interface_.stiffness();
    if (options_.method == Method::qsma) {
        for (std::size_t i = 0; i < b.kept.size(); ++i) {
            const Eigen::Index at = m + long(i);
            jacobian_.col(at).head(m) = interface_.stiffness_coupling().col(b.kept[i]);
            jacobian_.row(at).head(m) = jacobian_.col(at).head(m);
            jacobian_(at, at) = interface_.omega2()(b.kept[i]);
        }
    } else {
        top -= b.lambda * interface_.mass();
        if (interface_.modes() > 0) {
            coupling_ = -b.lambda * interface_.mass_coupling();
            if (!rigid_.empty()) coupling_ += interface_.stiffness_coupling();
            scaled_ = coupling_;
            std::size_t next = 0;
            for (Eigen::Index k = 0; k < interface_.modes(); ++k) {
                const double away = interface_.omega2()(k) - b.lambda;
                if (next < b.kept.size() && b.kept[next] == k) {
                    const Eigen::Index at = m + long(next++);
                    jacobian_.col(at).head(m) = coupling_.col(k);
                    jacobian_.row(at).head(m) = coupling_.col(k);
                    jacobian_(at, at) = away;
                    scaled_.col(k).setZero();
                } else {
                    scaled_.col(k) /= away;
                }
            }
            top.noalias() -= scaled_ * coupling_.transpose();
        }
    }
    sites_.add_stiffness(jacobian_);
    jacobian_.col(n).head(n) = border_.head(n);
    jacobian_.row(n).head(n) = border_.head(n);
    jacobian_(n, n) = corner_;
    lu_.compute(jacobian_);
    have_factors_ = true;
}

bool Equations::solve(Branch& b, int& iterations, bool damped) {
    const Eigen::Index n = b.z.size();
    const bool always_fresh = n <= small_system;
    double size = evaluate(b);
    if (!std::isfinite(size)) return false;
    bool fresh = false;
    for (int k = 0; k < options_.most_iterations; ++k) {
        if (always_fresh || !have_factors_ || (k > 0 && !fresh && size > 1e-9)) {
            factorise(b);
            fresh = true;
        }
        ++iterations;
        change_ = residual_;
        change_ = lu_.solve(change_);
        if (!change_.allFinite()) return false;
        double step = 1.0, next = 0;
        for (int halving = 0;; ++halving) {
            b.z -= step * change_.head(n);
            b.lambda -= step * change_(n);
            next = evaluate(b);
            if (next < size || halving == 6 || !damped) break;
            b.z += step * change_.head(n);
            b.lambda += step * change_(n);
            step *= halving < 3 ? 0.5 : 0.2;
        }
        const double moved = step * (change_.head(n).norm() / b.z.norm() + std::abs(change_(n)) / std::abs(b.lambda));
        const double contraction = next / size;
        size = next;
        if (!std::isfinite(size)) return false;
        if (moved <= 1e-14 || size <= 1e-15) break;
        if (size < 1e-11 && contraction > 0.3) break;  // rounding
        fresh = fresh && contraction < 0.1;            // an old factorisation is used again while it serves
        if (!always_fresh && contraction < 0.2) fresh = true;
    }
    return size <= options_.tolerance;
}

void Equations::refresh_factors(const Branch& b) {
    evaluate(b);
    factorise(b);
}

void Equations::find_slope(Branch& b) {
    // d/d ln q of S^T F(q S z)/q at fixed z: S^T (k S z) - S^T F/q
    const Eigen::Index n = b.z.size(), m = width();
    if (n <= small_system) factorise(b);
    Eigen::VectorXd stretched(sites_.rows());
    sites_.multiply_tangent(increments_, stretched);
    stretched = (stretched - sites_.force()) / b.q;
    b.slope.setZero(n + 1);
    b.slope.head(m).noalias() = interface_.site_map().transpose() * stretched;
    b.slope = -lu_.solve(b.slope).eval();
    if (!b.slope.allFinite()) b.slope.resize(0);
}

void Equations::refresh_kept(Branch& b) const {
    const auto close = near(b.lambda);
    if (close == b.kept) return;
    const Eigen::VectorXd xi = inner(b);
    b.kept = close;
    b.slope.resize(0);
    b.z.conservativeResize(width() + long(close.size()));
    for (std::size_t i = 0; i < close.size(); ++i) b.z(width() + long(i)) = xi(close[i]);
}

double Equations::full_residual(const Branch& b) const {
    const Eigen::VectorXd d = full_shape(b) * b.q;
    const Eigen::VectorXd inertia = options_.method == Method::qsma
                                        ? (b.lambda * b.q * (model_.mass * interface_.full(mode_y_, mode_xi_))).eval()
                                        : (b.lambda * (model_.mass * d)).eval();
    Eigen::VectorXd r = model_.stiffness * d - inertia;
    Eigen::Index row = 0;
    for (const auto& joint : model_.joints) {
        r.noalias() += joint.map.transpose() * sites_.force().segment(row, joint.map.rows());
        row += joint.map.rows();
    }
    return r.norm() / inertia.norm();
}

}  // namespace faying::modes
