// Multipliers of motions with contact on three displacements: against the slider that it is under constant pressure,
// against a map of small steps from event to event written here a second time, and however the period is cut.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "harmonic_orbit.hpp"
#include "modes/solved_motion.hpp"

namespace {

using namespace faying;
using structure::Model;
using tests::Inside;
using Complex = std::complex<double>;
using std::numbers::pi;

constexpr double kt = 2, mu = 0.4, kn = 3;

/// One mass on springs, with contact below: x, y, n.
Model block(const laws::Law& law, bool with_y, double push = 0.3) {
    Model m;
    const Eigen::Index n = with_y ? 3 : 2;
    Eigen::Matrix3d k;
    k << 1, 0.1, 0.2, 0.1, 2, 0, 0.2, 0, 1.5;
    const std::vector<Eigen::Index> kept =
        with_y ? std::vector<Eigen::Index>{0, 1, 2} : std::vector<Eigen::Index>{0, 2};
    m.mass = Eigen::MatrixXd::Identity(n, n);
    m.stiffness = k(kept, kept);
    m.damping = 0.03 * m.stiffness + 0.01 * m.mass;
    m.static_force = push * Eigen::VectorXd::Unit(n, n - 1);
    Eigen::MatrixXd map = Eigen::MatrixXd::Zero(3, n);
    map(0, 0) = map(2, n - 1) = 1;
    if (with_y) map(1, 1) = 1;
    m.joints = {{"contact", law, map, Eigen::VectorXd::Ones(1), {}, {}}};
    return m;
}

const laws::Law dry("elastic-dry-friction", {{"kt", kt}, {"mu", mu}, {"kn", kn}});

/// (x, v, traction) over a period: classical Runge-Kutta steps that end at events.
class ContactMap {
 public:
    ContactMap(const Model& m, const Eigen::VectorXd& load, double w)
        : m_(m), load_(load), w_(w), n_(m.size()), plane_(m.size() == 2) {}
    using State = Eigen::VectorXd;

    State period(const State& from, int steps) {
        double t = 0;
        const double end = 2 * pi / w_, h = end / steps;
        State z = from;
        phase_ = !(z(n_ - 1) > 0) ? open : (tau(z).norm() >= limit(z) * (1 - 1e-9) && slipping(z) > 0 ? slip : stick);
        while (t < end - 1e-13) {
            double length = std::min(h, end - t);
            State next = step(z, t, length);
            if (over(next)) {
                double low = 0, high = length;
                for (int i = 0; i < 60; ++i) {
                    const double middle = 0.5 * (low + high);
                    (over(step(z, t, middle)) ? high : low) = middle;
                }
                length = high;
                next = step(z, t, length);
                pass(next);
                ++events;
            }
            z = next;
            t += length;
        }
        return z;
    }

    std::vector<Complex> multipliers(State z, int steps, double& miss) {
        for (int i = 0; i < 60; ++i) z = period(z, steps / 10);
        const Eigen::Index size = z.size() - plane_;  // nothing is held across a plane
        Eigen::MatrixXd slope(size, size);
        const double d = 1e-5;
        for (int newton = 0; newton < 3; ++newton) {
            events = 0;
            for (Eigen::Index i = 0; i < size; ++i) {
                const State e = d * State::Unit(z.size(), i);
                slope.col(i) = (period(z + e, steps) - period(z - e, steps)).head(size) / (2 * d);
            }
            const State off = period(z, steps) - z;
            miss = off.norm();
            z.head(size) += (Eigen::MatrixXd::Identity(size, size) - slope).fullPivLu().solve(off.head(size));
        }
        const Eigen::VectorXcd all = slope.eigenvalues();
        return {all.begin(), all.end()};
    }
    int events = 0;

 private:
    const Model& m_;
    Eigen::VectorXd load_;
    double w_;
    Eigen::Index n_;
    bool plane_;
    enum { open, stick, slip } phase_ = stick;

    Eigen::Vector2d tangential(const State& z, Eigen::Index from) const {
        return {z(from), plane_ ? 0.0 : z(from + 1)};
    }
    static double limit_at(double un) { return mu * kn * std::max(un, 0.0); }
    double limit(const State& z) const { return limit_at(z(n_ - 1)); }
    Eigen::Vector2d tau(const State& z) const { return z.tail<2>(); }
    /// How fast it slips, along the traction.
    double slipping(const State& z) const {
        const double size = tau(z).norm();
        return size > 0 ? kt * tangential(z, n_).dot(tau(z)) / size - mu * kn * z(2 * n_ - 1) : 0.0;
    }
    bool over(const State& z) const {
        if (phase_ == open) return z(n_ - 1) > 0;
        if (!(z(n_ - 1) > 0)) return true;
        if (phase_ == stick) return tau(z).norm() > limit(z);
        return slipping(z) < 0;
    }
    void pass(State& z) {
        if (phase_ == open) {  // it sticks at once, or slips the way it goes
            const Eigen::Vector2d v = tangential(z, n_);
            phase_ = kt * v.norm() > mu * kn * z(2 * n_ - 1) ? slip : stick;
            z.tail<2>() = phase_ == slip ? Eigen::Vector2d(limit(z) * v / v.norm()) : Eigen::Vector2d::Zero();
        } else if (!(z(n_ - 1) > 0)) {
            phase_ = open;
            z.tail<2>().setZero();
        } else {
            phase_ = phase_ == stick ? slip : stick;
        }
    }
    State rate(const State& z, double t) const {
        State out(z.size());
        Eigen::VectorXd f = Eigen::VectorXd::Zero(n_);
        const Eigen::Vector2d now = tau(z), v = tangential(z, n_);
        const double limit_now = limit(z);
        if (phase_ != open) {
            f(n_ - 1) = kn * z(n_ - 1);
            f.head(plane_ ? 1 : 2) = now.head(plane_ ? 1 : 2);
        }
        out.head(n_) = z.segment(n_, n_);
        out.segment(n_, n_) =
            load_ * std::cos(w_ * t) + m_.static_force - m_.damping * z.segment(n_, n_) - m_.stiffness * z.head(n_) - f;
        out.tail<2>().setZero();
        if (phase_ == stick) out.tail<2>() = kt * v;
        if (phase_ == slip) {
            const Eigen::Vector2d e = now / now.norm();
            out.tail<2>() = mu * kn * z(2 * n_ - 1) * e;
            if (!plane_) out.tail<2>() += kt * (v - v.dot(e) * e) * (now.norm() / limit_now);
        }
        return out;
    }
    State step(const State& z, double t, double h) const {
        const State k1 = rate(z, t), k2 = rate(z + 0.5 * h * k1, t + 0.5 * h), k3 = rate(z + 0.5 * h * k2, t + 0.5 * h),
                    k4 = rate(z + h * k3, t + h);
        return z + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
};

struct Case {
    const char* name;
    bool with_y;
    Eigen::Index at;
    double p, w;
    bool opens;
};

class ContactCases : public testing::TestWithParam<Case> {};

TEST_P(ContactCases, MultipliersAreThoseOfSmallSteps) {
    const Case c = GetParam();
    const Model m = block(dry, c.with_y);
    const Eigen::VectorXd load = Eigen::VectorXd::Unit(m.size(), c.at);
    modes::HarmonicOptions options{.harmonics = core::Harmonics::up_to(9)};
    options.stability = true;
    const auto points = modes::response(m, {load, c.p}, 0.98 * c.w, 1.02 * c.w, {c.w}, options);
    const auto point = std::find_if(points.begin(), points.end(), [&](const auto& p) { return p.omega == c.w; });
    ASSERT_NE(point, points.end());
    const auto& s = point->stability;
    ASSERT_TRUE(s.stable.has_value()) << s.reason;
    EXPECT_EQ(s.method, "exact orbit") << s.reason;
    EXPECT_LT(s.orbit_residual, 1e-9);
    EXPECT_GT(s.forgotten, 0);
    ContactMap map(m, c.p * load, c.w);
    Eigen::VectorXd start = Eigen::VectorXd::Zero(2 * m.size() + 2);
    start.head(m.size()) =
        (m.stiffness + kn * Eigen::VectorXd::Unit(m.size(), m.size() - 1).asDiagonal().toDenseMatrix())
            .ldlt()
            .solve(m.static_force);
    double miss = 1;
    const auto expected = map.multipliers(start, 4000, miss);
    EXPECT_LT(miss, 1e-9);
    EXPECT_GT(map.events, 0);
    for (const Complex& found : s.multipliers) {
        double nearest = 1;
        for (const Complex& e : expected) nearest = std::min(nearest, std::abs(e - found));
        EXPECT_LT(nearest, 1e-6) << c.name << ' ' << found;
    }
    for (const Complex& e : expected) {
        double nearest = std::abs(e) < 1e-5 ? 0.0 : 1.0;  // forgotten
        for (const Complex& found : s.multipliers) nearest = std::min(nearest, std::abs(e - found));
        EXPECT_LT(nearest, 1e-6) << c.name << " misses " << e;
    }
}

INSTANTIATE_TEST_SUITE_P(StickSlipAndGap, ContactCases,
                         testing::Values(Case{"in a plane", false, 0, 0.25, 1.4, false},
                                         Case{"in a plane with gaps", false, 1, 0.6, 1.9, true},
                                         Case{"turning", true, 0, 0.25, 1.4, false},
                                         Case{"turning the other way", true, 1, 0.5, 1.3, false}),
                         [](const auto& info) {
                             std::string name = info.param.name;
                             std::replace(name.begin(), name.end(), ' ', '_');
                             return name;
                         });

TEST(ContactStability, UnderConstantPressureItIsASlider) {
    // The normal displacement is on its own: multipliers of the slider, and those of the normal oscillator beside them
    Model contact = block(laws::Law("jenkins-2d", {{"kt", kt}, {"fs", 0.3}, {"kn", kn}}), false);
    contact.stiffness(0, 1) = contact.stiffness(1, 0) = 0;
    contact.damping = 0.03 * contact.stiffness;
    Model slider = contact;
    slider.joints = {
        structure::single_site("slider", laws::Law("jenkins", {{"kt", kt}, {"fs", 0.3}}), Eigen::Vector2d(1, 0)),
        structure::single_site("spring", laws::Law("polynomial", {{"k1", kn}}), Eigen::Vector2d(0, 1))};
    const Eigen::VectorXd load = Eigen::Vector2d(1, 0);
    int forgotten = 0;
    const auto multipliers = [&](const Model& m, int segments) {
        Inside in(m, load, 0.6, 1.2, 9);
        const auto orbit = modes::PeriodMap(in.system, in.w).beside(in.modal, segments);
        EXPECT_TRUE(orbit.converged) << orbit.reason;
        return modes::multipliers_of(orbit.monodromy, forgotten);
    };
    const auto expected = multipliers(slider, 1);
    for (const int segments : {1, 2, 3, 7, 16}) {
        const auto found = multipliers(contact, segments);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_LT(std::abs(found[i] - expected[i]), 1e-8) << segments;
    }
}

TEST(ContactStability, DoesNotDependOnHowThePeriodIsCut) {
    const laws::Law laws[] = {
        dry, laws::Law("elastic-dry-friction-decoupled", {{"kt", kt}, {"mu", mu}, {"kn", kn}}),
        laws::Law("jenkins-prager-2d-penalty", {{"kt", kt}, {"fs", 0.2}, {"kp", 0.4}, {"kn", kn}, {"mu_max", 2}})};
    for (const auto& law : laws) {
        Inside in(block(law, true), Eigen::Vector3d(0.5, 0.3, 0.8), 0.4, 1.6, 7);
        modes::PeriodMap map(in.system, in.w);
        int forgotten = 0;
        const auto whole = map.beside(in.modal, 1);
        ASSERT_TRUE(whole.converged) << law.name() << ' ' << whole.reason;
        const auto expected = modes::multipliers_of(whole.monodromy, forgotten);
        EXPECT_GT(forgotten, 0) << law.name();
        for (const int segments : {2, 5, 16}) {
            const auto cut = map.beside(in.modal, segments);
            ASSERT_TRUE(cut.converged) << law.name() << ' ' << cut.reason;
            const auto found = modes::multipliers_of(cut.monodromy, forgotten);
            ASSERT_EQ(found.size(), expected.size()) << law.name() << ' ' << segments;
            for (std::size_t i = 0; i < found.size(); ++i)
                EXPECT_LT(std::abs(found[i] - expected[i]), 1e-7) << law.name() << ' ' << segments;
        }
    }
}

}  // namespace
