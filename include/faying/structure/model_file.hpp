#pragma once
// Model files (TOML), as the command line takes them:
//
//     [structure]
//     mass      = [[10,0,0],[0,10,0],[0,0,10]]
//     stiffness = [[18,-9,0],[-9,18,-9],[0,-9,9]]
//     damping   = { ratio = 1e-4 }                 # on the stuck modes; or a matrix
//     static    = [0, 0, 0]                        # optional
//
// or with the matrices in other files:
//
//     [structure]
//     file = "rom.mat"                             # .mat or .h5, beside this file; then the names of its variables
//     mass = "M"                                   # without file, files of their own: mass = "M.mtx"
//     stiffness = "K"
//     static = "Fv"                                # optional
//     interface = "L"                              # optional, u = L x: the dofs of joints then count rows of L
//
// and its joints:
//
//     [[joint]]
//     law = "iwan4"
//     parameters = { FS = 10, KT = 1, chi = -0.5, beta = 5 }
//     dofs = [2, 3]                                # acts on u3 - u2 (1-based); one number acts against ground

#include <string>

#include "faying/structure/model.hpp"

namespace faying::structure {

/// Throws BadInput with file:line, what was wrong and what is allowed.
Model read_model(const std::string& path);

}  // namespace faying::structure
