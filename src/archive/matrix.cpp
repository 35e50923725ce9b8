#include "faying/archive/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"
#include "faying/io/file.hpp"

namespace faying::archive {

void check_finite(const Eigen::SparseMatrix<double>& matrix, const std::string& where) {
    for (Eigen::Index column = 0; column < matrix.outerSize(); ++column)
        for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, column); entry; ++entry)
            if (!std::isfinite(entry.value()))
                throw core::BadInput(where, fmt::format("entry ({},{}) is {}; a finite number is needed",
                                                        entry.row() + 1, entry.col() + 1, entry.value()));
}

Eigen::SparseMatrix<double> read_matrix(const std::string& path, const std::string& name) {
    if (std::filesystem::path(path).extension() == ".mtx") {
        if (!name.empty())
            throw core::BadInput(path, fmt::format("a .mtx file holds one matrix; leave out the name '{}'", name));
        auto matrix = read_matrix_text(io::input(path)).matrix;
        check_finite(matrix, path);
        return matrix;
    }
    const auto archive = read_archive(io::input(path));
    auto matrix = archive.sparse(name);
    check_finite(matrix, fmt::format("{}: '{}'", path, name));
    return matrix;
}

void align(LabelledMatrix& a, LabelledMatrix& b) {
    if (a.labels.empty() || b.labels.empty() || a.labels == b.labels) return;
    std::vector<DofLabel> all;
    std::set_union(a.labels.begin(), a.labels.end(), b.labels.begin(), b.labels.end(), std::back_inserter(all));
    for (LabelledMatrix* one : {&a, &b}) {
        std::vector<Eigen::Index> place;
        for (const auto& label : one->labels)
            place.push_back(std::lower_bound(all.begin(), all.end(), label) - all.begin());
        std::vector<Eigen::Triplet<double>> triplets;
        for (Eigen::Index column = 0; column < one->matrix.outerSize(); ++column)
            for (Eigen::SparseMatrix<double>::InnerIterator entry(one->matrix, column); entry; ++entry)
                triplets.emplace_back(place[std::size_t(entry.row())], place[std::size_t(entry.col())], entry.value());
        const auto size = Eigen::Index(all.size());
        one->matrix.resize(size, size);
        one->matrix.setFromTriplets(triplets.begin(), triplets.end());
        one->labels = all;
    }
}

}  // namespace faying::archive
