#include "faying/network/joint_network.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

#include "faying/core/error.hpp"
#include "faying/modes/about.hpp"

namespace faying::network {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A slider: the row of B it reads, its spring and its strength.
struct Site {
    Eigen::RowVectorXd row;
    double stiffness, friction;
};

double parameter(const laws::Law& law, const std::string& key) {
    for (std::size_t i = 0; i < law.parameters().size(); ++i)
        if (law.parameters()[i].key == key) return law.values()[i];
    return std::numeric_limits<double>::quiet_NaN();
}

/// One slider behind one spring, whatever springs stand beside it.
bool is_sliders(const laws::Law& law) {
    const std::string first = law.name().substr(0, law.name().find('+'));
    const auto all = {"jenkins",
                      "jenkins-prager",
                      "jenkins-2d",
                      "jenkins-prager-2d",
                      "jenkins-2d-penalty",
                      "jenkins-prager-2d-penalty",
                      "elastic-dry-friction",
                      "elastic-dry-friction-linear"};
    return std::find(all.begin(), all.end(), first) != all.end();
}

/// Its normal contact is a penalty: nothing acts where the faces are apart.
bool opens(const std::string& law) {
    return law.find("penalty") != std::string::npos || law == "elastic-dry-friction" ||
           law == "elastic-dry-friction+kp";
}

class Sites {
 public:
    Sites(const structure::Model& model, const modes::Prestress& at_rest, Tangents along) : along_(along) {
        Index row = 0;
        for (const auto& joint : model.joints) {
            if (!joint.law.elastic()) {
                if (!is_sliders(joint.law))
                    throw core::BadInput(
                        fmt::format("joint '{}'", joint.name),
                        fmt::format("law '{}' is not a slider behind a spring; a network is made of joints with "
                                    "jenkins, jenkins-prager, jenkins-2d, elastic-dry-friction and their kin",
                                    joint.law.name()));
                add(joint, at_rest, row);
            }
            row += joint.map.rows();
        }
        if (all.empty())
            throw core::BadInput("network", open > 0 ? "no site of the joints touches: nothing can slip"
                                                     : "the model has no joint that could slip");
    }
    std::vector<Site> all;
    Index open = 0;

 private:
    Tangents along_;

    void add(const structure::Joint& joint, const modes::Prestress& at_rest, Index row) {
        const double kt = parameter(joint.law, "kt"), fs = parameter(joint.law, "fs"), mu = parameter(joint.law, "mu");
        const bool contact = joint.law.contact(), can_open = opens(joint.law.name());
        for (Index s = 0; s < joint.sites(); ++s) {
            const double weight = joint.weight(s);
            if (!contact) {
                all.push_back({joint.map.row(s), weight * kt, weight * fs});
                continue;
            }
            const Index first = joint.components() * s, normal = first + joint.law.normal();
            const double pressed = at_rest.force(row + normal);
            if (can_open && !(at_rest.sites(row + normal) > 0.0)) {
                ++open;
                continue;
            }
            const double friction = std::isnan(mu) ? weight * fs : mu * std::max(pressed, 0.0);
            for (int t = 0; t < 2; ++t)
                if (along_ == Tangents::both || (along_ == Tangents::first) == (t == 0))
                    all.push_back({joint.map.row(first + t), weight * kt, friction});
        }
    }
};

VectorXd load_vector(const structure::Model& model, const MatrixXd& stiffness, const NetworkLoad& load) {
    const int ways = (load.mode != 0) + !load.output.empty() + (load.dof != 0);
    if (ways != 1) throw core::BadInput("network", "exactly one of mode, output and dof says where the load acts");
    if (!load.output.empty()) return structure::find_output(model, load.output);
    if (load.dof != 0) {
        if (load.dof < 1 || load.dof > model.size())
            throw core::BadInput("dof", fmt::format("{} is not between 1 and {}", load.dof, model.size()));
        return VectorXd::Unit(model.size(), load.dof - 1);
    }
    if (load.mode < 1) throw core::BadInput("mode", fmt::format("{} is not 1 or more", load.mode));
    const auto modes = modes::linear_modes(model.mass, stiffness, load.mode);
    return model.mass * modes.shapes.col(load.mode - 1);
}

}  // namespace

JointNetwork network_of_joints(const structure::Model& model, const NetworkLoad& load) {
    const modes::Interface interface(model);
    const auto at_rest = modes::prestress(model, interface);
    const MatrixXd held = modes::preloaded_stiffness(model, interface, at_rest);
    const Sites sites(model, at_rest, load.along);
    const Eigen::LLT<MatrixXd> factors(held);
    if (factors.info() != Eigen::Success)
        throw core::BadInput("network",
                             "the structure moves as a whole with its joints held; a quasi-static load needs "
                             "something to hold it");
    const VectorXd F = load_vector(model, held, load);
    const Index n = Index(sites.all.size());
    MatrixXd pulls(model.size(), n);  // B^T D
    VectorXd springs(n);
    JointNetwork made;
    made.network.friction.resize(n);
    for (Index i = 0; i < n; ++i) {
        const auto& site = sites.all[std::size_t(i)];
        springs(i) = site.stiffness;
        made.network.friction(i) = site.friction;
        pulls.col(i) = site.stiffness * site.row.transpose();
    }
    const MatrixXd half = factors.matrixL().solve(pulls);
    const VectorXd driven = factors.matrixL().solve(F);
    made.network.stiffness = -half.transpose() * half;
    made.network.stiffness.diagonal() += springs;
    made.network.stiffness = 0.5 * (made.network.stiffness + made.network.stiffness.transpose()).eval();
    made.network.coupling = half.transpose() * driven;
    made.spring = 1.0 / driven.squaredNorm();
    made.open = sites.open;
    return made;
}

}  // namespace faying::network
