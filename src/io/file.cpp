// write_file on POSIX: the standard library has neither exclusive creation nor fsync.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

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
    if (::stat(path.c_str(), &existing) != 0) return {path};
    if (S_ISDIR(existing.st_mode)) fail(path, EISDIR);
    if (!S_ISREG(existing.st_mode)) return {path, true};
    if (::access(path.c_str(), W_OK) != 0) fail(path, errno);
    return {std::filesystem::canonical(path).string(), false, existing.st_mode & 07777};
}

std::string temporary_name(const std::string& path) {
    static std::atomic<unsigned> count{0};
    return fmt::format("{}.part-{}-{}", path, ::getpid(), count++);
}

void replace(const std::string& path, const Target& target, const std::function<bool(const Output&)>& fill) {
    Output file(temporary_name(target.name), O_WRONLY | O_CREAT | O_EXCL, 0666, true);
    if (file.descriptor() < 0) fail(path, errno);
    if (target.permissions && ::fchmod(file.descriptor(), *target.permissions) != 0) fail(path, errno);
    if (!fill(file) || ::fsync(file.descriptor()) != 0) fail(path, errno);
    if (std::rename(file.name().c_str(), target.name.c_str()) != 0) fail(path, errno);
    file.keep();
}

}  // namespace

void write_file(const std::string& path, std::string_view content) {
    const Target target = target_of(path);
    if (target.device) {
        const Output device(path, O_WRONLY, 0, false);
        if (device.descriptor() < 0 || !device.write(content)) fail(path, errno);
        return;
    }
    replace(path, target, [&](const Output& file) { return file.write(content); });
}

void replace_file(const std::string& path, const std::function<void(const std::string& temporary)>& fill) {
    const Target target = target_of(path);
    if (target.device) throw core::BadInput(path, "cannot be written: a plain file is needed, not a device or pipe");
    replace(path, target, [&](const Output& file) {
        fill(file.name());
        return true;
    });
}

}  // namespace faying::io
