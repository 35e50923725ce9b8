// C3D8R, CPE4R, CPS4R: the mean strain, and a stiffness for the hourglass modes that it does not see.
//
//     K = V Bm^T D Bm + sum_{alpha beta} (gamma_alpha gamma_beta^T / n^2) (x) Kh_{alpha beta}
//
// Bm is B averaged over the volume (D. P. Flanagan, T. Belytschko, IJNME 17 (1981) 679: it passes the patch test on any
// shape, B at the centre does not). The hourglass shapes h = eta zeta, xi zeta, xi eta, xi eta zeta (xi eta in the
// plane), made orthogonal to every linear field, measure the hourglass amplitudes q = gamma^T u / n:
//
//     gamma_alpha = h_alpha - sum_i (h_alpha . x_i) b_i,   b_i = mean dN/dx_i,   n nodes
//
// Hourglass::stiffness, as Abaqus/Standard has it by default: Kh = 0.005 G V (b_i . b_i) 1 in the plane, an eighth of
// it in space: the artificial stiffness of Flanagan and Belytschko with Abaqus' coefficient. (How Abaqus scales it is
// not published; its deflections of a cantilever are, and tell: docs/theory/elements.md.) It stops hourglassing and no
// more: a bending that is one element thick is nearly free.
//
// Hourglass::enhanced: Kh is the stiffness of the field sum_alpha h_alpha(xi) q_alpha on the parallelepiped of the
// element's own centre Jacobian, with the incompatible bubbles 1 - xi_k^2 condensed out: the enhanced assumed strain
// stabilisation of M. A. Puso, IJNME 49 (2000) 1029 in its simplest form. No coefficient is to be chosen, bending is
// right with one element through the thickness, everything turns with the element, and on a parallelepiped C3D8R is
// C3D8I.

#include "kernel.hpp"

namespace faying::fe::detail {

namespace {

template <int D>
constexpr int hourglass_modes = D == 3 ? 4 : 1;

/// Directions multiplied in hourglass shape alpha, as bits.
template <int D>
constexpr int factors(int alpha) {
    constexpr int solid[4] = {0b110, 0b101, 0b011, 0b111};
    return D == 3 ? solid[alpha] : 0b11;
}

template <int D>
double hourglass(int alpha, const Eigen::Vector3d& xi, int without = 0) {
    double h = 1;
    for (int k = 0; k < D; ++k)
        if ((factors<D>(alpha) & ~without) >> k & 1) h *= xi[k];
    return h;
}

/// The shear modulus, of an anisotropic material its mean over all directions (Voigt's).
template <int D>
double shear_modulus(const Elasticity<D>& material) {
    double shear = 0, bulk = 0;
    for (int a = 0; a < D; ++a)
        for (int b = 0; b < D; ++b) {
            shear += material.tensor(a * D + a, b * D + b);  // C_abab
            bulk += material.tensor(a * D + b, a * D + b);   // C_aabb
        }
    return (D * shear - bulk) / (D == 3 ? 30 : 8);
}

/// Kh of the artificial stiffness, one number for every mode and direction.
template <int N, int D>
double artificial_stiffness(const Setting<N, D>& s, const Eigen::Matrix<double, N, D>& mean, double volume) {
    const HourglassControl& control = s.options.hourglass;
    const double modulus = control.modulus.value_or(0.005 * shear_modulus<D>(s.material));
    return control.scale * modulus * volume * mean.squaredNorm() / (D == 3 ? 8 : 1);
}

/// Kh of the enhanced one: hourglass shapes and bubbles on the parallelepiped, bubbles condensed.
template <int N, int D>
auto hourglass_stiffness(const Setting<N, D>& s, const Point<D>& centre_inverse, double volume) {
    constexpr int modes = hourglass_modes<D>;
    constexpr int points_count = 1 << D;
    const auto& points = quadrature(D == 3 ? Rule::hex8 : Rule::quad4);
    Eigen::Matrix<double, (modes + D) * D, points_count> scaled;
    for (int p = 0; p < points_count; ++p) {
        const Eigen::Vector3d& xi = points[static_cast<std::size_t>(p)].xi;
        Eigen::Matrix<double, modes + D, D> natural = Eigen::Matrix<double, modes + D, D>::Zero();
        for (int k = 0; k < D; ++k) {
            for (int alpha = 0; alpha < modes; ++alpha)
                if (factors<D>(alpha) >> k & 1) natural(alpha, k) = hourglass<D>(alpha, xi, 1 << k);
            natural(modes + k, k) = -2 * xi[k];
        }
        const Eigen::Matrix<double, modes + D, D> gradient = natural * centre_inverse;
        scaled.col(p) = std::sqrt(volume / points_count) * stacked<modes + D, D>(gradient);
    }
    return condensed<modes * D, (modes + D) * D>(contract<modes + D, D>(s.material, scaled));
}

}  // namespace

template <int N, int D>
Stiffness<N, D> mean_strain_stiffness(const Setting<N, D>& s) {
    constexpr int modes = hourglass_modes<D>;
    const Shape shape = s.kind.shape;
    const Tabulation& t = tabulated(shape, D == 3 ? Rule::hex8 : Rule::quad4);  // exact for dN/dx |J|
    Eigen::Matrix<double, N, D> mean = Eigen::Matrix<double, N, D>::Zero();
    double volume = 0;
    for (Eigen::Index p = 0; p < t.weight.size(); ++p) {
        const auto at = at_point<N, D>(s, t, p);
        mean += at.volume * at.gradient;
        volume += at.volume;
    }
    mean /= volume;

    const Tabulation& centre = tabulated(shape, D == 3 ? Rule::hex1 : Rule::quad1);
    const Eigen::Map<const Eigen::Matrix<double, N, D>> at_centre(centre.gradient[0].data());
    double determinant = 0;
    const Point<D> centre_inverse = jacobian<N, D>(s, at_centre, determinant).inverse();

    Eigen::Matrix<double, N, modes> gamma;
    for (int a = 0; a < N; ++a)
        for (int alpha = 0; alpha < modes; ++alpha)
            gamma(a, alpha) = hourglass<D>(alpha, node_coordinates(shape).row(a).transpose());
    gamma = (gamma - mean * (s.x.transpose() * gamma)).eval();

    const Eigen::Matrix<double, N * D, 1> scaled = std::sqrt(volume) * stacked<N, D>(mean);
    Stiffness<N, D> k = contract<N, D>(s.material, scaled);
    Eigen::Matrix<double, modes * D, modes * D> kh;
    if (s.options.hourglass.kind == Hourglass::enhanced)
        kh = hourglass_stiffness<N, D>(s, centre_inverse, volume);
    else
        kh = artificial_stiffness<N, D>(s, mean, volume) * Eigen::Matrix<double, modes * D, modes * D>::Identity();
    Eigen::Matrix<double, N * D, modes* D> measure = Eigen::Matrix<double, N * D, modes * D>::Zero();
    for (int a = 0; a < N; ++a)
        for (int alpha = 0; alpha < modes; ++alpha)
            for (int i = 0; i < D; ++i) measure(a * D + i, alpha * D + i) = gamma(a, alpha) / N;
    const Eigen::Matrix<double, N * D, modes* D> half = measure.lazyProduct(kh);
    const Stiffness<N, D> added = half.lazyProduct(measure.transpose());
    return k + 0.5 * (added + added.transpose());
}

template Stiffness<4, 2> mean_strain_stiffness<4, 2>(const Setting<4, 2>&);
template Stiffness<8, 3> mean_strain_stiffness<8, 3>(const Setting<8, 3>&);

}  // namespace faying::fe::detail
