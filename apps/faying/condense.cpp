// faying condense: a network of many sliders as a law of few states, and what is lost.

#include <fmt/format.h>

#include <memory>

#include "faying/core/error.hpp"
#include "faying/core/words.hpp"
#include "faying/io/file.hpp"
#include "faying/network/network_file.hpp"
#include "faying/results/network.hpp"
#include "show.hpp"

namespace faying::app {

namespace {

struct CondenseOptions {
    Common common;
    results::CondenseRequest request;
    std::string file, out, set, basis, fit, curve, plot;
};

void settle(CondenseOptions& o) {
    using network::Basis, network::FitOf, network::Set;
    auto& condense = o.request.condense;
    if (!o.set.empty())
        condense.set = network::chosen("--set", o.set, {Set::box, Set::polytope, Set::ellipsoid});
    else if (!o.basis.empty() || !o.fit.empty())
        condense.set = Set::ellipsoid;
    if (condense.set != Set::ellipsoid && (!o.basis.empty() || !o.fit.empty()))
        throw core::BadInput("--set", fmt::format("a {} has neither --basis nor --fit: they belong to --set ellipsoid",
                                                  network::name_of(condense.set)));
    if (condense.set != Set::polytope && condense.facets != 0)
        throw core::BadInput("--facets", "belongs to --set polytope");
    if (!o.basis.empty())
        condense.basis = network::chosen("--basis", o.basis, {Basis::svd, Basis::reversal, Basis::greedy});
    if (!o.fit.empty()) condense.fit = network::chosen("--fit", o.fit, {FitOf::relative, FitOf::absolute});
    condense.check();
    if (!o.out.empty() && !o.out.ends_with(".toml"))
        throw core::BadInput("--out", fmt::format("'{}' must end in .toml: that is how a law file is known", o.out));
    if (!o.curve.empty()) o.request.curve = core::parse_whole_pair(o.curve, "--curve", 1, 40);
    io::OutputFiles{"", o.plot}.check();
    if (!o.out.empty()) io::check_writable(o.out);
}

void run_condense(CondenseOptions& o) {
    settle(o);
    const auto net = network::read_network(o.file);
    std::unique_ptr<core::Progress> progress;
    std::string counted;
    const auto small =
        results::condense_network(net, o.request, [&](const char* what, std::size_t done, std::size_t of) {
            if (what != counted) progress.reset();
            if (!progress) progress = std::make_unique<core::Progress>(counted = what, of);
            progress->at(done);
        });
    progress.reset();
    if (!o.out.empty()) io::write_file(o.out, law_text(small));
    if (!o.plot.empty()) io::write_file(o.plot, io::figure_text(o.plot, figure(small)));
    auto result = json(small);
    if (!o.out.empty()) result["out"] = o.out;
    o.common.report("condense", result, [&] { return text(small); });
    small.require_converged();
}

}  // namespace

void add_condense(CLI::App& app) {
    const auto [command, o] = add_command<CondenseOptions>(
        app, "condense", "A network of many sliders as a law of few states, with its errors",
        "Examples:\n"
        "  faying condense net.toml --states 6 --out law.toml\n"
        "  faying condense net.toml --states 6 --set box --out law.toml\n"
        "  faying loop law.toml --path 0,1,-0.5,0.7\n"
        "  faying condense net.toml --states 6 --basis reversal --fit relative      # [S3] 2.3: one ellipsoid\n"
        "  faying condense net.toml --states 6 --test \"sin(t)+1.5*sin(pi*t)\" --test \"3*sin(t)+sin(4.16753*t)\"\n"
        "  faying condense net.toml --states 6 --curve 1:12 --plot error.html --rival iwan4+kp --rival bouc-wen+kp");
    command->add_option("file", o->file, "network file (.toml)")->required();
    command->add_option("--states", o->request.condense.states, "hidden states of the law, m")
        ->required()
        ->check(CLI::Range(1, 40));
    command->add_option("--out", o->out, "write the law to this file (.toml), which stands wherever a law's name does");
    command->add_option(
        "--set", o->set,
        "polytope (default: m sliders with cut corners), box (m sliders joined by springs) or ellipsoid ([S3] 2.3)");
    command->add_option("--facets", o->request.condense.facets,
                        "of the polytope, pairs of them (default: 6 per state, at most 40)");
    command->add_option("--basis", o->basis, "of the ellipsoid: svd (default), reversal or greedy");
    command->add_option("--fit", o->fit, "of the ellipsoid: relative (default) or absolute");
    command->add_option("--load", o->request.condense.load,
                        "largest load the law is made for (default: where compliance is nine tenths of its last)");
    command->add_option("--from", o->request.condense.smallest,
                        "peak of the smallest loads it is made for (default: a quarter of the largest)");
    command->add_option("--seed", o->request.condense.seed, "of random histories and directions")
        ->check(CLI::Range(0, 2147483647));
    command->add_option("--iterations", o->request.condense.iterations, "most iterations of the fit");
    command->add_option("--test", o->request.tests,
                        "load as a formula in t to try the law on, in place of the held-out ones");
    command->add_option("--time", o->request.time, "START:STOP:COUNT for --test");
    command->add_option("--curve", o->curve, "also the error for every number of states FIRST:LAST");
    command->add_option("--rival", o->request.rivals,
                        "also a law of `faying laws` fitted to the first training history, or a law file as it is");
    command->add_option("--plot", o->plot,
                        "loops of the histories not seen, and the error against the number of states: .html or .svg");
    runs(*command, o, run_condense);
}

}  // namespace faying::app
