#include "faying/fe/gmsh.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "faying/core/error.hpp"
#include "faying/fe/deck_reader.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/process.hpp"

namespace faying::fe {

namespace {

/// Lines of the log that Gmsh marks as errors.
std::string errors_of(const std::string& log) {
    std::istringstream lines(log);
    std::string found;
    for (std::string line; std::getline(lines, line);)
        if (line.find("Error") != std::string::npos) found += (found.empty() ? "" : "; ") + line;
    return found.empty() ? "it printed no error" : found;
}

}  // namespace

std::string gmsh_deck_text(const std::string& geo, const GmshOptions& options) {
    const auto program = io::find_program({options.program, "Gmsh", "gmsh"});
    const io::ScratchFolder folder;
    io::write_file((folder.path() / "mesh.geo").string(), geo);
    // One thread and no random seed of its own: the same mesh every time.
    const auto run = io::run_process(
        program, {"mesh.geo", fmt::format("-{}", options.dimension), "-format", "inp", "-o", "mesh.inp"}, folder.path(),
        {.time_limit = options.time_limit,
         .memory_limit = options.memory_limit,
         .environment = {"OMP_NUM_THREADS=1"},
         .log = "gmsh.log"});
    if (!run.ended) throw core::BadInput("gmsh", fmt::format("did not end within {} s", options.time_limit));
    std::ifstream file(folder.path() / "mesh.inp");
    if (run.exit_status != 0 || !file)
        throw core::BadInput("gmsh", fmt::format("ended with status {} (it may use {:g} GB of memory): {}",
                                                 run.exit_status, options.memory_limit / 1e9, errors_of(run.log)));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Deck mesh_with_gmsh(const std::string& geo, const GmshOptions& options) {
    return parse_deck(gmsh_deck_text(geo, options));
}

}  // namespace faying::fe
