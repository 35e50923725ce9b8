#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "accuracy.hpp"
#include "measure.hpp"

namespace faying::bench {

namespace {

std::string number(double x) {
    return std::isnan(x) ? "-" : x < 100 ? fmt::format("{:.1f}", x) : fmt::format("{:.0f}", x);
}

void promise(const std::string& text, const std::string& measured, bool known, bool met) {
    fmt::print("{:<74} {:>22}  {}\n", text, known ? measured : "not run", !known ? "" : met ? "met" : "NOT MET");
}

}  // namespace

bool Report::ReportContext(const Context& context) {
    PrintBasicContext(&GetErrorStream(), context);
    return true;
}

void Report::ReportRuns(const std::vector<Run>& runs) {
    for (const Run& run : runs) {
        if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
        const std::string& name = run.run_name.function_name;
        const double items = name.ends_with("/site") ? double(sites) : double(steps);
        const double each = run.cpu_accumulated_time / double(run.iterations) / items * 1e9;
        const auto [entry, first] = fastest_.try_emplace(name, each);
        if (!first) entry->second = std::min(entry->second, each);
    }
}

void Report::Finalize() {
    table();
    promises();
}

double Report::time(const std::string& name) const {
    const auto found = fastest_.find(name);
    return found == fastest_.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

void Report::table() const {
    fmt::print("\nnanoseconds, least of the repetitions\n{:<30} {:>10} {:>10} {:>14} {:>10}\n", "law", "a step",
               "a site", "derivatives", "ratio");
    for (const std::string& law : laws_) {
        const double step = time(law + "/step"), site = time(law + "/site"), derivatives = time(law + "/derivatives");
        if (std::isnan(step) && std::isnan(site) && std::isnan(derivatives)) continue;  // filtered out
        fmt::print("{:<30} {:>10} {:>10} {:>14} {:>10}\n", law, number(step), number(site), number(derivatives),
                   number(derivatives / step));
    }
}

void Report::promises() const {
    fmt::print("\n{:<74} {:>22}\n", "promise", "measured");
    const auto faster = [&](const std::string& text, const std::string& law, const std::string& baseline,
                            double least) {
        const double ratio = time(baseline + "/step") / time(law + "/step");
        promise(text, fmt::format("{:.1f} times", ratio), !std::isnan(ratio), ratio >= least);
    };
    faster("exact iwan4 at least 10 times faster than 200 sliders", "iwan4", "iwan4-sliders", 10.0);
    const SliderError error = slider_error();
    promise("... and more accurate: microslip dissipation of the sliders is wrong by",
            fmt::format("{:.1e}", error.sliders), true, error.exact < error.sliders);
    promise("... and that of the exact law, against c (chi+1)/(chi+3) 4 A^(chi+3), by",
            fmt::format("{:.1e}", error.exact), true, error.exact < 1e-12);
    faster("two-state at least 10 times faster than its 4x4 eigenproblem increment", "two-state", "two-state-increment",
           10.0);
    const double site = time("jenkins/site");
    promise("batched jenkins at most 3 ns a site, force and tangent", fmt::format("{:.2f} ns", site), !std::isnan(site),
            site <= 3.0);
    for (const std::string& law : laws_) {  // every law: which ones keep the promise is what the reader wants to know
        const double ratio = time(law + "/derivatives") / time(law + "/step");
        if (std::isnan(ratio)) continue;  // not run
        promise(fmt::format("Jet<4> derivatives of {} at most 4 times the value", law),
                fmt::format("{:.1f} times", ratio), true, ratio <= 4.0);
    }
}

}  // namespace faying::bench
