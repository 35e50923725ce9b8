// faying help, faying help --man, faying completion SHELL: all made from the command line's own tables, so that nothing
// about an option is written down twice.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/laws/catalogue.hpp"
#include "version.hpp"

namespace faying::app {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
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

/// "--json", "-h", ..
std::vector<std::string> flags_of(const CLI::Option& option) {
    std::vector<std::string> flags;
    for (const auto& name : option.get_snames()) flags.push_back("-" + name);
    for (const auto& name : option.get_lnames()) flags.push_back("--" + name);
    return flags;
}

/// A command and, behind its name, those below it ("deck show").
struct Named {
    std::string name;
    const CLI::App* command;
};
std::vector<Named> all_commands(const CLI::App& app) {
    std::vector<Named> all;
    for (const auto* command : commands_of(app)) {
        all.push_back({command->get_name(), command});
        for (const auto* below : commands_of(*command))
            all.push_back({command->get_name() + " " + below->get_name(), below});
    }
    return all;
}

std::string replaced(std::string text, char what, const std::string& by) {
    std::string out;
    for (const char c : text) c == what ? out += by : out += c;
    return out;
}

/// Text as troff takes it: backslashes and hyphens plain, no line that begins with a request.
std::string troff(const std::string& text) {
    std::string out = replaced(replaced(text, '\\', "\\e"), '-', "\\-");
    std::string lines;
    bool begins = true;
    for (const char c : out) {
        if (begins && (c == '.' || c == '\'')) lines += "\\&";
        lines += c;
        begins = c == '\n';
    }
    return lines;
}

std::string man_page(const CLI::App& app) {
    std::string page = fmt::format(".TH FAYING 1 \"\" \"faying {}\" \"User commands\"\n", troff(faying_version));
    page += ".SH NAME\nfaying \\- structures whose joints slip\n";
    page += ".SH SYNOPSIS\n.B faying\n.I command\n[options]\n";
    page += ".SH COMMANDS\n";
    for (const auto& [name, command] : all_commands(app)) {
        page += fmt::format(".SS {}\n{}\n", troff(name), troff(command->get_description()));
        for (const auto* option : command->get_options()) {
            const auto flags = flags_of(*option);
            const std::string title =
                flags.empty() ? option->get_name(true) : fmt::format("{}", fmt::join(flags, ", "));
            const std::string value =
                option->get_items_expected_max() > 0 && !flags.empty() ? " " + option->get_type_name() : "";
            page += fmt::format(".TP\n.B {}\n{}\n", troff(title + value), troff(option->get_description()));
        }
        if (!command->get_footer().empty()) page += fmt::format(".PP\n.nf\n{}\n.fi\n", troff(command->get_footer()));
    }
    page +=
        ".SH EXIT STATUS\n.TP\n.B 0\ndone\n.TP\n.B 2\nbad input: one line says what and where; nothing is written\n"
        ".TP\n.B 3\nsomething did not converge; what did is kept and marked\n.TP\n.B 130\ninterrupted; the same "
        "command goes on\n";
    return page;
}

std::vector<std::string> words_of(const CLI::App& command) {
    std::vector<std::string> words;
    for (const auto* option : command.get_options())
        for (const auto& flag : flags_of(*option)) words.push_back(flag);
    for (const auto* below : commands_of(command)) words.push_back(below->get_name());
    return words;
}

std::vector<std::string> law_names() {
    std::vector<std::string> names;
    for (const auto& entry : laws::catalogue()) names.push_back(entry.info.key);
    return names;
}

/// Commands whose first word is a law's name, and options whose value is one.
bool takes_law(const std::string& command) { return command == "laws" || command == "loop"; }

std::string bash_completion(const CLI::App& app) {
    std::vector<std::string> names;
    for (const auto* command : commands_of(app)) names.push_back(command->get_name());
    std::string script =
        "# bash completion for faying:  source <(faying completion bash)\n_faying() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n";
    script += fmt::format("    local laws=\"{}\"\n", fmt::join(law_names(), " "));
    script +=
        fmt::format("    if [ \"$COMP_CWORD\" -eq 1 ]; then words=\"{} --help --version\"\n", fmt::join(names, " "));
    script +=
        "    elif [ \"$before\" = --law ] || [ \"$before\" = --compare ]; then words=$laws\n    else\n"
        "        case ${COMP_WORDS[1]} in\n";
    for (const auto* command : commands_of(app)) {
        script += fmt::format("            {}) words=\"{}\"", command->get_name(), fmt::join(words_of(*command), " "));
        if (takes_law(command->get_name())) script += "; [ \"$COMP_CWORD\" -eq 2 ] && words=\"$words $laws\"";
        if (command->get_name() == "help") script += fmt::format("; words=\"$words {}\"", fmt::join(names, " "));
        script += " ;;\n";
    }
    script +=
        "        esac\n    fi\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
        "    [[ $word == -* ]] || [ \"$COMP_CWORD\" -eq 1 ] || COMPREPLY+=($(compgen -f -- \"$word\"))\n}\n"
        "complete -o filenames -F _faying faying\n";
    return script;
}

/// In single quotes for the shell.
std::string quoted(const std::string& text) { return "'" + replaced(text, '\'', "'\\''") + "'"; }
std::string one_line(const std::string& text) { return replaced(text, '\n', " "); }

std::string zsh_completion(const CLI::App& app) {
    std::string script =
        "#compdef faying\n# zsh completion for faying:  source <(faying completion zsh)\n_faying() {\n"
        "    local -a commands options\n    commands=(\n";
    for (const auto* command : commands_of(app))
        script += fmt::format("        {}\n", quoted(command->get_name() + ":" +
                                                     replaced(one_line(command->get_description()), ':', "\\:")));
    script += "    )\n    if (( CURRENT == 2 )); then _describe command commands; return; fi\n    case $words[2] in\n";
    for (const auto* command : commands_of(app)) {
        script += fmt::format("        {}) options=(\n", command->get_name());
        for (const auto* option : command->get_options())
            for (const auto& flag : flags_of(*option))
                script += fmt::format("            {}\n",
                                      quoted(flag + ":" + replaced(one_line(option->get_description()), ':', "\\:")));
        for (const auto* below : commands_of(*command))
            script += fmt::format("            {}\n", quoted(below->get_name()));
        if (takes_law(command->get_name()))
            for (const auto& law : law_names()) script += fmt::format("            {}\n", quoted(law));
        script += "        ) ;;\n";
    }
    script +=
        "    esac\n    _describe option options -o\n    _files\n}\n"
        "if [ \"$funcstack[1]\" = _faying ]; then _faying \"$@\"; else compdef _faying faying; fi\n";
    return script;
}

std::string fish_completion(const CLI::App& app) {
    std::string script = "# fish completion for faying:  faying completion fish | source\n";
    for (const auto* command : commands_of(app))
        script += fmt::format("complete -c faying -n __fish_use_subcommand -a {} -d {}\n", command->get_name(),
                              quoted(one_line(command->get_description())));
    for (const auto* command : commands_of(app)) {
        const std::string when =
            fmt::format("complete -c faying -n '__fish_seen_subcommand_from {}'", command->get_name());
        for (const auto* option : command->get_options())
            for (const auto& name : option->get_lnames())
                script +=
                    fmt::format("{} -l {}{} -d {}\n", when, name, option->get_items_expected_max() > 0 ? " -r" : "",
                                quoted(one_line(option->get_description())));
        for (const auto* below : commands_of(*command)) script += fmt::format("{} -a {}\n", when, below->get_name());
        if (takes_law(command->get_name())) script += fmt::format("{} -a '{}'\n", when, fmt::join(law_names(), " "));
    }
    return script;
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
        if (*man)
            fmt::print("{}", man_page(app));
        else
            fmt::print("{}", name->empty()
                                 ? app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal)
                                 : find_command(app, *name).help(app.get_name()));
    });
    auto* completion = app.add_subcommand("completion", "a script that lets a shell complete faying's commands");
    auto shell = std::make_shared<std::string>();
    completion->add_option("shell", *shell, "bash, zsh or fish")->required();
    completion->footer("Example: source <(faying completion bash)");
    completion->callback([&app, shell] {
        if (*shell == "bash") return fmt::print("{}", bash_completion(app));
        if (*shell == "zsh") return fmt::print("{}", zsh_completion(app));
        if (*shell == "fish") return fmt::print("{}", fish_completion(app));
        throw core::BadInput(fmt::format("unknown shell '{}'; allowed are: bash, zsh, fish", *shell));
    });
}

}  // namespace faying::app
