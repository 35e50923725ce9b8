#pragma once
// The picture of a backbone: frequency and damping over amplitude, and what the joints do at every point.

#include "faying/io/plot.hpp"
#include "faying/modes/site_loop.hpp"
#include "mode_options.hpp"

namespace faying::app {

struct BackboneAxis {
    io::Axis axis;
    std::vector<double> values;  ///< a point each
};

/// Of one joint, from above.
io::SiteMap site_map(const structure::Joint& joint, const std::vector<modes::PlaceState>& places);

/// Panels over the axis; `points` converged only. A detail a point: loops of the sites that dissipate most, and maps of
/// joints whose places are known.
io::Figure backbone_figure(const structure::Model& model, const std::vector<modes::BackbonePoint>& points,
                           const BackboneAxis& amplitude, const modes::BackboneOptions& options,
                           const FrequencyUnit& unit = {});

/// For a picture that cannot be clicked: loops of the busiest site at a few of the points; without curves if there are
/// none.
io::Panel busiest_loops(const structure::Model& model, const std::vector<modes::BackbonePoint>& points,
                        const modes::BackboneOptions& options);

}  // namespace faying::app
