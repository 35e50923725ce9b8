// faying: the command line. Status 0 done, 2 bad input, 3 did not converge, 130 interrupted.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "faying/core/error.hpp"

namespace faying::app {

void Common::report(const std::string& command, const nlohmann::json& result,
                    const std::function<void()>& human) const {
    if (!json) return human();
    const nlohmann::ordered_json object = {{"command", command}, {"version", FAYING_VERSION}, {"result", result}};
    fmt::print("{}\n", object.dump());
}

void add_common(CLI::App& command, Common& common) {
    command.add_flag("--json", common.json, "one JSON object on standard output");
    command.add_option("--threads", common.threads, "threads to use (default: all cores)")->check(CLI::PositiveNumber);
}

}  // namespace faying::app

int main(int argc, char** argv) {
    CLI::App app{"Faying: structures whose joints slip"};
    app.set_version_flag("--version", FAYING_VERSION);
    app.require_subcommand(1);
    faying::app::add_laws(app);
    faying::app::add_loop(app);
    faying::app::add_mesh(app);
    faying::app::add_modes(app);
    faying::app::add_reduce(app);
    faying::app::add_backbone(app);
    faying::app::add_envelope(app);
    faying::app::add_identify(app);
    faying::app::add_deck(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        fmt::print(stderr, "faying: {}\n", error.what());
        return 2;
    } catch (const faying::core::BadInput& error) {
        fmt::print(stderr, "faying: {}\n", error.what());
        return 2;
    } catch (const faying::core::NotConverged& error) {
        fmt::print(stderr, "faying: {} (residual {:.3g})\n", error.what(), error.residual);
        return 3;
    }
    return 0;
}
