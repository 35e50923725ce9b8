// faying sice: a structure that bends far condensed onto one mode, by static points and exactly.

#include "faying/core/error.hpp"
#include "faying/io/file.hpp"
#include "geometric.hpp"

namespace faying::app {

namespace {

struct SiceOptions : GeometricWords {
    std::string orders;
    geometric::SiceOptions sice;
    std::vector<int> modes, place;
    std::string control = "amplitude";
    std::string out;
};

/// Several modes together: exact coefficients, no static points.
void run_coupled(const SiceOptions& o) {
    if (!o.orders.empty() || !o.request.amplitudes.empty() || !o.files.csv.empty() || !o.files.plot.empty())
        throw core::BadInput("--modes",
                             "takes --taylor and --out; --orders, --at, --range, --csv and --plot belong to one mode");
    if (!o.out.empty()) io::check_writable(o.out);
    show_geometric(o, "sice", [&](core::Stages& stages) {
        auto run = results::coupled_sice(o.request, o.modes, o.sice.taylor, stages);
        if (!o.out.empty() && sparse::rank() == 0) io::write_file(o.out, results::model_text(run));
        return run;
    });
}

}  // namespace

void add_sice(CLI::App& app) {
    const auto [command, o] = add_command<SiceOptions>(
        app, "sice", "A structure that bends far condensed onto one mode: static points, fitted and exact polynomials",
        "Example:\n  faying sice strip.inp --mode 1 --orders 2:7 --range 1.8e-3\n"
        "  faying sice strip.inp --taylor 9 --json\n"
        "  faying sice strip.inp --control load --at 100,200,400\n"
        "  faying sice arch.inp --control arc-length --range -2e-2:2e-2:41\n"
        "  faying sice strip.inp --modes 1,3 --taylor 5 --out modes.toml ; faying nnm modes.toml --range 2e-3");
    add_geometric(*command, *o, "q = phi^T M (u - u0)");
    command
        ->add_option("--control", o->control,
                     "what --at and --range are: amplitude (default), load alpha, displacement from rest (with "
                     "--node), arc-length of (q, alpha/omega^2) from rest")
        ->check(CLI::IsMember({"amplitude", "load", "displacement", "arc-length"}));
    command
        ->add_option("--node", o->place,
                     "of --control displacement: LABEL,DIRECTION of a node; of a model file a degree of freedom")
        ->delimiter(',');
    command->add_option("--orders", o->orders, "polynomials fitted to the points, LO:HI (default 2:7)");
    command->add_option("--taylor", o->sice.taylor, "exact coefficients up to this order, without any points")
        ->check(CLI::Range(1, 25));
    command
        ->add_option("--modes", o->modes,
                     "condensed onto two or three modes together, exactly to the order of --taylor")
        ->delimiter(',')
        ->check(CLI::PositiveNumber);
    command->add_option("--out", o->out,
                        "with --modes: write the modal coordinates and their coupling as a model file (.toml)");
    runs(*command, o, [](SiceOptions& o) {
        if (o.modes.empty() && !o.out.empty()) throw core::BadInput("--out", "needs --modes");
        o.sice.held_by = core::named(results::controls, o.control, "--control");
        results::read_orders(o.orders, "--orders", o.sice);
        complete(o, true);
        if (!o.modes.empty()) return run_coupled(o);
        show_geometric(o, "sice",
                       [&](core::Stages& stages) { return results::sice(o.request, o.sice, stages, o.place); });
    });
}

}  // namespace faying::app
