// The plain displacement element and the one with an averaged dilatation.

#include "kernel.hpp"

namespace faying::fe::detail {

namespace {

/// Voigt place of (i, j) in 11, 22, 33, 12, 13, 23.
constexpr int voigt[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};

/// D with the stresses 33, 13, 23 held at zero.
Matrix6 without_out_of_plane_stress(const Matrix6& full) {
    constexpr int in[3] = {0, 1, 3}, out[3] = {2, 4, 5};
    Eigen::Matrix3d a, b, c;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            a(i, j) = full(in[i], in[j]);
            b(i, j) = full(in[i], out[j]);
            c(i, j) = full(out[i], out[j]);
        }
    a -= b * c.llt().solve(b.transpose());
    Matrix6 d = Matrix6::Zero();
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) d(in[i], in[j]) = 0.5 * (a(i, j) + a(j, i));
    return d;
}

}  // namespace

template <int D>
Elasticity<D> elasticity(const ElasticMaterial& material, Stress stress) {
    const Matrix6 full =
        stress == Stress::plane_stress ? without_out_of_plane_stress(material.elasticity) : material.elasticity;
    Elasticity<D> e;
    for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) {
            for (int k = 0; k < D; ++k)
                for (int l = 0; l < D; ++l) e.tensor(i * D + j, k * D + l) = full(voigt[i][k], voigt[j][l]);
            e.bulk_stress(i, j) = full.row(voigt[i][j]).head<3>().sum();
        }
    e.bulk_energy = full.topLeftCorner<3, 3>().sum();
    return e;
}

template <int N, int D>
Stiffness<N, D> plain_stiffness(const Setting<N, D>& s) {
    const Tabulation& t = tabulated(s.kind.shape, s.kind.stiffness_rule);
    Eigen::Matrix<double, N * D, Eigen::Dynamic, 0, N * D, 27> scaled(N * D, t.weight.size());
    for (Eigen::Index p = 0; p < t.weight.size(); ++p) {
        const auto at = at_point<N, D>(s, t, p);
        scaled.col(p) = std::sqrt(at.volume) * stacked<N, D>(at.gradient);
    }
    return contract<N, D>(s.material, scaled);
}

/// strain = B u + (1/3) (mean div u - div u) m, m = unit strain in all three directions: the volumetric strain is the
/// element's mean, the rest as integrated. With d = mean g - g and h = (stress of m) g:
/// K = plain + sum w (h d^T + d h^T)/3 + (m^T D m)/9 sum w d d^T.
template <int N, int D>
Stiffness<N, D> averaged_dilatation_stiffness(const Setting<N, D>& s) {
    const Tabulation& t = tabulated(s.kind.shape, s.kind.stiffness_rule);
    Eigen::Matrix<double, N * D, 1> mean = Eigen::Matrix<double, N * D, 1>::Zero();
    double volume = 0;
    for (Eigen::Index p = 0; p < t.weight.size(); ++p) {
        const auto at = at_point<N, D>(s, t, p);
        mean += at.volume * stacked<N, D>(at.gradient);
        volume += at.volume;
    }
    mean /= volume;
    Stiffness<N, D> k = plain_stiffness<N, D>(s);
    for (Eigen::Index p = 0; p < t.weight.size(); ++p) {
        const auto at = at_point<N, D>(s, t, p);
        const Eigen::Matrix<double, N * D, 1> d = mean - stacked<N, D>(at.gradient);
        const Eigen::Matrix<double, N, D> stressed = at.gradient * s.material.bulk_stress;
        const Eigen::Matrix<double, N * D, 1> h = stacked<N, D>(stressed);
        const Stiffness<N, D> cross = h * d.transpose();
        k += at.volume * ((cross + cross.transpose()) / 3 + s.material.bulk_energy / 9 * d * d.transpose());
    }
    return k;
}

template Elasticity<2> elasticity<2>(const ElasticMaterial&, Stress);
template Elasticity<3> elasticity<3>(const ElasticMaterial&, Stress);
#define FAYING_FE_PLAIN(N, D) template Stiffness<N, D> plain_stiffness<N, D>(const Setting<N, D>&);
FAYING_FE_EVERY_SHAPE(FAYING_FE_PLAIN)
template Stiffness<4, 2> averaged_dilatation_stiffness<4, 2>(const Setting<4, 2>&);
template Stiffness<8, 3> averaged_dilatation_stiffness<8, 3>(const Setting<8, 3>&);

}  // namespace faying::fe::detail
