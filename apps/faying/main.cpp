// faying: the command line. Status 0 done, 2 bad input, 3 did not converge, 130 interrupted, 1 what should not happen.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
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
#include "faying/modes/choice.hpp"
#include "faying/network/m_state.hpp"
#include "faying/sparse/ranks.hpp"
#include "version.hpp"

namespace faying::app {

void Common::report(const std::string& command, const nlohmann::json& result,
                    const std::function<std::string()>& text) const {
    try {
        if (!json) return fmt::print("{}", text());
        const nlohmann::ordered_json object = {{"command", command}, {"version", faying_version}, {"result", result}};
        // File names need not be UTF-8; JSON has to be.
        fmt::print("{}\n", object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    } catch (const std::system_error& error) {
        throw io::OutputFailed(error.code().value());
    }
}

void on_all_ranks(const std::function<void()>& body) {
    const auto silent = [] { return sparse::launched() && sparse::rank() != 0; };
    try {
        body();
    } catch (const core::BadInput&) {
        if (!silent()) throw;
        std::exit(2);
    } catch (const core::Interrupted&) {
        if (!silent()) throw;
        std::exit(130);
    }
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

void add_friction(CLI::App& command, modes::Friction& friction) {
    add_choice(command, "--prestress", friction, modes::frictions,
               "friction while preloading: active, conservative (springs and normal contact only), linear");
}

void add_unit(CLI::App& command, core::FrequencyUnit& unit) {
    command.add_option("--unit", unit.word, "of frequencies in tables and plots: Hz (default) or rad/s")
        ->check(CLI::IsMember({"Hz", "rad/s"}));
}

void add_harmonics(CLI::App& command, HarmonicWords& words) {
    command.add_option("--harmonics", words.orders,
                       "orders up to this one, a list such as 0,1,3,5 (default 3), or auto: as many as it takes to "
                       "neglect less than 1e-3 of the joints' forces (auto:TOL)");
    command
        .add_option("--samples", words.samples,
                    "joint forces from this many samples per period, as other codes do; 0: exact pieces (default)")
        ->check(CLI::Range(0, 1 << 16));
}

std::string above_zero(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || !std::isfinite(value)) return text + " is not a finite number";
    return value > 0 ? "" : text + " is not above zero";
}

std::string not_empty(const std::string& text) { return text.empty() ? "is empty: give a value, or leave it out" : ""; }

void refuse_non_finite(CLI::App& app) {
    for (auto* option : app.get_options([](const CLI::Option*) { return true; })) {
        const bool may_be_empty = option->check_name("--title") || option->check_name("--element");
        if (option->get_type_name().starts_with("TEXT") && !may_be_empty) option->check(not_empty);
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

namespace {

/// One line on standard error, and the status.
int ended(int status, const std::string& why, const std::string& more = "") {
    core::tell(fmt::format("faying: {}{}\n", core::one_line(why), more));
    return status;
}

/// Whoever read standard output has what it wanted ("faying .. | head"): end as programs do then.
int output_failed(const io::OutputFailed& error) {
    if (error.code == EPIPE) {
        std::signal(SIGPIPE, SIG_DFL);
        std::raise(SIGPIPE);
    }
    return ended(2, std::string("standard output: ") + error.what());
}

/// CLI11 answers an unknown command with "A subcommand is required".
void check_command(const CLI::App& app, int argc, char** argv) {
    if (argc > 1 && argv[1][0] != '-') find_command(app, argv[1]);
}

}  // namespace

}  // namespace faying::app

namespace {

/// Before any library's own start, which may read the environment already.
#ifdef __SANITIZE_ADDRESS__  // the sanitizer has not started by then, so that nothing of ours may run
[[gnu::constructor]] void before_all() { faying::core::forget_foreign_variables(); }
#else
void before_all(int, char**, char** environment) { faying::core::forget_foreign_variables(environment); }
[[gnu::section(".preinit_array"), gnu::used]] void (*const first_of_all)(int, char**, char**) = before_all;
#endif

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGINT, [](int) { std::_Exit(130); });
    faying::io::open_standard_streams();
    faying::io::escape_standard_streams();
    faying::io::ignore_signals_of_writing();
    faying::io::protect_inputs();
    faying::network::add_law_files();
    faying::geometric::add_coupled_polynomials();
    CLI::App app{"Faying: structures whose joints slip", "faying"};
    app.set_version_flag("--version", faying_version);
    app.require_subcommand(1);
    using namespace faying::app;
    for (const auto add :
         {add_laws,     add_loop,        add_network,    add_condense,  add_mesh,      add_modes,    add_reduce,
          add_preload,  add_quasistatic, add_backbone,   add_response,  add_sice,      add_nnm,      add_ignl,
          add_envelope, add_simulate,    add_modal_iwan, add_modal_fit, add_calibrate, add_identify, add_experiment,
          add_fit,      add_report,      add_study,      add_convert,   add_deck,      add_help})
        add(app);
    refuse_non_finite(app);
    app.parse_complete_callback([&] { check_names(app); });
    try {
        check_command(app, argc, argv);
        app.parse(argc, argv);
        faying::io::flush_standard_output();
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) return ended(2, error.what());
        app.exit(error);
        try {
            faying::io::flush_standard_output();
        } catch (const faying::io::OutputFailed& failed) {
            return output_failed(failed);
        }
    } catch (const faying::io::OutputFailed& error) {
        return output_failed(error);
    } catch (const faying::core::BadInput& error) {
        return ended(2, error.what());
    } catch (const std::system_error& error) {  // says which file
        return ended(2, error.what());
    } catch (const std::bad_alloc&) {
        return ended(2, "there is not enough memory for this; ask for fewer points");
    } catch (const faying::core::NotConverged& error) {
        const bool known = std::isfinite(error.residual);
        return ended(3, error.what(), known ? fmt::format(" (residual {:.3g})", error.residual) : "");
    } catch (const Interrupted& error) {
        return ended(130, error.what());
    } catch (const std::exception& error) {
        return ended(1, error.what(), ": this should not happen; please report it with the command");
    }
    return 0;
}
