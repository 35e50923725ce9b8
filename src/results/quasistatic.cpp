#include "faying/results/quasistatic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/results/loads.hpp"
#include "faying/results/loops.hpp"
#include "faying/results/sites.hpp"
#include "faying/sparse/direct.hpp"

namespace faying::results {

namespace {

double total(const modes::QuasistaticPoint& point) {
    double sum = 0;
    for (const double d : point.dissipated) sum += d;
    return sum;
}

bool prescribed(const ScaledDrive& d) { return d.drive.kind == modes::DriveKind::displacement; }

template <class Value>
nlohmann::json list(const SlowRun& run, const Value& value) {
    nlohmann::json numbers = nlohmann::json::array();
    for (const std::size_t i : shown(run)) numbers.push_back(value(run.loop.run.points[i]));
    return numbers;
}

nlohmann::json drive_json(const SlowRun& run, std::size_t j) {
    const auto& d = run.history.drives[j];
    const auto at = Eigen::Index(j);
    nlohmann::json entry = {{"name", d.drive.name},
                            {"kind", d.drive.locked  ? "locked"
                                     : prescribed(d) ? "displacement"
                                                     : "force"},
                            {"load", list(run, [&](const auto& p) { return p.force(at); })},
                            {"displacement", list(run, [&](const auto& p) { return p.displacement(at); })}};
    if (prescribed(d)) entry["reaction"] = entry["load"];
    return entry;
}

nlohmann::json events_json(const SlowRun& run) {
    nlohmann::json events = nlohmann::json::array();
    for (const auto& e : run.loop.run.events) {
        const auto& joint = run.model.joints[e.joint];
        events.push_back({{"point", e.point + 1},
                          {"share", e.share},
                          {"joint", joint.name},
                          {"site", structure::short_site_name(joint, e.site)},
                          {"from", modes::name(e.from)},
                          {"to", modes::name(e.to)}});
    }
    return events;
}

/// What the sites of every joint do at a point.
nlohmann::json sites_json(const SlowRun& run, const modes::QuasistaticPoint& point) {
    nlohmann::json joints = nlohmann::json::array();
    for (std::size_t j = 0; j < point.sites.size(); ++j) {
        joints.push_back(contact_list(run.model.joints[j], point.sites[j]));
        if (modes::has_normal(run.model.joints[j]))
            for (const auto& state : point.sites[j]) joints.back()["traction"].push_back(state.traction);
    }
    return joints;
}

/// MUMPS, as histories on structures that are not condensed take it.
class Mumps final : public modes::SparseFactor {
 public:
    explicit Mumps(bool symmetric)
        : solver_(symmetric ? sparse::DirectSolver::Kind::symmetric : sparse::DirectSolver::Kind::general) {}
    bool compute(const Eigen::SparseMatrix<double>& matrix) override { return solver_.factor(matrix); }
    Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const override { return solver_.solve(b); }

 private:
    sparse::DirectSolver solver_;
};

}  // namespace

files::SlowStructure read_slow_structure(const std::string& path) {
    return files::read_slow_structure(path, [](bool symmetric) { return std::make_unique<Mumps>(symmetric); });
}

std::vector<std::size_t> shown(const SlowRun& run) {
    const auto& points = run.loop.run.points;
    std::vector<std::size_t> all;
    if (run.cycled()) {
        for (std::size_t i = run.loop.first; i < points.size(); ++i) all.push_back(i);
    } else if (!run.history.report.empty()) {
        for (const std::size_t i : run.history.report)
            if (i < points.size()) all.push_back(i);
        if (!run.loop.run.stopped.empty()) all.push_back(points.size() - 1);
    } else {
        for (std::size_t i = 0; i < points.size(); ++i) all.push_back(i);
    }
    return all;
}

ScaledDrive parse_drive(const structure::Model& model, modes::DriveKind kind, const std::string& text) {
    const bool held = kind == modes::DriveKind::displacement;
    core::Words words(held ? "--displace" : "--force", text);
    ScaledDrive drive;
    drive.drive.kind = kind;
    drive.drive.name = text.substr(0, text.find(','));
    if (held && words.has("at") == words.has("output"))
        throw core::BadInput("--displace", "give one of at=DOF and output=NAME");
    drive.drive.row = load_shape(model, words);
    drive.scale = words.number(held ? "u" : "p", 1.0);
    words.finish();
    return drive;
}

ScaledDrive parse_lock(const structure::Model& model, const std::string& text) {
    core::Words words("--lock", text);
    if (words.has("at") + words.has("output") + words.has("load") != 1)
        throw core::BadInput("--lock", "give one of at=DOF, output=NAME and load=NAME");
    ScaledDrive drive{{modes::DriveKind::displacement, load_shape(model, words), text, true}, 0};
    words.finish();
    if (model.static_force.size() == 0 || model.static_force.isZero(0))
        throw core::BadInput("--lock", "the model has no static force that could bring '" + text + "' anywhere");
    return drive;
}

SlowHistory SlowWords::on(const structure::Model& model, SlowHistory h) const {
    for (const auto& words : forces) h.drives.push_back(parse_drive(model, modes::DriveKind::force, words));
    for (const auto& words : displacements)
        h.drives.push_back(parse_drive(model, modes::DriveKind::displacement, words));
    if (h.drives.empty()) throw core::BadInput("quasistatic", "give --force, --displace, or both");
    for (const auto& words : locked) h.drives.push_back(parse_lock(model, words));
    const int ways = !path.empty() + !signal.empty() + !history.empty() + (cycle != 0);
    if (ways != 1) throw core::BadInput("quasistatic", "give exactly one of --path, --signal, --history and --cycle");
    if (!signal.empty() == time.empty()) throw core::BadInput("--time", "goes with --signal, START:STOP:COUNT");
    h.cycle = cycle;
    if (cycle != 0) return h;
    if (!history.empty()) return with_history(std::move(h), history);
    auto input = path.empty() ? input_from_signal(signal, time) : input_from_path(path);
    if (!input.contact.empty()) throw core::BadInput("--path", "numbers separated by commas, shares of every drive");
    h.times = std::move(input.times);
    h.shares = std::move(input.points);
    h.report = std::move(input.report);
    return h;
}

SlowHistory with_history(SlowHistory history, const std::string& file) {
    io::Table table = io::read_csv(file);
    const std::size_t columns = table.columns.size();
    const auto drives = std::size_t(std::count_if(history.drives.begin(), history.drives.end(),
                                                  [](const ScaledDrive& d) { return !d.drive.locked; }));
    const bool timed = !table.names.empty() && table.names[0] == "t" ? true : columns == 2 && drives != 2;
    const std::size_t values = columns - (timed ? 1 : 0);
    if (columns == 0 || (values != 1 && values != drives))
        throw core::BadInput(file, fmt::format("has {} columns; expected one of shares, t and one, or one per drive "
                                               "({}) with or without t",
                                               columns, drives));
    if (timed) {
        history.times = std::move(table.columns[0]);
        for (std::size_t i = 1; i < history.times.size(); ++i)
            if (!(history.times[i] > history.times[i - 1]))
                throw core::BadInput(file, fmt::format("time must increase, but row {} has t = {:g} after {:g}", i + 1,
                                                       history.times[i], history.times[i - 1]));
        table.columns.erase(table.columns.begin());
    }
    if (values == 1)
        history.shares = std::move(table.columns[0]);
    else
        history.columns = std::move(table.columns);
    return history;
}

namespace {

/// Follows the history on what `follow` and `cycle` take their structures from.
template <class Follow, class Cycle>
SlowRun taken(SlowRun run, const Follow& follow, const Cycle& cycle) {
    const SlowHistory& history = run.history;
    std::vector<modes::Drive> drives;
    Eigen::VectorXd scale(Eigen::Index(history.drives.size()));
    for (const auto& d : history.drives) {
        scale(Eigen::Index(drives.size())) = d.scale;
        drives.push_back(d.drive);
    }
    if (run.cycled()) {
        run.loop = cycle(drives, history.cycle * scale);
        return run;
    }
    std::vector<std::vector<double>> values(drives.size());
    for (std::size_t j = 0; j < drives.size(); ++j) {
        if (drives[j].locked) {
            values[j].assign(history.columns.empty() ? history.shares.size() : history.columns[0].size(), 0.0);
            continue;
        }
        values[j] = history.columns.empty() ? history.shares : history.columns.at(j);
        for (double& v : values[j]) v *= scale(Eigen::Index(j));
    }
    run.loop.run = follow(drives, values);
    return run;
}

}  // namespace

SlowRun quasistatic(structure::Model model, const SlowHistory& h, modes::QuasistaticOptions options,
                    const std::string& name) {
    SlowRun run{std::move(model), h, {}, name};
    const modes::Interface interface(run.model);
    const structure::Model m = run.model;
    return taken(
        std::move(run),
        [&](const auto& drives, const auto& values) {
            return modes::quasistatic(m, interface, drives, values, options);
        },
        [&](const auto& drives, const auto& amplitudes) {
            return modes::quasistatic_loop(m, interface, drives, amplitudes, h.points, h.closure, h.most_loops,
                                           options);
        });
}

SlowRun quasistatic(modes::SparseStructure structure, const SlowHistory& h, modes::QuasistaticOptions options,
                    const std::string& name) {
    SlowRun run{structure.model, h, {}, name};
    options.shapes = false;  // what is shown of so many DOF are the outputs
    run.sparse = std::make_shared<const modes::SparseStructure>(std::move(structure));
    const auto s = run.sparse;
    return taken(
        std::move(run),
        [&](const auto& drives, const auto& values) { return modes::quasistatic(*s, drives, values, options); },
        [&](const auto& drives, const auto& amplitudes) {
            return modes::quasistatic_loop(*s, drives, amplitudes, h.points, h.closure, h.most_loops, options);
        });
}

double penalty_effect(const SlowRun& run, const modes::QuasistaticOptions& options) {
    structure::Model stiffer = run.model;
    bool any = false;
    for (auto& joint : stiffer.joints) {
        if (!joint.law.contact() || !structure::gives_tractions(joint)) continue;
        core::ParameterValues values;
        for (std::size_t i = 0; i < joint.law.parameters().size(); ++i) {
            const auto& key = joint.law.parameters()[i].key;
            if (const double value = joint.law.values()[i]; std::isfinite(value))
                values[key] = value * (key == "kn" || key == "kt" ? 10 : 1);
        }
        joint.law = laws::Law(joint.law.name(), values);
        any = true;
    }
    if (!any) throw core::BadInput("--penalty-check", "the model has no contact law over areas");
    const auto again = [&] {
        if (!run.sparse) return quasistatic(std::move(stiffer), run.history, options, run.name);
        modes::SparseStructure changed = *run.sparse;
        changed.model = std::move(stiffer);
        return quasistatic(std::move(changed), run.history, options, run.name);
    };
    const SlowRun other = again();
    other.require_converged();
    const auto points = shown(run), same = shown(other);
    double worst = 0;
    const auto compare = [&](const auto& value) {
        double change = 0, largest = 0;
        for (std::size_t i = 0; i < std::min(points.size(), same.size()); ++i) {
            const double a = value(run.loop.run.points[points[i]]), b = value(other.loop.run.points[same[i]]);
            change = std::max(change, std::abs(a - b));
            largest = std::max(largest, std::abs(a));
        }
        if (largest > 0) worst = std::max(worst, change / largest);
    };
    for (std::size_t j = 0; j < run.history.drives.size(); ++j) {
        compare([&](const auto& p) { return p.force(Eigen::Index(j)); });
        compare([&](const auto& p) { return p.displacement(Eigen::Index(j)); });
    }
    if (total(run.loop.run.points[points.back()]) > 0) compare(total);
    return worst;
}

void SlowRun::require_converged() const {
    const auto& points = loop.run.points;
    if (!loop.run.stopped.empty()) throw core::NotConverged("quasistatic: " + loop.run.stopped, points.back().residual);
    for (const auto& p : points)
        if (!p.converged)
            throw core::NotConverged(fmt::format("quasistatic: a point has residual {:.2g}", p.residual), p.residual);
    if (cycled() && !loop.closed)
        throw core::NotConverged(
            fmt::format("quasistatic: the loop had not closed after {} rounds (closure error {:.2g})", loop.loops,
                        loop.closure_error),
            loop.closure_error);
}

nlohmann::json json(const SlowRun& run) {
    nlohmann::json drives = nlohmann::json::array(), outputs = nlohmann::json::object(),
                   dissipated = nlohmann::json::object();
    for (std::size_t j = 0; j < run.history.drives.size(); ++j) drives.push_back(drive_json(run, j));
    for (std::size_t k = 0; k < run.model.outputs.size(); ++k)
        outputs[run.model.outputs[k].name] = list(run, [&](const auto& p) { return p.outputs(Eigen::Index(k)); });
    for (std::size_t j = 0; j < run.model.joints.size(); ++j)
        dissipated[run.model.joints[j].name] = list(run, [&](const auto& p) { return p.dissipated[j]; });
    nlohmann::json result = {
        {"load", drives[0]["load"]},
        {"displacement", drives[0]["displacement"]},
        {"drives", drives},
        {"outputs", outputs},
        {"dissipated", list(run, total)},
        {"dissipated_by_joint", dissipated},
        {"residual", list(run, [](const auto& p) { return p.residual; })},
        {"path_error", list(run, [](const auto& p) { return p.path_error; })},
        {"steps", list(run, [](const auto& p) { return p.steps; })},
        {"iterations", list(run, [](const auto& p) { return p.iterations; })},
        {"status", list(run, [](const auto& p) { return p.converged ? "converged" : "not reached"; })},
        {"events", events_json(run)},
        {"seated_residual", run.loop.run.seated.residual}};
    if (prescribed(run.history.drives[0])) result["reaction"] = drives[0]["load"];
    if (!run.history.times.empty() && !run.cycled()) {
        result["t"] = nlohmann::json::array();
        for (const std::size_t i : shown(run)) result["t"].push_back(run.history.times[i]);
    }
    if (!run.loop.run.points.empty() && !run.loop.run.points.back().sites.empty()) {
        result["sites"] = nlohmann::json::array();
        for (const std::size_t i : shown(run)) result["sites"].push_back(sites_json(run, run.loop.run.points[i]));
    }
    if (run.penalty_effect) result["penalty_effect"] = *run.penalty_effect;
    if (run.cycled())
        result["loop"] = {{"dissipation", run.loop.dissipation},
                          {"closure_error", run.loop.closure_error},
                          {"rounds", run.loop.loops},
                          {"closed", run.loop.closed}};
    return result;
}

io::Table table(const SlowRun& run) {
    const bool timed = !run.history.times.empty() && !run.cycled();
    io::Table table = io::named_table({});
    if (timed) io::add_column(table, "t");
    for (std::size_t j = 0; j < run.history.drives.size(); ++j) {
        io::add_column(table, j ? fmt::format("load_{}", j + 1) : "load");
        io::add_column(table, j ? fmt::format("displacement_{}", j + 1) : "displacement");
    }
    for (const auto& output : run.model.outputs) io::add_column(table, output.name);
    for (const char* name : {"dissipated", "residual"}) io::add_column(table, name);
    for (const std::size_t i : shown(run)) {
        const auto& p = run.loop.run.points[i];
        std::vector<double> row;
        if (timed) row.push_back(run.history.times[i]);
        for (Eigen::Index j = 0; j < p.force.size(); ++j) row.insert(row.end(), {p.force(j), p.displacement(j)});
        row.insert(row.end(), p.outputs.begin(), p.outputs.end());
        row.insert(row.end(), {total(p), p.residual});
        io::add_row(table, row);
    }
    return table;
}

io::Figure figure(const SlowRun& run) {
    io::Figure figure;
    figure.title = fmt::format("Quasi-static history of {}", run.name);
    figure.subtitle = run.cycled() ? fmt::format("loop {} of {:g} J, closure error {:.1g}", run.loop.loops,
                                                 run.loop.dissipation, run.loop.closure_error)
                                   : fmt::format("{} points", run.loop.run.points.size());
    io::Panel loop{.title = "loops", .x = {"displacement / m"}, .y = {"force / N"}, .curves = {}};
    io::Panel lost{.title = "dissipated", .x = {"point"}, .y = {"dissipated / J"}, .curves = {}};
    const auto points = shown(run);
    for (std::size_t j = 0; j < run.history.drives.size(); ++j) {
        io::Curve curve{.label = run.history.drives[j].drive.name, .x = {}, .y = {}};
        for (const std::size_t i : points) {
            curve.x.push_back(run.loop.run.points[i].displacement(Eigen::Index(j)));
            curve.y.push_back(run.loop.run.points[i].force(Eigen::Index(j)));
        }
        loop.curves.push_back(std::move(curve));
    }
    io::Curve sum{.label = "all joints", .x = {}, .y = {}};
    for (const std::size_t i : points) {
        sum.x.push_back(double(i + 1));
        sum.y.push_back(total(run.loop.run.points[i]));
    }
    lost.curves.push_back(std::move(sum));
    figure.panels = {std::move(loop), std::move(lost)};
    figure.plays = true;
    if (points.empty() || run.loop.run.points[points[0]].sites.empty()) return figure;
    for (const std::size_t i : points) {
        const auto& p = run.loop.run.points[i];
        io::Detail detail{.title = fmt::format("Joints at point {}", i + 1), .panels = {}, .maps = {}};
        for (std::size_t j = 0; j < p.sites.size(); ++j)
            if (modes::has_places(run.model.joints[j]))
                detail.maps.push_back(site_map(run.model.joints[j], modes::by_place(run.model.joints[j], p.sites[j])));
        if (!detail.maps.empty()) figure.details.push_back(std::move(detail));
    }
    if (figure.details.size() == points.size())
        for (auto& curve : figure.panels.front().curves) curve.first_detail = 0;
    return figure;
}

std::string text(const SlowRun& run) {
    std::string out;
    for (const auto& d : run.history.drives) out += fmt::format("{:>22} {:>16} ", d.drive.name + " / N", "/ m");
    out += fmt::format("{:>16} {:>10}\n", "dissipated / J", "residual");
    for (const std::size_t i : shown(run)) {
        const auto& p = run.loop.run.points[i];
        for (Eigen::Index j = 0; j < p.force.size(); ++j)
            out += fmt::format("{:22.10g} {:16.10g} ", p.force(j), p.displacement(j));
        out += fmt::format("{:16.9g} {:10.1e}{}\n", total(p), p.residual, p.converged ? "" : "  not reached");
    }
    if (run.cycled())
        out += fmt::format("loop {}: {:.9g} J per cycle, closure error {:.1e}\n", run.loop.loops, run.loop.dissipation,
                           run.loop.closure_error);
    if (run.penalty_effect)
        out += fmt::format("ten times the penalty changes loads, displacements and dissipation by {:.2g} at most\n",
                           *run.penalty_effect);
    for (const auto& e : run.loop.run.events)
        out += fmt::format("{}, {}: {} -> {} at {:.9g} of the way to point {}\n", run.model.joints[e.joint].name,
                           structure::site_name(run.model.joints[e.joint], e.site), modes::name(e.from),
                           modes::name(e.to), e.share, e.point + 1);
    return out;
}

}  // namespace faying::results
