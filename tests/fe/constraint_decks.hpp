#pragma once
// Blocks of C3D8 as deck text, for tests of constraints, and their modes.

#include <fmt/format.h>

#include "deck_tests.hpp"
#include "faying/fe/model.hpp"

namespace faying::tests {

struct Block {
    std::string name;
    int nx = 2, ny = 2, nz = 2;
    Eigen::Vector3d size{1, 1, 1}, origin{0, 0, 0};
    int first = 1;  ///< label of the first node and element

    int node(int i, int j, int k) const { return first + i + (nx + 1) * (j + (ny + 1) * k); }
};

/// Sets NAME, NAME_LOW_N, NAME_HIGH_N (nodes at the ends of z), surfaces NAME_LOW, NAME_HIGH.
inline std::string block_text(const Block& b) {
    std::string nodes = "*NODE\n", elements = "*ELEMENT, TYPE=C3D8, ELSET=" + b.name + "\n";
    std::string low, high, low_n, high_n;
    for (int k = 0; k <= b.nz; ++k)
        for (int j = 0; j <= b.ny; ++j)
            for (int i = 0; i <= b.nx; ++i) {
                nodes +=
                    fmt::format("{},{:.17g},{:.17g},{:.17g}\n", b.node(i, j, k), b.origin[0] + b.size[0] * i / b.nx,
                                b.origin[1] + b.size[1] * j / b.ny, b.origin[2] + b.size[2] * k / b.nz);
                if (k == 0) low_n += fmt::format("{}\n", b.node(i, j, k));
                if (k == b.nz) high_n += fmt::format("{}\n", b.node(i, j, k));
            }
    int label = b.first;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j)
            for (int i = 0; i < b.nx; ++i, ++label) {
                elements += fmt::format("{}", label);
                for (int c = 0; c <= 1; ++c)
                    for (const auto& [di, dj] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
                        elements += fmt::format(",{}", b.node(i + di, j + dj, k + c));
                elements += "\n";
                if (k == 0) low += fmt::format("{},S1\n", label);
                if (k == b.nz - 1) high += fmt::format("{},S2\n", label);
            }
    return nodes + elements +
           fmt::format("*NSET,NSET={0}_LOW_N\n{1}*NSET,NSET={0}_HIGH_N\n{2}", b.name, low_n, high_n) +
           fmt::format("*SURFACE,NAME={0}_LOW\n{1}*SURFACE,NAME={0}_HIGH\n{2}", b.name, low, high) +
           fmt::format("*SOLID SECTION,ELSET={},MATERIAL=STEEL\n", b.name);
}

inline const std::string steel_text = "*MATERIAL,NAME=STEEL\n*ELASTIC\n2.1e11,0.3\n*DENSITY\n7850\n";

/// Two blocks, one on the other, meshes that do not match; the lower is the master.
inline std::string two_blocks(int lower, int upper, double gap = 0) {
    return steel_text + block_text({"A", lower, lower, 2, {1, 1, 0.6}, {0, 0, 0}, 1}) +
           block_text({"B", upper, upper, 2, {1, 1, 0.6}, {0, 0, 0.6 + gap}, 1001});
}

inline std::string tie(const std::string& parameters = "") { return "*TIE, NAME=T" + parameters + "\nB_LOW, A_HIGH\n"; }

/// omega squared, ascending.
inline Eigen::VectorXd eigenvalues(const fe::LinearModel& model) {
    const Eigen::MatrixXd k(model.stiffness), m(model.mass);
    return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(k, m, Eigen::EigenvaluesOnly).eigenvalues();
}

inline int zero_modes(const Eigen::VectorXd& values) {
    return static_cast<int>((values.array().abs() < 1e-9 * values.maxCoeff()).count());
}

}  // namespace faying::tests
