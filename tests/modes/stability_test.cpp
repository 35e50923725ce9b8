// Stability of periodic motions: multipliers against an event-driven Poincare map made of matrix exponentials, against
// Hill's method and differential equations solved otherwise; cuts of the period; bifurcations.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/MatrixFunctions>

#include "faying/core/error.hpp"
#include "faying/modes/harmonic_balance.hpp"
#include "harmonic_orbit.hpp"
#include "harmonic_stability.hpp"

namespace {

using namespace faying;
using core::Harmonics;
using structure::Model;
using Complex = std::complex<double>;
using std::numbers::pi;

/// Masses in a row, the first held, with a joint along `direction`.
Model chain(int masses, const laws::Law& law, const Eigen::VectorXd& direction, double ratio) {
    Model m;
    m.mass = Eigen::MatrixXd::Identity(masses, masses);
    m.stiffness = Eigen::MatrixXd::Zero(masses, masses);
    for (int i = 0; i < masses; ++i) {
        m.stiffness(i, i) += 1;
        if (i == 0) continue;
        m.stiffness(i - 1, i - 1) += 1;
        m.stiffness(i, i - 1) -= 1;
        m.stiffness(i - 1, i) -= 1;
    }
    m.damping_ratio = 0;
    m.damping = 2 * ratio * m.stiffness;
    m.joints = {structure::single_site("joint", law, direction)};
    return m;
}

/// x'' + C x' + K x + b f = p cos wt with a slider f = kt (b.x - z), |f| <= fs. Linear while it sticks or slips: exact
/// by matrix exponentials of (x, v, z, cos, sin, 1), from event to event, and so is the derivative, with the jump of z'
/// at the onset of slip.
class SliderMap {
 public:
    SliderMap(const Model& m, double kt, double fs, double p, const Eigen::VectorXd& load, double w)
        : n(m.size()), b(m.joints[0].map.row(0).transpose()), kt_(kt), fs_(fs), w_(w) {
        for (const int mode : {-1, 0, 1}) {
            Eigen::MatrixXd a = Eigen::MatrixXd::Zero(2 * n + 4, 2 * n + 4);
            a.block(0, n, n, n).setIdentity();
            a.block(n, 0, n, n) = -m.stiffness;
            a.block(n, n, n, n) = -m.damping;
            a.col(2 * n + 1).segment(n, n) = p * load;
            a(2 * n + 1, 2 * n + 2) = -w;
            a(2 * n + 2, 2 * n + 1) = w;
            if (mode == 0) {
                a.block(n, 0, n, n) -= kt * b * b.transpose();
                a.col(2 * n).segment(n, n) += kt * b;
            } else {
                a.col(2 * n + 3).segment(n, n) -= mode * fs * b;
                a.row(2 * n).segment(n, n) = b.transpose();
            }
            a_[mode + 1] = a;
        }
    }

    /// A period from (x, v, z), and its derivative.
    Eigen::VectorXd period(const Eigen::VectorXd& from, Eigen::MatrixXd& slope) {
        Eigen::VectorXd s(2 * n + 4);
        s << from, 1, 0, 1;
        slope.setIdentity(2 * n + 1, 2 * n + 1);
        int mode = start_mode(s);
        double t = 0;
        const double period = 2 * pi / w_, pace = period / 400;
        const Eigen::MatrixXd steps[3] = {(a_[0] * pace).exp(), (a_[1] * pace).exp(), (a_[2] * pace).exp()};
        while (t < period) {
            const bool last = period - t < pace;
            const double step = last ? period - t : pace;
            const Eigen::VectorXd next = (last ? Eigen::MatrixXd((a_[mode + 1] * step).exp()) : steps[mode + 1]) * s;
            int to = mode;
            if (mode == 0 && std::abs(force(next)) > fs_ && force(next) * b.dot(next.segment(n, n)) > 0)
                to = force(next) > 0 ? 1 : -1;
            if (mode != 0 && mode * b.dot(next.segment(n, n)) < 0) to = 0;
            double h = step;
            if (to != mode) h = land(s, mode, to, step);
            const Eigen::MatrixXd move = (a_[mode + 1] * h).exp();
            s = move * s;
            slope = (move.topLeftCorner(2 * n + 1, 2 * n + 1) * slope).eval();
            if (to != mode && to != 0) {  // slip begins: saltation
                Eigen::RowVectorXd g = Eigen::RowVectorXd::Zero(2 * n + 1);
                g.head(n) = kt_ * b.transpose();
                g(2 * n) = -kt_;
                const Eigen::VectorXd before = (a_[mode + 1] * s).head(2 * n + 1),
                                      after = (a_[to + 1] * s).head(2 * n + 1);
                slope = (slope + (after - before) * (g * slope) / g.dot(before)).eval();
                ++slips;
            }
            mode = to;
            t += h;
            if (last && to == mode && h == step) break;
        }
        return s.head(2 * n + 1);
    }

    /// The periodic motion's multipliers, from a start near it, which goes to where the period begins.
    std::vector<Complex> multipliers(Eigen::VectorXd& s, double& miss) {
        Eigen::MatrixXd slope;
        for (int k = 0; k < 40; ++k) s = period(s, slope);
        for (int k = 0; k < 12; ++k) {
            const Eigen::VectorXd off = period(s, slope) - s;
            miss = off.norm();
            s += (Eigen::MatrixXd::Identity(2 * n + 1, 2 * n + 1) - slope).completeOrthogonalDecomposition().solve(off);
        }
        const Eigen::VectorXcd values = Eigen::EigenSolver<Eigen::MatrixXd>(slope).eigenvalues();
        std::vector<Complex> all(values.begin(), values.end());
        std::sort(all.begin(), all.end(), [](auto x, auto y) { return std::abs(x) > std::abs(y); });
        return all;
    }
    int slips = 0;

 private:
    Eigen::Index n;
    Eigen::VectorXd b;
    double kt_, fs_, w_;
    Eigen::MatrixXd a_[3];

    double force(const Eigen::VectorXd& s) const { return kt_ * (b.dot(s.head(n)) - s(2 * n)); }
    int start_mode(const Eigen::VectorXd& s) const {
        const double f = force(s), speed = b.dot(s.segment(n, n));
        if (f >= fs_ * (1 - 1e-12) && speed > 0) return 1;
        if (f <= -fs_ * (1 - 1e-12) && speed < 0) return -1;
        return 0;
    }
    double land(const Eigen::VectorXd& s, int mode, int to, double high) const {
        double low = 0;
        const auto before = [&](double h) {
            const Eigen::VectorXd at = (a_[mode + 1] * h).exp() * s;
            return mode == 0 ? fs_ - to * force(at) : mode * b.dot(at.segment(n, n));
        };
        for (int k = 0; k < 60 && high - low > 1e-15; ++k) {
            const double middle = 0.5 * (low + high);
            (before(middle) > 0 ? low : high) = middle;
        }
        return high;
    }
};

struct Case {
    const char* name;
    int masses;
    double fs, p, w;
    bool between;  ///< the joint between the last two masses, else on the last one
};

modes::HarmonicOptions with_stability(int highest) {
    modes::HarmonicOptions options{.harmonics = Harmonics::up_to(highest)};
    options.stability = true;
    return options;
}

/// Displacement and velocity of a motion with all orders, and an empty place for the slider.
Eigen::VectorXd state_at_zero(const modes::HarmonicPoint& point) {
    const Eigen::Index n = point.harmonics.rows();
    Eigen::VectorXd state = Eigen::VectorXd::Zero(2 * n + 1);
    for (Eigen::Index b = 0; b < point.harmonics.cols(); ++b) {
        if (b % 2 == 1 || b == 0) state.head(n) += point.harmonics.col(b);
        if (b > 0 && b % 2 == 0) state.segment(n, n) += double(b / 2) * point.omega * point.harmonics.col(b);
    }
    return state;
}

class SliderCases : public testing::TestWithParam<Case> {};

TEST_P(SliderCases, MultipliersAreThoseOfTheEventDrivenMap) {
    const Case c = GetParam();
    const double kt = 2;
    Eigen::VectorXd direction = Eigen::VectorXd::Unit(c.masses, c.masses - 1);
    if (c.between) direction(c.masses - 2) = -1;
    const Model m = chain(c.masses, laws::Law("jenkins", {{"kt", kt}, {"fs", c.fs}}), direction, 0.02);
    const Eigen::VectorXd load = Eigen::VectorXd::Unit(c.masses, 0);
    const auto points = modes::response(m, {load, c.p}, 0.98 * c.w, 1.02 * c.w, {c.w}, with_stability(9));
    const auto point = std::find_if(points.begin(), points.end(), [&](const auto& p) { return p.omega == c.w; });
    ASSERT_NE(point, points.end());
    ASSERT_TRUE(point->converged);
    const auto& s = point->stability;
    ASSERT_TRUE(s.stable.has_value()) << s.reason;
    EXPECT_EQ(s.method, "exact orbit") << s.reason;
    EXPECT_LT(s.orbit_residual, 1e-10);
    EXPECT_LT(s.orbit_distance, 0.05);

    SliderMap map(m, kt, c.fs, c.p, load, c.w);
    Eigen::VectorXd start = state_at_zero(*point);
    double miss = 1;
    const auto expected = map.multipliers(start, miss);
    EXPECT_LT(miss, 1e-10);
    ASSERT_GE(s.multipliers.size(), std::size_t(2 * c.masses));
    const bool slips = map.slips > 0;
    for (std::size_t i = 0; i < std::size_t(2 * c.masses); ++i) {
        double nearest = 1;
        for (const Complex& e : expected) nearest = std::min(nearest, std::abs(e - s.multipliers[i]));
        EXPECT_LT(nearest, 1e-8) << c.name << ' ' << s.multipliers[i] << " slips " << slips;
    }
    if (slips) {
        EXPECT_LT(std::abs(expected.back()), 1e-9);  // the slider's state is forgotten
        EXPECT_GT(s.forgotten, 0);
    }
    EXPECT_TRUE(*s.stable);
}

INSTANTIATE_TEST_SUITE_P(StickAndSlip, SliderCases,
                         testing::Values(Case{"little slip", 1, 0.9, 1.0, 1.45, false},
                                         Case{"half the period", 1, 0.5, 1.0, 1.2, false},
                                         Case{"mostly slip", 1, 0.1, 1.0, 1.1, false},
                                         Case{"above resonance", 1, 0.4, 2.0, 1.9, false},
                                         Case{"two masses, first mode", 2, 0.3, 0.5, 0.8, true},
                                         Case{"two masses, second mode", 2, 0.2, 0.6, 1.8, true},
                                         Case{"three masses, several reversals", 3, 0.3, 1.5, 0.35, false}),
                         [](const auto& info) {
                             std::string name = info.param.name;
                             std::replace_if(
                                 name.begin(), name.end(), [](char ch) { return !std::isalnum(ch); }, '_');
                             return name;
                         });

/// Friction's slope jumps where slip begins: the force's harmonics fall as k^-2, the motion's as k^-4, and the error of a
/// displacement as the first that is left out.
TEST(Response, OfASliderTendsToTheEventDrivenMotion) {
    const double w = 1.2, kt = 2, fs = 0.5;
    const Eigen::VectorXd load = Eigen::VectorXd::Ones(1);
    const Model m = chain(1, laws::Law("jenkins", {{"kt", kt}, {"fs", fs}}), load, 0.02);
    SliderMap map(m, kt, fs, 1.0, load, w);
    Eigen::VectorXd truth;
    std::vector<double> off;
    for (const int highest : {9, 27, 81, 243}) {
        std::vector<int> odd;
        for (int k = 1; k <= highest; k += 2) odd.push_back(k);
        const auto points = modes::response(m, {load, 1.0}, 0.9999 * w, 1.0001 * w, {w}, {.harmonics = Harmonics(odd)});
        const auto point = std::find_if(points.begin(), points.end(), [&](const auto& p) { return p.omega == w; });
        ASSERT_NE(point, points.end());
        ASSERT_TRUE(point->converged);
        double displacement = 0, velocity = 0;
        for (std::size_t i = 0; i < odd.size(); ++i) {
            displacement += point->harmonics(0, Eigen::Index(2 * i));
            velocity += odd[i] * w * point->harmonics(0, Eigen::Index(2 * i + 1));
        }
        if (truth.size() == 0) {
            truth = Eigen::Vector3d(displacement, velocity, 0);
            double miss = 1;
            map.multipliers(truth, miss);
            ASSERT_LT(miss, 1e-12);
        }
        off.push_back(std::abs(displacement / truth(0) - 1));
    }
    EXPECT_LT(off.back(), 1e-9);                                                    // 4.5e-10
    EXPECT_GT(std::log(off[1] / off[3]) / std::log(9.0), 3.5) << "observed order";  // 4.2
}

/// A solved motion, from inside.
struct Inside {
    Model model;
    modes::Interface interface;
    modes::HarmonicSystem system;
    Eigen::MatrixXd modal;
    double w;

    Inside(const Model& m, const Eigen::VectorXd& load, double p, double frequency, int highest)
        : model(m), interface(model), system(model, interface, Harmonics::up_to(highest), {}), w(frequency) {
        const auto points = modes::response(model, interface, {load, p}, 0.98 * w, 1.02 * w, {w},
                                            {.harmonics = Harmonics::up_to(highest)});
        for (const auto& point : points)
            if (point.omega == w) modal = system.shapes().transpose() * model.mass * point.harmonics;
        Eigen::MatrixXd force = Eigen::MatrixXd::Zero(system.modes(), modal.cols());
        force.col(1) = p * (system.shapes().transpose() * load);
        system.set_force(force);
        system.choose(w);
        Eigen::VectorXd r(system.size());
        system.evaluate(system.unknowns(modal, 1.0), 1.0, w, 0.0, r);
    }
};

TEST(PeriodMap, DoesNotDependOnHowThePeriodIsCut) {
    const Eigen::VectorXd last = Eigen::VectorXd::Unit(2, 1);
    for (const auto& law : {laws::Law("jenkins", {{"kt", 2}, {"fs", 0.3}}),
                            laws::Law("iwan4", {{"FS", 0.4}, {"KT", 2}, {"chi", -0.5}, {"beta", 5}}),
                            laws::Law("bouc-wen", {{"A", 2}, {"alpha", 2}, {"beta", 1}, {"n", 1.5}})}) {
        Inside in(chain(2, law, last, 0.02), Eigen::VectorXd::Unit(2, 0), 0.5, 0.8, 7);
        modes::PeriodMap map(in.system, in.w);
        int forgotten = 0;
        const auto whole = map.beside(in.modal, 1);
        ASSERT_TRUE(whole.converged) << law.name() << ' ' << whole.reason;
        const auto expected = modes::multipliers_of(whole.monodromy, forgotten);
        for (int segments = 2; segments <= 16; ++segments) {
            const auto cut = map.beside(in.modal, segments);
            ASSERT_TRUE(cut.converged);
            const auto found = modes::multipliers_of(cut.monodromy, forgotten);
            ASSERT_EQ(found.size(), expected.size()) << law.name() << ' ' << segments;
            for (std::size_t i = 0; i < found.size(); ++i)
                EXPECT_LT(std::abs(found[i] - expected[i]), 1e-8) << law.name() << ' ' << segments;
        }
    }
}

TEST(PeriodMap, BoucWenIsItsDifferentialEquation) {
    const double a = 2, alpha = 2, beta = 1, p = 1.0, w = 1.1, c = 0.04;
    Inside in(chain(1, laws::Law("bouc-wen", {{"A", a}, {"alpha", alpha}, {"beta", beta}, {"n", 1}}),
                    Eigen::VectorXd::Ones(1), 0.02),
              Eigen::VectorXd::Ones(1), p, w, 7);
    const auto orbit = modes::PeriodMap(in.system, w).beside(in.modal);
    ASSERT_TRUE(orbit.converged) << orbit.reason;
    int forgotten = 0;
    const auto found = modes::multipliers_of(orbit.monodromy, forgotten);
    // x'' + c x' + x + f = p cos wt,  f' = (A - (alpha sgn(v f) - beta) |f|) v, by small steps and differences
    using State = Eigen::Vector3d;
    const auto rate = [&](const State& s, double t) -> State {
        const double size = std::abs(s(2));
        const double k = s(1) * s(2) > 0 ? a - (alpha - beta) * size : a + (alpha + beta) * size;
        return {s(1), p * std::cos(w * t) - c * s(1) - s(0) - s(2), k * s(1)};
    };
    const int steps = 40000;
    const auto period = [&](State s) {
        const double h = 2 * pi / w / steps;
        for (int i = 0; i < steps; ++i) {
            const double t = i * h;
            const State k1 = rate(s, t), k2 = rate(s + 0.5 * h * k1, t + 0.5 * h),
                        k3 = rate(s + 0.5 * h * k2, t + 0.5 * h), k4 = rate(s + h * k3, t + h);
            s += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        }
        return s;
    };
    State s = State::Zero();
    for (int i = 0; i < 60; ++i) s = period(s);
    Eigen::Matrix3d slope;
    for (int i = 0; i < 3; ++i) {
        const State d = 1e-4 * State::Unit(i);
        slope.col(i) = (period(s + d) - period(s - d)) / 2e-4;
    }
    const Eigen::Vector3cd expected = slope.eigenvalues();
    ASSERT_GE(found.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        double nearest = 1;
        for (const Complex& e : expected) nearest = std::min(nearest, std::abs(e - found[i]));
        EXPECT_LT(nearest, 1e-5) << found[i] << '\n' << expected;
    }
}

const laws::Law cubic("polynomial", {{"k1", 0}, {"k3", 1}});

TEST(Stability, HillAndThePeriodMapAgreeOnElasticLaws) {
    Inside in(chain(1, cubic, Eigen::VectorXd::Ones(1), 0.03), Eigen::VectorXd::Ones(1), 0.4, 1.1, 15);
    int forgotten = 0;
    const auto orbit = modes::PeriodMap(in.system, in.w).beside(in.modal);
    ASSERT_TRUE(orbit.converged);
    const auto exact = modes::multipliers_of(orbit.monodromy, forgotten);
    const auto hill = modes::hill_multipliers(in.system, in.w);
    ASSERT_EQ(hill.size(), 2u);
    EXPECT_EQ(forgotten, 0);
    // Liouville: the determinant is what viscous damping leaves
    EXPECT_NEAR(std::real(exact[0] * exact[1]), std::exp(-0.06 * 2 * pi / in.w), 1e-10);
    for (const Complex& e : exact)
        EXPECT_LT(std::min(std::abs(e - hill[0]), std::abs(e - hill[1])), 1e-9) << e << ' ' << hill[0];
}

TEST(Stability, TheMiddleBranchOfDuffingIsUnstableBetweenItsFolds) {
    const Model m = chain(1, cubic, Eigen::VectorXd::Ones(1), 0.03);
    const auto points = modes::response(m, {Eigen::VectorXd::Ones(1), 0.3}, 0.8, 2.6, {}, with_stability(7));
    int folds = 0, wrong = 0;
    for (const auto& p : points) {
        ASSERT_TRUE(p.converged);
        if (p.bifurcation == modes::Bifurcation::fold) {
            ++folds;  // there a multiplier is one; the harmonics' fold is as far from the orbit's as they are
            EXPECT_NEAR(std::abs(p.stability.multipliers.front()), 1, 3e-2);
            continue;
        }
        if (!p.stability.stable.has_value() || *p.stability.stable != (folds != 1)) ++wrong;
    }
    EXPECT_EQ(folds, 2);
    EXPECT_LE(wrong, 2) << "only points next to the folds may differ";
}

TEST(Stability, PeriodDoublingOfAStiffeningSpringIsLocated) {
    // A softening-and-stiffening spring (k2) driven hard: period two through a multiplier of -1
    const Model m =
        chain(1, laws::Law("polynomial", {{"k1", 0}, {"k2", 1.5}, {"k3", 1}}), Eigen::VectorXd::Ones(1), 0.05);
    const auto points = modes::response(m, {Eigen::VectorXd::Ones(1), 0.9}, 1.4, 2.8, {}, with_stability(11));
    int located = 0;
    for (const auto& p : points)
        if (p.bifurcation == modes::Bifurcation::period_doubling) {
            ++located;
            double nearest = 1;
            for (const Complex& e : p.stability.multipliers) nearest = std::min(nearest, std::abs(e + 1.0));
            EXPECT_LT(nearest, 1e-6);
        }
    EXPECT_GE(located, 1);
}

/// Two sliders that share a spring, of somebody who claims nothing about them.
struct OwnLaw {
    using Scalar = double;
    static constexpr std::string_view key = "own";
    static constexpr std::string_view title = "a slider on a slider";
    static constexpr std::string_view source = "this test";
    struct State {
        double x = 0, y = 0, dissipated = 0;
    };
    State virgin() const { return {}; }
    laws::Step<double, State> step(State z, double u) const {
        const double before = z.x, earlier = z.y;
        z.x = std::clamp(z.x, u - 0.5 - 0.2 * z.y, u + 0.5 - 0.2 * z.y);
        z.y = std::clamp(z.y, z.x - 0.3, z.x + 0.3);
        const double force = u - z.x;
        z.dissipated += 0.5 * std::abs(z.x - before) + 0.3 * std::abs(z.y - earlier);
        return {force, z.x == before ? 1.0 : 0.0, z.dissipated + 0.5 * force * force, z.dissipated, z};
    }
};

TEST(Stability, SaysWhyItIsNotKnown) {
    const Model own = chain(1, laws::Law(OwnLaw{}), Eigen::VectorXd::Ones(1), 0.05);
    auto options = with_stability(1);
    options.joints.samples = 64;  // kinks that a law does not tell make exact pieces slow
    const auto of_own = modes::response(own, {Eigen::VectorXd::Ones(1), 0.1}, 0.6, 0.62, {}, options);
    ASSERT_FALSE(of_own.empty());
    EXPECT_FALSE(of_own.front().stability.stable.has_value());
    EXPECT_NE(of_own.front().stability.reason.find("does not say what"), std::string::npos);
    const Model m =
        chain(1, laws::Law("iwan5-stiction", {{"FS", 1}, {"KT", 1}, {"chi", -0.5}, {"beta", 1}, {"theta", 0.8}}),
              Eigen::VectorXd::Ones(1), 0.05);
    const auto points = modes::response(m, {Eigen::VectorXd::Ones(1), 0.1}, 0.6, 0.62, {}, options);
    ASSERT_FALSE(points.empty());
    EXPECT_FALSE(points.front().stability.stable.has_value());
    EXPECT_NE(points.front().stability.reason.find("jumps"), std::string::npos);
}

}  // namespace
