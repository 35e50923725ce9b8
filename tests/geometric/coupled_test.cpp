// Condensation onto several modes together.

#include "faying/geometric/coupled.hpp"

#include <gtest/gtest.h>

#include "faying/core/error.hpp"
#include "faying/fe/deck_reader.hpp"
#include "faying/geometric/joint_system.hpp"
#include "faying/geometric/solid.hpp"
#include "faying/laws/coupled_polynomial.hpp"
#include "reference.hpp"

namespace {

using namespace faying;
using namespace faying::geometric;

/// Three masses in a row with cubic and quadratic springs.
structure::Model chain() {
    structure::Model m;
    m.mass = Eigen::Vector3d(1, 2, 1.5).asDiagonal();
    m.stiffness = Eigen::Matrix3d{{5, -2, 0}, {-2, 6, -3}, {0, -3, 4}};
    m.joints = {structure::single_site("a", laws::Law("polynomial", {{"k1", 0}, {"k2", 0.7}, {"k3", 1.3}}),
                                       Eigen::Vector3d(-1, 1, 0)),
                structure::single_site("b", laws::Law("polynomial", {{"k1", 0.2}, {"k2", -0.4}, {"k3", 0.5}}),
                                       Eigen::Vector3d(0, 0, 1))};
    return m;
}

std::vector<Mode> modes_of(const System& system, const Rest& rest, const std::vector<int>& numbers) {
    std::vector<Mode> modes;
    for (const int n : numbers) modes.push_back(linear_mode(system, rest, n));
    return modes;
}

double potential(const CoupledTaylor& t, const VectorXd& q) {
    double sum = 0;
    for (std::size_t i = 0; i < t.powers.size(); ++i) {
        double x = t.v(static_cast<Index>(i));
        for (std::size_t r = 0; r < t.powers[i].size(); ++r) x *= std::pow(q(static_cast<Index>(r)), t.powers[i][r]);
        sum += x;
    }
    for (Index r = 0; r < q.size(); ++r) sum += 0.5 * std::pow(t.omega[static_cast<std::size_t>(r)] * q(r), 2);
    return sum;
}

/// With all modes nothing is left to settle: the potential is the structure's own energy, which is of degree four.
TEST(Coupled, AllModesGiveTheEnergyItself) {
    const JointSystem system(chain(), JointSystem::Friction::stuck);
    const Rest rest{VectorXd::Zero(3), VectorXd::Zero(3)};
    const auto modes = modes_of(system, rest, {1, 2, 3});
    const auto t = coupled_taylor(system, rest, modes, 5);
    EXPECT_LT(t.disagreement, 1e-12);
    for (const Eigen::Vector3d& q : {Eigen::Vector3d(0.3, -0.8, 0.5), Eigen::Vector3d(-1, 0.2, 0.9)}) {
        VectorXd u = VectorXd::Zero(3);
        for (Index r = 0; r < 3; ++r) u += q(r) * modes[static_cast<std::size_t>(r)].shape;
        EXPECT_NEAR(potential(t, q), system.energy(u), 1e-11);
    }
}

/// The static equilibrium held at (q1, q2) by M phi_r: loads are the gradient, to the order that was left out.
TEST(Coupled, LoadsAreTheGradientOfWhatIsLeft) {
    const JointSystem system(chain(), JointSystem::Friction::stuck);
    const Rest rest{VectorXd::Zero(3), VectorXd::Zero(3)};
    const auto modes = modes_of(system, rest, {1, 3});
    const auto t = coupled_taylor(system, rest, modes, 7);
    const auto error = [&](double size) {
        const Eigen::Vector2d q = size * Eigen::Vector2d(0.8, -0.6);
        // u = q1 phi1 + q2 phi3 + x phi2, x from phi2^T f = 0
        const Mode middle = linear_mode(system, rest, 2);
        VectorXd u = q(0) * modes[0].shape + q(1) * modes[1].shape;
        for (int i = 0; i < 30; ++i)
            u -= middle.shape * middle.shape.dot(system.force(u)) / middle.shape.dot(system.tangent(u) * middle.shape);
        double worst = 0;
        for (Index r = 0; r < 2; ++r) {
            const double h = 1e-4 * size;
            const VectorXd e = Eigen::Vector2d::Unit(r) * h;
            const double slope =
                (8 * (potential(t, q + e) - potential(t, q - e)) - potential(t, q + 2 * e) + potential(t, q - 2 * e)) /
                (12 * h);
            worst = std::max(worst, std::abs(slope - modes[static_cast<std::size_t>(r)].shape.dot(system.force(u))));
        }
        return worst;
    };
    EXPECT_LT(error(0.05), 1e-11);
    EXPECT_NEAR(std::log2(error(0.4) / error(0.2)), 8, 1);  // the first order left out
}

/// Condensed further by hand onto mode 1, two modes give the coefficients of one.
TEST(Coupled, ModesOneAndThreeOfTheStripHoldModeOne) {
    const Solid solid(fe::read_deck(tests::source_dir() + "/tests/reference/decks/flat.inp"));
    const Rest rest{VectorXd::Zero(solid.size()), VectorXd::Zero(solid.size())};
    const auto t = coupled_taylor(solid, rest, modes_of(solid, rest, {1, 3}), 5);
    EXPECT_LT(t.disagreement, 1e-7);
    const auto v = [&](const std::vector<int>& powers) {
        for (std::size_t i = 0; i < t.powers.size(); ++i)
            if (t.powers[i] == powers) return t.v(static_cast<Index>(i));
        ADD_FAILURE();
        return 0.0;
    };
    const auto& k = tests::reference("geometric")["flat_clamped_strip"]["ICE_taylor"];
    EXPECT_NEAR(4 * v({4, 0}) / k["3"].get<double>(), 1, 1e-8);
    EXPECT_NEAR(6 * (v({6, 0}) - std::pow(v({3, 1}), 2) / (2 * std::pow(t.omega[1], 2))) / k["5"].get<double>(), 1,
                1e-6);
}

TEST(Coupled, RefusesWhatItCannotHold) {
    const JointSystem system(chain(), JointSystem::Friction::stuck);
    const Rest rest{VectorXd::Zero(3), VectorXd::Zero(3)};
    const auto modes = modes_of(system, rest, {1, 2});
    EXPECT_THROW(coupled_taylor(system, rest, modes, 8), core::BadInput);
    EXPECT_THROW(coupled_taylor(system, rest, modes, 1), core::BadInput);
    EXPECT_THROW(coupled_taylor(system, rest, {modes[0]}, 3), core::BadInput);
}

/// Force and tangent are slopes of the work.
TEST(Coupled, ElementIsConservative) {
    laws::CoupledPolynomial<3>::Parameters p{};
    for (std::size_t i = 0; i < p.v.size(); ++i) p.v[i] = std::sin(1.0 + 2.3 * double(i));
    const laws::CoupledPolynomial<3> element(p);
    const std::array<double, 3> q{0.7, -0.4, 0.9};
    const auto at = element.step({}, q);
    for (std::size_t i = 0; i < 3; ++i) {
        auto up = q, down = q;
        up[i] += 1e-5;
        down[i] -= 1e-5;
        const auto a = element.step({}, up), b = element.step({}, down);
        EXPECT_NEAR(at.force[i], (a.work - b.work) / 2e-5, 1e-8);
        for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(at.tangent[i][j], (a.force[j] - b.force[j]) / 2e-5, 1e-7);
    }
}

}  // namespace
