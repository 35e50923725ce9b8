#pragma once
// Quadrature rules on the natural domains of shape.hpp, named by domain and number of points; weights sum to the
// domain's measure. Degree: the highest total (simplex) or per-coordinate (tensor) degree integrated exactly.
//
//     tri1 1, tri3 2 (interior points), tri6 4 (Dunavant);   tet1 1, tet4 2, tet15 5 (Stroud T3:5-1)
//     lineN, quadN, hexN: Gauss-Legendre, 2 n - 1 with n points per direction
//     wedge2: tri1 x 2 Gauss; wedge9: tri3 x 3; wedge18: tri6 x 3

#include <Eigen/Dense>
#include <vector>

#include "faying/fe/shape.hpp"

namespace faying::fe {

enum class Rule {
    line1,
    line2,
    line3,
    tri1,
    tri3,
    tri6,
    quad1,
    quad4,
    quad9,
    tet1,
    tet4,
    tet15,
    wedge2,
    wedge9,
    wedge18,
    hex1,
    hex8,
    hex27
};

struct QuadraturePoint {
    Eigen::Vector3d xi = Eigen::Vector3d::Zero();
    double weight = 0;
};

const std::vector<QuadraturePoint>& quadrature(Rule rule);

/// Shape functions of one shape at all points of one rule, computed once and kept.
struct Tabulation {
    Eigen::MatrixXd value;                  ///< nodes x points
    std::vector<Eigen::MatrixXd> gradient;  ///< per point, nodes x dimension
    Eigen::VectorXd weight;
};

const Tabulation& tabulated(Shape shape, Rule rule);

}  // namespace faying::fe
