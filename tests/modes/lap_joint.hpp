#pragma once
// Synthetic lap joints: two plane-stress-free beams of Timoshenko-like 3-D lumps are more than the solvers need, so
// each side is a chain of points with three translations, coupled to its neighbours in all directions by beam-like
// springs, and the joint lies between the sides. Spectrum, areas and law parameters are sized like the Brake-Reuss
// beam's; it is not that beam.

#include <cmath>

#include "faying/structure/reduced.hpp"

namespace faying::tests {

/// 43 DOF in all: five patches with six relative DOF, and 13 modes of the rest that drag them along by inertia.
inline structure::Reduced whole_joint() {
    constexpr int patches = 5, kept = 13, m = 6 * patches, n = m + kept;
    const double pi = std::acos(-1.0);
    structure::Reduced r;
    r.mass = Eigen::MatrixXd::Identity(n, n);
    r.stiffness = Eigen::MatrixXd::Zero(n, n);
    for (int p = 0; p < patches; ++p)
        for (int c = 0; c < 6; ++c) {
            const int a = 6 * p + c;
            r.stiffness(a, a) += c == 2 ? 1e4 : 1e7;  // soft along the bolts: the joint may separate
            if (p == 0) continue;
            const int b = a - 6;
            r.stiffness(a, a) += 2e7;
            r.stiffness(b, b) += 2e7;
            r.stiffness(a, b) -= 2e7;
            r.stiffness(b, a) -= 2e7;
        }
    for (int k = 0; k < kept; ++k) {
        const double w = 2 * pi * 170.0 * std::pow(1.45, k);
        r.stiffness(m + k, m + k) = w * w;
        for (int p = 0; p < patches; ++p)
            for (int c = 0; c < 6; ++c) {
                const double x = (p - 2) / 2.0, share[] = {0.14, 0.03, 0.06, 0.02, 0.04, 0.02};
                const double drag = share[c] * std::cos(0.7 * k + 1.1 * c + (0.4 + 0.3 * k) * x) / std::sqrt(1.0 + k);
                r.mass(m + k, 6 * p + c) = r.mass(6 * p + c, m + k) = drag;
            }
    }
    const double areas[] = {3.6e-4, 7.3e-4, 7.3e-4, 7.3e-4, 3.6e-4};
    Eigen::VectorXd preload = Eigen::VectorXd::Zero(n);
    for (int p = 0; p < patches; ++p) {
        structure::Patch patch;
        patch.name = "p" + std::to_string(p + 1);
        patch.area = areas[p];
        patch.map = Eigen::MatrixXd::Zero(6, n);
        for (int c = 0; c < 6; ++c) patch.map(c, 6 * p + c) = 1.0;
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
    // Neighbours hold each other; all together the faces are held softly, along the bolts hardly at all.
    for (int a = 0; a < m; ++a) r.stiffness(a, a) = (a % 3 == 2 ? 1e4 : 1e7) / nodes;
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
    for (int a = 0; a < m; ++a) r.mass(a, a) = 12.0 / nodes;
    for (int k = 0; k < kept; ++k) {
        const double w = 2 * pi * 170.0 * std::pow(1.1, k);
        r.stiffness(m + k, m + k) = w * w;
        for (int i = 0; i <= nx; ++i)
            for (int j = 0; j <= ny; ++j) {
                const double x = double(i) / nx, y = double(j) / ny;
                const double share = 1.1 / nodes / std::sqrt(1.0 + k);
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

/// Five patches: a tangential law scaled by area and normal springs.
inline structure::Model patches_with(const std::string& law, const core::ParameterValues& values, double kn = 1e13) {
    const auto r = whole_joint();
    auto model = structure::bare_model(r, {{"preload", 12845.0}});
    model.joints.push_back(
        structure::joint_on_patches(r, "tangential", laws::Law(law, values), {"all"}, "tangential", true));
    model.joints.push_back(
        structure::joint_on_patches(r, "normal", laws::Law("polynomial", {{"k1", kn}}), {"all"}, "normal", true));
    return model;
}

}  // namespace faying::tests
