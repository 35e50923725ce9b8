// faying network: a network of sliders along a history of loads.

#include "faying/results/network.hpp"

#include <fmt/format.h>

#include "faying/io/file.hpp"
#include "faying/network/generators.hpp"
#include "faying/network/network_file.hpp"
#include "show.hpp"

namespace faying::app {

namespace {

struct NetworkOptions {
    Common common;
    io::OutputFiles files;
    std::string file, method = "events", out;
    results::HistoryWords words;
};

void run_network(const NetworkOptions& o) {
    o.files.check();
    if (!o.out.empty()) io::check_writable(o.out);
    const auto method = network::method_named(o.method);
    const bool follows = o.out.empty() || o.words.given();
    if (follows) o.words.check("network");
    const auto input = follows ? o.words.input() : results::LoopInput{};
    const auto net = network::read_network(o.file);
    if (!follows) {
        network::write_network(o.out, net);
        nlohmann::json r = {{"sliders", net.size()}, {"out", o.out}};
        for (const auto& sum : network::checksums(net)) r["checksum"][sum.name] = sum.value;
        return o.common.report("network", r,
                               [&] { return fmt::format("{} sliders written to {}\n", net.size(), o.out); });
    }
    const auto run = results::follow_network(net, input, method, !o.files.plot.empty());
    if (!o.out.empty()) network::write_network(o.out, net);
    show(o.common, o.files, "network", run);
}

}  // namespace

void add_network(CLI::App& app) {
    const auto [command, o] = add_command<NetworkOptions>(
        app, "network", "Many coupled sliders along a load history, exactly",
        "A network file:\n"
        "  [network]\n"
        "  generator = \"random\"     # [S3] 2.2; or parallel, chain, mesh; or file = \"net.mat\" with K, mu and b\n"
        "  size = 500\n"
        "  seed = 12345\n"
        "Examples:\n"
        "  faying network net.toml --signal \"1.2*sin(t)\" --time 0:62.8:1001 --plot loop.html\n"
        "  faying network net.toml --path 0,1,-0.5,0.7 --json\n"
        "  faying network net.toml --history force.csv --method lemke --csv answer.csv\n"
        "  faying network net.toml --out net.mat");
    command->add_option("file", o->file, "network file (.toml)")->required();
    command->add_option("--path", o->words.path,
                        "loads: 0,1,-0.5,0.7 (forces, or displacements where it is driven so)");
    command->add_option("--signal", o->words.signal,
                        "load as a formula in t; turning points between samples are found");
    command->add_option("--time", o->words.time, "START:STOP:COUNT for --signal");
    command->add_option("--history", o->words.history, "CSV with one column of loads, or times and loads");
    command->add_option("--method", o->method,
                        "how velocities are found at events: events (pivots along the path), or for comparison lemke, "
                        "newton, gauss-seidel");
    add_outputs(*command, o->files, "write the table to this file",
                "the loop and which sliders slip when: a page (.html) or a picture (.svg)");
    command->add_option("--out", o->out, "write the network itself: K, mu, b into a .mat or .h5 file");
    runs(*command, o, run_network);
}

}  // namespace faying::app
