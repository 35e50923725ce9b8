#pragma once
// Damped Newton, the one loop of it: for scalars, small fixed systems, dense ones, systems that keep a factorisation.
//
//     struct Root {                                            // x^2 = 2
//         double x = 1, r = 0, change = 0;
//         double evaluate() { return std::abs(r = x * x - 2); }
//         bool direction() { return std::isfinite(change = r / (2 * x)); }
//         void move(double from, double to) { x -= (to - from) * change; }
//     } root;
//     const NewtonResult end = newton(root);                   // end.converged(), end.residual, end.iterations
//
// The problem has the point and what belongs to it; the loop decides how far to go and when to end. A problem may also
// say what its residual is to be compared with, scale(), and that a step just taken was the last, settled(before,
// after, step), both residuals' sizes and the share of the step.

#include <cmath>
#include <concepts>

namespace faying::core {

template <class P>
concept NewtonProblem = requires(P problem, double share) {
    { problem.evaluate() } -> std::convertible_to<double>;  ///< size of the residual at the point
    { problem.direction() } -> std::convertible_to<bool>;   ///< finds Newton's step from there; false: there is none
    problem.move(share, share);  ///< the point, from a share of that step to another; to 0: where it started
};

struct NewtonRules {
    double tolerance = 1e-10;   ///< size that counts as converged, relative to the problem's scale; as all sizes here
    double enough = 1e-15;      ///< no further than this: rounding
    int most_iterations = 25;   ///< steps
    int least_iterations = 0;   ///< steps taken however small the residual is
    int most_cuts = 10;         ///< a step is cut as often until the residual falls; 0: whole steps only
    double late_cut = 0.5;      ///< the first three cuts are halves, then to this share
    bool take_last_cut = true;  ///< whether or not it falls, which leaves a kink behind; else that is the end
    double near = 0;            ///< sizes from which on steps are whole, for rounding is no reason to cut them
    bool take_near = false;     ///< a step there is taken whether or not the residual falls; else that is the end
    int most_near_iterations = 0;  ///< instead of `most_iterations`, from there on; 0: the same
};

enum class NewtonEnd {
    enough,        ///< at rounding
    settled,       ///< the problem said so
    no_gain,       ///< no share of the step makes the residual smaller: the point is where that step began
    spent,         ///< all iterations
    no_direction,  ///< no step: a singular Jacobian
    not_finite     ///< the residual is no number
};

struct NewtonResult {
    double residual = 0;  ///< its size at the end
    double scale = 1;     ///< and the problem's
    double tolerance = 0;
    int iterations = 0;
    NewtonEnd end = NewtonEnd::spent;

    bool converged() const { return residual <= tolerance * scale; }
};

template <NewtonProblem P>
NewtonResult newton(P& problem, const NewtonRules& rules = {}) {
    NewtonResult result{.residual = problem.evaluate(), .tolerance = rules.tolerance};
    const auto ended = [&result](NewtonEnd end) {
        result.end = end;
        return result;
    };
    for (;;) {
        if constexpr (requires { problem.scale(); }) result.scale = problem.scale();
        const double size = result.residual;
        if (!std::isfinite(size)) return ended(NewtonEnd::not_finite);
        if (size <= rules.enough * result.scale && result.iterations >= rules.least_iterations)
            return ended(NewtonEnd::enough);
        const bool near = size <= rules.near * result.scale;
        const int most = near && rules.most_near_iterations > 0 ? rules.most_near_iterations : rules.most_iterations;
        if (result.iterations >= most) return ended(NewtonEnd::spent);
        if (!problem.direction()) return ended(NewtonEnd::no_direction);
        ++result.iterations;
        double from = 0, step = 1, next = 0;
        for (int cut = 0;; ++cut) {
            problem.move(from, step);
            next = problem.evaluate();
            if (next < size || near || cut == rules.most_cuts) break;
            from = step;
            step *= cut < 3 ? 0.5 : rules.late_cut;
        }
        if (!(next < size) && !(near ? rules.take_near : rules.take_last_cut)) {
            problem.move(step, 0.0);
            result.residual = problem.evaluate();
            return ended(NewtonEnd::no_gain);
        }
        result.residual = next;
        if constexpr (requires { problem.settled(size, next, step); })
            if (problem.settled(size, next, step) && std::isfinite(next)) return ended(NewtonEnd::settled);
    }
}

}  // namespace faying::core
