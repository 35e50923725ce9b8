#pragma once
// A quasi-static history as a time series for ParaView: a .pvd file that names a .vtu file per point, of the sites with
// what they do and, where shapes are given, of the deformed structure.

#include "faying/results/quasistatic.hpp"
#include "faying/results/shapes.hpp"

namespace faying::results {

/// Throws core::BadInput, before any work, for a name that is no .pvd or cannot be written, and where there is nothing to
/// show: no joint that knows where its sites are, and no shapes.
void check_series(const std::string& path, const structure::Model& model, bool shapes);

/// `run.pvd`, `run_sites_0001.vtu` .. and `run_0001.vtu` .. (field `displacement`: Warp By Vector shows the shapes). Time
/// is that of the history; of a path and of a cycle the number of the point. The .pvd comes last, when the rest is there.
void write_series(const std::string& path, const SlowRun& run, const std::optional<ShapeMesh>& shapes);

}  // namespace faying::results
