#pragma once
// A network's history as a table and as a picture: the loop, and which sliders slip when.

#include "faying/io/csv.hpp"
#include "faying/io/plot.hpp"
#include "faying/network/history.hpp"

namespace faying::network {

/// Columns t (where there are times), f and xi (u and f of a network driven by displacement, and xi), work, dissipated,
/// stored, slipping at the points of `report`.
io::Table history_table(const NetworkHistory& history, bool by_force, const std::vector<double>& times,
                        const std::vector<std::size_t>& report);

/// The history must hold its slippers. Sliders stand in the order in which they first slip.
io::Figure history_figure(const NetworkHistory& history, bool by_force, const std::vector<double>& times,
                          const std::string& title);

}  // namespace faying::network
