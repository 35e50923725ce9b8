#pragma once
// How the whole structure moves with the coordinates of a reduced model: its deck's mesh and a displacement of every node
// for each coordinate, kept in a file beside the model (`faying reduce --shapes`), for pictures of histories.
//
//     const ShapeMesh shapes = read_shapes("joint_shapes.h5", model.size());
//     fe::vtk_of(shapes.points, shapes.cells, {{"displacement", shapes.displacements(x)}});

#include "faying/fe/reduction.hpp"
#include "faying/fe/vtk.hpp"

namespace faying::results {

struct ShapeMesh {
    Eigen::MatrixXd points;  ///< of the nodes, x y z a row
    fe::VtkCells cells;
    Eigen::MatrixXd basis;  ///< three rows per node x coordinates

    /// Of every node, x y z a row.
    Eigen::MatrixXd displacements(const Eigen::VectorXd& coordinates) const;
};

/// `basis`: free DOF of the deck x coordinates.
ShapeMesh shapes_of(const fe::Deck& deck, const fe::Reduction& reduction, const Eigen::MatrixXd& basis);

void write_shapes(const std::string& path, const ShapeMesh& shapes);
/// Throws core::BadInput for a file that is none of these, and for shapes of a model with other than `size` coordinates.
ShapeMesh read_shapes(const std::string& path, Eigen::Index size);

}  // namespace faying::results
