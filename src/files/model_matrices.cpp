#include "model_matrices.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "faying/archive/archive.hpp"
#include "faying/archive/matrix.hpp"
#include "faying/core/error.hpp"
#include "faying/io/file.hpp"

namespace faying::files {

namespace {

/// A model is dense: this many rows are 3 GB a matrix.
constexpr Eigen::Index most_rows = 20000;

Eigen::MatrixXd dense(const Eigen::SparseMatrix<double>& matrix, const std::string& where) {
    archive::check_finite(matrix, where);
    if (matrix.rows() > most_rows || matrix.cols() > most_rows)
        throw core::BadInput(where, fmt::format("is {} x {}; a model may have {} DOF: reduce it first", matrix.rows(),
                                                matrix.cols(), most_rows));
    return matrix;
}

std::string beside(const std::string& folder, const std::string& file) {
    return (std::filesystem::path(folder) / file).string();
}

std::map<std::string, Eigen::MatrixXd> from_one_file(const std::string& path, const MatrixNames& names) {
    const archive::Archive archive = archive::read_archive(io::input(path));
    std::map<std::string, Eigen::MatrixXd> made;
    for (const auto& [key, name] : names) made[key] = dense(archive.sparse(name), fmt::format("{}: '{}'", path, name));
    return made;
}

std::map<std::string, Eigen::MatrixXd> from_several_files(const std::string& folder, const MatrixNames& names) {
    std::map<std::string, archive::LabelledMatrix> read;
    for (const auto& [key, name] : names) {
        const auto path = beside(folder, name);
        if (std::filesystem::path(name).extension() != ".mtx")
            throw core::BadInput(path, fmt::format("{} names no .mtx file; for variables of a .mat or .h5 file, say "
                                                   "file = \"..\" too",
                                                   key));
        read[key] = archive::read_matrix_text(path);
    }
    for (int pass = 0; pass < 2; ++pass)  // the second brings what the first two did not have
        for (const char* other : {"stiffness", "damping"})
            if (read.contains("mass") && read.contains(other)) archive::align(read["mass"], read[other]);
    std::map<std::string, Eigen::MatrixXd> made;
    for (const auto& [key, one] : read) made[key] = dense(one.matrix, beside(folder, names.at(key)));
    return made;
}

}  // namespace

std::map<std::string, Eigen::MatrixXd> read_matrices(const std::string& folder, const std::string& file,
                                                     const MatrixNames& names) {
    return file.empty() ? from_several_files(folder, names) : from_one_file(beside(folder, file), names);
}

}  // namespace faying::files
