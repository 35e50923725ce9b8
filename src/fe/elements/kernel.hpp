#pragma once
// What the element formulations share. With D constant in an element, the stiffness needs only the second moments of
// the gradients: g_p = sqrt(w_p |J_p|) (dN_1/dx, dN_1/dy, ..) at point p, G = sum_p g_p g_p^T, and
//
//     K_{ai,bj} = sum_kl C_ikjl G_{ak,bl}
//
// which costs a rank-one update a point where B^T D B costs two products with D, and holds for any elasticity.

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/fe/element.hpp"

namespace faying::fe::detail {

template <int D>
using Point = Eigen::Matrix<double, D, D>;

/// Elasticity as the formulations need it.
template <int D>
struct Elasticity {
    Eigen::Matrix<double, D * D, D * D> tensor;  ///< row i D + j, column k D + l: C_ikjl
    Eigen::Matrix<double, D, D> bulk_stress;     ///< stress, in the D directions, of a unit strain in all three
    double bulk_energy = 0;                      ///< its work: sum of the 3 x 3 normal block of D
};

/// A solid's D as it stands; in the plane its 11, 22, 12 block (plane strain), or that block with the out-of-plane
/// stresses condensed to zero (plane stress).
template <int D>
Elasticity<D> elasticity(const ElasticMaterial& material, Stress stress);

/// What an element is computed from.
template <int N, int D>
struct Setting {
    Eigen::Matrix<double, N, D> x;
    Elasticity<D> material;
    const ElementTraits& kind;
    const ElementOptions& options;
};

/// dx_i/dxi_k, refused unless the element is right side out here. Round-off of a flat element is about 1e-16 of the
/// Jacobian's size to the power D; the narrowest element that is meant stays far above 1e-14.
template <int N, int D, class Gradient>
Point<D> jacobian(const Setting<N, D>& s, const Gradient& natural, double& determinant) {
    Point<D> j = s.x.transpose() * natural;
    determinant = j.determinant();
    if (!(determinant > 1e-14 * std::pow(j.norm(), D)))
        throw core::BadInput(
            std::string(s.options.label),
            fmt::format("{} is inverted or degenerate: its Jacobian is {:.4g} at an integration point and must be "
                        "positive; check the order and the place of its nodes",
                        s.kind.name, determinant));
    return j;
}

/// Gradients of all N nodes at one tabulated point.
template <int N, int D>
struct AtPoint {
    Eigen::Matrix<double, N, D> gradient;  ///< dN_a/dx_k
    double volume;                         ///< weight times |J| (times thickness)
};

template <int N, int D>
AtPoint<N, D> at_point(const Setting<N, D>& s, const Tabulation& t, Eigen::Index p) {
    const Eigen::Map<const Eigen::Matrix<double, N, D>> natural(t.gradient[static_cast<std::size_t>(p)].data());
    double determinant = 0;
    const Point<D> j = jacobian<N, D>(s, natural, determinant);
    AtPoint<N, D> at;
    at.gradient.noalias() = natural * j.inverse();
    at.volume = t.weight[p] * determinant * (D == 2 ? s.options.thickness : 1.0);
    return at;
}

/// dN_1/dx dN_1/dy .. dN_2/dx ..: the order of the DOF.
template <int N, int D>
Eigen::Matrix<double, N * D, 1> stacked(const Eigen::Matrix<double, N, D>& gradient) {
    Eigen::Matrix<double, N * D, 1> g;
    for (int a = 0; a < N; ++a)
        for (int k = 0; k < D; ++k) g[a * D + k] = gradient(a, k);
    return g;
}

/// K from the scaled gradients, one point a column.
template <int N, int D, class Scaled>
Eigen::Matrix<double, N * D, N * D> contract(const Elasticity<D>& material, const Scaled& scaled) {
    constexpr int size = N * D;
    Eigen::Matrix<double, size, size> moments = Eigen::Matrix<double, size, size>::Zero();
    for (int b = 0; b < N; ++b)  // the block columns, from the diagonal down
        moments.template block<Eigen::Dynamic, D>(b * D, b * D, size - b * D, D).noalias() =
            scaled.bottomRows(size - b * D).lazyProduct(scaled.template middleRows<D>(b * D).transpose());
    Eigen::Matrix<double, size, size> k;
    for (int b = 0; b < N; ++b)
        for (int a = b; a < N; ++a) {
            Eigen::Matrix<double, D * D, 1> pair;
            for (int r = 0; r < D; ++r)
                for (int c = 0; c < D; ++c) pair[r * D + c] = moments(a * D + r, b * D + c);
            const Eigen::Matrix<double, D * D, 1> block = material.tensor * pair;
            for (int i = 0; i < D; ++i)
                for (int j = 0; j < D; ++j) k(a * D + i, b * D + j) = k(b * D + j, a * D + i) = block[i * D + j];
        }
    return k;
}

/// The leading `Kept` DOF of a stiffness whose other DOF carry no load: K_uu - K_ua K_aa^-1 K_au.
template <int Kept, int Size>
Eigen::Matrix<double, Kept, Kept> condensed(const Eigen::Matrix<double, Size, Size>& k) {
    constexpr int inner = Size - Kept;
    const Eigen::Matrix<double, inner, Kept> coupling = k.template bottomLeftCorner<inner, Kept>();
    const Eigen::Matrix<double, inner, inner> block = k.template bottomRightCorner<inner, inner>();
    const Eigen::Matrix<double, inner, Kept> solved = block.llt().solve(coupling);
    Eigen::Matrix<double, Kept, Kept> out = k.template topLeftCorner<Kept, Kept>();
    out.noalias() -= coupling.transpose().lazyProduct(solved);
    return 0.5 * (out + out.transpose());
}

template <int N, int D>
using Stiffness = Eigen::Matrix<double, N * D, N * D>;

template <int N, int D>
Stiffness<N, D> plain_stiffness(const Setting<N, D>& s);
template <int N, int D>
Stiffness<N, D> averaged_dilatation_stiffness(const Setting<N, D>& s);
template <int N, int D>
Stiffness<N, D> incompatible_mode_stiffness(const Setting<N, D>& s);
template <int N, int D>
Stiffness<N, D> mean_strain_stiffness(const Setting<N, D>& s);

struct Mass {
    Eigen::MatrixXd matrix;
    double volume;
};
template <int N, int D>
Mass consistent_mass(const Setting<N, D>& s, double density);

// Every shape's <nodes, dimension>, for explicit instantiation.
#define FAYING_FE_EVERY_SHAPE(X) X(3, 2) X(6, 2) X(4, 2) X(8, 2) X(4, 3) X(10, 3) X(6, 3) X(15, 3) X(8, 3) X(20, 3)

}  // namespace faying::fe::detail
