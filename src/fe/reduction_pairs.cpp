#include "reduction_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "faying/core/error.hpp"
#include "reduction_loads.hpp"
#include "relative_coordinates.hpp"

namespace faying::fe {

namespace {

using Eigen::MatrixXd;
using Sparse = Eigen::SparseMatrix<double>;

/// By how much penalty contact is stiffer than the bodies where it acts.
constexpr double penalty_ratio = 100;

/// Sites of a pair in reduced coordinates, of which its relative motions start at `first`.
structure::ContactPair in_reduced_coordinates(const PairedFaces& pair, Eigen::Index first, const CraigBampton& cb) {
    structure::ContactPair out = sites_of(pair);
    auto& q = out.sites;
    const auto rows = q.interpolation.cols();
    q.nodes = MatrixXd::Zero(rows, cb.mass.cols());
    for (Eigen::Index i = 0; i < rows; ++i) q.nodes(i, first + i) = 1;
    q.map = q.interpolation * q.nodes;
    out.penalty = penalty_of(pair, [&](Eigen::Index at) {
        return cb.stiffness.block(first + at, first + at, pair.dimension, pair.dimension).eval();
    });
    return out;
}

}  // namespace

structure::ContactPair sites_of(const PairedFaces& pair) {
    structure::ContactPair out;
    out.name = pair.name;
    out.gap = pair.gap;
    auto& q = out.sites;
    const int d = pair.dimension;
    q.weight = pair.weight;
    q.points = pair.points;
    q.element.assign(static_cast<std::size_t>(pair.sites()), 0);
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index j = 0; j < pair.shape.outerSize(); ++j)
        for (Sparse::InnerIterator it(pair.shape, j); it; ++it) {
            const auto& axes = pair.axes[static_cast<std::size_t>(it.row())];
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < d && !(d == 2 && a == 1); ++b)
                    if (axes(a, b) != 0.0)
                        entries.emplace_back(int(3 * it.row() + a), int(d * j + b), it.value() * axes(a, b));
        }
    q.interpolation.resize(3 * pair.sites(), d * static_cast<Eigen::Index>(pair.nodes.size()));
    q.interpolation.setFromTriplets(entries.begin(), entries.end());
    return out;
}

double penalty_of(const PairedFaces& pair, const std::function<MatrixXd(Eigen::Index)>& own) {
    double stiffness = 0, area = 0;
    for (Eigen::Index j = 0; j < pair.shape.outerSize(); ++j) {
        const MatrixXd here = own(pair.dimension * j);
        for (Sparse::InnerIterator it(pair.shape, j); it; ++it) {
            const Eigen::VectorXd n =
                pair.axes[static_cast<std::size_t>(it.row())].row(2).head(pair.dimension).transpose();
            const double share = std::abs(it.value()) * pair.weight(it.row());
            stiffness += share * n.dot(here * n);
            area += share * share;
        }
    }
    // Of each node k/share, its stiffness per area, weighted by share^2: large faces count, slivers do not.
    return penalty_ratio * stiffness / area;
}

void reduce_to_pairs(const Deck& deck, const ReduceOptions& options, Reduction& r, const MatrixXd& motions) {
    std::vector<Eigen::Index> first;
    const std::vector<PairOptions> chosen = options.pairs_of_deck ? pairs_in(deck) : options.pairs;
    Eigen::Index count = 0;
    for (const PairOptions& one : chosen) {
        r.pairs.push_back(pair_faces(deck, one));
        first.push_back(count);
        count += r.pairs.back().dimension * static_cast<Eigen::Index>(r.pairs.back().nodes.size());
    }
    const RelativeCoordinates relative = relative_coordinates(deck, r.model, r.pairs);
    const Sparse& t = relative.t;
    const Sparse k = t.transpose() * Sparse(r.model.stiffness * t), m = t.transpose() * Sparse(r.model.mass * t);
    MatrixXd rigid = motions;  // which have no relative part
    for (Eigen::Index b : relative.boundary) rigid.row(b).setZero();
    const StrongBoundary held(k, m, rigid, relative.boundary, options.modes);
    options.done(0.4);

    MatrixXd loads(t.cols(), static_cast<Eigen::Index>(options.loads.size() + options.outputs.size()));
    Eigen::Index column = 0;
    for (const LoadCase& load : options.loads) loads.col(column++) = t.transpose() * free_load(deck, r.model, load);
    for (const OutputPoint& output : options.outputs)
        loads.col(column++) = t.transpose() * free_output(deck, r.model, output);
    r.craig_bampton = held.reduce(
        MatrixXd::Identity(count, count), [&](double share) { options.done(0.45 + 0.55 * share); }, loads);
    const auto rows = r.craig_bampton.rows;
    for (Eigen::Index j = 0; j < r.craig_bampton.basis.cols(); ++j)
        r.craig_bampton.basis.col(j) = rows.part(t * rows.whole(r.craig_bampton.basis.col(j)));
    constexpr const char* axis[] = {"x", "y", "z"};
    for (std::size_t p = 0; p < r.pairs.size(); ++p) {
        const auto& pair = r.pairs[p];
        for (Index node : pair.nodes)
            for (int d = 0; d < pair.dimension; ++d)
                r.reduced.dofs.push_back(fmt::format("{}: node {} {}", pair.name, node_name(deck, node), axis[d]));
        r.reduced.pairs.push_back(in_reduced_coordinates(pair, first[p], r.craig_bampton));
        r.reduced.pairs.back().friction = chosen[p].friction;
    }
}

}  // namespace faying::fe
