#include "faying/signal/damped_sines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>

namespace faying::signal {

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

/// Exponent of a sine over half the window: (p0 + i p1) s + (p2 + i p3) s^2 with s from -1 to 1.
using Exponent = std::array<double, 4>;

/// All that the iteration needs are inner products of the columns (real and imaginary parts of e, s e, s^2 e of every
/// sine; one; the channels), so that a step costs one pass over the samples.
class Columns {
 public:
    Columns(const std::vector<Record>& channels, const SineWindow& window)
        : sines_(window.sines.size()), channels_(channels.size()), samples_(Eigen::Index(window.samples)) {
        half_ = 0.5 * double(samples_ - 1);
        s_.resize(samples_);
        weight_.resize(samples_);
        for (Eigen::Index i = 0; i < samples_; ++i) {
            s_(i) = (double(i) - half_) / half_;
            weight_(i) = std::cos(0.5 * pi * s_(i) * half_ / (half_ + 1));
        }
        columns_.resize(samples_, Eigen::Index(2 * (2 * sines_ + 1) + 1 + channels_));
        columns_.col(constant()) = weight_;
        for (std::size_t c = 0; c < channels_; ++c)
            columns_.col(channel(c)) = weight_.cwiseProduct(
                Eigen::Map<const Eigen::VectorXd>(channels[c].values.data() + window.first, samples_));
    }

    Eigen::Index constant() const { return Eigen::Index(2 * (2 * sines_ + 1)); }
    Eigen::Index channel(std::size_t c) const { return constant() + 1 + Eigen::Index(c); }
    /// Real part of s^power e of a sine; the imaginary part follows. Sines after the first have no square.
    Eigen::Index wave(std::size_t sine, int power) const {
        return sine == 0 ? 2 * power : Eigen::Index(6 + 4 * (sine - 1)) + 2 * power;
    }
    double half() const { return half_; }  ///< samples
    const Eigen::VectorXd& weight() const { return weight_; }
    const Eigen::MatrixXd& values() const { return columns_; }

    void set(const std::vector<Exponent>& exponents) {
        for (std::size_t m = 0; m < sines_; ++m) {
            const Exponent& p = exponents[m];
            for (Eigen::Index i = 0; i < samples_; ++i) {
                const double s = s_(i);
                Complex e = weight_(i) * std::exp(Complex(s * (p[0] + s * p[2]), s * (p[1] + s * p[3])));
                for (int power = 0; power < (m == 0 ? 3 : 2); ++power, e *= s) {
                    columns_(i, wave(m, power)) = e.real();
                    columns_(i, wave(m, power) + 1) = e.imag();
                }
            }
        }
    }

    /// The columns of amplitudes: e of every sine, and one.
    std::vector<Eigen::Index> linear() const {
        std::vector<Eigen::Index> all;
        for (std::size_t m = 0; m < sines_; ++m) all.insert(all.end(), {wave(m, 0), wave(m, 0) + 1});
        all.push_back(constant());
        return all;
    }

 private:
    std::size_t sines_, channels_;
    Eigen::Index samples_;
    double half_ = 1;
    Eigen::VectorXd s_, weight_;
    Eigen::MatrixXd columns_;
};

struct Parameter {
    std::size_t sine;
    int which;  ///< of the exponent
};

/// Everything at one set of exponents.
struct Evaluated {
    Eigen::MatrixXd gram, out;     ///< out: columns less their projection onto the linear ones, in terms of columns
    Eigen::MatrixXd coefficients;  ///< linear columns x channels
    double cost = 0;
};

class Problem {
 public:
    Problem(const std::vector<Record>& channels, const SineWindow& window)
        : columns_(channels, window), window_(window), linear_(columns_.linear()) {
        for (std::size_t m = 0; m < window.sines.size(); ++m)
            for (int k = 0; k < (m == 0 ? 4 : 2); ++k) parameters_.push_back({m, k});
    }

    Evaluated evaluate(const std::vector<Exponent>& exponents) {
        columns_.set(exponents);
        const Eigen::MatrixXd& z = columns_.values();
        Evaluated e;
        e.gram.setZero(z.cols(), z.cols());
        e.gram.selfadjointView<Eigen::Lower>().rankUpdate(z.transpose());
        e.gram.triangularView<Eigen::StrictlyUpper>() = e.gram.transpose();
        const auto count = Eigen::Index(linear_.size());
        Eigen::MatrixXd inner(count, count), with(count, z.cols());
        for (Eigen::Index i = 0; i < count; ++i) {
            with.row(i) = e.gram.row(linear_[std::size_t(i)]);
            for (Eigen::Index j = 0; j < count; ++j)
                inner(i, j) = e.gram(linear_[std::size_t(i)], linear_[std::size_t(j)]);
        }
        inner.diagonal() *= 1 + 1e-13;
        const Eigen::MatrixXd share = inner.ldlt().solve(with);
        e.out.setIdentity(z.cols(), z.cols());
        for (Eigen::Index i = 0; i < count; ++i) e.out.row(linear_[std::size_t(i)]) -= share.row(i);
        e.coefficients.resize(count, Eigen::Index(window_.weights.size()));
        for (std::size_t c = 0; c < window_.weights.size(); ++c) {
            const Eigen::Index y = columns_.channel(c);
            e.coefficients.col(Eigen::Index(c)) = share.col(y);
            e.cost += window_.weights[c] * std::max(0.0, e.gram(y, y) - share.col(y).dot(with.col(y)));
        }
        return e;
    }

    /// How a channel changes with every parameter, in terms of columns.
    Eigen::MatrixXd slopes(const Evaluated& e, std::size_t c) const {
        Eigen::MatrixXd v = Eigen::MatrixXd::Zero(e.gram.cols(), Eigen::Index(parameters_.size()));
        for (std::size_t j = 0; j < parameters_.size(); ++j) {
            const auto [sine, which] = parameters_[j];
            // Re(C e) = Re(C) Re(e) - Im(C) Im(e): the second coefficient is -Im(C).
            Complex amplitude(e.coefficients(Eigen::Index(2 * sine), Eigen::Index(c)),
                              -e.coefficients(Eigen::Index(2 * sine) + 1, Eigen::Index(c)));
            if (which % 2 == 1) amplitude *= Complex(0, 1);
            const Eigen::Index at = columns_.wave(sine, which < 2 ? 1 : 2);
            v(at, Eigen::Index(j)) = amplitude.real();
            v(at + 1, Eigen::Index(j)) = -amplitude.imag();
        }
        return e.out * v;
    }

    struct Normal {
        Eigen::MatrixXd matrix;
        Eigen::VectorXd right;
    };
    Normal normal(const Evaluated& e) const {
        const auto n = Eigen::Index(parameters_.size());
        Normal sum{Eigen::MatrixXd::Zero(n, n), Eigen::VectorXd::Zero(n)};
        for (std::size_t c = 0; c < window_.weights.size(); ++c) {
            const Eigen::MatrixXd v = slopes(e, c), gv = e.gram * v;
            sum.matrix += window_.weights[c] * v.transpose() * gv;
            sum.right += window_.weights[c] * gv.row(columns_.channel(c)).transpose();
        }
        return sum;
    }

    /// Of the parameters of all sines that are not held.
    Eigen::VectorXd step(const Normal& normal, const std::vector<bool>& held) const {
        std::vector<Eigen::Index> free;
        for (std::size_t j = 0; j < parameters_.size(); ++j)
            if (!held[parameters_[j].sine]) free.push_back(Eigen::Index(j));
        Eigen::MatrixXd matrix = normal.matrix(free, free);
        matrix.diagonal() *= 1 + 1e-10;
        Eigen::VectorXd all = Eigen::VectorXd::Zero(normal.right.size());
        const Eigen::VectorXd right = normal.right(free), found = matrix.ldlt().solve(right);
        all(free) = found;
        return all;
    }

    Columns columns_;
    SineWindow window_;
    std::vector<Eigen::Index> linear_;
    std::vector<Parameter> parameters_;
};

/// Variance of white noise as strong as the residual is on lines 3 to 14 on either side of the frequency.
double noise_near(const Eigen::VectorXd& weighted_residual, const Eigen::VectorXd& weight, double turn) {
    const Eigen::Index n = weight.size();
    double sum = 0;
    int count = 0;
    for (int k = -14; k <= 14; ++k) {
        const double angle = turn + 2 * pi * k / double(n);  // per sample
        if (std::abs(k) < 3 || angle <= 0 || angle >= pi) continue;
        const Complex step = std::polar(1.0, -angle);
        Complex at = 1, line = 0;
        for (Eigen::Index i = 0; i < n; ++i, at *= step) line += weighted_residual(i) * weight(i) * at;
        sum += std::norm(line);
        ++count;
    }
    return count == 0 ? 0 : sum / count / weight.array().pow(4).sum();
}

}  // namespace

SineFit fit_damped_sines(const std::vector<Record>& channels, const SineWindow& window) {
    if (channels.empty() || window.weights.size() != channels.size() || window.sines.empty() ||
        window.first + window.samples > channels[0].values.size() || window.samples < 8 * window.sines.size())
        throw std::invalid_argument("damped sines: a window beyond the record, or too short for its sines");
    Problem problem(channels, window);
    const double half = problem.columns_.half() * channels[0].step;  // s
    std::vector<Exponent> now;
    for (const auto& sine : window.sines) now.push_back({-sine.alpha * half, sine.omega_damped * half, 0, 0});
    for (auto& p : now) p[0] = std::max(p[0], -4.0);
    const auto started = now;
    // Neighbours may be next to nothing: one that would run away stays where it is.
    std::vector<bool> held(now.size(), false);
    const auto runs_away = [&](std::size_t m, const Exponent& p) {
        return p[0] < -4.5 || p[0] > 1 || std::abs(p[1] - started[m][1]) > 0.5 * pi;
    };
    Evaluated at = problem.evaluate(now);
    SineFit fit;
    for (int iteration = 0; iteration < window.iterations && !fit.converged; ++iteration) {
        // Neighbours that still wander after so many steps are next to nothing: the rest is for the sine asked for.
        if (2 * iteration > window.iterations) std::fill(held.begin() + 1, held.end(), true);
        const auto normal = problem.normal(at);
        const auto moved = [&](const Eigen::VectorXd& step, double share) {
            auto next = now;
            for (std::size_t j = 0; j < problem.parameters_.size(); ++j)
                next[problem.parameters_[j].sine][std::size_t(problem.parameters_[j].which)] +=
                    share * step(Eigen::Index(j));
            return next;
        };
        Eigen::VectorXd step;
        for (bool settled = false; !settled;) {
            step = problem.step(normal, held);
            settled = true;
            const auto next = moved(step, 1);
            for (std::size_t m = 1; m < next.size(); ++m)
                if (!held[m] && runs_away(m, next[m])) held[m] = true, settled = false;
        }
        if (!step.allFinite()) break;
        bool better = false;
        for (double share = 1; share > 1e-3 && !better; share *= 0.3) {
            auto next = moved(step, share);
            // A first sine that leaves its line, or that is not there, has not been found.
            if (std::abs(next[0][1] - started[0][1]) > 4 * pi || std::abs(next[0][0]) > 5) continue;
            auto there = problem.evaluate(next);
            if (!(there.cost <= at.cost * (1 + 1e-12))) continue;
            better = true;
            fit.converged = share * step.cwiseAbs().maxCoeff() < 1e-7 || at.cost - there.cost < 1e-9 * at.cost;
            now = std::move(next);
            at = std::move(there);
        }
        if (!better) {
            fit.converged = step.head(4).cwiseAbs().maxCoeff() < 1e-3;
            at = problem.evaluate(now);
            break;
        }
    }
    fit.alpha = -now[0][0] / half;
    fit.omega_damped = now[0][1] / half;
    for (const auto& p : now) fit.sines.push_back({p[1] / half, -p[0] / half});

    const Eigen::MatrixXd& z = problem.columns_.values();
    const Eigen::VectorXd& weight = problem.columns_.weight();
    const Eigen::MatrixXd weighted = weight.asDiagonal() * z;
    const Eigen::MatrixXd heavy = weighted.transpose() * weighted;
    const auto n = Eigen::Index(problem.parameters_.size());
    Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(n, n);
    fit.amplitude.resize(Eigen::Index(channels.size()));
    fit.noise.resize(Eigen::Index(channels.size()));
    for (std::size_t c = 0; c < channels.size(); ++c) {
        const auto k = Eigen::Index(c);
        fit.amplitude(k) = {at.coefficients(0, k), -at.coefficients(1, k)};
        const Eigen::VectorXd residual = z * at.out.col(problem.columns_.channel(c));
        fit.noise(k) = noise_near(residual, weight, fit.omega_damped * channels[0].step);
        const Eigen::MatrixXd v = problem.slopes(at, c);
        spread += std::pow(window.weights[c], 2) * fit.noise(k) * v.transpose() * heavy * v;
    }
    std::vector<Eigen::Index> free;
    for (std::size_t j = 0; j < problem.parameters_.size(); ++j)
        if (!held[problem.parameters_[j].sine]) free.push_back(Eigen::Index(j));
    Eigen::MatrixXd normal = problem.normal(at).matrix(free, free);
    normal.diagonal() *= 1 + 1e-10;
    const Eigen::MatrixXd inverse = normal.ldlt().solve(Eigen::MatrixXd::Identity(normal.rows(), normal.cols()));
    const Eigen::MatrixXd covariance = inverse * spread(free, free) * inverse;
    fit.alpha_error = std::sqrt(std::max(0.0, covariance(0, 0))) / half;
    fit.omega_error = std::sqrt(std::max(0.0, covariance(1, 1))) / half;
    return fit;
}

}  // namespace faying::signal
