#include "faying/fe/material.hpp"

#include <fmt/format.h>

#include <cmath>

#include "faying/core/error.hpp"

namespace faying::fe {

ElasticMaterial isotropic(double young, double poisson, double density) {
    if (!(young > 0) || !std::isfinite(young))
        throw core::BadInput("elastic material", fmt::format("Young's modulus {} is not a positive number", young));
    if (!(poisson > -1 && poisson < 0.5))
        throw core::BadInput("elastic material", fmt::format("Poisson's ratio {} is not within (-1, 0.5)", poisson));
    const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    const double shear = young / (2 * (1 + poisson));
    ElasticMaterial m;
    m.elasticity.topLeftCorner<3, 3>().setConstant(lambda);
    m.elasticity.diagonal() << Eigen::Vector3d::Constant(lambda + 2 * shear), Eigen::Vector3d::Constant(shear);
    m.density = density;
    check(m);
    return m;
}

ElasticMaterial orthotropic(const EngineeringConstants& c, double density) {
    Matrix6 compliance = Matrix6::Zero();
    compliance.diagonal() << 1 / c.e1, 1 / c.e2, 1 / c.e3, 1 / c.g12, 1 / c.g13, 1 / c.g23;
    compliance(0, 1) = compliance(1, 0) = -c.nu12 / c.e1;
    compliance(0, 2) = compliance(2, 0) = -c.nu13 / c.e1;
    compliance(1, 2) = compliance(2, 1) = -c.nu23 / c.e2;
    ElasticMaterial m;
    m.elasticity = compliance.inverse();
    m.elasticity = (0.5 * (m.elasticity + m.elasticity.transpose())).eval();
    m.density = density;
    check(m);
    return m;
}

void check(const ElasticMaterial& m) {
    if (!m.elasticity.allFinite()) throw core::BadInput("elastic material", "the elasticity matrix is not finite");
    const double size = m.elasticity.cwiseAbs().maxCoeff();
    if ((m.elasticity - m.elasticity.transpose()).cwiseAbs().maxCoeff() > 1e-10 * size)
        throw core::BadInput("elastic material", "the elasticity matrix is not symmetric");
    const Eigen::SelfAdjointEigenSolver<Matrix6> eigen(m.elasticity, Eigen::EigenvaluesOnly);
    if (!(eigen.eigenvalues()[0] > 0))
        throw core::BadInput(
            "elastic material",
            fmt::format("the elasticity matrix is not positive definite (least eigenvalue {:.4g}); the constants would "
                        "give energy when strained",
                        eigen.eigenvalues()[0]));
    if (!(m.density >= 0) || !std::isfinite(m.density))
        throw core::BadInput("elastic material", fmt::format("density {} is not zero or positive", m.density));
}

}  // namespace faying::fe
