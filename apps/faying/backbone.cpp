// faying backbone: frequency and damping of a nonlinear mode against amplitude.

#include "faying/results/backbone.hpp"

#include <fmt/format.h>

#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/files/model.hpp"
#include "faying/results/harmonic.hpp"
#include "show.hpp"

namespace faying::app {

namespace {

struct BackboneOptions {
    Common common;
    io::OutputFiles files;
    std::string amplitudes, at;
    std::string method = "rqnma", amplitude = "modal";
    bool trace = false;
    results::BackboneRequest request;
    HarmonicWords harmonics;
};

/// Nonlinear modes by harmonic balance.
void run_epmc(const BackboneOptions& o, const structure::Model& model) {
    if (o.trace) throw core::BadInput("--trace", "does not go with --method epmc");
    const auto harmonics = results::parse_harmonics(o.harmonics.orders, o.harmonics.samples);
    const auto run = results::epmc(model, results::epmc_request(o.request, harmonics));
    show(o.common, o.files, "backbone", run);
    run.require_converged();
}

}  // namespace

void add_backbone(CLI::App& app) {
    const auto [command, o] = add_command<BackboneOptions>(
        app, "backbone", "Frequency and damping of a nonlinear mode against amplitude (RQNMA)",
        "Example:\n  faying backbone examples/three_masses/model.toml --mode 2 --amplitudes 0.1:200:40 --plot "
        "backbone.html");
    command->add_option("model", o->request.name, "model file (TOML)")->required();
    command->add_option("--mode", o->request.mode, "which mode, by frequency about the preload, from 1");
    command->add_option("--amplitudes", o->amplitudes, "amplitudes LO:HI:N, log spaced");
    command->add_option("--at", o->at, "or these: q1,q2,..");
    command
        ->add_option(
            "--method", o->method,
            "rqnma (amplitude on the sphere d^T M d = q^2), qsma (load M phi), or epmc (harmonic balance; q is "
            "the mass norm of the first harmonic)")
        ->check(CLI::IsMember({"rqnma", "qsma", "epmc"}));
    add_harmonics(*command, o->harmonics);
    add_choice(*command, "--framework", o->request.framework, modes::frameworks,
               "masing or loops (default: masing where every law allows it)");
    add_choice(*command, "--dissipation", o->request.dissipation, modes::dissipations,
               "local or modal (default: local where it is known)");
    add_friction(*command, o->request.prestress);
    add_unit(*command, o->request.unit);
    command->add_option("--loops", o->request.most_loops, "most loops at one amplitude")->check(above_zero);
    command->add_flag("--trace", o->trace, "repeat loops until damping settles; do not solve for the closed loop");
    command->add_flag("--folds", o->request.folds,
                      "where the branch turns back in q, all its points at an amplitude, along the branch");
    command
        ->add_option("--quadrature", o->request.quadrature,
                     "Lobatto points per half loop, modal dissipation and contact")
        ->check(CLI::Range(4, 200));
    command->add_option("--output", o->request.output,
                        "also give displacement and acceleration at this output of the model");
    command
        ->add_option(
            "--amplitude-of", o->amplitude,
            "what --amplitudes and --at give: modal q, or displacement / m or acceleration / (m/s^2) of --output")
        ->check(CLI::IsMember({"modal", "displacement", "acceleration"}));
    command->add_flag("--derivatives", o->request.derivatives,
                      "of omega and zeta to every law parameter (with --json)");
    add_outputs(*command, o->files, "write the points to this file");
    runs(*command, o, [](BackboneOptions& o) {
        if (o.amplitudes.empty() == o.at.empty())
            throw core::BadInput("backbone", "give either --amplitudes LO:HI:N or --at q1,q2,..");
        auto& r = o.request;
        if (o.amplitude != "modal" && r.output.empty())
            throw core::BadInput("--amplitude-of", fmt::format("{} needs --output, whose it is", o.amplitude));
        if (r.folds && (o.amplitude != "modal" || o.method == "epmc"))
            throw core::BadInput("--folds", "goes with modal amplitudes, by rqnma or qsma");
        o.files.check();
        r.amplitudes =
            o.at.empty() ? core::log_spaced(o.amplitudes, "--amplitudes") : core::parse_numbers(o.at, "--at");
        const auto model = files::read_model(o.request.name);
        if (!r.output.empty()) structure::find_output(model, r.output);
        if (o.amplitude != "modal") r.amplitude_of = core::named(modes::quantities, o.amplitude, "--amplitude-of");
        if (o.method == "epmc") return run_epmc(o, model);
        if (o.harmonics.given()) throw core::BadInput("backbone", "--harmonics and --samples go with --method epmc");
        r.method = core::named(modes::methods, o.method, "--method");
        r.close_loops = !o.trace;
        const auto run = results::backbone(model, r);
        show(o.common, o.files, "backbone", run);
        run.require_converged();
    });
}

}  // namespace faying::app
