// Names on the command line: no output may be an input, or another output.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/io/file.hpp"

namespace faying::app {

namespace {

struct Name {
    std::string option, file;
};

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

void collect(const CLI::App& app, std::vector<Name>& read, std::vector<Name>& written) {
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
    std::vector<Name> read, written;
    collect(app, read, written);
    for (std::size_t i = 0; i < written.size(); ++i) {
        const auto& [option, file] = written[i];
        if (std::filesystem::exists(file) && !is_file(file)) continue;  // a device may take several
        for (const auto& input : read)
            if (io::same_file(file, input.file))
                throw core::BadInput(option, fmt::format("'{}' is also the input {}, which would be overwritten; give "
                                                         "another name",
                                                         file, input.file));
        for (std::size_t j = 0; j < i; ++j)
            if (io::same_file(file, written[j].file))
                throw core::BadInput(option, fmt::format("'{}' is also the file of {}; two results need two files",
                                                         file, written[j].option));
    }
}

}  // namespace faying::app
