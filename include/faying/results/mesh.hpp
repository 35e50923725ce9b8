#pragma once
// A built-in structure as a deck in a file, as `faying mesh` writes it.
//
//     const MeshRun run = mesh("brake-reuss", {.size = 0.004}, "beam.inp");        // run.mass, run.made.nodes

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "faying/fe/geometry.hpp"

namespace faying::results {

struct MeshRun {
    std::string name, out;
    bool tied = false;
    fe::MadeGeometry made;
    double mass = 0;         ///< kg
    double faying_area = 0;  ///< m^2; 0 where there is no joint
};

/// Writes `out`. Throws as fe::make_geometry does.
MeshRun mesh(const std::string& name, const fe::GeometryOptions& options, const std::string& out);

nlohmann::json json(const MeshRun& run);
std::string text(const MeshRun& run);
/// Its dimensions with units, defaults and meanings, and an example.
std::string dimensions_text(const fe::Geometry& geometry);

}  // namespace faying::results
