// The work of a closed loop, Int f du of every row of the joints, along a path between its reversals.
//
// A site of a contact law that opens, closes and slips moves on a line between reversals that is not straight, and what
// it loses depends on the line. The path is that of the structure under loads, from the inertia at one reversal to the
// inertia at the other:
//
//     K d + f_nl - f_nl(u_s) = a M phi(c),  phi(c)^T M d = c q,  phi(c) = (1 - c)/2 phi_from + (1 + c)/2 phi_to
//
// with c from -1 to 1 at the points of a Lobatto rule (QSMA: phi_r throughout). Both reversals lie on it: the loop
// closes, where a path of amplitudes q of one mode does not (docs/theory/nonlinear-modes.md). Along the interpolant
// d(c) the rule is exact for the elastic d^T K d', so that the joints' work is that of the loads to the last digit:
// the sum over all rows is the area of the loop of modal force over modal displacement.

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

Eigen::MatrixXd Lobatto::work() const {
    const auto n = Eigen::Index(nodes.size());
    const auto x = [&](Eigen::Index i) { return nodes[std::size_t(i)]; };
    Eigen::VectorXd scale(n);  // barycentric weights
    for (Eigen::Index i = 0; i < n; ++i) {
        double product = 1;
        for (Eigen::Index j = 0; j < n; ++j)
            if (j != i) product *= 2.0 * (x(i) - x(j));  // 2: neither overflows nor vanishes with many nodes
        scale(i) = 1.0 / product;
    }
    Eigen::MatrixXd q = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < n; ++j)
            if (j != i) {
                const double share = weights[std::size_t(i)] * scale(j) / scale(i) / (x(i) - x(j));
                q(i, j) = share;
                q(i, i) -= share;  // a constant does no work
            }
    return q;
}

int Tracer::path_points() const {
    constexpr Eigen::Index many_rows = 300;  // a hundred sites
    const bool few = options_.dissipation == Dissipation::local && sites_.rows() < many_rows;
    return (few ? 3 : 1) * options_.quadrature;
}

/// Displacements and forces of all rows at the points from one reversal to the other, which the joints then accept.
bool Tracer::half_loop(const Branch& from, const Branch& to, Node node, Loop& loop, Eigen::MatrixXd& u,
                       Eigen::MatrixXd& f, int& iterations, const Visit& visit) {
    const bool own = options_.method == Method::rqnma;
    const Lobatto rule(path_points());
    const Shape start = equations_.shape(from), end = equations_.shape(to);
    const auto load = [&](double c) {
        if (own) {
            const double a = 0.5 * (1 - c), b = 0.5 * (1 + c);
            equations_.set_load({a * start.y + b * end.y, a * start.xi + b * end.xi});
        }
        equations_.set_loading(0.0, c);
    };
    equations_.set_side(to.q > 0);
    double reached = -1;
    load(reached);
    Branch here = equations_.guess({-start.y, -start.xi}, -from.lambda, to.q);
    const auto points = Eigen::Index(rule.nodes.size());
    Eigen::VectorXd at(sites_.rows());
    for (node.index = 0; node.index < points; ++node.index) {
        node.first = node.index == 0;
        node.last = node.index + 1 == points;
        const double c = rule.nodes[std::size_t(node.index)];
        node.start = 0.5 * (1 - c);
        node.end = 0.5 * (1 + c);
        const bool reversal = node.first || node.last;
        if (!reversal && !follow_load(here, reached, c, c - reached, load, iterations)) {
            loop.residual = std::max(loop.residual, equations_.residual_size(here));
            use_own_inertia();
            return false;
        }
        if (reversal) use_own_inertia();
        const Branch& b = node.first ? from : node.last ? to : here;
        equations_.residual_size(b);
        equations_.increments(b, at);
        u.col(node.index) = at;
        f.col(node.index) = sites_.force();
        if (visit) visit(b, node);
        if (node.last) {
            equations_.residual_size(b);
            sites_.commit();
        }
    }
    return true;
}

/// Whether all hysteretic sites, a point of the half loop a column, stay on the line from the first point to the last
/// and do not turn round on it: then what they lose is what their laws count, exactly, kinks and all.
bool Tracer::all_straight(const Eigen::MatrixXd& u) const {
    constexpr double bend = 1e-8;  // of a site's way; of the longest, a hundredth of that: sites that hardly move
    const double least = 1e-2 * bend * (u.rightCols(1) - u.leftCols(1)).cwiseAbs().maxCoeff();
    for (const auto& part : sites_.parts()) {
        if (part.spring) continue;
        for (Eigen::Index row = part.row; row < part.row + part.count; row += part.width) {
            const auto site = u.middleRows(row, part.width);
            const Eigen::VectorXd start = site.col(0), way = site.rightCols(1) - start;
            double before = 0;
            for (Eigen::Index i = 1; i < site.cols(); ++i) {
                const Eigen::VectorXd moved = site.col(i) - start;
                const double share = way.isZero(0) ? 0.0 : moved.dot(way) / way.squaredNorm();
                if ((moved - share * way).norm() > bend * way.norm() + least || (share - before) * way.norm() < -least)
                    return false;
                before = share;
            }
        }
    }
    return true;
}

/// Where all sites stick at both reversals they stick between them, for slip limits and open contact are convex: nothing
/// is lost on any path.
Eigen::VectorXd Tracer::loop_work(Loop& loop, int& iterations, const Visit& visit) {
    if (loop.stuck) {
        loop.straight = true;
        return Eigen::VectorXd::Zero(sites_.rows());
    }
    const Eigen::MatrixXd share = Lobatto(path_points()).work();
    Eigen::MatrixXd u(sites_.rows(), share.rows()), f(u.rows(), u.cols());
    Eigen::VectorXd work = Eigen::VectorXd::Zero(sites_.rows()), u_first, f_first;
    loop.straight = true;
    for (const bool down : {true, false}) {
        const Branch& from = down ? loop.plus : loop.minus;
        const Branch& to = down ? loop.minus : loop.plus;
        if (!half_loop(from, to, {.down = down}, loop, u, f, iterations, visit)) return {};
        work += (f * share).cwiseProduct(u).rowwise().sum();
        loop.straight = loop.straight && all_straight(u);
        if (down) {
            u_first = u.col(0);
            f_first = f.col(0);
        }
    }
    // What is left open of a loop that has not quite closed, straight back.
    const Eigen::Index last = u.cols() - 1;
    work += 0.5 * (f_first + f.col(last)).cwiseProduct(u_first - u.col(last));
    return work;
}

}  // namespace faying::modes
