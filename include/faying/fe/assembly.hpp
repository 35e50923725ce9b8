#pragma once
// From elements to the sparse stiffness and mass of a free structure.
//
//     fe::Mesh mesh{nodes, {block, ..}, {fe::isotropic(200e9, 0.3, 7800)}};
//     const fe::Assembly a = fe::assemble(mesh);      // a.stiffness, a.mass; DOF d * node + direction
//
// Elements are visited one after another in the order of the blocks, so the sums have the same bits every time. The
// loop, for_each_element_matrix, knows nothing of the matrix: a distributed assembly calls it with its own range.

#include <Eigen/Sparse>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "faying/fe/element.hpp"

namespace faying::fe {

/// Elements of one kind, material and thickness.
struct ElementBlock {
    ElementKind kind;
    std::vector<int> nodes;                     ///< rows of Mesh::nodes, element after element
    std::vector<std::int64_t> labels;           ///< the deck's numbers, for messages; empty: counted from 1
    std::size_t material = 0;                   ///< of Mesh::materials
    double thickness = 1;                       ///< of plane elements
    HourglassControl hourglass = {};            ///< of C3D8R, CPE4R, CPS4R
    std::optional<Dilatation> dilatation = {};  ///< of C3D8 and CPE4, instead of that of AssemblyOptions

    std::size_t size() const { return nodes.size() / static_cast<std::size_t>(traits(kind).nodes()); }
};

struct Mesh {
    Coordinates nodes;
    std::vector<ElementBlock> blocks;
    std::vector<ElasticMaterial> materials;
};

std::size_t element_count(const Mesh& mesh);

/// 3 for solids, 2 for plane elements. Throws BadInput for no elements, for solids and plane ones mixed, and for nodes
/// or materials that do not exist.
int dof_per_node(const Mesh& mesh);

struct AssemblyOptions {
    Dilatation dilatation = Dilatation::full;
    MassPoints mass = MassPoints::exact;
};

struct ElementRange {
    std::size_t begin = 0, end = SIZE_MAX;  ///< counted over all blocks
};

using ElementVisitor = std::function<void(std::span<const int> nodes, const ElementMatrices& matrices)>;

/// Calls visit for each element of the range, in order. The mesh must have passed dof_per_node.
void for_each_element_matrix(const Mesh& mesh, const AssemblyOptions& options, ElementRange range,
                             const ElementVisitor& visit);

/// What every assembly is checked for; all but the mass are round-off of a correct one.
struct AssemblyChecks {
    double volume = 0;
    double mass = 0;            ///< sum over elements of density times volume
    double mass_error = 0;      ///< |r^T M r / mass - 1| for r a unit translation, the worst direction
    double asymmetry = 0;       ///< |A x - A^T x| / (|A| |x|), the worse of K and M, for a scattered x
    double rigid_residual = 0;  ///< |K r| / (|K| |r|) for the six (three) rigid motions about the middle, the worst
    int unused_nodes = 0;       ///< nodes of no element: their rows are empty
};

struct Assembly {
    Eigen::SparseMatrix<double> stiffness, mass;
    int dof_per_node = 3;
    AssemblyChecks checks;
};

/// Throws BadInput naming the element for one that is inverted or degenerate, and when a check fails: mass and symmetry
/// to 1e-10, rigid motions to 1e-9 of the stiffness.
Assembly assemble(const Mesh& mesh, const AssemblyOptions& options = {});

/// Rigid motions as columns: translations, then rotations about the middle of the nodes, scaled to size one at most.
Eigen::MatrixXd rigid_motions(const Coordinates& nodes, int dof_per_node);

/// The checks of matrices that came from anywhere; volume and mass are those expected.
AssemblyChecks check_assembly(const Eigen::SparseMatrix<double>& stiffness, const Eigen::SparseMatrix<double>& mass,
                              const Coordinates& nodes, int dof_per_node, double expected_mass);

}  // namespace faying::fe
