#include "faying/sparse/statics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "faying/core/error.hpp"
#include "operator.hpp"

namespace faying::sparse {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Orthonormal columns with the same span; what depends on the others is dropped.
MatrixXd orthonormal(const MatrixXd& a, double tolerance) {
    if (a.cols() == 0) return a;
    const Eigen::JacobiSVD<MatrixXd> svd(a, Eigen::ComputeThinU);
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

/// Entries that springs on every row of C would add; rows of one patch share theirs.
double fill(const Sparse& c) {
    std::vector<std::pair<Index, double>> support(static_cast<std::size_t>(c.rows()), {-1, 0});  // first column, count
    for (Index j = 0; j < c.outerSize(); ++j)
        for (Sparse::InnerIterator it(c, j); it; ++it) {
            auto& [first, count] = support[static_cast<std::size_t>(it.row())];
            if (first < 0) first = j;
            ++count;
        }
    std::sort(support.begin(), support.end());
    double sum = 0;
    for (std::size_t i = 0; i < support.size(); ++i)
        if (i == 0 || support[i].first != support[i - 1].first) sum += support[i].second * support[i].second;
    return sum;
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
    const Rows local = k_.rows();
    Index loose = 0;
    VectorXd lengths;
    const Sparse c = unit_rows(p.constraints, lengths);

    // Free motions that C stops (row space of C Z) and those of the whole (its null space).
    const MatrixXd cz = c * z;
    MatrixXd null = MatrixXd::Identity(z.cols(), z.cols());
    if (cz.rows() > 0 && z.cols() > 0) {
        const Eigen::JacobiSVD<MatrixXd> svd(cz, Eigen::ComputeFullV);
        while (loose < svd.singularValues().size() && svd.singularValues()(loose) > 1e-7 * svd.singularValues()(0) &&
               svd.singularValues()(loose) > 1e-10)
            ++loose;
        null = svd.matrixV().rightCols(z.cols() - loose);
    }
    const MatrixXd r = z * null;
    if (!p.mechanisms && r.cols() > p.motions.cols())
        throw core::BadInput("structure",
                             fmt::format("is a mechanism: {} motions cost no energy although the joints are "
                                         "held, a rigid structure has {} at most; is a part not connected?",
                                         r.cols(), p.motions.cols()));
    const MatrixXd mr = p.mass * r;
    const Eigen::LLT<MatrixXd> gram(r.transpose() * mr);
    rigid_ = local.part(gram.matrixL().solve(r.transpose()).transpose());

    const double k_mean = p.stiffness.diagonal().cwiseAbs().mean();
    const Sparse ground = unit_columns(telling_rows(r, r.cols()), p.stiffness.rows());
    Sparse springs = ground * ground.transpose();
    if (c.rows() > 0) {
        // On every row, so that whatever C stops is stopped, hinges and slots within a body too; on large patches,
        // whose springs would fill the factor, only on as many rows as the bodies' loose motions ask for.
        Sparse held = c.transpose();
        if (fill(c) > 1e8) held = held * unit_columns(telling_rows(cz, loose), c.rows());
        springs += Sparse(held * held.transpose());
    }
    const Sparse a = p.stiffness + k_mean * springs;
    held_ = std::make_shared<Operator>(a);
    if (p.done) held_->handle().factorised = [&](double share) { p.done(0.2 + 0.6 * share); };
    factor_ = std::make_shared<Factor>(*held_, "stiffness");
    held_->handle().factorised = {};
    if (p.done) p.done(0.8);

    check_held(k_mean);

    c_transposed_ = local.part(MatrixXd(p.constraints.transpose()));
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

/// Inverse iteration: a motion that costs next to nothing shows as a tiny Rayleigh quotient. (A factor without pivoting
/// takes round-off for a pivot and says nothing.)
void Statics::check_held(double k_mean) const {
    MatrixXd x(rows().count(), 1);
    for (Index i = 0; i < x.rows(); ++i) x(i) = std::sin(1.0 + 3.7 * double(rows().begin + i));
    for (int step = 0; step < 3; ++step) {
        x = factor_->solve(x);
        x /= std::sqrt(inner(x, x)(0));
    }
    if (!(inner(x, held_->times(x))(0) > 1e-14 * k_mean))
        throw core::BadInput("structure", "is a mechanism: some motion costs no energy although the joints are held");
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

Eigenpairs Statics::modes(Index count, double tolerance, const std::function<void(double)>& done) const {
    const Index most = rows().total - c_transposed_.cols() - rigid_.cols();
    if (count > most)
        throw core::BadInput("modes", fmt::format("{} asked for; the structure has {} elastic ones", count, most));
    const auto inverse = [this](const MatrixXd& b) { return solve(b, Precision::plain); };
    Eigenpairs pairs =
        3 * count > most ? dense_modes(count) : purified(lowest(k_, m_, count, inverse, tolerance, done));
    check_modes(pairs);
    return pairs;
}

void Statics::check_modes(Eigenpairs& pairs) const {
    const MatrixXd mx = m_.times(pairs.vectors), inertia = mx * pairs.values.asDiagonal();
    MatrixXd r = k_.times(pairs.vectors) - inertia;
    if (c_transposed_.cols() > 0)
        r -= c_transposed_ * inner(c_transposed_, c_transposed_).ldlt().solve(inner(c_transposed_, r));
    pairs.residual = (inner(r, r).diagonal().array() / inner(inertia, inertia).diagonal().array()).sqrt();
    if (const double worst = pairs.residual.maxCoeff(); !(worst < 1e-6))
        throw core::NotConverged("modes of the held structure did not converge", worst);
}

/// One step of subspace iteration with refined solves, and Rayleigh-Ritz: takes out what the Krylov space left in.
Eigenpairs Statics::purified(const Eigenpairs& pairs) const {
    const MatrixXd x = solve(m_.times(pairs.vectors));
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> ritz(inner(x, k_.times(x)), inner(x, m_.times(x)));
    Eigenpairs pure{ritz.eigenvalues(), x * ritz.eigenvectors()};
    fix_signs(pure.vectors, rows());
    return pure;
}

/// A large share of all modes: Krylov spaces run out of room, so the whole problem on the null space of [C; R^T M].
Eigenpairs Statics::dense_modes(Index count) const {
    const auto& local = rows();
    const MatrixXd unit = local.part(MatrixXd::Identity(local.total, local.total));
    const MatrixXd k = local.whole(k_.times(unit)), m = local.whole(m_.times(unit));
    MatrixXd held(local.total, c_transposed_.cols() + rigid_.cols());
    held << local.whole(c_transposed_), m * local.whole(rigid_);
    const Eigen::HouseholderQR<MatrixXd> qr(held.colwise().normalized());
    const MatrixXd q = qr.householderQ();
    const MatrixXd null_space = q.rightCols(local.total - held.cols());
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> eigen(null_space.transpose() * k * null_space,
                                                                   null_space.transpose() * m * null_space);
    if (eigen.info() != Eigen::Success)
        throw core::NotConverged("the dense eigenvalue problem did not converge",
                                 std::numeric_limits<double>::quiet_NaN());
    Eigenpairs pairs{eigen.eigenvalues().head(count), local.part(null_space * eigen.eigenvectors().leftCols(count))};
    fix_signs(pairs.vectors, local);
    return pairs;
}

}  // namespace faying::sparse
