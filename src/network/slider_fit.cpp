#include "slider_fit.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
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

/// Coordinates of a polytope of p pairs of facets in m states, K = I and mu = 1 without loss: the normals C, a row per
/// pair, and b. Turning the states changes nothing, so the first m rows are a lower triangle (its diagonal by
/// logarithms): a box is p = m, and its stiffness C C^T.
class PolytopeSpace {
 public:
    PolytopeSpace(Index states, Index facets, const Network& like) : m_(states), p_(facets), like_(like) {}
    Index normals() const { return m_ * (m_ + 1) / 2 + (p_ - m_) * m_; }
    Index size() const { return normals() + m_; }

    /// A point of the space.
    struct Point {
        MatrixXd C;
        VectorXd b;
    };
    Point at(const double* x) const {
        Point p{MatrixXd::Zero(p_, m_), Eigen::Map<const VectorXd>(x + normals(), m_)};
        each_entry(
            [&](Index i, Index j, Index k) { p.C(i, j) = i == j ? std::exp(std::clamp(x[k], -50.0, 50.0)) : x[k]; });
        return p;
    }
    /// Its sliders, as many as there are pairs of facets.
    Network network(const Point& p) const {
        return {p.C * p.C.transpose(), VectorXd::Ones(p_), p.C * p.b, like_.drive, like_.held, p_ > m_};
    }
    MState law(const double* x) const {
        const auto [C, b] = at(x);
        if (p_ == m_) return {network({C, b}), "condense"};
        return {Polytope{MatrixXd::Identity(m_, m_), C, VectorXd::Ones(p_), b, like_.drive, like_.held}, "condense"};
    }

    /// Derivatives of the friction forces C (b f - C^T x) at fixed load and positions.
    void of_forces(const Point& p, double load, const VectorXd& x, MatrixXd& change) const {
        const VectorXd z = p.b * load - p.C.transpose() * x;
        each_entry([&](Index i, Index j, Index k) {
            change.col(k) = -x(i) * p.C.col(j);
            change(i, k) += z(j);
            if (i == j) change.col(k) *= p.C(i, i);
        });
        change.rightCols(m_) = load * p.C;
    }
    /// Of xi = b.C^T x at fixed positions.
    Eigen::RowVectorXd of_answer(const Point& p, const VectorXd& x) const {
        Eigen::RowVectorXd slope(size());
        each_entry([&](Index i, Index j, Index k) { slope(k) = p.b(j) * x(i) * (i == j ? p.C(i, i) : 1.0); });
        slope.tail(m_) = x.transpose() * p.C;
        return slope;
    }

    /// Sliders side by side (p = m): they slip at loads phi and have compliances c.
    std::vector<double> decoupled(const std::vector<double>& phi, const std::vector<double>& c) const {
        std::vector<double> x(std::size_t(size()), 0.0);
        for (Index i = 0; i < m_; ++i) {
            const double slips = phi[std::size_t(i)], root = std::sqrt(c[std::size_t(i)]);
            x[std::size_t(i * (i + 3) / 2)] = -std::log(slips * root);
            x[std::size_t(normals() + i)] = root;
        }
        return x;
    }
    /// A box of one slider less, and one more beside them that slips at phi and has compliance c.
    std::vector<double> one_more(const std::vector<double>& fewer, double phi, double c) const {
        const auto b = fewer.begin() + (m_ - 1) * m_ / 2;
        std::vector<double> x(fewer.begin(), b);
        x.insert(x.end(), std::size_t(m_ - 1), 0.0);
        x.push_back(-std::log(phi) - 0.5 * std::log(c));
        x.insert(x.end(), b, fewer.end());
        x.push_back(std::sqrt(c));
        return x;
    }
    /// A box with corners cut by `depth`: first those where two sliders slip that began one after the other.
    std::vector<double> cut(const std::vector<double>& box, double depth) const {
        const auto [C, b] = PolytopeSpace(m_, m_, like_).at(box.data());
        const VectorXd pull = C * b;
        std::vector<Index> order(static_cast<std::size_t>(m_));
        std::iota(order.begin(), order.end(), Index(0));
        std::sort(order.begin(), order.end(), [&](Index i, Index j) { return std::abs(pull(i)) > std::abs(pull(j)); });
        std::vector<double> x(box.begin(), box.end() - m_);
        Index left = p_ - m_;
        for (double deeper = 1.0; left > 0; deeper *= 0.5)  // once round, corners are cut again
            for (Index apart = 1; apart < std::max<Index>(m_, 2) && left > 0; ++apart)
                for (Index k = 0; k < std::max<Index>(m_ - apart, 1) && left > 0; ++k, --left) {
                    const Index i = order[std::size_t(k)], j = order[std::size_t(std::min(k + apart, m_ - 1))];
                    const VectorXd normal =
                        (std::copysign(1.0, pull(i)) * C.row(i) + std::copysign(1.0, pull(j)) * C.row(j)) /
                        (2.0 - deeper * depth);
                    x.insert(x.end(), normal.begin(), normal.end());
                }
        x.insert(x.end(), box.end() - m_, box.end());
        return x;
    }

 private:
    Index m_, p_;
    const Network& like_;

    /// Row, column and place among the coordinates of every free entry of C.
    template <class Visit>
    void each_entry(const Visit& visit) const {
        Index k = 0;
        for (Index i = 0; i < p_; ++i)
            for (Index j = 0; j < std::min(i + 1, m_); ++j) visit(i, j, k++);
    }
};

/// xi at every point over its range, and what is dissipated at every few points over that of the whole history.
class Misfit {
 public:
    explicit Misfit(const std::vector<KnownHistory>& histories) : histories_(histories) {
        for (const auto& h : histories) count_ += Index(h.load.size() + h.load.size() / stride);
    }
    Index count() const { return count_; }

    bool operator()(const PolytopeSpace& space, const double* x, VectorXd& r, MatrixXd* J) const {
        const auto point = space.at(x);
        const auto net = std::make_shared<const Network>(space.network(point));
        if (!net->stiffness.allFinite() || !net->coupling.allFinite()) return false;
        r.resize(count_);
        if (J) J->resize(count_, space.size());
        const Eigen::RowVectorXd given = Eigen::RowVectorXd::Zero(space.size());
        Index row = 0;
        for (const auto& h : histories_) {
            const double points = std::sqrt(double(h.load.size()));
            const double of_xi = 1.0 / (range_of(h.xi) * points);
            const double of_loss =
                weight * std::sqrt(double(stride)) / (std::max(h.dissipated.back(), 1e-300) * points);
            Follower walk(net);
            std::optional<Sensitivity> along;
            if (J)
                along.emplace(walk, space.size(), [&](double f, const VectorXd& at, MatrixXd& change) {
                    space.of_forces(point, f, at, change);
                });
            try {
                for (std::size_t i = 0; i < h.load.size(); ++i) {
                    if (along)
                        along->advance(h.load[i], given);
                    else
                        walk.advance(h.load[i]);
                    if (along)
                        J->row(row) = of_xi * (net->coupling.transpose() * along->positions() +
                                               space.of_answer(point, walk.state().x));
                    r(row++) = of_xi * (walk.xi() - h.xi[i]);
                    if ((i + 1) % stride != 0) continue;
                    if (along) J->row(row) = of_loss * along->dissipated();
                    r(row++) = of_loss * (walk.dissipated() - h.dissipated[i]);
                }
            } catch (const std::runtime_error&) {  // nearly singular: not a law to go on from
                return false;
            }
        }
        return true;
    }

 private:
    static constexpr int stride = 4;
    static constexpr double weight = 3.0;  ///< of dissipation beside displacement: it is what the law is for
    const std::vector<KnownHistory>& histories_;
    Index count_ = 0;
};

fit::LeastSquaresRun fitted(const PolytopeSpace& space, const Misfit& misfit, const std::vector<double>& start,
                            int iterations) {
    fit::LeastSquares problem;
    problem.residuals = std::size_t(misfit.count());
    problem.lower.assign(std::size_t(space.size()), -core::infinity);
    problem.upper.assign(std::size_t(space.size()), core::infinity);
    problem.iterations = iterations;
    problem.evaluate = [&](const double* x, VectorXd& r, MatrixXd* J) { return misfit(space, x, r, J); };
    return fit::minimise(problem, start);
}

/// The best of several starts in one space.
class Search {
 public:
    Search(PolytopeSpace space, const Misfit& misfit) : space_(std::move(space)), misfit_(misfit) {
        best_.cost = core::infinity;
    }
    const PolytopeSpace& space() const { return space_; }

    /// `iterations` by which a start has shown what it is worth.
    void try_from(const std::vector<double>& start, int iterations) {
        take(fitted(space_, misfit_, start, iterations));
    }
    /// Sliders that stop and start make many valleys: from the best so far to others nearby.
    void hop(int times, double step, std::uint64_t seed, int iterations) {
        if (!std::isfinite(best_.cost)) return;
        Draws draws(seed);
        for (int k = 0; k < times; ++k) {
            auto start = best_.x;
            for (double& x : start) x += step * (2.0 * draws.uniform() - 1.0) * (std::abs(x) + step);
            try_from(start, iterations);
        }
    }
    const fit::LeastSquaresRun& finished(int iterations) {
        if (!std::isfinite(best_.cost)) throw core::NotConverged("condense: no start leads anywhere", best_.cost);
        auto run = fitted(space_, misfit_, best_.x, iterations);
        if (run.cost <= best_.cost) best_ = std::move(run);
        return best_;
    }

 private:
    PolytopeSpace space_;
    const Misfit& misfit_;
    fit::LeastSquaresRun best_;

    void take(fit::LeastSquaresRun run) {
        if (run.cost < best_.cost) best_ = std::move(run);
    }
};

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

std::vector<Condensed> condense_sliders(const Network& network, const std::vector<KnownHistory>& training,
                                        const CondenseOptions& options, int first,
                                        const std::function<void(int)>& done) {
    const double load = largest_load(network, options), least = smallest_share(load, options);
    const Misfit misfit(training);
    const VirginCurve virgin(network, load, 0.1 * least);
    std::vector<Condensed> all;
    const auto add = [&](const PolytopeSpace& space, const fit::LeastSquaresRun& run) {
        all.push_back({space.law(run.x.data()), load, std::sqrt(2.0 * run.cost / double(training.size())),
                       run.iterations, run.converged});
    };
    fit::LeastSquaresRun box;
    for (int m = 1; m <= options.states; ++m) {
        const int hops = m <= 8 ? 3 : 0, trial = m <= 8 ? 40 : 20;
        Search search(PolytopeSpace(m, m, network), misfit);
        for (const double bent : {1.0, 1.6}) {
            const auto [phi, c] = shares(virgin, m, bent);
            search.try_from(search.space().decoupled(phi, c), trial);
        }
        if (m > 1)  // one slider more where it helps most
            for (const double part : {1.0, 0.5, 0.0}) {
                const double phi = 0.5 * load * std::pow(0.5 * least, part);
                search.try_from(search.space().one_more(box.x, phi, 0.05 * virgin.slopes.back()), trial);
            }
        search.hop(hops, 0.3, options.seed, trial);
        box = search.finished(options.iterations);
        if (options.set == Set::polytope && m >= first) {
            Search more(PolytopeSpace(m, options.facets > 0 ? options.facets : 3 * m, network), misfit);
            for (const double depth : {0.02, 0.1, 0.3}) more.try_from(more.space().cut(box.x, depth), 60);
            more.hop(hops, 0.1, options.seed + 6, 60);
            add(more.space(), more.finished(options.iterations));
        } else {
            add(search.space(), box);
        }
        if (done) done(m);
    }
    return all;
}

}  // namespace faying::network
