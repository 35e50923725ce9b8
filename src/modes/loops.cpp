// Loops at one amplitude: +q, -q, +q .. with every joint's own history, until they close.

#include <cmath>
#include <numbers>

#include "tracer.hpp"

namespace faying::modes {

namespace {
constexpr double poor_guess = 5e-2;  ///< relative residual beyond which another is looked for
}

Eigen::VectorXd Anderson::next(const Eigen::VectorXd& x, const Eigen::VectorXd& image) {
    misses_.push_back(image - x);
    images_.push_back(image);
    if (misses_.size() > most_) {
        misses_.erase(misses_.begin());
        images_.erase(images_.begin());
    }
    const auto pairs = Eigen::Index(misses_.size()) - 1;
    if (pairs == 0) return image;
    Eigen::MatrixXd miss(x.size(), pairs), moved(x.size(), pairs);
    for (Eigen::Index k = 0; k < pairs; ++k) {
        miss.col(k) = misses_.back() - misses_[std::size_t(k)];
        moved.col(k) = images_.back() - images_[std::size_t(k)];
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(miss);
    qr.setThreshold(1e-10);
    const Eigen::VectorXd mix = qr.solve(misses_.back());
    const Eigen::VectorXd next = image - moved * mix;
    return next.allFinite() ? next : image;
}

/// The other reversal with every joint on the tangent it unloads with: near it where little slips.
Branch Tracer::unloaded(const Branch& from, double q, int& iterations) {
    const bool own = options_.method == Method::rqnma;
    const Shape phi = equations_.shape(from);
    if (own) equations_.set_load(phi);
    equations_.set_loading(0.0, 1.0);
    const double side = from.q / q;
    Branch b = equations_.guess({side * phi.y, side * phi.xi}, side * from.lambda, q);
    equations_.step(b, iterations);
    if (!own) return b;
    const Shape there = equations_.shape(b);
    equations_.set_loading(1.0, 1.0);
    return equations_.guess(there, b.lambda, q);
}

/// The next reversal, then the joints' states accepted there. Newton from the reversal of the same sign one loop ago,
/// from first loading, whose shape is the mode's, or from all joints unloading: whichever is nearest; where contact
/// opens and sites slip at once that can fail or end on another mode, and the way there is followed by loads.
bool Tracer::turn(Branch& b, double q, int& iterations, Loop& loop) {
    const Branch from = loop.half_loops == 0 ? here() : (q < 0 ? loop.plus : loop.minus);
    const Branch alike = loop.half_loops >= 2 ? b : from;
    b.q = q;
    if (const double miss = equations_.miss(b); !(miss <= poor_guess)) {
        Branch other = unloaded(from, q, iterations);
        if (std::isnan(miss) || equations_.miss(other) < miss) b = std::move(other);
    }
    if (!approach(b, from, alike, iterations)) return false;
    loop.residual = std::max(loop.residual, equations_.full_residual(b));
    sites_.commit();
    ++loop.half_loops;
    return true;
}

Loop Tracer::close(int& iterations) {
    Loop loop;
    const double q = here().q;
    loop.plus = loop.minus = here();
    loop.residual = equations_.full_residual(here());
    sites_.commit();
    loop.reversals = {here()};
    // A part with a stack beside it would keep a past that belongs to no loop traced: then all are traced.
    const bool accelerate = options_.close_loops && sites_.memory_size() > 0 && sites_.all_settable();
    loop.accelerated = accelerate;
    Anderson anderson;
    // The state of the joints at +q: what they remember, and where they are.
    Eigen::VectorXd before, after, u_before(sites_.rows()), u_after(sites_.rows());
    std::vector<double> lost_before, lost_after;
    const double viscous = viscous_ratio(equations_.full_shape(here()), std::sqrt(here().lambda));
    double last_zeta = 0, last_gap = 0, last_gaps = 0, scale = 1;
    equations_.increments(here(), u_before);
    for (int n = 1; n <= options_.most_loops; ++n) {
        sites_.dissipated(lost_before);
        const std::vector<Eigen::VectorXd> site_before = sites_.dissipated_by_site();
        sites_.memory(before);
        loop.memory = before;
        loop.at = u_before;
        loop.converged = turn(loop.minus, -q, iterations, loop) && turn(loop.plus, q, iterations, loop);
        if (!loop.converged) return loop;
        if (!accelerate) {
            loop.reversals.push_back(loop.minus);
            loop.reversals.push_back(loop.plus);
        }
        sites_.dissipated(lost_after);
        sites_.memory(after);
        equations_.increments(loop.plus, u_after);
        loop.dissipation.resize(lost_after.size());
        double total = 0;
        for (std::size_t j = 0; j < lost_after.size(); ++j)
            total += loop.dissipation[j] = lost_after[j] - lost_before[j];
        loop.by_site = sites_.dissipated_by_site();
        for (std::size_t j = 0; j < loop.by_site.size(); ++j) loop.by_site[j] -= site_before[j];
        if (n == 1 && u_after.norm() > 0) scale = after.norm() / u_after.norm();
        loop.gap = (u_after - u_before).norm() / std::max(u_after.norm(), 1e-300);
        if (after.size() > 0 && after.norm() > 0) loop.gap = std::max(loop.gap, (after - before).norm() / after.norm());
        const double zeta = total / (2 * std::numbers::pi * 0.5 * (loop.plus.lambda + loop.minus.lambda) * q * q);
        if (loop.gap <= 1e-12) break;
        const bool settled =
            n > 1 && std::abs(zeta - last_zeta) <= options_.loop_tolerance * (viscous + std::abs(zeta));
        if (settled && !accelerate) break;
        if (settled && loop.gap <= 1e-9 && loop.gap > 0.3 * std::min(last_gap, last_gaps)) break;  // rounding
        last_zeta = zeta;
        last_gaps = last_gap;
        last_gap = loop.gap;
        if (accelerate && n < options_.most_loops) {
            Eigen::VectorXd x(before.size() + u_before.size()), image(x.size());
            x << before, scale * u_before;
            image << after, scale * u_after;
            const Eigen::VectorXd next = anderson.next(x, image);
            u_before = next.tail(u_before.size()) / scale;
            sites_.evaluate(u_before);
            sites_.commit();
            sites_.set_memory(next.head(before.size()));
        } else {
            u_before = u_after;
        }
    }
    if (accelerate) loop.reversals = {loop.reversals.front(), loop.minus, loop.plus};
    return loop;
}

}  // namespace faying::modes
