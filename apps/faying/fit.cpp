// faying fit: one law to one measurement. A study of one variant; or parameters of a model to measured responses.

#include <fmt/format.h>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/results/response_fit.hpp"
#include "show.hpp"
#include "study_run.hpp"

namespace faying::app {

namespace {

/// Least squares of measured forced responses; `--out` is then a table of measured and modelled points.
bool fit_responses(const std::string& file, const StudyRun& r) {
    if (!results::is_response_fit(file)) return false;
    if (!r.files.fronts.empty()) throw core::BadInput("--fronts", "does not go with measured responses");
    const io::OutputFiles files{.csv = r.files.store};
    files.check();
    auto request = results::read_response_fit(file);
    const auto most = std::size_t(2 * request.iterations);
    const auto run = with_progress("fit", most, [&](const auto& done) {
        return results::fit_responses(std::move(request), [&](std::size_t n) { done(std::min(n, most)); });
    });
    files.write(files.csv.empty() ? io::Table() : table(run), [](bool) { return io::Figure(); });
    r.common.report("fit", r.common.json ? json(run) : nlohmann::json(), [&] { return text(run); });
    run.require_converged();
    return true;
}

}  // namespace

void add_fit(CLI::App& app) {
    StudyRun run;
    run.command = "fit";
    run.text = study::front_text;
    run.instead = fit_responses;
    run.check = [](const study::Study& plan) {
        if (plan.variants.size() != 1)
            throw core::BadInput(plan.path,
                                 fmt::format("has {} variants; fit takes one, study takes many", plan.variants.size()));
        if (plan.search.method == study::Method::both)
            throw core::BadInput(plan.path, "fit takes one method, nsga2 or boundary-intersection; study takes both");
    };
    add_study_command(app, std::move(run), "One law fitted to a measured backbone: its Pareto front; resumable",
                      "Example:\n  faying fit examples/brake_reuss/fit.toml\nThe file is a study's with one variant "
                      "and one method; or one "
                      "with [[response]] tables, measured forced\nresponses, to which parameters of a model are fitted "
                      "by least squares "
                      "(--out then is a table of points).");
}

}  // namespace faying::app
