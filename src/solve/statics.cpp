#include "faying/solve/statics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "faying/core/error.hpp"

namespace faying::solve {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Orthonormal columns with the same span; what depends on the others is dropped.
MatrixXd orthonormal(const MatrixXd& a, double tolerance) {
    if (a.cols() == 0) return a;
    const Eigen::BDCSVD<MatrixXd> svd(a, Eigen::ComputeThinU);
    const auto& s = svd.singularValues();
    Index rank = 0;
    while (rank < s.size() && s(rank) > tolerance * s(0)) ++rank;
    return svd.matrixU().leftCols(rank);
}

/// Rigid motions of one body that cost no energy, as whole columns.
MatrixXd free_motions(const Sparse& k, const MatrixXd& motions, const std::vector<Index>& dofs) {
    MatrixXd z(static_cast<Index>(dofs.size()), motions.cols());
    for (std::size_t i = 0; i < dofs.size(); ++i) z.row(static_cast<Index>(i)) = motions.row(dofs[i]);
    if (z.isZero()) return MatrixXd(k.rows(), 0);
    z = orthonormal(z, 1e-9);
    MatrixXd whole = MatrixXd::Zero(k.rows(), z.cols());
    for (std::size_t i = 0; i < dofs.size(); ++i) whole.row(dofs[i]) = z.row(static_cast<Index>(i));
    const MatrixXd energy = whole.transpose() * (k * whole);
    const VectorXd diagonal = k.diagonal();
    const MatrixXd scale = whole.transpose() * (diagonal.asDiagonal() * whole);
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(energy);
    Index free = 0;
    while (free < z.cols() && eigen.eigenvalues()(free) < 1e-10 * scale.trace() / double(z.cols())) ++free;
    return whole * eigen.eigenvectors().leftCols(free);
}

MatrixXd all_free_motions(const Sparse& k, const MatrixXd& motions) {
    const auto body = bodies(k);
    const Index count = body.empty() ? 0 : *std::max_element(body.begin(), body.end()) + 1;
    std::vector<std::vector<Index>> dofs(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < body.size(); ++i) dofs[static_cast<std::size_t>(body[i])].push_back(Index(i));
    MatrixXd all(k.rows(), 0);
    for (const auto& one : dofs) {
        const MatrixXd z = free_motions(k, motions, one);
        MatrixXd wider(k.rows(), all.cols() + z.cols());
        wider << all, z;
        all = std::move(wider);
    }
    return all;
}

/// Every motion that costs no energy, hinges within a part too: the modes of K + shift M at the shift itself.
MatrixXd zero_modes(const Sparse& k, const Sparse& m, Index expected) {
    const double shift = 1e-8 * k.diagonal().mean() / m.diagonal().mean();
    const Sparse shifted = k + shift * m;
    const Operator a(shifted), b(m);
    const Factor factor(a, "stiffness and mass");
    for (Index count = expected + 4;; count *= 2) {
        count = std::min(count, k.rows());
        const auto low = lowest(a, b, count, [&](const MatrixXd& x) { return factor.solve(x); });
        Index zeros = 0;
        while (zeros < count && low.values(zeros) - shift < 1e-6 * shift) ++zeros;
        if (zeros < count || count == k.rows()) return a.rows().whole(low.vectors.leftCols(zeros));
    }
}

/// `count` rows that between them see every column of a, by pivoting.
std::vector<Index> telling_rows(const MatrixXd& a, Index count) {
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(a.transpose());
    std::vector<Index> rows;
    for (Index i = 0; i < count; ++i) rows.push_back(qr.colsPermutation().indices()(i));
    return rows;
}

Sparse unit_columns(const std::vector<Index>& rows, Index size) {
    Sparse e(size, static_cast<Index>(rows.size()));
    for (std::size_t j = 0; j < rows.size(); ++j) e.insert(rows[j], static_cast<Index>(j)) = 1;
    return e;
}

/// C with each row scaled to length one: translations and rotations then weigh alike.
Sparse unit_rows(const Sparse& c, VectorXd& lengths) {
    lengths = VectorXd::Zero(c.rows());
    for (Index j = 0; j < c.outerSize(); ++j)
        for (Sparse::InnerIterator it(c, j); it; ++it) lengths(it.row()) += it.value() * it.value();
    lengths = lengths.cwiseSqrt();
    for (Index i = 0; i < c.rows(); ++i)
        if (!(lengths(i) > 0)) throw core::BadInput("constraint", fmt::format("row {} is empty", i + 1));
    return lengths.cwiseInverse().asDiagonal() * c;
}

}  // namespace

std::vector<Eigen::Index> bodies(const Sparse& symmetric) {
    const auto n = static_cast<std::size_t>(symmetric.rows());
    std::vector<Index> parent(n);
    std::iota(parent.begin(), parent.end(), Index(0));
    const auto root = [&](Index i) {
        while (parent[static_cast<std::size_t>(i)] != i) {
            auto& p = parent[static_cast<std::size_t>(i)];
            p = parent[static_cast<std::size_t>(p)];
            i = p;
        }
        return i;
    };
    for (Index j = 0; j < symmetric.outerSize(); ++j)
        for (Sparse::InnerIterator it(symmetric, j); it; ++it)
            if (it.value() != 0.0) {
                const Index a = root(it.row()), b = root(j);
                parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
            }
    std::vector<Index> body(n), number(n, -1);
    Index count = 0;
    for (std::size_t i = 0; i < n; ++i) {
        Index& of_root = number[static_cast<std::size_t>(root(Index(i)))];
        if (of_root < 0) of_root = count++;
        body[i] = of_root;
    }
    return body;
}

Statics::Statics(const Problem& p) : k_(p.stiffness), m_(p.mass) {
    const MatrixXd z = all_free_motions(p.stiffness, p.motions);
    try {
        hold(p, z);
    } catch (const core::BadInput&) {
        if (!p.mechanisms) throw;
        hold(p, zero_modes(p.stiffness, p.mass, z.cols()));
    }
}

void Statics::hold(const Problem& p, const MatrixXd& z) {
    const Rows own = k_.rows();
    loose_ = 0;
    VectorXd lengths;
    const Sparse c = unit_rows(p.constraints, lengths);

    // Free motions that C stops (row space of C Z) and those of the whole (its null space).
    const MatrixXd cz = c * z;
    MatrixXd null = MatrixXd::Identity(z.cols(), z.cols());
    if (cz.rows() > 0 && z.cols() > 0) {
        const Eigen::JacobiSVD<MatrixXd> svd(cz, Eigen::ComputeFullV);
        while (loose_ < svd.singularValues().size() && svd.singularValues()(loose_) > 1e-7 * svd.singularValues()(0) &&
               svd.singularValues()(loose_) > 1e-10)
            ++loose_;
        null = svd.matrixV().rightCols(z.cols() - loose_);
    }
    const MatrixXd r = z * null;
    if (!p.mechanisms && r.cols() > p.motions.cols())
        throw core::BadInput("structure",
                             fmt::format("is a mechanism: {} motions cost no energy although the joints are "
                                         "held, a rigid structure has {} at most; is a part not connected?",
                                         r.cols(), p.motions.cols()));
    const MatrixXd mr = p.mass * r;
    const Eigen::LLT<MatrixXd> gram(r.transpose() * mr);
    rigid_ = own.part(gram.matrixL().solve(r.transpose()).transpose());

    const double k_mean = p.stiffness.diagonal().cwiseAbs().mean();
    const Sparse ground = unit_columns(telling_rows(r, r.cols()), p.stiffness.rows());
    Sparse springs = ground * ground.transpose();
    if (loose_ > 0) {
        const Sparse held = c.transpose() * unit_columns(telling_rows(cz, loose_), c.rows());
        springs += Sparse(held * held.transpose());
    }
    const Sparse a = p.stiffness + k_mean * springs;
    held_ = std::make_shared<Operator>(a);
    factor_ = std::make_shared<Factor>(*held_, "stiffness");

    c_transposed_ = own.part(MatrixXd(p.constraints.transpose()));
    response_ = refined(c_transposed_);
    flexibility_.compute(inner(c_transposed_, response_));
    if (p.constraints.rows() > 0) {
        const VectorXd d = flexibility_.vectorD().cwiseAbs();
        // Rows of different units: compare each pivot with what its row would give alone.
        const VectorXd alone = inner(c_transposed_, response_).diagonal();
        const VectorXd permuted = flexibility_.transpositionsP() * alone;
        if ((d.array() < 1e-11 * permuted.array()).any())
            throw core::BadInput(
                "constraints",
                "say the same twice: patches one element wide share their nodes with their neighbours; use a finer "
                "mesh or fewer patches");
    }
}

/// One step of iterative refinement on a residual of extended precision: right to the last digits, and so the same on
/// any number of ranks, although they share the factor out differently.
Eigen::MatrixXd Statics::refined(const MatrixXd& b) const {
    MatrixXd x = factor_->solve(b);
    constexpr Index block = 64;
    for (Index j = 0; j < b.cols(); j += block) {
        const Index width = std::min(block, b.cols() - j);
        x.middleCols(j, width) += factor_->solve(held_->residual(b.middleCols(j, width), x.middleCols(j, width)));
    }
    return x;
}

Eigen::MatrixXd Statics::without_rigid(MatrixXd x) const {
    if (rigid_.cols() > 0) x -= rigid_ * inner(rigid_, m_.times(x));
    return x;
}

Eigen::MatrixXd Statics::solve(const MatrixXd& f, Precision precision) const {
    MatrixXd balanced = f;
    if (rigid_.cols() > 0) balanced -= m_.times(rigid_) * inner(rigid_, f);
    MatrixXd x = precision == Precision::refined ? refined(balanced) : factor_->solve(balanced);
    if (c_transposed_.cols() > 0) x -= response_ * flexibility_.solve(inner(c_transposed_, x));
    return without_rigid(std::move(x));
}

Eigen::MatrixXd Statics::constraint_modes() const {
    const Index m = c_transposed_.cols();
    return without_rigid(response_ * flexibility_.solve(MatrixXd::Identity(m, m)));
}

Eigenpairs Statics::modes(Index count, double tolerance) const {
    const Index most = rows().total - c_transposed_.cols() - rigid_.cols();
    if (count > most)
        throw core::BadInput("modes", fmt::format("{} asked for; the structure has {} elastic ones", count, most));
    return lowest(
        k_, m_, count, [this](const MatrixXd& b) { return solve(b); }, tolerance);
}

}  // namespace faying::solve
