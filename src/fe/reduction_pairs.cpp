#include "reduction_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "faying/core/error.hpp"
#include "reduction_loads.hpp"

namespace faying::fe {

namespace {

using Eigen::MatrixXd;
using Sparse = Eigen::SparseMatrix<double>;
using ByRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// By how much penalty contact is stiffer than the bodies where it acts.
constexpr double penalty_ratio = 100;

/// x = T x' with the first sides' nodes of the pairs so far replaced by relative motions.
class RelativeCoordinates {
 public:
    explicit RelativeCoordinates(const LinearModel& model)
        : model_(model), free_of_(static_cast<std::size_t>(model.all.size()), -1) {
        for (std::size_t i = 0; i < model.elimination.free.size(); ++i)
            free_of_[static_cast<std::size_t>(model.elimination.free[i])] = static_cast<int>(i);
        t.resize(model.stiffness.rows(), model.stiffness.rows());
        t.setIdentity();
        taken_.assign(static_cast<std::size_t>(t.rows()), 0);
    }

    Sparse t;
    std::vector<Eigen::Index> boundary;  ///< rows of x' that are relative motions, pair by pair

    void add(const Deck& deck, const PairedFaces& pair, int number) {
        const std::string where = fmt::format("contact pair '{}'", pair.name);
        const int d = pair.dimension;
        std::vector<int> slots;
        for (Index node : pair.nodes)
            for (int a = 1; a <= d; ++a) {
                const Index in_all = model_.all.find(node, a);
                const int slot = in_all == none ? -1 : free_of_[static_cast<std::size_t>(in_all)];
                if (slot < 0)
                    throw core::BadInput(where, fmt::format("node {} of its first surface is bound by a constraint or "
                                                            "support of the deck; swap first and second, or free it",
                                                            node_name(deck, node)));
                int& taken = taken_[static_cast<std::size_t>(slot)];
                if (taken != 0)
                    throw core::BadInput(where, fmt::format("node {} is on the first surface of two pairs; swap first "
                                                            "and second of one of them",
                                                            node_name(deck, node)));
                taken = number;
                slots.push_back(slot);
            }
        // u = rows x', with one at each slot: the slot's x' becomes u minus the rest.
        const ByRows rows = Sparse(relative_motion(pair, model_.all) * model_.elimination.transformation) * t;
        std::vector<Eigen::Triplet<double>> entries;
        std::vector<bool> replaced(taken_.size(), false);
        for (int slot : slots) replaced[static_cast<std::size_t>(slot)] = true;
        for (Eigen::Index i = 0; i < t.rows(); ++i)
            if (!replaced[static_cast<std::size_t>(i)]) entries.emplace_back(int(i), int(i), 1.0);
        for (std::size_t k = 0; k < slots.size(); ++k) {
            entries.emplace_back(slots[k], slots[k], 1.0);
            for (ByRows::InnerIterator it(rows, static_cast<Eigen::Index>(k)); it; ++it) {
                const bool own = it.col() == slots[k];
                if (own ? std::abs(it.value() - 1) > 1e-12
                        : replaced[static_cast<std::size_t>(it.col())] && std::abs(it.value()) > 1e-12)
                    throw core::BadInput(where,
                                         "its surfaces follow each other round in a ring: part of the first is "
                                         "also part of the second");
                if (!own && it.value() != 0.0) entries.emplace_back(slots[k], int(it.col()), -it.value());
            }
        }
        Sparse here(t.rows(), t.cols());
        here.setFromTriplets(entries.begin(), entries.end());
        t = Sparse(t * here);
        boundary.insert(boundary.end(), slots.begin(), slots.end());
    }

 private:
    const LinearModel& model_;
    std::vector<int> free_of_;
    std::vector<int> taken_;  ///< of each free DOF: the pair that has it, or 0
};

/// Sites of a pair in reduced coordinates, of which its relative motions start at `first`.
structure::ContactPair in_reduced_coordinates(const PairedFaces& pair, Eigen::Index first, const CraigBampton& cb) {
    structure::ContactPair out;
    out.name = pair.name;
    out.gap = pair.gap;
    auto& q = out.sites;
    const int d = pair.dimension;
    const auto rows = d * static_cast<Eigen::Index>(pair.nodes.size());
    q.weight = pair.weight;
    q.points = pair.points;
    q.element.assign(static_cast<std::size_t>(pair.sites()), 0);
    q.nodes = MatrixXd::Zero(rows, cb.mass.cols());
    for (Eigen::Index i = 0; i < rows; ++i) q.nodes(i, first + i) = 1;
    std::vector<Eigen::Triplet<double>> entries;
    double stiffness = 0, area = 0;
    for (Eigen::Index j = 0; j < pair.shape.outerSize(); ++j)
        for (Sparse::InnerIterator it(pair.shape, j); it; ++it) {
            const auto& axes = pair.axes[static_cast<std::size_t>(it.row())];
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < d && !(d == 2 && a == 1); ++b)
                    if (axes(a, b) != 0.0)
                        entries.emplace_back(int(3 * it.row() + a), int(d * j + b), it.value() * axes(a, b));
            const Eigen::VectorXd n = axes.row(2).head(d).transpose();
            const double share = std::abs(it.value()) * pair.weight(it.row());
            stiffness += share * n.dot(cb.stiffness.block(first + d * j, first + d * j, d, d) * n);
            area += share * share;
        }
    q.interpolation.resize(3 * pair.sites(), rows);
    q.interpolation.setFromTriplets(entries.begin(), entries.end());
    q.map = q.interpolation * q.nodes;
    // Of each node k/share, its stiffness per area, weighted by share^2: large faces count, slivers do not.
    out.penalty = penalty_ratio * stiffness / area;
    return out;
}

}  // namespace

void reduce_to_pairs(const Deck& deck, const ReduceOptions& options, Reduction& r, const MatrixXd& motions) {
    RelativeCoordinates relative(r.model);
    std::vector<Eigen::Index> first;
    const std::vector<PairOptions> chosen = options.pairs_of_deck ? pairs_in(deck) : options.pairs;
    for (const PairOptions& one : chosen) {
        r.pairs.push_back(pair_faces(deck, one));
        first.push_back(static_cast<Eigen::Index>(relative.boundary.size()));
        relative.add(deck, r.pairs.back(), static_cast<int>(r.pairs.size()));
    }
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
    const auto count = static_cast<Eigen::Index>(relative.boundary.size());
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
