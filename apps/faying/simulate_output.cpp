#include "simulate_output.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numbers>

#include "faying/io/plot.hpp"

namespace faying::app {

namespace {

using nlohmann::json;
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
std::string one_line(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 32 || c == 127) c = ' ';
    return text;
}

std::vector<double> list(const Eigen::VectorXd& v) { return {v.begin(), v.end()}; }

}  // namespace

Labels labels_of(const structure::Model& model, const std::vector<std::string>& dofs, const transient::Simulation& run,
                 bool modal) {
    Labels labels;
    labels.modal = modal;
    const Eigen::Index n = modal ? run.omega().size() : model.size();
    for (Eigen::Index i = 0; i < n; ++i) {
        const std::string label = modal                            ? mode_label(run, i)
                                  : Eigen::Index(dofs.size()) == n ? dofs[std::size_t(i)]
                                                                   : output_at(model, i);
        labels.displacement.push_back({fmt::format("{}{}", modal ? "q" : "u", i + 1), one_line(label)});
        labels.velocity.push_back({fmt::format("{}{}", modal ? "q_velocity" : "v", i + 1), one_line(label)});
    }
    for (const auto& output : model.outputs) labels.outputs.push_back({one_line(output.name), ""});
    for (const auto& joint : model.joints)
        for (Eigen::Index i = 0; i < joint.map.rows(); ++i) {
            const int c = joint.components();
            labels.joints.push_back(
                {fmt::format("{}", labels.joints.size() + 1),
                 fmt::format("joint '{}', {}", joint.name, structure::site_name(joint, i / c, int(i % c)))});
        }
    return labels;
}

std::vector<std::string> texts_of(const std::vector<Label>& labels) {
    std::vector<std::string> list;
    for (const auto& label : labels) list.push_back(label.label.empty() ? label.name : label.label);
    return list;
}

RecordColumns::RecordColumns(const structure::Model& model, const transient::Simulation& run, Labels labels)
    : labels_(std::move(labels)), outputs_(Eigen::Index(model.outputs.size()), model.size()) {
    for (Eigen::Index k = 0; k < outputs_.rows(); ++k) outputs_.row(k) = model.outputs[std::size_t(k)].row;
    if (labels_.modal) outputs_ = (outputs_ * run.shapes()).eval();
    table_.names.push_back("t");
    for (const auto* group : {&labels_.displacement, &labels_.velocity})
        for (const auto& column : *group) table_.names.push_back(column.name);
    for (const auto& output : labels_.outputs) table_.names.push_back(output.name);
    for (const auto& output : labels_.outputs) table_.names.push_back(output.name + "_velocity");
    table_.columns.resize(table_.names.size());
}

void RecordColumns::add(const Snapshot& s) {
    if (labels_.modal)
        add(s.time, s.q, s.q_velocity);
    else
        add(s.time, s.displacement, s.velocity);
}

void RecordColumns::add(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& v) {
    const Eigen::VectorXd seen = outputs_ * x, seen_velocity = outputs_ * v;
    std::size_t c = 0;
    table_.columns[c++].push_back(t);
    for (const auto* values : {&x, &v, &seen, &seen_velocity})
        for (const double value : *values) table_.columns[c++].push_back(value);
}

void RecordColumns::write_csv(const std::string& path) const {
    const bool modal = labels_.modal;
    std::string text = fmt::format("# t in s, {} in {}, {} in {}{}\n", modal ? "q" : "u", displacement_unit(modal),
                                   modal ? "q_velocity" : "v", velocity_unit(modal),
                                   labels_.outputs.empty() ? "" : "; outputs in m and m/s");
    for (const auto& column : labels_.displacement)
        if (!column.label.empty()) text += fmt::format("# {}: {}\n", column.name, column.label);
    io::write_file(path, text + io::csv_text(table_));
}

/// Outputs where there are any: the coordinates of a reduced model mean little to the eye.
void RecordColumns::draw(const std::string& path, const std::string& title, const std::string& method) const {
    const bool outputs = !labels_.modal && !labels_.outputs.empty();
    const std::string axis = labels_.modal ? "q / (m kg^(1/2))" : "u / m";
    io::Panel panel{"displacement", {"t / s"}, {axis}, {}};
    const auto& shown = outputs ? labels_.outputs : labels_.displacement;
    const std::size_t first = outputs ? 1 + 2 * labels_.displacement.size() : 1;
    for (std::size_t c = 0; c < shown.size(); ++c)
        panel.curves.push_back({shown[c].text(), table_.columns[0], table_.columns[first + c], {}});
    const io::Figure figure{title, method, {panel}, {}};
    io::write_file(path, path.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure));
}

json samples_json(const std::vector<Snapshot>& samples, const Labels& labels, const structure::Model& model) {
    const bool modal = labels.modal;
    const char *x = modal ? "q" : "u", *v = modal ? "q_velocity" : "v";
    json result = {{"t", json::array()}};
    for (const char* key : {x, v, "joint_displacement", "joint_force"}) result[key] = json::array();
    result["outputs"] = json::object();
    for (const Snapshot& s : samples) {
        result["t"].push_back(s.time);
        result[x].push_back(list(modal ? s.q : s.displacement));
        result[v].push_back(list(modal ? s.q_velocity : s.velocity));
        result["joint_displacement"].push_back(list(s.joint_displacement));
        result["joint_force"].push_back(list(s.joint_force));
        for (const auto& output : model.outputs)
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
    return result;
}

json run_json(const transient::Simulation& run) {
    const auto end = run.now().energy;
    const auto balance = run.balance();
    const auto truncation = run.truncation();
    const auto& advice = run.step_advice();
    json result;
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

std::vector<std::string> notes_before(const transient::Simulation& run, double step) {
    const auto& advice = run.step_advice();
    if (!advice.too_long) return {};
    return {fmt::format("--dt {:g} s is too long for {}, which moves at {:.4g} rad/s: {:.3g} s would resolve it", step,
                        advice.of, advice.omega, advice.step)};
}

std::vector<std::string> notes_after(const transient::Simulation& run) {
    constexpr double worth_telling = 0.05;
    const auto t = run.truncation();
    if (std::max(t.joint_error, t.motion_error) <= worth_telling) return {};
    return {
        fmt::format("the {} modes left out would have moved the joints by {:.2g} of their greatest displacement, and "
                    "the structure by {:.2g}: keep more (--modes)",
                    t.left_out, t.joint_error, t.motion_error)};
}

void print_samples(const std::vector<Snapshot>& samples, const Labels& labels) {
    const bool modal = labels.modal;
    for (const Snapshot& s : samples) {
        fmt::print("t = {:g} s\n  {:<5} {:>18} {:>18}\n", s.time, "", displacement_unit(modal), velocity_unit(modal));
        const Eigen::VectorXd &x = modal ? s.q : s.displacement, &v = modal ? s.q_velocity : s.velocity;
        for (Eigen::Index i = 0; i < std::min<Eigen::Index>(x.size(), 20); ++i) {
            const Label& label = labels.displacement[std::size_t(i)];
            fmt::print("  {:<5} {:18.10g} {:18.10g}{}{}\n", label.name, x(i), v(i), label.label.empty() ? "" : "  ",
                       label.label);
        }
        if (x.size() > 20) fmt::print("  .. {} more\n", x.size() - 20);
    }
}

void print_run(const transient::Simulation& run) {
    const auto t = run.truncation();
    if (t.left_out > 0)
        fmt::print(
            "{} stuck modes and {} static shapes; the {} modes left out would have moved the joints by {:.1e}, the "
            "structure by {:.1e} of their greatest displacement\n",
            t.modes, t.static_shapes, t.left_out, t.joint_error, t.motion_error);
    fmt::print("{} steps, energy balance within {:.2e}\n", run.steps(), run.balance().error);
}

}  // namespace faying::app
