#include "backbone_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace faying::app {

namespace {

using modes::BackbonePoint;

constexpr std::size_t most_loops = 10;  ///< of a joint: more cannot be told apart

/// Seven digits are more than a picture shows, and keep the page small.
void shorten(std::vector<double>& values) {
    for (double& v : values) v = std::strtod(fmt::format("{:.7g}", v).c_str(), nullptr);
}

io::Curve curve_of(const structure::Model& model, const BackbonePoint& p, const modes::BackboneOptions& options,
                   std::size_t joint, const modes::BusySite& site, std::string label) {
    auto loop = modes::site_loop(model, p, options, joint, site.site, site.component);
    label += modes::closing_note(loop);
    shorten(loop.u);
    shorten(loop.f);
    return {std::move(label), std::move(loop.u), std::move(loop.f), {}};
}

io::Panel loops_of(const structure::Model& model, const BackbonePoint& p, const modes::BackboneOptions& options,
                   std::size_t j) {
    const auto& joint = model.joints[j];
    const auto sites = modes::busiest_sites(model, p, j);
    const std::size_t shown = std::min(most_loops, sites.size());
    io::Panel panel{joint.name, {"displacement from rest / m", false}, {"force from rest / N", false}, {}};
    if (shown < sites.size()) panel.title += fmt::format(": {} of {} sites", shown, sites.size());
    for (std::size_t k = 0; k < shown; ++k)
        panel.curves.push_back(
            curve_of(model, p, options, j, sites[k], structure::site_name(joint, sites[k].site, sites[k].component)));
    return panel;
}

io::Detail detail_of(const structure::Model& model, const BackbonePoint& p, const modes::BackboneOptions& options,
                     const FrequencyUnit& unit) {
    io::Detail detail;
    detail.title = fmt::format("q = {:.4g}: {:.7g} {}, zeta = {:.4g}", p.q, unit.of(p.omega), unit.word, p.zeta);
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
        const auto& joint = model.joints[j];
        if (joint.law.elastic()) continue;
        detail.panels.push_back(loops_of(model, p, options, j));
        if (modes::has_places(joint) && joint.sites() > 1)
            detail.maps.push_back(site_map(joint, modes::place_states(model, p, options, j)));
    }
    return detail;
}

}  // namespace

io::SiteMap site_map(const structure::Joint& joint, const std::vector<modes::PlaceState>& places) {
    io::SiteMap map;
    map.title = joint.name;
    map.pressure_unit = structure::gives_tractions(joint) ? "Pa" : "N";
    for (const auto& place : places) {
        map.x.push_back(place.at.x());
        map.y.push_back(place.at.y());
        map.area.push_back(place.area);
        if (!joint.normal || place.state.slip > 0) map.slip.push_back(place.state.slip);
        map.status.emplace_back(name(place.state.status));
        map.closure_error.push_back(place.state.loop_closed() ? 0.0 : place.state.closure_error);
        if (!modes::has_normal(joint)) continue;
        map.pressure.push_back(place.state.pressure);
        map.gap.push_back(place.state.gap);
    }
    for (auto* values : {&map.x, &map.y, &map.area, &map.slip, &map.pressure, &map.gap, &map.closure_error})
        shorten(*values);
    return map;
}

io::Figure backbone_figure(const structure::Model& model, const std::vector<BackbonePoint>& points,
                           const BackboneAxis& amplitude, const modes::BackboneOptions& options,
                           const FrequencyUnit& unit) {
    io::Curve omega{unit.in_hertz() ? "frequency" : "omega", amplitude.values, {}, {}},
        zeta{"zeta", amplitude.values, {}, {}};
    io::Figure figure;
    for (const auto& p : points) {
        omega.y.push_back(unit.of(p.omega));
        zeta.y.push_back(p.zeta);
        figure.details.push_back(detail_of(model, p, options, unit));
    }
    omega.first_detail = zeta.first_detail = 0;
    figure.panels = {{"frequency", amplitude.axis, {unit.label(), false}, {omega}},
                     {"damping", amplitude.axis, {"damping ratio zeta", true}, {zeta}}};
    return figure;
}

io::Panel busiest_loops(const structure::Model& model, const std::vector<BackbonePoint>& points,
                        const modes::BackboneOptions& options) {
    io::Panel panel{"", {"displacement from rest / m", false}, {"force from rest / N", false}, {}};
    modes::BusySite most;
    std::size_t busiest = 0;
    for (std::size_t j = 0; !points.empty() && j < model.joints.size(); ++j) {
        if (model.joints[j].law.elastic()) continue;
        const auto sites = modes::busiest_sites(model, points.back(), j);
        if (sites.empty() || sites.front().lost <= most.lost) continue;
        most = sites.front();
        busiest = j;
    }
    if (most.lost == 0) return panel;
    const auto& joint = model.joints[busiest];
    panel.title = fmt::format("loops of {}, {}", joint.name, structure::site_name(joint, most.site, most.component));
    const std::size_t step = std::max<std::size_t>(1, points.size() / 5);
    for (std::size_t k = (points.size() - 1) % step; k < points.size(); k += step)
        panel.curves.push_back(
            curve_of(model, points[k], options, busiest, most, fmt::format("q = {:.3g}", points[k].q)));
    return panel;
}

}  // namespace faying::app
