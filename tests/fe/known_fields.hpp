#pragma once
// A field that is known everywhere, for orders of convergence: smoothly distorted meshes, and errors of an answer.

#include <cmath>

#include "box_mesh.hpp"

namespace faying::tests {

/// u_i = size sin(a_i . x + c_i) in d directions, and its derivatives.
struct Waves {
    int d;
    double size;

    Eigen::Vector3d value(const Eigen::Vector3d& x) const {
        Eigen::Vector3d u = Eigen::Vector3d::Zero();
        for (int i = 0; i < d; ++i) u[i] = size * std::sin(argument(i, x));
        return u;
    }
    /// du_i/dx_k
    Eigen::Matrix3d gradient(const Eigen::Vector3d& x) const {
        Eigen::Matrix3d g = Eigen::Matrix3d::Zero();
        for (int i = 0; i < d; ++i)
            for (int k = 0; k < d; ++k) g(i, k) = size * wave(i, k) * std::cos(argument(i, x));
        return g;
    }
    /// d2u_i/dx_k dx_j
    Eigen::Matrix3d curvature(const Eigen::Vector3d& x, int j) const {
        Eigen::Matrix3d c = Eigen::Matrix3d::Zero();
        for (int i = 0; i < d; ++i)
            for (int k = 0; k < d; ++k) c(i, k) = -size * wave(i, k) * wave(i, j) * std::sin(argument(i, x));
        return c;
    }

 private:
    static double wave(int i, int k) {
        constexpr double a[3][3] = {{2.0, 1.0, 0.7}, {-1.0, 2.2, 0.5}, {0.6, -0.8, 1.9}};
        return a[i][k];
    }
    double argument(int i, const Eigen::Vector3d& x) const {
        constexpr double phase[3] = {0.3, 0.9, -0.4};
        double all = phase[i];
        for (int k = 0; k < d; ++k) all += wave(i, k) * x[k];
        return all;
    }
};

/// Visits the points of the mass rule of every element.
template <class F>
void at_points(const fe::Mesh& mesh, F&& f) {
    const auto& block = mesh.blocks[0];
    const fe::ElementTraits& t = fe::traits(block.kind);
    const int d = t.dimension();
    const fe::Tabulation& table = fe::tabulated(t.shape, t.mass_rule);
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

/// The unit box with n cells along each side, bent; which of its displacements are on the outside.
struct BentBox {
    fe::Mesh mesh;
    std::vector<bool> held;  ///< by displacement

    BentBox(const fe::ElementTraits& t, int n, const fe::ElasticMaterial& material) {
        const int d = t.dimension();
        Grid grid{n, n, n, {1, 1, 1}, {}};
        const auto out = outside(box_mesh(t.kind, grid, material), grid, d == 3);
        grid.map = [d](const Eigen::RowVector3d& x) -> Eigen::RowVector3d {
            const double bend = 0.08 * std::sin(2.5 * x[0] + 1) * std::cos(2 * x[1]);
            return {x[0] + bend, x[1] - 0.7 * bend + 0.05 * x[0] * x[1],
                    d == 3 ? x[2] + 0.5 * bend + 0.05 * x[1] * x[2] : 0.0};
        };
        mesh = box_mesh(t.kind, grid, material);
        for (const bool on : out) held.insert(held.end(), static_cast<std::size_t>(d), on);
    }
};

/// field(x): d components. Its values at the nodes, one node's after the other.
template <class Field>
Eigen::VectorXd at_nodes(const fe::Mesh& mesh, int d, const Field& field) {
    Eigen::VectorXd u(mesh.nodes.rows() * d);
    for (Eigen::Index a = 0; a < mesh.nodes.rows(); ++a)
        u.segment(a * d, d) = field(Eigen::Vector3d(mesh.nodes.row(a))).head(d);
    return u;
}

/// What a body force does at the nodes.
template <class Force>
Eigen::VectorXd nodal_loads(const fe::Mesh& mesh, int d, const Force& force) {
    Eigen::VectorXd load = Eigen::VectorXd::Zero(mesh.nodes.rows() * d);
    at_points(mesh, [&](std::span<const int> nodes, const Eigen::VectorXd& shape, const Eigen::Vector3d& x, double w) {
        const Eigen::Vector3d f = force(x);
        for (std::size_t a = 0; a < nodes.size(); ++a)
            load.segment(nodes[a] * d, d) += w * shape[static_cast<Eigen::Index>(a)] * f.head(d);
    });
    return load;
}

/// L2 norm of u - field.
template <class Field>
double distance(const fe::Mesh& mesh, int d, const Eigen::VectorXd& u, const Field& field) {
    double square = 0;
    at_points(mesh, [&](std::span<const int> nodes, const Eigen::VectorXd& shape, const Eigen::Vector3d& x, double w) {
        Eigen::VectorXd off = -field(x).head(d);
        for (std::size_t a = 0; a < nodes.size(); ++a)
            off += shape[static_cast<Eigen::Index>(a)] * u.segment(nodes[a] * d, d);
        square += w * off.squaredNorm();
    });
    return std::sqrt(square);
}

}  // namespace faying::tests
