#pragma once
// Meshes of a box for any element kind: cells of a grid, cut into two wedges (triangles) or six tetrahedra.

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <utility>

#include "faying/fe/assembly.hpp"

namespace faying::tests {

using Map = std::function<Eigen::RowVector3d(const Eigen::RowVector3d&)>;

/// Cells by direction; plane kinds ignore the third.
struct Grid {
    int nx = 2, ny = 2, nz = 2;
    Eigen::RowVector3d size{1, 1, 1};
    Map map;  ///< moves the corner nodes; midside nodes stay in the middle of straight edges
};

inline std::vector<std::vector<int>> cuts(fe::Shape linear) {
    switch (linear) {
        case fe::Shape::tri3: return {{0, 1, 2}, {0, 2, 3}};
        case fe::Shape::quad4: return {{0, 1, 2, 3}};
        case fe::Shape::tet4:
            return {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
        case fe::Shape::wedge6: return {{0, 1, 2, 4, 5, 6}, {0, 2, 3, 4, 6, 7}};
        default: return {{0, 1, 2, 3, 4, 5, 6, 7}};
    }
}

inline fe::Mesh box_mesh(fe::ElementKind kind, const Grid& g, const fe::ElasticMaterial& material) {
    const fe::ElementTraits& t = fe::traits(kind);
    const bool solid = t.stress == fe::Stress::solid;
    const int nz = solid ? g.nz : 0;
    std::vector<Eigen::RowVector3d> x;
    for (int k = 0; k <= nz; ++k)
        for (int j = 0; j <= g.ny; ++j)
            for (int i = 0; i <= g.nx; ++i) {
                const Eigen::RowVector3d at(g.size[0] * i / g.nx, g.size[1] * j / g.ny, nz ? g.size[2] * k / nz : 0.0);
                x.push_back(g.map ? g.map(at) : at);
            }
    fe::ElementBlock block{kind, {}, {}, 0, 1.0};
    std::map<std::pair<int, int>, int> middle;
    const auto corner = [&](int i, int j, int k) { return i + (g.nx + 1) * (j + (g.ny + 1) * k); };
    for (int k = 0; k < std::max(nz, 1); ++k)
        for (int j = 0; j < g.ny; ++j)
            for (int i = 0; i < g.nx; ++i) {
                std::vector<int> cell;
                for (int c = 0; c <= (solid ? 1 : 0); ++c)
                    for (const auto& [di, dj] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
                        cell.push_back(corner(i + di, j + dj, k + c));
                for (const auto& cut : cuts(fe::linear_shape(t.shape))) {
                    std::vector<int> nodes;
                    for (const int c : cut) nodes.push_back(cell[static_cast<std::size_t>(c)]);
                    if (fe::linear_shape(t.shape) != t.shape)
                        for (const auto& [a, b] : fe::edges(t.shape)) {
                            const auto ends =
                                std::minmax(nodes[static_cast<std::size_t>(a)], nodes[static_cast<std::size_t>(b)]);
                            const auto [at, is_new] = middle.try_emplace(ends, static_cast<int>(x.size()));
                            if (is_new)
                                x.push_back(0.5 * (x[static_cast<std::size_t>(ends.first)] +
                                                   x[static_cast<std::size_t>(ends.second)]));
                            nodes.push_back(at->second);
                        }
                    block.nodes.insert(block.nodes.end(), nodes.begin(), nodes.end());
                }
            }
    fe::Mesh mesh{fe::Coordinates(static_cast<Eigen::Index>(x.size()), 3), {block}, {material}};
    for (std::size_t a = 0; a < x.size(); ++a) mesh.nodes.row(static_cast<Eigen::Index>(a)) = x[a];
    return mesh;
}

/// Moves points by up to `reach` in each direction, differently at each and always alike; plane meshes stay plane.
inline Map scattered(double reach, bool solid) {
    return [reach, solid, random = std::mt19937(7)](const Eigen::RowVector3d& x) mutable -> Eigen::RowVector3d {
        std::uniform_real_distribution<double> move(-reach, reach);
        Eigen::RowVector3d y = x;
        for (int i = 0; i < (solid ? 3 : 2); ++i) y[i] += move(random);
        return y;
    };
}

/// One element of natural shape with every node moved by up to `reach`: quadratic ones get curved edges.
inline fe::Coordinates distorted(const fe::ElementTraits& t, double reach) {
    fe::Coordinates x = fe::node_coordinates(t.shape);
    auto move = scattered(reach, t.stress == fe::Stress::solid);
    for (Eigen::Index a = 0; a < x.rows(); ++a) x.row(a) = move(x.row(a));
    return x;
}

/// Nodes on the outside of the grid's box, found on the grid before any map moved it.
inline std::vector<bool> outside(const fe::Mesh& unmoved, const Grid& g, bool solid) {
    std::vector<bool> on;
    for (Eigen::Index a = 0; a < unmoved.nodes.rows(); ++a) {
        bool hit = false;
        for (int i = 0; i < (solid ? 3 : 2); ++i)
            hit = hit || unmoved.nodes(a, i) < 1e-9 || unmoved.nodes(a, i) > g.size[i] - 1e-9;
        on.push_back(hit);
    }
    return on;
}

/// Solves K u = f with u given where `held`; f may be empty.
inline Eigen::VectorXd solve_held(const Eigen::SparseMatrix<double>& k, const Eigen::VectorXd& f,
                                  const Eigen::VectorXd& given, const std::vector<bool>& held) {
    std::vector<int> place(held.size(), -1);
    int free = 0;
    for (std::size_t i = 0; i < held.size(); ++i)
        if (!held[i]) place[i] = free++;
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::VectorXd right(free);
    for (std::size_t i = 0; i < held.size(); ++i)
        if (place[i] >= 0) right[place[i]] = f.size() ? f[static_cast<Eigen::Index>(i)] : 0.0;
    for (int c = 0; c < k.outerSize(); ++c)
        for (Eigen::SparseMatrix<double>::InnerIterator it(k, c); it; ++it) {
            const int row = place[static_cast<std::size_t>(it.row())], column = place[static_cast<std::size_t>(c)];
            if (row < 0) continue;
            if (column >= 0)
                entries.emplace_back(row, column, it.value());
            else
                right[row] -= it.value() * given[c];
        }
    Eigen::SparseMatrix<double> inner(free, free);
    inner.setFromTriplets(entries.begin(), entries.end());
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(inner);
    const Eigen::VectorXd solved = solver.solve(right);
    Eigen::VectorXd u = given;
    for (std::size_t i = 0; i < held.size(); ++i)
        if (place[i] >= 0) u[static_cast<Eigen::Index>(i)] = solved[place[i]];
    return u;
}

inline std::string kind_name(const fe::ElementTraits& t) { return std::string(t.name); }

inline std::vector<fe::ElementTraits> elements_that_bend_far() {
    std::vector<fe::ElementTraits> all;
    for (const auto& t : fe::all_element_kinds())
        if (t.formulation == fe::Formulation::plain) all.push_back(t);
    return all;
}

}  // namespace faying::tests

// Every element kind as a parameter: SUITE derives from testing::TestWithParam<faying::fe::ElementTraits>.
#define FAYING_EVERY_ELEMENT(SUITE)                                                                        \
    INSTANTIATE_TEST_SUITE_P(                                                                              \
        Elements, SUITE,                                                                                   \
        testing::ValuesIn(faying::fe::all_element_kinds().begin(), faying::fe::all_element_kinds().end()), \
        [](const auto& info) { return faying::tests::kind_name(info.param); })
