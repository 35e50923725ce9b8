// faying modal-iwan: modal Iwan models from selective ring-downs, and how they fare under impacts ([S2] 2.3).

#include "faying/results/modal_iwan.hpp"

#include <memory>

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"
#include "show.hpp"

namespace faying::app {

namespace {

struct ModalIwanOptions {
    Common common;
    io::OutputFiles files;
    std::string file, store;
    core::FrequencyUnit unit;
    modal::FitOptions fit;
    std::vector<CLI::Option*> of_points;  ///< that go with points only
};

results::IwanStudy simulated(const ModalIwanOptions& o) {
    const InterruptGuard interrupt;
    std::unique_ptr<core::Progress> progress;
    modal::RunOptions options{.threads = o.common.threads};
    options.progress = [&](std::size_t done, std::size_t total) {
        if (!progress) progress = std::make_unique<core::Progress>("ring-downs", total);
        progress->at(done);
        return !interrupt.raised();
    };
    return results::iwan_study(o.file, o.store, options);
}

void run_modal_iwan(const ModalIwanOptions& o) {
    o.files.check();
    if (o.file.ends_with(".csv") || archive::is_archive(o.file)) {  // points that were measured
        if (!o.store.empty()) throw core::BadInput("--store", "goes with a study; points are fitted at once");
        auto found = results::fit_points(o.file, o.fit);
        found.unit = o.unit;
        return show(o.common, o.files, "modal-iwan", found);
    }
    if (std::any_of(o.of_points.begin(), o.of_points.end(), [](const auto* option) { return option->count() > 0; }))
        throw core::BadInput("modal-iwan",
                             "--zeta0, --stiffness and --loss go with points; a study names them in [ring_down]");
    auto made = simulated(o);
    made.unit = o.unit;
    show(o.common, o.files, "modal-iwan", made);
}

}  // namespace

void add_modal_iwan(CLI::App& app) {
    const auto [c, o] = add_command<ModalIwanOptions>(
        app, "modal-iwan", "Modal Iwan models from ring-downs, and their errors under impacts",
        "Examples:\n"
        "  faying modal-iwan examples/three_masses/modal_iwan.toml --store runs --plot modal_iwan.html\n"
        "  faying envelope hit*.csv --band 140:180 --out backbone.h5 && faying modal-iwan backbone.h5");
    c->add_option(
         "study", o->file,
         "study file (TOML): model, levels of each mode, impacts; or measured points (.csv, .h5, .mat: q or amplitude, "
         "omega, zeta), to which one model is fitted")
        ->required();
    o->of_points = {
        c->add_option("--zeta0", o->fit.zeta0, "points: damping without friction, known and held (default: fitted)")
            ->check(above_zero),
        add_choice(*c, "--stiffness", o->fit.stiffness, results::stiffnesses,
                   "points: harmonic (default) or secant, as [S2] Eq. 8"),
        add_choice(*c, "--loss", o->fit.robust, results::robust_losses,
                   "points: cauchy (default: outliers hardly count) or squares")};
    c->add_option("--store", o->store, "folder for finished runs; the same command takes them up again");
    c->add_option("--csv", o->files.csv,
                  "write the table of impacts to this file (regime: 0 micro, 1 transition, 2 macroslip, 3 unknown)");
    add_unit(*c, o->unit);
    add_outputs(*c, o->files, nullptr);
    runs(*c, o, run_modal_iwan);
}

}  // namespace faying::app
