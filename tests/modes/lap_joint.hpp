#pragma once
// Synthetic lap joints: two plane-stress-free beams of Timoshenko-like 3-D lumps are more than the solvers need, so
// each side is a chain of points with three translations, coupled to its neighbours in all directions by beam-like
// springs, and the joint lies between the sides. Spectrum, areas and law parameters are sized like the Brake-Reuss
// beam's; it is not that beam.

#include <cmath>
#include <random>

#include "faying/structure/reduced.hpp"

namespace faying::tests {

/// 43 DOF in all: five patches with six relative DOF and 13 fixed-interface modes; a random but fixed coupling mass.
inline structure::Reduced whole_joint(unsigned seed = 7) {
    constexpr int patches = 5, kept = 13, n = 6 * patches + kept;
    std::mt19937_64 random(seed);
    const auto draw = [&] { return 2.0 * double(random() >> 11) * 0x1.0p-53 - 1.0; };
    structure::Reduced r;
    const double pi = std::acos(-1.0);
    // A free-free beam's first modes from 80 Hz up, and soft connections of the patches among each other.
    Eigen::MatrixXd basis(n, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) basis(i, j) = draw();
    const Eigen::MatrixXd q = Eigen::HouseholderQR<Eigen::MatrixXd>(basis).householderQ();
    // Relative DOF first: the joint's own stiffness is what lifts the lowest modes, as a lap joint does.
    Eigen::VectorXd frequency(n);
    for (int i = 0; i < n; ++i) frequency(i) = 2 * pi * (i < 3 ? 60.0 + 25.0 * i : 120.0 * std::pow(1.22, i));
    r.mass = Eigen::MatrixXd::Identity(n, n);
    r.stiffness = q * frequency.array().square().matrix().asDiagonal() * q.transpose();
    const double areas[] = {3.6e-4, 7.3e-4, 7.3e-4, 7.3e-4, 3.6e-4};
    Eigen::VectorXd preload = Eigen::VectorXd::Zero(n);
    for (int p = 0; p < patches; ++p) {
        structure::Patch patch;
        patch.name = "p" + std::to_string(p + 1);
        patch.area = areas[p];
        patch.map = Eigen::MatrixXd::Zero(6, n);
        for (int c = 0; c < 6; ++c) patch.map(c, 6 * p + c) = c < 3 ? 1.0 : 10.0;
        preload += areas[p] / 2.92e-3 * 3 * patch.map.row(2).transpose();  // 3 bolts, shared by area
        r.patches.push_back(patch);
    }
    r.loads = {{"preload", preload}};
    r.outputs = {{"tip", Eigen::VectorXd::Unit(n, n - 1)}};
    return r;
}

/// Full joint: a grid of nx x ny quads, four Gauss points each, three relative DOF a node, and fixed-interface modes;
/// 19 x 8 = 152 elements with 180 nodes (540 interface DOF).
inline structure::Reduced full_joint(int nx = 19, int ny = 8, int kept = 49) {
    const int nodes = (nx + 1) * (ny + 1), m = 3 * nodes, n = m + kept;
    const double length = 0.12, width = 0.0254, pi = std::acos(-1.0);
    const auto node = [&](int i, int j) { return i * (ny + 1) + j; };
    structure::Reduced r;
    r.mass = Eigen::MatrixXd::Identity(n, n);
    r.stiffness = Eigen::MatrixXd::Zero(n, n);
    // Elastic half-spaces: neighbours hold each other; long waves are soft, which leaves the separation mode free.
    const auto link = [&](int a, int b, double k) {
        for (int c = 0; c < 3; ++c) {
            r.stiffness(3 * a + c, 3 * a + c) += k;
            r.stiffness(3 * b + c, 3 * b + c) += k;
            r.stiffness(3 * a + c, 3 * b + c) -= k;
            r.stiffness(3 * b + c, 3 * a + c) -= k;
        }
    };
    for (int i = 0; i <= nx; ++i)
        for (int j = 0; j <= ny; ++j) {
            if (i < nx) link(node(i, j), node(i + 1, j), 3e8);
            if (j < ny) link(node(i, j), node(i, j + 1), 3e8);
        }
    // Modes of the beams, coupled to the interface by inertia: bending drags the faces past each other.
    for (int a = 0; a < m; ++a) r.mass(a, a) = 2e-4;
    for (int k = 0; k < kept; ++k) {
        const double w = 2 * pi * 170.0 * std::pow(1.16, k);
        r.stiffness(m + k, m + k) = w * w;
        for (int i = 0; i <= nx; ++i)
            for (int j = 0; j <= ny; ++j) {
                const double x = double(i) / nx, y = double(j) / ny;
                const double share = 4e-4 / std::sqrt(double(nodes)) * std::sqrt(double(nodes) / 180.0);
                const int a = 3 * node(i, j);
                r.mass(m + k, a) = r.mass(a, m + k) = share * std::cos(pi * (k % 5) * x) * (k % 2 ? 1.0 : 0.8);
                r.mass(m + k, a + 1) = r.mass(a + 1, m + k) = 0.3 * share * std::cos(pi * (k % 3) * y);
                r.mass(m + k, a + 2) = r.mass(a + 2, m + k) = 0.5 * share * std::sin(pi * (1 + k % 4) * (x - 0.5));
            }
    }
    auto& quadrature = r.quadrature;
    quadrature.nodes = Eigen::MatrixXd::Zero(m, n);
    quadrature.nodes.leftCols(m).setIdentity();
    const int points = 4 * nx * ny;
    quadrature.weight = Eigen::VectorXd::Constant(points, length * width / points);
    quadrature.points.resize(points, 3);
    std::vector<Eigen::Triplet<double>> entries;
    int p = 0;
    for (int i = 0; i < nx; ++i)
        for (int j = 0; j < ny; ++j)
            for (const double s : {-1 / std::sqrt(3.0), 1 / std::sqrt(3.0)})
                for (const double t : {-1 / std::sqrt(3.0), 1 / std::sqrt(3.0)}) {
                    const double shape[] = {(1 - s) * (1 - t) / 4, (1 + s) * (1 - t) / 4, (1 + s) * (1 + t) / 4,
                                            (1 - s) * (1 + t) / 4};
                    const int corner[] = {node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)};
                    for (int k = 0; k < 4; ++k)
                        for (int c = 0; c < 3; ++c) entries.emplace_back(3 * p + c, 3 * corner[k] + c, shape[k]);
                    quadrature.points.row(p) << length * (i + (1 + s) / 2) / nx, width * (j + (1 + t) / 2) / ny, 0.0;
                    quadrature.element.push_back(i * ny + j);
                    ++p;
                }
    quadrature.interpolation.resize(3 * points, m);
    quadrature.interpolation.setFromTriplets(entries.begin(), entries.end());
    quadrature.map = quadrature.interpolation * quadrature.nodes;
    Eigen::VectorXd preload = Eigen::VectorXd::Zero(n);  // three bolts, each spread over a patch of nodes
    for (int i = 0; i <= nx; ++i)
        for (int j = 0; j <= ny; ++j) {
            double sum = 0;
            for (const double bolt : {0.25, 0.5, 0.75}) {
                const double dx = (double(i) / nx - bolt) * length, dy = (double(j) / ny - 0.5) * width;
                sum += std::exp(-(dx * dx + dy * dy) / (2 * 0.008 * 0.008));
            }
            preload(3 * node(i, j) + 2) = sum;
        }
    preload *= 3.0 / preload.sum();
    r.loads = {{"preload", preload}};
    r.outputs = {{"tip", Eigen::VectorXd::Unit(n, m)}};
    return r;
}

}  // namespace faying::tests
