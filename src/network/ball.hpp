#pragma once
// The ellipsoid z.A^-1 z <= 1 made round: with A = L L^T, e = L^-1 z lives in the unit ball, and where it slips
//
//     de = s beta - rho M e,    rho = s e.beta/(e.M e),    beta = L^-1 b,    M = L^-1 K L^-T,    dD = rho
//
// per unit of |df|. In closed form where
//
//     M = a I (K = a A)   the angle from beta shrinks as tan(psi/2) exp(-|beta| f);
//     m = 2               h dpsi = -R sin(psi) df with h = e.M e, psi from the direction of rest: docs/theory/condense.md;
//                         [S3]'s two-state law (K = alpha I) is one of them.
//
// Else by Runge-Kutta-Fehlberg 7(8). T is double or core::Dual: values alone choose the steps.

#include <Eigen/Cholesky>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <vector>

#include "faying/core/dual.hpp"
#include "faying/core/error.hpp"
#include "faying/laws/law.hpp"
#include "faying/network/m_state.hpp"

namespace faying::network {

struct Ball {
    Ellipsoid given;
    Eigen::MatrixXd L, M;
    Eigen::VectorXd beta, rest;  ///< L^-1 b; the direction that a long way up ends in
    Eigen::MatrixXd inverse;     ///< of K
    double round = 0;            ///< a where M = a I; else 0

    Ball(const Ellipsoid& e, const std::string& where);

    template <class T>
    using Point = std::vector<T>;

    /// Along the sphere by a way of `length`; gives what is dissipated.
    template <class T>
    T slide(Point<T>& e, const T& length, double s) const {
        if (arrived(e, s)) return straight(e, length, s);
        if (round > 0.0) return slide_round(e, length, s);
        if (e.size() == 2) return slide_in_plane(e, length, s);
        return slide_by_steps(e, length, s);
    }

    /// beta.e
    template <class T>
    T along(const Point<T>& e) const {
        T sum(0.0);
        for (std::size_t i = 0; i < e.size(); ++i) sum += beta(Eigen::Index(i)) * e[i];
        return sum;
    }
    /// e.M e
    template <class T>
    T square(const Point<T>& e) const {
        T sum(0.0);
        for (std::size_t i = 0; i < e.size(); ++i)
            for (std::size_t j = 0; j < e.size(); ++j) sum += M(Eigen::Index(i), Eigen::Index(j)) * e[i] * e[j];
        return sum;
    }

 private:
    template <class T>
    bool arrived(const Point<T>& e, double s) const {
        for (std::size_t i = 0; i < e.size(); ++i)
            if (std::abs(laws::value(e[i]) - s * rest(Eigen::Index(i))) > 4.0 * MState::tolerance) return false;
        return true;
    }

    template <class T>
    T straight(Point<T>& e, const T& length, double s) const {
        for (std::size_t i = 0; i < e.size(); ++i) e[i] = T(s * rest(Eigen::Index(i)));
        return s * along(e) / square(e) * length;
    }

    /// e = cos(psi) n + sin(psi) p with n = s beta/|beta| and p fixed.
    template <class T>
    T slide_round(Point<T>& e, const T& length, double s) const {
        using std::atan, std::cos, std::exp, std::log, std::sin, std::sqrt;
        const double pull = beta.norm();
        const T cosine = s * along(e) / pull;
        Point<T> across = e;
        T sine(0.0);
        for (std::size_t i = 0; i < e.size(); ++i) {
            across[i] -= cosine * (s / pull) * beta(Eigen::Index(i));
            sine += across[i] * across[i];
        }
        sine = sqrt(sine);
        const T half = sine / (1.0 + cosine) * exp(T(-pull * length));  // tan(psi/2) at the end
        const T c = (1.0 - half * half) / (1.0 + half * half), d = 2.0 * half / (1.0 + half * half);
        const T keep = d / sine;
        for (std::size_t i = 0; i < e.size(); ++i) e[i] = c * (s / pull) * beta(Eigen::Index(i)) + keep * across[i];
        return log(T(sine / d)) / round;  // Int |beta| cos(psi)/a df
    }

    /// In the plane: R |df| = G(t0) - G(t1), t = ln tan(|psi|/2).
    template <class T>
    T slide_in_plane(Point<T>& e, const T& length, double s) const {
        using std::atan, std::cosh, std::exp, std::log, std::tanh;
        const double x = s * rest(0), y = s * rest(1);  // e at rest
        const T cosine = e[0] * x + e[1] * y, sine = e[1] * x - e[0] * y;
        const double side = laws::value(sine) < 0 ? -1.0 : 1.0;
        const Eigen::Vector2d turned(beta(1), -beta(0));
        const double R = (M * turned).norm();
        const double half = 0.5 * (M(0, 0) + M(1, 1)), A = 0.5 * (M(0, 0) - M(1, 1)), B = M(0, 1);
        const double cos2 = x * x - y * y, sin2 = 2.0 * x * y;
        const double C = A * cos2 + B * sin2, S = side * (B * cos2 - A * sin2);  // h = half + C cos 2psi + S sin 2|psi|
        const auto G = [&](const T& t) { return T((half + C) * t - 2.0 * C * tanh(t) + 2.0 * S / cosh(t)); };
        const auto h = [&](const T& t) {
            const T sech = 1.0 / cosh(t);
            return T(half + C * (1.0 - 2.0 * sech * sech) - 2.0 * S * sech * tanh(t));
        };
        const T start = log(T(side * sine / (1.0 + cosine))), target = G(start) - R * length;
        const double spread = std::hypot(A, B);
        const double way = R * laws::value(length);
        double low = laws::value(start) - way / (half - spread), high = laws::value(start) - way / (half + spread);
        double root = laws::value(start) - way / laws::value(h(start));
        for (int k = 0; k < 100; ++k) {
            if (!(root > low && root < high)) root = 0.5 * (low + high);
            const double miss = laws::value(G(T(root))) - laws::value(target);
            (miss > 0 ? high : low) = root;
            const double step = miss / laws::value(h(T(root)));
            root -= step;
            if (std::abs(step) <= 1e-15 * (1.0 + std::abs(root)) || high - low <= 1e-15 * (1.0 + std::abs(low))) break;
        }
        T end(root);
        end -= (G(end) - target) / h(end);  // derivatives, and the last digit
        const T tangent_half = exp(end), size = 1.0 + tangent_half * tangent_half;
        const T c = (1.0 - tangent_half * tangent_half) / size, d = side * 2.0 * tangent_half / size;
        e[0] = c * x - d * y;
        e[1] = c * y + d * x;
        // Int s beta.e dt, e = cos(psi) (x, y) + sin(psi) (-y, x); ln cosh without overflow
        const double p = s * (beta(0) * x + beta(1) * y), q = s * side * (beta(1) * x - beta(0) * y);
        const auto log_cosh = [](const T& t) {
            const T size_of = laws::value(t) < 0 ? T(-t) : t;
            return T(size_of + log(T(0.5 * (1.0 + exp(T(-2.0 * size_of))))));
        };
        const auto primitive = [&](const T& t) { return T(-p * log_cosh(t) + 2.0 * q * atan(T(exp(t)))); };
        return (primitive(start) - primitive(end)) / R;
    }

    template <class T>
    T slide_by_steps(Point<T>& e, const T& distance, double s) const {
        using Flow = std::vector<T>;
        const std::size_t m = e.size();
        boost::numeric::odeint::runge_kutta_fehlberg78<Flow> stepper;
        const auto system = [&](const Flow& x, Flow& dx, double) {
            T with(0.0), size(0.0);
            for (std::size_t i = 0; i < m; ++i) {
                T turned(0.0);
                for (std::size_t j = 0; j < m; ++j) turned += M(Eigen::Index(i), Eigen::Index(j)) * x[j];
                with += s * beta(Eigen::Index(i)) * x[i];
                size += turned * x[i];
                dx[i] = turned;
            }
            const T rho = with / size;
            for (std::size_t i = 0; i < m; ++i) dx[i] = s * beta(Eigen::Index(i)) - rho * dx[i];
            dx[m] = rho;
        };
        Flow x(e.begin(), e.end());
        x.push_back(T(0.0));
        Flow next(x.size()), error(x.size());
        const double unit = 1.0 / beta.norm(), length = laws::value(distance);
        double at = 0.0, h = std::min(length, 0.1 * unit);
        while (at < length && !arrived(Point<T>(x.begin(), x.end() - 1), s)) {
            h = std::min(h, length - at);
            stepper.do_step(system, x, 0.0, next, h, error);
            double excess = 0.0;
            for (std::size_t i = 0; i < x.size(); ++i)
                excess = std::max(excess, std::abs(laws::value(error[i])) /
                                              (MState::tolerance * (1.0 + std::abs(laws::value(next[i])))));
            if (excess <= 1.0) {
                at += h;
                x = next;
                normalise(x, m);
                h *= std::min(5.0, 0.9 * std::pow(std::max(excess, 1e-9), -1.0 / 8));
            } else {
                h *= std::max(0.2, 0.9 * std::pow(excess, -1.0 / 7));
                if (!(h >= 1e-14 * std::min(length, unit)))
                    throw core::NotConverged("m-state: the slip integrator cannot meet its tolerance", h);
            }
        }
        T dissipated = x.back();
        e.assign(x.begin(), x.end() - 1);
        if (at < length) return dissipated + straight(e, T(distance - at), s);
        if constexpr (laws::is_dual<T>) {  // the end moves with the distance
            Flow dx(x.size());
            system(x, dx, 0.0);
            for (std::size_t i = 0; i < m; ++i) e[i] += dx[i] * (distance - length);
            dissipated += dx[m] * (distance - length);
        }
        return dissipated;
    }

    template <class T>
    static void normalise(std::vector<T>& x, std::size_t m) {
        using std::sqrt;
        T sum(0.0);
        for (std::size_t i = 0; i < m; ++i) sum += x[i] * x[i];
        const T scale = 1.0 / sqrt(sum);
        for (std::size_t i = 0; i < m; ++i) x[i] = x[i] * scale;
    }
};

}  // namespace faying::network
