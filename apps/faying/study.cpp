// faying study: many laws fitted to one measurement, ranked; resumable.

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/core/progress.hpp"
#include "faying/sparse/ranks.hpp"
#include "faying/study/export.hpp"
#include "faying/study/ledger.hpp"
#include "faying/study/report_data.hpp"
#include "faying/study/run.hpp"
#include "interrupt.hpp"
#include "study_run.hpp"
#include "version.hpp"

namespace faying::app {

namespace {

void print_ranking(const nlohmann::json& report) {
    fmt::print("{}{}\n{:>4}  {:34} {:>8}", report.at("title").get<std::string>(),
               report.at("virtual").get<bool>() ? " (virtual experiment)" : "", "rank", "variant", "score");
    for (const auto& m : report.at("modes"))
        fmt::print(" {:>9}", fmt::format("mode {}{}", m.at("mode").get<int>(), m.at("fitted").get<bool>() ? "*" : ""));
    fmt::print(" {:>7} {:>11} {:>12}\n", "points", "evaluations", "unconverged");
    int rank = 0;
    for (const auto& name : study::ranking(report))
        for (const auto& v : report.at("variants")) {
            if (v.at("name") != name) continue;
            fmt::print("{:4}  {:34} {:8.4f}", ++rank, name, v.at("score").get<double>());
            for (const auto& a : v.at("area")) fmt::print(" {:9.4f}", a.get<double>());
            fmt::print(" {:7} {:11} {:12}\n", v.at("front").size(), v.at("counts").at("evaluations").get<long>(),
                       v.at("counts").at("unconverged").get<long>() + v.at("counts").at("failed").get<long>());
        }
    for (const auto& v : report.at("variants"))
        if (v.at("status") != "finished")
            fmt::print("      {:34} {}\n", v.at("name").get<std::string>(), v.value("message", v.at("status")));
    fmt::print("area not dominated within the box of each mode ([S0] 3.7); * fitted, the others predicted\n");
}

/// The line on the terminal: variant, generation, rate, time left.
class Line {
 public:
    void operator()(const study::RunStatus& s) {
        progress_.at(std::size_t(1000 * s.share),
                     fmt::format("{}/{} {}, {}, {:.3g}/s", std::min(s.finished + 1, s.variants), s.variants, s.variant,
                                 s.phase, s.rate),
                     s.seconds_left);
    }

 private:
    core::Progress progress_{"study", 1000};
};

/// Runs or goes on, writes the fronts, prints the ranking. Under mpirun the other ranks evaluate until rank 0 is done.
void run_study(const study::Study& plan, const StudyRun& r) {
    study::Evaluator evaluator(plan);
    study::Crew crew(std::ref(evaluator), r.common.threads);
    if (!crew.asks()) return crew.serve();
    nlohmann::json report;
    for (const auto& note : plan.notes) core::tell(fmt::format("faying: {}: {}\n", plan.path, note));
    {
        const InterruptGuard guard;
        study::Store store(r.out, study::Access::write);
        auto line = std::make_unique<Line>();
        study::RunOptions options;
        options.code_version = faying_version;
        options.command = fmt::format("faying {} {}", r.command, std::filesystem::path(plan.path).filename().string());
        options.stop = [&] { return guard.raised(); };
        options.progress = [&](const auto& status) { (*line)(status); };
        options.log = [](const std::string& text) {
            core::tell(fmt::format("{}{}\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", text));
        };
        try {
            study::run(plan, store, crew, evaluator, options);
        } catch (const study::Stopped&) {
            throw Interrupted(
                fmt::format("interrupted; {} evaluations are kept in {}: run the same command again to "
                            "go on",
                            store.size(), r.out));
        } catch (const core::BadInput&) {
            if (store.is_new() && store.size() == 0) store.discard();
            throw;
        }
        line.reset();
        store.verify();
        report = study::report_data(store);
    }
    study::export_fronts(plan, report, r.fronts);
    nlohmann::json result = report;
    result["ranking"] = study::ranking(report);
    result["store"] = r.out;
    result["fronts"] = r.fronts;
    r.common.report(r.command, result, [&] {
        r.print(report);
        if (report.contains("compared")) fmt::print("{}\n", report["compared"].get<std::string>());
        for (const auto& note : plan.notes) fmt::print("note: {}\n", note);
        fmt::print("{}, {}/\n", r.out, r.fronts);
    });
    bool any = false;
    for (const auto& v : report.at("variants")) any = any || !v.at("front").empty();
    if (!any)
        throw core::NotConverged(fmt::format("{}: no parameter set of any variant converged", r.command),
                                 std::numeric_limits<double>::quiet_NaN());
}

/// Fills in the names that were not given.
void complete(StudyRun& r, const std::string& file) {
    if (r.out.empty()) r.out = std::filesystem::path(file).stem().string() + ".db";
    if (r.fronts.empty()) r.fronts = std::filesystem::path(r.out).replace_extension("").string() + "_fronts";
    if (std::filesystem::exists(r.fronts) && !std::filesystem::is_directory(r.fronts))
        throw core::BadInput(r.fronts, "is a file; a folder is needed for the fronts (--fronts)");
}

/// Bad input is the same on every rank: only the first says so.
void on_all_ranks(const std::function<void()>& body) {
    try {
        body();
    } catch (const core::BadInput&) {
        if (!sparse::launched() || sparse::rank() == 0) throw;
        std::exit(2);  // rank 0 says it
    }
}

}  // namespace

void add_study_command(CLI::App& app, StudyRun run, const char* description, const char* footer) {
    auto r = std::make_shared<StudyRun>(std::move(run));
    auto file = std::make_shared<std::string>();
    auto* command = app.add_subcommand(r->command, description);
    command->footer(footer);
    command->add_option("file", *file, "study file (TOML)")->required();
    command->add_option("--out", r->out, "the evaluation store (default: the file's name with .db)");
    command->add_option("--fronts", r->fronts,
                        "folder for fronts, ranking and model files (default: the store's name with _fronts)");
    add_common(*command, r->common);
    command->callback([r, file] {
        complete(*r, *file);
        on_all_ranks([&] {
            const auto plan = study::read_study(*file);
            if (r->check) r->check(plan);
            run_study(plan, *r);
        });
    });
}

void add_study(CLI::App& app) {
    StudyRun run;
    run.command = "study";
    run.print = print_ranking;
    add_study_command(
        app, std::move(run), "Many laws fitted to one measurement and ranked; resumable",
        "Example:\n  faying study examples/brake_reuss/study.toml --out beam.db\n  mpirun -n 4 faying study "
        "examples/brake_reuss/all26.toml\nStopped or killed, the same command goes on where it was.");
}

}  // namespace faying::app
