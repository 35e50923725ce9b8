// [S3] chapter 3 and Appendix D: 500 sliders, their singular values, and the two-state matrices fitted to them.

#include <Eigen/Dense>
#include <Eigen/SVD>

#include "faying/laws/iwan_sliders.hpp"
#include "faying/laws/two_state.hpp"
#include "published/scoreboard.hpp"
#include "reference.hpp"
#include "turning_points.hpp"

namespace {

using namespace faying::laws;
using faying::tests::expect_row;
using faying::tests::reference;

constexpr int n = 500;

struct Fitted {
    Eigen::Matrix2d A;
    Eigen::Vector2d b;
    Eigen::Vector3d scatter;  ///< standard error of A11, A12, A22 from a million random directions, as the thesis drew
};

/// [S3] Eqs. 3.8, 3.13-3.17 with phi_r = exp(-alpha x^1.5) x^(1.5(r-1)) on x = linspace(0, 500, 500).
///
/// The fit minimises the mean over directions eta of (eta.A eta/G^2 - 1)^2. G's kinks are 500 weak ones, so `angles`
/// equal angles converge fast; 4000 and 8000 agree to 1e-7.
Fitted fit(double alpha, int angles) {
    Eigen::MatrixXd basis(n, 2);
    Eigen::VectorXd friction(n);
    for (int j = 0; j < n; ++j) {
        const double x = 500.0 * j / (n - 1), y = std::pow(x, 1.5);
        basis(j, 0) = std::exp(-alpha * y);
        basis(j, 1) = std::exp(-alpha * y) * y;
        friction(j) = (j + 1.0) / n;
    }
    Eigen::MatrixXd Phi = Eigen::JacobiSVD<Eigen::MatrixXd>(basis, Eigen::ComputeThinU).matrixU();
    for (int r = 0; r < 2; ++r)
        if (Phi.col(r).sum() < 0) Phi.col(r) *= -1;
    Eigen::MatrixXd H(angles, 3);
    for (int i = 0; i < angles; ++i) {
        const double angle = std::numbers::pi * i / angles;
        const Eigen::Vector2d eta(std::cos(angle), std::sin(angle));
        const double G = friction.dot((Phi * eta).cwiseAbs());
        H.row(i) << eta(0) * eta(0), 2 * eta(0) * eta(1), eta(1) * eta(1);
        H.row(i) /= G * G;
    }
    const Eigen::Vector3d a = H.colPivHouseholderQr().solve(Eigen::VectorXd::Ones(angles));
    Fitted f;
    f.A << a(0), a(1), a(1), a(2);
    f.b = Phi.colwise().sum().transpose() / n;
    const Eigen::VectorXd residual = H * a - Eigen::VectorXd::Ones(angles);
    const Eigen::Matrix3d inverse = (H.transpose() * H).inverse();
    const Eigen::Matrix3d middle = H.transpose() * residual.cwiseAbs2().asDiagonal() * H;
    f.scatter = (inverse * middle * inverse * (angles / 1e6)).diagonal().cwiseSqrt();
    return f;
}

TEST(PublishedChapter3, FittedMatrices) {
    const auto data = reference("low_dimensional")["regenerated_matrices"];
    for (const auto& [alpha, name] : {std::pair{0.0008, "alpha_0p0008"}, std::pair{0.0012, "alpha_0p0012"}}) {
        const auto f = fit(alpha, 4000);
        const std::vector<double> ours = {f.A(0, 0), f.A(0, 1), f.A(1, 1), f.b(0), f.b(1)};
        expect_row(alpha < 0.001 ? "3a" : "3b", ours);
        expect_row(alpha < 0.001 ? "3c" : "3d", {f.scatter(0), f.scatter(1), f.scatter(2)});
        for (int i = 0; i < 3; ++i) EXPECT_RELATIVE(ours[i], data[name]["Abar_11_12_22"][i].get<double>(), 1e-6);
        for (int i = 0; i < 2; ++i) EXPECT_RELATIVE(ours[3 + i], data[name]["bbar"][i].get<double>(), 1e-9);
        if (alpha > 0.001) {  // the printed A11 = 11.1372 is no draw of that fit; a digit less would be
            EXPECT_NEAR((11.1372 - f.A(0, 0)) / f.scatter(0), 9.0, 0.1);
            EXPECT_LT(std::abs(11.1272 - f.A(0, 0)) / f.scatter(0), 2);
        }
        const auto finer = fit(alpha, 8000);
        EXPECT_LT((finer.A - f.A).norm(), 1e-6 * f.A.norm());
    }
}

TEST(PublishedChapter3, AppendixDFollowsFromThePrintedMatrices) {
    const double friction = 0.002, alpha = 1.0 / n;
    Eigen::Matrix2d A;
    A << 24.8170, -10.0836, -10.0836, 6.2967;
    const Eigen::Vector2d printed_b(0.0326, 0.0068);
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen(friction * friction * A);
    const double mu = eigen.eigenvalues()(1), sigma = eigen.eigenvalues()(0) / mu;
    expect_row("D1", {mu});
    expect_row("D2", {sigma});
    const Eigen::Vector2d b = (eigen.eigenvectors().transpose() * printed_b).cwiseAbs();
    expect_row("D3", {b(0), b(1)});
    // What the unrotated b changes: half the gap between the saturated branches, sqrt(b.A b)/alpha; not their slope.
    std::vector<double> half_gap, slope;
    for (const Eigen::Vector2d& used : {printed_b, b}) {
        const TwoState<> law({alpha, sigma, used(0), used(1), 0, mu});
        const auto far = law.step(law.virgin(), 60.0);
        half_gap.push_back(far.force - far.tangent * 60);
        slope.push_back(far.tangent);
        EXPECT_NEAR(half_gap.back(), std::sqrt(mu * (sigma * used(0) * used(0) + used(1) * used(1))) / alpha, 1e-10);
    }
    expect_row("D4", half_gap);
    expect_row("D5", slope);
    const auto data = reference("low_dimensional")["chapter3"]["twostate_alpha_0.0008"];
    EXPECT_RELATIVE(mu, data["mubar"].get<double>(), 1e-12);
    EXPECT_RELATIVE(sigma, data["sigma"].get<double>(), 1e-12);
    for (int i = 0; i < 2; ++i) EXPECT_RELATIVE(b(i), std::abs(data["rotated_b"][i].get<double>()), 1e-12);
}

TEST(PublishedChapter3, SingularValues) {
    // 12000 states 0.001 apart; the singular values by way of the 500 x 500 Gram matrix, good to 1e-11 for these ten.
    const EqualSliders<> law({1, 1, n});
    const faying::tests::TwoSines u{0.6748, 1, 0.2887, 6.5581};
    const int samples = 12000, block = 1000;
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(n, n), rows(n, block);
    auto z = law.virgin();
    Step<double, EqualSliders<>::State> s;
    for (int i = 1; i <= samples; ++i) {
        s = law.step(std::move(z), u(0.001 * i));
        z = s.next;
        rows.col((i - 1) % block) = Eigen::Map<const Eigen::VectorXd>(z.positions.data(), n);
        if (i % block == 0) gram.selfadjointView<Eigen::Lower>().rankUpdate(rows);
    }
    const auto singular = [](const Eigen::MatrixXd& lower) -> Eigen::VectorXd {
        return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(lower, Eigen::EigenvaluesOnly)
            .eigenvalues()
            .reverse()
            .head(10)
            .cwiseSqrt();
    };
    const Eigen::VectorXd values = singular(gram);
    const Eigen::VectorXd last = rows.col(block - 1);
    const Eigen::VectorXd earlier = singular(gram - last * last.transpose());  // t = 0 .. 11.999: the first row is zero
    const auto data = reference("low_dimensional")["chapter3"]["full500"];
    std::vector<double> ours(values.begin(), values.end());
    for (int i = 0; i < 10; ++i) {
        EXPECT_RELATIVE(values(i), data["sv_rows_t_dt_to_12"][i].get<double>(), 1e-10);
        EXPECT_RELATIVE(earlier(i), data["sv_rows_t_0_to_11p999"][i].get<double>(), 1e-10);
    }
    expect_row("3e", ours);
    EXPECT_NEAR(s.force, data["f12_sampled_dt0p001"].get<double>(), 1e-12);
}

}  // namespace
