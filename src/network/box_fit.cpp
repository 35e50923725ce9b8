#include "box_fit.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "draws.hpp"
#include "faying/core/error.hpp"
#include "faying/network/sensitivity.hpp"
#include "fit/least_squares.hpp"

namespace faying::network {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Coordinates of a box: the Cholesky factor of K row by row, its diagonal by logarithms, then b; mu = 1.
class BoxSpace {
 public:
    BoxSpace(Index m, const Network& like) : m_(m), drive_(like.drive), held_(like.held) {}
    Index springs() const { return m_ * (m_ + 1) / 2; }
    Index size() const { return springs() + m_; }
    Index states() const { return m_; }

    MatrixXd factor(const double* x) const {
        MatrixXd L = MatrixXd::Zero(m_, m_);
        for (Index i = 0; i < m_; ++i)
            for (Index j = 0; j <= i; ++j, ++x) L(i, j) = i == j ? std::exp(std::clamp(*x, -50.0, 50.0)) : *x;
        return L;
    }
    Network network(const double* x) const {
        const MatrixXd L = factor(x);
        Network net;
        net.stiffness = L * L.transpose();
        net.friction = VectorXd::Ones(m_);
        net.coupling = Eigen::Map<const VectorXd>(x + springs(), m_);
        net.drive = drive_;
        net.held = held_;
        return net;
    }

    /// Derivatives of b f - K x to K_ij, i >= j row by row, and to b.
    void moved(double load, const VectorXd& x, MatrixXd& change) const {
        Index at = 0;
        for (Index i = 0; i < m_; ++i)
            for (Index j = 0; j <= i; ++j, ++at) {
                change(i, at) = -x(j);
                change(j, at) = -x(i);
            }
        for (Index i = 0; i < m_; ++i) change(i, at + i) = load;
    }
    /// Columns for K_ij and b into columns for the coordinates.
    MatrixXd to_coordinates(const MatrixXd& J, const double* x) const {
        const MatrixXd L = factor(x);
        const auto spring = [](Index i, Index k) { return i >= k ? i * (i + 1) / 2 + k : k * (k + 1) / 2 + i; };
        MatrixXd out(J.rows(), J.cols());
        Index at = 0;
        for (Index i = 0; i < m_; ++i)
            for (Index j = 0; j <= i; ++j, ++at) {
                auto column = out.col(at);
                column.setZero();
                for (Index k = j; k < m_; ++k) column += (k == i ? 2.0 : 1.0) * L(k, j) * J.col(spring(i, k));
                if (i == j) column *= L(i, i);
            }
        out.rightCols(m_) = J.rightCols(m_);
        return out;
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
    /// Coordinates of a box of one slider less, and one more beside them that slips at phi and has compliance c.
    std::vector<double> one_more(const std::vector<double>& fewer, double phi, double c) const {
        const auto springs_before = fewer.begin() + (m_ - 1) * m_ / 2;
        std::vector<double> x(fewer.begin(), springs_before);
        x.insert(x.end(), std::size_t(m_ - 1), 0.0);
        x.push_back(-std::log(phi) - 0.5 * std::log(c));
        x.insert(x.end(), springs_before, fewer.end());
        x.push_back(1.0 / phi);
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
        for (const auto& h : histories) count_ += Index(h.load.size() + h.load.size() / stride);
    }
    Index count() const { return count_; }

    bool operator()(const BoxSpace& space, const double* x, VectorXd& r, MatrixXd* J) const {
        const auto net = std::make_shared<const Network>(space.network(x));
        if (!net->stiffness.allFinite() || !net->coupling.allFinite()) return false;
        r.resize(count_);
        MatrixXd slopes(J ? count_ : 0, J ? space.size() : 0);
        const Eigen::RowVectorXd given = Eigen::RowVectorXd::Zero(slopes.cols());
        Index row = 0;
        for (const auto& h : histories_) {
            const double points = std::sqrt(double(h.load.size()));
            const double of_xi = 1.0 / (range_of(h.xi) * points);
            const double of_loss =
                weight * std::sqrt(double(stride)) / (std::max(h.dissipated.back(), 1e-300) * points);
            Follower walk(net);
            std::optional<Sensitivity> along;
            if (J)
                along.emplace(walk, space.size(),
                              [&](double f, const VectorXd& at, MatrixXd& change) { space.moved(f, at, change); });
            try {
                for (std::size_t i = 0; i < h.load.size(); ++i) {
                    if (along)
                        along->advance(h.load[i], given);
                    else
                        walk.advance(h.load[i]);
                    if (along) {
                        slopes.row(row) = of_xi * net->coupling.transpose() * along->positions();
                        slopes.row(row).tail(space.states()) += of_xi * walk.state().x.transpose();
                    }
                    r(row++) = of_xi * (walk.xi() - h.xi[i]);
                    if ((i + 1) % stride != 0) continue;
                    if (along) slopes.row(row) = of_loss * along->dissipated();
                    r(row++) = of_loss * (walk.dissipated() - h.dissipated[i]);
                }
            } catch (const std::runtime_error&) {  // nearly singular: not a law to go on from
                return false;
            }
        }
        if (J) *J = space.to_coordinates(slopes, x);
        return true;
    }

 private:
    static constexpr int stride = 4;
    static constexpr double weight = 3.0;  ///< of dissipation beside displacement: it is what the law is for
    const std::vector<KnownHistory>& histories_;
    Index count_ = 0;
};

constexpr int trial = 40;  ///< iterations by which a start has shown what it is worth

fit::LeastSquaresRun fitted(const BoxSpace& space, const Misfit& misfit, const std::vector<double>& start,
                            int iterations) {
    fit::LeastSquares problem;
    problem.residuals = std::size_t(misfit.count());
    problem.lower.assign(std::size_t(space.size()), -core::infinity);
    problem.upper.assign(std::size_t(space.size()), core::infinity);
    problem.iterations = iterations;
    problem.evaluate = [&](const double* x, VectorXd& r, MatrixXd* J) { return misfit(space, x, r, J); };
    return fit::minimise(problem, start);
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

}  // namespace

std::vector<Condensed> condense_boxes(const Network& network, const std::vector<KnownHistory>& training,
                                      const CondenseOptions& options, const std::function<void(int)>& done) {
    const double load = largest_load(network, options), least = smallest_share(load, options);
    const Misfit misfit(training);
    const VirginCurve virgin(network, load, 0.1 * least);
    std::vector<Condensed> all;
    fit::LeastSquaresRun fewer;
    for (int m = 1; m <= options.states; ++m) {
        const BoxSpace space(m, network);
        fit::LeastSquaresRun best;
        best.cost = core::infinity;
        const auto try_from = [&](const std::vector<double>& start, int iterations) {
            auto run = fitted(space, misfit, start, iterations);
            if (run.cost < best.cost) best = std::move(run);
        };
        for (const double bent : {1.0, 1.6}) {
            const auto [phi, c] = shares(virgin, m, bent);
            try_from(space.decoupled(phi, c), trial);
        }
        if (m > 1)  // one slider more where it helps most
            for (const double part : {1.0, 0.5, 0.0}) {
                const double phi = 0.5 * load * std::pow(0.5 * least, part);
                try_from(space.one_more(fewer.x, phi, 0.05 * virgin.slopes.back()), trial);
            }
        if (!std::isfinite(best.cost)) throw core::NotConverged("condense: no start leads anywhere", best.cost);
        // Sliders that stop and start make many valleys: from the best so far to others nearby.
        Draws draws(options.seed);
        for (int hop = 0; hop < (m <= 8 ? 8 : 1); ++hop) {
            auto start = best.x;
            for (double& x : start) x += 0.3 * (2.0 * draws.uniform() - 1.0) * (std::abs(x) + 0.3);
            try_from(start, trial);
        }
        try_from(best.x, options.iterations);
        all.push_back({MState(space.network(best.x.data()), "condense"), load,
                       std::sqrt(2.0 * best.cost / double(training.size())), best.iterations, best.converged});
        fewer = std::move(best);
        if (done) done(m);
    }
    return all;
}

}  // namespace faying::network
