#include "faying/fe/sparse_contact.hpp"

#include <fmt/format.h>

#include <random>

#include "faying/core/error.hpp"
#include "faying/sparse/direct.hpp"
#include "reduction_loads.hpp"
#include "reduction_pairs.hpp"
#include "relative_coordinates.hpp"

namespace faying::fe {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

constexpr Eigen::Index few_motions = 3000;  ///< up to here every node's own stiffness is solved for
constexpr int samples = 16;                 ///< beyond: random vectors that estimate each pair's mean
constexpr Eigen::Index at_once = 64;        ///< columns solved for together

std::vector<PairOptions> chosen_pairs(const Deck& deck, const ReduceOptions& options) {
    return options.pairs_of_deck ? pairs_in(deck) : options.pairs;
}

/// What the pairs' relative motions feel, everything else let go: S = K_bb - K_bi K_ii^-1 K_ib, as products.
class AtTheFaces {
 public:
    AtTheFaces(const Sparse& k, const std::vector<Eigen::Index>& boundary)
        : factor_(sparse::DirectSolver::Kind::symmetric) {
        std::vector<int> place(static_cast<std::size_t>(k.rows()), -1);
        for (std::size_t b = 0; b < boundary.size(); ++b) place[std::size_t(boundary[b])] = -2 - int(b);
        int inner = 0;
        for (int& p : place)
            if (p == -1) p = inner++;
        std::vector<Eigen::Triplet<double>> ii, ib, bb;
        for (Eigen::Index j = 0; j < k.outerSize(); ++j)
            for (Sparse::InnerIterator it(k, j); it; ++it) {
                const int row = place[std::size_t(it.row())], column = place[std::size_t(j)];
                if (row >= 0 && column >= 0) ii.emplace_back(row, column, it.value());
                if (row >= 0 && column < 0) ib.emplace_back(row, -2 - column, it.value());
                if (row < 0 && column < 0) bb.emplace_back(-2 - row, -2 - column, it.value());
            }
        const auto b = static_cast<Eigen::Index>(boundary.size());
        Sparse inside(inner, inner);
        inside.setFromTriplets(ii.begin(), ii.end());
        across_.resize(inner, b);
        across_.setFromTriplets(ib.begin(), ib.end());
        own_.resize(b, b);
        own_.setFromTriplets(bb.begin(), bb.end());
        if (!factor_.factor(inside))
            throw core::BadInput("reduction",
                                 "nothing holds the structure, or a part of it, when the contact pairs are "
                                 "closed");
    }

    MatrixXd times(const MatrixXd& v) const { return own_ * v - across_.transpose() * factor_.solve(across_ * v); }

 private:
    sparse::DirectSolver factor_;
    Sparse across_, own_;
};

/// Of each pair as the condensed model has it: every node's own block of S.
void exact_penalties(const std::vector<PairedFaces>& pairs, const AtTheFaces& faces, Eigen::Index motions,
                     std::vector<structure::ContactPair>& out) {
    std::vector<MatrixXd> blocks;  // by first motion of the node
    const int d = pairs[0].dimension;
    const Eigen::Index step = at_once - at_once % d;
    for (Eigen::Index from = 0; from < motions; from += step) {
        const Eigen::Index count = std::min(step, motions - from);
        MatrixXd unit = MatrixXd::Zero(motions, count);
        for (Eigen::Index c = 0; c < count; ++c) unit(from + c, c) = 1;
        const MatrixXd s = faces.times(unit);
        for (Eigen::Index c = 0; c < count; c += d) blocks.push_back(s.block(from + c, c, d, d));
    }
    std::size_t node = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        out[p].penalty = penalty_of(pairs[p], [&](Eigen::Index at) { return blocks[node + std::size_t(at / d)]; });
        node += pairs[p].nodes.size();
    }
}

/// The same mean from w^T S w with random w whose mean square is what the mean weighs: a few per cent off, of a number
/// that is a hundred times what matters.
void sampled_penalties(const std::vector<PairedFaces>& pairs, const AtTheFaces& faces, Eigen::Index motions,
                       std::vector<structure::ContactPair>& out) {
    std::mt19937_64 bits(1);
    MatrixXd w = MatrixXd::Zero(motions, samples);
    Eigen::Index first = 0;
    for (const auto& pair : pairs) {
        const int d = pair.dimension;
        for (Eigen::Index j = 0; j < pair.shape.outerSize(); ++j)
            for (Sparse::InnerIterator it(pair.shape, j); it; ++it) {
                const double share = std::sqrt(std::abs(it.value()) * pair.weight(it.row()));
                const VectorXd n = pair.axes[static_cast<std::size_t>(it.row())].row(2).head(d).transpose();
                for (int s = 0; s < samples; ++s)
                    w.col(s).segment(first + d * j, d) += ((bits() >> 63) != 0 ? share : -share) * n;
            }
        first += d * static_cast<Eigen::Index>(pair.nodes.size());
    }
    const MatrixXd felt = faces.times(w);
    first = 0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const Eigen::Index count = pairs[p].dimension * static_cast<Eigen::Index>(pairs[p].nodes.size());
        const double mean =
            w.middleRows(first, count).cwiseProduct(felt.middleRows(first, count)).sum() / double(samples);
        // penalty_of of a constant stiffness is that constant over the sum of the shares
        double shares = 0;
        for (Eigen::Index j = 0; j < pairs[p].shape.outerSize(); ++j)
            for (Sparse::InnerIterator it(pairs[p].shape, j); it; ++it)
                shares += std::abs(it.value()) * pairs[p].weight(it.row());
        const double one = penalty_of(
            pairs[p], [&](Eigen::Index) { return MatrixXd::Identity(pairs[p].dimension, pairs[p].dimension).eval(); });
        out[p].penalty = one * mean / shares;
        first += count;
    }
}

}  // namespace

Index relative_motions(const Deck& deck, const ReduceOptions& options) {
    Index count = 0;
    for (const auto& one : chosen_pairs(deck, options)) {
        const PairedFaces pair = pair_faces(deck, one);
        count += pair.dimension * static_cast<Index>(pair.nodes.size());
    }
    return count;
}

SparseContact leave_uncondensed(const Deck& given, const ReduceOptions& options) {
    if (!options.pairs_of_deck && options.pairs.empty())
        throw core::BadInput("reduction", "only a structure with contact pairs can stay as it is");
    SparseContact made;
    Reduction& r = made.about;
    const Deck deck = without_ties_across_pairs(given, options, r.notes);
    r.model = model_of(deck, options.model);
    r.full_dof = r.model.stiffness.rows();
    r.mass = r.model.checks.mass;
    r.notes.insert(r.notes.end(), r.model.notes.begin(), r.model.notes.end());
    if (r.model.checks.rigid_motions_free)
        throw core::BadInput(deck.files[0],
                             "nothing holds the structure: a structure that is not condensed needs supports "
                             "that stop its rigid motions (*BOUNDARY), or --solver condensed");
    options.done(0.2);
    const auto chosen = chosen_pairs(deck, options);
    for (const auto& one : chosen) r.pairs.push_back(pair_faces(deck, one));
    const RelativeCoordinates relative = relative_coordinates(deck, r.model, r.pairs);
    const Sparse& t = relative.t;
    auto& s = made.structure;
    s.stiffness = t.transpose() * Sparse(r.model.stiffness * t);
    options.done(0.4);
    const auto motions = static_cast<Eigen::Index>(relative.boundary.size());
    const AtTheFaces faces(s.stiffness, relative.boundary);
    options.done(0.7);
    for (const auto& pair : r.pairs) {
        s.pairs.push_back(sites_of(pair));
        s.pairs.back().friction = chosen[s.pairs.size() - 1].friction;
        auto& q = s.pairs.back().sites;
        q.map.resize(q.interpolation.rows(), 0);
        s.rows.emplace_back();
    }
    std::size_t at = 0;
    for (std::size_t p = 0; p < r.pairs.size(); ++p)
        for (Eigen::Index i = 0; i < s.pairs[p].sites.interpolation.cols(); ++i)
            s.rows[p].push_back(static_cast<int>(relative.boundary[at++]));
    (motions <= few_motions ? exact_penalties : sampled_penalties)(r.pairs, faces, motions, s.pairs);
    for (const LoadCase& load : options.loads)
        s.loads.emplace_back(load.name, t.transpose() * free_load(deck, r.model, load));
    for (const OutputPoint& output : options.outputs)
        s.outputs.push_back({output.name, t.transpose() * free_output(deck, r.model, output)});
    r.reduced.pairs = s.pairs;
    structure::check_uncondensed(s, "reduction");
    options.done(1);
    return made;
}

}  // namespace faying::fe
