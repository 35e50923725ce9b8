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

std::string temporary_name(const std::string& path) {
    static std::atomic<unsigned> count{0};
    return fmt::format("{}.part-{}-{}", path, ::getpid(), count++);
}

/// A file written beside its target, waiting to take its name.
class Staged {
 public:
    explicit Staged(const FileContent& file) : path_(file.path) {
        std::optional<mode_t> permissions;
        struct stat existing {};
        if (::stat(path_.c_str(), &existing) == 0) {
            if (S_ISDIR(existing.st_mode)) fail(path_, EISDIR);
            if (!S_ISREG(existing.st_mode)) {  // /dev/stdout, a pipe: renaming onto it would replace the device
                device_ = &file.content;
                return;
            }
            if (::access(path_.c_str(), W_OK) != 0) fail(path_, errno);
            permissions = existing.st_mode & 07777;
        }
        std::error_code unresolved;
        target_ = std::filesystem::weakly_canonical(path_, unresolved).string();
        if (unresolved) target_ = path_;
        output_.emplace(temporary_name(target_), O_WRONLY | O_CREAT | O_EXCL, 0666, true);
        if (output_->descriptor() < 0) fail(path_, errno);
        if (permissions && ::fchmod(output_->descriptor(), *permissions) != 0) fail(path_, errno);
        if (!output_->write(file.content) || ::fsync(output_->descriptor()) != 0) fail(path_, errno);
    }

    const std::string& target() const { return target_; }  ///< empty for a device

    void commit() {
        if (device_ != nullptr) {
            const Output device(path_, O_WRONLY, 0, false);
            if (device.descriptor() < 0 || !device.write(*device_)) fail(path_, errno);
            return;
        }
        if (std::rename(output_->name().c_str(), target_.c_str()) != 0) fail(path_, errno);
        output_->keep();
    }

 private:
    std::string path_, target_;
    const std::string* device_ = nullptr;  ///< content for a device, written on commit
    std::optional<Output> output_;
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
    for (const auto& file : files) {
        const auto& target = staged.emplace_back(file).target();
        for (auto other = staged.begin(); other != std::prev(staged.end()); ++other)
            if (other->target() == target && !target.empty())
                throw core::BadInput(file.path, "is named twice; two results need two files");
    }
    for (auto& file : staged) file.commit();
}

void write_file(const std::string& path, std::string_view content) { write_files({{path, std::string(content)}}); }

}  // namespace faying::io
