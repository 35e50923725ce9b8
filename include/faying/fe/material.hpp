#pragma once
// Linear elastic materials: stress = D strain with Voigt order 11, 22, 33, 12, 13, 23 (Abaqus') and engineering shear.

#include <Eigen/Dense>

namespace faying::fe {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

struct ElasticMaterial {
    Matrix6 elasticity = Matrix6::Zero();  ///< D, stress units; symmetric, positive definite
    double density = 0;                    ///< mass per volume; zero is allowed (no mass)
};

/// Hooke's law: lambda = E nu / ((1 + nu)(1 - 2 nu)), G = E / (2 (1 + nu)). Throws BadInput unless E > 0 and
/// -1 < nu < 1/2.
ElasticMaterial isotropic(double young, double poisson, double density);

/// *ELASTIC, TYPE=ENGINEERING CONSTANTS, in the material's own axes = the mesh's; nu12 is the contraction along 2 for a
/// pull along 1 (nu12 / E1 = nu21 / E2).
struct EngineeringConstants {
    double e1, e2, e3, nu12, nu13, nu23, g12, g13, g23;
};
ElasticMaterial orthotropic(const EngineeringConstants& constants, double density);

/// Throws BadInput when D is not symmetric positive definite or the density is negative or not finite.
void check(const ElasticMaterial& material);

}  // namespace faying::fe
