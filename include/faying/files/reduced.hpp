#pragma once
// Reduced models as files: an archive of named matrices (.h5 or .mat) that MATLAB and h5py open as well.
//
//     M, K                       dense, DOF x DOF
//     dofs                       what each coordinate is
//     loads.name, .vectors (n x DOF)
//     patches.name, .area, .centroid (n x 3), .axes (3n x 3), .map (6n x DOF)
//     quadrature.map (3n x DOF), .weight, .points (n x 3), .element, .nodes, .interpolation (map = interpolation nodes)
//     outputs.name, .rows (n x DOF)
//     provenance.*               texts
//
// Only M and K must be there.

#include <string>

#include "faying/structure/reduced.hpp"

namespace faying::files {

/// A reduced model as a file (.h5, .mat), the same bits back; throws BadInput.
structure::Reduced read_reduced(const std::string& path);
void write_reduced(const std::string& path, const structure::Reduced& reduced);

}  // namespace faying::files
