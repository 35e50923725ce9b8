#include "equations.hpp"

#include <cmath>

#include "faying/core/newton.hpp"

namespace faying::modes {

namespace {
constexpr double pole_range = 0.05;    ///< share of mu within which a fixed-interface mode stays an unknown
constexpr double nearly_there = 1e-8;  ///< residual below which Newton is left to itself: rounding is no reason to stop
constexpr Eigen::Index small_system = 64;  ///< factorising is as cheap as anything else
/// Share of the linearised mode's lambda that the inverse at rest is made for: off the singular one, by little against
/// the distance of other modes.
constexpr double below_mode = 0.98;
constexpr double far_off = 0.02;  ///< difference of lambda, relative, for which another is made
}  // namespace

Equations::Equations(const structure::Model& model, const Interface& interface, Sites& sites,
                     const BackboneOptions& options)
    : model_(model), interface_(interface), sites_(sites), options_(options) {
    for (Eigen::Index k = 0; k < interface.modes(); ++k)
        if (interface.couples_by_stiffness(k)) rigid_.push_back(k);
    increments_.resize(sites.rows());
    xi_.resize(interface.modes());
    s_.resize(interface.modes());
    shift_.resize(interface.modes());
}

void Equations::set_rest() {
    at_rest_ = {};
    tangents_ = std::make_shared<const JointTangents>(interface_, sites_);
    if (width() <= small_system) return;
    at_rest_[0] = std::make_shared<const KnownInverse>(interface_, 0.0, rigid_, tangents_);
}

void Equations::set_mode(const Eigen::VectorXd& y, const Eigen::VectorXd& xi, double lambda) {
    mode_y_ = y;
    mode_xi_ = xi;
    mode_lambda_ = lambda;
    mode_inertia_ = (model_.mass * interface_.full(y, xi)).norm();
    set_load({y, xi});
    set_loading(options_.method == Method::qsma ? 0.0 : 1.0, 1.0);
}

void Equations::set_load(const Shape& phi) {
    load_y_.resize(phi.y.size());
    load_modes_.resize(phi.xi.size());
    interface_.apply_mass(phi.y, phi.xi, load_y_, load_modes_);
}

void Equations::set_loading(double own, double target) {
    own_ = own;
    target_ = target;
}

std::vector<Eigen::Index> Equations::near_a_pole(double lambda) const {
    if (own_ == 0) return rigid_;
    const double mu = own_ * lambda;
    std::vector<Eigen::Index> close;
    for (Eigen::Index k = 0; k < interface_.modes(); ++k)
        if (std::abs(interface_.omega2()(k) - mu) <= pole_range * std::abs(mu)) close.push_back(k);
    return close;
}

Branch Equations::guess(const Shape& shape, double lambda, double q) const {
    Branch b{q, {}, lambda, near_a_pole(lambda), {}};
    b.z.resize(width() + long(b.kept.size()));
    b.z.head(width()) = shape.y;
    for (std::size_t i = 0; i < b.kept.size(); ++i) b.z(width() + long(i)) = shape.xi(b.kept[i]);
    return b;
}

Branch Equations::start(double q) const { return guess({mode_y_, mode_xi_}, mode_lambda_, q); }

void Equations::increments(const Branch& b, Eigen::VectorXd& out) const {
    out.noalias() = interface_.site_map() * b.z.head(width());
    out *= b.q;
}

Eigen::VectorXd Equations::inner(const Branch& b) const {
    Eigen::VectorXd xi = Eigen::VectorXd::Zero(interface_.modes());
    const double mu = own_ * b.lambda;
    if (own_ > 0) xi.noalias() = mu * (interface_.mass_coupling().transpose() * b.z.head(width()));
    if (own_ < 1) xi += (1 - own_) * b.lambda * load_modes_;
    if (!rigid_.empty()) xi.noalias() -= interface_.stiffness_coupling().transpose() * b.z.head(width());
    xi.array() /= interface_.omega2().array() - mu;
    for (std::size_t i = 0; i < b.kept.size(); ++i) xi(b.kept[i]) = b.z(width() + long(i));
    return xi;
}

/// (omega_k^2 - mu) xi_k = (1 - own) lambda load_k + mu s_k - K_c,k.z, differentiated.
Shape Equations::shape_slope(const Branch& b, const Eigen::VectorXd& slope, const Eigen::VectorXd& load_modes) const {
    const auto z = b.z.head(width()), dz = slope.head(width());
    const double d_lambda = slope(b.z.size()), mu = own_ * b.lambda;
    Eigen::VectorXd xi = Eigen::VectorXd::Zero(interface_.modes());
    if (own_ > 0) {
        const auto& coupling = interface_.mass_coupling();
        xi = own_ * d_lambda * (coupling.transpose() * z + inner(b)) + mu * (coupling.transpose() * dz);
    }
    if (own_ < 1) xi += (1 - own_) * d_lambda * load_modes_;
    if (load_modes.size() > 0) xi += (1 - own_) * b.lambda * load_modes;
    if (!rigid_.empty()) xi.noalias() -= interface_.stiffness_coupling().transpose() * dz;
    xi.array() /= interface_.omega2().array() - mu;
    for (std::size_t i = 0; i < b.kept.size(); ++i) xi(b.kept[i]) = slope(width() + long(i));
    return {dz, xi};
}

Eigen::VectorXd Equations::load_slope(const Branch& b, const Eigen::VectorXd& on_y,
                                      const Eigen::VectorXd& on_modes) const {
    const Eigen::Index m = width(), n = b.z.size();
    Eigen::VectorXd d(n + 1);
    d.head(m) = -b.lambda * on_y;
    double amplitude = b.z.head(m).dot(on_y);
    std::size_t next = 0;
    for (Eigen::Index k = 0; k < on_modes.size(); ++k) {
        if (next < b.kept.size() && b.kept[next] == k) {
            const Eigen::Index i = m + long(next++);
            d(i) = -b.lambda * on_modes(k);
            amplitude += b.z(i) * on_modes(k);
        } else {
            amplitude += 2 * b.lambda * load_modes_(k) / interface_.omega2()(k) * on_modes(k);
        }
    }
    d(n) = -amplitude;
    return d;
}

double Equations::overlap(const Branch& a, const Branch& b) const {
    Eigen::VectorXd on_y(width()), on_modes(interface_.modes());
    interface_.apply_mass(b.z.head(width()), inner(b), on_y, on_modes);
    return a.z.head(width()).dot(on_y) + inner(a).dot(on_modes);
}

double Equations::alike(const Shape& a, const Shape& b) const {
    Eigen::VectorXd on_y(width()), on_modes(interface_.modes());
    interface_.apply_mass(b.y, b.xi, on_y, on_modes);
    const double both = a.y.dot(on_y) + a.xi.dot(on_modes), bb = b.y.dot(on_y) + b.xi.dot(on_modes);
    interface_.apply_mass(a.y, a.xi, on_y, on_modes);
    return both / std::sqrt(bb * (a.y.dot(on_y) + a.xi.dot(on_modes)));
}

/// K z - lambda l on y, -l as border, and the amplitude equation.
void Equations::linear_part(const Branch& b) {
    const Eigen::Index m = width(), n = b.z.size();
    const auto z = b.z.head(m);
    auto r = residual_.head(m), minus_l = border_.head(m);
    solve::multiply_symmetric(interface_.stiffness(), z, r);
    minus_l.setZero();
    double amplitude = 0.5 * own_;
    if (own_ > 0) {
        solve::multiply_symmetric(interface_.mass(), z, on_y_);
        minus_l -= own_ * on_y_;
        amplitude += 0.5 * own_ * z.dot(on_y_);
    }
    if (own_ < 1) {
        minus_l -= (1 - own_) * load_y_;
        amplitude += (1 - own_) * z.dot(load_y_);
    }
    r += b.lambda * minus_l;
    corner_ = 0;
    if (interface_.modes() > 0) amplitude += add_modes(b);
    residual_(n) = target_ - amplitude;
    scale_ = std::max(std::abs(b.lambda), mode_lambda_) * border_.head(n).norm();
}

/// The modes' part of it: kept ones have rows of their own, others are condensed. Returns their share of the amplitude.
double Equations::add_modes(const Branch& b) {
    const Eigen::Index m = width();
    const auto z = b.z.head(m);
    const double given = 1 - own_, mu = own_ * b.lambda;
    auto r = residual_.head(m), border = border_.head(m);
    if (own_ > 0)
        s_.noalias() = interface_.mass_coupling().transpose() * z;
    else
        s_.setZero();
    shift_ = -mu * s_;  // C^T z
    if (!rigid_.empty()) shift_.noalias() += interface_.stiffness_coupling().transpose() * z;
    double amplitude = 0, corner = 0;
    std::size_t next = 0;
    for (Eigen::Index k = 0; k < xi_.size(); ++k) {
        const double away = interface_.omega2()(k) - mu, load = given > 0 ? given * load_modes_(k) : 0.0;
        const bool kept = next < b.kept.size() && b.kept[next] == k;
        const double flexible = 1.0 / away;  // one division a mode: it is what a pass over many of them costs
        const double xi = kept ? b.z(m + long(next)) : (b.lambda * load - shift_(k)) * flexible;
        const double l = load + own_ * (s_(k) + xi);
        if (kept) {
            const Eigen::Index i = m + long(next++);
            residual_(i) = shift_(k) + away * xi - b.lambda * load;
            border_(i) = -l;
            shift_(k) = 0.0;
        } else {
            shift_(k) = l * flexible;  // the border gets C times it
            corner -= l * shift_(k);
        }
        amplitude += xi * (load + own_ * (s_(k) + 0.5 * xi));
        xi_(k) = xi;
    }
    corner_ += corner;
    if (own_ > 0) {
        on_y_.noalias() = interface_.mass_coupling() * xi_;
        r -= mu * on_y_;
        border -= own_ * on_y_;
        on_y_.noalias() = interface_.mass_coupling() * shift_;
        border -= mu * on_y_;
    }
    if (!rigid_.empty()) {
        r.noalias() += interface_.stiffness_coupling() * xi_;
        border.noalias() += interface_.stiffness_coupling() * shift_;
    }
    return amplitude;
}

double Equations::evaluate(const Branch& b) {
    const Eigen::Index n = b.z.size(), m = width();
    if (residual_.size() != n + 1) {
        residual_.resize(n + 1);
        border_.resize(n + 1);
        on_y_.resize(m);
        change_.resize(n + 1);
        jacobian_.resize(n + 1, n + 1);
    }
    linear_part(b);
    increments(b, increments_);
    sites_.evaluate(increments_);
    on_y_.noalias() = interface_.site_map().transpose() * sites_.force();
    residual_.head(m) += on_y_ / b.q;
    return std::max(residual_.head(n).norm() / std::abs(scale_), std::abs(residual_(n)));
}

const Eigen::MatrixXd& Equations::jacobian(const Branch& b) {
    const Eigen::Index n = b.z.size();
    jacobian_.setZero();
    interface_.dynamic_stiffness(own_ * b.lambda, b.kept, scratch_, jacobian_);
    add_stiffness(sites_, interface_, jacobian_);
    jacobian_.col(n).head(n) = border_.head(n);
    jacobian_.row(n).head(n) = border_.head(n);
    jacobian_(n, n) = corner_;
    return jacobian_;
}

void Equations::factorise(const Branch& b) {
    if (!factorise_changes(b)) factors_[side_].of.compute(jacobian(b));
    factors_[side_].own = own_;
}

/// With the inverse at rest, of which there is one for either kind of inertia. Under own inertia it serves while lambda
/// is not far from its own.
bool Equations::factorise_changes(const Branch& b) {
    const Eigen::Index n = b.z.size();
    if (width() <= small_system || (own_ != 0.0 && own_ != 1.0)) return false;
    auto& known = at_rest_[own_ == 0.0 ? 0 : 1];
    const double lambda = own_ * below_mode * std::min(b.lambda, mode_lambda_);
    if (!known || known->kept() != b.kept || std::abs(known->lambda() - lambda) > far_off * std::abs(lambda))
        known = std::make_shared<const KnownInverse>(interface_, lambda, b.kept, tangents_);
    return factors_[side_].of.compute(known, sites_, own_ * b.lambda, border_.head(n), corner_);
}

/// A guess on its way to a solution, as core::newton sees it.
struct Equations::Point {
    Equations& e;
    Branch& b;
    int& iterations;  ///< all of this amplitude
    const Eigen::Index n = b.z.size();
    const bool always_fresh = n <= small_system;
    bool started = false, fresh = false;
    double size = 0;

    double evaluate() { return size = e.evaluate(b); }
    bool direction() {
        if (iterations >= e.options_.most_steps) return false;
        if (always_fresh || !e.have_factors() || (started && !fresh && size > 1e-11)) {
            e.factorise(b);
            fresh = true;
        }
        started = true;
        ++iterations;
        e.factors().step(e.residual_, e.change_);
        return e.change_.allFinite();
    }
    void move(double from, double to) {
        const auto add = [this](double share) {
            b.z += share * e.change_.head(n);
            b.lambda += share * e.change_(n);
        };
        if (from != 0) add(from);
        if (to != 0) add(-to);
    }
    bool settled(double before, double after, double step) {
        const double moved =
            step * (e.change_.head(n).norm() / b.z.norm() + std::abs(e.change_(n)) / std::abs(b.lambda));
        const double contraction = after / before;
        if (moved <= 1e-14 || (after < 1e-11 && contraction > 0.3)) return true;  // rounding
        fresh = fresh && contraction < 0.1;  // an old factorisation is used again while it serves
        if (!always_fresh && contraction < 0.2) fresh = true;
        return false;
    }
};

bool Equations::solve(Branch& b, int& iterations, bool damped, int most_iterations) {
    Point point{*this, b, iterations};
    const auto end = core::newton(point, {.tolerance = options_.tolerance,
                                          .enough = options_.polish ? 1e-15 : 0.01 * options_.tolerance,
                                          .most_iterations = most_iterations,
                                          .least_iterations = 1,
                                          .most_cuts = damped ? 6 : 0,
                                          .late_cut = 0.2,
                                          .near = nearly_there,
                                          .take_near = true,
                                          .most_near_iterations = options_.most_iterations});
    return end.converged() && end.end != core::NewtonEnd::no_direction;
}

void Equations::step(Branch& b, int& iterations) {
    evaluate(b);
    factorise(b);
    ++iterations;
    factors().step(residual_, change_);
    b.z -= change_.head(b.z.size());
    b.lambda -= change_(b.z.size());
}

void Equations::refresh_factors(const Branch& b) {
    evaluate(b);
    factorise(b);
}

/// At fixed z of S^T F(q S z)/q: S^T (k S z) - S^T F/q.
Eigen::VectorXd Equations::amplitude_slope(const Branch& b) const {
    Eigen::VectorXd stretched(sites_.rows()), slope = Eigen::VectorXd::Zero(b.z.size() + 1);
    sites_.multiply_tangent(increments_, stretched);
    stretched = (stretched - sites_.force()) / b.q;
    slope.head(width()).noalias() = interface_.site_map().transpose() * stretched;
    return slope;
}

void Equations::find_slope(Branch& b) {
    if (b.z.size() <= small_system) factorise(b);
    factors().step(amplitude_slope(b), b.slope);
    b.slope *= -1.0;
    if (!b.slope.allFinite()) b.slope.resize(0);
}

void Equations::refresh_kept(Branch& b) const {
    const auto close = near_a_pole(b.lambda);
    if (close == b.kept) return;
    const Eigen::VectorXd xi = inner(b);
    b.kept = close;
    b.slope.resize(0);
    b.z.conservativeResize(width() + long(close.size()));
    for (std::size_t i = 0; i < close.size(); ++i) b.z(width() + long(i)) = xi(close[i]);
}

/// On (y, xi), whose norm on x the interface knows: no product with M or K. Relative to the linearised mode's inertia.
double Equations::full_residual(const Branch& b) const {
    const auto z = b.z.head(width());
    const Eigen::VectorXd xi = inner(b);
    Eigen::VectorXd on_y(width()), on_modes(interface_.modes());
    if (options_.method == Method::qsma) {
        on_y = -b.lambda * load_y_;
        on_modes = -b.lambda * load_modes_;
    } else {
        interface_.apply_mass(z, xi, on_y, on_modes);
        on_y *= -b.lambda;
        on_modes *= -b.lambda;
    }
    Eigen::VectorXd elastic(width());
    solve::multiply_symmetric(interface_.stiffness(), z, elastic);
    on_y += elastic;
    on_modes += interface_.omega2().cwiseProduct(xi);
    if (!rigid_.empty()) {
        on_y.noalias() += interface_.stiffness_coupling() * xi;
        on_modes.noalias() += interface_.stiffness_coupling().transpose() * z;
    }
    on_y += interface_.site_map().transpose() * sites_.force() / b.q;
    return interface_.force_norm(on_y, on_modes) / (b.lambda * mode_inertia_);
}

}  // namespace faying::modes
