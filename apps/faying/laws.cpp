// faying laws: what is in the catalogue.

#include "faying/results/laws.hpp"

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace faying::app {

void add_laws(CLI::App& app) {
    struct Options {
        Common common;
        std::string key;
    };
    auto o = std::make_shared<Options>();
    auto* command = app.add_subcommand("laws", "List the hysteresis laws, their parameters, units and ranges");
    command->footer("Example:\n  faying laws iwan4");
    command->add_option("law", o->key, "only this law, with every parameter");
    add_common(*command, o->common);
    command->callback([o] {
        const bool one = !o->key.empty();
        const auto chosen = one ? std::vector{results::described_law(o->key)} : results::listed_laws();
        o->common.report("laws", results::json(chosen), [&] { return results::text(chosen, one); });
    });
}

}  // namespace faying::app
