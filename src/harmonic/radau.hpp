#pragma once
// Radau IIA of eight stages (order 15, L-stable): collocation at the right Radau points of [0, 1], the last of which is
// 1. The stages serve as nodes of a quadrature too.

#include <Eigen/Dense>

namespace faying::harmonic::detail {

struct Radau {
    static constexpr int stages = 8;
    using Vector = Eigen::Matrix<double, stages, 1>;
    using Matrix = Eigen::Matrix<double, stages, stages>;
    Vector c;                ///< nodes; weights are the last row of a
    Matrix a;                ///< integrals of the Lagrange polynomials from 0 to each node
    Matrix coefficients;     ///< of values at the nodes: their coefficients of P_j(2 c - 1)
    Eigen::RowVectorXd top;  ///< the highest of these, which tells of the error

    static const Radau& rule() {
        static const Radau made;
        return made;
    }

 private:
    Radau();
};

}  // namespace faying::harmonic::detail
