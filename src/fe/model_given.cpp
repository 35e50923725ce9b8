#include <fmt/format.h>

#include "faying/core/error.hpp"
#include "model_parts.hpp"

namespace faying::fe {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

void check_given(const Sparse& matrix, const char* what) {
    archive::check_finite(matrix, what);
    if (matrix.rows() != matrix.cols())
        throw core::BadInput(what, fmt::format("is {} x {}; it must be square", matrix.rows(), matrix.cols()));
    const Sparse difference = matrix - Sparse(matrix.transpose());
    if (!(difference.norm() <= 1e-9 * matrix.norm()))
        throw core::BadInput(what, fmt::format("is not symmetric: |A - A^T| / |A| = {:.3g}, 1e-9 is allowed",
                                               difference.norm() / matrix.norm()));
}

void add_labelled(const Deck& deck, const std::vector<archive::DofLabel>& labels, DofTable& dofs) {
    if (!deck.instances.empty())
        throw core::BadInput(deck.files[0],
                             "has instances, whose node numbers repeat: labelled matrices need a flat deck "
                             "(faying deck flatten)");
    for (const auto& label : labels) {
        const Index node = find_node(deck, static_cast<Index>(label.node));
        if (node == none)
            throw core::BadInput("matrices",
                                 fmt::format("have node {}, which is not in {}", label.node, deck.files[0]));
        if (label.dof < 1 || label.dof > 6)
            throw core::BadInput("matrices",
                                 fmt::format("have DOF {} of node {}; 1 to 6 are allowed", label.dof, label.node));
        dofs.add(node, label.dof);
    }
}

void add_in_order(const Deck& deck, Eigen::Index rows, DofTable& dofs) {
    const auto nodes = static_cast<Eigen::Index>(deck.nodes.size());
    for (const int each : {3, 2, 6})
        if (rows == each * nodes) {
            for (Eigen::Index n = 0; n < nodes; ++n)
                for (int dof = 1; dof <= each; ++dof) dofs.add(static_cast<Index>(n), dof);
            return;
        }
    throw core::BadInput("matrices",
                         fmt::format("have {} rows; {} has {} nodes: 2, 3 or 6 rows per node are allowed, or "
                                     "node and DOF labels (Abaqus .mtx)",
                                     rows, deck.files[0], nodes));
}

}  // namespace

WholeMatrices given(const Deck& deck, const GivenMatrices& matrices, DofTable& dofs) {
    archive::LabelledMatrix k = matrices.stiffness, m = matrices.mass;
    if (k.labels.empty() != m.labels.empty())
        throw core::BadInput("matrices", "one of stiffness and mass has node and DOF labels, the other has none");
    check_given(k.matrix, "stiffness");
    check_given(m.matrix, "mass");
    archive::align(k, m);
    if (k.matrix.rows() != m.matrix.rows())
        throw core::BadInput("matrices",
                             fmt::format("stiffness has {} rows, mass {}", k.matrix.rows(), m.matrix.rows()));
    if (k.labels.empty())
        add_in_order(deck, k.matrix.rows(), dofs);
    else
        add_labelled(deck, k.labels, dofs);
    Eigen::VectorXd along = Eigen::VectorXd::Zero(k.matrix.rows());
    for (Eigen::Index i = 0; i < along.size(); ++i) along(i) = dofs[static_cast<Index>(i)].dof == 1 ? 1 : 0;
    const double total = along.dot(m.matrix * along);
    return {std::move(k.matrix), std::move(m.matrix), total, is_planar(deck)};
}

}  // namespace faying::fe
