// Names on the command line: no output may be an input, or another output.

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>

#include "command.hpp"
#include "faying/io/distinct.hpp"

namespace faying::app {

namespace {

/// Options by which every command names what it writes.
constexpr std::array outputs{"--out", "--shapes", "--csv", "--plot", "--vtk", "--raw", "--dofs"};

bool writes(const CLI::Option& option) {
    return std::any_of(outputs.begin(), outputs.end(), [&](const char* name) { return option.check_name(name); });
}

/// The file that a word means: itself, or that of "at=1,file=force.csv".
std::string file_in(const std::string& word) {
    const auto key = word.find("file=");
    if (key == std::string::npos || (key > 0 && word[key - 1] != ',')) return word;
    const auto from = key + 5;
    return word.substr(from, word.find(',', from) - from);
}

bool is_file(const std::string& name) {
    std::error_code unknown;
    return std::filesystem::is_regular_file(name, unknown);
}

void collect(const CLI::App& app, std::vector<io::NamedFile>& read, std::vector<io::NamedFile>& written) {
    for (const auto* option : app.get_options())
        for (const auto& word : option->results()) {
            if (writes(*option))
                written.push_back({option->get_name(), word});
            else if (const auto file = file_in(word); is_file(file))
                read.push_back({option->get_name(), file});
        }
    for (const auto* command : app.get_subcommands()) collect(*command, read, written);
}

}  // namespace

void check_names(const CLI::App& app) {
    std::vector<io::NamedFile> read, written;
    collect(app, read, written);
    io::check_distinct(read, written);
}

}  // namespace faying::app
