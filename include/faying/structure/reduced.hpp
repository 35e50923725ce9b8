#pragma once
// A structure reduced to its joints (Craig-Bampton, equations sheet section 4), as the reduction writes it and the
// analyses read it. Whole-joint models carry patches, full-joint models the quadrature points of their interface;
// a model may carry both.

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "faying/laws/catalogue.hpp"
#include "faying/structure/model.hpp"

namespace faying::structure {

/// A patch of the interface, seen through the averages of its two sides.
struct Patch {
    std::string name;
    double area = 0;  ///< m^2
    Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
    Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< rows: tangent 1, tangent 2, normal
    Eigen::MatrixXd map;  ///< 6 x DOF: relative translation along axes, then rotation; positive normal = closing
};

/// Every quadrature point of a full-joint interface.
struct Quadrature {
    Eigen::MatrixXd map;       ///< 3 rows per point (tangent 1, tangent 2, normal) x DOF
    Eigen::VectorXd weight;    ///< area of each point
    Eigen::MatrixXd points;    ///< where they are, n x 3
    std::vector<int> element;  ///< the interface element each belongs to
    /// Optional, and what makes full joints fast: map = interpolation * nodes, with the relative displacements of the
    /// interface nodes (3 rows per node x DOF, independent) and each point's few nodes.
    Eigen::MatrixXd nodes;
    Eigen::SparseMatrix<double> interpolation;
};

/// Two faces of deformable bodies that touch, or may: sites over the first, each against what lies over it.
struct ContactPair {
    std::string name;
    Quadrature sites;     ///< of a plane structure the rows of tangent 2 are zero
    Eigen::VectorXd gap;  ///< of each site before any load, negative where the faces are pressed into each other
    double penalty = 0;   ///< stiffness per area that hardly adds to the bodies' own; kn and kt unless given
    std::optional<double> friction = {};  ///< coefficient, where the deck or the reduction names one; mu unless given
};

struct Reduced {
    Eigen::MatrixXd mass, stiffness;
    std::vector<std::string> dofs;  ///< what each coordinate is, for people; may be empty
    /// Named static load vectors, such as "preload" per newton of bolt force.
    std::vector<std::pair<std::string, Eigen::VectorXd>> loads;
    std::vector<Patch> patches;
    Quadrature quadrature;
    std::vector<ContactPair> pairs = {};
    std::vector<Output> outputs;
    std::map<std::string, std::string> provenance;
};

/// Throws BadInput unless all sizes agree and areas and weights are positive. `where` opens the message.
void check_reduced(const Reduced& reduced, const std::string& where);

/// The linear structure of a reduced model, without joints; `factors` are the named loads that act statically.
Model bare_model(const Reduced& reduced, const std::map<std::string, double>& factors = {});

/// What a joint of a one-displacement law follows on a patch: tangential (both tangents, a site each), t1, t2, normal;
/// x, y, z and rx, ry, rz are translations and rotations along the global axes.
inline constexpr const char* directions_of_patches = "tangential, t1, t2, normal, x, y, z, rx, ry, rz";

/// One law at the named patches ("all": every patch). A contact law takes the patch's (t1, t2, normal) and `along` must
/// be empty. With `per_area` parameters are tractions: the forces are multiplied by each patch's area, which is what
/// [S0] 3.2 means by scaling force and stiffness parameters with it.
Joint joint_on_patches(const Reduced& reduced, std::string name, laws::Law law, const std::vector<std::string>& patches,
                       const std::string& along, bool per_area);

/// One law at every quadrature point, its forces tractions; `along` as above without the global axes.
Joint joint_on_interface(const Reduced& reduced, std::string name, laws::Law law, const std::string& along);
/// Contact pairs by name; "all": every one. Throws BadInput naming those there are.
std::vector<const ContactPair*> find_pairs(const Reduced& reduced, const std::vector<std::string>& names);
/// A contact law at every site of a pair, its forces tractions, gaps as the pair has them.
Joint joint_on_pair(const Reduced& reduced, std::string name, laws::Law law, const ContactPair& pair);
/// A contact law at every node of the interface instead, which stands for the area around it.
Joint joint_on_nodes(const Reduced& reduced, std::string name, laws::Law law);

}  // namespace faying::structure
