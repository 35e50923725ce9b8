// Elements that bend far: rigid turns cost nothing, the tangent is the force's derivative, the force a cubic of the
// displacements, the energy its integral.

#include "faying/fe/large_elements.hpp"

#include <gtest/gtest.h>

#include <random>

#include "box_mesh.hpp"
#include "faying/core/error.hpp"
#include "faying/core/quadrature.hpp"

namespace {

using namespace faying;
using namespace faying::fe;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double young = 200, poisson = 0.3, thickness = 0.7;

class LargeElement : public testing::TestWithParam<ElementTraits> {
 protected:
    Mesh mesh_{
        tests::distorted(GetParam(), 0.15), {{GetParam().kind, {}, {}, 0, thickness}}, {isotropic(young, poisson, 1)}};
    std::unique_ptr<LargeElements> elements_;
    int n_ = 0, d_ = 0;

    void SetUp() override {
        for (int a = 0; a < GetParam().nodes(); ++a) mesh_.blocks[0].nodes.push_back(a);
        elements_ = std::make_unique<LargeElements>(mesh_, mesh_.blocks[0]);
        n_ = elements_->dofs();
        d_ = GetParam().dimension();
    }
    VectorXd random(unsigned seed, double size = 0.3) const {
        std::mt19937 engine(seed);
        std::uniform_real_distribution<double> in(-size, size);
        VectorXd u(n_);
        for (auto& x : u) x = in(engine);
        return u;
    }
    VectorXd force(const VectorXd& u) const {
        VectorXd f = VectorXd::Zero(n_);
        elements_->force(0, u, f);
        return f;
    }
    VectorXd quadratic(const VectorXd& u, const VectorXd& v) const {
        VectorXd f = VectorXd::Zero(n_);
        elements_->quadratic(0, u, v, f);
        return f;
    }
    VectorXd cubic(const VectorXd& u, const VectorXd& v, const VectorXd& w) const {
        VectorXd f = VectorXd::Zero(n_);
        elements_->cubic(0, u, v, w, f);
        return f;
    }
    VectorXd linear(const VectorXd& u) const {
        VectorXd f = VectorXd::Zero(n_);
        elements_->linear(0, u, f);
        return f;
    }
};
INSTANTIATE_TEST_SUITE_P(Elements, LargeElement, testing::ValuesIn(tests::elements_that_bend_far()),
                         [](const auto& info) { return tests::kind_name(info.param); });

TEST_P(LargeElement, ARigidTurnCostsNothing) {
    VectorXd u(n_);
    for (int a = 0; a < GetParam().nodes(); ++a) {
        const Eigen::RowVector3d x = mesh_.nodes.row(a);
        const Eigen::RowVector3d turned =
            d_ == 2 ? Eigen::RowVector3d(-x[1], x[0], 0) : Eigen::RowVector3d(-x[1], x[2], -x[0]);
        for (int i = 0; i < d_; ++i) u(a * d_ + i) = turned[i] - x[i] + 0.4 * (i + 1);
    }
    EXPECT_LT(force(u).cwiseAbs().maxCoeff(), 1e-13 * young);
    EXPECT_LT(elements_->energy(0, u), 1e-26 * young);
}

TEST_P(LargeElement, TheTangentIsTheDerivative) {
    const VectorXd u = random(1);
    MatrixXd k = MatrixXd::Zero(n_, n_), differences(n_, n_);
    elements_->tangent(0, u, k);
    constexpr double h = 1e-3;  // a cubic: differences of two widths leave rounding only
    for (int i = 0; i < n_; ++i) {
        const VectorXd e = VectorXd::Unit(n_, i);
        const VectorXd wide = (force(u + 2 * h * e) - force(u - 2 * h * e)) / (4 * h);
        const VectorXd narrow = (force(u + h * e) - force(u - h * e)) / (2 * h);
        differences.col(i) = (4 * narrow - wide) / 3;
    }
    EXPECT_LT((k - differences).cwiseAbs().maxCoeff(), 1e-10 * k.cwiseAbs().maxCoeff());
    EXPECT_LT((k - k.transpose()).cwiseAbs().maxCoeff(), 1e-14 * k.cwiseAbs().maxCoeff());
}

TEST_P(LargeElement, TheForceIsACubicOfTheDisplacements) {
    const VectorXd u = random(2), v = random(3), w = random(4);
    const double size = force(u).norm();
    for (const double s : {1.0, -1.0, 2.5}) {
        const VectorXd polynomial = s * linear(u) + s * s * quadratic(u, u) + s * s * s * cubic(u, u, u);
        EXPECT_LT((force(s * u) - polynomial).norm(), 1e-13 * std::max(1.0, s * s * s) * size);
    }
    EXPECT_LT((quadratic(u, v) - quadratic(v, u)).norm(), 1e-14 * size);
    EXPECT_LT((cubic(u, v, w) - cubic(w, u, v)).norm(), 1e-14 * size);
    const VectorXd both = cubic(u + v, u + v, u + v) - cubic(u, u, u) - cubic(v, v, v);
    EXPECT_LT((both - 3 * cubic(u, u, v) - 3 * cubic(u, v, v)).norm(), 1e-12 * size);
    const auto matrices = element_matrices(GetParam().kind, mesh_.nodes, mesh_.materials[0], {.thickness = thickness});
    EXPECT_LT((linear(u) - matrices.stiffness * u).norm(), 1e-12 * size);
}

TEST_P(LargeElement, EnergyIsWork) {
    const VectorXd u = random(5);
    const double work = core::gauss_panel([&](double s) { return force(s * u).dot(u); }, 0.0, 1.0);
    EXPECT_NEAR(elements_->energy(0, u) / work, 1, 1e-12);
}

TEST_P(LargeElement, SeriesAreThatOfTheCubic) {
    MatrixXd u(n_, 3);
    for (int j = 0; j < 3; ++j) u.col(j) = random(10 + static_cast<unsigned>(j), 0.1);
    const VectorXd a = u.col(0), b = u.col(1), c = u.col(2);
    VectorXd second = VectorXd::Zero(n_);
    elements_->series(0, u, 2, second);
    const VectorXd expected =
        linear(c) + 2 * quadratic(a, c) + quadratic(b, b) + 3 * cubic(a, a, c) + 3 * cubic(a, b, b);
    EXPECT_LT((second - expected).norm(), 1e-12 * expected.norm());
    // All orders there are (six: a cubic of a square) sum to the force at s = 1.
    VectorXd sum = VectorXd::Zero(n_);
    for (int order = 0; order <= 6; ++order) elements_->series(0, u, order, sum);
    EXPECT_LT((sum - force(a + b + c)).norm(), 1e-12 * sum.norm());
}

TEST(LargeElements, OthersAreRefused) {
    for (const auto& t : all_element_kinds()) {
        ElementBlock block{t.kind, {}, {7}, 0, 1};
        if (t.formulation == Formulation::plain) {
            EXPECT_NO_THROW(check_bends_far(block));
        } else {
            EXPECT_THROW(check_bends_far(block), core::BadInput) << t.name;
        }
    }
    ElementBlock averaged{ElementKind::C3D8, {}, {7}, 0, 1};
    averaged.dilatation = Dilatation::averaged;
    EXPECT_THROW(check_bends_far(averaged), core::BadInput);
}

}  // namespace
