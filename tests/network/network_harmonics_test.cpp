// Networks and laws of few states at a periodic motion: pieces from event to event against sampling, which tends to them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "faying/harmonic/force.hpp"
#include "faying/network/generators.hpp"
#include "faying/network/m_state.hpp"
#include "harmonic/site_of.hpp"

namespace faying::network {
namespace {

/// Laws as their files give them, with these scales.
class Harmonics : public testing::Test {
 protected:
    std::filesystem::path file =
        std::filesystem::temp_directory_path() /
        ("faying_network_harmonics_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
         testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml");
    core::Harmonics orders = core::Harmonics::up_to(4);
    Eigen::VectorXd motion{{0.05, 1.0, 0.3, -0.2, 0.4, 0.45, -0.35, 0.1, 0.3}};

    void TearDown() override { std::filesystem::remove(file); }

    laws::JointOf<core::Dual> site(const MState& law, double force_scale = 2, double displacement_scale = 1.5) {
        std::ofstream(file) << m_state_text(law, {});
        add_law_files();
        return tests::site_of(
            laws::Law(file.string(), {{"force_scale", force_scale}, {"displacement_scale", displacement_scale}}));
    }
    harmonic::HarmonicForce at(const laws::JointOf<core::Dual>& law, const Eigen::VectorXd& u, int samples = 0) const {
        return harmonic::harmonic_force(law, Eigen::VectorXd::Zero(1), orders, u, {.samples = samples});
    }

    /// Error falls by four where samples are doubled; slopes are those of differences.
    void check(const laws::JointOf<core::Dual>& law) const {
        const auto exact = at(law, motion);
        EXPECT_GT(exact.dissipated, 0.0);
        EXPECT_LT(exact.residual, 1e-13);
        const double size = exact.force.norm();
        const double coarse = (at(law, motion, 512).force - exact.force).norm() / size,
                     fine = (at(law, motion, 8192).force - exact.force).norm() / size;
        EXPECT_LT(fine, 3e-6);
        EXPECT_LT(fine, coarse / 100);
        Eigen::MatrixXd slope(motion.size(), motion.size());
        constexpr double step = 1e-5;
        for (Eigen::Index c = 0; c < motion.size(); ++c) {
            Eigen::VectorXd more = motion, less = motion;
            more(c) += step;
            less(c) -= step;
            slope.col(c) = (at(law, more).force - at(law, less).force) / (2 * step);
        }
        EXPECT_LT((slope - exact.slope).norm() / slope.norm(), 1e-6);
    }
};

TEST_F(Harmonics, OfANetwork) { check(site(MState(through_spring(random_network(30, 5), 0.5), "net"))); }

TEST_F(Harmonics, OfAPolytope) {
    Polytope set;
    set.stiffness = Eigen::MatrixXd::Identity(2, 2);
    set.normals = Eigen::MatrixXd{{1.0, 0.0}, {0.0, 1.3}, {0.8, 0.7}, {-0.5, 0.9}};
    set.friction = Eigen::VectorXd{{0.4, 0.5, 0.45, 0.6}};
    set.coupling = Eigen::VectorXd{{0.7, 0.4}};
    set.drive = laws::Drive::displacement;
    set.held = 1.0;
    check(site(MState(set, "polytope")));
}

/// Where the tangent of a walk jumps is where its kinks are said to be, on both ways from a state in the middle of a loop.
TEST_F(Harmonics, KinksAreWhereTheTangentJumps) {
    const MState law(through_spring(random_network(12, 9), 0.5), "net");
    auto z = law.virgin();
    for (const double u : {1.2, -0.7, 0.3}) law.step(z, u);
    std::vector<double> kinks;
    ASSERT_TRUE(law.kinks(z, kinks));
    int inside = 0;
    for (const double u : kinks) {
        if (std::abs(u) > 3) continue;
        ++inside;
        const double way = u > z.load ? 1e-9 : -1e-9;
        auto before = z, after = z;
        EXPECT_GT(std::abs(law.step(after, u + way).tangent - law.step(before, u - way).tangent), 1e-9) << u;
    }
    EXPECT_GE(inside, 5);
    std::sort(kinks.begin(), kinks.end());
    for (std::size_t i = 0; i + 1 < kinks.size(); ++i) {  // and nowhere else
        const double from = kinks[i], to = kinks[i + 1];
        if (from < z.load && z.load < to) continue;
        auto early = z, late = z;
        EXPECT_NEAR(law.step(early, from + 0.1 * (to - from)).tangent, law.step(late, from + 0.9 * (to - from)).tangent,
                    1e-10);
    }
}

TEST_F(Harmonics, AnswersOnTheWayAreThoseOfSingleSteps) {
    Ellipsoid round;
    round.stiffness = Eigen::MatrixXd{{1.0, 0.2}, {0.2, 0.8}};
    round.friction = Eigen::MatrixXd{{0.3, 0.05}, {0.05, 0.2}};
    round.coupling = Eigen::VectorXd{{0.7, 0.4}};
    round.drive = laws::Drive::displacement;
    round.held = 1.0;
    for (const MState& law : {MState(through_spring(random_network(12, 9), 0.5), "net"), MState(round, "round")}) {
        auto z = law.virgin();
        for (const double u : {1.2, -0.7}) law.step(z, u);
        const std::vector<double> loads{-0.6, -0.1, 0.4, 0.9, 1.6};
        const auto along = law.follow(z, loads);
        for (std::size_t i = 0; i < loads.size(); ++i) {
            auto alone = z;
            EXPECT_NEAR(along[i].answer, law.step(alone, loads[i]).answer, 1e-12);
        }
    }
}

}  // namespace
}  // namespace faying::network
