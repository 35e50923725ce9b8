// faying identify: the parameters of a law from a measured loop.

#include "faying/results/identify.hpp"

#include <memory>

#include "faying/core/words.hpp"
#include "show.hpp"

namespace faying::app {

namespace {

struct Options {
    Common common;
    io::OutputFiles files;
    std::string file, law, memory = "auto";
    std::vector<std::string> fixed, start;
    fit::IdentifyOptions identify;
};

void run(Options& o) {
    o.files.check();
    o.identify.memory = core::named(results::memories, o.memory, "--memory");
    o.identify.fixed = core::parse_parameters("--fix", o.fixed);
    o.identify.start = core::parse_parameters("--start", o.start);
    o.identify.threads = o.common.threads;
    const auto found = with_progress("identify " + o.law, 1000, [&](const auto& done) {
        o.identify.progress = [&](double share) { done(std::size_t(1000 * share)); };
        return results::identify_law(o.file, o.law, o.identify);
    });
    show(o.common, o.files, "identify", found);
    found.require_converged();  // what there is has been shown, and is marked
}

}  // namespace

void add_identify(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand("identify", "Parameters of a law from a measured loop");
    command->footer(
        "Examples:\n"
        "  faying identify loop.csv --law iwan4 --plot fit.html\n"
        "  faying identify loop.csv --law bouc-wen --free n --fix beta=0\n"
        "  faying identify loop.csv --law generalized-valanis --terms a1,a6 --symmetric\n"
        "A record may begin with the virgin curve or be a steady loop: both are tried, the one of less misfit is "
        "taken\n"
        "and the answer says what the other gave. --memory virgin or steady decides.");
    command->add_option("file", o->file, "text, .h5 or .mat with columns u and f (and t, for laws that need it)")
        ->required();
    command->add_option("--law", o->law, "law, or sum of laws such as iwan4+kp (faying laws lists them)")->required();
    command->add_option("--fix", o->fixed, "hold parameters: key=value ..")->delimiter(',');
    command->add_option("--free", o->identify.free, "find these too, which have defaults")->delimiter(',');
    command->add_option("--start", o->start, "start from here instead of what the loop suggests: key=value ..")
        ->delimiter(',');
    command->add_option("--memory", o->memory, "what was before the record: auto (try both), virgin or steady");
    command->add_option("--passes", o->identify.passes, "times a steady loop is run through before it is compared");
    command->add_option("--iterations", o->identify.iterations, "most iterations");
    command->add_option("--terms", o->identify.branch.terms, "generalized-valanis: terms of P (default a1)")
        ->delimiter(',');
    command->add_flag("--symmetric", o->identify.branch.symmetric,
                      "generalized-valanis: one set for both directions instead of one each");
    command->add_option("--cut", o->identify.branch.cut,
                        "generalized-valanis: leave out points slower than this share of the greatest speed");
    command->add_option("--stride", o->identify.branch.stride,
                        "generalized-valanis: samples either way that a slope is differenced over");
    command->add_flag("--refine", o->identify.refine, "generalized-valanis: least squares of the force afterwards");
    add_outputs(*command, o->files, "write measured and modelled loop to this file");
    add_common(*command, o->common);
    command->callback([o] { run(*o); });
}

}  // namespace faying::app
