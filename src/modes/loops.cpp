// Loops at one amplitude: +q, -q, +q .. with every joint's own history, until they close.

#include <cmath>
#include <numbers>

#include "tracer.hpp"

namespace faying::modes {

namespace {
constexpr double poor_guess = 5e-2;  ///< relative residual beyond which another is looked for
}  // namespace

double Held::gap(const Held& later) const {
    double gap = (later.at - at).norm() / std::max(later.at.norm(), 1e-300);
    if (later.memory.norm() > 0) gap = std::max(gap, (later.memory - memory).norm() / later.memory.norm());
    return gap;
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
    equations_.set_side(q > 0);
    if (const double error = equations_.residual_size(b); !(error <= poor_guess)) {
        Branch other = unloaded(from, q, iterations);
        if (std::isnan(error) || equations_.residual_size(other) < error) b = std::move(other);
    }
    if (!approach(b, from, alike, iterations)) {
        use_own_inertia();
        equations_.residual_size(b);
        const double residual = equations_.full_residual(b);
        loop.residual = std::isfinite(residual) ? std::max(loop.residual, residual) : residual;
        return false;
    }
    double residual = equations_.full_residual(b);
    for (int k = 0; k < 2 && residual > options_.tolerance; ++k) {  // Newton stopped on an old factorisation
        equations_.step(b, iterations);
        equations_.residual_size(b);
        residual = equations_.full_residual(b);
    }
    loop.residual = std::max(loop.residual, residual);
    loop.stuck = loop.stuck && equations_.as_at_rest();
    sites_.commit();
    ++loop.half_loops;
    return true;
}

/// From the state a loop ended with to a better guess at the one that closes; reversals follow it.
void Tracer::extrapolate(Anderson& anderson, Loop& loop, const Held& before, Held& after, double scale) {
    const Eigen::Index size = after.memory.size(), rows = after.at.size(), down = loop.minus.z.size(),
                       up = loop.plus.z.size();
    Eigen::VectorXd x(size + rows), image(size + rows + down + up + 2);
    x << before.memory, scale * before.at;
    image << after.memory, scale * after.at, loop.minus.z, loop.minus.lambda, loop.plus.z, loop.plus.lambda;
    const Eigen::VectorXd next = anderson.next(x, image);
    after.memory = next.head(size);
    after.at = next.segment(size, rows) / scale;
    loop.minus.z = next.segment(size + rows, down);
    loop.minus.lambda = next(size + rows + down);
    loop.plus.z = next.segment(size + rows + down + 1, up);
    loop.plus.lambda = next(next.size() - 1);
    sites_.evaluate(after.at);
    sites_.commit();
    sites_.set_memory(after.memory);
}

/// Extrapolated loops may lead to states from which no reversal is found: then all are traced one after the other.
Loop Tracer::close(int& iterations) {
    Loop loop = close(iterations, true);
    if (loop.converged || !loop.extrapolated || loop.accelerated) return loop;
    sites_.restart();
    equations_.set_side(true);
    equations_.residual_size(here());
    return close(iterations, false);
}

Loop Tracer::close(int& iterations, bool may_extrapolate) {
    Loop loop;
    const double q = here().q;
    loop.plus = loop.minus = here();
    sites_.commit();
    loop.reversals = {here()};
    // A part with a stack beside it would keep a past that belongs to no loop traced: then all are traced.
    const bool settable = options_.close_loops && sites_.memory_size() > 0 && sites_.all_settable();
    // Sites that stick hold what they once got: many loops close, and which one is reached depends on all before it.
    const bool unique = settable && !sites_.sticks();
    const bool accelerate = may_extrapolate && (unique || (settable && !options_.derivatives));
    const int first_jump = unique ? 1 : 2;
    loop.accelerated = unique;
    Anderson anderson(unique ? 20 : 6);
    Held before, after;
    before.at.resize(sites_.rows());
    after.at.resize(sites_.rows());
    std::vector<double> lost_before, lost_after;
    const double viscous = viscous_ratio(equations_.full_shape(here()), std::sqrt(here().lambda));
    bool was_settled = false;
    double last_zeta = 0, last_gap = 0, last_gaps = 0, scale = 1;
    equations_.increments(here(), before.at);
    for (int n = 1; n <= options_.most_loops; ++n) {
        sites_.dissipated(lost_before);
        const std::vector<Eigen::VectorXd> site_before = sites_.dissipated_by_site();
        sites_.memory(before.memory);
        loop.memory = before.memory;
        loop.at = before.at;
        loop.residual = 0;
        loop.stuck = true;
        const auto kept = loop.minus.kept;
        loop.converged = turn(loop.minus, -q, iterations, loop) && turn(loop.plus, q, iterations, loop);
        if (!loop.converged) return loop;
        if (!unique) {
            loop.reversals.push_back(loop.minus);
            loop.reversals.push_back(loop.plus);
        }
        sites_.dissipated(lost_after);
        sites_.memory(after.memory);
        equations_.increments(loop.plus, after.at);
        loop.dissipation.resize(lost_after.size());
        double total = 0;
        for (std::size_t j = 0; j < lost_after.size(); ++j)
            total += loop.dissipation[j] = lost_after[j] - lost_before[j];
        loop.stuck = loop.stuck && total == 0.0;
        loop.by_site = sites_.dissipated_by_site();
        for (std::size_t j = 0; j < loop.by_site.size(); ++j) loop.by_site[j] -= site_before[j];
        if (n == 1 && after.at.norm() > 0) scale = std::max(after.memory.norm() / after.at.norm(), 1e-300);
        loop.gap = before.gap(after);
        const double zeta = total / (2 * std::numbers::pi * 0.5 * (loop.plus.lambda + loop.minus.lambda) * q * q);
        if (loop.gap <= 1e-12) break;
        // What is still to come, if it goes on shrinking as the gap does.
        const double rate = last_gap > 0 ? std::min(loop.gap / last_gap, 0.99) : 0.0;
        const double to_come = std::abs(zeta - last_zeta) * std::max(1.0, rate / (1 - rate));
        const bool settled = n > 1 && to_come <= options_.loop_tolerance * (viscous + std::abs(zeta) + hardly_damped);
        // After a jump damping may stay by chance: then once is not enough.
        if (settled && !unique && (!accelerate || n <= first_jump + 1 || was_settled)) break;
        if (settled && loop.gap <= 1e-9 && loop.gap > 0.3 * std::min(last_gap, last_gaps)) break;  // rounding
        if (kept != loop.minus.kept || loop.plus.kept != kept || (!unique && n > 1 && loop.gap > last_gap))
            anderson.forget();
        was_settled = settled;
        last_zeta = zeta;
        last_gaps = last_gap;
        last_gap = loop.gap;
        if (accelerate && n < options_.most_loops && n >= first_jump) {
            extrapolate(anderson, loop, before, after, scale);
            loop.extrapolated = true;
        }
        before.at = after.at;
    }
    if (unique) loop.reversals = {loop.reversals.front(), loop.minus, loop.plus};
    return loop;
}

}  // namespace faying::modes
