#include "backbone_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "faying/modes/site_loop.hpp"

namespace faying::app {

namespace {

using modes::BackbonePoint;

constexpr std::size_t most_loops = 10;  ///< of a joint: more cannot be told apart

/// A site, and the direction in which it moves most.
struct Place {
    std::size_t joint = 0;
    Eigen::Index site = 0;
    int component = 0;
    double lost = 0;
};

/// Seven digits are more than a picture shows, and keep the page small.
void shorten(std::vector<double>& values) {
    for (double& v : values) v = std::strtod(fmt::format("{:.7g}", v).c_str(), nullptr);
}

int direction(const structure::Joint& joint, const BackbonePoint& p, std::size_t j, Eigen::Index site) {
    if (joint.components() == 1) return 0;
    const Eigen::VectorXd swing = p.site_plus[j].segment(3 * site, 2) - p.site_minus[j].segment(3 * site, 2);
    return std::abs(swing(1)) > std::abs(swing(0)) ? 1 : 0;
}

/// Sites of one joint, those that dissipate most first; without local dissipation those that move most.
std::vector<Place> busiest(const structure::Model& model, const BackbonePoint& p, std::size_t j) {
    const auto& joint = model.joints[j];
    std::vector<Place> places;
    for (Eigen::Index i = 0; i < joint.sites(); ++i) {
        const int c = direction(joint, p, j, i);
        const Eigen::Index row = joint.components() * i + c;
        const double lost = p.site_dissipation.empty() ? std::abs(p.site_plus[j](row) - p.site_minus[j](row))
                                                       : p.site_dissipation[j](i);
        places.push_back({j, i, c, lost});
    }
    std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.lost > b.lost; });
    return places;
}

std::string name_of(const structure::Joint& joint, const Place& place) {
    std::string name = fmt::format("site {}", place.site + 1);
    if (joint.components() == 3) name += place.component == 0 ? ", tangent 1" : ", tangent 2";
    return name;
}

io::Curve curve_of(const structure::Model& model, const BackbonePoint& p, const modes::BackboneOptions& options,
                   const Place& place, std::string label) {
    auto loop = modes::site_loop(model, p, options, place.joint, place.site, place.component);
    shorten(loop.u);
    shorten(loop.f);
    return {std::move(label), std::move(loop.u), std::move(loop.f), {}};
}

io::Panel loops_of(const structure::Model& model, const BackbonePoint& p, const modes::BackboneOptions& options,
                   std::size_t j) {
    const auto& joint = model.joints[j];
    const auto places = busiest(model, p, j);
    const std::size_t shown = std::min(most_loops, places.size());
    io::Panel panel{joint.name, {"displacement from rest / m", false}, {"force from rest / N", false}, {}};
    if (shown < places.size()) panel.title += fmt::format(": {} of {} sites", shown, places.size());
    for (std::size_t k = 0; k < shown; ++k)
        panel.curves.push_back(curve_of(model, p, options, places[k], name_of(joint, places[k])));
    return panel;
}

/// Sites at one place (two tangents of a law of one displacement) are one square.
io::SiteMap map_of(const structure::Model& model, const BackbonePoint& p, const modes::BackboneOptions& options,
                   std::size_t j) {
    const auto& joint = model.joints[j];
    const auto states = modes::site_states(model, p, options, j);
    io::SiteMap map;
    map.title = joint.name;
    for (Eigen::Index i = 0; i < joint.sites(); ++i) {
        const auto& s = states[std::size_t(i)];
        const bool again = i > 0 && joint.places.row(i) == joint.places.row(i - 1);
        if (again) {
            map.slip.back() = std::hypot(map.slip.back(), s.slip);
            if (s.status == modes::SiteStatus::slipping) map.status.back() = name(s.status);
            continue;
        }
        map.x.push_back(joint.places(i, 0));
        map.y.push_back(joint.places(i, 1));
        map.area.push_back(joint.weight(i));
        map.slip.push_back(s.slip);
        map.status.emplace_back(name(s.status));
        if (joint.components() == 3) map.pressure.push_back(s.pressure);
    }
    for (auto* values : {&map.x, &map.y, &map.area, &map.slip, &map.pressure}) shorten(*values);
    return map;
}

io::Detail detail_of(const structure::Model& model, const BackbonePoint& p, const modes::BackboneOptions& options) {
    io::Detail detail;
    detail.title = fmt::format("q = {:.4g}: omega = {:.7g} rad/s, zeta = {:.4g}", p.q, p.omega, p.zeta);
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
        const auto& joint = model.joints[j];
        if (joint.law.elastic()) continue;
        detail.panels.push_back(loops_of(model, p, options, j));
        if (joint.places.rows() == joint.sites() && joint.sites() > 1)
            detail.maps.push_back(map_of(model, p, options, j));
    }
    return detail;
}

}  // namespace

io::Figure backbone_figure(const structure::Model& model, const std::vector<BackbonePoint>& points,
                           const BackboneAxis& amplitude, const modes::BackboneOptions& options) {
    io::Curve omega{"omega", amplitude.values, {}, {}}, zeta{"zeta", amplitude.values, {}, {}};
    io::Figure figure;
    for (const auto& p : points) {
        omega.y.push_back(p.omega);
        zeta.y.push_back(p.zeta);
        figure.details.push_back(detail_of(model, p, options));
    }
    figure.panels = {{"frequency", amplitude.axis, {"omega / (rad/s)", false}, {omega}},
                     {"damping", amplitude.axis, {"damping ratio zeta", true}, {zeta}}};
    return figure;
}

io::Panel busiest_loops(const structure::Model& model, const std::vector<BackbonePoint>& points,
                        const modes::BackboneOptions& options) {
    io::Panel panel{"", {"displacement from rest / m", false}, {"force from rest / N", false}, {}};
    Place most;
    for (std::size_t j = 0; !points.empty() && j < model.joints.size(); ++j) {
        if (model.joints[j].law.elastic()) continue;
        const auto places = busiest(model, points.back(), j);
        if (!places.empty() && places.front().lost > most.lost) most = places.front();
    }
    if (most.lost == 0) return panel;
    panel.title =
        fmt::format("loops of {}, {}", model.joints[most.joint].name, name_of(model.joints[most.joint], most));
    const std::size_t step = std::max<std::size_t>(1, points.size() / 5);
    for (std::size_t k = (points.size() - 1) % step; k < points.size(); k += step)
        panel.curves.push_back(curve_of(model, points[k], options, most, fmt::format("q = {:.3g}", points[k].q)));
    return panel;
}

}  // namespace faying::app
