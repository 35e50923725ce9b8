#pragma once
// Other programs (ccx, gmsh) as processes: found on PATH, run in a folder, stopped at a time limit.
//
//     io::ScratchFolder folder;
//     const auto program = io::find_program({"gmsh", "Gmsh", "gmsh"});
//     const auto run = io::run_process(program, {"-3", "beam.geo"}, folder.path(), {.time_limit = 60});

#include <filesystem>
#include <string>
#include <vector>

namespace faying::io {

/// A new empty folder under the system's temporary one, removed with its content at the end of the scope.
class ScratchFolder {
 public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

 private:
    std::filesystem::path path_;
};

struct Program {
    std::string name;     ///< on PATH, or a path
    std::string title;    ///< for messages
    std::string package;  ///< the Debian package that brings it
};

/// Throws BadInput naming the package to install when it is not there.
std::filesystem::path find_program(const Program& program);

struct ProcessOptions {
    double time_limit = 600;               ///< seconds; the process is killed then
    std::vector<std::string> environment;  ///< NAME=value, in place of what the variable was
    std::string log = "process.log";       ///< in the folder: both its outputs
};

struct ProcessRun {
    bool ended = true;    ///< false: stopped at the time limit
    int exit_status = 0;  ///< 128 + signal when one ended it
    std::string log;
};

ProcessRun run_process(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                       const std::filesystem::path& folder, const ProcessOptions& options = {});

}  // namespace faying::io
