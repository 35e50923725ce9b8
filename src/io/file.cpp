// write_files on POSIX: the standard library has neither exclusive creation nor fsync.

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <list>
#include <optional>
#include <system_error>

#include "faying/core/error.hpp"
#include "faying/io/csv.hpp"

namespace faying::io {

namespace {

[[noreturn]] void fail(const std::string& path, int error) {
    throw core::BadInput(path, fmt::format("cannot be written: {}", std::strerror(error)));
}

/// An open file that is closed, and if it has a temporary name removed, unless released.
class Output {
 public:
    Output(std::string name, int flags, mode_t mode, bool temporary)
        : name_(std::move(name)), temporary_(temporary), descriptor_(::open(name_.c_str(), flags, mode)) {}
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output() {
        if (descriptor_ < 0) return;
        ::close(descriptor_);
        if (temporary_) ::unlink(name_.c_str());
    }

    int descriptor() const { return descriptor_; }
    const std::string& name() const { return name_; }
    void keep() { temporary_ = false; }

    bool write(std::string_view content) const {
        while (!content.empty()) {
            const ssize_t written = ::write(descriptor_, content.data(), content.size());
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) return false;
            content.remove_prefix(static_cast<std::size_t>(written));
        }
        return true;
    }

 private:
    std::string name_;
    bool temporary_;
    int descriptor_;
};

/// Where a path leads, and what is there.
struct Target {
    std::string name;
    bool device = false;                     ///< /dev/stdout, a pipe: renaming onto it would replace the device
    std::optional<mode_t> permissions = {};  ///< of the file that is there already
};

Target target_of(const std::string& path) {
    struct stat existing {};
    if (::stat(path.c_str(), &existing) != 0) {
        std::error_code unresolved;
        auto whole = std::filesystem::absolute(path, unresolved);
        if (!unresolved) whole = std::filesystem::weakly_canonical(whole, unresolved);
        return {unresolved ? path : whole.string()};
    }
    if (S_ISDIR(existing.st_mode)) fail(path, EISDIR);
    if (!S_ISREG(existing.st_mode)) return {path, true};
    if (::access(path.c_str(), W_OK) != 0) fail(path, errno);
    return {std::filesystem::canonical(path).string(), false, existing.st_mode & 07777};
}

std::string temporary_name(const std::string& path) {
    static std::atomic<unsigned> count{0};
    return fmt::format("{}.part-{}-{}", path, ::getpid(), count++);
}

/// A file written beside its target, waiting to take its name.
class Staged {
 public:
    Staged(const std::string& path, Target target, const std::function<bool(const Output&)>& fill)
        : path_(path),
          target_(std::move(target)),
          output_(temporary_name(target_.name), O_WRONLY | O_CREAT | O_EXCL, 0666, true) {
        if (output_.descriptor() < 0) fail(path_, errno);
        if (target_.permissions && ::fchmod(output_.descriptor(), *target_.permissions) != 0) fail(path_, errno);
        if (!fill(output_) || ::fsync(output_.descriptor()) != 0) fail(path_, errno);
    }
    const std::string& name() const { return target_.name; }
    void commit() {
        if (std::rename(output_.name().c_str(), target_.name.c_str()) != 0) fail(path_, errno);
        output_.keep();
    }

 private:
    std::string path_;
    Target target_;
    Output output_;
};

/// An interrupt that comes now waits until the files are whole.
class Uninterrupted {
 public:
    Uninterrupted() {
        sigset_t interrupts;
        ::sigemptyset(&interrupts);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&interrupts, signal);
        ::pthread_sigmask(SIG_BLOCK, &interrupts, &before_);
    }
    Uninterrupted(const Uninterrupted&) = delete;
    Uninterrupted& operator=(const Uninterrupted&) = delete;
    ~Uninterrupted() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
    sigset_t before_{};
};

}  // namespace

void write_files(const std::vector<FileContent>& files) {
    const Uninterrupted uninterrupted;
    std::list<Staged> staged;
    std::vector<const FileContent*> devices;
    for (const auto& file : files) {
        const Target target = target_of(file.path);
        if (target.device) {
            devices.push_back(&file);
            continue;
        }
        for (const auto& other : staged)
            if (other.name() == target.name)
                throw core::BadInput(file.path, "is named twice; two results need two files");
        staged.emplace_back(file.path, target, [&](const Output& output) { return output.write(file.content); });
    }
    for (auto& file : staged) file.commit();
    for (const auto* file : devices) {
        const Output device(file->path, O_WRONLY, 0, false);
        if (device.descriptor() < 0 || !device.write(file->content)) fail(file->path, errno);
    }
}

void write_file(const std::string& path, std::string_view content) { write_files({{path, std::string(content)}}); }

void replace_file(const std::string& path, const std::function<void(const std::string& temporary)>& fill) {
    const Uninterrupted uninterrupted;
    const Target target = target_of(path);
    if (target.device) throw core::BadInput(path, "cannot be written: a plain file is needed, not a device or pipe");
    Staged file(path, target, [&](const Output& output) {
        fill(output.name());
        return true;
    });
    file.commit();
}

}  // namespace faying::io
