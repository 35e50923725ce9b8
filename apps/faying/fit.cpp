// faying fit: one law to one measurement. A study of one variant.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "study_run.hpp"

namespace faying::app {

namespace {

void print_front(const nlohmann::json& report) {
    const auto& v = report.at("variants").front();
    fmt::print("{}{}: {} ({} joint, {}), {}\n", report.at("title").get<std::string>(),
               report.at("virtual").get<bool>() ? " (virtual experiment)" : "", v.at("name").get<std::string>(),
               v.at("joint").get<std::string>(), v.at("framework").get<std::string>(),
               v.at("method").get<std::string>());
    for (const auto& p : v.at("parameters")) fmt::print("{:>13}", p.at("key").get<std::string>());
    for (const auto& m : report.at("modes"))
        for (const char* what : {"f_w", "f_z"})
            fmt::print("{:>11}", fmt::format("{} {}", what, m.at("mode").get<int>()));
    fmt::print("\n");
    for (const auto& point : v.at("front")) {
        for (const auto& x : point.at("x")) fmt::print("{:13.6g}", x.get<double>());
        for (const auto& e : point.at("errors"))
            for (std::size_t j = 0; j < 2; ++j)
                fmt::print("{:>11}", e.is_null() ? "-" : fmt::format("{:.3e}", e[j].get<double>()));
        fmt::print("  {}\n", point.at("kind") == "front" ? "" : point.at("kind").get<std::string>());
    }
    const auto& c = v.at("counts");
    fmt::print("{} evaluations, {} unconverged; {} of {} front points certified\n", c.at("evaluations").get<long>(),
               c.at("unconverged").get<long>() + c.at("failed").get<long>(), c.value("certified", 0),
               c.value("candidates", 0));
}

}  // namespace

void add_fit(CLI::App& app) {
    StudyRun run;
    run.command = "fit";
    run.print = print_front;
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
