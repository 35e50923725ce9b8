#pragma once
// Networks from files.
//
//     [network]
//     file = "net.mat"                 # variables K, mu and b (or g), .mat or .h5; names = { K = "stiffness", .. }
//     generator = "random"             # or random, parallel, chain, mesh: generators.hpp
//     size = 500
//     seed = 12345
//     K = [[2, -1], [-1, 2]]           # or written out, with mu and b
//     mu = [1, 1]
//     b = [1, 0]
//     model = "full_model.toml"        # or the joints of a model at their preload: joint_network.hpp
//     mode = 1                         # the load: a mode's inertia; or output = "tip", or dof = 3
//     along = "both"                   # sliders along t1, t2 or both
//     drive = "displacement"           # of matrices; with g in the place of b, and k0; else force
//     through = 10                     # a spring from the driven displacement to xi = b.x
//     may_slide = true                 # K may be singular

#include <string>

#include "faying/network/network.hpp"

namespace faying::network {

/// Throws core::BadInput "FILE:LINE: .." for what cannot be used.
Network read_network(const std::string& path);

/// K, mu and b (or g and k0) into a .mat or .h5 file, and back.
void write_network(const std::string& path, const Network& network);

}  // namespace faying::network
