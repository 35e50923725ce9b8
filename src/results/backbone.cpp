#include "faying/results/backbone.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/results/sites.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

using modes::BackbonePoint;

/// Whether Masing's rule gives a dissipation that the joints' own loop would not.
bool breaks_masing(const modes::BackboneOptions& options, const BackbonePoint& p) {
    return p.converged && p.masing_error > options.masing_tolerance;
}

double seen(const BackboneRun& run, const BackbonePoint& p, modes::Quantity quantity) {
    return modes::amplitude_of(p, structure::find_output(run.model, run.request.output), quantity);
}

/// What every contact site does, and by how much its loop did not close.
nlohmann::json contact_of(const BackboneRun& run, const BackbonePoint& p) {
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t j = 0; j < run.model.joints.size(); ++j) {
        if (run.model.joints[j].components() != 3) continue;
        const auto states = modes::site_states(run.model, p, run.options, j);
        list.push_back(contact_list(run.model.joints[j], states));
        for (const auto& s : states) list.back()["closure_error"].push_back(s.closure_error);
    }
    return list;
}

nlohmann::json point_json(const BackboneRun& run, const BackbonePoint& p) {
    nlohmann::json entry = {{"q", p.q}, {"residual", p.residual}};  // null when there is none
    entry["status"] = status_of(p, run.options);
    if (!p.converged) {
        entry["reason"] = p.reason;
        return entry;
    }
    entry["omega"] = p.omega;
    entry["frequency"] = core::hertz(p.omega);
    entry["zeta"] = p.zeta;
    entry["zeta_friction"] = p.zeta_friction;
    entry["zeta_viscous"] = p.zeta_viscous;
    entry["dissipation"] = p.dissipation;
    entry["dissipation_by_joint"] = p.dissipation_by_joint;
    entry["shape"] = list(p.shape);
    if (run.request.folds) entry["branch"] = p.branch;
    entry["iterations"] = p.iterations;
    if (p.loops > 0) {
        entry["half_loops"] = p.loops;
        entry["closure_error"] = p.closure_error;
    }
    if (!run.request.output.empty())
        for (const auto& [name, quantity] : modes::quantities) entry[name] = seen(run, p, quantity);
    if (auto contact = contact_of(run, p); !contact.empty()) entry["contact"] = contact;
    for (const auto& d : p.derivatives) {
        const auto& joint = run.model.joints[d.joint];
        entry["derivatives"].push_back({{"joint", joint.name},
                                        {"parameter", joint.law.parameters()[d.parameter].key},
                                        {"omega", d.omega},
                                        {"zeta", d.zeta},
                                        {"dissipation", d.dissipation}});
    }
    if (run.options.framework == modes::Framework::masing) entry["masing_error"] = p.masing_error;
    return entry;
}

}  // namespace

modes::BackboneOptions options_of(const BackboneRequest& request, const structure::Model& model) {
    auto options = modes::suited_options(model, request.framework, request.dissipation);
    options.method = request.method;
    options.prestress = request.prestress;
    options.most_loops = request.most_loops;
    options.quadrature = request.quadrature;
    options.close_loops = request.close_loops;
    options.derivatives = request.derivatives;
    options.folds = request.folds;
    return options;
}

BackboneRun backbone(structure::Model model, BackboneRequest request) {
    const auto options = options_of(request, model);
    if (!request.output.empty()) structure::find_output(model, request.output);
    BackboneRun run{std::move(model), std::move(request), options, {}};
    const auto& r = run.request;
    run.points = r.amplitude_of
                     ? modes::backbone_at_output(
                           run.model, modes::Interface(run.model), r.mode,
                           {structure::find_output(run.model, r.output), *r.amplitude_of, r.amplitudes}, options)
                     : modes::backbone(run.model, r.mode, r.amplitudes, options);
    return run;
}

const char* status_of(const BackbonePoint& p, const modes::BackboneOptions& options) {
    return !p.converged ? "not converged" : breaks_masing(options, p) ? "masing does not hold" : "converged";
}

void require_converged(const std::vector<BackbonePoint>& points, int mode, const modes::BackboneOptions& options) {
    for (const auto& p : points)
        if (!p.converged)
            throw core::NotConverged(
                fmt::format("backbone: mode {} did not converge at q = {:g}: {}", mode, p.q, p.reason), p.residual);
    const auto worst = std::max_element(points.begin(), points.end(),
                                        [](const auto& a, const auto& b) { return a.masing_error < b.masing_error; });
    if (worst != points.end() && breaks_masing(options, *worst))
        throw core::NotConverged(
            fmt::format("backbone: Masing's rule does not hold where contact opens or its pressure varies: mode {}, up "
                        "to {:.2g} of the damping at q = {:g}; use --framework loops",
                        mode, worst->masing_error, worst->q),
            std::numeric_limits<double>::quiet_NaN());
}

void BackboneRun::require_converged() const { results::require_converged(points, request.mode, options); }

nlohmann::json json(const BackboneRun& run) {
    nlohmann::json points = nlohmann::json::array();
    for (const auto& p : run.points) points.push_back(point_json(run, p));
    const auto& o = run.options;
    return {{"mode", run.request.mode},
            {"method", core::name_of(modes::methods, o.method)},
            {"framework", core::name_of(modes::frameworks, o.framework)},
            {"dissipation", core::name_of(modes::dissipations, o.dissipation)},
            {"prestress", core::name_of(modes::frictions, o.prestress)},
            {"points", points}};
}

io::Table table(const BackboneRun& run) {
    auto made = io::named_table({"q", "omega", "zeta", "zeta_friction", "dissipation", "residual", "frequency"});
    const bool output = !run.request.output.empty();
    const bool may_break_masing =
        std::any_of(run.points.begin(), run.points.end(), [](const auto& p) { return p.masing_error > 0; });
    if (output)
        for (const auto& [name, quantity] : modes::quantities) io::add_column(made, name);
    if (may_break_masing) io::add_column(made, "masing_error");
    for (const auto& p : run.points) {
        if (!p.converged) continue;
        std::vector<double> row{p.q, p.omega, p.zeta, p.zeta_friction, p.dissipation, p.residual, core::hertz(p.omega)};
        if (output)
            for (const auto& [name, quantity] : modes::quantities) row.push_back(seen(run, p, quantity));
        if (may_break_masing) row.push_back(p.masing_error);
        io::add_row(made, row);
    }
    return made;
}

std::string text(const BackboneRun& run) {
    Text out;
    const auto& unit = run.request.unit;
    out.print("{:>14} {:>16} {:>14} {:>16} {:>10}\n", "q", unit.label(), "zeta", "dissipation / J", "residual");
    for (const auto& p : run.points) {
        if (p.converged)
            out.print("{:14.6g} {:16.10g} {:14.7g} {:16.9g} {:10.1e}{}\n", p.q, unit.of(p.omega), p.zeta, p.dissipation,
                      p.residual,
                      breaks_masing(run.options, p) ? fmt::format("  not Masing ({:.2g})", p.masing_error) : "");
        else if (std::isfinite(p.residual))
            out.print("{:14.6g} did not converge, residual {:.3g}: {}\n", p.q, p.residual, p.reason);
        else
            out.print("{:14.6g} did not converge: {}\n", p.q, p.reason);
    }
    return out;
}

}  // namespace faying::results
