#include "faying/network/complementarity.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "faying/core/error.hpp"

namespace faying::network {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::array<std::pair<Method, std::string_view>, 4> method_names{{{Method::events, "events"},
                                                                           {Method::lemke, "lemke"},
                                                                           {Method::newton, "newton"},
                                                                           {Method::gauss_seidel, "gauss-seidel"}}};

double violation(const MatrixXd& M, const VectorXd& q, const VectorXd& y) {
    const VectorXd w = M * y + q;
    const double scale = std::max(q.lpNorm<Eigen::Infinity>(), 1e-300);
    double worst = 0;
    for (Index i = 0; i < q.size(); ++i)  // the natural residual, y in the units of w
        worst = std::max(worst, std::abs(std::min(w(i), y(i) * M(i, i))));
    return worst / scale;
}

/// Lemke's method with covering vector 1 and lexicographic choice of ties ([S3] Appendix A; Cottle, Pang and
/// Stone 4.4).
class Lemke {
 public:
    Lemke(const MatrixXd& M, const VectorXd& q) : n_(q.size()), table_(n_, 2 * n_ + 2), basis_(std::size_t(n_)) {
        // w - M y - z0 1 = q: columns w, y, z0, right-hand side
        table_.leftCols(n_).setIdentity();
        table_.middleCols(n_, n_) = -M;
        table_.col(2 * n_).setConstant(-1.0);
        table_.col(2 * n_ + 1) = q;
        for (Index i = 0; i < n_; ++i) basis_[std::size_t(i)] = i;
    }

    Complementary solve() {
        Complementary found{VectorXd::Zero(n_)};
        Index row = 0;
        if (table_.col(2 * n_ + 1).minCoeff(&row) >= 0.0) return found;
        Index enters = 2 * n_;
        for (; found.iterations < 100 * int(n_) + 1000; ++found.iterations) {
            const Index left = basis_[std::size_t(row)];
            pivot(row, enters);
            if (left == 2 * n_) return finish(found);
            enters = left < n_ ? left + n_ : left - n_;
            row = leaving(enters);
            if (row < 0) throw core::NotConverged("lemke: ends on a ray", std::nan(""));
        }
        throw core::NotConverged("lemke: too many pivots", std::nan(""));
    }

 private:
    Index n_;
    MatrixXd table_;
    std::vector<Index> basis_;

    void pivot(Index row, Index column) {
        table_.row(row) /= table_(row, column);
        const VectorXd factor = table_.col(column);
        const Eigen::RowVectorXd by = table_.row(row);
        for (Index j = 0; j < table_.cols(); ++j) {
            if (by(j) == 0.0) continue;
            const double own = table_(row, j);
            table_.col(j) -= by(j) * factor;
            table_(row, j) = own;
        }
        basis_[std::size_t(row)] = column;
    }
    Index leaving(Index column) const {
        const auto c = table_.col(column);
        const auto right = table_.col(2 * n_ + 1);
        const double least = 1e-12 * c.cwiseAbs().maxCoeff();
        Index best = -1;
        for (Index i = 0; i < n_; ++i) {
            if (c(i) <= least) continue;
            if (best < 0 || before(i, best, c(i), c(best), right)) best = i;
        }
        return best;
    }
    template <class Column>
    bool before(Index i, Index k, double ci, double ck, const Column& right) const {
        const double a = right(i) / ci, b = right(k) / ck;
        if (std::abs(a - b) > 1e-13 * (std::abs(a) + std::abs(b))) return a < b;
        if (basis_[std::size_t(i)] == 2 * n_) return true;  // the artificial one leaves as soon as it can
        if (basis_[std::size_t(k)] == 2 * n_) return false;
        for (Index j = 0; j < n_; ++j) {
            const double x = table_(i, j) / ci, y = table_(k, j) / ck;
            if (x != y) return x < y;
        }
        return false;
    }
    Complementary finish(Complementary& found) const {
        for (Index i = 0; i < n_; ++i)
            if (const Index b = basis_[std::size_t(i)]; b >= n_ && b < 2 * n_)
                found.y(b - n_) = std::max(0.0, table_(i, 2 * n_ + 1));
        return found;
    }
};

/// M y = -q on the rows where y - w > 0, y = 0 elsewhere, until the rows stay: Newton's method on min(y, w) = 0.
Complementary newton(const MatrixXd& M, const VectorXd& q) {
    const Index n = q.size();
    Complementary found{VectorXd::Zero(n)};
    std::vector<char> active(std::size_t(n), 0);
    VectorXd w = q;
    for (found.iterations = 1; found.iterations <= 200; ++found.iterations) {
        std::vector<Index> rows;
        bool changed = false;
        for (Index i = 0; i < n; ++i) {
            const char now = found.y(i) * M(i, i) - w(i) > 0.0;
            changed = changed || now != active[std::size_t(i)];
            active[std::size_t(i)] = now;
            if (now) rows.push_back(i);
        }
        if (!changed) return found;
        const Index m = Index(rows.size());
        MatrixXd part(m, m);
        VectorXd right(m);
        for (Index a = 0; a < m; ++a) {
            right(a) = -q(rows[a]);
            for (Index b = 0; b < m; ++b) part(a, b) = M(rows[a], rows[b]);
        }
        const VectorXd y = part.llt().solve(right);
        found.y.setZero();
        for (Index a = 0; a < m; ++a) found.y(rows[a]) = y(a);
        w = M * found.y + q;
        for (const Index i : rows) w(i) = 0.0;
    }
    throw core::NotConverged("semismooth Newton: the active rows keep changing", violation(M, q, found.y));
}

Complementary gauss_seidel(const MatrixXd& M, const VectorXd& q) {
    const Index n = q.size();
    Complementary found{VectorXd::Zero(n)};
    const double scale = std::max(q.lpNorm<Eigen::Infinity>(), 1e-300);
    for (found.iterations = 1; found.iterations <= 200000; ++found.iterations) {
        double change = 0;
        for (Index i = 0; i < n; ++i) {
            const double w = M.col(i).dot(found.y) + q(i);
            const double y = std::max(0.0, found.y(i) - w / M(i, i));
            change = std::max(change, std::abs(y - found.y(i)) * M(i, i));
            found.y(i) = y;
        }
        if (change <= 1e-15 * scale) return found;
    }
    throw core::NotConverged("projected Gauss-Seidel: too many sweeps", violation(M, q, found.y));
}

}  // namespace

std::string_view name_of(Method method) {
    for (const auto& [m, name] : method_names)
        if (m == method) return name;
    return "";
}

Method method_named(std::string_view name) {
    for (const auto& [m, text] : method_names)
        if (text == name) return m;
    throw core::BadInput(fmt::format("unknown method '{}'; allowed are: events, lemke, newton, gauss-seidel", name));
}

Complementary solve_complementarity(const MatrixXd& M, const VectorXd& q, Method method) {
    if (M.rows() != q.size() || M.cols() != q.size())
        throw core::BadInput("complementarity", "M must be square and as large as q");
    Complementary found = method == Method::newton         ? newton(M, q)
                          : method == Method::gauss_seidel ? gauss_seidel(M, q)
                                                           : Lemke(M, q).solve();
    found.residual = violation(M, q, found.y);
    // What round-off leaves beside zero is zero: a slider either moves or rests.
    const double least = 1e-13 * found.y.lpNorm<Eigen::Infinity>();
    for (double& y : found.y)
        if (y <= least) y = 0.0;
    return found;
}

}  // namespace faying::network
