// Stability of periodic motions with contact on three displacements: multipliers against differences of event-driven
// period maps written for these tests, and against other cuts of the period (also where forces jump).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "event_driven.hpp"
#include "faying/modes/harmonic_balance.hpp"
#include "harmonic_orbit.hpp"
#include "harmonic_stability.hpp"
#include "multipliers.hpp"

namespace {

using namespace faying;
using core::Harmonics;
using Eigen::Vector2d, Eigen::VectorXd, Eigen::MatrixXd;
using std::numbers::pi;
using structure::Model;
using tests::Complex, tests::Pieces, tests::multipliers_by_differences;
using tests::expect_alike, tests::iwan5, tests::on_spring, tests::point_at, tests::reid;

/// One mass on three springs and a contact in space: (x, y, n), pressed by a static force, shaken along all three.
struct Mass {
    Eigen::Vector3d k{1.0, 1.3, 2.0}, load{0.5, 0.3, 0.2};
    double ratio = 0.03, press = 0.6, w = 0.9;
    double kt = 2, kn = 3, mu = 0.4, kp = 0, fs = 0;
    bool constant_limit = false, decoupled = false;
    double gap = 0;  ///< how far the contact is open before any load

    Model model() const {
        Model m;
        m.mass = MatrixXd::Identity(3, 3);
        m.stiffness = k.asDiagonal();
        m.damping = 2 * ratio * m.stiffness;
        m.damping_ratio = 0;
        std::string name = "elastic-dry-friction";
        core::ParameterValues values{{"kt", kt}, {"mu", mu}, {"kn", kn}};
        if (constant_limit) {
            name = kp > 0 ? "jenkins-prager-2d-penalty" : "jenkins-2d-penalty";
            values = {{"kt", kt}, {"fs", fs}, {"kn", kn}};
        } else if (kp > 0) {
            name += "+kp";
        } else if (decoupled) {
            name += "-decoupled";
        }
        if (kp > 0) values["kp"] = kp;
        m.joints = {structure::Joint{
            "contact", laws::Law(name, values), Eigen::Matrix3d::Identity(), VectorXd::Ones(1), {}, {}}};
        if (gap != 0) m.joints[0].gap = VectorXd::Constant(1, gap);
        m.static_force = press * Eigen::Vector3d(0, 0, 1);
        return m;
    }
};

/// Its motion with traction and the place where kp is slack as states: (x, v, tau, r).
class ContactMotion final : public Pieces {
 public:
    enum { open, stick, slip };
    explicit ContactMotion(const Mass& mass) : states(mass.kp > 0 ? 10 : 8), c(mass) {}
    const Eigen::Index states;  ///< r only beside a spring kp

    double approach(const VectorXd& x) const { return x(2) - c.gap; }
    double limit(const VectorXd& x) const { return c.constant_limit ? c.fs : c.mu * c.kn * approach(x); }
    double limit_rate(const VectorXd& x) const { return c.constant_limit ? 0.0 : c.mu * c.kn * x(5); }

    /// A direction that does not matter is left as it is.
    bool holds_nothing(const VectorXd& x) const { return limit(x) < 1e-9; }
    /// Directions turn the faster the less is held.
    double longest(int piece, const VectorXd& x) const override {
        return piece == slip ? std::max(0.3 * limit(x) / (c.kt * x.segment<2>(3).norm()), 2e-10) : 1e300;
    }

    VectorXd rate(int piece, double t, const VectorXd& x) const override {
        VectorXd out = VectorXd::Zero(states);
        out.head<3>() = x.segment<3>(3);
        Eigen::Vector3d f = Eigen::Vector3d::Zero();
        const Vector2d v = x.segment<2>(3), tau = x.segment<2>(6);
        if (piece != open) {
            f << tau, c.kn * approach(x);
            if (c.kp > 0) f.head<2>() += c.kp * (x.head<2>() - x.segment<2>(8));
            out.segment<2>(6) = c.kt * v;
        }
        if (piece == slip && holds_nothing(x)) {
            out.segment<2>(6).setZero();
        } else if (piece == slip) {
            const Vector2d e = tau.normalized();
            out.segment<2>(6) += (limit_rate(x) - c.kt * e.dot(v)) * e;
        }
        out.segment<3>(3) = c.load * std::cos(c.w * t) + Eigen::Vector3d(0, 0, c.press) -
                            c.k.cwiseProduct(x.head<3>()) - 2 * c.ratio * c.k.cwiseProduct(x.segment<3>(3)) - f;
        return out;
    }
    std::vector<Event> events(int piece) const override {
        const auto close = [this](double, VectorXd& x) {
            x.segment<2>(6).setZero();
            if (c.kp > 0) x.segment<2>(8) = x.head<2>();
            if (c.constant_limit || c.kt * x.segment<2>(3).norm() <= limit_rate(x)) return int(stick);
            x.segment<2>(6) = 1e-9 * x.segment<2>(3).normalized();
            return int(slip);
        };
        const auto open_up = [this](double, VectorXd& x) {
            x.tail(states - 6).setZero();
            return int(open);
        };
        if (piece == open) return {{[this](double, const VectorXd& x) { return -approach(x); }, close}};
        std::vector<Event> all{{[this](double, const VectorXd& x) { return approach(x); }, open_up}};
        if (piece == stick)
            all.push_back({[this](double, const VectorXd& x) { return limit(x) - x.segment<2>(6).norm() + 1e-15; },
                           [](double, VectorXd&) { return int(slip); }});
        else
            all.push_back({[this](double, const VectorXd& x) {
                               if (holds_nothing(x)) return 1.0;
                               return c.kt * x.segment<2>(6).normalized().dot(x.segment<2>(3)) - limit_rate(x);
                           },
                           [](double, VectorXd&) { return int(stick); }});
        return all;
    }

    std::pair<int, VectorXd> at_rest() const {
        VectorXd x = VectorXd::Zero(states);
        const bool touches = c.press > c.k(2) * c.gap;
        x(2) = touches ? (c.press + c.kn * c.gap) / (c.k(2) + c.kn) : c.press / c.k(2);
        return {touches ? stick : open, x};
    }

 private:
    Mass c;
};

struct Case {
    const char* name;
    Mass mass;
    bool slips, opens;
};

class ContactCases : public testing::TestWithParam<Case> {};

TEST_P(ContactCases, MultipliersAreThoseOfDifferencesOfAPeriod) {
    const auto& [name, mass, slips, opens] = GetParam();
    const Model m = mass.model();
    const auto point = point_at(m, mass.load, 1.0, mass.w, 9);
    ASSERT_TRUE(point.converged) << name;

    ContactMotion motion(mass);
    auto [piece, x] = motion.at_rest();
    const double period = 2 * pi / mass.w;
    constexpr int steps = 100;
    for (int k = 0; k < 30; ++k) motion.run(piece, x, 0, period, steps);
    // a section at which the contact sticks for a while, so that small differences do not meet an event
    double section = 0;
    {
        int at = piece, longest = 0, run = 0;
        VectorXd y = x;
        for (int k = 0; k < 64; ++k) {
            motion.run(at, y, k * period / 64, (k + 1) * period / 64, 8);
            run = at == ContactMotion::stick ? run + 1 : 0;
            if (run > longest) longest = run, section = (k + 1 - run / 2) * period / 64;
        }
        ASSERT_GT(longest, 1) << name;
    }
    motion.run(piece, x, 0, section, steps);
    const int start = piece;
    motion.events_met = 0;
    int misses = 0;
    const auto map = [&](const VectorXd& from) {
        VectorXd to = from;
        int at = start;
        motion.run(at, to, section, section + period, steps);
        misses += at != start;
        return to;
    };
    double miss = 1;
    const auto expected = multipliers_by_differences(map, x, 1e-4, miss);
    EXPECT_LT(miss, 1e-12) << name;
    EXPECT_EQ(misses, 0) << name;
    EXPECT_EQ(slips || opens, motion.events_met > 0) << name;
    expect_alike(point.stability, expected, 1e-8);
}

Mass changed(const std::function<void(Mass&)>& change) {
    Mass m;
    change(m);
    return m;
}

INSTANTIATE_TEST_SUITE_P(OneMass, ContactCases,
                         testing::Values(Case{"in_the_plane", changed([](Mass& m) { m.load(1) = 0; }), true, false},
                                         Case{"two_directions", changed([](Mass&) {}), true, false},
                                         Case{"little_slip", changed([](Mass& m) {
                                                  m.load *= 0.6;
                                                  m.mu = 0.5;
                                              }),
                                              true, false},
                                         Case{"opens", changed([](Mass& m) {
                                                  m.load = {0.5, 0.4, 1.5};
                                                  m.w = 1.2;
                                              }),
                                              true, true},
                                         Case{"opens_in_the_plane", changed([](Mass& m) {
                                                  m.load = {0.6, 0.0, 1.5};
                                                  m.w = 0.7;
                                              }),
                                              true, true},
                                         Case{"tears_a_spring", changed([](Mass& m) {
                                                  m.load = {0.5, 0.4, 1.5};
                                                  m.kp = 0.5;
                                                  m.w = 1.2;
                                              }),
                                              true, true},
                                         Case{"drops_its_friction", changed([](Mass& m) {
                                                  m.load = {0.6, 0.5, 1.2};
                                                  m.constant_limit = true;
                                                  m.fs = 0.3;
                                                  m.w = 0.8;
                                              }),
                                              true, true},
                                         Case{"closes_a_gap_at_rest", changed([](Mass& m) {
                                                  m.press = 0.8;
                                                  m.gap = 0.1;
                                              }),
                                              true, false},
                                         Case{"closes_a_gap_as_it_moves", changed([](Mass& m) {
                                                  m.load = {0.5, 0.4, 1.5};
                                                  m.press = 0;
                                                  m.gap = 0.15;
                                                  m.w = 1.2;
                                              }),
                                              true, true},
                                         Case{"pressed_into_each_other", changed([](Mass& m) {
                                                  m.press = 0;
                                                  m.gap = -0.3;
                                              }),
                                              true, false}),
                         [](const auto& info) { return std::string(info.param.name); });

/// A gap that closes and opens, with friction while it is closed: pressure's slope jumps there, so that the motion's
/// harmonics fall as k^-4, and the error in the mean as H^-3.5.
TEST(ContactResponse, OfAGapTendsToTheEventDrivenMotion) {
    const Mass mass = changed([](Mass& m) {
        m.load = {0.5, 0.0, 1.5};
        m.press = 0;
        m.kt = 0.2;
        m.kn = 0.3;
        m.gap = 0.15;
        m.w = 1.2;
    });
    ContactMotion motion(mass);
    auto [piece, x] = motion.at_rest();
    const double period = 2 * pi / mass.w;
    for (int k = 0; k < 300; ++k) motion.run(piece, x, 0, period, 100);
    ASSERT_GE(motion.events_met, 300);
    constexpr int times = 16;
    MatrixXd truth(3, times);
    for (int k = 0; k < times; ++k) {
        truth.col(k) = x.head<3>();
        motion.run(piece, x, k * period / times, (k + 1) * period / times, 20);
    }
    const auto places = [&](const modes::HarmonicOptions& options) {
        MatrixXd h(options.harmonics.size(), times), found = MatrixXd::Constant(3, times, std::nan(""));
        for (int k = 0; k < times; ++k) options.harmonics.values(2 * pi * k / times, h.col(k).data());
        for (const auto& point :
             modes::response(mass.model(), {mass.load, 1.0}, 0.9999 * mass.w, 1.0001 * mass.w, {mass.w}, options))
            if (point.omega == mass.w && point.converged) found = point.harmonics * h;
        return found;
    };
    std::vector<double> off;
    for (const int highest : {9, 27, 81})
        off.push_back((places({.harmonics = Harmonics::up_to(highest)}) - truth).norm() / truth.norm());
    EXPECT_LT(off.back(), 2e-8) << off[0] << ' ' << off[1];
    EXPECT_GT(std::log(off[0] / off[2]) / std::log(9.0), 3.0) << "observed order";
    // Samples, order by order: what they miss falls at least in proportion to the step.
    const MatrixXd exact = places({.harmonics = Harmonics::up_to(9)});
    std::vector<double> missed;
    for (const int samples : {256, 1024, 4096})
        missed.push_back((places({.harmonics = Harmonics::up_to(9), .joints = {.samples = samples}}) - exact).norm());
    EXPECT_LT(missed[2], 1e-5 * exact.norm());
    EXPECT_LT(missed[2], missed[0] / 16);
}

/// Along its own axis each of decoupled sliders is what the coupled one is when all goes along that axis; across it the
/// contact sticks and is a spring.
TEST(ContactStability, DecoupledAxes) {
    Mass mass = changed([](Mass& m) { m.load(1) = 0; });
    const auto coupled = point_at(mass.model(), mass.load, 1.0, mass.w, 9).stability;
    mass.decoupled = true;
    const auto found = point_at(mass.model(), mass.load, 1.0, mass.w, 9).stability;
    ASSERT_TRUE(found.stable.has_value()) << found.reason;
    ASSERT_EQ(found.multipliers.size(), 6u);
    const double stiffness = mass.k(1) + mass.kt, decay = mass.ratio * mass.k(1), period = 2 * pi / mass.w;
    const Complex across = std::exp(Complex(-decay, std::sqrt(stiffness - decay * decay)) * period);
    int along = 0, own = 0;
    for (const Complex& m : found.multipliers) {
        if (std::min(std::abs(m - across), std::abs(m - std::conj(across))) < 1e-9) ++own;
        for (const Complex& c : coupled.multipliers)
            if (std::abs(m - c) < 1e-9) ++along;
    }
    EXPECT_EQ(own, 2);
    EXPECT_EQ(along, 4);
    EXPECT_EQ(found.forgotten, 1);  // what the first axis holds; the second never slips, so that it is no state
}

/// A solved motion, from inside.
struct Inside {
    Model model;
    modes::Interface interface;
    modes::HarmonicSystem system;
    MatrixXd modal;
    double w;

    Inside(const Model& m, const VectorXd& load, double frequency, int highest)
        : model(m), interface(model), system(model, interface, Harmonics::up_to(highest), {}), w(frequency) {
        const auto point = point_at(model, load, 1.0, w, highest);
        modal = system.shapes().transpose() * model.mass * point.harmonics;
        MatrixXd force = MatrixXd::Zero(system.modes(), modal.cols());
        force.col(1) = system.shapes().transpose() * load;
        system.set_force(force);
    }
};

TEST(ContactStability, DoesNotDependOnHowThePeriodIsCut) {
    const Mass opens = changed([](Mass& m) {
        m.load = {0.5, 0.4, 1.5};
        m.kp = 0.5;
        m.w = 1.2;
    });
    const Mass slips;
    const VectorXd one = VectorXd::Ones(1);
    const std::vector<std::tuple<Model, VectorXd, double>> all{{opens.model(), opens.load, opens.w},
                                                               {slips.model(), slips.load, slips.w},
                                                               {on_spring(reid, 0.03), one, 0.7},
                                                               {on_spring(iwan5, 0.03), one, 0.8}};
    for (const auto& [model, load, w] : all) {
        Inside in(model, load, w, 7);
        modes::PeriodMap map(in.system, in.w);
        int forgotten = 0, here = 0;
        const auto whole = map.beside(in.modal, 1);
        ASSERT_TRUE(whole.converged) << whole.reason;
        const auto expected = modes::multipliers_of(whole.monodromy, forgotten);
        for (const int segments : {2, 3, 5, 8, 16}) {
            const auto cut = map.beside(in.modal, segments);
            ASSERT_TRUE(cut.converged) << cut.reason;
            const auto found = modes::multipliers_of(cut.monodromy, here);
            ASSERT_EQ(found.size(), expected.size()) << segments;
            EXPECT_EQ(here, forgotten);
            for (std::size_t i = 0; i < found.size(); ++i)
                EXPECT_LT(std::abs(found[i] - expected[i]), 1e-8) << segments;
        }
    }
}

}  // namespace
