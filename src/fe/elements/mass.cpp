// Consistent mass: M_ab = Int rho N_a N_b dV on each direction.

#include "kernel.hpp"

namespace faying::fe::detail {

template <int N, int D>
Mass consistent_mass(const Setting<N, D>& s, double density) {
    const bool as_stiffness = s.options.mass == MassPoints::as_stiffness && s.kind.formulation == Formulation::plain;
    const Tabulation& t = tabulated(s.kind.shape, as_stiffness ? s.kind.stiffness_rule : s.kind.mass_rule);
    Eigen::Matrix<double, N, N> scalar = Eigen::Matrix<double, N, N>::Zero();
    Mass m{Eigen::MatrixXd::Zero(N * D, N * D), 0.0};
    for (Eigen::Index p = 0; p < t.weight.size(); ++p) {
        const Eigen::Map<const Eigen::Matrix<double, N, D>> natural(t.gradient[static_cast<std::size_t>(p)].data());
        double determinant = 0;
        jacobian<N, D>(s, natural, determinant);
        const double volume = t.weight[p] * determinant * (D == 2 ? s.options.thickness : 1.0);
        const Eigen::Map<const Eigen::Matrix<double, N, 1>> value(t.value.data() + p * N);
        scalar.noalias() += volume * value * value.transpose();
        m.volume += volume;
    }
    for (int b = 0; b < N; ++b)
        for (int a = 0; a < N; ++a)
            for (int i = 0; i < D; ++i) m.matrix(a * D + i, b * D + i) = density * scalar(a, b);
    return m;
}

#define FAYING_FE_MASS(N, D) template Mass consistent_mass<N, D>(const Setting<N, D>&, double);
FAYING_FE_EVERY_SHAPE(FAYING_FE_MASS)

}  // namespace faying::fe::detail
