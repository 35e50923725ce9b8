#pragma once
// A command line as a table, and what is made of it: a manual page, and scripts that let shells complete it.
//
//     CommandLine tool{.name = "faying", .version = "1.0", .summary = "structures whose joints slip"};
//     tool.commands.push_back({.name = "loop", .description = "a law along a path"});
//     std::puts(man_page(tool).c_str());
//     std::puts(completion(tool, "bash").c_str());

#include <string>
#include <vector>

namespace faying::io {

struct CommandOption {
    std::vector<std::string> flags = {};  ///< "-h", "--help"; none: it is known by its place
    std::string name = {};                ///< of one that has no flags
    std::string description = {};
    bool takes_value = false;
    std::string value = {};  ///< of which kind
};

struct Command {
    std::string name, description;
    std::string footer = {};
    std::vector<CommandOption> options = {};
    std::vector<Command> below = {};
    bool takes_term = false;     ///< its first word is a term
    bool takes_command = false;  ///< its first word is a command
};

struct CommandLine {
    std::string name, version, summary;
    std::vector<Command> commands = {};
    std::vector<std::string> terms = {};                     ///< words that shells offer besides
    std::vector<std::string> term_flags = {};                ///< flags whose value is a term
    std::vector<std::pair<int, std::string>> statuses = {};  ///< that it exits with, and what they mean
};

/// troff, as `man -l -` takes it.
std::string man_page(const CommandLine& tool);

/// For bash, zsh or fish; throws core::BadInput for another.
std::string completion(const CommandLine& tool, const std::string& shell);

}  // namespace faying::io
