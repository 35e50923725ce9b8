// What a backbone costs against linear DOF, interface DOF and amplitudes, and what its derivatives cost.
//
//     bench_scaling

#include <fmt/format.h>

#include "cpu_time.hpp"
#include "faying/files/reduced.hpp"
#include "faying/study/variants.hpp"
#include "modes/lap_joint.hpp"

namespace {

using namespace faying;
using bench::seconds_of;

std::vector<double> amplitudes(double low, double high, int count) {
    std::vector<double> q;
    for (int i = 0; i < count; ++i) q.push_back(low * std::pow(high / low, double(i) / (count - 1)));
    return q;
}

/// A structure given by its modes, omega_k = 1, 1.1, .., with one Iwan joint that all of them move.
structure::Model modes_and_a_joint(Eigen::Index count) {
    structure::Model model;
    model.mass = model.stiffness = Eigen::MatrixXd::Identity(count, count);
    Eigen::VectorXd joint(count);
    for (Eigen::Index k = 0; k < count; ++k) {
        model.stiffness(k, k) = (1 + 0.1 * double(k)) * (1 + 0.1 * double(k));
        joint(k) = (k % 2 ? -1.0 : 1.0) / double(k + 1);
    }
    const laws::Law law("iwan4", {{"FS", 1}, {"KT", 1}, {"chi", -0.5}, {"beta", 1}});
    model.joints = {structure::single_site("joint", law, joint)};
    return model;
}

/// One line: what was set up in which time, and a backbone of it.
double line(const std::string& what, const structure::Model& model, const std::vector<double>& q,
            const modes::BackboneOptions& options, double budget) {
    double setup = bench::cpu_seconds();
    const modes::Interface interface(model);
    setup = bench::cpu_seconds() - setup;
    int steps = 0, converged = 0;
    const double took = seconds_of(
        [&] {
            steps = converged = 0;
            for (const auto& p : modes::backbone(model, interface, 1, q, options)) {
                steps += p.iterations;
                converged += p.converged;
            }
        },
        budget);
    fmt::print("{:40} {:10.3g} {:12.3g} {:8} {:7}/{}\n", what, setup, took, steps, converged, q.size());
    std::fflush(stdout);
    return took;
}

}  // namespace

int main() {
    const auto& jenkins_prager = [] {
        for (const auto& v : study::all26())
            if (v.full && v.law == "jenkins-prager-2d") return v;
        return study::all26().back();
    }();
    const std::map<std::string, double> preload = {{"preload", 12845.0}};
    const auto full = [&](int nx, int ny, int kept) {
        return study::model_of(jenkins_prager, tests::full_joint(nx, ny, kept), study::draw(jenkins_prager, nullptr),
                               preload);
    };
    const auto loops = study::backbone_options(jenkins_prager);
    fmt::print("{:40} {:>10} {:>12} {:>8} {:>10}\n", "", "set-up / s", "backbone / s", "steps", "converged");

    fmt::print("linear DOF (modes and one Iwan joint, Masing)\n");
    for (const Eigen::Index count : {10, 30, 100, 300, 1000}) {
        const auto model = modes_and_a_joint(count);
        line(fmt::format("  {} DOF", count), model, amplitudes(1e-3, 1e2, 20), {.shapes = false}, 0.3);
        line("    with 20 shapes on all DOF", model, amplitudes(1e-3, 1e2, 20), {}, 0.3);
    }

    fmt::print("interface DOF (synthetic full joint, Jenkins-Prager, loops)\n");
    for (const auto& [nx, ny] : {std::pair{4, 2}, {7, 4}, {11, 5}, {15, 7}, {19, 8}})
        line(fmt::format("  {} DOF, {} points", 3 * (nx + 1) * (ny + 1), 4 * nx * ny), full(nx, ny, 49),
             amplitudes(1e-5, 1e-2, 20), loops, 0.0);

    fmt::print("amplitudes (the same, 144 interface DOF)\n");
    for (const int count : {10, 20, 40, 80})
        line(fmt::format("  {} amplitudes", count), full(7, 5, 49), amplitudes(1e-5, 1e-2, count), loops, 0.3);

    fmt::print("derivatives to every law parameter (Brake-Reuss whole joint, 20 amplitudes)\n");
    const auto whole = files::read_reduced(FAYING_DATA_DIR "/brake_reuss/whole_joint.h5");
    for (const auto& v : study::all26()) {
        if (v.full) continue;
        const auto model = study::model_of(v, whole, study::draw(v, nullptr), preload);
        std::size_t parameters = 0;
        for (const auto& joint : model.joints)
            for (const auto& part : joint.law.parts()) parameters += part.spring ? 1 : part.parameters;
        auto options = study::backbone_options(v);
        const double plain = line("  " + v.title, model, amplitudes(1e-5, 1e-2, 20), options, 0.3);
        options.derivatives = true;
        const double all = line("    with derivatives", model, amplitudes(1e-5, 1e-2, 20), options, 0.3);
        fmt::print("    to {} parameters, in all {:.2f} backbones\n", parameters, all / plain);
    }
}
