#include "faying/modes/about.hpp"

#include <tuple>

#include "sites.hpp"

namespace faying::modes {

const char* name(About about) {
    return about == About::preload ? "preload" : about == About::stuck ? "stuck" : "slipping";
}

Eigen::MatrixXd preloaded_stiffness(const structure::Model& model, const Interface&, const Prestress& at_rest) {
    Sites sites = structure::joint_set(model);
    sites.begin(at_rest.sites, false);
    sites.evaluate(Eigen::VectorXd::Zero(sites.rows()));
    Eigen::MatrixXd map(sites.rows(), model.size()), force(sites.rows(), model.size());
    Eigen::Index row = 0;
    for (const auto& joint : model.joints) {
        map.middleRows(row, joint.map.rows()) = joint.map;
        row += joint.map.rows();
    }
    Eigen::VectorXd one(sites.rows());
    for (Eigen::Index i = 0; i < model.size(); ++i) {
        sites.multiply_tangent(map.col(i), one);
        force.col(i) = one;
    }
    const Eigen::MatrixXd joints = map.transpose() * force;
    return model.stiffness + 0.5 * (joints + joints.transpose());
}

JointModes modes_about(const structure::Model& model, About about, Eigen::Index count,
                       const PrestressOptions& options) {
    JointModes made;
    made.about = about == About::preload && !prestress_matters(model, Start::fresh) ? About::stuck : about;
    Eigen::MatrixXd stiffness;
    if (made.about == About::preload) {
        const Interface interface(model);
        const Prestress at_rest = prestress(model, interface, options);
        std::tie(made.touching, made.contacts) = structure::joint_set(model).touching(at_rest.sites);
        stiffness = preloaded_stiffness(model, interface, at_rest);
    } else {
        stiffness =
            made.about == About::stuck ? structure::stuck_stiffness(model) : structure::slipping_stiffness(model);
    }
    made.modes = linear_modes(model.mass, stiffness, count);
    return made;
}

}  // namespace faying::modes
