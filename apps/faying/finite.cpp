// Numbers on the command line are finite, all of them, in one place; and words are not empty.

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>

#include "command.hpp"

namespace faying::app {

std::string above_zero(const std::string& text) {
    return std::strtod(text.c_str(), nullptr) > 0 ? "" : text + " is not above zero";
}

void refuse_non_finite(CLI::App& app) {
    for (auto* option : app.get_options([](const CLI::Option*) { return true; })) {
        const bool may_be_empty = option->check_name("--title") || option->check_name("--element");
        if (option->get_type_name().starts_with("TEXT") && !may_be_empty)
            option->check([](const std::string& text) {
                return text.empty() ? std::string("is empty: give a value, or leave it out") : std::string();
            });
        if (option->get_type_name().starts_with("FLOAT"))
            option->check([](const std::string& text) {
                char* end = nullptr;
                const double value = std::strtod(text.c_str(), &end);
                const bool whole = end != text.c_str() && *end == 0;
                return whole && std::isfinite(value) ? std::string() : text + " is not a finite number";
            });
    }
    for (auto* command : app.get_subcommands([](const CLI::App*) { return true; })) refuse_non_finite(*command);
}

}  // namespace faying::app
