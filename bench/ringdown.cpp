// The three masses of [S2] struck at mass 2 (p = 30): 4000 s, 200,000 steps of 0.02 s. The paper's way (Newmark with
// sets of Jenkins sliders) against the exact law, with Newmark and from reversal to reversal. Errors are those of the
// modal states at the end against a run at tolerance 1e-13, over the size of the motion.

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "faying/transient/simulate.hpp"

namespace {

using namespace faying;
using namespace faying::transient;

structure::Model three_masses(double sliders) {
    structure::Model model;
    model.mass = 10 * Eigen::Matrix3d::Identity();
    model.stiffness.resize(3, 3);
    model.stiffness << 18, -9, 0, -9, 18, -9, 0, -9, 9;
    model.damping_ratio = 1e-4;
    core::ParameterValues values{{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}};
    if (sliders > 0) {
        values["count"] = sliders;
        values["ratio"] = std::pow(1.05, 200 / sliders);  // the same smallest slider, finer in between
    }
    model.joints.push_back(structure::single_site("joint", laws::Law(sliders > 0 ? "iwan4-sliders" : "iwan4", values),
                                                  Eigen::Vector3d(0, -1, 1)));
    return model;
}

struct Result {
    double seconds = std::numeric_limits<double>::infinity();
    Eigen::VectorXd state;
    double energy = 0;
    std::size_t steps = 0;
};

/// The least of three times, without the energy balance; the balance from one more run.
Result measure(const structure::Model& model, Options options) {
    const Excitation hit{{point_load(model, 2), half_sine(30, 1.7441151355991418)}};
    Result result;
    options.duration = 4000;
    for (int repeat = 0; repeat < 4; ++repeat) {
        options.energy = repeat == 3;
        Simulation run(model, hit, {}, options);
        const auto start = std::chrono::steady_clock::now();
        run.to_end({});
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        if (!options.energy) result.seconds = std::min(result.seconds, taken.count());
        const auto end = run.now();
        result.state.resize(6);
        result.state << end.q, end.q_velocity;
        result.energy = end.energy.error();
        result.steps = run.steps();
    }
    return result;
}

}  // namespace

int main() {
    const auto exact = three_masses(0);
    const Options newmark{.step = 0.02};
    const auto events = [](double tolerance) {
        return Options{.method = Method::events, .step = 100, .tolerance = tolerance};
    };
    const Result truth = measure(exact, events(1e-13));
    const auto error = [&](const Result& r) { return (r.state - truth.state).norm() / truth.state.norm(); };
    const auto print = [&](const std::string& name, const Result& r, double base) {
        fmt::print("{:<34} {:>9} {:>10.4f} {:>12.2e} {:>12.1e} {:>9.2f}\n", name, r.steps, r.seconds, error(r),
                   r.energy, base / r.seconds);
    };
    fmt::print("Ring-down of three masses, 4000 s\n{:<34} {:>9} {:>10} {:>12} {:>12} {:>9}\n", "", "steps", "seconds",
               "error", "energy", "speed-up");
    const Result paper = measure(three_masses(200), newmark);
    print("201 sliders, newmark (baseline)", paper, paper.seconds);
    const Result same_step = measure(exact, newmark);
    print("exact law, newmark", same_step, paper.seconds);
    for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12})
        print(fmt::format("exact law, events, {:g}", tolerance), measure(exact, events(tolerance)), paper.seconds);
    fmt::print("\nSliders and steps refined until they are as good as the exact law with the same steps:\n");
    for (const double sliders : {400.0, 800.0, 1600.0, 3200.0}) {
        const Result finer = measure(three_masses(sliders), newmark);
        print(fmt::format("{:g} sliders, newmark", sliders + 1), finer, paper.seconds);
        const double difference = (finer.state - same_step.state).norm() / truth.state.norm();
        fmt::print("{:>34} from the exact law with the same steps: {:.1e}; {:.1f} times its time\n", "", difference,
                   finer.seconds / same_step.seconds);
        if (difference < 0.05 * error(same_step)) break;
    }
}
