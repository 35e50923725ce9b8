#include "faying/fe/calculix.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

namespace faying::fe {

namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream all;
    all << file.rdbuf();
    return all.str();
}

fs::path find_program(const std::string& program) {
    if (program.find('/') != std::string::npos) {
        if (access(program.c_str(), X_OK) == 0) return fs::absolute(program);
    } else if (const char* path = std::getenv("PATH")) {
        std::istringstream folders(path);
        for (std::string folder; std::getline(folders, folder, ':');) {
            const fs::path candidate = fs::path(folder.empty() ? "." : folder) / program;
            if (access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate)) return fs::absolute(candidate);
        }
    }
    throw core::BadInput(program,
                         "CalculiX is not installed here: install the Debian package calculix-ccx, or say "
                         "where its program is");
}

/// Starts program -i job in `folder`, both its outputs to `log`.
pid_t start(const fs::path& program, const std::string& job, const fs::path& folder, const fs::path& log, int threads) {
    // All that allocates is done before fork: the child only makes system calls.
    const std::string count = fmt::format("OMP_NUM_THREADS={}", threads);
    std::vector<std::string> environment{count};
    for (char** e = environ; *e != nullptr; ++e)
        if (std::strncmp(*e, "OMP_NUM_THREADS=", 16) != 0 && std::strncmp(*e, "CCX_NPROC", 9) != 0)
            environment.emplace_back(*e);
    std::vector<char*> variables;
    for (auto& e : environment) variables.push_back(e.data());
    variables.push_back(nullptr);
    std::string name = program.string(), flag = "-i", argument = job;
    char* arguments[] = {name.data(), flag.data(), argument.data(), nullptr};
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "starting " + name);
    if (child == 0) {
        const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        const int in = open("/dev/null", O_RDONLY);
        if (out < 0 || in < 0 || chdir(folder.c_str()) != 0) _exit(126);
        dup2(in, 0);
        dup2(out, 1);
        dup2(out, 2);
        execve(name.c_str(), arguments, variables.data());
        _exit(127);
    }
    return child;
}

/// The process's wait status, or nothing when the limit passed and it was killed.
bool wait_for(pid_t child, double seconds, int& status) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    auto pause = std::chrono::microseconds(500);
    for (;;) {
        const pid_t done = waitpid(child, &status, WNOHANG);
        if (done == child) return true;
        if (done < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "waiting for ccx");
        if (std::chrono::steady_clock::now() > end) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return false;
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(2 * pause, std::chrono::microseconds(50000));
    }
}

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

CalculixRun run_calculix_file(const fs::path& deck, const CalculixOptions& options) {
    const fs::path program = find_program(options.program);
    const fs::path file = fs::absolute(deck);
    if (file.extension() != ".inp") throw core::BadInput(deck.string(), "a CalculiX deck must be named *.inp");
    if (!fs::exists(file)) throw core::BadInput(deck.string(), "no such file");
    CalculixRun run;
    run.folder = file.parent_path();
    run.job = file.stem().string();
    const fs::path log = run.folder / (run.job + ".log");
    int status = 0;
    const bool ended = wait_for(start(program, run.job, run.folder, log, options.threads), options.time_limit, status);
    run.log = read_text(log);
    run.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    run.warnings = paragraphs(run.log, "*WARNING");
    if (!ended)
        throw CalculixFailed(deck.string(),
                             fmt::format("ccx did not end within {} s and was stopped", options.time_limit), run);
    const auto errors = paragraphs(run.log, "*ERROR");
    if (run.exit_status != 0 || !errors.empty()) {
        std::string said;
        for (const auto& e : errors) said += (said.empty() ? "" : "; ") + e;
        if (said.empty()) said = "it printed no error; see " + log.string();
        throw CalculixFailed(deck.string(), fmt::format("ccx ended with status {}: {}", run.exit_status, said), run);
    }
    return run;
}

CalculixRun run_calculix(std::string_view deck, const fs::path& folder, const CalculixOptions& options,
                         const std::string& job) {
    find_program(options.program);
    const fs::path path = folder / (job + ".inp");
    std::ofstream file(path, std::ios::binary);
    file << deck;
    file.close();
    if (!file) throw std::system_error(errno, std::generic_category(), "writing " + path.string());
    return run_calculix_file(path, options);
}

}  // namespace faying::fe
