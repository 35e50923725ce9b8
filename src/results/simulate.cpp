#include "faying/results/simulate.hpp"

#include <chrono>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "faying/core/error.hpp"
#include "faying/results/record.hpp"
#include "faying/structure/fingerprint.hpp"
#include "text.hpp"

namespace faying::results {

namespace {

using transient::Snapshot;

constexpr const char* displacement_unit(bool modal) { return modal ? "m kg^(1/2)" : "m"; }
constexpr const char* velocity_unit(bool modal) { return modal ? "m kg^(1/2)/s" : "m/s"; }

/// The output that is this coordinate and no other.
std::string output_at(const structure::Model& model, Eigen::Index dof) {
    for (const auto& output : model.outputs)
        if (output.row(dof) == 1 && (output.row.array() != 0).count() == 1) return output.name;
    return "";
}

std::string mode_label(const transient::Simulation& run, Eigen::Index r) {
    const Eigen::Index kept = run.truncation().modes;
    const double hz = run.omega()(r) / (2 * std::numbers::pi);
    return r < kept ? fmt::format("stuck mode {}, {:.5g} Hz", r + 1, hz)
                    : fmt::format("static shape {}, {:.5g} Hz", r + 1 - kept, hz);
}

/// On one line, whatever a deck or a model file calls it.
std::string plain_line(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' ';
    return text;
}

std::vector<std::string> texts_of(const std::vector<Label>& labels) {
    std::vector<std::string> list;
    for (const auto& label : labels) list.push_back(label.label.empty() ? label.name : label.label);
    return list;
}

/// What a record must agree in to be resumed.
std::string study_text(const SimulateRequest& o, const structure::Model& model) {
    nlohmann::json study = {{"model", structure::fingerprint(model)},
                            {"free", o.free},
                            {"preload", o.preload},
                            {"method", core::name_of(transient_methods, o.run.method)},
                            {"time", o.run.duration},
                            {"dt", o.run.step},
                            {"every", o.run.record_every},
                            {"adaptive", o.run.adaptive},
                            {"tolerance", o.run.local_error()},
                            {"rho", o.run.spectral_radius},
                            {"modes", o.run.modes},
                            {"sample", o.run.samples}};
    for (const auto& words : o.loads) study["loads"].push_back({words.kind, words.text});
    if (!o.given.empty()) study["given"] = o.given;
    // File names need not be UTF-8.
    return study.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Recorded displacements, velocities and outputs, a column each.
class Columns {
 public:
    Columns(SimulateRun& run) : run_(run), outputs_(Eigen::Index(run.model->outputs.size()), run.model->size()) {
        const auto& labels = run.labels;
        for (Eigen::Index k = 0; k < outputs_.rows(); ++k) outputs_.row(k) = run.model->outputs[std::size_t(k)].row;
        if (labels.modal) outputs_ = (outputs_ * run.simulation->shapes()).eval();
        io::add_column(run.record, "t");
        for (const auto* group : {&labels.displacement, &labels.velocity, &labels.outputs})
            for (const auto& column : *group) io::add_column(run.record, column.name);
        for (const auto& output : labels.outputs) io::add_column(run.record, output.name + "_velocity");
    }
    void add(const Snapshot& s) {
        if (run_.labels.modal)
            add(s.time, s.q, s.q_velocity);
        else
            add(s.time, s.displacement, s.velocity);
    }

 private:
    SimulateRun& run_;
    Eigen::MatrixXd outputs_;  ///< a row each, of u or q

    void add(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& v) {
        const Eigen::VectorXd seen = outputs_ * x, seen_velocity = outputs_ * v;
        std::size_t c = 0;
        run_.record.columns[c++].push_back(t);
        for (const auto* values : {&x, &v, &seen, &seen_velocity})
            for (const double value : *values) run_.record.columns[c++].push_back(value);
    }
};

/// To the end, with the record on disk beside it and saved every second.
void run_to_end(SimulateRun& run, SimulationRecord* record, const transient::Simulation::OnSnapshot& keep,
                const SimulateWatch& watch) {
    auto& simulation = *run.simulation;
    auto saved = std::chrono::steady_clock::now();
    std::size_t steps = 0;
    run.ended = simulation.to_end(
        [&](const Snapshot& s) {
            if (record) record->add(s);
            keep(s);
        },
        [&](const Snapshot& s) {
            run.samples.push_back(s);
            if (record) record->add_sample(s);
        },
        [&](const Eigen::VectorXd& y) {
            if (record) record->commit(y);
        },
        [&](double t) {
            if (++steps % 16 == 0 && record && std::chrono::steady_clock::now() - saved > std::chrono::seconds(1)) {
                record->save(simulation);
                saved = std::chrono::steady_clock::now();
            }
            return !watch.go_on || watch.go_on(t / run.request.run.duration);
        });
    if (record) record->finish(simulation);
}

void note_step(SimulateRun& run) {
    const auto& advice = run.simulation->step_advice();
    if (advice.too_long)
        run.notes.push_back(
            fmt::format("--dt {:g} s is too long for {}, which moves at {:.4g} rad/s: {:.3g} s would resolve it",
                        run.request.run.step, advice.of, advice.omega, advice.step));
}

void note_truncation(SimulateRun& run) {
    constexpr double worth_telling = 0.05;
    const auto t = run.simulation->truncation();
    if (std::max(t.joint_error, t.motion_error) > worth_telling)
        run.notes.push_back(fmt::format(
            "the {} modes left out would have moved the joints by {:.2g} of their greatest displacement, and the "
            "structure by {:.2g}: keep more (--modes)",
            t.left_out, t.joint_error, t.motion_error));
}

nlohmann::json run_json(const transient::Simulation& run) {
    const auto end = run.now().energy;
    const auto balance = run.balance();
    const auto truncation = run.truncation();
    const auto& advice = run.step_advice();
    nlohmann::json result;
    result["steps"] = run.steps();
    result["reversals"] = run.reversals();
    result["omega"] = list(run.omega());
    result["energy"] = {{"kinetic", end.kinetic},
                        {"strain", end.strain},
                        {"joint_stored", end.joint_stored()},
                        {"joint_dissipated", end.joint_dissipated},
                        {"viscous", end.viscous},
                        {"input", end.input},
                        {"initial", end.initial},
                        {"error", balance.error},
                        {"held", balance.held}};
    if (balance.step > 0) result["energy"]["step_that_would_do"] = balance.step;
    if (balance.demand > 0) result["energy"]["tolerance_that_would_do"] = balance.demand;
    result["truncation"] = {{"modes", truncation.modes},
                            {"static_shapes", truncation.static_shapes},
                            {"left_out", truncation.left_out},
                            {"joint_error", truncation.joint_error},
                            {"motion_error", truncation.motion_error}};
    if (advice.omega > 0)
        result["step"] = {
            {"fastest", advice.of}, {"omega", advice.omega}, {"advised", advice.step}, {"too_long", advice.too_long}};
    return result;
}

}  // namespace

Labels labels_of(const structure::Model& model, const transient::Simulation& run, bool modal) {
    Labels labels;
    labels.modal = modal;
    const Eigen::Index n = modal ? run.omega().size() : model.size();
    for (Eigen::Index i = 0; i < n; ++i) {
        const std::string label = modal                                  ? mode_label(run, i)
                                  : Eigen::Index(model.dofs.size()) == n ? model.dofs[std::size_t(i)]
                                                                         : output_at(model, i);
        labels.displacement.push_back({fmt::format("{}{}", modal ? "q" : "u", i + 1), plain_line(label)});
        labels.velocity.push_back({fmt::format("{}{}", modal ? "q_velocity" : "v", i + 1), plain_line(label)});
    }
    for (const auto& output : model.outputs) labels.outputs.push_back({plain_line(output.name), ""});
    for (const auto& joint : model.joints)
        for (Eigen::Index i = 0; i < joint.map.rows(); ++i) {
            const int c = joint.components();
            labels.joints.push_back(
                {fmt::format("{}", labels.joints.size() + 1),
                 fmt::format("joint '{}', {}", joint.name, structure::site_name(joint, i / c, int(i % c)))});
        }
    return labels;
}

void SimulateRequest::check() const {
    if (resume && out.empty()) throw core::BadInput("--resume", "needs --out, the record to go on with");
    if (!out.empty() && !out.ends_with(".h5")) throw core::BadInput("--out", fmt::format("'{}' must end in .h5", out));
    if (!out.empty() && (!excitation.empty() || start) && given.empty())
        throw core::BadInput("--out",
                             "goes with loads and a start in words, or `given`, by which a record is known again");
    if (loads.empty() && excitation.empty() && free.empty() && !preload && !start)
        throw core::BadInput("simulate",
                             "nothing moves: give a load (--impulse, --sine, --chirp, --random, --table) or --free");
    run.check();
    constexpr double most_steps = 1e9, most_rows = 1e7;
    const double steps = run.duration / run.step;
    if (steps > most_steps)
        throw core::BadInput("--dt", fmt::format("{:.3g} steps are needed; at most {:g} are made", steps, most_steps));
    if (const double rows = steps / run.record_every; record && rows > most_rows)
        throw core::BadInput("--every", fmt::format("the record would have {:.3g} rows; --csv and --plot take at most "
                                                    "{:g}: record every so many steps with --every",
                                                    rows, most_rows));
}

SimulateRun simulate(structure::Model model, SimulateRequest request, const SimulateWatch& watch) {
    request.check();
    SimulateRun run;
    run.request = std::move(request);
    run.model = std::make_shared<const structure::Model>(std::move(model));
    const auto& o = run.request;
    transient::Excitation excitation = o.excitation;
    for (const auto& words : o.loads) excitation.push_back(parse_load(*run.model, words));
    if (!o.out.empty()) io::check_writable(o.out);  // also that it is none of the files just read
    run.simulation = std::make_shared<transient::Simulation>(
        *run.model, excitation, o.start ? *o.start : parse_start(*run.model, o.free, o.preload), o.run);
    run.labels = labels_of(*run.model, *run.simulation, o.modal);
    std::optional<SimulationRecord> record;
    if (!o.out.empty()) {
        const Labels physical = labels_of(*run.model, *run.simulation, false),
                     modal = labels_of(*run.model, *run.simulation, true);
        record.emplace(o.out, study_text(o, *run.model), *run.simulation,
                       RecordLabels{texts_of(physical.displacement), texts_of(physical.velocity),
                                    texts_of(modal.displacement), texts_of(physical.joints)},
                       o.resume);
        record->take_up(*run.simulation);
        record->save(*run.simulation);  // a kill from here on is resumable
        run.samples = record->earlier_samples();
    }
    std::optional<Columns> columns;
    if (o.record) columns.emplace(run);
    const auto keep = [&](const Snapshot& s) {
        if (columns) columns->add(s);
        if (watch.row) watch.row(s);
    };
    if (record && record->resumed() && (columns || watch.row)) record->each_earlier(keep);
    const auto tell = [&](void (*add)(SimulateRun&)) {
        const std::size_t known = run.notes.size();
        add(run);
        for (std::size_t i = known; watch.note && i < run.notes.size(); ++i) watch.note(run.notes[i]);
    };
    tell(note_step);
    run_to_end(run, record ? &*record : nullptr, keep, watch);
    if (run.ended) tell(note_truncation);
    return run;
}

void SimulateRun::require_balance() const {
    const auto balance = simulation->balance();
    if (balance.held) return;
    std::string cure = balance.step > 0 ? fmt::format("--dt {:.2g} would do", balance.step)
                                        : fmt::format("--tolerance {:.1g} would do", balance.demand);
    if (request.run.method == transient::Method::alpha && request.run.spectral_radius < 1)
        cure += ", or less numerical damping (--rho 1)";
    throw core::NotConverged(fmt::format("simulate: the energy balance is off by {:.3g} % of the motion's energy, more "
                                         "than the {:g} % of --energy-tolerance; {}",
                                         100 * balance.error, 100 * request.run.energy_tolerance, cure),
                             balance.error);
}

std::string csv(const SimulateRun& run) {
    const bool modal = run.labels.modal;
    Text out;
    out.print("# t in s, {} in {}, {} in {}{}\n", modal ? "q" : "u", displacement_unit(modal),
              modal ? "q_velocity" : "v", velocity_unit(modal),
              run.labels.outputs.empty() ? "" : "; outputs in m and m/s");
    for (const auto& column : run.labels.displacement)
        if (!column.label.empty()) out.print("# {}: {}\n", column.name, column.label);
    return std::string(std::move(out)) + io::csv_text(run.record);
}

io::Table table(const SimulateRun& run) { return run.record; }

/// Outputs where there are any: the coordinates of a reduced model mean little to the eye.
io::Figure figure(const SimulateRun& run) {
    const auto& labels = run.labels;
    const bool outputs = !labels.modal && !labels.outputs.empty();
    io::Panel panel{"displacement", {"t / s"}, {labels.modal ? "q / (m kg^(1/2))" : "u / m"}, {}};
    const auto& shown = outputs ? labels.outputs : labels.displacement;
    const std::size_t first = outputs ? 1 + 2 * labels.displacement.size() : 1;
    for (std::size_t c = 0; c < shown.size(); ++c)
        panel.curves.push_back({shown[c].text(), run.record.columns[0], run.record.columns[first + c], {}});
    return {run.request.name, core::name_of(transient_methods, run.request.run.method), {panel}, {}};
}

nlohmann::json json(const SimulateRun& run) {
    const auto& labels = run.labels;
    const bool modal = labels.modal;
    const char *x = modal ? "q" : "u", *v = modal ? "q_velocity" : "v";
    nlohmann::json result = run_json(*run.simulation);
    for (const char* key : {"t", x, v, "joint_displacement", "joint_force"}) result[key] = nlohmann::json::array();
    result["outputs"] = nlohmann::json::object();
    for (const Snapshot& s : run.samples) {
        result["t"].push_back(s.time);
        result[x].push_back(list(modal ? s.q : s.displacement));
        result[v].push_back(list(modal ? s.q_velocity : s.velocity));
        result["joint_displacement"].push_back(list(s.joint_displacement));
        result["joint_force"].push_back(list(s.joint_force));
        for (const auto& output : run.model->outputs)
            result["outputs"][output.name].push_back(output.row.dot(s.displacement));
    }
    result["labels"] = {{x, texts_of(labels.displacement)}, {"joint", texts_of(labels.joints)}};
    result["units"] = {{"t", "s"},
                       {x, displacement_unit(modal)},
                       {v, velocity_unit(modal)},
                       {"outputs", "m"},
                       {"joint_displacement", "m"},
                       {"joint_force", "N"},
                       {"omega", "rad/s"},
                       {"energy", "J"}};
    result["method"] = core::name_of(transient_methods, run.request.run.method);
    result["notes"] = run.notes;
    return result;
}

std::string text(const SimulateRun& run) {
    const bool modal = run.labels.modal;
    Text out;
    for (const Snapshot& s : run.samples) {
        out.print("t = {:g} s\n  {:<5} {:>18} {:>18}\n", s.time, "", displacement_unit(modal), velocity_unit(modal));
        const Eigen::VectorXd &x = modal ? s.q : s.displacement, &v = modal ? s.q_velocity : s.velocity;
        for (Eigen::Index i = 0; i < std::min<Eigen::Index>(x.size(), 20); ++i) {
            const Label& label = run.labels.displacement[std::size_t(i)];
            out.print("  {:<5} {:18.10g} {:18.10g}{}{}\n", label.name, x(i), v(i), label.label.empty() ? "" : "  ",
                      label.label);
        }
        if (x.size() > 20) out.print("  .. {} more\n", x.size() - 20);
    }
    const auto t = run.simulation->truncation();
    if (t.left_out > 0)
        out.print(
            "{} stuck modes and {} static shapes; the {} modes left out would have moved the joints by {:.1e}, the "
            "structure by {:.1e} of their greatest displacement\n",
            t.modes, t.static_shapes, t.left_out, t.joint_error, t.motion_error);
    out.print("{} steps, energy balance within {:.2e}\n", run.simulation->steps(), run.simulation->balance().error);
    return out;
}

}  // namespace faying::results
