// Modal dissipation: the area of the loop of modal acceleration lambda q over q.

#include <cmath>
#include <numbers>

#include "tracer.hpp"

namespace faying::modes {

Lobatto::Lobatto(int points) : nodes(std::size_t(points)), weights(std::size_t(points)) {
    const int n = points - 1;  // roots of (1 - x^2) P_n'(x), Newton from the Chebyshev-Lobatto points
    for (int i = 0; i <= n; ++i) {
        double x = -std::cos(std::numbers::pi * i / n), p = 1, before = 0;
        for (int iteration = 0; iteration < 100; ++iteration) {
            p = x, before = 1.0;
            for (int k = 2; k <= n; ++k) {
                const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
                before = p;
                p = next;
            }
            const double step = (x * p - before) / ((n + 1) * p);
            x -= step;
            if (std::abs(step) < 1e-16) break;
        }
        nodes[std::size_t(i)] = x;
        weights[std::size_t(i)] = 2.0 / (n * (n + 1) * p * p);
    }
    nodes.front() = -1.0;
    nodes.back() = 1.0;
}

double Tracer::modal_loop(const Loop& loop, int& iterations, const Visit& visit) {
    // An even number of points: at q = 0 itself the shape is not the mode's (what friction holds there has any shape).
    const Lobatto rule(options_.quadrature + options_.quadrature % 2);
    const double q = loop.plus.q;
    double area = 0;
    for (const double sign : {-1.0, 1.0}) {  // down from +q, then up from -q
        const Branch& from = sign < 0 ? loop.plus : loop.minus;
        const Branch& to = sign < 0 ? loop.minus : loop.plus;
        double held = 0;  // lambda q less its elastic part: what friction adds, which changes slowly
        for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
            const double s = sign * q * rule.nodes[i];
            const bool first = i == 0, last = i + 1 == rule.nodes.size();
            // Shapes of the reversals, not of the last node: the shape swings away and back around q = 0.
            Branch guess = rule.nodes[i] < 0 ? from : to;
            const Branch mode = guess;
            guess.q = s;
            if (!first && !last) guess.lambda = start_lambda_ + held / s;
            if (!equations_.solve(guess, iterations) || equations_.overlap(mode, guess) <= 0)
                return std::numeric_limits<double>::quiet_NaN();
            held = (guess.lambda - start_lambda_) * s;
            const double share = sign * rule.weights[i] * q * s;
            area += share * guess.lambda;
            if (visit) visit(guess, share, first ? Node::first : last ? Node::last : Node::inside);
        }
        sites_.commit();
    }
    return area;
}

}  // namespace faying::modes
