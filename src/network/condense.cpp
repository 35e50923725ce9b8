#include "faying/network/condense.hpp"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "ellipsoid_fit.hpp"
#include "faying/core/error.hpp"
#include "faying/fit/identify.hpp"
#include "fit/least_squares.hpp"

namespace faying::network {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double range_of(const std::vector<double>& x) {
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    return std::max(*high - *low, 1e-300);
}

/// Coordinates of a box: the Cholesky factor of K, its diagonal by logarithms, then b; mu = 1.
class BoxSpace {
 public:
    BoxSpace(int m, const Network& like) : m_(m), drive_(like.drive), held_(like.held) {}
    std::size_t size() const { return std::size_t(m_ * (m_ + 1) / 2 + m_); }

    Network network(const double* x) const {
        MatrixXd L = MatrixXd::Zero(m_, m_);
        for (Index i = 0; i < m_; ++i)
            for (Index j = 0; j <= i; ++j, ++x) L(i, j) = i == j ? std::exp(std::clamp(*x, -50.0, 50.0)) : *x;
        Network net;
        net.stiffness = L * L.transpose();
        net.friction = VectorXd::Ones(m_);
        net.coupling = Eigen::Map<const VectorXd>(x, m_);
        net.drive = drive_;
        net.held = held_;
        return net;
    }
    /// Sliders side by side: they slip at loads phi and have compliances c.
    std::vector<double> decoupled(const std::vector<double>& phi, const std::vector<double>& c) const {
        std::vector<double> x;
        for (Index i = 0; i < m_; ++i)
            for (Index j = 0; j <= i; ++j)
                x.push_back(i == j ? -std::log(phi[std::size_t(i)]) - 0.5 * std::log(c[std::size_t(i)]) : 0.0);
        for (Index i = 0; i < m_; ++i) x.push_back(1.0 / phi[std::size_t(i)]);
        return x;
    }

 private:
    Index m_;
    laws::Drive drive_;
    double held_;
};

/// xi at every point over its range, and what is dissipated at every few points over that of the whole history.
class Misfit {
 public:
    explicit Misfit(const std::vector<KnownHistory>& histories) : histories_(histories) {
        for (const auto& h : histories) count_ += h.load.size() + h.load.size() / stride;
    }
    std::size_t count() const { return count_; }

    bool operator()(const Network& net, VectorXd& r) const {
        if (!net.stiffness.allFinite() || !net.coupling.allFinite()) return false;
        const auto shared = std::make_shared<const Network>(net);
        Index row = 0;
        for (const auto& h : histories_) {
            const double points = std::sqrt(double(h.load.size())), range = range_of(h.xi);
            const double total = std::max(h.dissipated.back(), 1e-300);
            Follower walk(shared);
            try {
                for (std::size_t i = 0; i < h.load.size(); ++i) {
                    walk.advance(h.load[i]);
                    r(row++) = (walk.xi() - h.xi[i]) / (range * points);
                    if ((i + 1) % stride == 0)
                        r(row++) =
                            weight * (walk.dissipated() - h.dissipated[i]) / (total * points / std::sqrt(stride));
                }
            } catch (const std::runtime_error&) {  // nearly singular: not a law to go on from
                return false;
            }
        }
        return true;
    }

 private:
    static constexpr int stride = 6;
    static constexpr double weight = 3.0;  ///< of dissipation beside displacement: it is what the law is for
    const std::vector<KnownHistory>& histories_;
    std::size_t count_ = 0;
};

/// Loads at which sliders side by side would slip if they were to share the virgin curve of the first history, and
/// their compliances; `bent` moves the loads towards the smaller ones.
std::pair<std::vector<double>, std::vector<double>> shares(const Network& network, double load, int m, double bent) {
    std::vector<double> loads, slopes;
    Follower walk(network);
    for (int k = 1; k <= 400; ++k) {
        walk.advance(load * k / 400);
        loads.push_back(walk.load());
        const double slope = network.by_force() ? walk.tangent() : network.held - walk.tangent();
        slopes.push_back(std::max(slope, slopes.empty() ? 0.0 : slopes.back()));
    }
    std::vector<double> phi, c;
    double before = 0;
    for (int i = 0; i < m; ++i) {
        const double upto = slopes.back() * std::pow((i + 1.0) / m, bent), middle = 0.5 * (before + upto);
        const auto at = std::lower_bound(slopes.begin(), slopes.end(), middle) - slopes.begin();
        phi.push_back(std::max(loads[std::size_t(std::min<long>(at, 399))] * (1.0 + 1e-3 * i), 1e-6 * load));
        c.push_back(upto - before);
        before = upto;
    }
    return {phi, c};
}

Condensed condense_box(const Network& network, const std::vector<KnownHistory>& training,
                       const CondenseOptions& options) {
    const double load = largest_load(network, options);
    const BoxSpace space(options.states, network);
    const Misfit misfit(training);
    fit::LeastSquares problem;
    problem.residuals = misfit.count();
    problem.lower.assign(space.size(), -core::infinity);
    problem.upper.assign(space.size(), core::infinity);
    problem.iterations = options.iterations;
    problem.evaluate = [&](const double* x, VectorXd& r, MatrixXd* J) {
        if (!misfit(space.network(x), r)) return false;
        if (!J) return true;
        std::vector<double> moved(x, x + space.size());
        VectorXd up(r.size()), down(r.size());
        for (std::size_t k = 0; k < space.size(); ++k) {
            const double h = 1e-6 * std::max(std::abs(x[k]), 1e-2);
            moved[k] = x[k] + h;
            if (!misfit(space.network(moved.data()), up)) return false;
            moved[k] = x[k] - h;
            if (!misfit(space.network(moved.data()), down)) return false;
            moved[k] = x[k];
            J->col(Index(k)) = (up - down) / (2.0 * h);
        }
        return true;
    };
    fit::LeastSquaresRun best;
    best.cost = core::infinity;
    for (const double bent : {1.0, 1.6}) {
        const auto [phi, c] = shares(network, load, options.states, bent);
        auto run = fit::minimise(problem, space.decoupled(phi, c));
        if (run.cost < best.cost) best = std::move(run);
    }
    if (!std::isfinite(best.cost)) throw core::NotConverged("condense: no start leads anywhere", best.cost);
    return {MState(space.network(best.x.data()), "condense"), load,
            std::sqrt(2.0 * best.cost / double(training.size())), best.iterations, best.converged};
}

constexpr std::array set_names{std::pair{Set::box, "box"}, std::pair{Set::ellipsoid, "ellipsoid"}};
constexpr std::array basis_names{std::pair{Basis::svd, "svd"}, std::pair{Basis::reversal, "reversal"},
                                 std::pair{Basis::greedy, "greedy"}};
constexpr std::array fit_names{std::pair{FitOf::relative, "relative"}, std::pair{FitOf::absolute, "absolute"}};

template <class Names, class Value>
std::string_view found_name(const Names& names, Value value) {
    for (const auto& [v, name] : names)
        if (v == value) return name;
    return "";
}

}  // namespace

std::string_view name_of(Set set) { return found_name(set_names, set); }
std::string_view name_of(Basis basis) { return found_name(basis_names, basis); }
std::string_view name_of(FitOf fit) { return found_name(fit_names, fit); }

Condensed condense(const Network& network, const std::vector<KnownHistory>& training, const CondenseOptions& options) {
    options.check();
    if (options.states > network.size())
        throw core::BadInput("condense", fmt::format("{} states are more than the network's {} sliders", options.states,
                                                     network.size()));
    return options.set == Set::box ? condense_box(network, training, options)
                                   : condense_ellipsoid(network, training, options);
}

std::vector<HistoryError> errors(const MState& law, const std::vector<KnownHistory>& histories) {
    std::vector<HistoryError> all;
    const bool force = law.drive() == laws::Drive::force;
    const double held = force ? 0.0 : law.is_box() ? law.box()->held : law.ellipsoid()->held;
    for (const auto& h : histories) {
        NetworkState z = law.virgin();
        double answer = 0, tangent = 0;
        for (std::size_t i = 0; i < h.load.size(); ++i) {
            const auto a = law.step(z, h.load[i]);
            const double xi = force ? a.answer : held * h.load[i] - a.answer;
            answer += std::pow(xi - h.xi[i], 2);
            tangent += std::pow((force ? a.tangent : held - a.tangent) - h.tangent[i], 2);
        }
        const double n = double(h.load.size());
        const auto [low, high] = std::minmax_element(h.load.begin(), h.load.end());
        all.push_back({h.name, std::sqrt(answer / n) / range_of(h.xi), z.dissipated / h.dissipated.back() - 1.0,
                       std::sqrt(tangent / n) / *std::max_element(h.tangent.begin(), h.tangent.end()),
                       std::max(std::abs(*low), std::abs(*high))});
    }
    return all;
}

RivalErrors rival(const std::string& law, const std::vector<KnownHistory>& training,
                  const std::vector<KnownHistory>& held_out) {
    fit::Loop loop;
    loop.u.push_back(0.0);
    loop.f.push_back(0.0);
    for (std::size_t i = 0; i < training.front().load.size(); ++i) {
        loop.u.push_back(training.front().xi[i]);
        loop.f.push_back(training.front().load[i]);
    }
    fit::IdentifyOptions options;
    options.memory = fit::Memory::virgin;
    const auto fitted = fit::identify(loop, law, options);
    RivalErrors r{law, fitted.parameters, {}};
    const laws::Law known(law, fitted.parameters);
    for (const auto& h : held_out) {
        const auto answer = known.follow(h.xi);
        double sum = 0;
        for (std::size_t i = 0; i < h.load.size(); ++i) sum += std::pow(answer.f[i] - h.load[i], 2);
        r.errors.push_back({h.name, std::sqrt(sum / double(h.load.size())) / range_of(h.load),
                            answer.dissipated.back() / h.dissipated.back() - 1.0, std::nan(""),
                            *std::max_element(h.load.begin(), h.load.end())});
    }
    return r;
}

}  // namespace faying::network
