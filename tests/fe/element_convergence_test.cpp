// Observed order: a smooth field u_i = sin(a_i . x + c_i) with the body force that holds it, on a smoothly distorted
// mesh and one of half the size. The L2 error of the displacement falls with order 2 (linear) or 3 (quadratic).

#include <gtest/gtest.h>

#include <cmath>

#include "box_mesh.hpp"

namespace {

using namespace faying;
using namespace faying::fe;

class Convergence : public testing::TestWithParam<ElementTraits> {};
FAYING_EVERY_ELEMENT(Convergence);

constexpr double young = 2.0, poisson = 0.3;

struct Field {
    Eigen::Matrix3d wave;  ///< a_i in row i
    Eigen::Vector3d phase{0.3, 0.9, -0.4};
    int d;
    double lambda, shear;

    explicit Field(const ElementTraits& t) : d(t.dimension()) {
        wave << 2.0, 1.0, 0.7, -1.0, 2.2, 0.5, 0.6, -0.8, 1.9;
        shear = young / (2 * (1 + poisson));
        lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
        if (t.stress == Stress::plane_stress) lambda = 2 * lambda * shear / (lambda + 2 * shear);
    }
    double u(int i, const Eigen::Vector3d& x) const { return std::sin(wave.row(i).head(d).dot(x.head(d)) + phase[i]); }
    /// -((lambda + G) grad div u + G laplace u)
    double force(int i, const Eigen::Vector3d& x) const {
        double f = shear * wave.row(i).head(d).squaredNorm() * u(i, x);
        for (int j = 0; j < d; ++j) f += (lambda + shear) * wave(j, j) * wave(j, i) * u(j, x);
        return f;
    }
};

/// Visits the points of the mass rule of every element.
template <class F>
void at_points(const Mesh& mesh, F&& f) {
    const auto& block = mesh.blocks[0];
    const ElementTraits& t = traits(block.kind);
    const int d = t.dimension();
    const Tabulation& table = tabulated(t.shape, t.mass_rule);
    const auto n = static_cast<std::size_t>(t.nodes());
    for (std::size_t e = 0; e < block.size(); ++e) {
        const std::span<const int> nodes(block.nodes.data() + e * n, n);
        Eigen::MatrixX3d x(t.nodes(), 3);
        for (std::size_t a = 0; a < n; ++a) x.row(static_cast<Eigen::Index>(a)) = mesh.nodes.row(nodes[a]);
        for (Eigen::Index p = 0; p < table.weight.size(); ++p) {
            const Eigen::MatrixXd j = x.leftCols(d).transpose() * table.gradient[static_cast<std::size_t>(p)];
            const Eigen::VectorXd shape = table.value.col(p);
            f(nodes, shape, Eigen::Vector3d(x.transpose() * shape), table.weight[p] * j.determinant());
        }
    }
}

double error(const ElementTraits& t, int n) {
    const Field field(t);
    const int d = t.dimension();
    const auto material = isotropic(young, poisson, 1.0);
    tests::Grid grid{n, n, n, {1, 1, 1}, {}};
    const auto outside = tests::outside(tests::box_mesh(t.kind, grid, material), grid, d == 3);
    grid.map = [d](const Eigen::RowVector3d& x) -> Eigen::RowVector3d {
        const double bend = 0.08 * std::sin(2.5 * x[0] + 1) * std::cos(2 * x[1]);
        return {x[0] + bend, x[1] - 0.7 * bend + 0.05 * x[0] * x[1],
                d == 3 ? x[2] + 0.5 * bend + 0.05 * x[1] * x[2] : 0.0};
    };
    const Mesh mesh = tests::box_mesh(t.kind, grid, material);
    Eigen::VectorXd given(mesh.nodes.rows() * d), load = Eigen::VectorXd::Zero(mesh.nodes.rows() * d);
    std::vector<bool> held;
    for (Eigen::Index a = 0; a < mesh.nodes.rows(); ++a)
        for (int i = 0; i < d; ++i) {
            given[a * d + i] = field.u(i, mesh.nodes.row(a).transpose());
            held.push_back(outside[static_cast<std::size_t>(a)]);
        }
    at_points(mesh, [&](std::span<const int> nodes, const Eigen::VectorXd& shape, const Eigen::Vector3d& x, double w) {
        for (int i = 0; i < d; ++i) {
            const double f = w * field.force(i, x);
            for (std::size_t a = 0; a < nodes.size(); ++a)
                load[nodes[a] * d + i] += f * shape[static_cast<Eigen::Index>(a)];
        }
    });
    const Eigen::VectorXd u = tests::solve_held(assemble(mesh).stiffness, load, given, held);
    double square = 0;
    at_points(mesh, [&](std::span<const int> nodes, const Eigen::VectorXd& shape, const Eigen::Vector3d& x, double w) {
        for (int i = 0; i < d; ++i) {
            double found = 0;
            for (std::size_t a = 0; a < nodes.size(); ++a)
                found += shape[static_cast<Eigen::Index>(a)] * u[nodes[a] * d + i];
            square += w * std::pow(found - field.u(i, x), 2);
        }
    });
    return std::sqrt(square);
}

TEST_P(Convergence, OrderOfTheDisplacement) {
    const bool quadratic = linear_shape(GetParam().shape) != GetParam().shape;
    const int n = GetParam().dimension() == 2 ? 8 : quadratic ? 3 : 4;
    const double coarse = error(GetParam(), n), fine = error(GetParam(), 2 * n);
    const double order = std::log2(coarse / fine), expected = quadratic ? 3 : 2;
    RecordProperty("order", std::to_string(order));
    std::printf("[ order    ] %-6s %.2f  error %.2e -> %.2e\n", GetParam().name.data(), order, coarse, fine);
    EXPECT_GT(order, expected - 0.25);
    EXPECT_LT(order, expected + 0.6);
}

}  // namespace
