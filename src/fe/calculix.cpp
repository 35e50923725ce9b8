#include "faying/fe/calculix.hpp"

#include <fmt/format.h>

#include <cctype>
#include <fstream>
#include <sstream>

#include "faying/io/file.hpp"
#include "faying/io/process.hpp"

namespace faying::fe {

namespace {

namespace fs = std::filesystem;

fs::path ccx(const CalculixOptions& options) { return io::find_program({options.program, "CalculiX", "calculix-ccx"}); }

/// Paragraphs of the log that begin with `mark` (" *ERROR", " *WARNING"), each on one line.
std::vector<std::string> paragraphs(const std::string& log, std::string_view mark) {
    std::vector<std::string> found;
    std::istringstream lines(log);
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string joined;
        for (std::string word; words >> word;) joined += (joined.empty() ? "" : " ") + word;
        if (joined.starts_with(mark)) {
            found.push_back(joined);
            inside = true;
        } else if (joined.empty() || joined.starts_with("*")) {
            inside = false;
        } else if (inside) {
            found.back() += " " + joined;
        }
    }
    return found;
}

/// ccx quotes a line in capitals and without blanks.
std::string as_card_image(const std::string& line) {
    std::string image;
    for (char c : line)
        if (!std::isspace(static_cast<unsigned char>(c)))
            image += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return image;
}

/// "Card image: .." of an error as the line of the deck that it quotes: " (beam.inp:17)"; "" where there is none.
std::string place_of(const std::string& error, const fs::path& deck) {
    constexpr std::string_view mark = "Card image: ";
    const auto at = error.find(mark);
    if (at == std::string::npos) return "";
    const std::string image = as_card_image(error.substr(at + mark.size()));
    std::ifstream file(deck);
    std::size_t number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (!image.empty() && as_card_image(line) == image)
            return fmt::format(" ({}:{})", deck.filename().string(), number);
    }
    return "";
}

}  // namespace

CalculixRun run_calculix_file(const fs::path& deck, const CalculixOptions& options) {
    const fs::path program = ccx(options);
    const fs::path file = fs::absolute(deck);
    if (file.extension() != ".inp") throw core::BadInput(deck.string(), "a CalculiX deck must be named *.inp");
    if (!fs::exists(file)) throw core::BadInput(deck.string(), "no such file");
    CalculixRun run;
    run.folder = file.parent_path();
    run.job = file.stem().string();
    const std::string threads = std::to_string(options.threads);
    const auto process =
        io::run_process(program, {"-i", run.job}, run.folder,
                        {.time_limit = options.time_limit,
                         .environment = {"OMP_NUM_THREADS=" + threads, "CCX_NPROC_RESULTS=" + threads,
                                         "CCX_NPROC_EQUATION_SOLVER=" + threads, "CCX_NPROC_STIFFNESS=" + threads},
                         .log = run.job + ".log"});
    run.log = process.log;
    run.exit_status = process.exit_status;
    run.warnings = paragraphs(run.log, "*WARNING");
    if (!process.ended)
        throw CalculixFailed(deck.string(),
                             fmt::format("ccx did not end within {} s and was stopped", options.time_limit), run);
    const auto errors = paragraphs(run.log, "*ERROR");
    if (run.exit_status != 0 || !errors.empty()) {
        std::string said;
        for (const auto& e : errors) said += (said.empty() ? "" : "; ") + e + place_of(e, file);
        if (said.empty()) said = "it printed no error; see " + (run.folder / (run.job + ".log")).string();
        throw CalculixFailed(deck.string(), fmt::format("ccx ended with status {}: {}", run.exit_status, said), run);
    }
    return run;
}

CalculixRun run_calculix(std::string_view deck, const fs::path& folder, const CalculixOptions& options,
                         const std::string& job) {
    ccx(options);
    const fs::path path = folder / (job + ".inp");
    io::write_file(path.string(), deck);
    return run_calculix_file(path, options);
}

}  // namespace faying::fe
