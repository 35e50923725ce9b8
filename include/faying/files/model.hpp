#pragma once
// Model files (TOML), as the command line takes them:
//
//     [structure]
//     mass      = [[10,0,0],[0,10,0],[0,0,10]]
//     stiffness = [[18,-9,0],[-9,18,-9],[0,-9,9]]
//     damping   = { ratio = 1e-4 }                 # on the stuck modes; or a matrix, symmetric positive semidefinite
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
//     name = "lap"                                 # optional; a name of its own
//     law = "iwan4"
//     parameters = { FS = 10, KT = 1, chi = -0.5, beta = 5 }
//     dofs = [2, 3]                                # acts on u3 - u2 (1-based); one number acts against ground;
//                                                  # [[1,4],[2,5]] are two sites; a contact law: three rows per site
//     [[output]]
//     name = "tip"
//     dof = 3                                      # or row = [0, 0, 1]
//
// or on a reduced model:
//
//     [structure]
//     file   = "rom.h5"                            # beside the model file
//     static = { preload = 12845 }                 # factors of the loads it names
//     [[joint]]
//     law = "iwan4"
//     parameters = { FS = 1.4e5, KT = 3e12, chi = -0.5, beta = 1e-4 }
//     patch = "all"                                # or a name, or ["p1", "p2"]
//     along = "tangential"                         # reduced.hpp lists the directions; not for contact laws
//     per   = "area"                               # parameters are per square metre
//     [[joint]]
//     law = "elastic-dry-friction"
//     parameters = { kt = 1e14, mu = 0.8, kn = 5e11 }
//     interface = true                             # every quadrature point of a full joint; parameters are tractions
//
// A law that exists for three displacements (elastic-dry-friction, jenkins-2d, ..) is the contact law, unless its
// parameter `un` holds the normal approach.

#include <functional>
#include <string>

#include "faying/files/reduced.hpp"

namespace faying::files {

/// Throws BadInput with file:line, what was wrong and what is allowed.
structure::Model read_model(const std::string& path,
                            const std::function<structure::Reduced(const std::string&)>& reader = read_reduced);

}  // namespace faying::files
