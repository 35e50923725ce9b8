#pragma once
// Built-in structures with bolted joints, meshed by Gmsh and written as commented decks in SI units.
//
//     for (const auto& g : geometries()) .. g.name, g.parameters ..
//     const auto made = make_geometry("brake-reuss", {.size = 0.004, .element = "C3D8I", .values = {{"preload", 1e4}}});
//     io::write_file("deck.inp", made.deck);
//
// What every deck with a joint names: bodies TOP and BOTTOM, their faying surfaces TOP_FACE and BOTTOM_FACE with
// matching meshes, patches TOP_PATCH_1 .. and BOTTOM_PATCH_1 .., and output points (ACCEL, IMPACT, ..).
// docs/geometries.md has them all.

#include <string>
#include <vector>

#include "faying/core/parameter.hpp"
#include "faying/fe/gmsh.hpp"

namespace faying::fe {

struct GeometryOptions {
    double size = 0;                    ///< of elements at the joint, m; 0: the geometry's own
    std::string element = "";           ///< Abaqus type; empty: the geometry's own
    core::ParameterValues values = {};  ///< dimensions and material by key
    bool tied = false;                  ///< faying surfaces tied: the stuck structure
    GmshOptions gmsh = {};
};

struct Geometry {
    std::string name, summary;
    double size;          ///< default, m
    std::string element;  ///< default
    std::vector<core::ParameterInfo> parameters;
    std::vector<std::string> elements = {};  ///< of plane ones: the types that are made
};

struct MadeGeometry {
    std::string deck;  ///< text
    double size = 0;
    std::string element;
    int nodes = 0, elements = 0;
    int dof_per_node = 3;
};

const std::vector<Geometry>& geometries();

/// Throws BadInput for unknown names and keys, values out of range, dimensions that do not fit together, and without
/// Gmsh.
MadeGeometry make_geometry(const std::string& name, const GeometryOptions& options = {});

}  // namespace faying::fe
