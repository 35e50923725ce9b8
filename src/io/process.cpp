#include "faying/io/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

/// What is given, and of this process's variables where programs and their libraries are.
std::vector<std::string> environment_of(const std::vector<std::string>& given, const fs::path& folder) {
    std::vector<std::string> all = given;
    all.push_back("HOME=" + folder.string());
    all.push_back("TMPDIR=" + folder.string());
    all.push_back("LC_ALL=C");
    for (const char* name : {"PATH", "LD_LIBRARY_PATH"})
        if (const char* value = std::getenv(name)) all.push_back(fmt::format("{}={}", name, value));
    return all;
}

/// In a child: what the program asks for is done to it and not to this library's handlers; nothing is blocked.
void reset_signals(void (*handler)(int)) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ}) signal(number, handler);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// The watching process. It only makes system calls: the one it was forked from may have had threads.
[[noreturn]] void keep_watch(int pipe, const char* folder, char* const* remove) {
    setsid();  // Ctrl-C is not for it
    reset_signals(SIG_IGN);
    if (pipe != 3) dup2(pipe, 3);
    for (int descriptor : {0, 1, 2}) close(descriptor);  // nobody waits for it to close them
    close_range(4, ~0u, 0);
    pid_t group = 0, told = 0;
    for (;;) {
        const ssize_t count = read(3, &told, sizeof told);
        if (count < 0 && errno == EINTR) continue;
        if (count != sizeof told) break;
        if (told == 0) _exit(0);
        group = told;
    }
    if (group > 0) kill(-group, SIGKILL);
    if (*folder == 0) _exit(0);
    char* none[] = {nullptr};
    execve("/bin/rm", remove, none);
    _exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    all.reserve(texts.size() + 1);
    for (auto& t : texts) all.push_back(t.data());
    all.push_back(nullptr);
    return all;
}

pid_t start(const fs::path& program, const std::vector<std::string>& arguments, const fs::path& folder,
            const fs::path& log, const ProcessOptions& options) {
    // All that allocates is done before fork: the child only makes system calls.
    std::vector<std::string> words{program.string()},
        variables = environment_of(options.environment, fs::absolute(folder));
    words.insert(words.end(), arguments.begin(), arguments.end());
    const std::vector<char*> argv = pointers(words), envp = pointers(variables);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "starting " + program.string());
    if (child == 0) {
        setpgid(0, 0);  // with whatever it starts itself
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(126);
        reset_signals(SIG_DFL);
        if (options.memory_limit > 0) {
            const rlimit limit{rlim_t(options.memory_limit), rlim_t(options.memory_limit)};
            setrlimit(RLIMIT_AS, &limit);
        }
        const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        const int in = open("/dev/null", O_RDONLY);
        if (out < 0 || in < 0 || chdir(folder.c_str()) != 0) _exit(126);
        dup2(in, 0);
        dup2(out, 1);
        dup2(out, 2);
        close_range(3, ~0u, 0);
        execve(argv[0], argv.data(), envp.data());
        _exit(127);
    }
    setpgid(child, child);  // whichever of the two comes first
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
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            return false;
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(2 * pause, std::chrono::microseconds(50000));
    }
}

}  // namespace

Watcher::Watcher(const fs::path& folder) {
    std::vector<std::string> words = {"rm", "-rf", "--", folder.string()};
    const std::vector<char*> remove = pointers(words);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "making a pipe");
    process_ = fork();
    if (process_ == 0) {
        close(ends[1]);
        keep_watch(ends[0], remove[3], remove.data());
    }
    close(ends[0]);
    pipe_ = ends[1];
    if (process_ < 0) {
        close(pipe_);
        throw std::system_error(errno, std::generic_category(), "starting a process");
    }
}

void Watcher::watch(int process_group) {
    const pid_t told = process_group;
    while (write(pipe_, &told, sizeof told) < 0 && errno == EINTR) {}
}

Watcher::~Watcher() {
    watch(0);
    close(pipe_);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
}

ScratchFolder::ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "faying-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
        throw std::system_error(errno, std::generic_category(), "making a scratch folder " + name);
    path_ = name;
    watcher_.emplace(path_);
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
    Watcher watcher;  // over what the program itself starts too
    const pid_t child = start(program, arguments, folder, log, options);
    watcher.watch(child);
    run.ended = wait_for(child, options.time_limit, status);
    run.log = read_text(log);
    run.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return run;
}

}  // namespace faying::io
