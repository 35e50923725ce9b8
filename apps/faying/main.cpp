// faying: the command line. Status 0 done, 2 bad input, 3 did not converge, 130 interrupted, 1 what should not happen.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>

#include "command.hpp"
#include "faying/core/environment.hpp"
#include "faying/core/error.hpp"
#include "faying/core/progress.hpp"
#include "faying/core/progress_lines.hpp"
#include "faying/core/text.hpp"
#include "faying/geometric/coupled.hpp"
#include "faying/io/file.hpp"
#include "faying/io/standard_streams.hpp"
#include "faying/network/m_state.hpp"
#include "interrupt.hpp"
#include "version.hpp"

namespace faying::app {

/// Printing to a full disk or a closed pipe.
struct OutputFailed : std::runtime_error {
    int code;
    OutputFailed(const std::string& what, int error) : std::runtime_error(what), code(error) {}
};

void Common::report(const std::string& command, const nlohmann::json& result,
                    const std::function<std::string()>& text) const {
    try {
        if (!json) return fmt::print("{}", text());
        const nlohmann::ordered_json object = {{"command", command}, {"version", faying_version}, {"result", result}};
        // File names need not be UTF-8; JSON has to be.
        fmt::print("{}\n", object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    } catch (const std::system_error& error) {
        throw OutputFailed(error.code().message(), error.code().value());
    }
}

void check_folder_of(const std::string& file) {
    if (!std::filesystem::is_directory(std::filesystem::absolute(file).parent_path()))
        throw core::BadInput(file, "its folder does not exist");
}

void add_common(CLI::App& command, Common& common) {
    command.add_flag("--json", common.json, "one JSON object on standard output");
    command.add_flag_callback(
        "--progress", core::show_progress_in_lines,
        "progress from the start and in lines of its own, also into a file (default: on a terminal, "
        "after two seconds)");
    command.add_option("--threads", common.threads, "threads to use (default: all cores)")->check(CLI::Range(1, 4096));
}

void add_outputs(CLI::App& command, io::OutputFiles& files, const char* csv, const char* plot) {
    if (csv) command.add_option("--csv", files.csv, csv);
    command.add_option("--plot", files.plot, plot);
    command.add_option("--title", files.title, "title of the plot");
}

void add_friction(CLI::App& command, std::string& word) {
    command
        .add_option("--prestress", word,
                    "friction while preloading: active, conservative (springs and normal contact only), linear")
        ->check(CLI::IsMember({"active", "conservative", "linear"}));
}

void add_unit(CLI::App& command, core::FrequencyUnit& unit) {
    command.add_option("--unit", unit.word, "of frequencies in tables and plots: Hz (default) or rad/s")
        ->check(CLI::IsMember({"Hz", "rad/s"}));
}

namespace {

/// Starts this program again without the variables that libraries obey (some read them before main), if there are any.
void forget_environment(char** arguments) {
    if (core::foreign_variables().empty()) return;
    core::forget_foreign_variables();
    ::execv("/proc/self/exe", arguments);  // where that cannot be done, what is read from here on is still gone
}

/// Whoever read standard output has what it wanted ("faying .. | head"): end as programs do then.
int output_failed(const OutputFailed& error) {
    if (error.code == EPIPE) {
        std::signal(SIGPIPE, SIG_DFL);
        std::raise(SIGPIPE);
    }
    core::tell(fmt::format("faying: standard output: {}\n", error.what()));
    return 2;
}

void flush_output() {
    errno = 0;
    if (std::cout.flush() && std::fflush(stdout) == 0 && !std::ferror(stdout)) return;
    const int error = errno != 0 ? errno : EIO;
    throw OutputFailed(std::strerror(error), error);
}

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
    faying::io::open_standard_streams();
    faying::app::forget_environment(argv);
    faying::io::escape_standard_streams();
    faying::io::ignore_signals_of_writing();
    faying::io::protect_inputs();
    faying::network::add_law_files();
    faying::geometric::add_coupled_polynomials();
    CLI::App app{"Faying: structures whose joints slip", "faying"};
    app.set_version_flag("--version", faying_version);
    app.require_subcommand(1);
    faying::app::add_laws(app);
    faying::app::add_loop(app);
    faying::app::add_network(app);
    faying::app::add_condense(app);
    faying::app::add_mesh(app);
    faying::app::add_modes(app);
    faying::app::add_reduce(app);
    faying::app::add_preload(app);
    faying::app::add_quasistatic(app);
    faying::app::add_backbone(app);
    faying::app::add_response(app);
    faying::app::add_sice(app);
    faying::app::add_nnm(app);
    faying::app::add_ignl(app);
    faying::app::add_envelope(app);
    faying::app::add_simulate(app);
    faying::app::add_modal_iwan(app);
    faying::app::add_modal_fit(app);
    faying::app::add_calibrate(app);
    faying::app::add_identify(app);
    faying::app::add_experiment(app);
    faying::app::add_fit(app);
    faying::app::add_report(app);
    faying::app::add_study(app);
    faying::app::add_convert(app);
    faying::app::add_deck(app);
    faying::app::add_help(app);
    faying::app::refuse_non_finite(app);
    app.parse_complete_callback([&] { faying::app::check_names(app); });
    std::signal(SIGINT, [](int) { std::_Exit(130); });
    using faying::core::one_line;
    using faying::core::tell;
    try {
        faying::app::check_command(app, argc, argv);
        app.parse(argc, argv);
        faying::app::flush_output();
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) {
            tell(fmt::format("faying: {}\n", one_line(error.what())));
            return 2;
        }
        app.exit(error);
        try {
            faying::app::flush_output();
        } catch (const faying::app::OutputFailed& failed) {
            return faying::app::output_failed(failed);
        }
        return 0;
    } catch (const faying::app::OutputFailed& error) {
        return faying::app::output_failed(error);
    } catch (const faying::core::BadInput& error) {
        tell(fmt::format("faying: {}\n", one_line(error.what())));
        return 2;
    } catch (const std::system_error& error) {  // says which file
        tell(fmt::format("faying: {}\n", one_line(error.what())));
        return 2;
    } catch (const std::bad_alloc&) {
        tell(fmt::format("faying: there is not enough memory for this; ask for fewer points\n"));
        return 2;
    } catch (const faying::core::NotConverged& error) {
        if (std::isfinite(error.residual))
            tell(fmt::format("faying: {} (residual {:.3g})\n", one_line(error.what()), error.residual));
        else
            tell(fmt::format("faying: {}\n", one_line(error.what())));
        return 3;
    } catch (const faying::app::Interrupted& error) {
        tell(fmt::format("faying: {}\n", one_line(error.what())));
        return 130;
    } catch (const std::exception& error) {
        tell(fmt::format("faying: {}: this should not happen; please report it with the command\n",
                         one_line(error.what())));
        return 1;
    }
    return 0;
}
