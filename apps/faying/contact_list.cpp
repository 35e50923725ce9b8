#include "contact_list.hpp"

namespace faying::app {

nlohmann::json contact_list(const structure::Joint& joint, const std::vector<modes::SiteState>& states) {
    const bool tractions = structure::gives_tractions(joint);
    nlohmann::json list = {{"joint", joint.name}, {"pressure_unit", tractions ? "Pa" : "N"}};
    for (std::size_t i = 0; i < states.size(); ++i) {
        const auto& s = states[i];
        const auto row = Eigen::Index(i);
        list["site"].push_back(structure::short_site_name(joint, row));
        if (modes::has_places(joint))
            for (int c = 0; c < 3; ++c) list[std::string(1, "xyz"[c])].push_back(joint.places(row, c));
        if (tractions) list["area"].push_back(joint.weight(row));
        list["status"].push_back(modes::name(s.status));
        list["pressure"].push_back(s.pressure);
        list["gap"].push_back(s.gap);
        list["slip"].push_back(s.slip);
    }
    return list;
}

}  // namespace faying::app
