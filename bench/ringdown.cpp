// Ring-downs of [S2]: the paper's way (Newmark with sets of Jenkins sliders) against the exact law, with Newmark, with
// exact modes (exponential) and from reversal to reversal. Errors are those of the modal states at the end against a
// run from reversal to reversal at a tolerance of 1e-13 (beam: 1e-11), over the size of the motion. Seconds are of the
// processor.
//
// - Three masses struck at mass 2 (p = 30): 4000 s, 200,000 steps of 0.02 s.
// - The Sumali beam, meshed and reduced here: simulation 6 of Table D.1, mode 7 alone, 200,000 steps of 5e-6 s.
// - A full joint (synthetic, tests/modes/lap_joint.hpp): 608 contacts, struck so that some slip, against Newmark with
//   Newton on all coordinates and a dense tangent.

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "cpu_time.hpp"
#include "faying/fe/deck_reader.hpp"
#include "faying/fe/geometry.hpp"
#include "faying/fe/reduce_file.hpp"
#include "faying/files/model.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/process.hpp"
#include "faying/modes/prestress.hpp"
#include "faying/transient/simulate.hpp"
#include "modes/lap_joint.hpp"
#include "transient/plain_newmark.hpp"

namespace {

using namespace faying;
using namespace faying::transient;

/// The same with a set of sliders in place of the exact law; the smallest slider stays, they are finer in between.
structure::Model with_sliders(structure::Model model, double sliders) {
    for (auto& joint : model.joints) {
        const std::string& name = joint.law.name();
        if (!name.starts_with("iwan4")) continue;
        core::ParameterValues values{{"count", sliders}, {"ratio", std::pow(1.05, 200 / sliders)}};
        for (std::size_t i = 0; i < joint.law.values().size(); ++i)
            values[joint.law.parameters()[i].key] = joint.law.values()[i];
        joint.law = laws::Law("iwan4-sliders" + name.substr(5), values);
    }
    return model;
}

structure::Model three_masses() {
    structure::Model model;
    model.mass = 10 * Eigen::Matrix3d::Identity();
    model.stiffness.resize(3, 3);
    model.stiffness << 18, -9, 0, -9, 18, -9, 0, -9, 9;
    model.damping_ratio = 1e-4;
    model.joints.push_back(structure::single_site(
        "joint", laws::Law("iwan4", {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}}), Eigen::Vector3d(0, -1, 1)));
    return model;
}

/// examples/sumali, as its script does.
structure::Model sumali() {
    const io::ScratchFolder folder;
    const auto path = [&](const char* name) { return (folder.path() / name).string(); };
    for (const char* name : {"reduce.toml", "model.toml"})
        std::filesystem::copy(std::filesystem::path(FAYING_SOURCE_DIR) / "examples/sumali" / name, folder.path());
    io::write_file(path("beam.inp"), fe::make_geometry("sumali", {}).deck);
    const auto file = fe::read_reduce_file(path("reduce.toml"));
    files::write_reduced(path("rom.h5"), fe::reduce(fe::read_deck(file.deck), file.options).reduced);
    return files::read_model(path("model.toml"));
}

struct Case {
    structure::Model model;
    Excitation load;
    double duration = 0, step = 0;
    double truth = 0, records = 0;   ///< tolerance of the truth; interval of records of `events`
    std::vector<double> longer;      ///< steps of `exponential` over those of newmark
    std::vector<double> tolerances;  ///< of `events`, where explicit steps are worth a look
};

struct Result {
    double seconds = std::numeric_limits<double>::infinity();
    Eigen::VectorXd state;
    double energy = 0;
    std::size_t steps = 0;
};

/// The least of some times without the energy balance; the balance from one more run.
Result measure(const structure::Model& model, const Case& run, Options options, int repeats) {
    Result result;
    options.duration = run.duration;
    for (int repeat = 0; repeat <= repeats; ++repeat) {
        options.energy = repeat == repeats;
        Simulation simulation(model, run.load, {}, options);
        const double start = bench::cpu_seconds();
        simulation.to_end({});
        const double taken = bench::cpu_seconds() - start;
        if (!options.energy) result.seconds = std::min(result.seconds, taken);
        const auto end = simulation.now();
        result.state.resize(2 * end.q.size());
        result.state << end.q.cwiseProduct(simulation.omega()), end.q_velocity;
        result.energy = end.energy.error();
        result.steps = simulation.steps();
    }
    return result;
}

class Table {
 public:
    Table(const std::string& title, const Case& run) : run_(run) {
        truth_ = measure(run.model, run, events(run.truth), 0).state;
        fmt::print("{}\n{:<34} {:>9} {:>10} {:>10} {:>10} {:>9}\n", title, "", "steps", "seconds", "error", "energy",
                   "speed-up");
    }
    Options events(double tolerance) const {
        return {.method = Method::events, .step = run_.records, .tolerance = tolerance};
    }
    Options newmark(double refined = 1) const { return {.step = run_.step / refined}; }
    Options exponential(double longer = 1) const { return {.method = Method::exponential, .step = run_.step * longer}; }
    double error(const Result& r) const { return (r.state - truth_).norm() / truth_.norm(); }

    Result add(const std::string& name, const structure::Model& model, const Options& options, int repeats = 3) {
        const Result r = measure(model, run_, options, repeats);
        if (!(baseline_ > 0)) baseline_ = r.seconds;
        fmt::print("{:<34} {:>9} {:>10.4f} {:>10.2e} {:>10.1e} {:>9.2f}\n", name, r.steps, r.seconds, error(r),
                   r.energy, baseline_ / r.seconds);
        std::fflush(stdout);
        return r;
    }

 private:
    const Case& run_;
    Eigen::VectorXd truth_;
    double baseline_ = 0;
};

/// The paper's way with enough sliders and, by its second order, enough steps for the error of `aim`.
void refine(Table& table, const Case& run, const Result& coarse, const Result& aim, double sliders) {
    double refined = std::ceil(std::sqrt(table.error(coarse) / table.error(aim)));
    for (int tries = 0; tries < 4; ++tries, refined = std::ceil(1.3 * refined)) {
        const Result r = table.add(fmt::format("{:g} sliders, steps / {:g}", sliders + 1, refined),
                                   with_sliders(run.model, sliders), table.newmark(refined), 1);
        if (table.error(r) > table.error(aim)) continue;
        fmt::print("as good, in {:.0f} times the time\n", r.seconds / aim.seconds);
        return;
    }
    fmt::print("not as good\n");
}

void compare(const std::string& title, const Case& run) {
    Table table(title, run);
    table.add("201 sliders, newmark (baseline)", with_sliders(run.model, 200), table.newmark());
    const Result same = table.add("exact law, newmark", run.model, table.newmark());
    table.add("201 sliders, exponential", with_sliders(run.model, 200), table.exponential());
    std::string aim_name;
    Result aim;  // what the paper's way is to be as good as: the last below
    for (const double longer : run.longer) {
        aim_name = longer == 1 ? "exact law, exponential" : fmt::format("exact law, exponential, steps x {:g}", longer);
        aim = table.add(aim_name, run.model, table.exponential(longer));
    }
    for (const double tolerance : run.tolerances)
        table.add(fmt::format("exact law, events, {:g}", tolerance), run.model, table.events(tolerance));
    fmt::print("\nOnly sliders refined, same steps; the error is from the exact law with these steps:\n");
    double enough = 0;
    for (const double sliders : {200.0, 800.0, 3200.0}) {
        const Result r = measure(with_sliders(run.model, sliders), run, table.newmark(), 1);
        const double error = (r.state - same.state).norm() / same.state.norm();
        fmt::print("{:<34} {:>9} {:>10.4f} {:>10.2e} {:>20}\n", fmt::format("{:g} sliders, newmark", sliders + 1),
                   r.steps, r.seconds, error, fmt::format("{:.1f} times the time", r.seconds / same.seconds));
        if (enough == 0 && error < 0.5 * table.error(aim)) enough = sliders;
    }
    fmt::print("\nSliders and steps refined until they are as good as {}:\n", aim_name);
    refine(table, run, same, aim, enough > 0 ? enough : 3200);
    fmt::print("\n");
}

void full_joint() {
    const auto reduced = tests::full_joint();
    auto model = structure::bare_model(reduced, {{"preload", 12845.0}});
    model.joints = {structure::joint_on_interface(
        reduced, "interface", laws::Law("elastic-dry-friction", {{"kt", 3e13}, {"mu", 0.4}, {"kn", 1e12}}), "")};
    const Excitation load{{point_load(model, model.size() - 48), half_sine(3e3, 2000)},
                          {point_load(model, 1), half_sine(3e3, 3000)}};
    const double h = 1e-5;
    const int few = 40, many = 1000;
    const Eigen::VectorXd rest = modes::prestress(model).u;
    double start = bench::cpu_seconds();
    const Eigen::VectorXd want = tests::plain_newmark(model, load, h, few, rest);
    const double plain = (bench::cpu_seconds() - start) / few;
    const auto run = [&](int steps, double& seconds) {
        Simulation simulation(model, load, {{}, {}, true}, {.duration = steps * h, .step = h, .energy = false});
        start = bench::cpu_seconds();
        simulation.to_end({});
        seconds = (bench::cpu_seconds() - start) / steps;
        return simulation.now();
    };
    double unused = 0, own = 0;
    const double error = (run(few, unused).displacement - want).norm() / (want - rest).norm();
    const auto end = run(many, own);
    fmt::print("A full joint of {} contacts, {} DOF, {} steps\n", model.joints[0].sites(), model.size(), many);
    fmt::print("{:<34} {:>10.3f} ms a step\n{:<34} {:>10.3f} ms a step: {:.0f} times faster\n",
               "plain Newmark, all coordinates", 1e3 * plain, "columns of loose contacts only", 1e3 * own, plain / own);
    fmt::print("after {} steps they differ by {:.1e} of the motion; the joint has dissipated {:.2g} J in the end\n",
               few, error, end.energy.joint_dissipated);
}

}  // namespace

int main(int count, char** given) {
    const std::string only = count > 1 ? given[1] : "";  // masses, beam or joint; all when it is not said
    if (only.empty() || only == "masses") {
        Case masses{three_masses(), {}, 4000, 0.02, 1e-13, 100, {1, 2, 5}, {1e-6, 1e-8, 1e-10, 1e-12}};
        masses.load = {{point_load(masses.model, 2), half_sine(30, 1.7441151355991418)}};
        compare("Three masses struck at mass 2, 4000 s", masses);
    }
    if (only.empty() || only == "beam") {
        Case beam{sumali(), {}, 1, 5e-6, 1e-11, 0.1, {1, 2, 4}, {}};
        beam.load = {{mode_load(beam.model, 1), half_sine(2.756, 757.9947980372414)}};
        compare("Sumali beam, mode 7 alone, p = 2.756, 1 s", beam);
    }
    if (only.empty() || only == "joint") full_joint();
}
