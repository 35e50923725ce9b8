#include "faying/fit/nuts.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>

#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"
#include "parallel.hpp"
#include "proposal.hpp"
#include "random.hpp"

namespace faying::fit {

namespace {

using Eigen::VectorXd;

constexpr double largest_error = 1000;  ///< of the energy: the path has diverged
constexpr double seldom = 0.1;          ///< share of independent proposals taken
constexpr int most_proposals = 12, path_every = 5;
constexpr int first_buffer = 75, last_buffer = 50, first_window = 25;

double log_add(double a, double b) {
    const double most = std::max(a, b);
    return std::isinf(most) ? most : most + std::log1p(std::exp(std::min(a, b) - most));
}

/// A place on a path, in the coordinates x that move: z = L x.
struct Place {
    VectorXd x, p, gradient;
    double log_density = 0;
    double energy() const { return 0.5 * p.squaredNorm() - log_density; }
};

/// One transition at a time.
class Mover {
 public:
    Mover(const Target& target, Chain& chain, const SampleOptions& options, int number)
        : target_(target), chain_(chain), options_(options), number_(number) {}

    /// From the start of the chain, or where it was left.
    void prepare() {
        const bool goes_on = chain_.step > 0;
        here_.x = goes_on ? chain_.moving : to_moving(chain_.at);  // not solved for again: the same bits
        if (goes_on) {
            here_.log_density = chain_.here;
            stale_ = true;
            return;
        }
        here_.log_density = density(here_);
        chain_.step = reasonable_step();
        begin_averaging();
        chain_.moving = here_.x;
    }

    void advance() {
        random_ = Random{options_.seed, std::uint64_t(number_), std::uint64_t(chain_.iteration)};
        const bool warming = chain_.iteration < options_.warmup;
        const bool along_path = warming || every_path() || chain_.iteration % path_every == 0;
        if (along_path) {
            refresh();
            transition(warming);
        }
        if (!warming) jump(along_path && !every_path() ? 0 : proposals());
        chain_.at = to_given(here_.x);
        ++chain_.iteration;
        if (warming) {
            adapt();
            if (chain_.iteration > options_.warmup / 2) chain_.warm.emplace_back(chain_.at.begin(), chain_.at.end());
        } else {
            chain_.draws.emplace_back(chain_.at.begin(), chain_.at.end());
            chain_.log_density.push_back(here_.log_density);
        }
        chain_.moving = here_.x;
        chain_.here = here_.log_density;
    }

 private:
    const Target& target_;
    Chain& chain_;
    const SampleOptions& options_;
    int number_;
    Random random_{0};
    Place here_;
    double start_energy_ = 0, accepted_ = 0;
    int steps_ = 0;
    bool diverged_ = false;
    bool stale_ = false;  ///< the gradient is not that of the place

    VectorXd to_moving(const VectorXd& z) const { return chain_.scale.triangularView<Eigen::Lower>().solve(z); }
    VectorXd to_given(const VectorXd& x) const { return chain_.scale.triangularView<Eigen::Lower>() * x; }

    double density(Place& at) {
        VectorXd slope;
        ++chain_.evaluations;
        const double value = target_(to_given(at.x), &slope);
        if (std::isfinite(value)) at.gradient = chain_.scale.triangularView<Eigen::Lower>().transpose() * slope;
        return value;
    }

    /// Gradient of a place that was jumped to, or read from a store. Not counted: the count is the same whether a chain
    /// was taken up again or not.
    void refresh() {
        if (!stale_) return;
        here_.log_density = density(here_);
        --chain_.evaluations;
        stale_ = false;
    }

    /// Where proposals are taken seldom, each draw is along a path as well.
    bool every_path() const { return chain_.proposal.acceptance < seldom; }
    int proposals() const {
        return every_path() ? 1 : std::clamp(int(std::lround(2 / chain_.proposal.acceptance)), 1, most_proposals);
    }

    /// Independent proposals by Metropolis and Hastings.
    void jump(int count) {
        const auto& g = chain_.proposal.mixture;
        if (count == 0 || g.empty()) return;
        double here = here_.log_density - g.log_density(to_given(here_.x));
        for (int k = 0; k < count; ++k) {
            const VectorXd x = to_moving(g.draw(random_)), z = to_given(x);
            const double value = target_(z, nullptr);
            ++chain_.densities;
            ++chain_.proposed;
            const double there = std::isfinite(value) ? value - g.log_density(z) : value;
            if (!(std::log(random_.uniform()) < there - here)) continue;
            ++chain_.accepted;
            here_.x = x;
            here_.log_density = value;
            here = there;
            stale_ = true;
        }
    }

    void leap(Place& at, double step) {
        at.p += 0.5 * step * at.gradient;
        at.x += step * at.p;
        at.log_density = density(at);
        if (std::isfinite(at.log_density)) at.p += 0.5 * step * at.gradient;
    }

    void draw_momentum(Place& at) {
        at.p.resize(at.x.size());
        for (auto& p : at.p) p = random_.normal();
    }

    /// A step that keeps the energy to about one half.
    double reasonable_step() {
        random_ = Random{options_.seed, std::uint64_t(number_), 0x7fffffffu};
        double step = 0.5;
        int direction = 0;
        for (int k = 0; k < 60; ++k) {
            Place tried = here_;
            draw_momentum(tried);
            const double before = tried.energy();
            leap(tried, step);
            const double change = std::isfinite(tried.log_density) ? before - tried.energy() : -largest_error;
            const int wanted = change > std::log(0.8) ? 1 : -1;
            if (direction == 0) direction = wanted;
            if (wanted != direction) break;
            step *= direction > 0 ? 2 : 0.5;
            if (step > 8 || step < 1e-12) break;
        }
        return std::min(step, 4.0);
    }

    /// A piece of a path: its ends in the order of travel, and one place of it chosen by its weight.
    struct Piece {
        VectorXd first, last;  ///< momenta
        VectorXd sum;          ///< of all momenta
        Place end;             ///< the last place
        Place chosen;
        double log_weight = 0;
        bool whole = true;  ///< neither diverged nor turned back
    };

    static bool turns(const VectorXd& a, const VectorXd& b, const VectorXd& sum) {
        return !(a.dot(sum) > 0 && b.dot(sum) > 0);
    }

    Piece one_step(Place from, double step) {
        leap(from, step);
        ++steps_;
        Piece piece;
        const double error =
            std::isfinite(from.log_density) ? from.energy() - start_energy_ : std::numeric_limits<double>::infinity();
        accepted_ += std::isfinite(error) ? std::min(1.0, std::exp(-error)) : 0;
        if (!(error < largest_error)) {
            diverged_ = true;
            piece.whole = false;
            return piece;
        }
        piece.first = piece.last = piece.sum = from.p;
        piece.log_weight = -error;
        piece.chosen = from;
        piece.end = std::move(from);
        return piece;
    }

    Piece build(const Place& from, int depth, double step) {
        if (depth == 0) return one_step(from, step);
        Piece a = build(from, depth - 1, step);
        if (!a.whole) return a;
        Piece b = build(a.end, depth - 1, step);
        if (!b.whole) {
            a.whole = false;
            return a;
        }
        const VectorXd sum = a.sum + b.sum;
        const bool turned = turns(a.first, b.last, sum) || turns(a.first, b.first, a.sum + b.first) ||
                            turns(a.last, b.last, b.sum + a.last);
        const double weight = log_add(a.log_weight, b.log_weight);
        if (std::log(random_.uniform()) < b.log_weight - weight) a.chosen = std::move(b.chosen);
        a.last = std::move(b.last);
        a.end = std::move(b.end);
        a.sum = sum;
        a.log_weight = weight;
        a.whole = !turned;
        return a;
    }

    void transition(bool warming) {
        draw_momentum(here_);
        start_energy_ = here_.energy();
        accepted_ = steps_ = 0;
        diverged_ = false;
        Place left = here_, right = here_, chosen = here_;
        VectorXd sum = here_.p;
        double log_weight = 0;
        int depth = 0;
        bool turned = false;
        while (!turned && depth < options_.deepest) {
            const bool forward = random_.uniform() < 0.5;
            const VectorXd inner = forward ? right.p : left.p, outer = forward ? left.p : right.p;
            Piece piece = build(forward ? right : left, depth, forward ? chain_.step : -chain_.step);
            if (!piece.whole) break;
            ++depth;
            if (std::log(random_.uniform()) < piece.log_weight - log_weight) chosen = std::move(piece.chosen);
            log_weight = log_add(log_weight, piece.log_weight);
            turned = turns(outer, piece.last, sum + piece.sum) || turns(outer, piece.first, sum + piece.first) ||
                     turns(inner, piece.last, piece.sum + inner);
            sum += piece.sum;
            (forward ? right : left) = std::move(piece.end);
        }
        here_ = std::move(chosen);
        if (warming) return;
        chain_.depth.push_back(depth);
        if (diverged_) ++chain_.divergences;
        if (!turned && !diverged_ && depth == options_.deepest) ++chain_.longest;
    }

    void begin_averaging() {
        chain_.averaged[0] = std::log(10 * chain_.step);
        chain_.averaged[1] = chain_.averaged[2] = chain_.averaged[3] = 0;
    }

    void average_step() {
        constexpr double shrink = 0.05, early = 10, decay = 0.75;
        auto& [centre, mean_log, mean_error, count] = chain_.averaged;
        count += 1;
        const double accepted = steps_ > 0 ? accepted_ / steps_ : 0, weight = 1 / (count + early);
        mean_error = (1 - weight) * mean_error + weight * (options_.acceptance - accepted);
        const double log_step = centre - mean_error * std::sqrt(count) / shrink, share = std::pow(count, -decay);
        mean_log = share * log_step + (1 - share) * mean_log;
        chain_.step = std::exp(log_step);
    }

    /// Windows of a growing number of draws, whose covariance becomes the scale; the last one reaches to the end.
    bool window_ends() const {
        const double part = std::min(1.0, options_.warmup / 150.0);
        const int begin = int(first_buffer * part), end = options_.warmup - int(last_buffer * part);
        int size = std::max(5, int(first_window * part)), at = begin;
        while (at < end) {
            int next = at + size;
            if (next + 2 * size > end) next = end;
            if (chain_.iteration == next) return true;
            at = next;
            size *= 2;
        }
        return false;
    }

    bool inside_windows() const {
        const double part = std::min(1.0, options_.warmup / 150.0);
        return chain_.iteration > int(first_buffer * part) &&
               chain_.iteration <= options_.warmup - int(last_buffer * part);
    }

    void adapt() {
        average_step();
        if (inside_windows()) {
            chain_.seen += 1;
            const VectorXd off = chain_.at - chain_.mean;
            chain_.mean += off / chain_.seen;
            chain_.squares += off * (chain_.at - chain_.mean).transpose();
        }
        if (window_ends() && chain_.seen > 2) {
            const double n = chain_.seen;
            // Towards what it was, where few draws say little.
            const Eigen::MatrixXd before = chain_.scale * chain_.scale.transpose();
            const Eigen::MatrixXd covariance = (n / (n + 5)) * chain_.squares / (n - 1) + (5 / (n + 5)) * 1e-2 * before;
            const Eigen::LLT<Eigen::MatrixXd> factor(covariance);
            if (factor.info() == Eigen::Success) {
                chain_.scale = factor.matrixL();
                here_.x = to_moving(chain_.at);
                here_.log_density = density(here_);
                chain_.step = reasonable_step();
                begin_averaging();
            }
            chain_.seen = 0;
            chain_.mean.setZero();
            chain_.squares.setZero();
        }
        if (chain_.iteration == options_.warmup) chain_.step = std::exp(chain_.averaged[1]);
    }
};

Chain started(const Target& target, const Peak& peak, const SampleOptions& options, int number) {
    Chain chain;
    Random random{options.seed, std::uint64_t(number), 0x7ffffffeu};
    const auto d = peak.z.size();
    VectorXd shift(d);
    for (auto& s : shift) s = random.normal();
    for (double wide = 2; wide > 1e-3; wide *= 0.5) {
        chain.at = peak.z + wide * (peak.scale * shift);
        if (std::isfinite(target(chain.at, nullptr))) break;
        chain.at = peak.z;
    }
    chain.scale = peak.scale;
    chain.mean = VectorXd::Zero(d);
    chain.squares = Eigen::MatrixXd::Zero(d, d);
    return chain;
}

}  // namespace

Samples sample(const Target& target, const VectorXd& start, const SampleOptions& options) {
    options.check();
    const int total = options.warmup + options.draws;
    Samples samples;
    samples.chains.resize(std::size_t(options.chains));
    std::vector<bool> known(std::size_t(options.chains), false), own(std::size_t(options.chains));
    std::size_t before = 0;
    for (int c = 0; c < options.chains; ++c) {
        own[std::size_t(c)] = c % options.team.ranks == options.team.rank;
        auto kept = options.store.load ? options.store.load(c) : std::nullopt;
        known[std::size_t(c)] = kept.has_value();
        if (kept) before += std::size_t(kept->iteration);
        if (kept) samples.chains[std::size_t(c)] = std::move(*kept);
    }
    if (!std::all_of(known.begin(), known.end(), [](bool k) { return k; })) {
        const Peak peak = highest(target, start);
        for (int c = 0; c < options.chains; ++c)
            if (!known[std::size_t(c)]) samples.chains[std::size_t(c)] = started(target, peak, options, c);
    }
    const bool many = options.team.ranks > 1;
    if (many) options.team.share(samples.chains, std::vector<bool>(own.size(), options.team.rank == 0), false);
    std::atomic<std::size_t> done{before};
    std::atomic<bool> stopped{false};
    std::mutex lock;
    std::exception_ptr failure;
    const auto save = [&](std::size_t c) {
        const std::lock_guard guard(lock);
        if (options.store.save) options.store.save(int(c), samples.chains[c]);
    };
    using Clock = std::chrono::steady_clock;
    const auto advance_own = [&](int end) {
        for_each_index(std::size_t(options.chains), options.threads, [&](std::size_t c) {
            try {
                Chain& chain = samples.chains[c];
                if (!own[c] || chain.iteration >= end || stopped) return;
                Mover mover(target, chain, options, int(c));
                mover.prepare();
                auto saved = Clock::now();
                while (chain.iteration < end && !stopped) {
                    mover.advance();
                    const std::size_t now = ++done;
                    if (options.progress && now % 16 == 0) {
                        const std::lock_guard guard(lock);
                        options.progress(now);
                    }
                    if (options.stop && options.stop()) stopped = true;
                    if (std::chrono::duration<double>(Clock::now() - saved).count() > options.save_every) {
                        save(c);
                        saved = Clock::now();
                    }
                }
                save(c);
            } catch (...) {
                const std::lock_guard guard(lock);
                if (!failure) failure = std::current_exception();
                stopped = true;
            }
        });
        if (failure && many) options.team.share(samples.chains, own, true);
        if (failure) std::rethrow_exception(failure);
    };
    const auto hear_others = [&] {
        if (options.team.share(samples.chains, own, stopped)) stopped = true;
        std::size_t now = 0;
        for (std::size_t c = 0; c < own.size(); ++c) {
            now += std::size_t(samples.chains[c].iteration);
            if (!own[c]) save(c);
        }
        done = now;
    };
    /// Of a team, in pieces: its first process keeps in the store what the others have.
    const auto advance_all = [&](int end) {
        const int piece = many ? std::max(20, total / 50) : total;
        const auto least = [&] {
            int at = end;
            for (const Chain& c : samples.chains) at = std::min(at, c.iteration);
            return at;
        };
        for (int at = least(); at < end && !stopped; at = least()) {
            advance_own(std::min(end, at + piece));
            if (many) hear_others();
        }
        if (stopped) throw core::Interrupted("stopped");
    };
    advance_all(options.warmup);
    // A run may have been killed when some chains of the store had it.
    const auto knows = [](const Chain& c) { return !c.proposal.mixture.empty(); };
    if (!std::all_of(samples.chains.begin(), samples.chains.end(), knows)) {
        const auto found = std::find_if(samples.chains.begin(), samples.chains.end(), knows);
        const auto learnt = found != samples.chains.end()
                                ? std::optional(found->proposal)
                                : learnt_proposal(target, samples.chains, options, samples.chains.front().densities);
        if (!learnt && many) options.team.share(samples.chains, own, true);
        if (!learnt) throw core::Interrupted("stopped");
        for (std::size_t c = 0; c < samples.chains.size(); ++c) {
            samples.chains[c].proposal = *learnt;
            samples.chains[c].warm.clear();
            save(c);
        }
    }
    advance_all(total);
    return samples;
}

}  // namespace faying::fit
