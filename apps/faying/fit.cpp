// faying fit: one law to one measurement. A study of one variant.

#include <fmt/format.h>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "study_run.hpp"

namespace faying::app {

void add_fit(CLI::App& app) {
    StudyRun run;
    run.command = "fit";
    run.text = study::front_text;
    run.check = [](const study::Study& plan) {
        if (plan.variants.size() != 1)
            throw core::BadInput(plan.path,
                                 fmt::format("has {} variants; fit takes one, study takes many", plan.variants.size()));
        if (plan.search.method == study::Method::both)
            throw core::BadInput(plan.path, "fit takes one method, nsga2 or boundary-intersection; study takes both");
    };
    add_study_command(
        app, std::move(run), "One law fitted to a measured backbone: its Pareto front; resumable",
        "Example:\n  faying fit examples/brake_reuss/fit.toml\nThe file is a study's with one variant and one method.");
}

}  // namespace faying::app
