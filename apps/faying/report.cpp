// faying report: a study as one page.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/study/report_data.hpp"

namespace faying::app {

namespace {

struct ReportOptions {
    Common common;
    std::string study, out = "report.html", title;
};

}  // namespace

void add_report(CLI::App& app) {
    const auto [command, o] = add_command<ReportOptions>(
        app, "report", "A study as one page: ranking, fronts, backbones, loops, parameters",
        "Examples:\n"
        "  faying report study.db --out report.html     one file, opens offline in any browser, prints\n"
        "  faying report study.db --out data.json       the same as data; faying report data.json makes the page of "
        "it");
    command->add_option("study", o->study, "study file of `faying study`, or report data as JSON")->required();
    command->add_option("--out", o->out, "page (.html) or data (.json) to write")->capture_default_str();
    command->add_option("--title", o->title, "title of the page (default: the study's)");
    runs(*command, o, [](ReportOptions& o) {
        const auto written = study::write_report(o.study, o.out, o.title);
        o.common.report("report", written, [&] {
            return fmt::format("{}: {} models, {} points on fronts, {:.1f} MB\n", o.out, written["variants"].get<int>(),
                               written["points"].get<int>(), 1e-6 * written["bytes"].get<double>());
        });
    });
}

}  // namespace faying::app
