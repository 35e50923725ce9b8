#pragma once
// Meshes with displacement fields for ParaView: a .vtu file (XML, binary data appended), one vector field a shape.
//
//     write_vtk("modes.vtu", mesh, {{"mode 1, 178.2 Hz", u}});     // u: a row per node of the mesh, x y z

#include <cstdint>
#include <string>
#include <vector>

#include "faying/fe/assembly.hpp"
#include "faying/fe/interface_mesh.hpp"
#include "faying/fe/model.hpp"

namespace faying::fe {

struct VtkField {
    std::string name;
    Eigen::MatrixXd values;  ///< a row per node; three columns for vectors, one for scalars
};

/// Elements as VTK has them, to be written again and again with other fields.
struct VtkCells {
    std::vector<std::int64_t> connectivity, offsets;
    std::vector<std::uint8_t> types;
};

VtkCells cells_of(const Mesh& mesh);
/// The text of a .vtu file.
std::string vtk_of(const Eigen::MatrixXd& points, const VtkCells& cells, const std::vector<VtkField>& fields);

/// Cells are the mesh's elements; a plane mesh lies in z = 0. Written under a temporary name, then renamed.
void write_vtk(const std::string& path, const Mesh& mesh, const std::vector<VtkField>& fields);
void write_vtk(const std::string& path, const InterfaceMesh& mesh, const std::vector<VtkField>& fields);

/// The text of such a file whose cells are the points themselves, x y z a row: a cloud of them.
std::string vtk_of_points(const Eigen::MatrixXd& points, const std::vector<VtkField>& fields);

/// Shapes in free DOF as displacements of the mesh's nodes.
Eigen::MatrixXd nodal_displacements(const DeckMesh& mesh, const LinearModel& model, const Eigen::VectorXd& free);

}  // namespace faying::fe
