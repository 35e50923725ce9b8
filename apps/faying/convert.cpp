// faying convert: the same variables in another file format.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/archive/table.hpp"

namespace faying::app {

namespace {

struct ConvertOptions {
    Common common;
    std::string from, to;
    bool v73 = false;
};

}  // namespace

void add_convert(CLI::App& app) {
    const auto [command, o] = add_command<ConvertOptions>(
        app, "convert", "The same variables in another file: .h5, .mat, and tables as text",
        "Example:\n  faying convert whole_joint.h5 whole_joint.mat\n  faying convert backbone.csv backbone.mat");
    command->add_option("from", o->from, "a .mat or .h5 file, or a table as text")->required();
    command->add_option("--out,to", o->to, "the file to write; its ending says the format")->required();
    command->add_flag("--v7.3", o->v73, "a .mat file of MATLAB's version 7.3 (beyond 2 GB)");
    runs(*command, o, [](ConvertOptions& o) {
        const auto done = archive::convert(o.from, o.to, o.v73);
        const nlohmann::ordered_json result = {{"from", o.from}, {"to", o.to}, {done.what, done.count}};
        o.common.report("convert", result,
                        [&] { fmt::print("{}: {} {} of {}\n", o.to, done.count, done.what, o.from); });
    });
}

}  // namespace faying::app
