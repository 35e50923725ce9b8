#include "faying/modes/quasistatic.hpp"

#include <gtest/gtest.h>

#include "faying/core/error.hpp"
#include "faying/modes/prestress.hpp"
#include "lap_joint.hpp"
#include "reference.hpp"

namespace {

using namespace faying;
using namespace faying::modes;
using structure::single_site;

laws::Law jenkins(double kt, double fs) { return laws::Law("jenkins", {{"kt", kt}, {"fs", fs}}); }

/// A bar of EA = 1 and length 1 on ground that resists with `friction` per length; elastic up to it over a tiny way.
structure::Model bar_on_friction(int elements, double friction, double stiffness) {
    structure::Model m;
    const double h = 1.0 / elements;
    m.mass = Eigen::MatrixXd::Identity(elements + 1, elements + 1);
    m.stiffness = Eigen::MatrixXd::Zero(elements + 1, elements + 1);
    for (int e = 0; e < elements; ++e)
        m.stiffness.block<2, 2>(e, e) += (Eigen::Matrix2d() << 1, -1, -1, 1).finished() / h;
    Eigen::VectorXd length = Eigen::VectorXd::Constant(elements + 1, h);
    length(0) = length(elements) = h / 2;
    m.joints = {{"ground",
                 jenkins(stiffness, friction),
                 Eigen::MatrixXd::Identity(elements + 1, elements + 1),
                 length,
                 {},
                 {}}};
    return m;
}

/// Three DOF of springs and four sliders between them and ground: no site goes as its neighbour does.
structure::Model three_sliders() {
    structure::Model m;
    m.mass = Eigen::MatrixXd::Identity(3, 3);
    m.stiffness = (Eigen::Matrix3d() << 3, -1, 0, -1, 2, -1, 0, -1, 1.5).finished();
    m.joints = {single_site("a", jenkins(5, 0.4), Eigen::Vector3d(1, 0, 0)),
                single_site("b", jenkins(3, 0.7), Eigen::Vector3d(-1, 1, 0)),
                single_site("c", jenkins(8, 0.2), Eigen::Vector3d(0, -1, 1)),
                single_site("d", jenkins(1, 0.5), Eigen::Vector3d(0, 0, 1))};
    return m;
}

/// A block pressed on a plane: springs to ground in three directions and one contact site.
structure::Model block(double press) {
    structure::Model m;
    m.mass = m.stiffness = Eigen::MatrixXd::Identity(3, 3);
    m.static_force = Eigen::Vector3d(0, 0, press);
    m.joints = {{"contact",
                 laws::Law("elastic-dry-friction", {{"kt", 3}, {"mu", 0.5}, {"kn", 9}}),
                 Eigen::MatrixXd::Identity(3, 3),
                 Eigen::VectorXd::Ones(1),
                 {},
                 {}}};
    return m;
}

Drive along(Eigen::Index size, Eigen::Index dof, DriveKind kind = DriveKind::force) {
    return {kind, Eigen::VectorXd::Unit(size, dof), "drive"};
}

double total(const QuasistaticPoint& p) {
    double sum = 0;
    for (const double d : p.dissipated) sum += d;
    return sum;
}

TEST(Quasistatic, PrescribedDisplacementGivesTheLawsForceAsReaction) {
    structure::Model m;
    m.mass = Eigen::MatrixXd::Identity(1, 1);
    m.stiffness = Eigen::MatrixXd::Constant(1, 1, 0.25);
    const laws::Law law("iwan4", {{"FS", 10}, {"KT", 4}, {"chi", -0.5}, {"beta", 1}});
    m.joints = {single_site("joint", law, Eigen::VectorXd::Ones(1))};
    const std::vector<double> way = {1, 8, -4, 6, 0, 0, 7};
    const auto run = quasistatic(m, Interface(m), {along(1, 0, DriveKind::displacement)}, {way});
    const auto exact = law.follow(way);
    ASSERT_EQ(run.points.size(), way.size());
    for (std::size_t i = 0; i < way.size(); ++i) {
        EXPECT_RELATIVE(run.points[i].force(0), exact.f[i] + 0.25 * way[i], 1e-11);
        EXPECT_NEAR(total(run.points[i]), exact.dissipated[i], 1e-10 * exact.dissipated.back());
        EXPECT_TRUE(run.points[i].converged);
    }
}

TEST(Quasistatic, BlockPushedOnAPlane) {
    // un = P/(1 + kn); stuck x = T/(1 + kt) up to mu kn un, then x = T - limit; unloading stuck again
    const auto m = block(2);
    const double limit = 0.5 * 9 * 0.2, slipped = 3 - limit;
    const auto run = quasistatic(m, Interface(m), {along(3, 0)}, {{0.8, 3, 2.5, -3}}, {.sites = true});
    EXPECT_RELATIVE(run.seated.x(2), 0.2, 1e-13);
    EXPECT_RELATIVE(run.points[0].x(0), 0.2, 1e-13);
    EXPECT_RELATIVE(run.points[1].x(0), slipped, 1e-13);
    EXPECT_RELATIVE(run.points[2].x(0), slipped - 0.5 / 4, 1e-13);
    EXPECT_RELATIVE(run.points[3].x(0), -slipped, 1e-13);
    EXPECT_RELATIVE(total(run.points[1]), limit * (slipped - limit / 3), 1e-12);
    EXPECT_EQ(run.points[0].sites[0][0].status, SiteStatus::stuck);
    EXPECT_EQ(run.points[1].sites[0][0].status, SiteStatus::slipping);
    EXPECT_EQ(run.points[2].sites[0][0].status, SiteStatus::stuck);
    EXPECT_RELATIVE(run.points[2].sites[0][0].pressure, 1.8, 1e-12);
    for (const auto& p : run.points) EXPECT_LT(p.residual, 1e-13);
}

TEST(Quasistatic, TheStaticForceComesFirstAndIsThatOfPreload) {
    const auto r = tests::full_joint(7, 3, 8);
    auto m = structure::bare_model(r, {{"preload", 12845.0}});
    m.joints = {structure::joint_on_interface(
        r, "j", laws::Law("elastic-dry-friction", {{"kt", 1e14}, {"mu", 0.8}, {"kn", 5e11}}), "")};
    const auto p = prestress(m);
    const auto run = quasistatic(m, Interface(m), {along(m.size(), 0)}, {{0.0}});
    EXPECT_LT((run.seated.x - p.u).norm(), 1e-9 * p.u.norm());
    EXPECT_LT(run.seated.residual, 1e-10);
}

TEST(Quasistatic, WhatIsLockedIsFreeUnderTheStaticForceAndHeldAfterwards) {
    // Pressed in by 2: z = 2/(1 + 9) and a friction limit of 0.5 * 9 z. A pull of 1 that would take half of it goes into
    // the lock, and the block still slips at the limit of the preload.
    const auto model = block(2);
    const Eigen::Vector3d x(1, 0, 0), z(0, 0, 1);
    const std::vector<Drive> drives = {{DriveKind::displacement, x, "push"},
                                       {DriveKind::force, z, "pull"},
                                       {DriveKind::displacement, z, "bolt", true}};
    const auto run = quasistatic(model, Interface(model), drives, {{0, 0, 5}, {0, -1, -1}, {0, 0, 0}});
    ASSERT_TRUE(run.stopped.empty()) << run.stopped;
    EXPECT_NEAR(run.seated.displacement(2), 0.2, 1e-12);
    for (const auto& point : run.points) EXPECT_NEAR(point.displacement(2), 0.2, 1e-12);
    EXPECT_NEAR(run.points[0].force(2), 0, 1e-12);
    EXPECT_NEAR(run.points[1].force(2), 1, 1e-12);
    EXPECT_NEAR(run.points[2].force(0), 5 + 0.5 * 9 * 0.2, 1e-10);
    // Not locked, the pull lets go of half of the friction.
    const auto loose = quasistatic(model, Interface(model), {drives[0], drives[1]}, {{0, 0, 5}, {0, -1, -1}});
    EXPECT_NEAR(loose.points[2].force(0), 5 + 0.5 * 9 * 0.1, 1e-10);
}

TEST(Quasistatic, ManySitesThatAllSlideAndTurn) {
    // Enough sites that steps are iterated from an old inverse: each alone in closed form. Blocks on one moving plate:
    // springs hold the blocks, the plate goes round a square corner, and friction follows the way.
    constexpr int blocks = 60;
    structure::Model m;
    const int n = 3 * blocks;
    m.mass = m.stiffness = Eigen::MatrixXd::Identity(n, n);
    m.static_force = Eigen::VectorXd::Zero(n);
    Eigen::VectorXd along = Eigen::VectorXd::Zero(n), across = along;
    for (int k = 0; k < blocks; ++k) {
        m.static_force(3 * k + 2) = 1 + 0.01 * k;
        along(3 * k) = 1;
        across(3 * k + 1) = 1 + 0.01 * k;
    }
    // Neighbours pull on each other along x, so that the Jacobian is not block by block
    for (int k = 0; k + 1 < blocks; ++k) {
        m.stiffness(3 * k, 3 * k) += 0.1, m.stiffness(3 * k + 3, 3 * k + 3) += 0.1;
        m.stiffness(3 * k, 3 * k + 3) -= 0.1, m.stiffness(3 * k + 3, 3 * k) -= 0.1;
    }
    m.joints = {{"contact",
                 laws::Law("elastic-dry-friction", {{"kt", 30}, {"mu", 0.5}, {"kn", 9}}),
                 Eigen::MatrixXd::Identity(n, n),
                 Eigen::VectorXd::Ones(blocks),
                 {},
                 {}}};
    const std::vector<Drive> drives = {{DriveKind::force, along, "x"}, {DriveKind::force, across, "y"}};
    const auto run = quasistatic(m, Interface(m), drives, {{0, 4, 4, 4, 0}, {0, 0, 2, 4, 4}}, {.path_tolerance = 1e-3});
    ASSERT_TRUE(run.stopped.empty()) << run.stopped;
    for (const auto& point : run.points) EXPECT_TRUE(point.converged) << point.residual;
    const auto& at = run.points[3].x;
    for (int k = 0; k < blocks; ++k) {  // sliding: the load, the springs and a friction of mu N are in equilibrium
        const Eigen::Vector2d held = Eigen::Vector2d(4, 4 * (1 + 0.01 * k)) - m.stiffness.middleRows(3 * k, 2) * at;
        EXPECT_NEAR(held.norm(), 0.5 * 0.9 * (1 + 0.01 * k), 1e-9);
    }
}

TEST(Quasistatic, AnswersDoNotDependOnHowTheHistoryIsCut) {
    const auto m = three_sliders();
    const Interface interface(m);
    const auto one = quasistatic(m, interface, {along(3, 2)}, {{2, -1.5, 1}});
    std::vector<double> cut;
    double from = 0;
    for (const double to : {2.0, -1.5, 1.0}) {
        for (int k = 1; k <= 7; ++k) cut.push_back(from + (to - from) * k / 7);
        from = to;
    }
    const auto many = quasistatic(m, interface, {along(3, 2)}, {cut});
    for (std::size_t i = 0; i < 3; ++i) {
        const auto &a = one.points[i], &b = many.points[7 * i + 6];
        EXPECT_LT((a.x - b.x).norm(), 1e-8 * b.x.norm());
        EXPECT_RELATIVE(total(a), total(b), 1e-8);
        EXPECT_GT(total(b), 0.01);
    }
}

TEST(Quasistatic, ContactUnderVaryingPressureDoesNotDependOnTheCutsEither) {
    const auto m = block(2);
    const Interface interface(m);
    const std::vector<Drive> drives = {along(3, 0), along(3, 1), along(3, 2)};
    const auto one = quasistatic(m, interface, drives, {{3, -1}, {0.5, 2}, {-1, 1}});
    std::vector<std::vector<double>> cut(3);
    const double ends[3][3] = {{0, 3, -1}, {0, 0.5, 2}, {0, -1, 1}};
    for (int d = 0; d < 3; ++d)
        for (int leg = 0; leg < 2; ++leg)
            for (int k = 1; k <= 13; ++k)
                cut[std::size_t(d)].push_back(ends[d][leg] + (ends[d][leg + 1] - ends[d][leg]) * k / 13);
    const auto many = quasistatic(m, interface, drives, cut);
    EXPECT_LT((one.points[1].x - many.points[25].x).norm(), 1e-6);
    EXPECT_NEAR(total(one.points[1]), total(many.points[25]), 1e-6);
}

TEST(Quasistatic, BarOnFrictionDissipatesAsGoodmanAndKlumppSay) {
    // D = 2 F^3/(3 q EA) while slip has not reached the far end
    const double q = 2, force = 1.2, exact = 2 * std::pow(force, 3) / (3 * q);
    double before = 0, coarse = 0, fine = 0;
    for (const int elements : {20, 40, 80}) {
        const auto m = bar_on_friction(elements, q, 1e7);
        const auto loop = quasistatic_loop(m, Interface(m), {along(elements + 1, elements)},
                                           Eigen::VectorXd::Constant(1, force), 4, 1e-8);
        EXPECT_TRUE(loop.closed);
        const double error = std::abs(loop.dissipation / exact - 1);
        coarse = fine;
        fine = loop.dissipation;
        if (before > 0) {
            EXPECT_LT(error, 0.35 * before);  // second order
        }
        before = error;
    }
    EXPECT_RELATIVE((4 * fine - coarse) / 3, exact, 1e-5);  // what the two finest meshes tend to
}

TEST(Quasistatic, EventsAreLocated) {
    // two sliders on one DOF: the first slips at x = fs/kt = 0.1, the second at 0.5; K = 1
    structure::Model m;
    m.mass = m.stiffness = Eigen::MatrixXd::Identity(1, 1);
    m.joints = {single_site("early", jenkins(10, 1), Eigen::VectorXd::Ones(1)),
                single_site("late", jenkins(2, 1), Eigen::VectorXd::Ones(1))};
    const auto run = quasistatic(m, Interface(m), {along(1, 0)}, {{4, 3}}, {.events = true});
    ASSERT_GE(run.events.size(), 2u);
    EXPECT_EQ(run.events[0].joint, 0u);
    EXPECT_NEAR(run.events[0].share * 4, 0.1 * 13, 1e-8);
    EXPECT_EQ(run.events[0].to, SiteStatus::slipping);
    EXPECT_EQ(run.events[1].joint, 1u);
    EXPECT_NEAR(run.events[1].share * 4, 0.5 + 1 + 1, 1e-8);
    ASSERT_EQ(run.events.size(), 4u);  // both stick on the way back
    EXPECT_NEAR(run.events[2].share, 0, 1e-8);
    EXPECT_EQ(run.events[3].to, SiteStatus::stuck);
}

TEST(Quasistatic, LoadsThatNothingCarriesEndTheRunWithWhatWasReached) {
    structure::Model m;
    m.mass = Eigen::MatrixXd::Identity(1, 1);
    m.stiffness = Eigen::MatrixXd::Zero(1, 1);
    m.joints = {single_site("slider", jenkins(10, 1), Eigen::VectorXd::Ones(1))};
    const auto run = quasistatic(m, Interface(m), {along(1, 0)}, {{0.5, 2, 0}});
    ASSERT_EQ(run.points.size(), 2u);
    EXPECT_TRUE(run.points[0].converged);
    EXPECT_FALSE(run.points[1].converged);
    EXPECT_NEAR(run.points[1].value(0), 1.0, 1e-6);
    EXPECT_NE(run.stopped.find("no equilibrium"), std::string::npos);
}

TEST(Quasistatic, MechanismsAndRowsThatCannotMoveAreRefused) {
    structure::Model m;
    m.mass = Eigen::MatrixXd::Identity(2, 2);
    m.stiffness = (Eigen::Matrix2d() << 1, 0, 0, 0).finished();
    m.joints = {single_site("joint", jenkins(1, 1), Eigen::Vector2d(1, 0))};
    EXPECT_THROW(quasistatic(m, Interface(m), {along(2, 1)}, {{1.0}}), core::BadInput);
    m.stiffness(1, 1) = 1;
    EXPECT_THROW(quasistatic(m, Interface(m), {{DriveKind::displacement, Eigen::VectorXd::Zero(2), "fixed"}}, {{1.0}}),
                 core::BadInput);
    EXPECT_THROW(quasistatic(m, Interface(m), {along(2, 0)}, {{std::nan("")}}), core::BadInput);
}

}  // namespace
