#include "slider_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"
#include "faying/network/facet_walk.hpp"

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

/// xi at every point over its range, and what is dissipated at every few points over that of the whole history: the sum
/// of squares, and its model from first derivatives (J^T J and J^T r, history by history: J is never held).
class Misfit {
 public:
    struct Model {
        MatrixXd normal;
        VectorXd gradient;
    };

    explicit Misfit(const std::vector<KnownHistory>& histories) : histories_(histories) {
        for (const auto& h : histories) {
            least_range_ = std::max(least_range_, 1e-3 * range_of(h.xi));
            least_loss_ = std::max(least_loss_, 1e-4 * h.dissipated.back());
        }
    }

    /// Infinite where the numbers are not those of a law.
    double operator()(const Facets& facets, Model* model) const {
        if (!facets.normals.allFinite() || !facets.coupling.allFinite()) return core::infinity;
        if (model) *model = {MatrixXd::Zero(facets.size(), facets.size()), VectorXd::Zero(facets.size())};
        double cost = 0;
        for (const auto& h : histories_) {
            core::stop_point();
            const std::size_t points = h.load.size(), rows = points + points / stride;
            const double of_xi = 1.0 / (std::max(range_of(h.xi), least_range_) * std::sqrt(double(points)));
            const double of_loss =
                weight * std::sqrt(double(stride) / double(points)) / std::max(h.dissipated.back(), least_loss_);
            VectorXd r(rows);
            MatrixXd J(model ? rows : 0, facets.size());
            Index row = 0;
            try {
                FacetWalk walk(facets, model != nullptr);
                for (std::size_t i = 0; i < points; ++i) {
                    walk.advance(h.load[i]);
                    if (model) J.row(row) = of_xi * walk.xi_slopes();
                    r(row++) = of_xi * (walk.xi() - h.xi[i]);
                    if ((i + 1) % stride != 0) continue;
                    if (model) J.row(row) = of_loss * walk.dissipated_slopes();
                    r(row++) = of_loss * (walk.dissipated() - h.dissipated[i]);
                }
            } catch (const std::runtime_error&) {  // nearly singular: not a law to go on from
                return core::infinity;
            }
            cost += r.squaredNorm();
            if (!model) continue;
            model->normal.selfadjointView<Eigen::Lower>().rankUpdate(J.transpose());
            model->gradient += J.transpose() * r;
        }
        return std::isfinite(cost) ? cost : core::infinity;
    }

 private:
    static constexpr int stride = 4;
    static constexpr double weight = 6.0;  ///< of dissipation beside displacement: it is what the law is for
    const std::vector<KnownHistory>& histories_;
    double least_range_ = 1e-300, least_loss_ = 1e-300;  ///< a history along which next to nothing moves counts less
};

struct Fitted {
    Facets facets;
    double cost = core::infinity;
    int iterations = 0;
    bool converged = false;
};

/// Levenberg-Marquardt on the normal equations: thousands of residuals that no law of few states meets, so that a
/// valley's floor is reached long before round-off in J^T J matters. It ends where three steps in a row, or none at
/// all, gain next to nothing.
Fitted fitted(const Misfit& misfit, const Facets& start, int iterations) {
    constexpr double enough = 1e-5;
    Misfit::Model model;
    Fitted now{start, misfit(start, &model)};
    double damping = 1e-3;
    for (int slow = 0; std::isfinite(now.cost) && now.iterations < iterations && !now.converged; ++now.iterations) {
        const VectorXd own = model.normal.diagonal().cwiseMax(1e-6 * model.normal.diagonal().maxCoeff());
        const double before = now.cost;
        for (int trial = 0; trial < 12 && now.cost == before; ++trial) {
            MatrixXd damped = model.normal;
            damped.diagonal() += damping * own;
            const VectorXd step = damped.selfadjointView<Eigen::Lower>().ldlt().solve(model.gradient);
            auto x = now.facets.numbers();
            Eigen::Map<VectorXd>(x.data(), step.size()) -= step;
            auto there = Facets::of(x.data(), start.states(), start.pairs());
            const double cost = misfit(there, nullptr);
            if (cost < now.cost) {
                now.cost = cost;
                now.facets = std::move(there);
                damping = std::max(0.3 * damping, 1e-9);
            } else {
                damping *= 4.0;
            }
        }
        slow = before - now.cost < enough * before ? slow + 1 : 0;
        now.converged = now.cost == before || slow == 3;
        if (!now.converged) now.cost = misfit(now.facets, &model);
    }
    return now;
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

/// Five pairs of facets per state, and no more than forty unless there are more states.
Index facets_for(const CondenseOptions& options, int states) {
    if (options.set == Set::box) return states;
    return std::max(states, options.facets > 0 ? options.facets : std::min(5 * states, 40));
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
    const int m = options.states, trial = std::min(options.iterations, 60);
    Fitted best;
    for (const double bent : {1.0, 1.6, 0.7}) {
        auto [phi, c] = shares(virgin, m, bent);
        for (double& one : phi) one /= units.load;
        for (double& one : c) one *= units.load / units.xi;
        auto box = fitted(misfit, decoupled(phi, c), trial);
        if (box.cost < best.cost) best = std::move(box);
    }
    if (!std::isfinite(best.cost)) throw core::NotConverged("condense: no start leads anywhere", best.cost);
    const Index wanted = facets_for(options, m);
    while (best.facets.pairs() < wanted) {
        const auto more = grown(best.facets, histories, std::min<Index>(std::max(m, 4), wanted - best.facets.pairs()));
        if (more.pairs() == best.facets.pairs()) break;  // no corner is left where anything is dissipated
        auto run = fitted(misfit, more, trial);
        if (!std::isfinite(run.cost)) break;
        best = std::move(run);
    }
    if (!best.converged) {
        auto last = fitted(misfit, best.facets, options.iterations);
        last.iterations += best.iterations;
        best = std::move(last);
    }
    return {law_of(units.back(best.facets), network), load, std::sqrt(best.cost / double(training.size())),
            best.iterations, best.converged};
}

}  // namespace faying::network
