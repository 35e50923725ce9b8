// Laws held against each other.

#include <algorithm>
#include <atomic>

#include "faying/core/error.hpp"
#include "faying/modal/oscillator_fit.hpp"
#include "fit/parallel.hpp"

namespace faying::modal {

std::vector<OscillatorFit> compare_laws(const fit::Backbone& backbone, const std::vector<std::string>& laws,
                                        const OscillatorFitOptions& options) {
    options.check();
    for (const auto& law : laws) Oscillator(law, scales_of(backbone));  // what is no law is said at once
    std::vector<OscillatorFit> all(laws.size());
    std::atomic<std::size_t> done{0};
    fit::for_each_index(laws.size(), options.threads, [&](std::size_t k) {
        try {
            all[k] = fit_oscillator(backbone, laws[k], options);
        } catch (const core::NotConverged& error) {
            all[k].problem = error.what();
        } catch (const core::BadInput& error) {
            all[k].problem = error.what();
        }
        all[k].law = laws[k];
        if (options.progress) options.progress(++done);
    });
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        if (a.problem.empty() != b.problem.empty()) return a.problem.empty();
        if (a.misfit != b.misfit)
            return b.misfit;  // few points may be foretold by luck; what misses them is no law of theirs
        return a.held_out < b.held_out;
    });
    return all;
}

}  // namespace faying::modal
