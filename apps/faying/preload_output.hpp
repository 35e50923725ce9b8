#pragma once
// What preload writes: pressure, gap and slip of every site where it is, and the displacement of every DOF.

#include "faying/io/plot.hpp"
#include "faying/modes/prestress.hpp"
#include "faying/modes/site_loop.hpp"

namespace faying::app {

/// A model at rest, and what the sites of its joints do there (by joint).
struct AtRest {
    const structure::Model& model;
    modes::Prestress prestress;
    std::vector<std::vector<modes::SiteState>> states;
};

/// A line a site: its joint and name, place and area where they are known, status, pressure, gap, slip, displacement
/// and force of each of its directions.
std::string sites_csv(const AtRest& rest);
/// A line a DOF: its name and displacement.
std::string dofs_csv(const AtRest& rest);
/// Pressure, gap and slip along x, and maps of every joint whose places are known.
io::Figure preload_figure(const AtRest& rest);
/// Sites as points for ParaView, a .vtu file. Throws core::BadInput where no places are known.
std::string sites_vtk(const AtRest& rest);
/// What the sites of each joint do, for people.
void print_sites(const AtRest& rest);

}  // namespace faying::app
