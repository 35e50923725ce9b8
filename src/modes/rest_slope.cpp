#include "rest_slope.hpp"

#include <cmath>

#include "faying/solve/dense.hpp"

namespace faying::modes {

std::vector<SlopeMoves::Parameter> varied_parameters(const structure::Model& model) {
    std::vector<SlopeMoves::Parameter> all;
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
        const auto& law = model.joints[j].law;
        std::size_t first = 0;
        for (const auto& part : law.parts()) {
            for (std::size_t i = first; i < first + part.parameters; ++i) {
                const auto& fallback = law.parameters()[i].fallback;
                const bool not_given = part.spring && fallback && law.values()[i] == *fallback;
                if (!not_given && !std::isinf(law.values()[i])) all.push_back({j, i});
            }
            first += part.parameters;
        }
    }
    return all;
}

std::vector<std::vector<int>> seeds_of(const structure::Model& model,
                                       const std::vector<SlopeMoves::Parameter>& parameters, std::size_t first,
                                       std::size_t count) {
    std::vector<std::vector<int>> seeds;
    for (const auto& joint : model.joints) seeds.emplace_back(joint.law.parameters().size(), -1);
    for (std::size_t k = 0; k < count; ++k)
        seeds[parameters[first + k].joint][parameters[first + k].parameter] = int(k);
    return seeds;
}

Eigen::MatrixXd rest_slope(const structure::Model& model, const Interface& interface, const Prestress& at_rest,
                           Friction friction, DualSites& dual) {
    const Eigen::VectorXd& u = at_rest.sites;
    Sites virgin = structure::joint_set(model);
    DualSites::Vector force;
    switch (friction) {
        case Friction::active:
            virgin.evaluate(u);
            dual.evaluate(constants(u));
            force = dual.force();
            break;
        case Friction::conservative:
            virgin.evaluate_springs(u);
            dual.evaluate_springs(constants(u));
            force = dual.force();
            break;
        case Friction::linear:
            virgin.evaluate(virgin.just_closed());
            dual.evaluate(constants(virgin.just_closed()));
            force.resize(u.size());
            dual.multiply_tangent(u, force);
            break;
    }
    Eigen::MatrixXd jacobian = interface.stiffness();
    add_stiffness(virgin, interface, jacobian);
    const Eigen::MatrixXd g = interface.site_map().transpose() * slopes_of(force);
    solve::DenseLu lu;
    lu.compute(jacobian);
    return interface.site_map() * (-lu.solve(g)).eval();
}

}  // namespace faying::modes
