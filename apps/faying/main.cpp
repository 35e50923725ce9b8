// faying: the command line. Status 0 done, 2 bad input, 3 did not converge, 130 interrupted, 1 what should not happen.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>

#include "command.hpp"
#include "faying/core/error.hpp"
#include "faying/core/text.hpp"
#include "interrupt.hpp"
#include "terminal.hpp"
#include "version.hpp"

namespace faying::app {

void Common::report(const std::string& command, const nlohmann::json& result,
                    const std::function<void()>& human) const {
    if (!json) return human();
    const nlohmann::ordered_json object = {{"command", command}, {"version", faying_version}, {"result", result}};
    // File names need not be UTF-8; JSON has to be.
    fmt::print("{}\n", object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void check_folder_of(const std::string& file) {
    if (!std::filesystem::is_directory(std::filesystem::absolute(file).parent_path()))
        throw core::BadInput(file, "its folder does not exist");
}

void add_common(CLI::App& command, Common& common) {
    command.add_flag("--json", common.json, "one JSON object on standard output");
    command.add_option("--threads", common.threads, "threads to use (default: all cores)")->check(CLI::Range(1, 4096));
}

namespace {

/// CLI11 answers an unknown command with "A subcommand is required".
void check_command(const CLI::App& app, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') return;
    std::vector<std::string> names;
    for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), argv[1]) == names.end())
        throw core::BadInput(fmt::format("unknown command '{}'; allowed are: {}", argv[1], fmt::join(names, ", ")));
}

}  // namespace

}  // namespace faying::app

int main(int argc, char** argv) {
    faying::app::forget_environment(argv);
    faying::app::escape_standard_streams();
    CLI::App app{"Faying: structures whose joints slip"};
    app.set_version_flag("--version", faying_version);
    app.require_subcommand(1);
    faying::app::add_laws(app);
    faying::app::add_loop(app);
    faying::app::add_mesh(app);
    faying::app::add_modes(app);
    faying::app::add_reduce(app);
    faying::app::add_preload(app);
    faying::app::add_backbone(app);
    faying::app::add_response(app);
    faying::app::add_envelope(app);
    faying::app::add_simulate(app);
    faying::app::add_modal_iwan(app);
    faying::app::add_identify(app);
    faying::app::add_experiment(app);
    faying::app::add_fit(app);
    faying::app::add_report(app);
    faying::app::add_study(app);
    faying::app::add_deck(app);
    faying::app::add_help(app);
    faying::app::refuse_non_finite(app);
    std::signal(SIGINT, [](int) { std::_Exit(130); });
    try {
        faying::app::check_command(app, argc, argv);
        app.parse(argc, argv);
        if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        fmt::print(stderr, "faying: {}\n", faying::core::one_line(error.what()));
        return 2;
    } catch (const faying::core::BadInput& error) {
        fmt::print(stderr, "faying: {}\n", faying::core::one_line(error.what()));
        return 2;
    } catch (const std::system_error& error) {  // printing to a full disk or a closed pipe
        fmt::print(stderr, "faying: standard output: {}\n", error.code().message());
        return 2;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "faying: there is not enough memory for this; ask for fewer points\n");
        return 2;
    } catch (const faying::core::NotConverged& error) {
        if (std::isfinite(error.residual))
            fmt::print(stderr, "faying: {} (residual {:.3g})\n", faying::core::one_line(error.what()), error.residual);
        else
            fmt::print(stderr, "faying: {}\n", faying::core::one_line(error.what()));
        return 3;
    } catch (const faying::app::Interrupted& error) {
        fmt::print(stderr, "faying: {}\n", faying::core::one_line(error.what()));
        return 130;
    } catch (const std::exception& error) {
        fmt::print(stderr, "faying: {}: this should not happen; please report it with the command\n",
                   faying::core::one_line(error.what()));
        return 1;
    }
    return 0;
}
