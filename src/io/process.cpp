#include "faying/io/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

#include "faying/core/error.hpp"

namespace faying::io {

namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream all;
    all << file.rdbuf();
    return all.str();
}

/// This process's variables with some replaced.
std::vector<std::string> environment_with(const std::vector<std::string>& replaced) {
    std::vector<std::string> all = replaced;
    for (char** e = environ; *e != nullptr; ++e) {
        const std::string variable = *e;
        const std::string start = variable.substr(0, variable.find('=') + 1);
        if (std::none_of(replaced.begin(), replaced.end(), [&](const auto& r) { return r.starts_with(start); }))
            all.push_back(variable);
    }
    return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    all.reserve(texts.size() + 1);
    for (auto& t : texts) all.push_back(t.data());
    all.push_back(nullptr);
    return all;
}

pid_t start(const fs::path& program, const std::vector<std::string>& arguments, const fs::path& folder,
            const fs::path& log, const std::vector<std::string>& environment) {
    // All that allocates is done before fork: the child only makes system calls.
    std::vector<std::string> words{program.string()}, variables = environment_with(environment);
    words.insert(words.end(), arguments.begin(), arguments.end());
    const std::vector<char*> argv = pointers(words), envp = pointers(variables);
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "starting " + program.string());
    if (child == 0) {
        const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        const int in = open("/dev/null", O_RDONLY);
        if (out < 0 || in < 0 || chdir(folder.c_str()) != 0) _exit(126);
        dup2(in, 0);
        dup2(out, 1);
        dup2(out, 2);
        execve(argv[0], argv.data(), envp.data());
        _exit(127);
    }
    return child;
}

/// False when the limit passed and the process was killed.
bool wait_for(pid_t child, double seconds, int& status) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    auto pause = std::chrono::microseconds(500);
    for (;;) {
        const pid_t done = waitpid(child, &status, WNOHANG);
        if (done == child) return true;
        if (done < 0 && errno != EINTR)
            throw std::system_error(errno, std::generic_category(), "waiting for a process");
        if (std::chrono::steady_clock::now() > end) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return false;
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(2 * pause, std::chrono::microseconds(50000));
    }
}

}  // namespace

ScratchFolder::ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "faying-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
        throw std::system_error(errno, std::generic_category(), "making a scratch folder " + name);
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;  // a folder left behind is no reason to end the program
    fs::remove_all(path_, ignored);
}

fs::path find_program(const Program& program) {
    if (program.name.find('/') != std::string::npos) {
        if (access(program.name.c_str(), X_OK) == 0) return fs::absolute(program.name);
    } else if (const char* path = std::getenv("PATH")) {
        std::istringstream folders(path);
        for (std::string folder; std::getline(folders, folder, ':');) {
            const fs::path candidate = fs::path(folder.empty() ? "." : folder) / program.name;
            if (access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate)) return fs::absolute(candidate);
        }
    }
    throw core::BadInput(
        program.name, fmt::format("{} is not installed here: install the Debian package {}, or say where its program "
                                  "is",
                                  program.title, program.package));
}

ProcessRun run_process(const fs::path& program, const std::vector<std::string>& arguments, const fs::path& folder,
                       const ProcessOptions& options) {
    const fs::path log = fs::absolute(folder) / options.log;
    ProcessRun run;
    int status = 0;
    run.ended = wait_for(start(program, arguments, folder, log, options.environment), options.time_limit, status);
    run.log = read_text(log);
    run.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return run;
}

}  // namespace faying::io
