#include "faying/network/plays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "faying/core/error.hpp"

namespace faying::network {

Plays::Plays(const Network& net) : by_force_(net.by_force()), held_(net.held) {
    check_network(net, "network");
    if (!net.decoupled()) throw core::BadInput("network", "play operators need a diagonal K");
    const auto n = net.size();
    const Eigen::VectorXd k = net.stiffness.diagonal();
    if (k.minCoeff() <= 0.0)
        throw core::BadInput("network", "play operators need a spring at every slider: K has a zero on its diagonal");
    reach_.resize(n);
    for (Eigen::Index i = 0; i < n; ++i)
        reach_(i) = net.coupling(i) == 0.0 ? std::numeric_limits<double>::infinity()
                                           : net.friction(i) / std::abs(net.coupling(i));
    positions_per_play_ = net.coupling.cwiseQuotient(k);
    std::vector<std::size_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return reach_(long(a)) < reach_(long(b)); });
    place_.resize(order.size());
    below_.push_back({});
    for (std::size_t j = 0; j < order.size(); ++j) {
        const auto i = long(order[j]);
        place_[order[j]] = j;
        phi_.push_back(reach_(i));
        Sums s = below_.back();
        if (net.coupling(i) != 0.0) {
            const double c = net.coupling(i) * net.coupling(i) / k(i);
            s.c += c;
            s.c_phi += c * reach_(i);
            s.c_phi2 += c * reach_(i) * reach_(i);
        }
        below_.push_back(s);
    }
}

std::size_t Plays::count_below(double phi) const {
    return std::size_t(std::lower_bound(phi_.begin(), phi_.end(), phi) - phi_.begin());
}

/// A branch from a turning point dissipates Sum c phi (L - 2 phi) and moves Sum c (L - 2 phi); the virgin one starts at
/// zero and has phi in the place of 2 phi.
Plays::Point Plays::on_branch(const Point& from, double load, double& dissipated, std::size_t& slipping) const {
    const double run = load - from.load, length = std::abs(run), s = run < 0 ? -1.0 : 1.0;
    const double width = turns_.empty() ? 1.0 : 2.0;
    slipping = count_below(length / width);
    const Sums& sum = below_[slipping];
    dissipated = sum.c_phi * length - width * sum.c_phi2;
    const double moved = sum.c * length - width * sum.c_phi;
    // Int f dxi, slider by slider from where it begins to slip
    const double work = s * moved * 0.5 * (load + from.load) + 0.5 * width * dissipated;
    return {load, from.xi + s * moved, from.stored + work - dissipated};
}

/// Along the branch we are on, without passing its end.
void Plays::go(double load) {
    const Point from = turns_.empty() ? Point{} : turns_.back();
    double before = 0, after = 0;
    std::size_t slipped = 0, slips = 0;
    on_branch(from, load_, before, slipped);
    now_ = on_branch(from, load, after, slips);
    dissipated_ += after - before;
    events_ += slips - std::min(slips, slipped);
    slipping_ = slips;
    load_ = load;
}

void Plays::advance(double load) {
    if (!std::isfinite(load)) throw core::BadInput("network", fmt::format("a load of {} is not finite", load));
    if (load == load_) return;
    const int d = load > load_ ? 1 : -1;
    if (direction_ != 0 && d != direction_) {
        if (turns_.empty() || turns_.back().load != load_) turns_.push_back(now_);
        slipping_ = 0;
    }
    direction_ = d;
    while (!turns_.empty()) {
        const bool first = turns_.size() == 1;
        const double end = first ? -turns_.front().load : turns_[turns_.size() - 2].load;
        if (d * (load - end) < 0.0) break;
        go(end);
        turns_.resize(turns_.size() - (first ? 1 : 2));
        // What slips goes on slipping, unless the branch that is resumed says otherwise.
        double unused = 0;
        on_branch(turns_.empty() ? Point{} : turns_.back(), load_, unused, slipping_);
    }
    if (load != load_) go(load);
}

double Plays::tangent() const {
    const double slope = below_[slipping_].c;
    return by_force_ ? slope : held_ - slope;
}

bool Plays::slips(Eigen::Index slider) const { return place_[std::size_t(slider)] < slipping_; }

Eigen::VectorXd Plays::positions() const {
    Eigen::VectorXd x(reach_.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        double p = 0;
        const auto visit = [&](double f) { p = std::clamp(p, f - reach_(i), f + reach_(i)); };
        for (const auto& turn : turns_) visit(turn.load);
        visit(load_);
        x(i) = positions_per_play_(i) * p;
    }
    return x;
}

}  // namespace faying::network
