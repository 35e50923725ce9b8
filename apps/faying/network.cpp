// faying network: a network of sliders along a history of loads.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/network/generators.hpp"
#include "faying/network/history_figure.hpp"
#include "faying/network/network_file.hpp"
#include "faying/results/loops.hpp"

namespace faying::app {

namespace {

struct Options {
    Common common;
    std::string file, path, signal, time, history, method = "events", csv, plot, title, out;
};

results::LoopInput network_input(const Options& o) {
    const int ways = !o.path.empty() + !o.signal.empty() + !o.history.empty();
    if (ways != 1) throw core::BadInput("network", "give exactly one of --path, --signal (with --time) and --history");
    if (o.signal.empty() != o.time.empty())
        throw core::BadInput("network",
                             "--signal and --time go together, such as --signal \"1.2*sin(t)\" --time "
                             "0:62.8:1001");
    results::LoopInput input = !o.path.empty()     ? results::input_from_path(o.path)
                               : !o.signal.empty() ? results::input_from_signal(o.signal, o.time)
                                                   : results::input_from_history(o.history);
    if (!input.contact.empty()) throw core::BadInput("network", "a network follows one load, not x:y:n points");
    return input;
}

template <class T>
std::vector<T> reported(const std::vector<T>& all, const results::LoopInput& input) {
    std::vector<T> some;
    for (const std::size_t i : input.report) some.push_back(all[i]);
    return some;
}

nlohmann::json network_json(const network::Network& net, const network::NetworkHistory& h,
                            const results::LoopInput& input, const std::string& method) {
    nlohmann::ordered_json r = {{"sliders", net.size()},
                                {"driven_by", net.by_force() ? "force" : "displacement"},
                                {"method", h.by_plays ? "plays" : method},
                                {"checksum", nlohmann::ordered_json::object()}};
    for (const auto& sum : network::checksums(net)) r["checksum"][sum.name] = sum.value;
    if (!input.times.empty()) r["t"] = reported(input.times, input);
    if (!net.by_force()) r["u"] = reported(h.load, input);
    r["f"] = reported(net.by_force() ? h.load : h.answer, input);
    r["xi"] = reported(h.xi, input);
    r["tangent"] = reported(h.tangent, input);
    r["work"] = reported(h.work, input);
    r["dissipated"] = reported(h.dissipated, input);
    r["stored"] = reported(h.stored, input);
    r["slipping"] = reported(h.slipping, input);
    r["x"] = h.positions;
    r["events"] = h.events;
    r["energy_balance"] = h.energy_balance;
    r["residual"] = h.residual;
    r["status"] = "exact";
    return r;
}

void print_network(const network::Network& net, const network::NetworkHistory& h, const results::LoopInput& input) {
    fmt::print("{} sliders driven by {}{}, {} events, energy balance {:.1e}, residual {:.1e}\n", net.size(),
               net.by_force() ? "force" : "displacement", h.by_plays ? " (decoupled: play operators)" : "", h.events,
               h.energy_balance, h.residual);
    constexpr std::size_t most_rows = 40;
    const auto table = network::history_table(h, net.by_force(), input.times, input.report);
    for (const auto& name : table.names) fmt::print("{:>14}", name);
    fmt::print("\n");
    const std::size_t rows = input.report.size();
    for (std::size_t i = 0; i < rows; ++i) {
        if (rows > most_rows && i >= most_rows / 2 && i + most_rows / 2 < rows) {
            if (i == most_rows / 2) fmt::print("   .. {} rows more: --csv or --json has them all\n", rows - most_rows);
            continue;
        }
        for (const auto& column : table.columns) fmt::print("{:14.6g}", column[i]);
        fmt::print("\n");
    }
}

void run_network(const Options& o) {
    io::OutputFiles{o.csv, o.plot}.check();
    if (!o.out.empty()) check_folder_of(o.out);
    const auto method = network::method_named(o.method);
    const network::Network net = network::read_network(o.file);
    if (!o.out.empty()) {
        network::write_network(o.out, net);
        if (o.path.empty() && o.signal.empty() && o.history.empty()) {
            nlohmann::ordered_json r = {{"sliders", net.size()}, {"out", o.out}};
            for (const auto& sum : network::checksums(net)) r["checksum"][sum.name] = sum.value;
            o.common.report("network", r, [&] { fmt::print("{} sliders written to {}\n", net.size(), o.out); });
            return;
        }
    }
    const results::LoopInput input = network_input(o);
    const auto h = network::follow(net, input.points, {.method = method, .slippers = !o.plot.empty()});
    std::vector<io::FileContent> files;
    if (!o.csv.empty())
        files.push_back({o.csv, io::csv_text(network::history_table(h, net.by_force(), input.times, input.report))});
    if (!o.plot.empty()) {
        const auto figure =
            network::history_figure(h, net.by_force(), input.times, o.title.empty() ? "Network of sliders" : o.title);
        files.push_back({o.plot, o.plot.ends_with(".svg") ? io::figure_svg(figure) : io::figure_html(figure)});
    }
    io::write_files(files);
    o.common.report("network", network_json(net, h, input, o.method), [&] { print_network(net, h, input); });
}

}  // namespace

void add_network(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand("network", "Many coupled sliders along a load history, exactly");
    command->footer(
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
    command->add_option("--path", o->path, "loads: 0,1,-0.5,0.7 (forces, or displacements where it is driven so)");
    command->add_option("--signal", o->signal, "load as a formula in t; turning points between samples are found");
    command->add_option("--time", o->time, "START:STOP:COUNT for --signal");
    command->add_option("--history", o->history, "CSV with one column of loads, or times and loads");
    command->add_option("--method", o->method,
                        "how velocities are found at events: events (pivots along the path), or for comparison lemke, "
                        "newton, gauss-seidel");
    command->add_option("--csv", o->csv, "write the table to this file");
    command->add_option("--plot", o->plot, "the loop and which sliders slip when: a page (.html) or a picture (.svg)");
    command->add_option("--title", o->title, "title of the plot");
    command->add_option("--out", o->out, "write the network itself: K, mu, b into a .mat or .h5 file");
    add_common(*command, o->common);
    command->callback([o] { run_network(*o); });
}

}  // namespace faying::app
