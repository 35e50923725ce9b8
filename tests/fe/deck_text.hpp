#pragma once
// A Mesh as a plain CalculiX deck. Coordinates are written with 9 decimals: move them onto such numbers first
// (rounded), and CalculiX reads the very same doubles.

#include <fmt/format.h>

#include "faying/fe/assembly.hpp"

namespace faying::tests {

inline void round_coordinates(fe::Coordinates& x) { x = (x * 1e4).array().round().matrix() / 1e4; }

/// Nodes and elements are numbered from 1 in the order of the mesh; isotropic material young, poisson, density.
inline std::string deck_text(const fe::Mesh& mesh, double young, double poisson, double density,
                             const std::string& step) {
    std::string d = "*NODE\n";
    for (Eigen::Index a = 0; a < mesh.nodes.rows(); ++a)
        d += fmt::format("{},{:.9f},{:.9f},{:.9f}\n", a + 1, mesh.nodes(a, 0), mesh.nodes(a, 1), mesh.nodes(a, 2));
    int label = 0;
    for (const auto& block : mesh.blocks) {
        d += fmt::format("*ELEMENT,TYPE={},ELSET=ALL\n", fe::traits(block.kind).name);
        const auto n = static_cast<std::size_t>(fe::traits(block.kind).nodes());
        for (std::size_t e = 0; e < block.size(); ++e) {
            std::string line = fmt::format("{}", ++label);
            for (std::size_t a = 0; a < n; ++a)
                line += fmt::format("{}{}", a == 10 ? ",\n" : ",", block.nodes[e * n + a] + 1);
            d += line + "\n";
        }
    }
    d += fmt::format("*MATERIAL,NAME=M\n*ELASTIC\n{},{}\n*DENSITY\n{}\n*SOLID SECTION,ELSET=ALL,MATERIAL=M\n", young,
                     poisson, density);
    return d + step;
}

}  // namespace faying::tests
