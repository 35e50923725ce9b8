#pragma once
// Samples of a density by its gradient: the no-U-turn sampler (Hoffman and Gelman 2014) with multinomial choice along
// the path (Betancourt 2017), step size by dual averaging, and coordinates in which the warm-up's covariance is one.
// After the warm-up most moves are proposals that do not depend on where a chain is, drawn from a mixture of normal
// distributions that was learnt from all chains: they need no gradient, and lead from one peak to another.
//
//     const Target target = [](const Eigen::VectorXd& z, Eigen::VectorXd* slope) { if (slope) *slope = -z; return -0.5 * z.squaredNorm(); };
//     const Samples samples = sample(target, Eigen::VectorXd::Zero(3), {.draws = 1000});
//     samples.chains[0].z();                                         // a row a draw
//
// A chain depends on (seed, chain) alone: the same on any number of threads, and one that was stopped goes on to the
// same bits.

#include <Eigen/Dense>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "faying/fit/mixture.hpp"

namespace faying::fit {

/// Natural logarithm of a density, and its gradient unless that is null; minus infinity: not allowed.
using Target = std::function<double(const Eigen::VectorXd& z, Eigen::VectorXd* gradient)>;

/// Where independent proposals come from, and the share of them that was expected to be taken.
struct Proposal {
    Mixture mixture;
    double acceptance = 0;
};

/// All that a chain needs to go on, and what it has drawn.
struct Chain {
    int iteration = 0;           ///< of warm-up and draws
    Eigen::VectorXd at, moving;  ///< z, and x that moves
    Eigen::MatrixXd scale;       ///< L: z = L x
    double step = 0;
    double averaged[4] = {};  ///< dual averaging: centre, mean log step, mean error, count
    double seen = 0;          ///< draws of the window, their mean and squares
    Eigen::VectorXd mean;
    Eigen::MatrixXd squares;
    double here = 0;                         ///< ln density at z
    std::vector<std::vector<double>> warm;   ///< z of the last half of the warm-up, until the proposal is learnt
    Proposal proposal;                       ///< the same in all chains
    std::vector<std::vector<double>> draws;  ///< z after warm-up
    std::vector<double> log_density;
    long evaluations = 0;            ///< gradients
    long densities = 0;              ///< without gradients
    int proposed = 0, accepted = 0;  ///< independent proposals
    int divergences = 0;             ///< of the draws: the path left the region where steps follow it
    int longest = 0;                 ///< of the draws: paths that were cut at the greatest depth
    std::vector<int> depth;          ///< of each path after the warm-up: 2^depth gradients at most

    Eigen::MatrixXd z() const;  ///< a row a draw
};

/// Chains kept between runs; empty functions keep nothing.
struct ChainStore {
    std::function<std::optional<Chain>(int chain)> load = {};
    std::function<void(int chain, const Chain& state)> save = {};  ///< called from several threads, one at a time
};

/// Processes that share the chains among them: rank r advances every `ranks`th from the r-th on. Random numbers are the
/// chain's own, so that it does not matter who does.
struct Team {
    int rank = 0, ranks = 1;
    /// Gives every process the chains of those that `speak` for them, and says whether any of them has stopped.
    std::function<bool(std::vector<Chain>& chains, const std::vector<bool>& speaks, bool stopped)> share = {};
};

struct SampleOptions {
    int chains = 4, warmup = 1000, draws = 2500;
    std::uint64_t seed = 1;
    double acceptance = 0.8;  ///< aimed at
    int deepest = 10;
    int threads = 0;
    double save_every = 2;  ///< seconds
    ChainStore store = {};  ///< of a team: of its first process
    Team team = {};
    std::function<void(std::size_t done)> progress = {};  ///< iterations of all chains
    std::function<bool()> stop = {};
    void check() const;
};

struct Samples {
    std::vector<Chain> chains;

    std::size_t size() const;  ///< draws of all chains
    Eigen::VectorXd draw(std::size_t i) const;
    double log_density(std::size_t i) const;
    int divergences() const;
    long evaluations() const;
    long densities() const;
    double acceptance() const;  ///< of independent proposals
};

/// Greatest density near `start`, by Newton's method with differences of the gradient; and a normal distribution there:
/// its covariance is scale scale^T. Throws NotConverged when the start has no density.
struct Peak {
    Eigen::VectorXd z;
    double log_density = 0;
    Eigen::MatrixXd scale;
};
Peak highest(const Target& target, Eigen::VectorXd start, int most_iterations = 40);

/// Chains start scattered about the peak near `start`, twice as widely as the normal distribution there. Throws
/// core::Interrupted when SampleOptions::stop says so; what was drawn is in the store.
Samples sample(const Target& target, const Eigen::VectorXd& start, const SampleOptions& options = {});

}  // namespace faying::fit
