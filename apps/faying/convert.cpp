// faying convert: the same variables in another file format.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/archive/archive.hpp"
#include "faying/archive/table.hpp"

namespace faying::app {

namespace {

struct Options {
    Common common;
    std::string from, to;
    bool v73 = false;
};

struct Converted {
    std::size_t count = 0;
    const char* what = "variables";
};

/// Between archives everything; to and from text what a table holds.
Converted convert(const Options& o) {
    const auto version = o.v73 ? archive::MatlabVersion::v7_3 : archive::MatlabVersion::v5_compressed;
    if (o.v73 && !o.to.ends_with(".mat")) throw core::BadInput("--v7.3", "is a version of .mat files");
    if (archive::is_archive(o.from) && archive::is_archive(o.to)) {
        const auto archive = archive::read_archive(o.from);
        io::check_writable(o.to);
        archive::write_archive(o.to, archive, version);
        return {archive.names().size()};
    }
    if (o.v73) throw core::BadInput("--v7.3", "goes with an archive (.mat, .h5) on both sides");
    auto table = archive::read_table(o.from);
    if (table.names.empty())
        for (std::size_t i = 0; i < table.columns.size(); ++i) table.names.push_back(fmt::format("column{}", i + 1));
    io::check_writable(o.to);
    archive::write_table(o.to, table);
    return {table.columns.size(), "columns"};
}

}  // namespace

void add_convert(CLI::App& app) {
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand("convert", "The same variables in another file: .h5, .mat, and tables as text");
    command->footer(
        "Example:\n  faying convert whole_joint.h5 whole_joint.mat\n  faying convert backbone.csv backbone.mat");
    command->add_option("from", o->from, "a .mat or .h5 file, or a table as text")->required();
    command->add_option("--out,to", o->to, "the file to write; its ending says the format")->required();
    command->add_flag("--v7.3", o->v73, "a .mat file of MATLAB's version 7.3 (beyond 2 GB)");
    add_common(*command, o->common);
    command->callback([o] {
        const auto done = convert(*o);
        const nlohmann::ordered_json result = {{"from", o->from}, {"to", o->to}, {done.what, done.count}};
        o->common.report("convert", result,
                         [&] { fmt::print("{}: {} {} of {}\n", o->to, done.count, done.what, o->from); });
    });
}

}  // namespace faying::app
