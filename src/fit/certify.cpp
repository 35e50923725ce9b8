#include "faying/fit/certify.hpp"

#include <cmath>

#include "faying/core/error.hpp"
#include "faying/fit/pareto.hpp"
#include "parallel.hpp"

namespace faying::fit {

void CertifyOptions::check() const {
    core::require(agreement > 0, "certify", "agreement > 0");
    core::require(threads >= 0, "certify", "threads >= 0");
}

std::vector<Evaluation> evaluate_all(const Objective& objective, const std::vector<std::vector<double>>& values,
                                     int threads) {
    std::vector<Evaluation> evaluations(values.size());
    for_each_index(values.size(), threads, [&](std::size_t i) { evaluations[i] = objective(values[i]); });
    return evaluations;
}

CertifiedFront certified_front(const std::vector<Candidate>& candidates, const Objective& tight,
                               const CertifyOptions& options) {
    options.check();
    CertifiedFront result;
    std::vector<Candidate> left = candidates;
    std::vector<Candidate> good;
    // A candidate that fails, or is worse than it seemed, uncovers those it dominated, so that rounds go on until every
    // front point is certified.
    while (true) {
        std::vector<Candidate> all = good;
        all.insert(all.end(), left.begin(), left.end());
        std::vector<std::vector<double>> open;
        std::vector<Evaluation> cheap;
        for (const auto& point : merged_front(all))
            if (std::none_of(good.begin(), good.end(), [&](const auto& g) { return g.values == point.values; })) {
                open.push_back(point.values);
                cheap.push_back(point.evaluation);
            }
        if (open.empty()) break;
        result.candidates += int(open.size());
        const auto evaluations = evaluate_all(tight, open, options.threads);
        for (std::size_t i = 0; i < open.size(); ++i) {
            std::erase_if(left, [&](const auto& c) { return c.values == open[i]; });
            if (!evaluations[i].usable()) {
                ++result.not_converged;
                continue;
            }
            bool same = true;
            for (std::size_t j = 0; j < cheap[i].objectives.size(); ++j)
                same = same && std::abs(evaluations[i].objectives.at(j) - cheap[i].objectives[j]) <= options.agreement;
            result.corrected += !same;
            good.push_back({open[i], evaluations[i]});
        }
    }
    result.points = merged_front(good);
    return result;
}

}  // namespace faying::fit
