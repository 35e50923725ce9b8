// faying modal-fit: oscillators with any law fitted to a measured backbone, and ranked.

#include "faying/results/modal_fit.hpp"

#include "faying/core/words.hpp"
#include "faying/results/loops.hpp"
#include "show.hpp"

namespace faying::app {

namespace {

struct ModalFitOptions {
    Common common;
    io::OutputFiles files;
    results::ModalFitRequest request;
    std::string law, terms;
    std::vector<std::string> compared, fixed;
    core::FrequencyUnit unit;
};

void run_modal_fit(ModalFitOptions& o) {
    o.files.check();
    auto& r = o.request;
    const auto with_terms = [&](std::string law) {
        return law + (!o.terms.empty() && law.ends_with("polynomial") ? " " + o.terms : "");
    };
    for (auto& law : o.compared) law = with_terms(law);
    r.laws = results::chosen_laws("modal-fit", with_terms(o.law), o.compared);
    r.options.fixed = core::parse_parameters("--fix", o.fixed);
    r.options.threads = o.common.threads;
    auto found = with_progress("modal-fit", r.laws.size(), [&](const auto& done) {
        r.options.progress = done;
        return results::modal_fit(r);
    });
    found.unit = o.unit;
    show(o.common, o.files, "modal-fit", found);
    found.require_converged();
}

}  // namespace

void add_modal_fit(CLI::App& app) {
    const auto [c, o] = add_command<ModalFitOptions>(
        app, "modal-fit", "Oscillators with any law fitted to a measured backbone, and ranked",
        "Examples:\n"
        "  faying envelope hit*.csv --band 70:90 --out backbone.h5 && faying modal-fit backbone.h5 --law iwan4\n"
        "  faying modal-fit backbone.csv --compare iwan4 bouc-wen valanis jenkins \"iwan4+polynomial k3,k5\" --plot "
        "laws.html\n"
        "Laws: any of one displacement (faying laws), sums of them, and beside them \"+polynomial k3,k5\": odd springs "
        "that harden or soften.\nRanked by the error of points that a fit has not seen.");
    c->add_option("points", o->request.file,
                  "backbone (.csv, .h5, .mat): amplitude, omega (rad/s) or frequency (Hz), zeta and, if known, their "
                  "bounds, as faying envelope --out writes it")
        ->required();
    c->add_option("--law", o->law, "law of the oscillator, such as iwan4 or \"iwan4+polynomial k3\"");
    c->add_option("--compare", o->compared, "more laws, to be ranked with it");
    c->add_option("--terms", o->terms, "of polynomials that name none: k3,k5 (default), k3, ..");
    c->add_option("--mode", o->request.mode, "mode of the file, where it has several")->check(CLI::Range(1, 1000000));
    add_choice(*c, "--curves", o->request.options.curves, results::oscillator_curves,
               "backbone of the oscillator: harmonic (default; of the fundamental), quasi-static (secant), simulated "
               "(its own ring-down, enveloped)");
    c->add_option("--fix", o->fixed, "hold parameters of the law, in the units of the data: key=value ..")
        ->delimiter(',');
    c->add_option("--folds", o->request.options.folds, "parts of which each is held out once (default 5; 0: none)");
    c->add_option("--starts", o->request.options.starts, "starting values that are tried (default 150)");
    add_unit(*c, o->unit);
    add_outputs(*c, o->files, "write the points, measured and fitted, to this file");
    runs(*c, o, run_modal_fit);
}

}  // namespace faying::app
