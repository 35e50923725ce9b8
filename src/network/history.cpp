#include "faying/network/history.hpp"

#include <cmath>

#include "faying/core/progress.hpp"

namespace faying::network {

namespace {

template <class Walk>
void record(NetworkHistory& h, const Walk& walk, bool slippers, Eigen::Index n) {
    h.load.push_back(walk.load());
    h.answer.push_back(walk.answer());
    h.xi.push_back(walk.xi());
    h.tangent.push_back(walk.tangent());
    h.work.push_back(walk.work());
    h.dissipated.push_back(walk.dissipated());
    h.stored.push_back(walk.stored());
    h.slipping.push_back(walk.slipping());
    if (!slippers) return;
    h.slippers.emplace_back();
    for (Eigen::Index i = 0; i < n; ++i)
        if (walk.slips(i)) h.slippers.back().push_back(std::int32_t(i));
}

template <class Walk>
NetworkHistory walked(Walk& walk, Eigen::Index n, std::span<const double> loads, const HistoryOptions& options) {
    NetworkHistory h;
    core::Progress progress("network", loads.size());
    double done = 0;  // work to and fro, so that a loop that gives back what it took has a scale
    double last = 0;
    for (std::size_t i = 0; i < loads.size(); ++i) {
        walk.advance(loads[i]);
        record(h, walk, options.slippers, n);
        done += std::abs(walk.work() - last);
        last = walk.work();
        if (done > 0.0)
            h.energy_balance =
                std::max(h.energy_balance, std::abs(walk.work() - walk.dissipated() - walk.stored()) / done);
        progress.at(i + 1);
    }
    h.events = walk.events();
    return h;
}

}  // namespace

NetworkHistory follow(const Network& network, std::span<const double> loads, const HistoryOptions& options) {
    if (options.plays && options.method == Method::events && network.decoupled() &&
        network.stiffness.diagonal().minCoeff() > 0.0) {
        Plays walk(network);
        auto h = walked(walk, network.size(), loads, options);
        h.by_plays = true;
        const Eigen::VectorXd x = walk.positions();
        h.positions.assign(x.begin(), x.end());
        return h;
    }
    Follower walk(network, options.method);
    auto h = walked(walk, network.size(), loads, options);
    h.residual = walk.residual();
    h.positions.assign(walk.state().x.begin(), walk.state().x.end());
    return h;
}

}  // namespace faying::network
