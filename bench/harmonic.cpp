// Harmonic balance: seconds per point as the structure grows, beside the usual way (all DOF among the unknowns, joint
// forces from samples, a dense Jacobian) in the same run; the Brake-Reuss whole joint; and random parameter sets of the
// whole-joint variants.
//
//     bench_harmonic [chain|joint|robust [SETS]]       # all but `robust` by default
//
// Seconds are CPU of this thread, the least of three runs where they are short.

#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <string>

#include "faying/modes/harmonic_balance.hpp"
#include "faying/study/variants.hpp"

namespace {

using namespace faying;
using core::Harmonics;
using structure::Model;

double now() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

double least_of(int runs, const std::function<void()>& work) {
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < runs; ++i) {
        const double start = now();
        work();
        best = std::min(best, now() - start);
    }
    return best;
}

constexpr double kt = 0.5, fs = 0.05;

Model chain(int masses) {
    Model m;
    m.mass = Eigen::MatrixXd::Identity(masses, masses);
    m.stiffness = Eigen::MatrixXd::Zero(masses, masses);
    const double k = double(masses) * masses / 256.0;  // the first mode stays where it is
    for (int i = 0; i < masses; ++i) {
        m.stiffness(i, i) = 2 * k;
        if (i > 0) m.stiffness(i, i - 1) = m.stiffness(i - 1, i) = -k;
    }
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(masses);
    direction(masses / 2) = 1;
    m.joints = {structure::single_site("joint", laws::Law("jenkins", {{"kt", kt}, {"fs", fs}}), direction)};
    m.damping_ratio = 0.01;
    return m;
}

/// One Newton iteration with all harmonics of all DOF as unknowns: sampled force, Jacobian by the slider's own
/// derivative, dense LU of n (2H + 1).
double dense_iteration(const Model& m, const Harmonics& h, double w, int samples) {
    const Eigen::Index n = m.size(), functions = h.size();
    const Eigen::VectorXd b = m.joints[0].map.row(0).transpose();
    const Eigen::MatrixXd x = 0.01 * Eigen::MatrixXd::Ones(n, functions);
    return least_of(1, [&] {
        Eigen::MatrixXd j = Eigen::MatrixXd::Zero(n * functions, n * functions);
        Eigen::VectorXd r = Eigen::VectorXd::Zero(n * functions);
        for (std::size_t i = 0; i < h.orders().size(); ++i) {
            const double kw = h.orders()[i] * w;
            const Eigen::Index at = h.at(i), many = h.orders()[i] > 0 ? 2 : 1;
            for (Eigen::Index f = at; f < at + many; ++f) j.block(f * n, f * n, n, n) = m.stiffness - kw * kw * m.mass;
            if (many == 2) {
                j.block(at * n, (at + 1) * n, n, n) = 0.02 * kw * m.mass;
                j.block((at + 1) * n, at * n, n, n) = -0.02 * kw * m.mass;
            }
        }
        const Eigen::VectorXd motion = x.transpose() * b;
        Eigen::VectorXd basis(functions), force = Eigen::VectorXd::Zero(functions),
                                          before = Eigen::VectorXd::Zero(functions), slope = before;
        Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(functions, functions);
        double slider = 0;
        for (int s = 0; s < 2 * samples; ++s) {
            h.values(2 * std::numbers::pi * (s % samples) / samples, basis.data());
            const double u = motion.dot(basis), f = std::clamp(kt * (u - slider), -fs, fs);
            slope = std::abs(f) < fs ? Eigen::VectorXd(slope + kt * (basis - before)) : Eigen::VectorXd(0 * slope);
            slider = u - f / kt;
            before = basis;
            if (s < samples) continue;
            force += 2.0 / samples * f * basis;
            slopes += 2.0 / samples * basis * slope.transpose();
        }
        for (Eigen::Index f = 0; f < functions; ++f) {
            r.segment(f * n, n) += b * force(f);
            for (Eigen::Index g = 0; g < functions; ++g)
                j.block(f * n, g * n, n, n) += b * slopes(f, g) * b.transpose();
        }
        const Eigen::VectorXd change = j.partialPivLu().solve(r);
        if (!change.allFinite()) throw std::runtime_error("the dense system is singular");
    });
}

void chains() {
    fmt::print(
        "Chain with one joint, response through the first mode, H = 7\n{:>6} {:>8} {:>12} {:>12} {:>14} {:>10}\n",
        "DOF", "points", "ms a point", "iterations", "dense, ms", "ratio");
    const Harmonics h = Harmonics::up_to(7);
    for (const int masses : {16, 80, 320}) {
        const Model m = chain(masses);
        const modes::Interface interface(m);
        Eigen::VectorXd load = Eigen::VectorXd::Zero(masses);
        load(masses / 2) = 1;
        const double w = std::numbers::pi / 16;  // about that of the first mode
        std::vector<modes::HarmonicPoint> points;
        const double set_up = least_of(masses > 100 ? 1 : 3, [&] {
            points = modes::response(m, interface, {load, 0.02}, 0.7 * w, 0.7001 * w, {}, {.harmonics = h});
        });
        const double seconds = least_of(masses > 100 ? 1 : 3, [&] {
            points = modes::response(m, interface, {load, 0.02}, 0.7 * w, 1.8 * w, {}, {.harmonics = h});
        });
        double iterations = 0;
        for (const auto& p : points) iterations += p.iterations;
        iterations /= double(points.size());
        const double each = (seconds - set_up) / double(points.size());
        const double dense = iterations * dense_iteration(m, h, w, 1024);
        fmt::print("{:6} {:8} {:12.3f} {:12.2f} {:14.1f} {:10.0f}\n", masses, points.size(), 1e3 * each, iterations,
                   1e3 * dense, dense / each);
        std::fflush(stdout);
    }
    fmt::print("(dense: as many Newton iterations of n (2H + 1) unknowns with 1024 samples, one of them timed)\n\n");
}

void whole_joint() {
    const auto reduced = structure::read_reduced(FAYING_DATA_DIR "/brake_reuss/whole_joint.h5");
    fmt::print("Brake-Reuss whole joint, mode 1, H = 3, 20 points\n{:60} {:>10} {:>12}\n", "variant", "converged",
               "ms a point");
    std::mt19937_64 random(1);
    int shown = 0;
    for (const auto& v : study::all26()) {
        if (v.full || shown++ >= 4) continue;
        const Model m = study::model_of(v, reduced, study::draw(v, &random), {{"preload", 12845.0}});
        const modes::Interface interface(m);
        std::vector<double> amplitudes;
        for (int i = 0; i < 20; ++i) amplitudes.push_back(1e-2 * std::pow(1e3, i / 19.0 - 1.0));
        modes::HarmonicOptions options{.harmonics = Harmonics::up_to(3)};
        if (m.joints.front().components() == 3) options.joints.samples = 256;
        std::vector<modes::HarmonicPoint> points;
        const double seconds = least_of(1, [&] { points = modes::epmc(m, interface, 1, amplitudes, options); });
        long good = 0;
        for (const auto& p : points) good += p.converged;
        fmt::print("{:60} {:7}/20 {:12.2f}\n", v.title, good, 1e3 * seconds / 20);
        std::fflush(stdout);
    }
    fmt::print("\n");
}

/// Parameter sets of the variants, modes 1 to 3.
void robust(int sets) {
    const auto reduced = structure::read_reduced(FAYING_DATA_DIR "/brake_reuss/whole_joint.h5");
    fmt::print("{:60} {:>6} {:>8} {:>10} {:>9} {:>9}\n", "variant", "sets", "points", "converged", "share", "seconds");
    long all = 0, good = 0;
    for (const auto& v : study::all26()) {
        if (v.full) continue;
        std::mt19937_64 random(1);
        long points = 0, converged = 0;
        const double start = now();
        for (int set = 0; set < sets; ++set) {
            const Model m = study::model_of(v, reduced, study::draw(v, &random), {{"preload", 12845.0}});
            const modes::Interface interface(m);
            std::vector<double> amplitudes;
            for (int i = 0; i < 20; ++i) amplitudes.push_back(1e-2 * std::pow(1e3, i / 19.0 - 1.0));
            modes::HarmonicOptions options{.harmonics = Harmonics::up_to(3)};
            bool contact = false;
            for (const auto& joint : m.joints) contact = contact || joint.components() == 3;
            if (contact) options.joints.samples = 128;
            try {
                for (const auto& p : modes::epmc(m, interface, 1, amplitudes, options)) converged += p.converged;
            } catch (const std::exception& error) {
                fmt::print(stderr, "{}, set {}: {}\n", v.title, set, error.what());
            }
            points += long(amplitudes.size());
        }
        all += points;
        good += converged;
        fmt::print("{:60} {:6} {:8} {:10} {:8.3f}% {:9.1f}\n", v.title, sets, points, converged,
                   100.0 * double(converged) / double(points), now() - start);
        std::fflush(stdout);
    }
    fmt::print("all: {} of {} points, {:.3f} %\n", good, all, 100.0 * double(good) / double(std::max(all, 1l)));
}

}  // namespace

int main(int argc, char** argv) try {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what.empty() || what == "chain") chains();
    if (what.empty() || what == "joint") whole_joint();
    if (what == "robust") robust(argc > 2 ? std::atoi(argv[2]) : 200);
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_harmonic: {}\n", error.what());
    return 2;
}
