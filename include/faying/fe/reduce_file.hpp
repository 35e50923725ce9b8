#pragma once
// Reduction files (TOML), as `faying reduce` takes them:
//
//     deck  = "beam.inp"                              # beside this file
//     units = "m, N, kg, s"
//     modes = 13                                      # fixed-interface modes (elastic)
//
//     element = "C3D8R=C3D8I"                         # formulations instead of the deck's; a list for several
//     weighting = "area"                              # of distributing couplings (deck, uniform, area, linear, ..)
//
//     [matrices]                                      # instead of assembling the deck's elements
//     stiffness = "beam_STIF1.mtx"                    # Abaqus or Matrix Market text; or, with file = "beam.mat",
//     mass = "beam_MASS1.mtx"                         # names of variables (.mat, .h5)
//
//     [interface]
//     first   = "TOP_FACE"                            # relative motion is first minus second, positive normal closes
//     second  = "BOTTOM_FACE"
//     tangent = [1, 0, 0]                             # direction of t1
//     tolerance = 1e-4                                # how far apart the sides may be (default: half a face)
//     snap = false                                    # true: move the second side's nodes onto their partners first
//
//     [whole_joint]                                   # patches that move as their averages, six motions each
//     cuts = [0, 0.125, 0.375, 0.625, 0.875, 1]       # of the interface's length along t1; or [[patch]] tables
//     tied = ["normal", "r1", "r2"]                   # motions held at zero (none)
//     free = ["rn"]                                   # motions left alone (none); the others are coordinates
//
//     [[patch]]
//     name = "bolt 1"
//     centre = [0.1, 0.0127, 0.00635]
//     size = [0.0254, 0.0254]                         # along t1, t2
//     surface = "TOP_PATCH_1"                         # instead of centre and size: what it holds of the interface
//
//     [full_joint]                                    # instead: zero-thickness elements over the whole interface
//     mesh = "deck"                                   # or "uniform", "graded" with
//     elements = 152
//
//     contact = "deck"                                # at the top: the deck's *CONTACT PAIR lines as pairs, or
//     [[pair]]                                        # instead of [interface]: faces of bodies that touch or may
//     name = "crack 1"
//     first = "UPPER_1"                               # sites are over this one, the finer or softer
//     second = "LOWER_1"
//     tangent = [1, 0, 0]                             # direction of t1 in space
//     within = 1e-4                                   # faces farther apart never meet (default: a mean face)
//     gap = 0                                         # everywhere, whatever the mesh says
//     friction = 0.3                                  # mu of the joint's law unless it gives one
//     sites = "nodes"                                 # or "points" (of quadrature); default by the kind of face
//
//     [[load]]
//     name = "preload"                                # of one newton a bolt
//     tractions = [{ surface = "RIGHT", traction = [1e6, 0, 0] }, { surface = "TOP", pressure = 1e6 }]
//     acceleration = [0, 0, -9.81]                    # body force on all mass
//     forces = [{ set = "HEAD_1", force = [0, 0, -1] }, { set = "NUT_1", force = [0, 0, 1] }]
//     step = "Load"                                   # or: the *CLOAD of that step of the deck
//
//     [[output]]
//     name = "tip"
//     set = "ACCEL"                                   # the mean of a node set, or point = [x, y, z]: the closest node
//     direction = [0, 0, 1]

#include <string>

#include "faying/fe/reduction.hpp"

namespace faying::fe {

struct ReduceFile {
    std::string deck;   ///< path, resolved
    std::string units;  ///< as given; "" when not
    ReduceOptions options;
};

/// Throws BadInput with file:line, what was wrong and what is allowed.
ReduceFile read_reduce_file(const std::string& path);

}  // namespace faying::fe
