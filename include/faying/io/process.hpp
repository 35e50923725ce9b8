#pragma once
// Other programs (ccx, gmsh) as processes: found on PATH, run in a folder, stopped at a time limit. They and their
// scratch folders end with this process, however it ends.
//
//     io::ScratchFolder folder;
//     const auto program = io::find_program({"gmsh", "Gmsh", "gmsh"});
//     const auto run = io::run_process(program, {"-3", "beam.geo"}, folder.path(), {.time_limit = 60});

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace faying::io {

/// A process that outlives this one, to clean up after it: when this one ends, by whatever signal, it kills the process
/// groups it was told of and removes the folder.
class Watcher {
 public:
    explicit Watcher(const std::filesystem::path& folder = {});
    ~Watcher();  ///< nothing is to be done any more
    Watcher(const Watcher&) = delete;
    Watcher& operator=(const Watcher&) = delete;
    void watch(int process_group);

 private:
    int pipe_ = -1;
    int process_ = -1;
};

/// A new empty folder under the system's temporary one, removed with its content at the end of the scope or of the
/// process.
class ScratchFolder {
 public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

 private:
    std::filesystem::path path_;
    std::optional<Watcher> watcher_;
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
    double memory_limit = 0;               ///< bytes of address space; 0: as much as there is
    std::vector<std::string> environment;  ///< NAME=value, all it sees beside PATH, LD_LIBRARY_PATH and its own HOME
    std::string log = "process.log";       ///< in the folder: both its outputs
};

struct ProcessRun {
    bool ended = true;    ///< false: stopped at the time limit
    int exit_status = 0;  ///< 128 + signal when one ended it
    std::string log;
};

/// HOME and TMPDIR are the folder it runs in, so that no start-up file of the user's decides what it does.
ProcessRun run_process(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                       const std::filesystem::path& folder, const ProcessOptions& options = {});

}  // namespace faying::io
