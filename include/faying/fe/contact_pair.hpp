#pragma once
// Two surfaces of a deck that touch or may come to: which points of the first meet what of the second, with gaps.
//
//     const PairedFaces p = pair_faces(deck, {.name = "crack 1", .first = "UPPER_1", .second = "LOWER_1"});
//     p.sites(), p.gap, p.weight;                               // where contact acts
//
// Small sliding: a site keeps what it faces. Relative motion is that of the first side's nodes against the second side:
// node against node where the meshes match; else the second side's motion projected onto the first side's mesh in the
// least-squares sense (mortar), so that a uniform pressure passes from one to the other as it should. Plane and in
// space. Nodes that both sides share (the tips of a crack) cannot part and have no relative motion.

#include <Eigen/Sparse>
#include <optional>
#include <string>
#include <vector>

#include "faying/fe/deck_geometry.hpp"
#include "faying/fe/elimination.hpp"

namespace faying::fe {

struct PairOptions {
    /// Where contact acts: at the first side's nodes, each for its share of the area (faces without negative shares:
    /// edges, linear faces), or at quadrature points.
    enum class Sites { automatic, nodes, points };

    std::string name, first, second;
    Eigen::Vector3d tangent = Eigen::Vector3d::UnitX();  ///< tangent 1 in space, before it is laid into each face
    std::optional<double> within = {};  ///< faces farther apart never meet; else a mean face of the first side
    std::optional<double> gap = {};     ///< everywhere, whatever the mesh says (a clearance; 0: faces that fit)
    Sites sites_at = Sites::automatic;
    std::optional<double> friction = {};  ///< handed on to the reduced model
};

struct PairedFaces {
    std::string name;
    int dimension = 3;         ///< of the structure
    std::vector<Index> nodes;  ///< of the first side, ascending: those that move against the second
    /// What of the second side lies over each: deck nodes and coefficients, x2 = sum C_a x_a.
    std::vector<std::vector<std::pair<Index, Eigen::Matrix3d>>> facing;
    bool matching = false;

    Eigen::SparseMatrix<double> shape;  ///< sites x nodes
    Eigen::VectorXd weight, gap;        ///< area (times thickness) of each site, and how far it is open
    Coordinates points;
    std::vector<Eigen::Matrix3d>
        axes;  ///< of each site, as rows: tangent 1, tangent 2, normal midway between the two faces' own, out of the first side
    std::size_t left_out = 0;  ///< quadrature points of the first side that face nothing

    Eigen::Index sites() const { return weight.size(); }
    double area() const { return weight.sum(); }
};

/// The deck's *CONTACT PAIR lines: slave over master, named after the slave, with the friction of their interactions.
/// Throws BadInput when there are none.
std::vector<PairOptions> pairs_in(const Deck& deck);

/// Throws BadInput for surfaces that are not there, of different kinds, that do not face each other within reach, or
/// that lie in each other at the start.
PairedFaces pair_faces(const Deck& deck, const PairOptions& options);

/// `dimension` rows per node of the pair: x(first) - x(second) along the global axes, columns as in `dofs`.
Eigen::SparseMatrix<double> relative_motion(const PairedFaces& pair, const DofTable& dofs);

}  // namespace faying::fe
