// Readers of what CalculiX leaves behind.

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "faying/fe/calculix.hpp"

namespace faying::fe {

namespace {

namespace fs = std::filesystem;

std::ifstream open(const fs::path& path, const std::string& made_by) {
    std::ifstream file(path);
    if (!file) throw core::BadInput(path.string(), "no such file; ccx writes it for " + made_by);
    return file;
}

std::vector<NodeDof> read_dof(const fs::path& path) {
    auto file = open(path, "*FREQUENCY, SOLVER=MATRIXSTORAGE");
    std::vector<NodeDof> all;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        std::istringstream fields(line);
        NodeDof d{};
        char dot = 0;
        if (!(fields >> d.node >> dot >> d.direction) || dot != '.')
            throw core::BadInput(fmt::format("{}:{}", path.string(), number),
                                 fmt::format("'{}' is not node.direction", line));
        all.push_back(d);
    }
    return all;
}

/// Lines `row column value` of one triangle, from 1.
Eigen::SparseMatrix<double> read_triangle(const fs::path& path, int size) {
    auto file = open(path, "*FREQUENCY, SOLVER=MATRIXSTORAGE");
    std::vector<Eigen::Triplet<double>> entries;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        std::istringstream fields(line);
        int row = 0, column = 0;
        double value = 0;
        if (!(fields >> row >> column >> value) || row < 1 || column < 1 || row > size || column > size ||
            !std::isfinite(value))
            throw core::BadInput(
                fmt::format("{}:{}", path.string(), number),
                fmt::format("'{}' is not a row and a column within 1 .. {} and a finite value", line, size));
        if (value == 0.0) continue;
        entries.emplace_back(row - 1, column - 1, value);
        if (row != column) entries.emplace_back(column - 1, row - 1, value);
    }
    Eigen::SparseMatrix<double> matrix(size, size);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

}  // namespace

StoredMatrices read_stored_matrices(const fs::path& folder, const std::string& job) {
    StoredMatrices s;
    s.dof = read_dof(folder / (job + ".dof"));
    const int size = static_cast<int>(s.dof.size());
    s.stiffness = read_triangle(folder / (job + ".sti"), size);
    s.mass = read_triangle(folder / (job + ".mas"), size);
    return s;
}

std::vector<Eigenfrequency> read_eigenfrequencies(const fs::path& folder, const std::string& job) {
    const fs::path path = folder / (job + ".dat");
    auto file = open(path, "*FREQUENCY");
    std::vector<Eigenfrequency> all;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (line.find("E I G E N V A L U E   O U T P U T") != std::string::npos) {
            inside = true;
            all.clear();  // of several steps, the last
            continue;
        }
        if (line.find("P A R T I C I P A T I O N") != std::string::npos) inside = false;
        std::istringstream fields(line);
        int mode = 0;
        Eigenfrequency e{};
        if (inside && fields >> mode >> e.omega_squared >> e.omega >> e.frequency) all.push_back(e);
    }
    if (all.empty()) throw core::BadInput(path.string(), "no table of eigenvalues");
    return all;
}

}  // namespace faying::fe
