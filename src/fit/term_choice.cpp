#include "term_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"
#include "faying/laws/generalized_valanis.hpp"
#include "parallel.hpp"

namespace faying::fit {

namespace {

using Valanis = laws::GeneralizedValanis<>;

constexpr int block_folds = 10, blocks_a_fold = 2;
constexpr double standard_errors = 2, share_of_error = 0.01;  ///< by which more terms must be better
constexpr std::size_t most_terms = 8;
constexpr double exact = 1e-9;  ///< error over the greatest force that round-off may leave

/// Numbers the samples; returns how many folds there are.
int number_folds(std::vector<Stretch>& all, std::size_t loops) {
    const bool by_loop = loops >= 3;
    for (auto& b : all) {
        b.fold.resize(b.x.size());
        for (std::size_t i = 0; i < b.x.size(); ++i)
            b.fold[i] = by_loop ? int(b.loop) : int(i * block_folds * blocks_a_fold / b.x.size()) % block_folds;
    }
    return by_loop ? int(loops) : block_folds;
}

/// A set of terms and the sum of squares of each fold when it was left out.
struct Trial {
    std::vector<int> terms;
    std::vector<double> squares;
    double total = core::infinity;
    double E2 = 0;
};

Trial tried(const std::vector<Stretch>& all, std::vector<int> terms, int folds, std::optional<double> start) {
    Trial made{std::move(terms), {}, 0, 0};
    try {
        const auto whole = fit_integral(all, made.terms, -1, start);
        made.E2 = whole.E2;
        for (int k = 0; k < folds; ++k) {
            const auto fit = fit_integral(all, made.terms, k, whole.E2);
            made.squares.push_back(squares_of_fold(all, made.terms, fit, k));
            made.total += made.squares.back();
        }
    } catch (const core::BadInput&) {  // too few samples for so many terms: not a candidate
        made.total = core::infinity;
    }
    if (!std::isfinite(made.total)) made.total = core::infinity;
    return made;
}

/// No worse than the best beyond what the folds' scatter, a hundredth of the error, or round-off can make. The best of
/// twenty candidates is better by luck alone, so one standard error would not do.
bool as_good(const Trial& one, const Trial& best, double round_off) {
    if (one.total <= best.total * std::pow(1 + share_of_error, 2) + round_off) return true;
    if (!std::isfinite(one.total)) return false;
    const double n = double(best.squares.size()), mean = (one.total - best.total) / n;
    double variance = 0;
    for (std::size_t k = 0; k < best.squares.size(); ++k)
        variance += std::pow(one.squares[k] - best.squares[k] - mean, 2) / (n - 1);
    return mean <= standard_errors * std::sqrt(variance / n);
}

/// Sets of terms, each with one more than the one before, and which of them is taken.
struct Walk {
    std::vector<Trial> path;
    std::size_t taken = 0;
    const Trial& answer() const { return path[taken]; }
};

struct Folds {
    const std::vector<Stretch>& all;
    int count;
    double round_off;
    int threads;
};

Walk walked(const Folds& folds, std::vector<int> left, const std::function<void(double)>& progress) {
    Walk w{{tried(folds.all, {}, folds.count, {})}};
    auto& path = w.path;
    std::size_t best = 0;
    while (path.size() <= most_terms && !left.empty() && path.size() < best + 3 && path[best].total > folds.round_off) {
        core::stop_point();
        std::vector<Trial> trials(left.size());
        for_each_index(left.size(), folds.threads, [&](std::size_t i) {
            auto terms = path.back().terms;
            terms.push_back(left[i]);
            trials[i] = tried(folds.all, std::move(terms), folds.count, path.back().E2);
        });
        std::size_t least = 0;
        for (std::size_t i = 1; i < trials.size(); ++i)
            if (trials[i].total < trials[least].total) least = i;
        if (!std::isfinite(trials[least].total)) break;
        left.erase(left.begin() + long(least));
        path.push_back(std::move(trials[least]));
        if (path.back().total < path[best].total) best = path.size() - 1;
        progress(double(path.size() - 1) / double(most_terms));
    }
    w.taken = best;
    for (std::size_t k = best; k-- > 0;)
        if (as_good(path[k], path[best], folds.round_off)) w.taken = k;
    return w;
}

}  // namespace

ChosenTerms choose_terms(std::vector<Stretch> all, bool timed, std::size_t loops, int threads,
                         const std::function<void(double share)>& progress) {
    const int count = number_folds(all, loops);
    double greatest = 0, samples = 0;
    for (const auto& b : all) {
        for (const double f : b.f) greatest = std::max(greatest, std::abs(f));
        samples += double(b.x.size());
    }
    const Folds folds{all, count, samples * std::pow(exact * greatest, 2), threads};
    std::vector<int> of_x, every;
    for (int i = 0; i < Valanis::terms; ++i) {
        every.push_back(i);
        if (Valanis::powers(i)[1] == 0) of_x.push_back(i);
    }
    // Along one sine v^2 is A^2 - x^2 over a constant: velocity comes in only where powers of x cannot say the same.
    constexpr double first_part = 0.2;
    Walk walk = walked(folds, of_x, [&](double share) { progress(timed ? first_part * share : share); });
    if (timed && walk.answer().total > folds.round_off) {
        Walk with_velocity =
            walked(folds, every, [&](double share) { progress(first_part + (1 - first_part) * share); });
        if (!std::isfinite(walk.answer().total) || !as_good(walk.answer(), with_velocity.answer(), folds.round_off))
            walk = std::move(with_velocity);
    }
    if (!std::isfinite(walk.answer().total))
        throw core::BadInput("terms", "too few samples to choose terms by cross-validation; name them");
    ChosenTerms chosen;
    for (const auto& trial : walk.path)
        chosen.path.push_back(
            {trial.terms.empty() ? "" : fmt::format("a{}", trial.terms.back() + 1), std::sqrt(trial.total / samples)});
    auto terms = walk.answer().terms;
    std::sort(terms.begin(), terms.end());
    for (const int term : terms) chosen.terms.push_back(fmt::format("a{}", term + 1));
    return chosen;
}

}  // namespace faying::fit
