#pragma once
// A network along a whole history, by whichever way suits it.

#include <span>

#include "faying/network/follower.hpp"
#include "faying/network/plays.hpp"

namespace faying::network {

/// At every point of a history. `load` is what is prescribed and `answer` its conjugate: force and xi of a network
/// driven by force, displacement and force of the other kind.
struct NetworkHistory {
    std::vector<double> load, answer, xi, tangent, work, dissipated, stored;
    std::vector<int> slipping;
    std::vector<std::vector<std::int32_t>> slippers;  ///< which, where asked for
    std::uint64_t events = 0;
    bool by_plays = false;
    /// Largest violation of work = dissipated + stored, relative to the work done so far; of a decoupled network, whose
    /// energies come from one sum, it is 0.
    double energy_balance = 0;
    double residual = 0;  ///< of the equations at the end (Follower::residual); 0 where each slider is clipped exactly
    std::vector<double> positions;  ///< of every slider at the end
};

struct HistoryOptions {
    Method method = Method::events;
    bool slippers = false;
    bool plays = true;  ///< play operators where K is diagonal
};

NetworkHistory follow(const Network& network, std::span<const double> loads, const HistoryOptions& options = {});

}  // namespace faying::network
