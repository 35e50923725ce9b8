// faying ignl: friction beside geometric stiffness, frequency and damping against amplitude.

#include "faying/core/error.hpp"
#include "geometric.hpp"

namespace faying::app {

namespace {

struct IgnlOptions : GeometricWords {
    geometric::IgnlOptions ignl;
    results::IgnlChoice choice;
    bool no_loops = false;
    std::string formula = "tangent";
};

}  // namespace

void add_ignl(CLI::App& app) {
    const auto [command, o] = add_command<IgnlOptions>(
        app, "ignl", "Friction beside geometric stiffness: frequency and damping against amplitude, loops traced",
        "Example:\n  faying ignl examples/panel/sdof.toml --at 1e-4,1e-3,4e-3\n"
        "  faying ignl examples/panel/panel.toml --range 1.8e-4:3.6e-3:20 --plot panel.html");
    add_geometric(*command, *o, "q = phi^T M (u - u0)");
    command->add_option("--order", o->ignl.order, "of the polynomial fitted to the stuck curve (default 7)")
        ->check(CLI::Range(3, 9));
    command
        ->add_option("--formula", o->formula, "damping in the table: tangent (default), or eq32 of [S1]; JSON has both")
        ->check(CLI::IsMember({"tangent", "eq32"}));
    command->add_flag("--no-loops", o->no_loops, "only Masing's rule; refused where both sides disagree");
    command->add_option("--loop-steps", o->ignl.loop_steps, "steps from 0 to q of a traced loop (default 20)")
        ->check(CLI::Range(1, 100000));
    command->add_option("--grid", o->ignl.grid, "points of the static curves on each side (default: 40 on a mesh)")
        ->check(CLI::Range(2, 100000));
    command->add_flag("--iwan", o->choice.iwan, "an Iwan model of four parameters fitted to the friction, +q side");
    command->add_flag("--curves", o->choice.curves, "put the static curves into the JSON too");
    runs(*command, o, [](IgnlOptions& o) {
        if (o.at.empty() && o.range.empty())
            throw core::BadInput("ignl", "give amplitudes: --at q1,q2,.. or --range LO:HI:N");
        complete(o, false);
        o.ignl.loops = !o.no_loops;
        o.choice.eq32 = o.formula == "eq32";
        show_geometric(o, "ignl",
                       [&](core::Stages& stages) { return results::ignl(o.request, o.ignl, o.choice, stages); });
    });
}

}  // namespace faying::app
