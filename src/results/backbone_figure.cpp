#include <fmt/format.h>

#include <algorithm>

#include "faying/results/backbone.hpp"
#include "faying/results/sites.hpp"

namespace faying::results {

namespace {

using modes::BackbonePoint;

constexpr std::size_t most_loops = 10;  ///< of a joint: more cannot be told apart

io::Panel loop_panel(std::string title) {
    return {std::move(title), {"displacement from rest / m", false}, {"force from rest / N", false}, {}};
}

io::Curve loop_of(const BackboneRun& run, const BackbonePoint& p, std::size_t joint, const modes::BusySite& site,
                  std::string label) {
    auto loop = modes::site_loop(run.model, p, run.options, joint, site.site, site.component);
    label += modes::closing_note(loop);
    shorten(loop.u);
    shorten(loop.f);
    return {std::move(label), std::move(loop.u), std::move(loop.f), {}};
}

io::Panel loops_of(const BackboneRun& run, const BackbonePoint& p, std::size_t j) {
    const auto& joint = run.model.joints[j];
    const auto sites = modes::busiest_sites(run.model, p, j);
    const std::size_t shown = std::min(most_loops, sites.size());
    auto panel = loop_panel(joint.name);
    if (shown < sites.size()) panel.title += fmt::format(": {} of {} sites", shown, sites.size());
    for (std::size_t k = 0; k < shown; ++k)
        panel.curves.push_back(
            loop_of(run, p, j, sites[k], structure::site_name(joint, sites[k].site, sites[k].component)));
    return panel;
}

io::Detail detail_of(const BackboneRun& run, const BackbonePoint& p) {
    const auto& unit = run.request.unit;
    io::Detail detail;
    detail.title = fmt::format("q = {:.4g}: {:.7g} {}, zeta = {:.4g}", p.q, unit.of(p.omega), unit.word, p.zeta);
    for (std::size_t j = 0; j < run.model.joints.size(); ++j) {
        const auto& joint = run.model.joints[j];
        if (joint.law.elastic()) continue;
        detail.panels.push_back(loops_of(run, p, j));
        if (modes::has_places(joint) && joint.sites() > 1)
            detail.maps.push_back(site_map(joint, modes::place_states(run.model, p, run.options, j)));
    }
    return detail;
}

/// Loops of the busiest site at a few of the points; without curves if there are none.
io::Panel busiest_loops(const BackboneRun& run, const std::vector<BackbonePoint>& points) {
    auto panel = loop_panel("");
    modes::BusySite most;
    std::size_t busiest = 0;
    for (std::size_t j = 0; !points.empty() && j < run.model.joints.size(); ++j) {
        if (run.model.joints[j].law.elastic()) continue;
        const auto sites = modes::busiest_sites(run.model, points.back(), j);
        if (sites.empty() || sites.front().loss <= most.loss) continue;
        most = sites.front();
        busiest = j;
    }
    if (most.loss == 0) return panel;
    const auto& joint = run.model.joints[busiest];
    panel.title = fmt::format("loops of {}, {}", joint.name, structure::site_name(joint, most.site, most.component));
    const std::size_t step = std::max<std::size_t>(1, points.size() / 5);
    for (std::size_t k = (points.size() - 1) % step; k < points.size(); k += step)
        panel.curves.push_back(loop_of(run, points[k], busiest, most, fmt::format("q = {:.3g}", points[k].q)));
    return panel;
}

}  // namespace

io::Figure figure(const BackboneRun& run, bool picture) {
    const auto& r = run.request;
    const auto values = table(run);
    const bool output = !r.output.empty();
    const io::Axis amplitude{
        output ? fmt::format("displacement of {} / m", r.output) : "modal amplitude q / (m kg^(1/2))", true};
    const auto& x = io::column(values, output ? "displacement" : "q", r.name);
    io::Figure made{
        fmt::format("Mode {} of {}", r.mode, r.name),
        fmt::format("{}, {} framework, {} dissipation", core::name_of(modes::methods, run.options.method),
                    core::name_of(modes::frameworks, run.options.framework),
                    core::name_of(modes::dissipations, run.options.dissipation)),
        {{"frequency",
          amplitude,
          {r.unit.label(), false},
          {{r.unit.in_hertz() ? "frequency" : "omega", x, r.unit.of(io::column(values, "omega", r.name)), {}}}},
         {"damping", amplitude, {"damping ratio zeta", true}, {{"zeta", x, io::column(values, "zeta", r.name)}}}},
        {}};
    std::vector<BackbonePoint> good;
    std::copy_if(run.points.begin(), run.points.end(), std::back_inserter(good),
                 [](const auto& p) { return p.converged; });
    for (const auto& p : good) made.details.push_back(detail_of(run, p));
    for (auto& panel : made.panels) panel.curves.front().first_detail = 0;
    if (picture)
        if (auto loops = busiest_loops(run, good); !loops.curves.empty()) made.panels.push_back(std::move(loops));
    return made;
}

}  // namespace faying::results
