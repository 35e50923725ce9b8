#include "faying/modes/interface.hpp"

#include <Eigen/QR>

#include "faying/solve/dense.hpp"

namespace faying::modes {

namespace {

struct Rows {
    Eigen::MatrixXd base;  ///< T
    Interface::SiteMap sites;
};

/// Every row of every joint, each different one once; S says which (and how many times, for multiples).
Rows distinct_rows(const structure::Model& model) {
    std::vector<Eigen::VectorXd> distinct;
    std::vector<Eigen::Triplet<double>> places;
    int at = 0;
    const auto place = [&](const Eigen::VectorXd& row) {
        const double size = row.norm();
        for (std::size_t i = 0; i < distinct.size(); ++i) {
            const double factor = distinct[i].dot(row) / distinct[i].squaredNorm();
            if ((row - factor * distinct[i]).norm() <= 1e-14 * size) return std::pair{int(i), factor};
        }
        distinct.push_back(row);
        return std::pair{int(distinct.size()) - 1, 1.0};
    };
    for (const auto& joint : model.joints) {
        if (joint.base.size() > 0) {
            std::vector<std::pair<int, double>> where;
            for (Eigen::Index i = 0; i < joint.base.rows(); ++i) where.push_back(place(joint.base.row(i)));
            for (int k = 0; k < joint.local.outerSize(); ++k)
                for (Eigen::SparseMatrix<double>::InnerIterator it(joint.local, k); it; ++it) {
                    const auto [index, factor] = where[std::size_t(it.col())];
                    places.emplace_back(at + int(it.row()), index, it.value() * factor);
                }
        } else {
            for (Eigen::Index i = 0; i < joint.map.rows(); ++i) {
                if (joint.map.row(i).isZero(0.0)) continue;  // a site that never moves
                const auto [index, factor] = place(joint.map.row(i));
                places.emplace_back(at + int(i), index, factor);
            }
        }
        at += int(joint.map.rows());
    }
    Rows rows;
    rows.base.resize(long(distinct.size()), model.size());
    for (std::size_t i = 0; i < distinct.size(); ++i) rows.base.row(long(i)) = distinct[i];
    rows.sites.resize(at, long(distinct.size()));
    rows.sites.setFromTriplets(places.begin(), places.end());
    return rows;
}

/// The DOF that each row is, where rows are DOF, each another one; else nothing.
std::vector<Eigen::Index> picked_columns(const Eigen::MatrixXd& rows) {
    std::vector<Eigen::Index> columns;
    std::vector<bool> used(std::size_t(rows.cols()), false);
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        Eigen::Index at = 0;
        rows.row(i).cwiseAbs().maxCoeff(&at);
        if (rows(i, at) != 1.0 || rows.row(i).cwiseAbs().sum() != 1.0 || used[std::size_t(at)]) return {};
        used[std::size_t(at)] = true;
        columns.push_back(at);
    }
    return columns;
}

/// Columns of the identity: these first, then the others in order.
void pick_first(Eigen::MatrixXd& identity, const std::vector<Eigen::Index>& columns) {
    std::vector<bool> used(std::size_t(identity.cols()), false);
    std::vector<Eigen::Index> order = columns;
    for (const auto c : columns) used[std::size_t(c)] = true;
    for (Eigen::Index c = 0; c < identity.cols(); ++c)
        if (!used[std::size_t(c)]) order.push_back(c);
    identity.setZero();
    for (std::size_t j = 0; j < order.size(); ++j) identity(order[j], Eigen::Index(j)) = 1.0;
}

}  // namespace

Interface::Interface(const structure::Model& model) {
    const Eigen::Index n = model.size();
    Rows rows = distinct_rows(model);
    Eigen::Index rank = 0;
    Eigen::MatrixXd q = Eigen::MatrixXd::Identity(n, n), right;  // T right = I; columns of q beyond rank: T q = 0
    if (rows.base.rows() > 0) {
        const auto picked = picked_columns(rows.base);
        rank = Eigen::Index(picked.size());
        if (picked.empty()) {
            const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows.base.transpose());
            rank = qr.rank();
            q = qr.householderQ();
        } else {
            pick_first(q, picked);
        }
        if (rank < rows.base.rows()) {  // dependent rows: an orthonormal basis instead
            const Eigen::MatrixXd dense = rows.sites * (rows.base * q.leftCols(rank));
            rows.sites = dense.sparseView(1.0, 1e-15);
            right = q.leftCols(rank);
            t_ = right.transpose();
            rows_.setIdentity(rank, rank);
        } else {
            t_ = rows.base;
            if (picked.empty()) {
                rows_ = rows.base * rows.base.transpose();
                right = rows.base.transpose() * rows_.llt().solve(Eigen::MatrixXd::Identity(rank, rank));
            } else {
                rows_.setIdentity(rank, rank);
                right = rows.base.transpose();
            }
        }
    } else {
        right.resize(n, 0);
        t_.resize(0, n);
    }
    sites_ = rows.sites;
    const Eigen::MatrixXd inside = q.rightCols(n - rank);
    omega2_.resize(n - rank);
    phi_.resize(n, n - rank);
    if (n > rank) {
        const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
            inside.transpose() * model.stiffness * inside, inside.transpose() * model.mass * inside);
        omega2_ = eigen.eigenvalues();
        phi_ = inside * eigen.eigenvectors();
        rigid_below_ = 1e-9 * std::abs(omega2_.maxCoeff());
    }
    // Static answers where no fixed-interface mode is rigid; the couplings carry whatever is left.
    Eigen::VectorXd compliance(n - rank);
    for (Eigen::Index k = 0; k < compliance.size(); ++k)
        compliance(k) = couples_by_stiffness(k) ? 0.0 : 1.0 / omega2_(k);
    psi_ = right - phi_ * (compliance.asDiagonal() * (phi_.transpose() * (model.stiffness * right)));
    k_y_ = psi_.transpose() * model.stiffness * psi_;
    m_y_ = psi_.transpose() * model.mass * psi_;
    k_c_ = psi_.transpose() * model.stiffness * phi_;
    m_c_ = psi_.transpose() * model.mass * phi_;
    for (Eigen::Index k = 0; k < compliance.size(); ++k)
        if (!couples_by_stiffness(k)) k_c_.col(k).setZero();
    heaviest_ = model.mass.cwiseAbs().rowwise().sum().maxCoeff();
}

Eigen::MatrixXd Interface::dynamic_stiffness(double lambda, const std::vector<Eigen::Index>& kept) const {
    const Eigen::Index n = width() + Eigen::Index(kept.size());
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(n, n);
    Scratch scratch;
    dynamic_stiffness(lambda, kept, scratch, out);
    return out;
}

void Interface::dynamic_stiffness(double lambda, const std::vector<Eigen::Index>& kept, Scratch& s,
                                  Eigen::MatrixXd& out) const {
    const Eigen::Index m = width();
    auto top = out.topLeftCorner(m, m);
    top = k_y_;
    if (lambda != 0) top -= lambda * m_y_;
    std::size_t rigid = 0;  // modes that K_c has: the first ones
    while (rigid < std::size_t(modes()) && couples_by_stiffness(Eigen::Index(rigid))) ++rigid;
    if (modes() == 0 || (lambda == 0 && rigid == 0)) return;
    s.coupling = -lambda * m_c_;
    if (rigid > 0) s.coupling += k_c_;
    s.flexible = (omega2_.array() - lambda).inverse();
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const Eigen::Index k = kept[i], at = m + Eigen::Index(i);
        out.col(at).head(m) = s.coupling.col(k);
        out.row(at).head(m) = s.coupling.col(k);
        out(at, at) = omega2_(k) - lambda;
        s.flexible(k) = 0.0;
    }
    if (lambda == 0 && kept.size() >= rigid && kept[rigid - 1] == Eigen::Index(rigid - 1)) return;  // no others couple
    s.scaled.noalias() = s.coupling * s.flexible.asDiagonal();
    solve::subtract_product(out, s.scaled, s.coupling);
}

void Interface::apply_mass(const Eigen::VectorXd& y, const Eigen::VectorXd& xi, Eigen::VectorXd& on_y,
                           Eigen::VectorXd& on_modes) const {
    on_y.resize(y.size());
    solve::multiply_symmetric(m_y_, y, on_y);
    on_y.noalias() += m_c_ * xi;
    on_modes.noalias() = m_c_.transpose() * y;
    on_modes += xi;
}

double Interface::force_norm(const Eigen::VectorXd& on_y, const Eigen::VectorXd& on_modes) const {
    const Eigen::VectorXd on_rows = on_y - m_c_ * on_modes;
    Eigen::VectorXd of_rows_each(on_rows.size());
    if (on_rows.size() > 0) solve::multiply_symmetric(rows_, on_rows, of_rows_each);
    const double of_rows = on_rows.dot(of_rows_each);
    return std::sqrt(std::max(of_rows, 0.0)) + std::sqrt(heaviest_) * on_modes.norm();
}

}  // namespace faying::modes
