// faying help, faying help --man, faying completion SHELL: all made from the command line's own tables, so that nothing
// about an option is written down twice.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/io/manual.hpp"
#include "faying/laws/catalogue.hpp"
#include "version.hpp"

namespace faying::app {

static std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

const CLI::App& find_command(const CLI::App& app, const std::string& name) {
    std::vector<std::string> names;
    for (const auto* command : commands_of(app)) {
        if (command->get_name() == name) return *command;
        names.push_back(command->get_name());
    }
    throw core::BadInput(fmt::format("unknown command '{}'; allowed are: {}", name, fmt::join(names, ", ")));
}

namespace {

io::Command table_of(const CLI::App& app) {
    io::Command command{.name = app.get_name(), .description = app.get_description(), .footer = app.get_footer()};
    for (const auto* option : app.get_options()) {
        io::CommandOption o{.name = option->get_name(true),
                            .description = option->get_description(),
                            .takes_value = option->get_items_expected_max() > 0,
                            .value = option->get_type_name()};
        for (const auto& name : option->get_snames()) o.flags.push_back("-" + name);
        for (const auto& name : option->get_lnames()) o.flags.push_back("--" + name);
        command.options.push_back(std::move(o));
    }
    for (const auto* below : commands_of(app)) command.below.push_back(table_of(*below));
    command.takes_term = command.name == "laws" || command.name == "loop";
    command.takes_command = command.name == "help";
    return command;
}

io::CommandLine tables_of(const CLI::App& app) {
    io::CommandLine tool{.name = "faying", .version = faying_version, .summary = "structures whose joints slip"};
    tool.commands = table_of(app).below;
    for (const auto& entry : laws::catalogue()) tool.terms.push_back(entry.info.key);
    tool.term_flags = {"--law", "--compare"};
    tool.statuses = {{0, "done"},
                     {2, "bad input: one line says what and where; nothing is written"},
                     {3, "something did not converge; what did is kept and marked"},
                     {130, "interrupted; the same command goes on"}};
    return tool;
}

}  // namespace

void add_help(CLI::App& app) {
    auto* help = app.add_subcommand("help", "what a command does: help COMMAND, or this list; --man: a manual page");
    auto name = std::make_shared<std::string>();
    auto man = std::make_shared<bool>(false);
    help->add_option("command", *name, "a command");
    help->add_flag("--man", *man, "all commands as a manual page (troff)");
    help->footer("Example: faying help backbone;  faying help --man | man -l -");
    help->callback([&app, name, man] {
        fmt::print("{}", *man ? io::man_page(tables_of(app))
                         : name->empty()
                             ? app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal)
                             : find_command(app, *name).help(app.get_name()));
    });
    auto* completion = app.add_subcommand("completion", "a script that lets a shell complete faying's commands");
    auto shell = std::make_shared<std::string>();
    completion->add_option("shell", *shell, "bash, zsh or fish")->required();
    completion->footer("Example: source <(faying completion bash)");
    completion->callback([&app, shell] { fmt::print("{}", io::completion(tables_of(app), *shell)); });
}

}  // namespace faying::app
