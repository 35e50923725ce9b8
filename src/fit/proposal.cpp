#include "proposal.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "parallel.hpp"
#include "random.hpp"

namespace faying::fit {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int components = 8;
constexpr int most_rounds = 5;
constexpr double good_share = 0.5;  ///< effective of drawn places, at which nothing more is to be learnt

/// Places drawn from a mixture, and how they weigh.
struct Drawn {
    MatrixXd places;
    VectorXd weights;  ///< sum one
    double effective = 0;
};

std::optional<Drawn> drawn_from(const Mixture& g, const Target& target, int count, int round,
                                const SampleOptions& options) {
    const auto d = g.dimension();
    Drawn drawn{MatrixXd(count, d), VectorXd(count), 0};
    std::atomic<bool> stopped{false};
    for_each_index(std::size_t(count), options.threads, [&](std::size_t i) {
        if (stopped || (options.stop && i % 16 == 0 && options.stop())) {
            stopped = true;
            return;
        }
        Random random{options.seed, 0x9409u + std::uint64_t(round), i};
        const VectorXd z = g.draw(random);
        const double value = target(z, nullptr);
        drawn.places.row(Index(i)) = z;
        drawn.weights(Index(i)) =
            std::isfinite(value) ? value - g.log_density(z) : -std::numeric_limits<double>::infinity();
    });
    if (stopped) return {};
    const double total = log_sum(drawn.weights);
    if (std::isinf(total)) {
        drawn.weights.setZero();
        return drawn;
    }
    drawn.weights = (drawn.weights.array() - total).exp();
    drawn.effective = 1 / drawn.weights.squaredNorm();
    return drawn;
}

/// Share of proposals that a chain which has settled will take: of a place of p and one of g, min(1, w_g/w_p).
double acceptance_of(VectorXd w) {
    std::sort(w.begin(), w.end());
    const double n = double(w.size());
    double below = 0, accepted = 0;  // sum of the weights below
    for (Index i = 0; i < w.size(); ++i) {
        // a place of weight w_i (probability w_i under p) against all others of g (1/n each)
        accepted += w(i) > 0 ? (below + (n - double(i)) * w(i)) / n : 0;
        below += w(i);
    }
    return std::min(1.0, accepted);
}

}  // namespace

std::optional<Proposal> learnt_proposal(const Target& target, const std::vector<Chain>& chains,
                                        const SampleOptions& options, long& densities) {
    Index count = 0;
    const auto d = chains.front().at.size();
    for (const auto& c : chains) count += Index(c.warm.size());
    MatrixXd places(count, d);
    Index row = 0;
    for (const auto& c : chains)
        for (const auto& z : c.warm) places.row(row++) = Eigen::Map<const Eigen::RowVectorXd>(z.data(), d);
    // What it is fitted to: the warm-up, a tenth of whose draws counts because they follow one another, and all places
    // drawn so far, as many of each round as its weights are worth.
    VectorXd weights = VectorXd::Constant(count, 0.1);
    Proposal learnt{Mixture::fitted(places, weights, components, options.seed), 0};
    const int each = std::max(500, int(60 * d));
    for (int round = 0, good = 0; round < most_rounds && good < 2; ++round) {
        const auto drawn = drawn_from(learnt.mixture, target, each, round, options);
        if (!drawn) return {};
        densities += each;
        learnt.acceptance = acceptance_of(drawn->weights);
        good = drawn->effective > good_share * each ? good + 1 : 0;
        places.conservativeResize(places.rows() + each, d);
        places.bottomRows(each) = drawn->places;
        weights.conservativeResize(weights.size() + each);
        weights.tail(each) = drawn->effective * drawn->weights;
        // A round of few heavy places has found what was missing: the last mixture is the best informed one.
        learnt.mixture = Mixture::fitted(places, weights, components, options.seed + std::uint64_t(round) + 1);
    }
    return learnt;
}

}  // namespace faying::fit
