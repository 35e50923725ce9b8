#pragma once
// What the subcommands share: one file per subcommand, each with a function that adds itself to the command line.

#include <CLI/App.hpp>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "faying/core/frequency.hpp"
#include "faying/io/output.hpp"

namespace faying::app {

/// Options every command has.
struct Common {
    bool json = false;
    int threads = 0;
    /// Prints the result: one JSON object with --json, else the text.
    void report(const std::string& command, const nlohmann::json& result,
                const std::function<std::string()>& text) const;
    template <class Print>
    requires std::is_void_v<std::invoke_result_t<Print>>
    void report(const std::string& command, const nlohmann::json& result, const Print& print) const {
        report(command, result, std::function<std::string()>([&] { return print(), std::string(); }));
    }
};

/// Lets no option of the command and its subcommands take nan or inf, or nothing ("") where something is meant.
void refuse_non_finite(CLI::App& app);
/// For numbers; CLI11's own check names a range that ends in a number of 309 digits.
std::string above_zero(const std::string& text);

inline constexpr const char* plot_help = "write an interactive page (.html) or a picture (.svg)";

void add_common(CLI::App& command, Common& common);

/// --csv, unless `csv` (what is written to it) is null; --plot and --title.
void add_outputs(CLI::App& command, io::OutputFiles& files, const char* csv, const char* plot = plot_help);
/// --prestress.
void add_friction(CLI::App& command, std::string& word);
/// --unit.
void add_unit(CLI::App& command, core::FrequencyUnit& unit);

/// Throws core::BadInput when there is no folder for this file: to be asked before a long run, not after it.
void check_folder_of(const std::string& file);

/// Throws core::BadInput where an output of the command line is also one of its inputs, or two outputs are one file.
/// Inputs that input files name in turn are known once they are read: io::input.
void check_names(const CLI::App& app);

void add_backbone(CLI::App& app);
void add_calibrate(CLI::App& app);
void add_condense(CLI::App& app);
void add_convert(CLI::App& app);
void add_deck(CLI::App& app);
void add_envelope(CLI::App& app);
void add_experiment(CLI::App& app);
void add_fit(CLI::App& app);
void add_help(CLI::App& app);
void add_identify(CLI::App& app);
void add_ignl(CLI::App& app);
void add_laws(CLI::App& app);
void add_loop(CLI::App& app);
void add_mesh(CLI::App& app);
void add_modal_fit(CLI::App& app);
void add_modal_iwan(CLI::App& app);
void add_modes(CLI::App& app);
void add_network(CLI::App& app);
void add_nnm(CLI::App& app);
void add_preload(CLI::App& app);
void add_quasistatic(CLI::App& app);
void add_reduce(CLI::App& app);
void add_report(CLI::App& app);
void add_response(CLI::App& app);
void add_sice(CLI::App& app);
void add_simulate(CLI::App& app);
void add_study(CLI::App& app);

}  // namespace faying::app
