// faying report: a study as one page.

#include "faying/io/report.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/io/csv.hpp"
#include "faying/study/report_data.hpp"

namespace faying::app {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

struct Options {
    Common common;
    std::string study, out = "report.html", title;
};

ordered_json result_json(const Options& o, const json& data, std::size_t bytes) {
    ordered_json ranking = ordered_json::array();
    std::size_t points = 0;
    for (const auto& variant : data["variants"]) {
        points += variant["front"].size();
        ranking.push_back({{"variant", variant["name"]},
                           {"rank", variant.value("rank", json())},
                           {"score", variant.value("score", json())},
                           {"area", variant["area"]}});
    }
    return {{"out", o.out},
            {"bytes", bytes},
            {"variants", data["variants"].size()},
            {"points", points},
            {"ranking", ranking}};
}

void run(const Options& o) {
    const bool as_data = o.out.ends_with(".json");
    if (!as_data && !o.out.ends_with(".html"))
        throw core::BadInput("--out", fmt::format("'{}' must end in .html (the page) or .json (its data)", o.out));
    auto data = study::report_document(o.study);
    if (!o.title.empty()) data["title"] = o.title;
    const auto text_of_data = data.dump(-1, ' ', false, json::error_handler_t::replace);
    const auto text = as_data ? text_of_data + "\n" : io::report_html(data["title"].get<std::string>(), text_of_data);
    io::write_file(o.out, text);
    const auto result = result_json(o, data, text.size());
    o.common.report("report", result, [&] {
        fmt::print("{}: {} models, {} points on fronts, {:.1f} MB\n", o.out, result["variants"].get<int>(),
                   result["points"].get<int>(), 1e-6 * static_cast<double>(text.size()));
    });
}

}  // namespace

void add_report(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand("report", "A study as one page: ranking, fronts, backbones, loops, parameters");
    command->footer(
        "Examples:\n"
        "  faying report study.db --out report.html     one file, opens offline in any browser, prints\n"
        "  faying report study.db --out data.json       the same as data; faying report data.json makes the page of "
        "it");
    command->add_option("study", o->study, "study file of `faying study`, or report data as JSON")->required();
    command->add_option("--out", o->out, "page (.html) or data (.json) to write")->capture_default_str();
    command->add_option("--title", o->title, "title of the page (default: the study's)");
    add_common(*command, o->common);
    command->callback([o] { run(*o); });
}

}  // namespace faying::app
