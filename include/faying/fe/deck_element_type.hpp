#pragma once
// Element types by their Abaqus names: node counts, faces, and which of them Faying assembles.
//
//     const ElementType* type = find_element_type("c3d8r");   // nullptr when the name is not known
//     for (int n : element_faces(*type)[0].local_nodes()) ..   // face S1, local nodes from 0

#include <optional>
#include <span>
#include <string_view>

namespace faying::fe {

enum class Shape;        // shape.hpp
enum class ElementKind;  // element.hpp
struct Face;             // face.hpp

enum class Family { solid, plane_strain, plane_stress, axisymmetric, shell, beam, truss, mass, spring, rigid, other };

struct ElementType {
    std::string_view name;  ///< as Abaqus spells it
    Family family = Family::other;
    std::optional<Shape> shape;               ///< nothing for points and for connectors
    int node_count = 0;                       ///< 0: any number
    int optional_nodes = 0;                   ///< further nodes allowed: the orientation node of a beam
    std::optional<ElementKind> assembled_as;  ///< the formulation Faying assembles; nothing: kept, not assembled
    std::string_view ccx;                     ///< the name CalculiX takes; empty: it has none
};

/// Case does not matter. nullptr for a name that is not in the table.
const ElementType* find_element_type(std::string_view name);
std::span<const ElementType> element_types();

/// Solids: S1, S2, ..; plane elements: their edges S1, S2, ..; shells: SPOS, SNEG, then the edges E1, E2, ..
/// Empty for elements without faces.
std::span<const Face> element_faces(const ElementType& type);

}  // namespace faying::fe
