#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/modes/choice.hpp"
#include "faying/results/loads.hpp"
#include "harmonic.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

using modes::HarmonicPoint;

double seen(const EpmcRun& run, const HarmonicPoint& p, modes::Quantity quantity) {
    return modes::amplitude_of(p, run.used.harmonics, structure::find_output(run.model, run.request.output), quantity);
}

}  // namespace

HarmonicChoice parse_harmonics(const std::string& text, int samples) {
    constexpr double most = 500;
    const char* option = "--harmonics";
    HarmonicChoice choice;
    choice.samples = samples;
    if (text == "auto" || text.starts_with("auto:")) {
        choice.enough = modes::EnoughOptions();
        if (text != "auto") choice.enough->tolerance = core::parse_number(text.substr(5), option);
        choice.enough->check();
        return choice;
    }
    std::vector<int> orders;
    for (const double k : core::parse_numbers(text.empty() ? "3" : text, option)) {
        if (!(k >= 0 && k <= most && k == std::floor(k)))
            throw core::BadInput(option, fmt::format("{:g} is not a whole number from 0 to {:g}", k, most));
        orders.push_back(int(k));
    }
    choice.harmonics =
        text.find(',') != std::string::npos ? core::Harmonics(orders) : core::Harmonics::up_to(orders.at(0));
    options_of(choice).check();
    return choice;
}

modes::HarmonicOptions options_of(const HarmonicChoice& choice) {
    modes::HarmonicOptions options;
    options.harmonics = choice.harmonics;
    options.joints.samples = choice.samples;
    return options;
}

HarmonicsUsed orders_for(const structure::Model& model, const modes::Interface& interface, const HarmonicChoice& choice,
                         const modes::HarmonicRun& run) {
    if (!choice.enough) return {choice.harmonics, 0, true};
    const auto found = modes::with_enough_harmonics(model, interface, options_of(choice), *choice.enough, run);
    return {found.harmonics, found.neglected, found.enough};
}

std::string HarmonicsUsed::text(int samples) const {
    return fmt::format("harmonics {}{}{}", fmt::join(harmonics.orders(), ", "),
                       neglected > 0 ? fmt::format(" ({:.1e} of the joints' forces neglected)", neglected) : "",
                       samples > 0 ? fmt::format(", {} samples per period", samples) : ", joint forces exact");
}

void require_enough(const HarmonicsUsed& used, const char* command) {
    if (!used.enough)
        throw core::NotConverged(fmt::format("{}: {:.2g} of the joints' forces falls on orders beyond those allowed",
                                             command, used.neglected),
                                 used.neglected);
}

nlohmann::json motion_json(const HarmonicPoint& point, int samples) {
    nlohmann::json entry = {{"residual", point.residual}, {"status", point.converged ? "converged" : "not converged"}};
    if (!point.converged) return entry;
    entry["omega"] = point.omega;
    entry["frequency"] = core::hertz(point.omega);
    entry["a"] = point.a;
    for (Eigen::Index b = 0; b < point.harmonics.cols(); ++b)
        entry["harmonics"].push_back(list(point.harmonics.col(b)));
    entry["dissipation"] = point.dissipation;
    entry["dissipation_by_joint"] = point.dissipation_by_joint;
    entry["iterations"] = point.iterations;
    if (samples > 0) entry["samples"] = samples;
    return entry;
}

nlohmann::json stability_json(const modes::Stability& s) {
    nlohmann::json entry = {{"stable", s.stable ? nlohmann::json(*s.stable) : nlohmann::json(nullptr)},
                            {"multipliers", nlohmann::json::array()}};
    for (const auto& m : s.multipliers) entry["multipliers"].push_back({m.real(), m.imag()});
    if (s.stable) {
        entry["forgotten"] = s.forgotten;
        entry["stability_of"] = s.method;
        entry["orbit_residual"] = s.orbit_residual;
        entry["orbit_distance"] = s.orbit_distance;
    }
    if (!s.reason.empty()) entry["stability_reason"] = s.reason;
    return entry;
}

EpmcRequest epmc_request(const BackboneRequest& r, const HarmonicChoice& harmonics) {
    for (const auto& [given, option] : {std::pair{r.framework.has_value(), "--framework"},
                                        {r.dissipation.has_value(), "--dissipation"},
                                        {r.prestress != modes::Friction::active, "--prestress"}})
        if (given) throw core::BadInput(option, "does not go with --method epmc");
    return {.mode = r.mode,
            .amplitudes = r.amplitudes,
            .harmonics = harmonics,
            .derivatives = r.derivatives,
            .output = r.output,
            .amplitude_of = r.amplitude_of,
            .name = r.name,
            .unit = r.unit};
}

EpmcRun epmc(structure::Model model, EpmcRequest request) {
    EpmcRun run{std::move(model), std::move(request), {}, {}};
    const auto& r = run.request;
    for (const double amplitude : r.amplitudes) check_size("backbone", "amplitude", amplitude);
    const modes::Interface interface(run.model);
    const Eigen::VectorXd output = r.output.empty() ? Eigen::VectorXd() : structure::find_output(run.model, r.output);
    const auto once = [&](const modes::HarmonicOptions& o) {
        return r.amplitude_of
                   ? modes::epmc_at_output(run.model, interface, r.mode, {output, *r.amplitude_of, r.amplitudes}, o)
                   : modes::epmc(run.model, interface, r.mode, r.amplitudes, o);
    };
    run.used = orders_for(run.model, interface, r.harmonics, once);
    auto options = options_of(r.harmonics);
    options.harmonics = run.used.harmonics;
    options.derivatives = r.derivatives;
    run.points = once(options);
    run.limit_cycles = modes::limit_cycles(run.model, interface, r.mode, run.points, options);
    return run;
}

void EpmcRun::require_converged() const {
    for (const auto& p : points)
        if (!p.converged)
            throw core::NotConverged(fmt::format("backbone: mode {} did not converge at q = {:g}", request.mode, p.a),
                                     p.residual);
    require_enough(used, "backbone");
}

nlohmann::json json(const EpmcRun& run) {
    nlohmann::json points = nlohmann::json::array();
    for (const auto& p : run.points) {
        auto entry = motion_json(p, run.request.harmonics.samples);
        entry["q"] = p.a;
        if (p.converged) entry["zeta"] = p.zeta;
        if (p.converged && !run.request.output.empty())
            for (const auto& [name, quantity] : modes::quantities) entry[name] = seen(run, p, quantity);
        for (const auto& d : p.derivatives) {
            const auto& joint = run.model.joints[d.joint];
            entry["derivatives"].push_back({{"joint", joint.name},
                                            {"parameter", joint.law.parameters()[d.parameter].key},
                                            {"omega", d.omega},
                                            {"zeta", d.zeta}});
        }
        points.push_back(std::move(entry));
    }
    nlohmann::json result = {{"mode", run.request.mode}, {"method", "epmc"}, {"orders", run.used.harmonics.orders()}};
    if (run.request.harmonics.enough) result["neglected"] = run.used.neglected;
    result["points"] = std::move(points);
    for (const auto& p : run.limit_cycles) {
        nlohmann::json entry = {{"q", p.a}, {"omega", p.omega}, {"frequency", core::hertz(p.omega)}};
        entry.update(stability_json(p.stability));
        result["limit_cycles"].push_back(std::move(entry));
    }
    return result;
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
    const auto of = [&](const char* name) { return io::column(values, name, r.name); };
    io::Figure made;
    made.title = fmt::format("Mode {} of {}", r.mode, r.name);
    made.subtitle = "epmc, " + run.used.text(r.harmonics.samples);
    made.panels = {{"", amplitude, {r.unit.label(), false}, {{"", of("q"), r.unit.of(of("omega"))}}},
                   {"", amplitude, {"damping ratio zeta", true}, {{"", of("q"), of("zeta")}}}};
    return made;
}

std::string text(const EpmcRun& run) {
    Text out;
    if (run.request.harmonics.enough) out.print("{}\n", run.used.text(run.request.harmonics.samples));
    out.print("{:>14} {:>16} {:>14} {:>16} {:>10}\n", "q", run.request.unit.label(), "zeta", "dissipation / J",
              "residual");
    for (const auto& p : run.points)
        if (p.converged)
            out.print("{:14.6g} {:16.10g} {:14.7g} {:16.9g} {:10.1e}\n", p.a, run.request.unit.of(p.omega), p.zeta,
                      p.dissipation, p.residual);
        else
            out.print("{:14.6g} did not converge\n", p.a);
    for (const auto& p : run.limit_cycles)
        out.print("self-excited, zeta = 0: q = {:.9g}, {:.10g} {}{}\n", p.a, run.request.unit.of(p.omega),
                  run.request.unit.word, p.stability.stable ? (*p.stability.stable ? ", stable" : ", unstable") : "");
    return out;
}

}  // namespace faying::results
