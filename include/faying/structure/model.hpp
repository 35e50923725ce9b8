#pragma once
// A structure held together by joints:
//
//     M x'' + C x' + K x + Sum_j B_j^T (w_j .* law_j(B_j x)) = f_static + f(t).
//
// A joint is a group of sites of one law with one set of parameters: each site reads one displacement (a law of one
// displacement), three (tangent 1, tangent 2, normal: a contact law) or as many as an element has through rows of B_j,
// and returns its force along the same rows. Weights are areas where the law gives tractions, else 1.
//
//     Model model;                                     // two masses, a slider between them
//     model.mass = model.stiffness = Eigen::MatrixXd::Identity(2, 2);
//     model.joints = {single_site("joint", laws::Law("jenkins", {{"kt", 3}, {"fs", 1}}), Eigen::Vector2d(-1, 1))};

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <array>
#include <string>
#include <vector>

#include "faying/laws/joint_set.hpp"

namespace faying::structure {

struct Joint {
    std::string name;
    laws::Law law;
    Eigen::MatrixXd map;     ///< (components * sites) x DOF: site displacements = map x
    Eigen::VectorXd weight;  ///< a site; force on x = map^T (weight .* law(map x))

    /// Optional: map = local * base with independent rows in `base`, so that solvers may work on a sparse map.
    Eigen::MatrixXd base;
    Eigen::SparseMatrix<double> local;
    /// Optional, for pictures: where each site is, sites x 3, m.
    Eigen::MatrixXd places = {};
    /// Of a law of one displacement: it follows the approach of the faces, positive closing.
    bool normal = false;
    /// Optional, for people: what each site is ("p1, along"); for a contact law without its direction.
    std::vector<std::string> site_names = {};

    /// Of contact: how far each site is open at x = 0 (negative: pressed in), m; empty: it touches. Sites read
    /// map x - gap along their normals.
    Eigen::VectorXd gap = {};

    int components() const { return law.components(); }
    Eigen::Index sites() const { return weight.size(); }
};

/// Whether weights are areas and the law's forces so tractions.
bool gives_tractions(const Joint& joint);

/// What people call tangent 1, tangent 2 and the normal.
inline constexpr std::array<const char*, 3> component_names = {"along", "across", "normal"};
/// The site's name, or "site 3" (from 1); for a contact law with the component's.
std::string site_name(const Joint& joint, Eigen::Index site, int component = 0);
/// Without the component; "3" where sites have no names.
std::string short_site_name(const Joint& joint, Eigen::Index site);

/// A joint of one site that reads direction . x.
Joint single_site(std::string name, laws::Law law, const Eigen::VectorXd& direction);

/// A displacement a user looks at: row . x.
struct Output {
    std::string name;
    Eigen::VectorXd row;
};

struct Model {
    Eigen::MatrixXd mass, stiffness;
    double damping_ratio = 0;      ///< viscous, on the stuck modes
    Eigen::MatrixXd damping;       ///< or a matrix, symmetric and positive semidefinite; empty when the ratio holds
    Eigen::VectorXd static_force;  ///< empty when there is none
    std::vector<Joint> joints;
    std::vector<Output> outputs;
    std::vector<Output> loads = {};      ///< named force vectors, for whoever drives the model with them
    std::vector<std::string> dofs = {};  ///< what each DOF is, for people; may be empty

    Eigen::Index size() const { return mass.rows(); }
};

/// What people call a DOF: its name, or "DOF 3" (from 1).
std::string dof_name(const Model& model, Eigen::Index dof);

/// All joints as one force on their rows, one joint's below the other's.
laws::JointSet<double> joint_set(const Model& model);

/// Stiffness with every joint at its virgin tangent (stuck, contact closed).
Eigen::MatrixXd stuck_stiffness(const Model& model);
/// Stiffness with every joint in full slip; throws BadInput for a law whose tangent does not settle.
Eigen::MatrixXd slipping_stiffness(const Model& model);

/// Throws BadInput unless the matrices are square, of one size, finite, symmetric (gyroscopic terms are not modelled),
/// the mass positive definite, the damping positive semidefinite, and the joints and outputs of the right size. `where`
/// opens the message.
void check_model(const Model& model, const std::string& where);

/// A named force vector; throws BadInput naming the allowed ones.
const Eigen::VectorXd& find_load(const Model& model, const std::string& name);
/// Row of a named output; throws BadInput naming the allowed ones.
const Eigen::VectorXd& find_output(const Model& model, const std::string& name);

}  // namespace faying::structure
