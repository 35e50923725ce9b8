#include "faying/results/sites.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/fe/vtk.hpp"

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

std::string sites_vtk(const structure::Model& model, const std::vector<std::vector<modes::SiteState>>& states) {
    std::vector<std::array<double, 9>> rows;
    for (std::size_t j = 0; j < states.size(); ++j) {
        const auto& joint = model.joints[j];
        if (!modes::has_places(joint)) continue;
        for (const auto& [at, area, s] : modes::by_place(joint, states[j]))
            rows.push_back({at.x(), at.y(), at.z(), s.pressure, s.gap, s.slip, double(s.status), double(j + 1), area});
    }
    if (rows.empty())
        throw core::BadInput("--vtk", "no joint of the model knows where its sites are; --csv lists them");
    Eigen::MatrixXd all(Eigen::Index(rows.size()), 9);
    for (std::size_t i = 0; i < rows.size(); ++i)
        all.row(Eigen::Index(i)) = Eigen::Map<const Eigen::RowVectorXd>(rows[i].data(), 9);
    std::vector<fe::VtkField> fields;
    for (const char* name :
         {"pressure", "gap", "slip", "status (0 stuck, 1 slipping, 2 open)", "joint", "area (0: not known)"})
        fields.push_back({name, all.col(3 + Eigen::Index(fields.size()))});
    return fe::vtk_of_points(all.leftCols(3), fields);
}

}  // namespace faying::results
