// Harmonics of contact forces without samples: the law of one displacement where it is one, sampling as N grows,
// differences for the derivatives.

#include "faying/harmonic/contact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "harmonic/site_of.hpp"

namespace {

using namespace faying::harmonic;
using namespace faying::laws;
using faying::core::Dual;
using faying::core::Harmonics;
using faying::tests::site_of;

JointOf<Dual> pressed(const Law& law, const Eigen::Vector3d& base) {
    auto joint = site_of(law);
    std::vector<Dual> u{Dual(base(0)), Dual(base(1)), Dual(base(2))}, f(3), k(9);
    joint.evaluate(u, f, k);
    joint.commit();
    return joint;
}

/// Harmonics of three displacements, function by function.
Eigen::VectorXd motion(const Harmonics& h, double along, double across, double normal) {
    Eigen::MatrixXd u = Eigen::MatrixXd::Zero(3, h.size());
    for (Eigen::Index b = 1; b < h.size(); ++b) {
        u(0, b) = along * std::sin(1.0 + 2.3 * double(b)) / double(b);
        u(1, b) = across * std::cos(0.4 + 1.7 * double(b)) / double(b);
        u(2, b) = normal * std::sin(0.3 + 3.1 * double(b)) / double(b);
    }
    return Eigen::Map<Eigen::VectorXd>(u.data(), u.size());
}

HarmonicForce exact(const Law& law, const Eigen::Vector3d& base, const Harmonics& h, const Eigen::VectorXd& u) {
    const auto pieces = contact_pieces(law);
    if (!pieces) throw std::runtime_error("no pieces");
    return harmonic_contact(*pieces, pressed(law, base), base, h, u);
}

const Harmonics orders = Harmonics::up_to(3);

TEST(HarmonicContact, AlongALineUnderConstantPressureItIsJenkins) {
    const Law contact("jenkins-2d", {{"kt", 3}, {"fs", 1.2}, {"kn", 5}}), line("jenkins", {{"kt", 3}, {"fs", 1.2}});
    const Eigen::Vector3d base(0, 0, 1);
    for (const double size : {0.2, 0.6, 3.0}) {
        const Eigen::VectorXd u = motion(orders, size, 0, 0);
        Eigen::VectorXd scalar(orders.size());
        for (Eigen::Index b = 0; b < orders.size(); ++b) scalar(b) = u(3 * b);
        const auto found = exact(contact, base, orders, u);
        const auto expected = harmonic_force(site_of(line), Eigen::VectorXd::Zero(1), orders, scalar);
        for (Eigen::Index b = 0; b < orders.size(); ++b) {
            EXPECT_NEAR(found.force(3 * b), expected.force(b), 1e-11) << size << ' ' << b;
            for (Eigen::Index c = 0; c < orders.size(); ++c)
                EXPECT_NEAR(found.slope(3 * b, 3 * c), expected.slope(b, c), 1e-9) << size;
        }
        EXPECT_NEAR(found.dissipated, expected.dissipated, 1e-10);
        EXPECT_NEAR(found.force(2), 5.0, 1e-12);
    }
}

struct Case {
    const char* name;
    const char* law;
    double along, across, normal, approach;
};

Law law_of(const std::string& name) {
    if (name.find("jenkins-prager") == 0)
        return Law(name, {{"kt", 2}, {"fs", 0.5}, {"kp", 0.4}, {"kn", 3}, {"mu_max", 2}});
    if (name == "jenkins-2d-penalty") return Law(name, {{"kt", 2}, {"fs", 0.5}, {"kn", 3}, {"mu_max", 2}});
    if (name.find("jenkins") == 0) return Law(name, {{"kt", 2}, {"fs", 0.5}, {"kn", 3}});
    return Law(name, {{"kt", 2}, {"mu", 0.4}, {"kn", 3}});
}

const Case cases[] = {
    {"straight, pressure varies", "elastic-dry-friction", 1.0, 0, 0.2, 0.6},
    {"straight, opens", "elastic-dry-friction", 1.0, 0, 1.0, 0.3},
    {"curved, closed", "elastic-dry-friction", 1.0, 0.7, 0.1, 0.6},
    {"curved, constant limit", "jenkins-2d", 1.0, 0.7, 0.1, 0.6},
    {"curved, opens", "elastic-dry-friction", 1.0, 0.7, 1.0, 0.4},
    {"straight, opens under a capped limit", "jenkins-2d-penalty", 1.0, 0, 1.0, 0.4},
    {"stuck", "elastic-dry-friction", 0.05, 0.03, 0.01, 1.0},
};

TEST(HarmonicContact, SamplingTendsToIt) {
    for (const Case& c : cases) {
        const Law law = law_of(c.law);
        const Eigen::Vector3d base(0, 0, c.approach);
        const Eigen::VectorXd u = motion(orders, c.along, c.across, c.normal);
        const auto found = exact(law, base, orders, u);
        EXPECT_LT(found.residual, 1e-12) << c.name;
        double last = 1;
        for (const int samples : {512, 4096}) {
            const auto sampled = harmonic_force(pressed(law, base), base, orders, u, {.samples = samples});
            const double off = (sampled.force - found.force).norm() / found.force.norm();
            EXPECT_LT(off, std::max(0.3 * last, 1e-12)) << c.name << ' ' << samples;
            last = off;
        }
        EXPECT_LT(last, 1e-3) << c.name;  // radial return is of first order where the path is curved
    }
}

TEST(HarmonicContact, DerivativesAreThoseOfDifferences) {
    for (const Case& c : cases) {
        const Law law = law_of(c.law);
        const Eigen::Vector3d base(0, 0, c.approach);
        const Eigen::VectorXd u = motion(orders, c.along, c.across, c.normal);
        const auto found = exact(law, base, orders, u);
        const double d = 1e-6;
        for (Eigen::Index i = 0; i<u.size(); i += c.across> 0 ? 4 : 1) {
            Eigen::VectorXd up = u, down = u;
            up(i) += d;
            down(i) -= d;
            const Eigen::VectorXd slope =
                (exact(law, base, orders, up).force - exact(law, base, orders, down).force) / (2 * d);
            EXPECT_LT((found.slope.col(i) - slope).norm(), 3e-6) << c.name << " column " << i;
        }
    }
}

/// Loaded in two directions just beyond its limit a contact slips a little in every period and creeps for hundreds of
/// them to what it repeats: that is solved for, and so are its derivatives. (Where slip dies out it is not.)
TEST(HarmonicContact, WhatFadesSlowlyIsSolvedFor) {
    const Law law("elastic-dry-friction", {{"kt", 2}, {"mu", 0.3}, {"kn", 10}});
    const Eigen::Vector3d base(0, 0, 0.357);
    std::mt19937 draw(3);
    const auto number = [&] { return 2.0 * double(draw()) / double(std::mt19937::max()) - 1.0; };
    int slow = 0;
    for (int k = 0; k < 2500; ++k) {
        Eigen::MatrixXd u(3, orders.size());
        for (Eigen::Index b = 0; b < u.cols(); ++b) {
            const double order = double((b + 1) / 2);
            u.col(b) = Eigen::Vector3d(number(), number(), 0.05 * number()) / std::max(order * order, 0.5);
        }
        double most = 0;  // traction over the limit, were it stuck from here on
        Eigen::VectorXd h(orders.size());
        for (int i = 0; i < 500; ++i) {
            orders.values(2 * std::numbers::pi * i / 500, h.data());
            const Eigen::Vector3d at = u * h;
            most = std::max(most, 2 * at.head<2>().norm() / (3 * (base(2) + at(2))));
        }
        u.topRows(2) *= (1 + std::pow(10.0, -2.5 + 2.5 * number())) / most;
        const Eigen::VectorXd flat = Eigen::Map<const Eigen::VectorXd>(u.data(), u.size());
        const auto found = exact(law, base, orders, flat);
        const auto pieces = contact_pieces(law);
        const auto soon = harmonic_contact(*pieces, pressed(law, base), base, orders, flat, {.most_periods = 4});
        if (found.dissipated < 1e-3) continue;
        EXPECT_LT(found.residual, 1e-12) << k;
        if (soon.residual < 1e-8) continue;
        ++slow;
        const double d = 1e-7;
        for (const Eigen::Index i : {0, 4, 10}) {
            Eigen::VectorXd up = flat, down = flat;
            up(i) += d;
            down(i) -= d;
            const Eigen::VectorXd slope =
                (exact(law, base, orders, up).force - exact(law, base, orders, down).force) / (2 * d);
            EXPECT_LT((found.slope.col(i) - slope).norm(), 1e-4) << k << " column " << i;
        }
    }
    EXPECT_GT(slow, 4);
}

TEST(HarmonicContact, DecoupledAxesAreEachTheLawAlongALine) {
    const faying::core::ParameterValues values{{"kt", 3}, {"mu", 0.4}, {"kn", 5}};
    const Law both("elastic-dry-friction-decoupled", values), line("elastic-dry-friction", values);
    const Eigen::Vector3d base(0.1, -0.05, 0.6);
    const Eigen::VectorXd u = motion(orders, 0.7, 0.4, 0.8);  // opens, slips and sticks
    const auto found = exact(both, base, orders, u);
    for (const Eigen::Index axis : {0, 1}) {
        Eigen::VectorXd alone = Eigen::VectorXd::Zero(u.size());
        for (Eigen::Index i = 0; i < u.size(); i += 3) {
            alone(i) = u(i + axis);
            alone(i + 2) = u(i + 2);
        }
        const auto expected = exact(line, Eigen::Vector3d(base(axis), 0, base(2)), orders, alone);
        for (Eigen::Index i = 0; i < u.size(); i += 3) {
            EXPECT_NEAR(found.force(i + axis), expected.force(i), 1e-12);
            EXPECT_NEAR(found.force(i + 2), expected.force(i + 2), 1e-12);
            for (Eigen::Index j = 0; j < u.size(); j += 3) {
                EXPECT_NEAR(found.slope(i + axis, j + axis), expected.slope(i, j), 1e-11);
                EXPECT_NEAR(found.slope(i + axis, j + 2), expected.slope(i, j + 2), 1e-11);
                EXPECT_EQ(found.slope(i + axis, j + 1 - axis), 0.0);
            }
        }
    }
    const auto rough = harmonic_force(pressed(both, base), base, orders, u, {.samples = 1 << 14});
    EXPECT_LT((rough.force - found.force).norm(), 1e-4 * found.force.norm());
}

/// Sheared at rest, it slips a little at first and then never again: where it comes to rest depends on the motion.
TEST(HarmonicContact, ShakesDownWithTheMotionsDerivatives) {
    const Law law = law_of("elastic-dry-friction-decoupled");
    const Eigen::Vector3d base(0.5, -0.2, 1.0);  // friction holds up to 1.2, which kt 0.5 nearly is
    const Eigen::VectorXd u = motion(orders, 0.2, 0.1, 0.05);
    const auto found = exact(law, base, orders, u);
    EXPECT_NEAR(found.dissipated, 0, 1e-13);
    EXPECT_GT(std::abs(found.force(0) - 2 * (base(0) + u(0))), 1e-3);  // not where it was
    const double d = 1e-6;
    for (Eigen::Index i = 0; i < u.size(); ++i) {
        Eigen::VectorXd up = u, down = u;
        up(i) += d;
        down(i) -= d;
        const Eigen::VectorXd slope =
            (exact(law, base, orders, up).force - exact(law, base, orders, down).force) / (2 * d);
        EXPECT_LT((found.slope.col(i) - slope).norm(), 1e-8) << i;
    }
}

/// Slip, or stick, for as short as a millionth of the period: each event is found, and what it leaves is that of the law
/// along a line, whose reversals are found by bounds.
TEST(HarmonicContact, EventsAsShortAsTheyMayBe) {
    const double kt = 3, fs = 1.2;
    const Law line("jenkins", {{"kt", kt}, {"fs", fs}});
    const Law plane("jenkins-2d", {{"kt", kt}, {"fs", fs}, {"kn", 5}});
    const Law dry("elastic-dry-friction", {{"kt", kt}, {"mu", 0.24}, {"kn", 5}});
    const Law axes("elastic-dry-friction-decoupled", {{"kt", kt}, {"mu", 0.24}, {"kn", 5}});
    const Eigen::Vector3d base(0, 0, 1);
    const double shift = 1.2345;
    for (const double share : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
        const double half = std::acos(-1.0) * share, beyond = std::pow(std::sin(half), 2);
        // slips before each tip for that share of the period; or turns back for as long in the middle of its slip
        Eigen::VectorXd tips = Eigen::VectorXd::Zero(orders.size()), dip = tips;
        const double amplitude = fs / kt / (1 - beyond);
        tips(1) = amplitude * std::cos(shift);
        tips(2) = amplitude * std::sin(shift);
        const double third = std::cos(half) / std::cos(3 * half);  // u' = cos t - third cos 3t is zero there
        dip(1) = -2 * std::sin(shift);
        dip(2) = 2 * std::cos(shift);
        dip(5) = 2 * third / 3 * std::sin(3 * shift);
        dip(6) = -2 * third / 3 * std::cos(3 * shift);
        for (const Eigen::VectorXd& along : {tips, dip}) {
            const auto expected = harmonic_force(site_of(line), Eigen::VectorXd::Zero(1), orders, along);
            if (&along == &tips) {
                EXPECT_NEAR(expected.dissipated, 4 * fs * (amplitude - fs / kt), 1e-14);
            }
            EXPECT_GT(expected.dissipated, 0);
            Eigen::VectorXd u = Eigen::VectorXd::Zero(3 * orders.size());
            for (Eigen::Index b = 0; b < orders.size(); ++b) u(3 * b) = along(b);
            for (const Law& law : {plane, dry, axes}) {
                const auto found = exact(law, base, orders, u);
                EXPECT_NEAR(found.dissipated, expected.dissipated, 2e-12 * expected.dissipated + 2e-14)
                    << law.name() << ' ' << share;
                for (Eigen::Index b = 0; b < orders.size(); ++b) {
                    EXPECT_NEAR(found.force(3 * b), expected.force(b), 2e-13) << law.name() << ' ' << share;
                    for (Eigen::Index c = 0; c < orders.size(); ++c)
                        EXPECT_NEAR(found.slope(3 * b, 3 * c), expected.slope(b, c), 1e-8)
                            << law.name() << ' ' << share;
                }
            }
        }
    }
}

/// On an ellipse, just beyond what friction holds: dissipation begins from nothing and grows without a step.
TEST(HarmonicContact, SlipOnACurvedPathBeginsFromNothing) {
    const Law law("jenkins-2d", {{"kt", 3}, {"fs", 1.2}, {"kn", 5}});
    const Eigen::Vector3d base(0, 0, 1);
    const auto at = [&](double beyond) {
        Eigen::VectorXd u = Eigen::VectorXd::Zero(3 * orders.size());
        const double shift = 0.777, size = 0.4 * (1 + beyond);
        u(3) = size * std::cos(shift);
        u(6) = size * std::sin(shift);
        u(4) = -0.6 * size * std::sin(shift);
        u(7) = 0.6 * size * std::cos(shift);
        return exact(law, base, orders, u);
    };
    double before = 0, last = 0;
    for (double beyond = 1e-11; beyond < 2e-3; beyond *= 4) {
        const double now = at(beyond).dissipated;
        EXPECT_GT(now, before) << beyond;
        if (beyond > 1e-8 && last > 0) {
            EXPECT_NEAR(now / before, last, 0.02 * last) << beyond;  // a power of the excess
        }
        if (before > 0 && beyond > 3e-9) last = now / before;
        before = now;
    }
    EXPECT_NEAR(at(-1e-9).dissipated, 0, 1e-15);
}

TEST(HarmonicContact, StuckItIsThreeSpringsToTheLastBit) {
    const Law law = law_of("elastic-dry-friction");
    const auto found = exact(law, {0, 0, 1}, orders, motion(orders, 0.05, 0.03, 0.01));
    for (Eigen::Index i = 0; i < found.slope.rows(); ++i)
        for (Eigen::Index j = 0; j < found.slope.cols(); ++j)
            EXPECT_EQ(found.slope(i, j), i != j ? 0.0 : i % 3 == 2 ? 3.0 : 2.0);
}

TEST(HarmonicContact, OtherLawsHaveNone) {
    EXPECT_FALSE(contact_pieces(Law("jenkins", {{"kt", 3}, {"fs", 1.2}})).has_value());
}

}  // namespace
