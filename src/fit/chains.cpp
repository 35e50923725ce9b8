#include "faying/fit/chains.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "faying/fit/prior.hpp"

namespace faying::fit {

namespace {

using Eigen::VectorXd;
using Chains = std::vector<VectorXd>;

/// Each chain as two, so that one that drifts is seen.
Chains halves(const Chains& chains) {
    Chains split;
    for (const auto& c : chains) {
        const auto half = c.size() / 2;
        split.push_back(c.head(half));
        split.push_back(c.tail(half));
    }
    return split;
}

/// Values replaced by normal scores of their ranks; equal ones share a rank.
Chains normal_scores(const Chains& chains) {
    std::vector<double> all;
    for (const auto& c : chains) all.insert(all.end(), c.begin(), c.end());
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return all[a] < all[b]; });
    std::vector<double> score(all.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && all[order[end]] == all[order[i]]) ++end;
        const double rank = 0.5 * double(i + end - 1) + 1;
        for (std::size_t k = i; k < end; ++k)
            score[order[k]] = normal_quantile((rank - 0.375) / (double(all.size()) + 0.25));
        i = end;
    }
    Chains out = chains;
    std::size_t at = 0;
    for (auto& c : out)
        for (auto& x : c) x = score[at++];
    return out;
}

double variance(const VectorXd& x) {
    return x.size() > 1 ? (x.array() - x.mean()).square().sum() / double(x.size() - 1) : 0.0;
}

struct Spread {
    double within = 0, total = 0;
};
Spread spread(const Chains& chains) {
    const double n = double(chains.front().size());
    VectorXd means(Eigen::Index(chains.size()));
    Spread s;
    for (std::size_t k = 0; k < chains.size(); ++k) {
        means(Eigen::Index(k)) = chains[k].mean();
        s.within += variance(chains[k]) / double(chains.size());
    }
    s.total = (n - 1) / n * s.within + variance(means);
    return s;
}

double plain_rhat(const Chains& chains) {
    const Spread s = spread(chains);
    return s.within > 0 ? std::sqrt(s.total / s.within) : (s.total > 0 ? std::numeric_limits<double>::infinity() : 1.0);
}

Chains mapped(Chains chains, const auto& of) {
    for (auto& c : chains)
        for (auto& x : c) x = of(x);
    return chains;
}

double pooled_quantile(const Chains& chains, double share) {
    std::vector<double> all;
    for (const auto& c : chains) all.insert(all.end(), c.begin(), c.end());
    return quantile(std::move(all), share);
}

/// Geyer's sums of neighbouring autocorrelations, as long as they are positive, made to fall.
double size_of(const Chains& chains) {
    const auto n = chains.front().size();
    const double count = double(n) * double(chains.size());
    const Spread s = spread(chains);
    if (!(s.total > 0)) return count;  // a constant
    Chains centred = chains;
    for (auto& c : centred) c.array() -= c.mean();
    const auto correlation = [&](Eigen::Index lag) {
        double mean = 0;
        for (const auto& c : centred)
            mean += c.head(n - lag).dot(c.tail(n - lag)) / double(n - 1) / double(chains.size());
        return 1 - (s.within - mean) / s.total;
    };
    double sum = 0, last = std::numeric_limits<double>::infinity();
    for (Eigen::Index lag = 0; lag + 1 < n; lag += 2) {
        const double pair = (lag == 0 ? 1.0 : correlation(lag)) + correlation(lag + 1);
        if (!(pair > 0)) break;
        last = std::min(last, pair);
        sum += last;
    }
    const double time = std::max(2 * sum - 1, 1 / std::log10(count));
    return count / time;
}

}  // namespace

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const double at = share * double(values.size() - 1);
    const auto low = std::size_t(std::clamp(std::floor(at), 0.0, double(values.size() - 1)));
    const auto high = std::min(low + 1, values.size() - 1);
    return values[low] + (at - double(low)) * (values[high] - values[low]);
}

double effective_size(const Chains& chains) { return size_of(halves(chains)); }

Diagnosis diagnose(const Chains& chains) {
    const Chains split = halves(chains);
    const double middle = pooled_quantile(split, 0.5);
    const Chains folded = mapped(split, [&](double x) { return std::abs(x - middle); });
    Diagnosis d;
    const Chains scores = normal_scores(split);
    d.rhat = std::max(plain_rhat(scores), plain_rhat(normal_scores(folded)));
    d.bulk = size_of(scores);
    d.tail = std::numeric_limits<double>::infinity();
    for (const double share : {0.05, 0.95}) {
        const double end = pooled_quantile(split, share);
        d.tail = std::min(d.tail, size_of(mapped(split, [&](double x) { return x <= end ? 1.0 : 0.0; })));
    }
    return d;
}

}  // namespace faying::fit
