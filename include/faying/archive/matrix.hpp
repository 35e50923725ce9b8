#pragma once
// One matrix from whatever file it is in: MATLAB, HDF5, Matrix Market or the text that Abaqus writes.
//
//     const auto stiffness = faying::archive::read_matrix("rom.mat", "K");     // or "rom.h5", "model.K"
//     const auto mass = faying::archive::read_matrix("M.mtx");                 // one matrix per file: no name
//     const auto labelled = faying::archive::read_matrix_text("job_STIF1.mtx");
//     labelled.labels[0].node, labelled.labels[0].dof;                    // of row 0, where the file has them

#include <Eigen/Sparse>
#include <string>
#include <vector>

namespace faying::archive {

/// Which degree of freedom a row is, in the numbers of the deck the matrix came from.
struct DofLabel {
    long node = 0;
    int dof = 0;
    auto operator<=>(const DofLabel&) const = default;
};

struct LabelledMatrix {
    Eigen::SparseMatrix<double> matrix;
    std::vector<DofLabel> labels;  ///< one per row, ascending; empty where the file numbers rows itself
};

/// By extension: .mtx as read_matrix_text, .mat and .h5 as read_archive, where `name` is needed and may be
/// "group.name". Throws core::BadInput for what is not there, not a real matrix, or has entries that are not finite.
Eigen::SparseMatrix<double> read_matrix(const std::string& path, const std::string& name = "");

/// A .mtx file, told by its content:
///  - Matrix Market (first line %%MatrixMarket): coordinate or array; real, integer or pattern; general, symmetric or
///    skew-symmetric. Repeated entries add up.
///  - Abaqus *MATRIX OUTPUT, FORMAT=MATRIX INPUT: lines "node, dof, node, dof, value"; rows are ordered by node, dof.
///  - Abaqus FORMAT=COORDINATE: lines "row column value".
/// The two Abaqus forms give half of a symmetric matrix: where all entries lie on one side of the diagonal, the other
/// half is filled in.
LabelledMatrix read_matrix_text(const std::string& path);

/// The same rows and columns in both: labels that only one of them has become zero rows in the other. (A mass file
/// lacks massless DOF.) Nothing is done to matrices without labels.
void align(LabelledMatrix& a, LabelledMatrix& b);

/// Throws core::BadInput opening with `where` for an entry that is not a finite number.
void check_finite(const Eigen::SparseMatrix<double>& matrix, const std::string& where);

}  // namespace faying::archive
