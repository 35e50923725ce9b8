// The walk a fit goes along: as the law itself steps, with derivatives to every number.

#include "faying/network/facet_walk.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "faying/network/m_state.hpp"

namespace faying::network {
namespace {

const std::vector<double> loads{0.4, 1.3, 0.2, -0.7, -1.6, -0.5, 0.9, 0.3, 2.5, -2.5, 0.1};

/// A box of m states with two corners cut.
Facets cut_box(Eigen::Index m) {
    Facets facets{Eigen::MatrixXd::Zero(m + 2, m), Eigen::VectorXd(m)};
    for (Eigen::Index i = 0; i < m; ++i) {
        facets.coupling(i) = 1.0 - 0.1 * double(i);
        for (Eigen::Index j = 0; j < m; ++j)
            facets.normals(i, j) = i == j ? 2.0 / (1.0 + double(i)) : 0.1 * std::sin(double(3 * i + 5 * j));
    }
    facets.normals.row(m) = 0.55 * (facets.normals.row(0) + facets.normals.row(1));
    facets.normals.row(m + 1) = 0.6 * facets.normals.row(1) + 0.52 * facets.normals.row(2);
    return facets;
}

TEST(FacetWalk, StepsAsThePolytopeDoes) {
    const auto facets = cut_box(4);
    const MState law(
        Polytope{Eigen::MatrixXd::Identity(4, 4), facets.normals, Eigen::VectorXd::Ones(6), facets.coupling}, "law");
    auto z = law.virgin();
    FacetWalk walk(facets);
    for (const double f : loads) {
        walk.advance(f);
        EXPECT_NEAR(law.step(z, f).answer, walk.xi(), 1e-12);
        EXPECT_NEAR(z.dissipated, walk.dissipated(), 1e-12);
    }
    EXPECT_GT(walk.dissipated(), 1.0);
}

TEST(FacetWalk, DerivativesAreThoseOfDifferences) {
    const auto facets = cut_box(3);
    const auto x = facets.numbers();
    FacetWalk walk(facets, true);
    std::vector<Eigen::RowVectorXd> xi, dissipated;
    for (const double f : loads) {
        walk.advance(f);
        xi.push_back(walk.xi_slopes());
        dissipated.push_back(walk.dissipated_slopes());
    }
    constexpr double step = 1e-6;
    for (std::size_t k = 0; k < x.size(); ++k) {
        auto up = x, down = x;
        up[k] += step;
        down[k] -= step;
        const auto above = Facets::of(up.data(), 3, 5), below = Facets::of(down.data(), 3, 5);
        FacetWalk a(above), b(below);
        for (std::size_t i = 0; i < loads.size(); ++i) {
            a.advance(loads[i]);
            b.advance(loads[i]);
            EXPECT_NEAR(xi[i](long(k)), (a.xi() - b.xi()) / (2 * step), 1e-7) << k << " at " << i;
            EXPECT_NEAR(dissipated[i](long(k)), (a.dissipated() - b.dissipated()) / (2 * step), 1e-7)
                << k << " at " << i;
        }
    }
}

/// A corner is told of with its share, and all shares are what is dissipated.
TEST(FacetWalk, TellsWhereItDissipates) {
    const auto facets = cut_box(3);
    double total = 0;
    std::size_t most = 0;
    FacetWalk walk(facets, false, [&](const std::vector<int>& corner, const Eigen::VectorXd&, double dissipated) {
        EXPECT_GE(dissipated, 0.0);
        total += dissipated;
        most = std::max(most, corner.size());
    });
    for (const double f : loads) walk.advance(f);
    EXPECT_NEAR(total, walk.dissipated(), 1e-12 * total);
    EXPECT_GT(most, 1u);
}

}  // namespace
}  // namespace faying::network
