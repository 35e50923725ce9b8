// faying nnm: nonlinear normal modes of a conservative structure.

#include "geometric.hpp"

namespace faying::app {

namespace {

struct NnmOptions : GeometricWords {
    std::string method = "auto";
    results::NnmChoice choice;
};

}  // namespace

void add_nnm(CLI::App& app) {
    const auto [command, o] = add_command<NnmOptions>(
        app, "nnm", "Nonlinear normal modes: free motion of a polynomial, a model or a whole mesh against amplitude",
        "Example:\n  faying nnm strip.inp --mode 1 --at 2e-4,1e-3 --harmonics 9 --order 7\n"
        "  faying nnm duffing.toml --at 1e-3 --json");
    add_geometric(
        *command, *o,
        "(q+ where rest is reached, by quadrature and shooting; phi^T M U_1 of the first harmonic by harmonic "
        "balance)");
    command
        ->add_option(
            "--method", o->method,
            "auto (quadrature for one degree of freedom, else harmonic-balance), quadrature, harmonic-balance, "
            "shooting (small models; with stability)")
        ->check(CLI::IsMember({"auto", "quadrature", "harmonic-balance", "shooting"}));
    command->add_option("--harmonics", o->choice.harmonics, "highest harmonic (default 9)")->check(CLI::Range(1, 99));
    command
        ->add_option("--order", o->choice.order,
                     "beside it the mode condensed to a polynomial of this order, and its error")
        ->check(CLI::Range(2, 15));
    command
        ->add_option(
            "--stability", o->choice.stability,
            "of a mesh: multipliers of disturbances in so many of its lowest modes (small models: always, all)")
        ->check(CLI::Range(1, 200));
    command->add_flag("--shapes", o->choice.shapes, "put the motion of every degree of freedom into the JSON too");
    runs(*command, o, [](NnmOptions& o) {
        complete(o, false);
        o.choice.method = core::named(results::nnm_methods, o.method, "--method");
        show_geometric(o, "nnm", [&](core::Stages& stages) { return results::nnm(o.request, o.choice, stages); });
    });
}

}  // namespace faying::app
