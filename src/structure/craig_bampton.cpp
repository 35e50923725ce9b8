#include "faying/structure/craig_bampton.hpp"

#include <algorithm>

#include "faying/core/error.hpp"

namespace faying::structure {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using solve::inner;
using solve::Operator;
using solve::Sparse;

MatrixXd symmetric(const MatrixXd& a) { return 0.5 * (a + a.transpose()); }

/// Reduced matrices from the basis. The stiffness between modes and boundary vanishes; so does its round-off.
void project(CraigBampton& r, const Operator& k, const Operator& m, const solve::Eigenpairs& fixed) {
    const Index n = r.boundary, all = r.basis.cols();
    r.mass = symmetric(inner(r.basis, m.times(r.basis)));
    const MatrixXd psi = r.basis.leftCols(n);
    r.stiffness = MatrixXd::Zero(all, all);
    r.stiffness.topLeftCorner(n, n) = symmetric(inner(psi, k.times(psi)));
    r.stiffness.diagonal().tail(all - n) = fixed.values;
    r.fixed_omega = fixed.values.cwiseMax(0).cwiseSqrt();
}

MatrixXd side_by_side(const MatrixXd& a, const MatrixXd& b) {
    MatrixXd both(a.rows(), a.cols() + b.cols());
    both << a, b;
    return both;
}

solve::Eigenpairs fixed_modes(const solve::Statics& statics, Index count) {
    if (count == 0) return {Eigen::VectorXd(0), MatrixXd(statics.rows().count(), 0)};
    return statics.modes(count);
}

/// Rows and columns of a sparse matrix, in the order given.
Sparse submatrix(const Sparse& a, const std::vector<Index>& rows, const std::vector<Index>& columns) {
    std::vector<Index> place(static_cast<std::size_t>(a.rows()), -1);
    for (std::size_t i = 0; i < rows.size(); ++i) place[static_cast<std::size_t>(rows[i])] = Index(i);
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t j = 0; j < columns.size(); ++j)
        for (Sparse::InnerIterator it(a, columns[j]); it; ++it)
            if (const Index i = place[static_cast<std::size_t>(it.row())]; i >= 0)
                entries.emplace_back(static_cast<int>(i), static_cast<int>(j), it.value());
    Sparse s(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
    s.setFromTriplets(entries.begin(), entries.end());
    return s;
}

}  // namespace

CraigBampton reduce_weak(const Sparse& stiffness, const Sparse& mass, const MatrixXd& motions,
                         const Sparse& constraints, Index kept, Index modes) {
    const solve::Statics statics({stiffness, mass, motions, constraints});
    const auto fixed = fixed_modes(statics, modes);
    CraigBampton r;
    r.rows = statics.rows();
    r.boundary = kept;
    r.rigid = statics.rigid().cols();
    r.loose = statics.loose();
    r.basis = side_by_side(statics.constraint_modes().leftCols(kept), fixed.vectors);
    project(r, statics.stiffness(), statics.mass(), fixed);
    return r;
}

CraigBampton reduce_strong(const Sparse& stiffness, const Sparse& mass, const MatrixXd& motions,
                           const std::vector<Index>& boundary, const MatrixXd& w, Index modes) {
    const Index n = stiffness.rows();
    std::vector<bool> outside(static_cast<std::size_t>(n), true);
    for (Index b : boundary) outside[static_cast<std::size_t>(b)] = false;
    std::vector<Index> inside;
    for (Index i = 0; i < n; ++i)
        if (outside[static_cast<std::size_t>(i)]) inside.push_back(i);
    MatrixXd held(static_cast<Index>(inside.size()), motions.cols());
    for (std::size_t i = 0; i < inside.size(); ++i) held.row(static_cast<Index>(i)) = motions.row(inside[i]);

    const solve::Statics statics({submatrix(stiffness, inside, inside), submatrix(mass, inside, inside), held,
                                  Sparse(0, static_cast<Index>(inside.size()))});
    const auto fixed = fixed_modes(statics, modes);
    const MatrixXd pull = -(submatrix(stiffness, inside, boundary) * w);
    const MatrixXd answer = statics.rows().whole(statics.solve(statics.rows().part(pull)));
    const MatrixXd phi = statics.rows().whole(fixed.vectors), rigid = statics.rows().whole(statics.rigid());

    const auto scatter = [&](const MatrixXd& inner_rows, const MatrixXd* boundary_rows) {
        MatrixXd all = MatrixXd::Zero(n, inner_rows.cols());
        for (std::size_t i = 0; i < inside.size(); ++i) all.row(inside[i]) = inner_rows.row(static_cast<Index>(i));
        if (boundary_rows)
            for (std::size_t i = 0; i < boundary.size(); ++i)
                all.row(boundary[i]) = boundary_rows->row(static_cast<Index>(i));
        return all;
    };
    const Operator k(stiffness), m(mass);
    CraigBampton r;
    r.rows = k.rows();
    r.boundary = w.cols();
    r.rigid = rigid.cols();
    MatrixXd psi = r.rows.part(scatter(answer, &w));
    const MatrixXd motion = r.rows.part(scatter(rigid, nullptr));
    if (motion.cols() > 0) psi -= motion * inner(motion, m.times(psi));
    r.basis = side_by_side(psi, r.rows.part(scatter(phi, nullptr)));
    project(r, k, m, fixed);
    return r;
}

}  // namespace faying::structure
