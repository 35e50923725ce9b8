// Harmonics of every law of the catalogue, and their derivatives, against another quadrature: tanh-sinh on every piece
// between reversals and kinks, on dual numbers seeded in the motion's harmonics themselves, reversals found by bisection.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "faying/harmonic/force.hpp"
#include "faying/laws/catalogue.hpp"

namespace {

using namespace faying::harmonic;
using namespace faying::laws;
using faying::core::directions;
using faying::core::Dual;
using faying::core::Harmonics;
using std::numbers::pi;

const Harmonics orders = Harmonics::up_to(4);

/// Six reversals per period, some of them small.
Eigen::VectorXd motion(double size) {
    Eigen::VectorXd u(9);
    u << 0.05, 1.0, 0.3, -0.2, 0.4, 0.45, -0.35, 0.1, 0.3;
    return size / 1.6 * u;
}

class Quadrature {
 public:
    Quadrature(const JointOf<Dual>& begun, const Eigen::VectorXd& u) : begun_(begun), joint_(begun), u_(u) {
        constexpr int looks = 20000;
        for (int i = 0; i < looks; ++i) {
            long double low = 2 * pi * i / looks, high = 2 * pi * (i + 1) / looks;
            if (!((speed(low) < 0) != (speed(high) < 0))) continue;
            const bool falls = speed(low) > 0;
            for (int k = 0; k < 70; ++k) {
                const long double middle = (low + high) / 2;
                ((speed(middle) > 0) == falls ? low : high) = middle;
            }
            turns_.push_back(double(low));
        }
        const auto largest = std::max_element(turns_.begin(), turns_.end(),
                                              [&](double a, double b) { return std::abs(at(a)) < std::abs(at(b)); });
        std::rotate(turns_.begin(), largest, turns_.end());
        for (std::size_t i = 1; i < turns_.size(); ++i)
            if (turns_[i] < turns_[i - 1]) turns_[i] += 2 * pi;
        turns_.push_back(turns_.front() + 2 * pi);
    }

    Eigen::VectorXd force = Eigen::VectorXd::Zero(orders.size());
    Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(orders.size(), orders.size());
    bool known_kinks = true;

    void run() {
        for (Eigen::Index first = 0; first < orders.size(); first += directions) {
            joint_ = begun_;
            Dual last, before;
            for (int period = 0; period < 500; ++period) {
                for (std::size_t i = period == 0 ? 0 : 1; i < turns_.size(); ++i) last = go(turns_[i], first);
                const bool repeats = std::abs(last.a - before.a) <= 1e-16 * std::abs(last.a) &&
                                     (last.v - before.v).norm() <= 1e-15 * last.v.norm();
                before = last;
                if (period > 2 && repeats) break;
            }
            for (std::size_t i = 0; i + 1 < turns_.size(); ++i) {
                piece(turns_[i], turns_[i + 1], first);
                go(turns_[i + 1], first);
            }
        }
    }

 private:
    const JointOf<Dual>& begun_;
    JointOf<Dual> joint_;
    const Eigen::VectorXd& u_;
    std::vector<double> turns_;

    long double speed(long double t) const {
        long double sum = 0;
        for (int k = 1; k <= 4; ++k)
            sum += k * (-(long double)(u_(2 * k - 1)) * sinl(k * t) + (long double)(u_(2 * k)) * cosl(k * t));
        return sum;
    }
    double at(double t) const {
        long double sum = u_(0);
        for (int k = 1; k <= 4; ++k)
            sum += (long double)(u_(2 * k - 1)) * cosl(k * (long double)t) +
                   (long double)(u_(2 * k)) * sinl(k * (long double)t);
        return double(sum);
    }
    Eigen::VectorXd functions(double t) const {
        Eigen::VectorXd h(9);
        h(0) = 1;
        for (int k = 1; k <= 4; ++k) {
            h(2 * k - 1) = std::cos(k * t);
            h(2 * k) = std::sin(k * t);
        }
        return h;
    }
    Dual seeded(double t, Eigen::Index first) const {
        Dual u(at(t));
        const Eigen::VectorXd h = functions(t);
        for (Eigen::Index d = 0; d < directions && first + d < h.size(); ++d) u.v[d] = h(first + d);
        return u;
    }
    Dual go(double t, Eigen::Index first) {
        std::vector<Dual> u{seeded(t, first)}, f(1), k(1);
        joint_.evaluate(u, f, k);
        joint_.commit();
        return f[0];
    }

    void piece(double from, double to, Eigen::Index first) {
        std::vector<double> kinks, cuts{from};
        known_kinks = joint_.kinks(0, kinks) && known_kinks;
        const double low = std::min(at(from), at(to)), high = std::max(at(from), at(to));
        for (const double u : kinks) {
            if (!(u > low && u < high)) continue;
            double a = from, b = to;
            const bool rises = at(to) > at(from);
            for (int i = 0; i < 60; ++i) {
                const double middle = 0.5 * (a + b);
                ((at(middle) < u) == rises ? a : b) = middle;
            }
            cuts.push_back(a);
        }
        cuts.push_back(to);
        std::sort(cuts.begin(), cuts.end());
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
            if (cuts[i + 1] - cuts[i] > 1e-13) tanh_sinh(cuts[i], cuts[i + 1], first);
    }

    void tanh_sinh(double from, double to, Eigen::Index first) {
        constexpr double step = 1.0 / 32, reach = 3.5;
        const double half = 0.5 * (to - from), middle = 0.5 * (from + to);
        std::vector<Dual> u, f, k;
        std::vector<double> times, weights;
        for (int i = int(-reach / step); i <= int(reach / step); ++i) {
            const double x = i * step, inner = 0.5 * pi * std::sinh(x);
            times.push_back(middle + half * std::tanh(inner));
            weights.push_back(half * step * 0.5 * pi * std::cosh(x) / std::pow(std::cosh(inner), 2));
            u.push_back(seeded(times.back(), first));
        }
        f.resize(u.size());
        k.resize(u.size());
        joint_.trace(0, u, f, k);
        for (std::size_t i = 0; i < u.size(); ++i) {
            const Eigen::VectorXd h = functions(times[i]);
            for (Eigen::Index b = 0; b < h.size(); ++b) {
                const double w = weights[i] * h(b) / (b == 0 ? 2 * pi : pi);
                if (first == 0) force(b) += w * f[i].a;
                for (Eigen::Index d = 0; d < directions && first + d < h.size(); ++d)
                    slope(b, first + d) += w * f[i].v[d];
            }
        }
    }
};

TEST(HarmonicQuadrature, EveryLawWithClosedPieces) {
    int compared = 0;
    for (const auto& entry : catalogue()) {
        if (entry.info.components != 1 || entry.info.drive != Drive::displacement || !entry.info.claims.continuous)
            continue;
        for (const auto& specimen : entry.specimens) {
            if (specimen.normal_approach != 0) continue;
            faying::core::ParameterValues values;
            for (std::size_t i = 0; i < specimen.values.size(); ++i)
                values[entry.info.parameters[i].key] = specimen.values[i];
            const Law law(entry.info.key, values);
            if (law.parts().size() != 1) continue;
            const auto site = law.joints(1, std::vector<int>(law.parameters().size(), -1)).front();
            for (const double share : {0.4, 1.0}) {
                const Eigen::VectorXd u = motion(share * specimen.amplitude);
                const auto found = harmonic_force(site, Eigen::VectorXd::Zero(1), orders, u);
                Quadrature expected(site, u);
                expected.run();
                const double force = expected.force.cwiseAbs().maxCoeff(), stiff = expected.slope.cwiseAbs().maxCoeff();
                const double off = (found.force - expected.force).cwiseAbs().maxCoeff() / force,
                             slope = (found.slope - expected.slope).cwiseAbs().maxCoeff() / stiff;
                if (!expected.known_kinks) continue;  // this quadrature would go over them
                ++compared;
                // A penalty stiffness makes slip begin within 1e-7 of a period; an exponent other than 1 and 2 has an
                // integrator's tolerance.
                const bool stiff_law = law.name() == "prager", integrated = specimen.label == "n=1.5";
                const double tolerance = integrated ? 1e-9 : stiff_law ? 1e-10 : 1e-12;
                EXPECT_LT(off, tolerance) << law.name() << ' ' << specimen.label << ' ' << share;
                EXPECT_LT(slope, tolerance) << law.name() << ' ' << specimen.label << ' ' << share;
            }
        }
    }
    EXPECT_GE(compared, 16);
}

}  // namespace
