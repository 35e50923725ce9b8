// The joints' part of an implicit step: y + H (g(y) - g0) = y_free, where y_free are the displacements if g stayed g0.
// Displacements whose tangent is that of the linear part keep g: of a wide interface only what slips or opens is solved
// for.

#include <fmt/format.h>

#include <cmath>

#include "faying/core/error.hpp"
#include "faying/core/newton.hpp"
#include "stepper.hpp"

namespace faying::transient::detail {

namespace {

/// The same numbers with their size known to the compiler.
template <int M>
auto sized(Eigen::VectorXd& x) {
    return Eigen::Map<Eigen::Matrix<double, M, 1>>(x.data(), x.size());
}
template <int M>
auto sized(const Eigen::VectorXd& x) {
    return Eigen::Map<const Eigen::Matrix<double, M, 1>>(x.data(), x.size());
}

}  // namespace

/// Rounding of the joint displacements: laws remember displacements of the whole oscillation, next to which those of
/// this instant may be as good as zero.
double ImplicitStepper::rounding(const Motion& m) const {
    const Eigen::VectorXd omega = system_.omega().cwiseMax(1e-6 * system_.omega().maxCoeff());
    return 1e-14 * (system_.map().cwiseAbs() * (m.q.cwiseAbs() + m.v.cwiseAbs().cwiseQuotient(omega))).norm();
}

/// One joint displacement as core::newton sees it: monotone, since stuck springs are in the linear part.
struct ImplicitStepper::OneJoint {
    ImplicitStepper& s;
    const double h, free, g0;
    double& y = s.y_(0);
    double r = 0, change = 0;

    double scale() const { return std::abs(y) + std::abs(free) + h * (std::abs(s.g_(0)) + std::abs(g0)); }
    double evaluate() {
        s.system_.evaluate(s.y_, s.g_, s.tangent_);
        ++s.evaluations;
        return std::abs(r = y + h * (s.g_(0) - g0) - free);
    }
    bool direction() {
        change = r / (1 + h * s.tangent_(0, 0));
        return true;
    }
    void move(double from, double to) { y -= (to - from) * change; }
    bool settled(double before, double after, double) const { return after >= before && after <= 4e-15 * scale(); }
};

void ImplicitStepper::newton_one(const Motion& m, double time) {
    OneJoint joint{*this, compliance_(0, 0), y_free_(0), m.g(0)};
    const auto end = core::newton(joint, {.enough = 1e-16, .most_iterations = 60, .most_cuts = 0});
    if (end.end != core::NewtonEnd::spent && end.end != core::NewtonEnd::not_finite) return;
    if (!(end.residual <= 1e-12 * (std::abs(y_(0)) + std::abs(y_free_(0))) + rounding(m)))
        throw core::NotConverged(fmt::format("step at t = {:g}: the joint's displacement was not found", time),
                                 end.residual);
}

/// residual_ at y, with g and the tangent there; returns its norm.
template <int M>
double ImplicitStepper::residual_at(const Motion& m, const Eigen::VectorXd& y, Eigen::VectorXd& g) {
    system_.evaluate(y, g, tangent_);
    ++evaluations;
    if constexpr (M == Eigen::Dynamic) {
        residual_ = y - y_free_;
        changed_.clear();
        system_.find_loose(tangent_, loose_);
        std::size_t next = 0;
        for (Eigen::Index i = 0; i < g.size(); ++i) {
            const bool is_loose = next < loose_.size() && loose_[next] == i;
            next += is_loose;
            const double change = g(i) - m.g(i);
            // Along the linear part's own spring only rounding changes g.
            const double size = system_.stuck()(i) * (std::abs(y(i)) + std::abs(m.y(i))) + std::abs(g(i));
            if (!is_loose && system_.stuck()(i) > 0 && std::abs(change) <= 1e-13 * size)
                g(i) = m.g(i);
            else if (change != 0)
                changed_.push_back(i);
        }
        for (const Eigen::Index i : changed_) residual_ += (g(i) - m.g(i)) * compliance_.col(i);
    } else {
        using Square = Eigen::Matrix<double, M, M>;
        sized<M>(residual_) = sized<M>(y) - sized<M>(y_free_) +
                              Eigen::Map<const Square>(compliance_.data()) * (sized<M>(g) - sized<M>(m.g));
    }
    return sized<M>(residual_).norm();
}

/// move_ = (I + H D)^-1 residual_, D the tangent of g.
template <int M>
void ImplicitStepper::newton_move() {
    using Square = Eigen::Matrix<double, M, M>;
    const Square jacobian =
        Square::Identity() + Eigen::Map<const Square>(compliance_.data()) * Eigen::Map<const Square>(tangent_.data());
    sized<M>(move_).noalias() = jacobian.inverse() * sized<M>(residual_);  // near one: the step's own inertia
}

/// With the loose columns only: x_L = (I + H_LL D_LL)^-1 r_L, then x = r - H_:L D_LL x_L.
template <>
void ImplicitStepper::newton_move<Eigen::Dynamic>() {
    const auto& rows = loose_;
    const auto count = Eigen::Index(rows.size());
    move_ = residual_;
    if (count == 0) return;
    const Eigen::MatrixXd h = compliance_(rows, rows);
    Eigen::MatrixXd jacobian = Eigen::MatrixXd::Identity(count, count);
    Eigen::VectorXd x, part = residual_(rows), pull = Eigen::VectorXd::Zero(count);
    const auto each_entry = [&](auto&& visit) {  // of D_LL, whose blocks are a site's
        for (Eigen::Index j = 0; j < count; ++j)
            for (Eigen::Index i = std::max<Eigen::Index>(0, j - 2); i < std::min(count, j + 3); ++i)
                if (const double d = tangent_(rows[std::size_t(i)], rows[std::size_t(j)]); d != 0) visit(i, j, d);
    };
    each_entry([&](Eigen::Index i, Eigen::Index j, double d) { jacobian.col(j) += d * h.col(i); });
    lu_.compute(jacobian);
    lu_.solve(part, x);
    each_entry([&](Eigen::Index i, Eigen::Index j, double d) { pull(i) += d * x(j); });
    for (Eigen::Index i = 0; i < count; ++i) move_ -= pull(i) * compliance_.col(rows[std::size_t(i)]);
}

/// Several joint displacements as core::newton sees them: tangents of joints may jump.
template <int M>
struct ImplicitStepper::Joints {
    ImplicitStepper& s;
    const Motion& m;
    bool trial = false;  ///< where the point is: at trial_y_, or at y_

    double scale() const {
        return sized<M>(s.y_).norm() + sized<M>(s.y_free_).norm() + (sized<M>(s.y_) - sized<M>(s.y_free_)).norm();
    }
    double evaluate() { return trial ? s.residual_at<M>(m, s.trial_y_, s.trial_g_) : s.residual_at<M>(m, s.y_, s.g_); }
    bool direction() {
        s.newton_move<M>();
        return true;
    }
    void move(double, double to) {
        trial = to != 0;
        if (trial) sized<M>(s.trial_y_) = sized<M>(s.y_) - to * sized<M>(s.move_);
    }
    bool settled(double, double, double) {
        s.y_.swap(s.trial_y_);
        s.g_.swap(s.trial_g_);
        return trial = false;
    }
};

template <int M>
void ImplicitStepper::newton(const Motion& m, double time) {
    Joints<M> joints{*this, m};
    const auto end = core::newton(
        joints, {.enough = 2e-15, .most_iterations = 60, .most_cuts = 13, .take_last_cut = false, .near = 4e-15});
    if (end.end == core::NewtonEnd::enough || end.residual <= 1e-13 * end.scale + rounding(m)) return;
    throw core::NotConverged(fmt::format("step at t = {:g}: joint displacements were not found", time), end.residual);
}

template <int M>
void ImplicitStepper::solve_joints(const Motion& m, double h) {
    const Eigen::Index n = system_.size(), width = system_.width();
    const Eigen::Map<const Eigen::Matrix<double, M, Eigen::Dynamic>> map(system_.map().data(), width, n);
    y_free_.noalias() = map * displacement_;
    y_ = y_free_;
    if constexpr (M == 1)
        newton_one(m, m.time + h);
    else
        newton<M>(m, m.time + h);
    if constexpr (M == Eigen::Dynamic) {
        pull_.setZero();
        for (const Eigen::Index i : changed_) pull_ += (g_(i) - m.g(i)) * reach_.col(i);
    } else {
        const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, M>> reach(reach_.data(), n, width);
        pull_.noalias() = reach * (sized<M>(g_) - sized<M>(m.g));
    }
}

/// From displacement_ with g as at the beginning of the step: y_ and g_ at its end, and pull_, what their change takes
/// off.
void ImplicitStepper::find_joints(const Motion& m, double h) {
    switch (system_.width()) {
        case 0: return;
        case 1: return solve_joints<1>(m, h);
        case 2: return solve_joints<2>(m, h);
        case 3: return solve_joints<3>(m, h);
        case unrolled: return solve_joints<unrolled>(m, h);
        default: return solve_joints<Eigen::Dynamic>(m, h);
    }
}

/// P^T g at the end of the step, before it is committed.
void ImplicitStepper::keep_pull(Motion& m) const {
    if (system_.width() > unrolled) {
        for (const Eigen::Index i : changed_) m.pull += (g_(i) - m.g(i)) * back_.col(i);
        return;
    }
    for (Eigen::Index i = 0; i < system_.width(); ++i) {  // faster than a product this narrow
        if (i == 0)
            m.pull = g_(0) * back_.col(0);
        else
            m.pull += g_(i) * back_.col(i);
    }
}

}  // namespace faying::transient::detail
