#include "static_start.hpp"

#include <algorithm>

#include "faying/modes/prestress.hpp"

namespace faying::transient::detail {

namespace {

/// The model in the modes that are kept: what is at rest there, not what the whole structure's rest leaves of them.
structure::Model projected(const structure::Model& model, const Eigen::MatrixXd& shapes) {
    structure::Model kept;
    kept.mass = shapes.transpose() * model.mass * shapes;
    kept.stiffness = shapes.transpose() * model.stiffness * shapes;
    kept.static_force = shapes.transpose() * model.static_force;
    for (const auto& joint : model.joints) {
        kept.joints.push_back({joint.name, joint.law, joint.map * shapes, joint.weight, {}, {}});
        kept.joints.back().gap = joint.gap;
    }
    return kept;
}

}  // namespace

Eigen::VectorXd rest_of_contacts(const structure::Model& model) {
    const bool contacts = std::any_of(model.joints.begin(), model.joints.end(),
                                      [](const structure::Joint& joint) { return joint.law.contact(); });
    return contacts && model.static_force.size() > 0 ? modes::prestress(model).u : Eigen::VectorXd();
}

Eigen::VectorXd static_start(const structure::Model& model, const System& system, const Eigen::VectorXd& rest) {
    if (model.static_force.size() == 0) return Eigen::VectorXd::Zero(system.size());
    if (system.size() < model.size()) return modes::prestress(projected(model, system.shapes())).u;
    return system.modal(rest.size() > 0 ? rest : modes::prestress(model).u);
}

}  // namespace faying::transient::detail
