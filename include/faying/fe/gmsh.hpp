#pragma once
// Gmsh as a process: a .geo text in, the mesh as a deck out.
//
//     const Deck mesh = mesh_with_gmsh("Point(1) = {0, 0, 0, 0.1}; ..", {.dimension = 2});

#include <string>

#include "faying/fe/deck.hpp"

namespace faying::fe {

struct GmshOptions {
    int dimension = 3;
    double time_limit = 600;       ///< seconds
    double memory_limit = 8e9;     ///< bytes
    std::string program = "gmsh";  ///< a name on PATH or a path
};

/// Runs gmsh -DIMENSION on the text and returns the Abaqus deck it writes, as text. A missing program is a BadInput
/// naming the package to install; a failure quotes Gmsh's own errors.
std::string gmsh_deck_text(const std::string& geo, const GmshOptions& options = {});

/// The same, read.
Deck mesh_with_gmsh(const std::string& geo, const GmshOptions& options = {});

}  // namespace faying::fe
