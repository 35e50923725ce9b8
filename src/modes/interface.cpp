#include "faying/modes/interface.hpp"

namespace faying::modes {

Interface::Interface(const structure::Model& model) : mass_(model.mass) {
    const Eigen::Index n = model.size();
    Eigen::Index count = 0;
    for (const auto& joint : model.joints) count += joint.map.rows();
    Eigen::MatrixXd directions(n, count);
    Eigen::Index at = 0;
    for (const auto& joint : model.joints) {
        directions.middleCols(at, joint.map.rows()) = joint.map.transpose();
        at += joint.map.rows();
    }
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(directions);
    const Eigen::Index rank = count > 0 ? qr.rank() : 0;
    const Eigen::MatrixXd q = count > 0 ? Eigen::MatrixXd(qr.householderQ()) : Eigen::MatrixXd::Identity(n, n);
    basis_ = q.leftCols(rank);
    sites_ = directions.transpose() * basis_;
    const Eigen::MatrixXd inside = q.rightCols(n - rank);

    if (n > rank) {
        const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
            inside.transpose() * model.stiffness * inside, inside.transpose() * mass_ * inside);
        omega2_ = eigen.eigenvalues();
        phi_ = inside * eigen.eigenvectors();
    } else {
        omega2_.resize(0);
        phi_.resize(n, 0);
    }
    // Static constraint modes where no fixed-interface mode is rigid; the couplings carry whatever is left.
    const double lowest = omega2_.size() > 0 ? 1e-9 * std::abs(omega2_.maxCoeff()) : 0.0;
    psi_ = basis_;
    for (Eigen::Index k = 0; k < omega2_.size(); ++k) {
        if (omega2_(k) <= lowest) continue;
        psi_ -= phi_.col(k) * ((phi_.col(k).transpose() * model.stiffness * basis_) / omega2_(k));
    }
    k_y_ = psi_.transpose() * model.stiffness * psi_;
    m_y_ = psi_.transpose() * mass_ * psi_;
    k_c_ = psi_.transpose() * model.stiffness * phi_;
    m_c_ = psi_.transpose() * mass_ * phi_;
}

std::vector<Eigen::Index> Interface::near(double lambda, double share) const {
    std::vector<Eigen::Index> close;
    for (Eigen::Index k = 0; k < omega2_.size(); ++k)
        if (std::abs(omega2_(k) - lambda) <= share * std::abs(lambda)) close.push_back(k);
    return close;
}

Interface::Dynamics Interface::at(double lambda, const std::vector<Eigen::Index>& kept) const {
    const Eigen::Index m = width(), all = m + static_cast<Eigen::Index>(kept.size());
    Dynamics d{Eigen::MatrixXd::Zero(all, all), Eigen::MatrixXd::Zero(all, all), Eigen::MatrixXd::Zero(all, all), kept};
    auto D = d.stiffness.topLeftCorner(m, m), D1 = d.slope.topLeftCorner(m, m), D2 = d.curvature.topLeftCorner(m, m);
    D = k_y_ - lambda * m_y_;
    D1 = -m_y_;
    std::size_t next = 0;
    for (Eigen::Index k = 0; k < omega2_.size(); ++k) {
        const Eigen::VectorXd mk = m_c_.col(k);
        const Eigen::VectorXd c = k_c_.col(k) - lambda * mk;
        if (next < kept.size() && kept[next] == k) {
            const Eigen::Index i = m + static_cast<Eigen::Index>(next++);
            d.stiffness.col(i).head(m) = c;
            d.stiffness.row(i).head(m) = c;
            d.stiffness(i, i) = omega2_(k) - lambda;
            d.slope.col(i).head(m) = -mk;
            d.slope.row(i).head(m) = -mk;
            d.slope(i, i) = -1.0;
            continue;
        }
        const double a = omega2_(k) - lambda;
        const Eigen::MatrixXd cross = mk * c.transpose() + c * mk.transpose(), square = c * c.transpose();
        D -= square / a;
        D1 += cross / a - square / (a * a);
        D2 -= 2.0 * (mk * mk.transpose() / a - cross / (a * a) + square / (a * a * a));
    }
    return d;
}

Eigen::VectorXd Interface::project(const Eigen::VectorXd& u, const std::vector<Eigen::Index>& kept) const {
    Eigen::VectorXd x(width() + static_cast<Eigen::Index>(kept.size()));
    const Eigen::VectorXd y = basis_.transpose() * u;
    x.head(width()) = y;
    const Eigen::VectorXd inner = u - psi_ * y;
    for (std::size_t i = 0; i < kept.size(); ++i)
        x(width() + static_cast<Eigen::Index>(i)) = phi_.col(kept[i]).dot(mass_ * inner);
    return x;
}

Eigen::VectorXd Interface::recover(const Eigen::VectorXd& unknowns, double lambda,
                                   const std::vector<Eigen::Index>& kept) const {
    const Eigen::VectorXd y = unknowns.head(width());
    Eigen::VectorXd xi(omega2_.size());
    for (Eigen::Index k = 0; k < omega2_.size(); ++k)
        xi(k) = -(k_c_.col(k) - lambda * m_c_.col(k)).dot(y) / (omega2_(k) - lambda);
    for (std::size_t i = 0; i < kept.size(); ++i) xi(kept[i]) = unknowns(width() + static_cast<Eigen::Index>(i));
    return psi_ * y + phi_ * xi;
}

}  // namespace faying::modes
