#pragma once
// Period maps written for tests: from event to event, differentiated by central differences.

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <complex>
#include <functional>
#include <stdexcept>
#include <vector>

namespace faying::tests {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Complex = std::complex<double>;

/// A structure whose state goes along smooth pieces: what a piece does, and what may end it.
///
/// The state is a vector; a piece (an int) has a rate, and events: functions of the state, positive before, each with a
/// change of the state and the next piece.
class Pieces {
 public:
    struct Event {
        std::function<double(double, const VectorXd&)> ahead;
        std::function<int(double, VectorXd&)> pass;  ///< the next piece
    };
    virtual ~Pieces() = default;
    virtual VectorXd rate(int piece, double t, const VectorXd& x) const = 0;
    virtual std::vector<Event> events(int piece) const = 0;

    /// No step is longer.
    virtual double longest(int, const VectorXd&) const { return 1e300; }

    int events_met = 0;

    /// From t to t_end in fixed steps of a high order; steps end at events, to rounding.
    void run(int& piece, VectorXd& x, double t, double t_end, int steps) {
        const double pace = (t_end - t) / steps;
        for (int at_once = 0; t < t_end - 1e-14 * pace;) {
            const double h = std::min({pace, t_end - t, longest(piece, x)});
            const auto all = events(piece);
            double first = 2 * h;
            const Event* next = nullptr;
            const VectorXd end = step(piece, t, x, h), middle = step(piece, t, x, 0.5 * h);
            for (const auto& event : all) {
                const bool early = event.ahead(t + 0.5 * h, middle) < 0;
                if (!early && event.ahead(t + h, end) >= 0) continue;
                double low = 0, high = early ? 0.5 * h : h;
                for (int k = 0; k < 200 && high - low > 1e-17 * (1 + t); ++k) {
                    const double at = 0.5 * (low + high);
                    (event.ahead(t + at, step(piece, t, x, at)) < 0 ? high : low) = at;
                }
                if (high < first) first = high, next = &event;
            }
            if (!next) {
                x = end;
                t += h;
                at_once = 0;
                continue;
            }
            x = step(piece, t, x, first);
            t += first;
            piece = next->pass(t, x);
            ++events_met;
            if (++at_once > 50) throw std::runtime_error("events do not end");
        }
    }

 private:
    VectorXd step(int piece, double t, const VectorXd& x, double h) const {
        if (h == 0) return x;
        using Vector = std::vector<double>;
        boost::numeric::odeint::runge_kutta_fehlberg78<Vector> stepper;
        Vector y(x.data(), x.data() + x.size());
        stepper.do_step(
            [&](const Vector& from, Vector& to, double at) {
                const VectorXd r = rate(piece, at, Eigen::Map<const VectorXd>(from.data(), x.size()));
                std::copy_n(r.data(), r.size(), to.begin());
            },
            y, t, h);
        return Eigen::Map<const VectorXd>(y.data(), x.size());
    }
};

/// The multipliers of a period map, by central differences of fourth order about its fixed point, which
/// Newton finds.
inline std::vector<Complex> multipliers_by_differences(const std::function<VectorXd(const VectorXd&)>& period,
                                                       VectorXd x, double size, double& miss) {
    const Eigen::Index n = x.size();
    const auto slope = [&](const VectorXd& at) {
        MatrixXd m(n, n);
        for (Eigen::Index i = 0; i < n; ++i) {
            const auto moved = [&](double by) -> VectorXd { return period(at + by * size * VectorXd::Unit(n, i)); };
            m.col(i) = (8 * (moved(1) - moved(-1)) - (moved(2) - moved(-2))) / (12 * size);
        }
        return m;
    };
    MatrixXd m;
    for (int k = 0; k < 8; ++k) {
        m = slope(x);
        const VectorXd off = period(x) - x;
        miss = off.norm();
        if (miss < 1e-13) break;
        x += (MatrixXd::Identity(n, n) - m).completeOrthogonalDecomposition().solve(off);
    }
    const Eigen::VectorXcd values = Eigen::EigenSolver<MatrixXd>(m).eigenvalues();
    std::vector<Complex> all(values.begin(), values.end());
    std::sort(all.begin(), all.end(), [](auto a, auto b) { return std::abs(a) > std::abs(b); });
    return all;
}

}  // namespace faying::tests
