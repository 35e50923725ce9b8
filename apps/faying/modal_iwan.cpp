// faying modal-iwan: modal Iwan models from selective ring-downs, and how they fare under impacts ([S2] 2.3).

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/core/progress.hpp"
#include "faying/archive/archive.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/plot.hpp"
#include "faying/files/modal_study.hpp"
#include "faying/files/model.hpp"
#include "interrupt.hpp"
#include "faying/io/json_file.hpp"
#include "loop_output.hpp"
#include "modal_iwan_points.hpp"
#include "mode_options.hpp"
#include "simulate_input.hpp"

namespace faying::app {

namespace {

using nlohmann::json;
using namespace modal;

struct Options {
    Common common;
    std::string file, store, csv, plot, title, stiffness, loss;
    FrequencyUnit unit;
    std::optional<double> zeta0;
};

json mode_json(const ModalIwan& m) {
    return {{"Kinf", m.k_infinity}, {"zeta0", m.zeta0}, {"FS", m.FS}, {"KT", m.KT}, {"chi", m.chi}, {"beta", m.beta}};
}

json ring_json(const RingDown& ring) {
    json q = json::array(), omega = json::array(), zeta = json::array();
    for (const auto& p : ring.points) q.push_back(p.q), omega.push_back(p.omega), zeta.push_back(p.zeta);
    return {{"mode", ring.mode},
            {"place", ring.place},
            {"p", ring.p},
            {"q", q},
            {"omega", omega},
            {"zeta", zeta},
            {"energy_share", ring.energy_share},
            {"joint_reach", ring.joint_reach ? json(*ring.joint_reach) : json()},
            {"problem", ring.problem},
            {"energy_error", ring.energy_error}};
}

RingDown ring_of(const json& j) {
    RingDown ring{j.at("mode"),         j.at("place"),       j.at("p"),       {},
                  j.at("energy_share"), {}, j.at("problem"), j.at("energy_error")};
    if (!j.at("joint_reach").is_null()) ring.joint_reach = j.at("joint_reach").get<double>();
    for (std::size_t i = 0; i < j.at("q").size(); ++i)
        ring.points.push_back({j.at("q").at(i), j.at("omega").at(i), j.at("zeta").at(i)});
    return ring;
}

/// Finished runs as files in a folder, each written at once. Another study does not mix with them: its key differs.
RunStore folder_store(const std::string& folder, const std::string& key) {
    if (folder.empty()) return {};
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw core::BadInput(folder, "cannot be made: " + failed.message());
    const auto path = [=](const std::string& name) { return folder + "/" + name + ".json"; };
    return {[=](const std::string& name, std::vector<RingDown>& run) {
                if (!std::filesystem::exists(path(name))) return false;
                const json found = io::read_json(path(name));
                if (!found.is_object() || found.value("key", "") != key) return false;
                run.clear();
                try {
                    for (const auto& ring : found.at("rings")) run.push_back(ring_of(ring));
                } catch (const json::exception& error) {
                    throw core::BadInput(path(name), fmt::format("is damaged; remove it: {}", error.what()));
                }
                return true;
            },
            [=](const std::string& name, const std::vector<RingDown>& run) {
                json rings = json::array();
                for (const auto& ring : run) rings.push_back(ring_json(ring));
                io::write_file(path(name), json{{"key", key}, {"rings", rings}}.dump());
            }};
}

json fit_json(const IwanFit& fit) {
    return {{"parameters", mode_json(fit.mode)},  {"standard_errors", mode_json(fit.error)},
            {"start", mode_json(fit.start)},      {"omega_rms", fit.omega_rms},
            {"zeta_rms", fit.zeta_rms},           {"converged", fit.converged},
            {"macroslip_q", fit.mode.macroslip()}};
}

json result_json(const StudyResult& r) {
    json modes = json::array(), impacts = json::array(), comparisons = json::array();
    for (const auto& m : r.modes) {
        json selective = json::array(), model = json::array();
        for (const auto& ring : m.selective) selective.push_back(ring_json(ring));
        for (const auto& ring : m.model) model.push_back(ring_json(ring));
        json mode = {{"mode", m.mode},
                     {"omega0", m.omega0},
                     {"omega_infinity", m.omega_infinity},
                     {"model_difference", m.model_difference},
                     {"selective", selective},
                     {"model", model}};
        mode.update(fit_json(m.fit));
        modes.push_back(std::move(mode));
    }
    for (const auto& ring : r.impacts) impacts.push_back(ring_json(ring));
    for (const auto& c : r.comparisons)
        comparisons.push_back({{"mode", c.mode},
                               {"place", c.place},
                               {"p", c.p},
                               {"regime", name(c.regime)},
                               {"dominant", c.dominant},
                               {"mean_ratio", c.mean_ratio},
                               {"first_ratio", c.first_ratio},
                               {"last_ratio", c.last_ratio},
                               {"omega_difference", c.omega_difference}});
    return {{"modes", modes}, {"impacts", impacts}, {"comparisons", comparisons}};
}

void print_models(const std::vector<std::pair<std::string, IwanFit>>& modes) {
    fmt::print("Modal Iwan models (standard errors below)\n{:>5} {:>12} {:>12} {:>12} {:>12} {:>10} {:>10}\n", "mode",
               "Kinf", "zeta0", "FS", "KT", "chi", "beta");
    for (const auto& [name, fit] : modes)
        for (const auto* p : {&fit.mode, &fit.error})
            fmt::print("{:>5} {:12.6g} {:12.4g} {:12.5g} {:12.5g} {:10.4g} {:10.4g}\n", p == &fit.mode ? name : "+-",
                       p->k_infinity, p->zeta0, p->FS, p->KT, p->chi, p->beta);
}

void print(const StudyResult& r) {
    std::vector<std::pair<std::string, IwanFit>> modes;
    for (const auto& m : r.modes) modes.push_back({fmt::format("{}", m.mode), m.fit});
    print_models(modes);
    if (r.comparisons.empty()) return;
    fmt::print(
        "\nDamping under impacts: measured over modal Iwan model, at the same amplitude\n"
        "{:>5} {:>8} {:>12} {:>11} {:>9} {:>9} {:>9} {:>9}\n",
        "mode", "struck", "p", "regime", "dominant", "mean", "first", "last");
    for (const auto& c : r.comparisons)
        fmt::print("{:5} {:>8} {:12g} {:>11} {:>9} {:9.3f} {:9.3f} {:9.3f}\n", c.mode, c.place, c.p, name(c.regime),
                   c.dominant ? "yes" : "", c.mean_ratio, c.first_ratio, c.last_ratio);
}

/// The places struck, in their order.
std::vector<std::string> places_of(const StudyResult& r) {
    std::vector<std::string> places;
    for (const auto& ring : r.impacts)
        if (std::find(places.begin(), places.end(), ring.place) == places.end()) places.push_back(ring.place);
    return places;
}

void draw(const Options& o, const StudyResult& r) {
    io::Figure figure;
    figure.title = o.title.empty() ? "Modal Iwan models: " + o.file : o.title;
    for (const auto& m : r.modes) {
        io::Panel frequency{
            fmt::format("mode {}: frequency", m.mode), {"q / (m kg^(1/2))", true}, {o.unit.label()}, {}};
        io::Panel damping{fmt::format("mode {}: damping", m.mode), frequency.x, {"zeta", true}, {}};
        const auto add = [&](const std::string& label, const std::vector<RingDown>& rings, const std::string& place) {
            io::Curve w{label, {}, {}, {}}, z{label, {}, {}, {}};
            for (const auto& ring : rings) {
                if (ring.mode != m.mode || ring.place != place || ring.points.empty()) continue;
                for (const auto& p : ring.points)
                    w.x.push_back(p.q), w.y.push_back(o.unit.of(p.omega)), z.y.push_back(p.zeta);
                w.x.push_back(NAN), w.y.push_back(NAN), z.y.push_back(NAN);  // runs apart
            }
            z.x = w.x;
            frequency.curves.push_back(std::move(w));
            damping.curves.push_back(std::move(z));
        };
        add("mode alone", m.selective, "");
        add("modal Iwan model", m.model, "");
        for (const auto& place : places_of(r)) add("impact at " + place, r.impacts, place);
        figure.panels.push_back(std::move(frequency));
        figure.panels.push_back(std::move(damping));
    }
    io::write_file(o.plot, o.plot.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure));
}

void write_csv(const std::string& path, const StudyResult& r) {
    io::Table table{
        {"mode", "place", "p", "regime", "dominant", "mean_ratio", "first_ratio", "last_ratio", "omega_difference"},
        std::vector<std::vector<double>>(9)};
    const auto places = places_of(r);
    for (const auto& c : r.comparisons) {
        const auto place = double(std::find(places.begin(), places.end(), c.place) - places.begin() + 1);
        const double row[] = {double(c.mode), place,         c.p,          double(int(c.regime)), double(c.dominant),
                              c.mean_ratio,   c.first_ratio, c.last_ratio, c.omega_difference};
        for (std::size_t i = 0; i < 9; ++i) table.columns[i].push_back(row[i]);
    }
    io::write_csv(path, table);
}

FitOptions fit_options(const Options& o) {
    FitOptions fit;
    const auto choice = [](const char* option, const std::string& word, const char* first, const char* second) {
        if (!word.empty() && word != first && word != second)
            throw core::BadInput(option, fmt::format("'{}' is not known; allowed are {}, {}", word, first, second));
        return word != second;
    };
    fit.stiffness = choice("--stiffness", o.stiffness, "harmonic", "secant") ? Stiffness::harmonic : Stiffness::secant;
    fit.robust = choice("--loss", o.loss, "cauchy", "squares");
    if (o.zeta0 && !(*o.zeta0 > 0)) throw core::BadInput("--zeta0", "must be greater than 0");
    fit.zeta0 = o.zeta0.value_or(0);
    return fit;
}

/// The model of points that were measured.
void run_points(const Options& o) {
    if (!o.store.empty()) throw core::BadInput("--store", "goes with a study; points are fitted at once");
    const FitOptions options = fit_options(o);
    const PointsFit found = fit_points(o.file, options);
    if (!o.csv.empty()) write_points_csv(o.csv, found, options.stiffness);
    if (!o.plot.empty())
        draw_points(o.plot, o.title.empty() ? "Modal Iwan model: " + o.file : o.title, found, options.stiffness,
                    o.unit);
    o.common.report("modal-iwan", fit_json(found.fit), [&] {
        print_models({{"", found.fit}});
        fmt::print("{} points, off by {:.2g} % in omega and {:.2g} % in zeta (rms); macroslip from q = {:.4g}\n",
                   found.points.size(), 100 * found.fit.omega_rms, 100 * found.fit.zeta_rms,
                   found.fit.mode.macroslip());
    });
}

void run(const Options& o) {
    check_outputs(o.csv, o.plot);
    if (o.file.ends_with(".csv") || archive::is_archive(o.file)) return run_points(o);
    if (!o.stiffness.empty() || !o.loss.empty() || o.zeta0)
        throw core::BadInput("modal-iwan",
                             "--zeta0, --stiffness and --loss go with points; a study names them in [ring_down]");
    const auto file = files::read_modal_study(o.file);
    const auto model = files::read_model(file.model);
    const InterruptGuard interrupt;
    std::unique_ptr<core::Progress> progress;
    RunOptions options;
    options.threads = o.common.threads;
    options.store = folder_store(o.store, fingerprint(model) + file.text);
    options.progress = [&](std::size_t done, std::size_t total) {
        if (!progress) progress = std::make_unique<core::Progress>("ring-downs", total);
        progress->at(done);
        return !interrupt.raised();
    };
    StudyResult result;
    try {
        result = run_study(model, file.study, options);
    } catch (const Stopped&) {
        throw Interrupted(o.store.empty() ? "stopped; nothing was kept (--store keeps finished runs)"
                                          : "stopped; the same command goes on with the runs that are left");
    }
    progress.reset();
    if (!o.csv.empty()) write_csv(o.csv, result);
    if (!o.plot.empty()) draw(o, result);
    o.common.report("modal-iwan", result_json(result), [&] { print(result); });
}

}  // namespace

void add_modal_iwan(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* c = app.add_subcommand("modal-iwan", "Modal Iwan models from ring-downs, and their errors under impacts");
    c->footer(
        "Examples:\n"
        "  faying modal-iwan examples/three_masses/modal_iwan.toml --store runs --plot modal_iwan.html\n"
        "  faying envelope hit*.csv --band 140:180 --out backbone.h5 && faying modal-iwan backbone.h5");
    c->add_option(
         "study", o->file,
         "study file (TOML): model, levels of each mode, impacts; or measured points (.csv, .h5, .mat: q or amplitude, "
         "omega, zeta), to which one model is fitted")
        ->required();
    c->add_option("--zeta0", o->zeta0, "points: damping without friction, known and held (default: fitted)");
    c->add_option("--stiffness", o->stiffness, "points: harmonic (default) or secant, as [S2] Eq. 8");
    c->add_option("--loss", o->loss, "points: cauchy (default: outliers hardly count) or squares");
    c->add_option("--store", o->store, "folder for finished runs; the same command takes them up again");
    c->add_option("--csv", o->csv,
                  "write the table of impacts to this file (regime: 0 micro, 1 transition, 2 macroslip, 3 unknown)");
    add_unit(*c, o->unit);
    c->add_option("--plot", o->plot, "write an interactive page (.html) or a picture (.svg)");
    c->add_option("--title", o->title, "title of the plot");
    add_common(*c, o->common);
    c->callback([o] { run(*o); });
}

}  // namespace faying::app
