// faying sice: a structure that bends far condensed onto one mode, by static points and exactly.

#include "geometric.hpp"

namespace faying::app {

namespace {

struct Options : GeometricWords {
    std::string orders;
    geometric::SiceOptions sice;
};

}  // namespace

void add_sice(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand(
        "sice", "A structure that bends far condensed onto one mode: static points, fitted and exact polynomials");
    command->footer(
        "Example:\n  faying sice strip.inp --mode 1 --orders 2:7 --range 1.8e-3\n"
        "  faying sice strip.inp --taylor 9 --json");
    add_geometric(*command, *o, "q = phi^T M (u - u0)");
    command->add_option("--orders", o->orders, "polynomials fitted to the points, LO:HI (default 2:7)");
    command->add_option("--taylor", o->sice.taylor, "exact coefficients up to this order, without any points")
        ->check(CLI::Range(1, 25));
    command->callback([o] {
        results::read_orders(o->orders, "--orders", o->sice);
        complete(*o, true);
        show_geometric(*o, "sice", [&](core::Stages& stages) { return results::sice(o->request, o->sice, stages); });
    });
}

}  // namespace faying::app
