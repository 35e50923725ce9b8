// faying identify: the parameters of laws from measured loops.

#include "faying/results/identify.hpp"

#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/results/loops.hpp"
#include "show.hpp"

namespace faying::app {

namespace {

struct IdentifyOptions {
    Common common;
    io::OutputFiles files;
    results::IdentifyRequest request;
    std::string law;
    std::vector<std::string> compared, fixed, start;
    CLI::Option *cut = nullptr, *stride = nullptr;
};

void run_identify(IdentifyOptions& o) {
    o.files.check();
    auto& r = o.request;
    auto& identify = r.options;
    r.laws = results::chosen_laws("identify", o.law, o.compared);
    if (identify.branch.form != fit::LoopForm::differences && *o.stride)
        throw core::BadInput("--stride", "is of --form differences");
    if (identify.branch.form == fit::LoopForm::integral && *o.cut)
        throw core::BadInput("--cut", "is of --form differences or spline; the integral form uses whole branches");
    identify.fixed = core::parse_parameters("--fix", o.fixed);
    identify.start = core::parse_parameters("--start", o.start);
    identify.threads = o.common.threads;
    const bool one = o.compared.empty();
    const auto finish = [&](const auto& found) {
        show(o.common, o.files, "identify", found);
        found.require_converged();  // what there is has been shown, and is marked
    };
    const auto searched = [&](const auto& work) {
        return with_progress("identify " + (one ? o.law : "laws"), 1000, [&](const auto& done) {
            identify.progress = [&](double share) { done(std::size_t(1000 * share)); };
            return work();
        });
    };
    if (one)
        finish(searched([&] { return results::identify_law(r); }));
    else
        finish(searched([&] { return results::compare_laws(r); }));
}

}  // namespace

void add_identify(CLI::App& app) {
    const auto [command, o] = add_command<IdentifyOptions>(
        app, "identify", "Parameters of laws from measured loops",
        "Examples:\n"
        "  faying identify loop.csv --law iwan4 --plot fit.html\n"
        "  faying identify loop.csv --law bouc-wen --free n --fix beta=0\n"
        "  faying identify loop.csv --law generalized-valanis --terms auto --symmetric\n"
        "  faying identify 10um.csv 40um.csv --hold-out 20um.csv --compare iwan4 bouc-wen valanis --plot laws.html\n"
        "A record may begin with the virgin curve or be a steady loop: both are tried, the one of less misfit is "
        "taken\n"
        "and the answer says what the other gave. --memory virgin or steady decides.");
    auto& identify = o->request.options;
    command
        ->add_option(
            "files", o->request.files,
            "text, .h5 or .mat with columns u and f (and t, for laws that need it); several are fitted together")
        ->required();
    command->add_option("--law", o->law, "law, or sum of laws such as iwan4+kp (faying laws lists them)");
    command->add_option("--compare", o->compared,
                        "several laws from the same loops: misfit, error of loops held out, AIC, BIC, best first");
    command->add_option("--hold-out", o->request.held_out, "loops that are not fitted, only predicted");
    command->add_option("--fix", o->fixed, "hold parameters: key=value ..")->delimiter(',');
    command->add_option("--free", identify.free, "find these too, which have defaults")->delimiter(',');
    command->add_option("--start", o->start, "start from here instead of what the loop suggests: key=value ..")
        ->delimiter(',');
    add_choice(*command, "--memory", identify.memory, results::memories,
               "what was before the record: auto (try both), virgin or steady");
    command->add_option("--passes", identify.passes, "times a steady loop is run through before it is compared");
    command->add_option("--iterations", identify.iterations, "most iterations");
    command
        ->add_option("--terms", identify.branch.terms,
                     "generalized-valanis: terms of P (default a1), or auto: chosen by cross-validation")
        ->delimiter(',');
    command->add_flag("--symmetric", identify.branch.symmetric,
                      "generalized-valanis: one set for both directions instead of one each");
    add_choice(*command, "--form", identify.branch.form, results::loop_forms,
               "generalized-valanis: integral (default; no derivatives), spline (slopes of a smoothing spline) or "
               "differences");
    o->cut = command->add_option("--cut", identify.branch.cut,
                                 "generalized-valanis: leave out points slower than this share of the greatest speed");
    o->stride = command->add_option("--stride", identify.branch.stride,
                                    "generalized-valanis: samples either way that a slope is differenced over");
    command->add_flag("--refine", identify.refine, "generalized-valanis: least squares of the force afterwards");
    add_outputs(*command, o->files, "write measured and modelled loop to this file");
    runs(*command, o, run_identify);
}

}  // namespace faying::app
