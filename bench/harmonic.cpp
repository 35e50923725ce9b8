// Harmonic balance: seconds per point as the structure grows, beside the usual way (all DOF among the unknowns, joint
// forces from samples, a dense Jacobian) in the same run; the Brake-Reuss whole joint; a synthetic full joint; what
// samples cost in accuracy; and random parameter sets of the whole-joint variants.
//
//     bench_harmonic [chain|joint|derivatives|full [FORCE]|samples|robust [SETS [NAME]]]     # the first four by default
//
// Seconds are CPU of this thread, the least of three runs where they are short.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <string>

#include "faying/files/reduced.hpp"
#include "faying/laws/catalogue.hpp"
#include "faying/modes/harmonic_balance.hpp"
#include "faying/study/variants.hpp"
#include "modes/lap_joint.hpp"

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

std::vector<double> three_decades() {
    std::vector<double> amplitudes;
    for (int i = 0; i < 20; ++i) amplitudes.push_back(1e-2 * std::pow(1e3, i / 19.0 - 1.0));
    return amplitudes;
}

long converged(const std::vector<modes::HarmonicPoint>& points) {
    return std::count_if(points.begin(), points.end(), [](const auto& p) { return p.converged; });
}

void whole_joint() {
    const auto reduced = files::read_reduced(FAYING_DATA_DIR "/brake_reuss/whole_joint.h5");
    fmt::print(
        "Brake-Reuss whole joint, mode 1, H = 3, 20 points over three decades of amplitude\n{:60} {:>10} {:>12}\n",
        "variant", "converged", "ms a point");
    std::mt19937_64 random(1);
    std::vector<double> all;
    for (const auto& v : study::all26()) {
        if (v.full) continue;
        const Model m = study::model_of(v, reduced, study::draw(v, &random), {{"preload", 12845.0}});
        const modes::Interface interface(m);
        const modes::HarmonicOptions options{.harmonics = Harmonics::up_to(3)};
        std::vector<modes::HarmonicPoint> points;
        const double seconds = least_of(3, [&] { points = modes::epmc(m, interface, 1, three_decades(), options); });
        all.push_back(1e3 * seconds / 20);
        fmt::print("{:60} {:7}/20 {:12.2f}\n", v.title, converged(points), all.back());
        std::fflush(stdout);
    }
    std::sort(all.begin(), all.end());
    fmt::print("median {:.2f} ms a point, largest {:.2f} (promised: 3)\n\n", all[all.size() / 2], all.back());
}

/// What derivatives of frequency and damping to ten parameters add to a backbone.
void derivatives() {
    Model m;
    m.mass = Eigen::MatrixXd::Identity(4, 4);
    m.stiffness = Eigen::MatrixXd::Zero(4, 4);
    for (int i = 0; i < 4; ++i) {
        m.stiffness(i, i) = 2;
        if (i > 0) m.stiffness(i, i - 1) = m.stiffness(i - 1, i) = -1;
    }
    const auto between = [](int i, int j) {
        Eigen::VectorXd d = Eigen::VectorXd::Zero(4);
        d(i) = 1;
        if (j >= 0) d(j) = -1;
        return d;
    };
    m.joints = {
        structure::single_site("one", laws::Law("iwan4", {{"FS", 0.3}, {"KT", 0.6}, {"chi", -0.4}, {"beta", 1.0}}),
                               between(0, 1)),
        structure::single_site("two", laws::Law("jenkins", {{"kt", 0.5}, {"fs", 0.2}}), between(1, 2)),
        structure::single_site("three", laws::Law("iwan4", {{"FS", 0.2}, {"KT", 0.4}, {"chi", -0.6}, {"beta", 0.5}}),
                               between(2, 3))};
    const modes::Interface interface(m);
    std::vector<double> amplitudes;
    for (int i = 0; i < 20; ++i) amplitudes.push_back(3 * std::pow(1e3, i / 19.0 - 1.0));
    fmt::print(
        "Derivatives of frequency and damping to all {} parameters of three joints (H = 7, 20 points), and of the "
        "whole joint (H = 3)\n{:40} {:>14} {:>18} {:>8}\n",
        10, "", "backbone, ms", "with derivatives", "ratio");
    const auto one = [](const std::string& name, const Model& model, const modes::Interface& seen,
                        const std::vector<double>& at, int highest) {
        modes::HarmonicOptions options{.harmonics = Harmonics::up_to(highest)};
        std::vector<modes::HarmonicPoint> points;
        const auto run = [&] { points = modes::epmc(model, seen, 1, at, options); };
        const double plain = least_of(5, run);
        options.derivatives = true;
        const double with = least_of(5, run);
        fmt::print("{:40} {:14.2f} {:18.2f} {:8.2f}   ({} parameters, {} of {} points)\n", name, 1e3 * plain,
                   1e3 * with, with / plain, points.back().derivatives.size(), converged(points), points.size());
    };
    one("iwan4, jenkins, iwan4", m, interface, amplitudes, 7);
    const auto reduced = files::read_reduced(FAYING_DATA_DIR "/brake_reuss/whole_joint.h5");
    for (const char* name : {"iwan4", "jenkins", "bouc-wen-1", "elastic-dry-friction"}) {
        const auto& v = study::find_variant(name);
        std::mt19937_64 random(1);
        const Model whole = study::model_of(v, reduced, study::draw(v, &random), {{"preload", 12845.0}});
        one(v.title, whole, modes::Interface(whole), three_decades(), 3);
    }
    fmt::print("\n");
}

/// Response of a joint with hundreds of contacts, with friction and openings.
void full_joint(double force) {
    const auto reduced = tests::full_joint();
    const auto& v = study::find_variant("elastic-dry-friction-full");
    const Model m = [&] {
        Model made = study::model_of(v, reduced, study::draw(v, nullptr), {{"preload", 12845.0}});
        made.damping_ratio = 0.002;
        return made;
    }();
    const modes::Interface interface(m);
    fmt::print("Synthetic full joint: {} DOF, {} contacts, {} joint coordinates, elastic dry friction, H = 3\n",
               m.size(), m.joints.front().sites(), interface.width());
    const auto mode = modes::epmc(m, interface, 1, {1e-5}, {.harmonics = Harmonics::up_to(1)});
    const double w = mode[0].omega;
    Eigen::VectorXd load = m.mass * mode[0].harmonics.col(1);
    load /= load.norm();
    std::vector<double> at;
    for (int i = 0; i < 40; ++i) at.push_back(w * (0.97 + 0.05 * i / 39));
    modes::HarmonicOptions options{.harmonics = Harmonics::up_to(3)};
    std::vector<modes::HarmonicPoint> points;
    const double seconds = least_of(1, [&] {
        points = modes::response(m, interface, {load, force}, 0.965 * w, 1.025 * w, at, options);
    });
    long asked = 0;
    double most = 0, linear = 0;
    for (const auto& p : points) {
        asked += std::find(at.begin(), at.end(), p.omega) != at.end();
        most = std::max(most, p.dissipation);
        linear = std::max(linear, p.a);
    }
    fmt::print("{} points ({} of the 40 asked for, {} converged), {:.3f} s a point (promised: 0.5), {:.1f} s in all\n",
               points.size(), asked, converged(points), seconds / double(std::max<std::size_t>(points.size(), 1)),
               seconds);
    fmt::print("peak a = {:.3g}, friction dissipates up to {:.3g} J a period\n\n", linear, most);
}

/// Errors of sampled harmonics against the exact ones, for every law of one displacement.
void samples() {
    const Harmonics h = Harmonics::up_to(4);
    Eigen::VectorXd u(9);
    u << 0.05, 1.0, 0.3, -0.2, 0.4, 0.45, -0.35, 0.1, 0.3;
    fmt::print("law,label,force_128,slope_128,force_1024,slope_1024\n");
    for (const auto& entry : laws::catalogue()) {
        if (entry.info.components != 1 || entry.info.drive != laws::Drive::displacement) continue;
        for (const auto& specimen : entry.specimens) {
            if (specimen.normal_approach != 0) continue;
            core::ParameterValues values;
            for (std::size_t i = 0; i < specimen.values.size(); ++i)
                values[entry.info.parameters[i].key] = specimen.values[i];
            const laws::Law law(entry.info.key, values);
            if (law.parts().size() != 1) continue;
            const auto site = law.joints(1, std::vector<int>(law.parameters().size(), -1)).front();
            const Eigen::VectorXd motion = specimen.amplitude / 1.6 * u, rest = Eigen::VectorXd::Zero(1);
            harmonic::HarmonicOptions exactly;
            exactly.jumps = !entry.info.claims.continuous;
            const auto exact = harmonic::harmonic_force(site, rest, h, motion, exactly);
            fmt::print("{},{}", entry.info.key, specimen.label);
            for (const int n : {128, 1024}) {
                const auto rough = harmonic::harmonic_force(site, rest, h, motion, {.samples = n});
                fmt::print(",{:.3e},{:.3e}",
                           (rough.force - exact.force).cwiseAbs().maxCoeff() / exact.force.cwiseAbs().maxCoeff(),
                           (rough.slope - exact.slope).cwiseAbs().maxCoeff() / exact.slope.cwiseAbs().maxCoeff());
            }
            fmt::print("\n");
        }
    }
}

/// Parameter sets of the variants, mode 1, 20 amplitudes over three decades. What did not converge is marked;
/// the worst residual of those that are marked as converged is told.
void robust(int sets, const std::string& only) {
    const auto reduced = files::read_reduced(FAYING_DATA_DIR "/brake_reuss/whole_joint.h5");
    fmt::print("{:60} {:>6} {:>8} {:>10} {:>9} {:>7} {:>10} {:>9}\n", "variant", "sets", "points", "converged", "share",
               "thrown", "residual", "seconds");
    long all = 0, good = 0;
    for (const auto& v : study::all26()) {
        if (v.full || v.title.find(only) == std::string::npos) continue;
        std::mt19937_64 random(1);
        long points = 0, reached = 0, thrown = 0;
        double worst = 0;
        const double start = now();
        for (int set = 0; set < sets; ++set) {
            const Model m = study::model_of(v, reduced, study::draw(v, &random), {{"preload", 12845.0}});
            const modes::Interface interface(m);
            points += long(three_decades().size());
            try {
                for (const auto& p :
                     modes::epmc(m, interface, 1, three_decades(), {.harmonics = Harmonics::up_to(3)})) {
                    reached += p.converged;
                    if (p.converged) worst = std::max(worst, p.residual);
                    if (!p.converged)
                        fmt::print(stderr, "{} ({}), set {} q {:.4g}: residual {:.2g}\n", v.title, v.name, set, p.a,
                                   p.residual);
                }
            } catch (const std::exception& error) {
                ++thrown;
                fmt::print(stderr, "{} ({}), set {}: {}\n", v.title, v.name, set, error.what());
            }
        }
        all += points;
        good += reached;
        fmt::print("{:60} {:6} {:8} {:10} {:8.3f}% {:7} {:10.1e} {:9.1f}\n", v.title, sets, points, reached,
                   100.0 * double(reached) / double(points), thrown, worst, now() - start);
        std::fflush(stdout);
    }
    fmt::print("all: {} of {} points, {:.3f} % (promised: 99.9)\n", good, all,
               100.0 * double(good) / double(std::max(all, 1l)));
}

}  // namespace

int main(int argc, char** argv) try {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what.empty() || what == "chain") chains();
    if (what.empty() || what == "joint") whole_joint();
    if (what.empty() || what == "derivatives") derivatives();
    if (what.empty() || what == "full") full_joint(argc > 2 && what == "full" ? std::atof(argv[2]) : 70.0);
    if (what == "samples") samples();
    if (what == "robust") robust(argc > 2 ? std::atoi(argv[2]) : 200, argc > 3 ? argv[3] : "");
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_harmonic: {}\n", error.what());
    return 2;
}
