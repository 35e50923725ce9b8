// Stability of periodic motions with forces that jump: multipliers against differences of event-driven period maps.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "faying/laws/iwan.hpp"
#include "multipliers.hpp"

namespace {

using namespace faying;
using Eigen::Vector2d, Eigen::VectorXd;
using std::numbers::pi;
using tests::Complex, tests::Pieces, tests::multipliers_by_differences;
using tests::expect_alike, tests::iwan5, tests::on_spring, tests::point_at, tests::reid;

/// A mass on a spring and Reid's spring, whose force jumps when it turns: (x, v), by the signs of both.
class ReidMotion final : public Pieces {
 public:
    ReidMotion(double k, double eta, double ratio, double w) : k_(k), eta_(eta), ratio_(ratio), w_(w) {}
    static int piece_of(bool right, bool outward) { return 2 * int(right) + int(outward); }  // outward: v > 0
    VectorXd rate(int piece, double t, const VectorXd& x) const override {
        const double way = (piece / 2 == piece % 2) ? 1.0 : -1.0;
        return Vector2d{x(1), std::cos(w_ * t) - 2 * ratio_ * x(1) - x(0) - k_ * (1 + way * eta_) * x(0)};
    }
    std::vector<Event> events(int piece) const override {
        const double side = piece / 2 == 1 ? 1.0 : -1.0, way = piece % 2 == 1 ? 1.0 : -1.0;
        return {{[=](double, const VectorXd& x) { return side * x(0); }, [=](double, VectorXd&) { return piece ^ 2; }},
                {[=](double, const VectorXd& x) { return way * x(1); }, [=](double, VectorXd&) { return piece ^ 1; }}};
    }

 private:
    double k_, eta_, ratio_, w_;
};

/// The same on an Iwan-5 joint that slips in every half period: (x, v, u where it turned), pieces by direction and
/// whether it slips. Its sliders drop their force together when the last lets go.
class IwanMotion final : public Pieces {
 public:
    IwanMotion(double ratio, double w) : curve_({0.6, 2, -0.5, 5, 0.8}), ratio_(ratio), w_(w) {}
    static constexpr double slip_force = 0.8 * 0.6;
    VectorXd rate(int piece, double t, const VectorXd& x) const override {
        const double way = piece % 2 == 1 ? 1.0 : -1.0;
        double force = way * slip_force;
        if (piece < 2) force = -way * slip_force + 2 * way * branch(0.5 * way * (x(0) - x(2)));
        return Eigen::Vector3d{x(1), std::cos(w_ * t) - 2 * ratio_ * x(1) - x(0) - force, 0};
    }
    std::vector<Event> events(int piece) const override {
        const double way = piece % 2 == 1 ? 1.0 : -1.0;
        std::vector<Event> all{{[=](double, const VectorXd& x) { return way * x(1); },
                                [=](double, VectorXd& x) {
                                    if (piece < 2) throw std::runtime_error("it turns before it slips");
                                    x(2) = x(0);
                                    return 1 - piece % 2;
                                }}};
        if (piece < 2)
            all.push_back(
                {[=, this](double, const VectorXd& x) { return 2 * curve_.macroslip() - way * (x(0) - x(2)); },
                 [=](double, VectorXd& x) {
                     x(2) = 0;
                     return piece + 2;
                 }});
        return all;
    }

 private:
    laws::Iwan5Curve<double> curve_;
    double ratio_, w_;

    /// Up to the drop, and as straight on where a step looks beyond it.
    double branch(double d) const {
        const double most = curve_.macroslip() * (1 - 1e-14);
        if (d > most) return curve_.at(most).force + curve_.at(most).tangent * (d - most);
        return d < 0 ? curve_.at(0.0).tangent * d : curve_.at(d).force;
    }
};

std::vector<Complex> settled_multipliers(Pieces& motion, int piece, VectorXd x, double w, double section,
                                         Eigen::Index varied) {
    const double period = 2 * pi / w;
    for (int k = 0; k < 40; ++k) motion.run(piece, x, 0, period, 100);
    motion.run(piece, x, 0, section, 200);
    const auto map = [&](const VectorXd& from) -> VectorXd {
        VectorXd to = VectorXd::Zero(x.size());
        to.head(varied) = from;
        int at = piece;
        motion.run(at, to, section, section + period, 150);
        EXPECT_EQ(at, piece);
        return to.head(varied);
    };
    double miss = 1;
    auto all = multipliers_by_differences(map, x.head(varied), 1e-4, miss);
    EXPECT_LT(miss, 1e-12);
    return all;
}

TEST(JumpStability, ReidsForceJumpsWhereItTurns) {
    for (const double w : {0.7, 1.6}) {
        const auto point = point_at(on_spring(reid, 0.03), VectorXd::Ones(1), 1.0, w, 15);
        ASSERT_TRUE(point.converged);
        ReidMotion motion(0.8, 0.15, 0.03, w);
        expect_alike(point.stability,
                     settled_multipliers(motion, ReidMotion::piece_of(true, true), Vector2d(1e-3, 1e-3), w, 0.3, 2),
                     1e-8);
    }
}

TEST(JumpStability, SlidersOfIwan5DropTheirForceTogether) {
    const double w = 0.8;
    const auto point = point_at(on_spring(iwan5, 0.03), VectorXd::Ones(1), 1.0, w, 15);
    ASSERT_TRUE(point.converged);
    IwanMotion motion(0.03, w);
    // from x = -2 on, as if it had turned there, sliding in the negative direction before
    VectorXd x = Eigen::Vector3d(-2, 0.01, -2);
    int piece = 1;
    double section = 0;
    {  // where it slips for long
        int at = piece, longest = 0, run = 0;
        VectorXd y = x;
        for (int k = 0; k < 20; ++k) motion.run(at, y, 0, 2 * pi / w, 200);
        for (int k = 0; k < 64; ++k) {
            motion.run(at, y, k * 2 * pi / w / 64, (k + 1) * 2 * pi / w / 64, 8);
            run = at >= 2 ? run + 1 : 0;
            if (run > longest) longest = run, section = (k + 1 - run / 2) * 2 * pi / w / 64;
        }
    }
    expect_alike(point.stability, settled_multipliers(motion, piece, x, w, section, 2), 1e-8);
}

}  // namespace
