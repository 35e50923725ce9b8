// Observed order: waves with the body force that holds them, on a smoothly distorted mesh and one of half the size. The L2
// error of the displacement falls with order 2 (linear) or 3 (quadratic), bent little and bent far.

#include <gtest/gtest.h>

#include "faying/fe/large_elements.hpp"
#include "known_fields.hpp"

namespace {

using namespace faying;
using namespace faying::fe;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double young = 2.0, poisson = 0.3;

/// Isotropic, linear between stress and strain; in the plane what is left of it there.
struct Elasticity {
    double lambda, shear;

    explicit Elasticity(const ElementTraits& t) {
        shear = young / (2 * (1 + poisson));
        lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
        if (t.stress == Stress::plane_stress) lambda = 2 * lambda * shear / (lambda + 2 * shear);
    }
    Matrix3d stress(const Matrix3d& strain) const {
        return lambda * strain.trace() * Matrix3d::Identity() + 2 * shear * strain;
    }
};

Matrix3d symmetric(const Matrix3d& a) { return 0.5 * (a + a.transpose()); }

double error(const ElementTraits& t, int n) {
    const Elasticity elasticity(t);
    const int d = t.dimension();
    const tests::Waves waves{d, 1};
    const tests::BentBox box(t, n, isotropic(young, poisson, 1.0));
    const auto u = [&](const Vector3d& x) { return waves.value(x); };
    const auto load = tests::nodal_loads(box.mesh, d, [&](const Vector3d& x) {
        Vector3d f = Vector3d::Zero();
        for (int j = 0; j < d; ++j) f -= elasticity.stress(symmetric(waves.curvature(x, j))).col(j);
        return f;
    });
    const auto found = tests::solve_held(assemble(box.mesh).stiffness, load, tests::at_nodes(box.mesh, d, u), box.held);
    return tests::distance(box.mesh, d, found, u);
}

/// Strains to a fifth and turns to match: St. Venant-Kirchhoff, b = -Div (F S). (Much further it gives way when pressed.)
double error_bent_far(const ElementTraits& t, int n) {
    const Elasticity elasticity(t);
    const int d = t.dimension();
    const tests::Waves waves{d, 0.06};
    const tests::BentBox box(t, n, isotropic(young, poisson, 1.0));
    const auto u = [&](const Vector3d& x) { return waves.value(x); };
    const auto load = tests::nodal_loads(box.mesh, d, [&](const Vector3d& x) {
        const Matrix3d f = Matrix3d::Identity() + waves.gradient(x);
        const Matrix3d s = elasticity.stress(0.5 * (f.transpose() * f - Matrix3d::Identity()));
        Vector3d b = Vector3d::Zero();
        for (int j = 0; j < d; ++j) {
            const Matrix3d df = waves.curvature(x, j), ds = elasticity.stress(symmetric(f.transpose() * df));
            b -= (df * s + f * ds).col(j);
        }
        return b;
    });

    const LargeElements elements(box.mesh, box.mesh.blocks[0]);
    const auto& nodes = box.mesh.blocks[0].nodes;
    const auto row = [&](std::size_t e, int i) {
        return nodes[e * static_cast<std::size_t>(t.nodes()) + static_cast<std::size_t>(i / d)] * d + i % d;
    };
    VectorXd found = tests::at_nodes(box.mesh, d, u);
    double step = 1;
    for (int newton = 0; step > 1e-9 && newton < 10; ++newton) {
        VectorXd residual = load;
        std::vector<Eigen::Triplet<double>> entries;
        for (std::size_t e = 0; e < elements.size(); ++e) {
            VectorXd of_element(elements.dofs()), force = VectorXd::Zero(elements.dofs());
            Eigen::MatrixXd tangent = Eigen::MatrixXd::Zero(elements.dofs(), elements.dofs());
            for (int i = 0; i < elements.dofs(); ++i) of_element[i] = found[row(e, i)];
            elements.force(e, of_element, force);
            elements.tangent(e, of_element, tangent);
            for (int i = 0; i < elements.dofs(); ++i) {
                residual[row(e, i)] -= force[i];
                for (int j = 0; j < elements.dofs(); ++j) entries.emplace_back(row(e, i), row(e, j), tangent(i, j));
            }
        }
        Eigen::SparseMatrix<double> tangent(found.size(), found.size());
        tangent.setFromTriplets(entries.begin(), entries.end());
        const VectorXd move = tests::solve_held(tangent, residual, VectorXd::Zero(found.size()), box.held);
        found += move;
        step = move.cwiseAbs().maxCoeff();
    }
    EXPECT_LT(step, 1e-9);
    return tests::distance(box.mesh, d, found, u);
}

class Convergence : public testing::TestWithParam<ElementTraits> {
 protected:
    void check(double (*error_of)(const ElementTraits&, int)) const {
        const auto& t = GetParam();
        const bool quadratic = linear_shape(t.shape) != t.shape;
        const int n = t.dimension() == 2 ? 8 : quadratic ? 3 : 4;
        const double expected = quadratic ? 3 : 2, coarse = error_of(t, n), fine = error_of(t, 2 * n);
        const double order = std::log2(coarse / fine);
        RecordProperty("order", std::to_string(order));
        std::printf("[ order    ] %-6s %.2f  error %.2e -> %.2e\n", t.name.data(), order, coarse, fine);
        EXPECT_GT(order, expected - 0.25);
        EXPECT_LT(order, expected + 0.6);
    }
};
FAYING_EVERY_ELEMENT(Convergence);

TEST_P(Convergence, OrderOfTheDisplacement) { check(error); }

class BentFar : public Convergence {};
INSTANTIATE_TEST_SUITE_P(Elements, BentFar, testing::ValuesIn(tests::elements_that_bend_far()),
                         [](const auto& info) { return tests::kind_name(info.param); });

TEST_P(BentFar, OrderOfTheDisplacement) { check(error_bent_far); }

}  // namespace
