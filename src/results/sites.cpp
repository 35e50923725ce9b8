#include "faying/results/sites.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace faying::results {

const char* pressure_unit(const structure::Joint& joint) { return structure::gives_tractions(joint) ? "Pa" : "N"; }

nlohmann::json contact_list(const structure::Joint& joint, const std::vector<modes::SiteState>& states) {
    nlohmann::json list = {{"joint", joint.name}, {"pressure_unit", pressure_unit(joint)}};
    for (std::size_t i = 0; i < states.size(); ++i) {
        const auto& s = states[i];
        const auto row = Eigen::Index(i);
        list["site"].push_back(structure::short_site_name(joint, row));
        if (modes::has_places(joint))
            for (int c = 0; c < 3; ++c) list[std::string(1, "xyz"[c])].push_back(joint.places(row, c));
        if (structure::gives_tractions(joint)) list["area"].push_back(joint.weight(row));
        list["status"].push_back(modes::name(s.status));
        list["pressure"].push_back(s.pressure);
        list["gap"].push_back(s.gap);
        list["slip"].push_back(s.slip);
    }
    return list;
}

void shorten(std::vector<double>& values) {
    for (double& v : values) v = std::strtod(fmt::format("{:.7g}", v).c_str(), nullptr);
}

io::SiteMap site_map(const structure::Joint& joint, const std::vector<modes::PlaceState>& places) {
    io::SiteMap map;
    map.title = joint.name;
    map.pressure_unit = pressure_unit(joint);
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

}  // namespace faying::results
