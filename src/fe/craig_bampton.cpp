#include "faying/fe/craig_bampton.hpp"

#include <algorithm>

#include "faying/core/error.hpp"

namespace faying::fe {

namespace {

using Eigen::MatrixXd;
using sparse::inner;
using sparse::Operator;
using sparse::Sparse;

MatrixXd symmetric(const MatrixXd& a) { return 0.5 * (a + a.transpose()); }

/// x^T A x a block of columns at a time, so that no second matrix of x's size is needed.
MatrixXd quadratic(const Operator& a, const MatrixXd& x, Eigen::Index columns) {
    constexpr Eigen::Index block = 64;
    MatrixXd all(columns, columns);
    for (Eigen::Index j = 0; j < columns; j += block) {
        const Eigen::Index width = std::min(block, columns - j);
        MatrixXd strip = x.leftCols(columns).transpose() * a.times(x.middleCols(j, width));
        sparse::sum_over_ranks(strip);
        all.middleCols(j, width) = strip;
    }
    return symmetric(all);
}

/// Directions that cost nothing, each coordinate measured in its own stiffness.
Eigen::Index nullity(const MatrixXd& k) {
    const Eigen::VectorXd scale = k.diagonal().cwiseMax(1e-12 * k.diagonal().maxCoeff()).cwiseSqrt().cwiseInverse();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scale.asDiagonal() * k * scale.asDiagonal(),
                                                        Eigen::EigenvaluesOnly);
    return (eigen.eigenvalues().array() < 1e-9).count();
}

/// Reduced matrices from the basis. The stiffness between modes and boundary vanishes; so does its round-off.
void project(CraigBampton& r, const Operator& k, const Operator& m, const sparse::Eigenpairs& fixed) {
    const Eigen::Index n = r.boundary, all = r.basis.cols();
    r.mass = quadratic(m, r.basis, all);
    r.stiffness = MatrixXd::Zero(all, all);
    r.stiffness.topLeftCorner(n, n) = quadratic(k, r.basis, n);
    r.stiffness.diagonal().tail(all - n) = fixed.values;
    r.fixed_omega = fixed.values.cwiseMax(0).cwiseSqrt();
    r.fixed_residual = fixed.residual;
}

MatrixXd side_by_side(const MatrixXd& a, const MatrixXd& b) {
    MatrixXd both(a.rows(), a.cols() + b.cols());
    both << a, b;
    return both;
}

/// Shares of a part of the work as shares of the whole.
Share within(const Share& whole, double from, double to) {
    return [&whole, from, to](double share) { whole(from + share * (to - from)); };
}

sparse::Eigenpairs fixed_modes(const sparse::Statics& statics, Eigen::Index count, const Share& done = {}) {
    if (count == 0) return {Eigen::VectorXd(0), MatrixXd(statics.rows().count(), 0), Eigen::VectorXd(0)};
    return statics.modes(count, 1e-12, done);
}

/// Rows and columns of a sparse matrix, in the order given.
Sparse submatrix(const Sparse& a, const std::vector<Eigen::Index>& rows, const std::vector<Eigen::Index>& columns) {
    std::vector<Eigen::Index> place(static_cast<std::size_t>(a.rows()), -1);
    for (std::size_t i = 0; i < rows.size(); ++i) place[static_cast<std::size_t>(rows[i])] = Eigen::Index(i);
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t j = 0; j < columns.size(); ++j)
        for (Sparse::InnerIterator it(a, columns[j]); it; ++it)
            if (const Eigen::Index i = place[static_cast<std::size_t>(it.row())]; i >= 0)
                entries.emplace_back(static_cast<int>(i), static_cast<int>(j), it.value());
    Sparse s(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns.size()));
    s.setFromTriplets(entries.begin(), entries.end());
    return s;
}

}  // namespace

CraigBampton reduce_weak(const Sparse& stiffness, const Sparse& mass, const MatrixXd& motions,
                         const Sparse& constraints, Eigen::Index kept, Eigen::Index modes, const Share& done) {
    const sparse::Statics statics({stiffness, mass, motions, constraints, false, within(done, 0, 0.5)});
    done(0.5);
    const auto fixed = fixed_modes(statics, modes, within(done, 0.5, 0.9));
    done(0.9);
    CraigBampton r;
    r.rows = statics.rows();
    r.boundary = kept;
    r.rigid = statics.rigid().cols();
    r.basis = side_by_side(statics.constraint_modes().leftCols(kept), fixed.vectors);
    project(r, statics.stiffness(), statics.mass(), fixed);
    r.loose = nullity(r.stiffness.topLeftCorner(kept, kept));
    return r;
}

StrongBoundary::StrongBoundary(const Sparse& stiffness, const Sparse& mass, const MatrixXd& motions,
                               const std::vector<Eigen::Index>& boundary, Eigen::Index modes)
    : stiffness_(stiffness), mass_(mass), boundary_(boundary) {
    std::vector<bool> outside(static_cast<std::size_t>(stiffness.rows()), true);
    for (Eigen::Index b : boundary) outside[static_cast<std::size_t>(b)] = false;
    for (Eigen::Index i = 0; i < stiffness.rows(); ++i)
        if (outside[static_cast<std::size_t>(i)]) inside_.push_back(i);
    const auto n = static_cast<Eigen::Index>(inside_.size());
    MatrixXd held(n, motions.cols());
    for (Eigen::Index i = 0; i < n; ++i) held.row(i) = motions.row(inside_[static_cast<std::size_t>(i)]);
    statics_ = std::make_shared<const sparse::Statics>(sparse::Statics::Problem{
        submatrix(stiffness, inside_, inside_), submatrix(mass, inside_, inside_), held, Sparse(0, n)});
    inner_to_boundary_ = submatrix(stiffness, inside_, boundary_);
    fixed_ = fixed_modes(*statics_, modes);
}

Eigen::MatrixXd StrongBoundary::scatter(const MatrixXd& inner_rows, const MatrixXd* boundary_rows) const {
    MatrixXd all = MatrixXd::Zero(stiffness_.rows(), inner_rows.cols());
    for (std::size_t i = 0; i < inside_.size(); ++i) all.row(inside_[i]) = inner_rows.row(static_cast<Eigen::Index>(i));
    if (boundary_rows)
        for (std::size_t i = 0; i < boundary_.size(); ++i)
            all.row(boundary_[i]) = boundary_rows->row(static_cast<Eigen::Index>(i));
    return all;
}

Eigen::VectorXd StrongBoundary::reaction(const Eigen::VectorXd& load) const {
    MatrixXd inner_load(static_cast<Eigen::Index>(inside_.size()), 1);
    for (std::size_t i = 0; i < inside_.size(); ++i) inner_load(static_cast<Eigen::Index>(i)) = load(inside_[i]);
    const auto& rows = statics_->rows();
    const MatrixXd x = rows.whole(statics_->solve(rows.part(inner_load)));
    Eigen::VectorXd force = inner_to_boundary_.transpose() * x;
    for (std::size_t i = 0; i < boundary_.size(); ++i) force(static_cast<Eigen::Index>(i)) -= load(boundary_[i]);
    return force;
}

Eigen::VectorXd StrongBoundary::first_mode() const {
    if (fixed_.values.size() == 0) return {};
    return scatter(statics_->rows().whole(fixed_.vectors.leftCols(1)), nullptr);
}

/// Static shapes under loads, without what the modes have of them, made to modes of their own: K and M diagonal.
sparse::Eigenpairs StrongBoundary::with_static_shapes(const MatrixXd& loads) const {
    if (loads.cols() == 0) return fixed_;
    const auto& rows = statics_->rows();
    MatrixXd inner_loads(static_cast<Eigen::Index>(inside_.size()), loads.cols());
    for (std::size_t i = 0; i < inside_.size(); ++i) inner_loads.row(Eigen::Index(i)) = loads.row(inside_[i]);
    MatrixXd shapes = statics_->solve(rows.part(inner_loads));
    for (int again = 0; again < 2; ++again)
        if (fixed_.vectors.cols() > 0) shapes -= fixed_.vectors * inner(fixed_.vectors, statics_->mass().times(shapes));
    const MatrixXd m = symmetric(inner(shapes, statics_->mass().times(shapes)));
    const MatrixXd k = symmetric(inner(shapes, statics_->stiffness().times(shapes)));
    // Loads that say the same, or that act on the boundary alone, give no shape of their own.
    const Eigen::VectorXd size = k.diagonal().cwiseMax(0).cwiseSqrt();
    std::vector<Eigen::Index> kept;
    for (Eigen::Index j = 0; j < k.cols(); ++j)
        if (size(j) > 1e-12 * size.maxCoeff() && m(j, j) > 0) kept.push_back(j);
    if (kept.empty()) return fixed_;
    const MatrixXd chosen = shapes(Eigen::all, kept), scale = size(kept).cwiseInverse().asDiagonal();
    const MatrixXd ks = scale * k(kept, kept) * scale, ms = scale * m(kept, kept) * scale;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> directions(ks);
    std::vector<Eigen::Index> own;
    for (Eigen::Index j = 0; j < ks.cols(); ++j)
        if (directions.eigenvalues()(j) > 1e-11) own.push_back(j);
    const MatrixXd basis = directions.eigenvectors()(Eigen::all, own);
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen(symmetric(basis.transpose() * ks * basis),
                                                                   symmetric(basis.transpose() * ms * basis));
    sparse::Eigenpairs all = fixed_;
    const Eigen::Index before = fixed_.values.size(), more = eigen.eigenvalues().size();
    all.values.conservativeResize(before + more);
    all.values.tail(more) = eigen.eigenvalues();
    all.vectors = side_by_side(fixed_.vectors, chosen * scale * basis * eigen.eigenvectors());
    return all;
}

CraigBampton StrongBoundary::reduce(const MatrixXd& w, const Share& done, const MatrixXd& loads) const {
    const sparse::Eigenpairs fixed = with_static_shapes(loads);
    const auto& rows = statics_->rows();
    const Operator k(stiffness_), m(mass_);
    CraigBampton r;
    r.rows = k.rows();
    r.boundary = w.cols();
    r.rigid = statics_->rigid().cols();
    r.basis.resize(r.rows.count(), w.cols() + fixed.vectors.cols());
    const MatrixXd motion = r.rows.part(scatter(rows.whole(statics_->rigid()), nullptr));
    // Blocks of columns: each passes through whole vectors, and all at once would fill the memory.
    constexpr Eigen::Index block = 64;
    for (Eigen::Index j = 0; j < w.cols(); j += block) {
        const MatrixXd some = w.middleCols(j, std::min(block, w.cols() - j));
        const MatrixXd answer = rows.whole(statics_->solve(rows.part(-(inner_to_boundary_ * some))));
        MatrixXd psi = r.rows.part(scatter(answer, &some));
        if (motion.cols() > 0) psi -= motion * inner(motion, m.times(psi));
        r.basis.middleCols(j, psi.cols()) = psi;
        done(0.85 * double(j + psi.cols()) / double(w.cols()));
    }
    r.basis.rightCols(fixed.vectors.cols()) = r.rows.part(scatter(rows.whole(fixed.vectors), nullptr));
    project(r, k, m, fixed);
    return r;
}

}  // namespace faying::fe
