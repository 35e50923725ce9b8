#pragma once
// Element types by their Abaqus names: node counts, faces, and which of them Faying assembles.
//
//     const ElementType* type = find_element_type("c3d8r");   // nullptr when the name is not known
//     for (int n : element_faces(*type)[0].nodes) ..           // face S1, local nodes from 0
//
// Faces are numbered as Abaqus numbers them (S1 is the first), but their nodes run so that the right-hand normal points
// out of the element; Abaqus lists them the other way round.

#include <span>
#include <string_view>

namespace faying::fe {

/// Where the nodes of an element are.
enum class Topology {
    point,
    line2,
    line3,
    triangle3,
    triangle6,
    quad4,
    quad8,
    tetra4,
    tetra10,
    wedge6,
    wedge15,
    hexa8,
    hexa20,
    other
};

enum class Family { solid, plane_strain, plane_stress, axisymmetric, shell, beam, truss, mass, spring, rigid, other };

struct ElementType {
    std::string_view name;  ///< as Abaqus spells it
    Family family = Family::other;
    Topology shape = Topology::other;
    int node_count = 0;             ///< 0: any number
    int optional_nodes = 0;         ///< further nodes allowed: the orientation node of a beam
    std::string_view assembled_as;  ///< the formulation Faying assembles; empty: kept, not assembled
    std::string_view ccx;           ///< the name CalculiX takes; empty: it has none
};

/// Case does not matter. nullptr for a name that is not in the table.
const ElementType* find_element_type(std::string_view name);
std::span<const ElementType> element_types();

struct TopologyFace {
    Topology shape;              ///< line2, line3 (edges of plane elements), triangle3 .. quad8
    std::span<const int> nodes;  ///< local, from 0: corners first, then midside nodes
};

/// Solids: S1, S2, ..; plane elements: their edges S1, S2, ..; shells: SPOS, SNEG, then the edges E1, E2, ..
/// Empty for elements without faces.
std::span<const TopologyFace> element_faces(const ElementType& type);

/// The whole of a plane element or shell, as a face.
TopologyFace element_plane(const ElementType& type);

}  // namespace faying::fe
