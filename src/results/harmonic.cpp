#include "faying/results/harmonic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/modes/choice.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

using modes::HarmonicPoint;

/// omega, frequency, a, harmonics ([[mean of every DOF], [cos 1], [sin 1], ..]), dissipation, residual, status; where
/// the joints' forces are sampled, how often.
nlohmann::json motion_json(const HarmonicPoint& point, const HarmonicWords& words) {
    nlohmann::json entry;
    if (point.converged) {
        entry["omega"] = point.omega;
        entry["frequency"] = core::hertz(point.omega);
        entry["a"] = point.a;
        for (Eigen::Index b = 0; b < point.harmonics.cols(); ++b)
            entry["harmonics"].push_back(list(point.harmonics.col(b)));
        entry["dissipation"] = point.dissipation;
        entry["dissipation_by_joint"] = point.dissipation_by_joint;
        entry["iterations"] = point.iterations;
        if (words.samples > 0) entry["samples"] = words.samples;
    }
    entry["residual"] = point.residual;
    entry["status"] = point.converged ? "converged" : "not converged";
    return entry;
}

/// stable, multipliers as [real, imaginary], how many are zero, and how they were found; or why not.
void add_stability(nlohmann::json& entry, const modes::Stability& stability) {
    entry["stable"] = stability.stable ? nlohmann::json(*stability.stable) : nlohmann::json(nullptr);
    auto multipliers = nlohmann::json::array();
    for (const auto& m : stability.multipliers) multipliers.push_back({m.real(), m.imag()});
    entry["multipliers"] = multipliers;
    if (stability.stable) {
        entry["forgotten"] = stability.forgotten;
        entry["stability_of"] = stability.method;
        entry["orbit_residual"] = stability.orbit_residual;
        entry["orbit_distance"] = stability.orbit_distance;
    }
    if (!stability.reason.empty()) entry["stability_reason"] = stability.reason;
}

/// The row of an output; none for no name.
Eigen::VectorXd row_of(const structure::Model& model, const std::string& output) {
    return output.empty() ? Eigen::VectorXd() : structure::find_output(model, output);
}

/// The mode through the peaks of the levels, over the amplitudes that they reach.
std::vector<HarmonicPoint> mode_through_peaks(const ResponseRun& run, const modes::Interface& interface) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const auto& level : run.levels) {
        double peak = 0;
        for (const auto& p : level.points) peak = std::max(peak, p.a);
        least = std::min(least, peak);
        most = std::max(most, peak);
    }
    if (!(most > 0)) return {};
    std::vector<double> amplitudes;
    for (int i = 0; i < 30; ++i) amplitudes.push_back(0.1 * least * std::pow(20 * most / least, i / 29.0));
    return modes::epmc(run.model, interface, run.request.through_mode, amplitudes, run.options);
}

}  // namespace

modes::HarmonicOptions harmonic_options(const HarmonicWords& words) {
    constexpr double most = 500;
    std::vector<int> orders;
    for (const double k : core::parse_numbers(words.orders(), "--harmonics")) {
        if (!(k >= 0 && k <= most && k == std::floor(k)))
            throw core::BadInput("--harmonics", fmt::format("{:g} is not a whole number from 0 to {:g}", k, most));
        orders.push_back(int(k));
    }
    const bool several = words.harmonics.find(',') != std::string::npos;
    modes::HarmonicOptions options;
    options.harmonics = several ? core::Harmonics(orders) : core::Harmonics::up_to(orders.at(0));
    options.joints.samples = words.samples;
    options.check();
    return options;
}

EpmcRun epmc(structure::Model model, EpmcRequest request) {
    auto options = harmonic_options(request.harmonics);
    options.derivatives = request.derivatives;
    EpmcRun run{std::move(model), std::move(request), options, {}};
    const auto& r = run.request;
    const auto output = row_of(run.model, r.output);
    const modes::Interface interface(run.model);
    run.points = r.amplitude_of ? modes::epmc_at_output(run.model, interface, r.mode,
                                                        {output, *r.amplitude_of, r.amplitudes}, options)
                                : modes::epmc(run.model, interface, r.mode, r.amplitudes, options);
    return run;
}

void EpmcRun::require_converged() const {
    for (const auto& p : points)
        if (!p.converged)
            throw core::NotConverged(fmt::format("backbone: mode {} did not converge at q = {:g}", request.mode, p.a),
                                     p.residual);
}

nlohmann::json json(const EpmcRun& run) {
    const auto output = row_of(run.model, run.request.output);
    nlohmann::json points = nlohmann::json::array();
    for (const auto& p : run.points) {
        auto entry = motion_json(p, run.request.harmonics);
        entry["q"] = p.a;
        if (p.converged) {
            entry["zeta"] = p.zeta;
            if (output.size() > 0)
                for (const auto& [name, quantity] : modes::quantities)
                    entry[name] = modes::amplitude_of(p, run.options.harmonics, output, quantity);
            for (const auto& d : p.derivatives) {
                const auto& joint = run.model.joints[d.joint];
                entry["derivatives"].push_back({{"joint", joint.name},
                                                {"parameter", joint.law.parameters()[d.parameter].key},
                                                {"omega", d.omega},
                                                {"zeta", d.zeta}});
            }
        }
        points.push_back(std::move(entry));
    }
    return {{"mode", run.request.mode}, {"method", "epmc"}, {"points", points}};
}

io::Table table(const EpmcRun& run) {
    auto made = io::named_table({"q", "omega", "zeta", "dissipation", "residual", "frequency"});
    for (const auto& p : run.points)
        if (p.converged) io::add_row(made, {p.a, p.omega, p.zeta, p.dissipation, p.residual, core::hertz(p.omega)});
    return made;
}

io::Figure figure(const EpmcRun& run) {
    const auto& r = run.request;
    const auto values = table(run);
    const io::Axis amplitude{"modal amplitude q / (m kg^(1/2))", true};
    io::Figure made;
    made.title = fmt::format("Mode {} of {}", r.mode, r.name);
    made.subtitle = fmt::format("epmc, harmonics {}", r.harmonics.orders());
    made.panels = {
        {"", amplitude, {r.unit.label(), false}, {{"", values.columns[0], r.unit.of(values.columns[1]), {}}}},
        {"", amplitude, {"damping ratio zeta", true}, {{"", values.columns[0], values.columns[2], {}}}}};
    return made;
}

std::string text(const EpmcRun& run) {
    Text out;
    const auto& unit = run.request.unit;
    out.print("{:>14} {:>16} {:>14} {:>16} {:>10}\n", "q", unit.label(), "zeta", "dissipation / J", "residual");
    for (const auto& p : run.points)
        if (p.converged)
            out.print("{:14.6g} {:16.10g} {:14.7g} {:16.9g} {:10.1e}\n", p.a, unit.of(p.omega), p.zeta, p.dissipation,
                      p.residual);
        else
            out.print("{:14.6g} did not converge\n", p.a);
    return out;
}

ResponseRun response(structure::Model model, ResponseRequest request, const std::function<void(std::size_t)>& done) {
    auto options = harmonic_options(request.harmonics);
    options.stability = request.stability;
    ResponseRun run{std::move(model), std::move(request), options, {}, {}};
    const auto& r = run.request;
    row_of(run.model, r.output);
    const modes::Interface interface(run.model);
    auto task = r.task;
    for (const double p : r.along_force() ? std::vector<double>{r.levels.at(0)} : r.levels) {
        task.load.force = p;
        ResponseLevel level{p, modes::response(run.model, interface, task, options)};
        if (r.only_asked)
            std::erase_if(level.points, [&](const auto& point) {
                return std::find(task.at.begin(), task.at.end(), point.omega) == task.at.end();
            });
        run.levels.push_back(std::move(level));
        if (done) done(run.levels.size());
    }
    if (r.through_mode > 0) run.mode = mode_through_peaks(run, interface);
    return run;
}

void ResponseRun::require_converged() const {
    const auto& task = request.task;
    const bool along_force = request.along_force();
    for (const auto& level : levels) {
        for (const auto& p : level.points)
            if (request.require_orbits && !(p.stability.orbit_residual <= 1e-8))
                throw core::NotConverged(
                    fmt::format("response: no exact orbit was found next to the harmonics at {:g} rad/s: {}", p.omega,
                                p.stability.reason),
                    p.stability.orbit_residual);
        const HarmonicPoint* last = nullptr;
        for (const auto& p : level.points)
            if (p.branch == 0) last = &p;
        const double end = !last ? task.from : along_force ? last->force : last->omega;
        if (request.only_asked ? level.points.size() < task.at.size() : end != task.to && end != task.from)
            throw core::NotConverged(
                along_force ? fmt::format("response: the branch was lost after {:g} N", end)
                            : fmt::format("response: the branch at {:g} N was lost after {:g} rad/s", level.force, end),
                last ? last->residual : std::numeric_limits<double>::quiet_NaN());
    }
}

double peak_of(const HarmonicPoint& point, const Eigen::VectorXd& output, const core::Harmonics& harmonics) {
    const Eigen::VectorXd u = point.harmonics.transpose() * output;
    double peak = 0;
    for (const double t : core::turning_points(harmonics, u)) {
        double value = 0, slope = 0, curvature = 0;
        harmonics.motion(u, t, value, slope, curvature);
        peak = std::max(peak, std::abs(value));
    }
    return peak;
}

nlohmann::json json(const ResponseRun& run) {
    const auto output = row_of(run.model, run.request.output);
    nlohmann::json points = nlohmann::json::array();
    for (const auto& level : run.levels)
        for (const auto& p : level.points) {
            auto entry = motion_json(p, run.request.harmonics);
            entry["force"] = p.force;
            entry["branch"] = p.branch;
            entry["turning_point"] = p.turning_point;
            if (run.options.stability) add_stability(entry, p.stability);
            if (p.bifurcation != modes::Bifurcation::none) entry["bifurcation"] = modes::name_of(p.bifurcation);
            if (output.size() > 0 && p.converged) entry["peak"] = peak_of(p, output, run.options.harmonics);
            points.push_back(std::move(entry));
        }
    return {{"orders", run.options.harmonics.orders()}, {"points", points}};
}

io::Table table(const ResponseRun& run) {
    const auto output = row_of(run.model, run.request.output);
    auto made = io::named_table({"force", "omega", "frequency", "a", "dissipation", "residual", "stable", "branch"});
    if (output.size() > 0) io::add_column(made, "peak");
    for (const auto& level : run.levels)
        for (const auto& p : level.points) {
            if (!p.converged) continue;
            const double stable =
                p.stability.stable ? double(*p.stability.stable) : std::numeric_limits<double>::quiet_NaN();
            std::vector<double> row{p.force,    p.omega, core::hertz(p.omega), p.a, p.dissipation,
                                    p.residual, stable,  double(p.branch)};
            if (output.size() > 0) row.push_back(peak_of(p, output, run.options.harmonics));
            io::add_row(made, row);
        }
    return made;
}

std::string text(const ResponseRun& run) {
    Text out;
    const auto& unit = run.request.unit;
    out.print("{:>12} {:>16} {:>14} {:>16} {:>10} {:>9}\n", "force / N", unit.label(), "a", "dissipation / J",
              "residual", "stable");
    for (const auto& level : run.levels)
        for (const auto& p : level.points)
            out.print("{:12.5g} {:16.10g} {:14.7g} {:16.9g} {:10.1e} {:>9}{}\n", p.force, unit.of(p.omega), p.a,
                      p.dissipation, p.residual,
                      !p.stability.stable   ? "-"
                      : *p.stability.stable ? "yes"
                                            : "no",
                      p.bifurcation != modes::Bifurcation::none ? "  " + modes::name_of(p.bifurcation)
                      : p.turning_point                         ? "  turning point before"
                                                                : "");
    return out;
}

}  // namespace faying::results
