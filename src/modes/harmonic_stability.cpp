#include "harmonic_stability.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "harmonic_orbit.hpp"

namespace faying::modes {

namespace {

constexpr double beyond = 1e-8;          ///< how far outside the unit circle a multiplier must be to count
constexpr double too_far = 0.5;          ///< an orbit that far from the harmonics is another one
constexpr int compared = 32;             ///< times at which orbits are compared
constexpr Eigen::Index most_hill = 800;  ///< size of Hill's eigenvalue problem

bool elastic(const HarmonicSystem& system) {
    const auto sites = system.sites();
    return std::all_of(sites.begin(), sites.end(), [](const auto& site) { return site.spring; });
}

bool without_gaps(const core::Harmonics& harmonics) {
    return harmonics.has_mean() && Eigen::Index(harmonics.highest()) + 1 == Eigen::Index(harmonics.orders().size());
}

double distance(const HarmonicSystem& system, const Eigen::MatrixXd& q, const Orbit& orbit) {
    Eigen::VectorXd h(system.harmonics().size());
    double off = 0, size = 0;
    for (Eigen::Index i = 0; i < orbit.times.size(); ++i) {
        system.harmonics().values(orbit.times(i), h.data());
        const Eigen::VectorXd at = q * h;
        off = std::max(off, (orbit.displacement.col(i) - at).norm());
        size = std::max(size, at.norm());
    }
    return size > 0 ? off / size : 0.0;
}

void judge(Stability& answer) {
    answer.stable = answer.multipliers.empty() || std::abs(answer.multipliers.front()) <= 1 + beyond;
}

}  // namespace

std::vector<Complex> hill_multipliers(const HarmonicSystem& system, double w) {
    const Eigen::Index n = system.modes(), width = system.width(), functions = system.harmonics().size(),
                       size = n * functions;
    // d/dt on the coefficients of the functions, mode by mode
    Eigen::MatrixXd rate = Eigen::MatrixXd::Zero(functions, functions);
    for (std::size_t i = 0; i < system.harmonics().orders().size(); ++i) {
        const double k = system.harmonics().orders()[i];
        if (k == 0) continue;
        const Eigen::Index b = system.harmonics().at(i);
        rate(b, b + 1) = k * w;
        rate(b + 1, b) = -k * w;
    }
    const Eigen::MatrixXd twice = rate * rate;
    Eigen::MatrixXd damping = system.damping().asDiagonal();
    if (system.damping_matrix().size() > 0) damping = system.damping_matrix();
    Eigen::MatrixXd stiffness(size, size), drag(size, size);
    const Eigen::MatrixXd slope = system.joint_slope();
    const Eigen::MatrixXd squared = system.omega().cwiseAbs2().asDiagonal();
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(n, n);
    for (Eigen::Index b = 0; b < functions; ++b)
        for (Eigen::Index c = 0; c < functions; ++c) {
            auto k = stiffness.block(b * n, c * n, n, n);
            k = system.map().transpose() * slope.block(b * width, c * width, width, width) * system.map() +
                twice(b, c) * one + rate(b, c) * damping;
            if (b == c) k += squared;
            drag.block(b * n, c * n, n, n) = 2 * rate(b, c) * one;
            if (b == c) drag.block(b * n, c * n, n, n) += damping;
        }
    Eigen::MatrixXd first = Eigen::MatrixXd::Zero(2 * size, 2 * size);
    first.topRightCorner(size, size).setIdentity();
    first.bottomLeftCorner(size, size) = -stiffness;
    first.bottomRightCorner(size, size) = -drag;
    const Eigen::VectorXcd values = Eigen::EigenSolver<Eigen::MatrixXd>(first, false).eigenvalues();
    std::vector<Complex> exponents(values.begin(), values.end());
    std::sort(exponents.begin(), exponents.end(),
              [](const Complex& a, const Complex& b) { return std::abs(a.imag()) < std::abs(b.imag()); });
    exponents.resize(std::min<std::size_t>(exponents.size(), std::size_t(2 * n)));
    std::vector<Complex> all;
    for (const Complex& e : exponents) all.push_back(std::exp(e * (2 * std::numbers::pi / w)));
    std::sort(all.begin(), all.end(), [](const Complex& a, const Complex& b) { return std::abs(a) > std::abs(b); });
    return all;
}

Stability stability_of(const HarmonicSystem& system, const Eigen::MatrixXd& q, double w, int most_modes) {
    Stability answer;
    if (auto why = PeriodMap::why_not(system, most_modes); !why.empty()) {
        if (elastic(system) && without_gaps(system.harmonics()) && 2 * q.size() <= most_hill) {
            answer.multipliers = hill_multipliers(system, w);
            answer.method = "hill";
            judge(answer);
        } else {
            answer.reason = std::move(why);
        }
        return answer;
    }
    PeriodMap map(system, w, 0, most_modes);
    Orbit orbit = map.beside(q, compared);
    answer.method = "exact orbit";
    if (orbit.converged) {
        answer.orbit_residual = orbit.residual;
        answer.orbit_distance = distance(system, q, orbit);
    }
    if (!orbit.converged || answer.orbit_distance > too_far) {
        answer.reason = orbit.converged ? "the exact orbit found is another one" : orbit.reason;
        orbit = map.along(q);
        answer.method = "harmonic motion";
        if (!orbit.converged) {
            answer.reason += "; " + orbit.reason;
            return answer;
        }
    }
    answer.multipliers = multipliers_of(orbit.monodromy, answer.forgotten);
    judge(answer);
    return answer;
}

int unstable(const Stability& s) {
    return s.stable ? int(std::count_if(s.multipliers.begin(), s.multipliers.end(),
                                        [](const Complex& m) { return std::abs(m) > 1 + beyond; }))
                    : -1;
}

double signed_distance(const Stability& s, Bifurcation kind) {
    double best = -2, value = -1;
    for (const Complex& m : s.multipliers) {
        const bool real = std::abs(m.imag()) < 1e-7;
        const bool fits = kind == Bifurcation::period_doubling ? real && m.real() < 0 : !real;
        if (fits && std::abs(m) > best) best = std::abs(m), value = best - 1;
    }
    return value;
}

}  // namespace faying::modes
