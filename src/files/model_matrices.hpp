#pragma once
// The matrices of a model file that are in other files:
//
//     [structure]
//     file = "rom.mat"          # .mat or .h5, beside the model file; then the names of its variables:
//     mass = "M"
//     stiffness = "K"
//     damping = "C"             # optional, as are the next two
//     static = "Fv"
//     interface = "L"           # u = L x: the dofs of joints then count rows of L
//
// or, without `file`, one file a matrix: mass = "M.mtx", stiffness = "K.mtx", static = "F.mtx", interface = "L.mtx".

#include <Eigen/Dense>
#include <map>
#include <string>

namespace faying::files {

/// Keys (mass, stiffness, ..) to the texts that stand in the model file.
using MatrixNames = std::map<std::string, std::string>;

/// The matrices by key. `folder` is where the model file is. Throws core::BadInput naming the file and what it holds.
std::map<std::string, Eigen::MatrixXd> read_matrices(const std::string& folder, const std::string& file,
                                                     const MatrixNames& names);

}  // namespace faying::files
