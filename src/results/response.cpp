#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "harmonic.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

using modes::HarmonicPoint;

double largest_a(const ResponseLevel& level) {
    double most = 0;
    for (const auto& p : level.points) most = std::max(most, p.a);
    return most;
}

/// A mode over the amplitudes that the levels reach, and beyond.
std::vector<HarmonicPoint> mode_over(const ResponseRun& run, const modes::Interface& interface, int mode, int count,
                                     modes::HarmonicOptions options) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const auto& level : run.levels) {
        least = std::min(least, largest_a(level));
        most = std::max(most, largest_a(level));
    }
    if (!(most > 0)) return {};
    std::vector<double> amplitudes;
    for (int i = 0; i < count; ++i) amplitudes.push_back(0.05 * least * std::pow(60 * most / least, i / (count - 1.0)));
    options.stability = false;
    return modes::epmc(run.model, interface, mode, amplitudes, options);
}

std::vector<ResponseLevel> levels_of(const ResponseRun& run, const modes::Interface& interface,
                                     const modes::HarmonicOptions& options,
                                     const std::function<void(std::size_t)>& done) {
    const auto& r = run.request;
    std::vector<ResponseLevel> levels;
    auto task = r.task;
    for (const double p : r.along_force() ? std::vector<double>{r.levels.front()} : r.levels) {
        task.load.force = p;
        ResponseLevel level{.force = p, .points = modes::response(run.model, interface, task, options)};
        if (task.hold && level.points.empty())
            throw core::BadInput("--hold", fmt::format("no force was found that holds {:g} at {:g} rad/s",
                                                       task.hold->amplitude, task.from));
        if (r.only_asked)
            std::erase_if(level.points, [&](const auto& point) {
                return std::find(task.at.begin(), task.at.end(), point.omega) == task.at.end();
            });
        levels.push_back(std::move(level));
        if (done) done(levels.size());
    }
    return levels;
}

/// The point of the largest amplitude.
template <class Points>
auto peak(const Points& points) {
    return std::max_element(points.begin(), points.end(), [](const auto& x, const auto& y) { return x.a < y.a; });
}

nlohmann::json synthesis_json(const ResponseLevel& level) {
    const auto& points = level.synthesis.points;
    nlohmann::json entry = {{"force", level.force}, {"complete", level.synthesis.complete}};
    if (!points.empty() && !level.points.empty()) {
        const auto alone = peak(points);
        const auto full = peak(level.points);
        entry["peak"] = {{"omega", alone->omega},
                         {"a", alone->a},
                         {"omega_difference", alone->omega / full->omega - 1},
                         {"a_difference", alone->a / full->a - 1}};
    }
    for (const char* name : {"omega", "a", "lag", "branch"}) entry[name] = nlohmann::json::array();
    for (const auto& p : points) {
        entry["omega"].push_back(p.omega);
        entry["a"].push_back(p.a);
        entry["lag"].push_back(p.lag);
        entry["branch"].push_back(p.branch);
    }
    return entry;
}

}  // namespace

modes::ResponseTask::Hold parse_hold(const structure::Model& model, const std::string& text) {
    core::Words words("--hold", text);
    modes::ResponseTask::Hold hold;
    const bool output = words.has("output"), both = words.has("displacement") && words.has("acceleration");
    const double displacement = words.number("displacement", 0), acceleration = words.number("acceleration", 0);
    const double dof = words.number("at", 0);
    if (output) hold.row = structure::find_output(model, words.take("output"));
    words.finish();
    hold.acceleration = acceleration != 0;
    hold.amplitude = hold.acceleration ? acceleration : displacement;
    if (both || !(hold.amplitude > 0))
        throw core::BadInput("--hold", "give one of displacement=M and acceleration=M/S^2, above zero");
    if (output == (dof != 0)) throw core::BadInput("--hold", "give one of at=DOF and output=NAME");
    if (!output) {
        if (!(dof >= 1 && dof <= double(model.size()) && dof == std::floor(dof)))
            throw core::BadInput("--hold",
                                 fmt::format("DOF {:g} does not exist; allowed are 1 to {}", dof, model.size()));
        hold.row = Eigen::VectorXd::Unit(model.size(), Eigen::Index(dof) - 1);
    }
    return hold;
}

ResponseRun response(structure::Model model, ResponseRequest request, const std::function<void(std::size_t)>& done) {
    ResponseRun run{std::move(model), std::move(request), {}, {}};
    const auto& r = run.request;
    for (const auto& output : r.outputs) structure::find_output(run.model, output);
    const modes::Interface interface(run.model);
    run.used = orders_for(run.model, interface, r.harmonics, [&](const modes::HarmonicOptions& o) {
        std::vector<HarmonicPoint> all;
        for (auto& level : levels_of(run, interface, o, {}))
            all.insert(all.end(), level.points.begin(), level.points.end());
        return all;
    });
    auto options = options_of(r.harmonics);
    options.harmonics = run.used.harmonics;
    options.stability = r.stability;
    options.most_stability_modes = r.stability_modes;
    run.levels = levels_of(run, interface, options, done);
    if (r.backbone > 0) run.mode = mode_over(run, interface, r.backbone, 30, options);
    if (r.synthesis > 0) {
        const auto mode = modes::modal_points(mode_over(run, interface, r.synthesis, 120, options), run.used.harmonics,
                                              r.task.load.shape);
        if (mode.size() >= 2)
            for (auto& level : run.levels) level.synthesis = modes::synthesis(mode, level.force);
    }
    return run;
}

void ResponseRun::require_converged() const {
    const auto& task = request.task;
    for (const auto& level : levels) {
        for (const auto& p : level.points)
            if (request.check && !(p.stability.orbit_residual <= 1e-8))
                throw core::NotConverged(
                    fmt::format("response: no exact orbit was found next to the harmonics at {:g} rad/s: {}", p.omega,
                                p.stability.reason),
                    p.stability.orbit_residual);
        const HarmonicPoint* last = nullptr;
        for (const auto& p : level.points)
            if (p.branch == 0) last = &p;
        if (!last)
            throw core::NotConverged(fmt::format("response: no motion was found at {:g} {}", task.from,
                                                 request.along_force() ? "N" : "rad/s"),
                                     std::numeric_limits<double>::quiet_NaN());
        const double end = request.along_force() ? last->force : last->omega;
        if (request.only_asked ? level.points.size() < task.at.size() : end != task.to && end != task.from)
            throw core::NotConverged(
                request.along_force()
                    ? fmt::format("response: the branch was lost after {:g} N", end)
                    : fmt::format("response: the branch at {:g} N was lost after {:g} rad/s", level.force, end),
                last->residual);
        if (request.synthesis > 0 && !level.synthesis.complete)
            throw core::NotConverged(
                fmt::format("response: mode {} does not reach the peak at {:g} N", request.synthesis, level.force),
                std::numeric_limits<double>::quiet_NaN());
    }
    require_enough(used, "response");
}

nlohmann::json json(const ResponseRun& run) {
    const auto& r = run.request;
    nlohmann::json points = nlohmann::json::array();
    for (const auto& level : run.levels)
        for (const auto& p : level.points) {
            auto entry = motion_json(p, r.harmonics.samples);
            entry["force"] = p.force;
            entry["branch"] = p.branch;
            entry["turning_point"] = p.turning_point;
            if (r.stability) entry.update(stability_json(p.stability));
            if (p.bifurcation != modes::Bifurcation::none) entry["bifurcation"] = modes::name_of(p.bifurcation);
            if (p.converged)
                for (const auto& output : r.outputs) {
                    const double peak = peak_of(p, structure::find_output(run.model, output), run.used.harmonics);
                    entry["peaks"][output] = peak;
                    if (&output == &r.outputs.front()) entry["peak"] = peak;
                }
            points.push_back(std::move(entry));
        }
    nlohmann::json result = {{"orders", run.used.harmonics.orders()}, {"points", std::move(points)}};
    if (r.harmonics.enough) result["neglected"] = run.used.neglected;
    if (r.synthesis > 0)
        for (const auto& level : run.levels) result["synthesis"].push_back(synthesis_json(level));
    return result;
}

io::Table table(const ResponseRun& run) {
    const auto& outputs = run.request.outputs;
    auto made = io::named_table({"force", "omega", "frequency", "a", "dissipation", "residual", "stable", "branch"});
    for (const auto& output : outputs) io::add_column(made, outputs.size() == 1 ? "peak" : "peak_" + output);
    for (const auto& level : run.levels)
        for (const auto& p : level.points) {
            if (!p.converged) continue;
            const double stable =
                p.stability.stable ? double(*p.stability.stable) : std::numeric_limits<double>::quiet_NaN();
            std::vector<double> row{p.force,    p.omega, core::hertz(p.omega), p.a, p.dissipation,
                                    p.residual, stable,  double(p.branch)};
            for (const auto& output : outputs)
                row.push_back(peak_of(p, structure::find_output(run.model, output), run.used.harmonics));
            io::add_row(made, row);
        }
    return made;
}

std::string text(const ResponseRun& run) {
    const auto& r = run.request;
    Text out;
    if (r.harmonics.enough) out.print("{}\n", run.used.text(r.harmonics.samples));
    out.print("{:>12} {:>16} {:>14} {:>16} {:>10} {:>9}\n", "force / N", r.unit.label(), "a", "dissipation / J",
              "residual", "stable");
    for (const auto& level : run.levels)
        for (const auto& p : level.points)
            out.print("{:12.5g} {:16.10g} {:14.7g} {:16.9g} {:10.1e} {:>9}{}\n", p.force, r.unit.of(p.omega), p.a,
                      p.dissipation, p.residual,
                      !p.stability.stable   ? "-"
                      : *p.stability.stable ? "yes"
                                            : "no",
                      p.bifurcation != modes::Bifurcation::none ? "  " + modes::name_of(p.bifurcation)
                      : p.turning_point                         ? "  turning point before"
                                                                : "");
    if (r.synthesis > 0)
        for (const auto& level : run.levels) {
            const auto& alone = level.synthesis.points;
            if (alone.empty() || level.points.empty()) continue;
            const auto top = peak(alone);
            const auto full = peak(level.points);
            out.print(
                "mode {} alone at {:g} N: peak a = {:.6g} at {:.8g} {}, {:+.2g} % and {:+.2g} % from the full one\n",
                r.synthesis, level.force, top->a, r.unit.of(top->omega), r.unit.word, 100 * (top->a / full->a - 1),
                100 * (top->omega / full->omega - 1));
        }
    return out;
}

}  // namespace faying::results
