#pragma once
// What the geometries share: one file a geometry, each with a table of parameters and a function that makes the
// columns.

#include "columns.hpp"
#include "faying/fe/geometry.hpp"

namespace faying::fe {

struct GeometryInput {
    double size;
    std::string element;
    bool tied;
    GmshOptions gmsh;
};

/// A plane deck without its heading.
struct PlaneText {
    std::string text;
    int nodes = 0, elements = 0;
};

/// A geometry as the driver keeps it: what the outside sees, and how it is made from values in table order: columns of
/// solids, or a plane deck.
struct GeometryEntry {
    Geometry seen;
    Columns (*make)(const std::vector<double>& values, const GeometryInput& input) = nullptr;
    PlaneText (*plane)(const std::vector<double>& values, const GeometryInput& input) = nullptr;
};

GeometryEntry brake_reuss_entry();
GeometryEntry lap_joint_entry();
GeometryEntry sumali_entry();
GeometryEntry beam_entry();
GeometryEntry cracked_plate_entry();
GeometryEntry flange_entry();
GeometryEntry panel_entry();

/// A length, in metres.
core::ParameterInfo length(const std::string& key, double value, const std::string& meaning);
/// young, poisson, density.
void add_material(std::vector<core::ParameterInfo>& table, double young, double poisson, double density);

struct Material3 {
    double young, poisson, density;
};
/// *MATERIAL STEEL and a *SOLID SECTION for each body.
void write_material(Columns& columns, const Material3& material, const std::vector<std::string>& bodies);

/// Levels from `from` to `to` in divisions of about `size`, without the first.
void add_levels(std::vector<double>& levels, double to, double size);

/// Throws BadInput naming the geometry unless `held`.
void fits(bool held, const char* geometry, const std::string& constraint);

/// TOP_FACE and BOTTOM_FACE at a level over the segments first .. last, their node sets, a patch a segment, and the tie
/// between them if asked.
void write_interface(Columns& columns, int level, const QuadFilter& where, const std::vector<QuadFilter>& patches,
                     bool tied);

// ---- two plates or half-beams lapped and bolted

struct BoltedLap {
    double reach;  ///< of each half beyond the lap
    double lap, width, thickness;
    bool stepped;               ///< halves are twice as thick beyond the lap (Brake-Reuss), or plain plates
    std::vector<double> bolts;  ///< x of the axes; the lap is cut half-way between, and as far outside the outer ones
    double pitch;               ///< length of a bolt's box
    double hole, shank, head, head_height, nut_height, washer, washer_thickness;  ///< diameters and heights
    double preload;
    bool contact = false;  ///< plates and bolts touch and rub, and the far end of BOTTOM is clamped; else ties
    bool shanks = false;   ///< with contact: shanks may come to bear on the holes
    double plate_friction = 0, bolt_friction = 0;
    double coarsening;
    Material3 material;
};

Columns make_bolted_lap(const BoltedLap& lap, const GeometryInput& input, const char* geometry);

}  // namespace faying::fe
