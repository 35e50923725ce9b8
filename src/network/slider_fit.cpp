#include "slider_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>

#include "facet_fit.hpp"
#include "faying/core/error.hpp"

namespace faying::network {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Histories in units of the largest load and of xi there, so that a fit is the same in any units.
struct Units {
    double load = 0, xi = 0;
    Units(double largest, const std::vector<KnownHistory>& histories) : load(largest) {
        for (const auto& h : histories)
            for (const double x : h.xi) xi = std::max(xi, std::abs(x));
        if (!(xi > 0.0)) xi = load;  // nothing moves
    }
    KnownHistory operator()(KnownHistory h) const {
        for (double& f : h.load) f /= load;
        for (double& x : h.xi) x /= xi;
        for (double& d : h.dissipated) d /= load * xi;
        for (double& t : h.tangent) t *= load / xi;
        return h;
    }
    Facets back(const Facets& scaled) const {
        return {scaled.normals / std::sqrt(load * xi), scaled.coupling * std::sqrt(xi / load)};
    }
};

MState law_of(const Facets& facets, const Network& like) {
    const auto& [C, b] = facets;
    const Index m = facets.states(), p = facets.pairs();
    if (p == m)
        return {Network{C * C.transpose(), VectorXd::Ones(m), C * b, like.drive, like.held, like.may_slide},
                "condense"};
    return {Polytope{MatrixXd::Identity(m, m), C, VectorXd::Ones(p), b, like.drive, like.held}, "condense"};
}

/// Compliance of the virgin curve from `least` of the largest load up to it, in equal ratios; it does not fall.
struct VirginCurve {
    std::vector<double> loads, slopes;
    VirginCurve(const Network& network, double load, double least) {
        Follower walk(network);
        for (int k = 0; k < 400; ++k) {
            walk.advance(load * std::pow(least, 1.0 - k / 399.0));
            loads.push_back(walk.load());
            const double slope = network.by_force() ? walk.tangent() : network.held - walk.tangent();
            slopes.push_back(std::max(slope, slopes.empty() ? 0.0 : slopes.back()));
        }
    }
};

/// Loads at which sliders side by side would slip if they were to share the virgin curve, and their compliances; `bent`
/// moves the loads towards the smaller ones.
std::pair<std::vector<double>, std::vector<double>> shares(const VirginCurve& virgin, Index m, double bent) {
    const auto& [loads, slopes] = virgin;
    std::vector<double> phi, c;
    double before = 0;
    for (Index i = 0; i < m; ++i) {
        const double upto = slopes.back() * std::pow((double(i) + 1.0) / double(m), bent);
        const double middle = 0.5 * (before + upto);
        const auto at = std::lower_bound(slopes.begin(), slopes.end(), middle) - slopes.begin();
        phi.push_back(
            std::max(loads[std::size_t(std::min<long>(at, 399))] * (1.0 + 1e-3 * double(i)), 1e-6 * loads.back()));
        c.push_back(upto - before);
        before = upto;
    }
    return {phi, c};
}

/// Sliders side by side.
Facets decoupled(const std::vector<double>& phi, const std::vector<double>& c) {
    const Index m = Index(phi.size());
    Facets made{MatrixXd::Zero(m, m), VectorXd(m)};
    for (Index i = 0; i < m; ++i) {
        made.coupling(i) = std::sqrt(c[std::size_t(i)]);
        made.normals(i, i) = 1.0 / (phi[std::size_t(i)] * made.coupling(i));
    }
    return made;
}

/// What is dissipated where several facets slip together, a corner's share of each history, and which way q goes there.
struct Corner {
    double share = 0;
    VectorXd moved;
};

/// New facets, as many as `count`, across the corners where most is dissipated, each normal to the motion there: at
/// such corners the law has one threshold where the network has many.
Facets grown(const Facets& facets, const std::vector<KnownHistory>& histories, Index count) {
    constexpr double depth = 0.01;  // of a corner that is cut off, over its distance from the middle
    const Index m = facets.states();
    std::map<std::vector<int>, Corner> corners;
    for (const auto& h : histories) {
        if (!(h.dissipated.back() > 0.0)) continue;
        FacetWalk walk(facets, false, [&](const std::vector<int>& at, const VectorXd& moved, double dissipated) {
            if (at.size() < 2) return;
            std::vector<int> opposite;  // the same pair of facets, seen from the other side
            for (auto k = at.rbegin(); k != at.rend(); ++k) opposite.push_back(-*k);
            const bool first = opposite < at;
            auto& corner = corners.try_emplace(first ? opposite : at, Corner{0.0, VectorXd::Zero(m)}).first->second;
            corner.share += dissipated / h.dissipated.back();
            corner.moved += (first ? -1.0 : 1.0) / range_of(h.xi) * moved;
        });
        for (const double load : h.load) walk.advance(load);
    }
    std::vector<std::pair<double, std::vector<int>>> order;
    for (const auto& [at, corner] : corners) order.emplace_back(-corner.share, at);
    std::sort(order.begin(), order.end());
    Facets more = facets;
    for (const auto& [share, at] : order) {
        if (more.pairs() == facets.pairs() + count) break;
        MatrixXd normals(m, Index(at.size()));
        for (std::size_t a = 0; a < at.size(); ++a)
            normals.col(Index(a)) = (at[a] > 0 ? 1.0 : -1.0) * facets.normals.row(std::abs(at[a]) - 1).transpose();
        const VectorXd& moved = corners.at(at).moved;
        const VectorXd parts = normals.colPivHouseholderQr().solve(moved);
        if (!(parts.minCoeff() > 0.02 * parts.maxCoeff())) continue;  // as good as one of its facets
        more.normals.conservativeResize(more.pairs() + 1, Eigen::NoChange);
        more.normals.bottomRows(1) = moved.transpose() / (parts.sum() * (1.0 - depth));
    }
    return more;
}

/// Six pairs of facets per state, and no more than forty unless there are more states.
Index facets_for(const CondenseOptions& options, int states) {
    if (options.set == Set::box) return states;
    return std::max(states, options.facets > 0 ? options.facets : std::min(6 * states, 40));
}

/// Sliders side by side that share the virgin curve, from three ways to share it; then facets, a few at a time.
Facets grown_from_sliders(const Misfit& misfit, const std::vector<KnownHistory>& histories, const VirginCurve& virgin,
                          const Units& units, Index states, Index pairs) {
    constexpr int steps = 20, at_a_time = 3;
    Fitted best;
    for (const double bent : {1.0, 1.6, 0.7}) {
        auto [phi, c] = shares(virgin, states, bent);
        for (double& one : phi) one /= units.load;
        for (double& one : c) one *= units.load / units.xi;
        auto box = levenberg_marquardt(misfit, decoupled(phi, c), steps);
        if (box.cost < best.cost) best = std::move(box);
    }
    if (!std::isfinite(best.cost)) throw core::NotConverged("condense: no start leads anywhere", best.cost);
    while (best.facets.pairs() < pairs) {
        const auto more = grown(best.facets, histories, std::min<Index>(at_a_time, pairs - best.facets.pairs()));
        if (more.pairs() == best.facets.pairs()) break;  // no corner is left where anything is dissipated
        auto run = levenberg_marquardt(misfit, more, steps);
        if (!std::isfinite(run.cost)) break;
        best = std::move(run);
    }
    return best.facets;
}

/// One history in three, the growing cycles among them: enough to grow facets by.
std::vector<KnownHistory> one_in_three(const std::vector<KnownHistory>& histories) {
    std::vector<KnownHistory> some;
    for (std::size_t i = 0; i < histories.size(); i += 3) some.push_back(histories[i]);
    return some;
}

}  // namespace

Condensed condense_sliders(const Network& network, const std::vector<KnownHistory>& training,
                           const CondenseOptions& options) {
    const double load = largest_load(network, options), least = smallest_share(load, options);
    const Units units(load, training);
    std::vector<KnownHistory> histories;
    for (const auto& h : training) histories.push_back(units(h));
    const Misfit misfit(histories);
    const VirginCurve virgin(network, load, 0.1 * least);
    if (!(virgin.slopes.back() > 0.0))
        throw core::BadInput("condense",
                             fmt::format("nothing slips up to a load of {:g}; --load takes a larger one", load));
    const auto some = one_in_three(histories);
    const auto start =
        grown_from_sliders(Misfit(some), some, virgin, units, options.states, facets_for(options, options.states));
    const auto near = levenberg_marquardt(misfit, start, std::min(options.iterations, 30));
    if (!std::isfinite(near.cost))
        throw core::NotConverged("condense: the grown facets are not those of a law", near.cost);
    const auto best = quasi_newton(misfit, near, options.iterations - near.iterations);
    return {law_of(units.back(best.facets), network), load, std::sqrt(best.cost / double(training.size())),
            best.iterations, best.converged};
}

}  // namespace faying::network
