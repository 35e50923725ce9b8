// C3D8I, CPE4I, CPS4I: E. L. Wilson et al. (1973) with the correction of R. L. Taylor, P. J. Beresford, E. L. Wilson,
// IJNME 10 (1976) 1211. To the nodes' field come the bubbles psi_k = 1 - xi_k^2, in every direction, with gradients
//
//     d psi_k / dx = (|J0| / |J|) J0^-T d psi_k / dxi,     J0 = J at the centre
//
// whose integral vanishes on any shape of element, so that a constant stress does no work on them and the patch test
// holds. They belong to the element alone and are condensed out.

#include "kernel.hpp"

namespace faying::fe::detail {

template <int N, int D>
Stiffness<N, D> incompatible_mode_stiffness(const Setting<N, D>& s) {
    const Shape shape = s.kind.shape;
    const Tabulation& t = tabulated(shape, s.kind.stiffness_rule);
    const Tabulation& centre = tabulated(shape, D == 3 ? Rule::hex1 : Rule::quad1);
    const Eigen::Map<const Eigen::Matrix<double, N, D>> at_centre(centre.gradient[0].data());
    double centre_determinant = 0;
    const Point<D> centre_inverse = jacobian<N, D>(s, at_centre, centre_determinant).inverse();
    const auto& points = quadrature(s.kind.stiffness_rule);

    Eigen::Matrix<double, (N + D) * D, (1 << D)> scaled;
    for (int p = 0; p < (1 << D); ++p) {
        const auto at = at_point<N, D>(s, t, p);
        const double thickness = D == 2 ? s.options.thickness : 1.0;
        const double ratio = centre_determinant * t.weight[p] * thickness / at.volume;  // |J0| / |J|
        Eigen::Matrix<double, N + D, D> gradient;
        gradient.template topRows<N>() = at.gradient;
        for (int k = 0; k < D; ++k)
            gradient.row(N + k) = ratio * -2 * points[static_cast<std::size_t>(p)].xi[k] * centre_inverse.row(k);
        scaled.col(p) = std::sqrt(at.volume) * stacked<N + D, D>(gradient);
    }
    return condensed<N * D, (N + D) * D>(contract<N + D, D>(s.material, scaled));
}

template Stiffness<4, 2> incompatible_mode_stiffness<4, 2>(const Setting<4, 2>&);
template Stiffness<8, 3> incompatible_mode_stiffness<8, 3>(const Setting<8, 3>&);

}  // namespace faying::fe::detail
