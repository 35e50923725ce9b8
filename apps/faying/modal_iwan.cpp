// faying modal-iwan: modal Iwan models from selective ring-downs, and how they fare under impacts ([S2] 2.3).

#include "faying/results/modal_iwan.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"
#include "faying/core/names.hpp"
#include "faying/files/modal_study.hpp"
#include "faying/files/model.hpp"
#include "faying/structure/fingerprint.hpp"
#include "interrupt.hpp"
#include "show.hpp"

namespace faying::app {

namespace {

struct Options {
    Common common;
    io::OutputFiles files;
    std::string file, store, stiffness, loss;
    core::FrequencyUnit unit;
    std::optional<double> zeta0;
};

modal::FitOptions fit_options(const Options& o) {
    modal::FitOptions fit;
    constexpr core::Names<modal::Stiffness, 2> stiffnesses{
        {{"harmonic", modal::Stiffness::harmonic}, {"secant", modal::Stiffness::secant}}};
    constexpr core::Names<bool, 2> robust{{{"cauchy", true}, {"squares", false}}};
    if (!o.stiffness.empty()) fit.stiffness = core::named(stiffnesses, o.stiffness, "--stiffness");
    if (!o.loss.empty()) fit.robust = core::named(robust, o.loss, "--loss");
    if (o.zeta0 && !(*o.zeta0 > 0)) throw core::BadInput("--zeta0", "must be greater than 0");
    fit.zeta0 = o.zeta0.value_or(0);
    return fit;
}

modal::StudyResult run_study(const Options& o) {
    const auto file = files::read_modal_study(o.file);
    const auto model = files::read_model(file.model);
    const InterruptGuard interrupt;
    std::unique_ptr<core::Progress> progress;
    modal::RunOptions options;
    options.threads = o.common.threads;
    options.store = results::folder_store(o.store, structure::fingerprint(model) + file.text);
    options.progress = [&](std::size_t done, std::size_t total) {
        if (!progress) progress = std::make_unique<core::Progress>("ring-downs", total);
        progress->at(done);
        return !interrupt.raised();
    };
    try {
        return modal::run_study(model, file.study, options);
    } catch (const modal::Stopped&) {
        throw Interrupted(o.store.empty() ? "stopped; nothing was kept (--store keeps finished runs)"
                                          : "stopped; the same command goes on with the runs that are left");
    }
}

void run(const Options& o) {
    o.files.check();
    if (o.file.ends_with(".csv") || archive::is_archive(o.file)) {  // points that were measured
        if (!o.store.empty()) throw core::BadInput("--store", "goes with a study; points are fitted at once");
        auto found = results::fit_points(o.file, fit_options(o));
        found.unit = o.unit;
        return show(o.common, o.files, "modal-iwan", found);
    }
    if (!o.stiffness.empty() || !o.loss.empty() || o.zeta0)
        throw core::BadInput("modal-iwan",
                             "--zeta0, --stiffness and --loss go with points; a study names them in [ring_down]");
    show(o.common, o.files, "modal-iwan", results::IwanStudy{o.file, run_study(o), o.unit});
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
    c->add_option("--csv", o->files.csv,
                  "write the table of impacts to this file (regime: 0 micro, 1 transition, 2 macroslip, 3 unknown)");
    add_unit(*c, o->unit);
    add_outputs(*c, o->files, nullptr);
    add_common(*c, o->common);
    c->callback([o] { run(*o); });
}

}  // namespace faying::app
