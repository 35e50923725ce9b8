#include "faying/io/manual.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "faying/core/error.hpp"

namespace faying::io {

namespace {

std::string replaced(const std::string& text, char what, const std::string& by) {
    std::string out;
    for (const char c : text) c == what ? out += by : out += c;
    return out;
}

/// Text as troff takes it: backslashes and hyphens plain, no line that begins with a request.
std::string troff(const std::string& text) {
    std::string lines;
    bool begins = true;
    for (const char c : replaced(replaced(text, '\\', "\\e"), '-', "\\-")) {
        if (begins && (c == '.' || c == '\'')) lines += "\\&";
        lines += c;
        begins = c == '\n';
    }
    return lines;
}

/// In single quotes for the shell.
std::string quoted(const std::string& text) { return "'" + replaced(text, '\'', "'\\''") + "'"; }
std::string one_line(const std::string& text) { return replaced(text, '\n', " "); }
std::string described(const std::string& word, const std::string& description) {
    return quoted(word + ":" + replaced(one_line(description), ':', "\\:"));
}

std::string section(const std::string& name, const Command& command) {
    std::string page = fmt::format(".SS {}\n{}\n", troff(name), troff(command.description));
    for (const auto& option : command.options) {
        auto title = option.flags.empty() ? option.name : fmt::format("{}", fmt::join(option.flags, ", "));
        if (!option.flags.empty() && option.takes_value) title += " " + option.value;
        page += fmt::format(".TP\n.B {}\n{}\n", troff(title), troff(option.description));
    }
    if (!command.footer.empty()) page += fmt::format(".PP\n.nf\n{}\n.fi\n", troff(command.footer));
    for (const auto& below : command.below) page += section(name + " " + below.name, below);
    return page;
}

std::vector<std::string> names_of(const std::vector<Command>& commands) {
    std::vector<std::string> names;
    for (const auto& command : commands) names.push_back(command.name);
    return names;
}

std::vector<std::string> words_of(const Command& command) {
    std::vector<std::string> words;
    for (const auto& option : command.options) words.insert(words.end(), option.flags.begin(), option.flags.end());
    for (const auto& name : names_of(command.below)) words.push_back(name);
    return words;
}

std::string bash_completion(const CommandLine& tool) {
    const auto names = names_of(tool.commands);
    std::string script = fmt::format(
        "# bash completion for {0}:  source <({0} completion bash)\n_{0}() {{\n"
        "    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=\n",
        tool.name);
    script += fmt::format("    local terms=\"{}\"\n", fmt::join(tool.terms, " "));
    script +=
        fmt::format("    if [ \"$COMP_CWORD\" -eq 1 ]; then words=\"{} --help --version\"\n", fmt::join(names, " "));
    std::vector<std::string> flags;
    for (const auto& flag : tool.term_flags) flags.push_back(fmt::format("[ \"$before\" = {} ]", flag));
    script += fmt::format("    elif {}; then words=$terms\n    else\n        case ${{COMP_WORDS[1]}} in\n",
                          fmt::join(flags, " || "));
    for (const auto& command : tool.commands) {
        script += fmt::format("            {}) words=\"{}\"", command.name, fmt::join(words_of(command), " "));
        if (command.takes_term) script += "; [ \"$COMP_CWORD\" -eq 2 ] && words=\"$words $terms\"";
        if (command.takes_command) script += fmt::format("; words=\"$words {}\"", fmt::join(names, " "));
        script += " ;;\n";
    }
    script += fmt::format(
        "        esac\n    fi\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
        "    [[ $word == -* ]] || [ \"$COMP_CWORD\" -eq 1 ] || COMPREPLY+=($(compgen -f -- \"$word\"))\n}}\n"
        "complete -o filenames -F _{0} {0}\n",
        tool.name);
    return script;
}

std::string zsh_completion(const CommandLine& tool) {
    std::string script = fmt::format(
        "#compdef {0}\n# zsh completion for {0}:  source <({0} completion zsh)\n_{0}() {{\n"
        "    local -a commands options\n    commands=(\n",
        tool.name);
    for (const auto& command : tool.commands)
        script += fmt::format("        {}\n", described(command.name, command.description));
    script += "    )\n    if (( CURRENT == 2 )); then _describe command commands; return; fi\n    case $words[2] in\n";
    for (const auto& command : tool.commands) {
        script += fmt::format("        {}) options=(\n", command.name);
        for (const auto& option : command.options)
            for (const auto& flag : option.flags)
                script += fmt::format("            {}\n", described(flag, option.description));
        for (const auto& below : command.below) script += fmt::format("            {}\n", quoted(below.name));
        if (command.takes_term)
            for (const auto& term : tool.terms) script += fmt::format("            {}\n", quoted(term));
        script += "        ) ;;\n";
    }
    return script + fmt::format(
                        "    esac\n    _describe option options -o\n    _files\n}}\n"
                        "if [ \"$funcstack[1]\" = _{0} ]; then _{0} \"$@\"; else compdef _{0} {0}; fi\n",
                        tool.name);
}

std::string fish_completion(const CommandLine& tool) {
    std::string script = fmt::format("# fish completion for {0}:  {0} completion fish | source\n", tool.name);
    for (const auto& command : tool.commands)
        script += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d {}\n", tool.name, command.name,
                              quoted(one_line(command.description)));
    for (const auto& command : tool.commands) {
        const auto when = fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'", tool.name, command.name);
        for (const auto& option : command.options)
            for (const auto& flag : option.flags)
                if (flag.starts_with("--"))
                    script += fmt::format("{} -l {}{} -d {}\n", when, flag.substr(2), option.takes_value ? " -r" : "",
                                          quoted(one_line(option.description)));
        for (const auto& below : command.below) script += fmt::format("{} -a {}\n", when, below.name);
        if (command.takes_term) script += fmt::format("{} -a '{}'\n", when, fmt::join(tool.terms, " "));
    }
    return script;
}

}  // namespace

std::string man_page(const CommandLine& tool) {
    std::string title = tool.name;
    for (char& c : title) c = char(std::toupper(c));
    std::string page =
        fmt::format(".TH {} 1 \"\" \"{} {}\" \"User commands\"\n", title, tool.name, troff(tool.version));
    page += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B {}\n.I command\n[options]\n.SH COMMANDS\n", tool.name,
                        tool.summary, tool.name);
    for (const auto& command : tool.commands) page += section(command.name, command);
    page += ".SH EXIT STATUS\n";
    for (const auto& [status, meaning] : tool.statuses) page += fmt::format(".TP\n.B {}\n{}\n", status, meaning);
    return page;
}

std::string completion(const CommandLine& tool, const std::string& shell) {
    if (shell == "bash") return bash_completion(tool);
    if (shell == "zsh") return zsh_completion(tool);
    if (shell == "fish") return fish_completion(tool);
    throw core::BadInput(fmt::format("unknown shell '{}'; allowed are: bash, zsh, fish", shell));
}

}  // namespace faying::io
