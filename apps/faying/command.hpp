#pragma once
// What the subcommands share: one file per subcommand, each with a function that adds itself to the command line.

#include <CLI/App.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "faying/core/frequency.hpp"
#include "faying/core/names.hpp"
#include "faying/core/stop.hpp"
#include "faying/io/interrupt.hpp"
#include "faying/io/output.hpp"

namespace faying::modes {
enum class Friction;
}

namespace faying::app {

using core::Interrupted, io::InterruptGuard;

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

std::string not_empty(const std::string& text);

/// For commands that run under mpirun. Bad input and Ctrl-C are the same on every rank, and rank 0 says it for all.
void on_all_ranks(const std::function<void()>& body);

inline constexpr const char* plot_help = "write an interactive page (.html) or a picture (.svg)";

void add_common(CLI::App& command, Common& common);

/// A subcommand, and what its options fill in.
template <class Options>
std::pair<CLI::App*, std::shared_ptr<Options>> add_command(CLI::App& app, const char* name, const char* description,
                                                           const char* examples) {
    auto* command = app.add_subcommand(name, description);
    command->footer(examples);
    return {command, std::make_shared<Options>()};
}

/// Ends it: the options that every command has, and what is done with all of them.
template <class Options, class Run>
void runs(CLI::App& command, const std::shared_ptr<Options>& options, const Run& run) {
    add_common(command, options->common);
    command.callback([options, run] { run(*options); });
}

/// --csv, unless `csv` (what is written to it) is null; --plot and --title.
void add_outputs(CLI::App& command, io::OutputFiles& files, const char* csv, const char* plot = plot_help);
/// --prestress.
void add_friction(CLI::App& command, modes::Friction& friction);
/// --unit.
void add_unit(CLI::App& command, core::FrequencyUnit& unit);

/// --harmonics and --samples.
struct HarmonicWords {
    std::string orders;  ///< empty: not given
    int samples = 0;

    bool given() const { return !orders.empty() || samples > 0; }
};
void add_harmonics(CLI::App& command, HarmonicWords& words);

/// Throws core::BadInput where an output of the command line is also one of its inputs, or two outputs are one file.
/// Inputs that input files name in turn are known once they are read: io::input.
void check_names(const CLI::App& app);

/// Throws core::BadInput, naming those there are, when there is none of this name.
const CLI::App& find_command(const CLI::App& app, const std::string& name);

/// An option whose words stand in a table of names; `value` keeps what it was where the option is not given.
template <class Value, class Choice, std::size_t N>
CLI::Option* add_choice(CLI::App& command, const std::string& option, Value& value, const core::Names<Choice, N>& names,
                        const std::string& help) {
    const auto read = [&value, &names, option](const std::string& word) { value = core::named(names, word, option); };
    return command.add_option_function<std::string>(option, read, help);
}

/// A command that adds itself to the command line.
using AddCommand = void(CLI::App& app);
AddCommand add_backbone, add_calibrate, add_condense, add_convert, add_deck, add_envelope, add_experiment, add_fit,
    add_help, add_identify, add_ignl, add_laws, add_loop, add_mesh, add_modal_fit, add_modal_iwan, add_modes,
    add_network, add_nnm, add_preload, add_quasistatic, add_reduce, add_report, add_response, add_sice, add_simulate,
    add_study;

}  // namespace faying::app
