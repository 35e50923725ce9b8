#include "faying/modes/rest_state.hpp"

namespace faying::modes {

namespace {

constexpr double least_loss = 1e-12;  ///< of force times displacement: less is rounding

}  // namespace

RestRows rest_rows(const structure::Model& model, const Prestress& at_rest, std::size_t joint) {
    Eigen::Index row = 0;
    for (std::size_t j = 0; j < joint; ++j) row += model.joints.at(j).map.rows();
    const Eigen::Index count = model.joints.at(joint).map.rows();
    return {at_rest.sites.segment(row, count), at_rest.force.segment(row, count)};
}

std::vector<SiteState> rest_states(const structure::Model& model, const Prestress& at_rest, std::size_t joint) {
    const auto& where = model.joints.at(joint);
    const auto [u, f] = rest_rows(model, at_rest, joint);
    const Eigen::Index width = where.components();
    std::vector<SiteState> states;
    for (Eigen::Index i = 0; i < where.sites(); ++i) {
        const Eigen::VectorXd moved = u.segment(width * i, width), force = f.segment(width * i, width);
        SiteState s;
        if (!where.normal) s.slip = tangential(where, moved).norm();
        const double loss = at_rest.dissipated.empty() ? 0.0 : at_rest.dissipated[joint](i);
        if (loss > least_loss * force.norm() * moved.norm()) s.status = SiteStatus::slipping;
        if (has_normal(where)) {
            s.pressure = force(normal_of(where)) / where.weight(i);
            const double apart = where.gap.size() > 0 ? where.gap(i) : 0.0;
            s.gap = std::max(0.0, apart - moved(normal_of(where)));
            s.traction = tangential(where, force).norm() / where.weight(i);
            if (!(s.pressure > 0)) s.status = SiteStatus::open;
        }
        states.push_back(s);
    }
    return states;
}

}  // namespace faying::modes
