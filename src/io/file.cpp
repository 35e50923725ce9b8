// Whole files on POSIX: the standard library has neither nameless files nor fsync.

#include "faying/io/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <list>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>

#include "faying/core/error.hpp"

namespace faying::io {

namespace {

[[noreturn]] void fail(const std::string& path, int error) {
    throw core::BadInput(path, fmt::format("cannot be written: {}", std::strerror(error)));
}

// ---- inputs that are protected

using Identity = std::pair<dev_t, ino_t>;

struct Inputs {
    std::mutex mutex;
    bool kept = false;
    std::set<Identity> read;
};

Inputs& inputs() {
    static Inputs all;
    return all;
}

void refuse_input(const std::string& path, const struct stat& there) {
    auto& all = inputs();
    const std::lock_guard lock(all.mutex);
    if (all.read.contains({there.st_dev, there.st_ino}))
        throw core::BadInput(path, "is an input of this command and would be overwritten; give another name");
}

// ---- where a path leads

struct Target {
    std::string name;
    bool device = false;                     ///< /dev/stdout, a pipe: renaming onto it would replace the device
    std::optional<mode_t> permissions = {};  ///< of the file that is there already
};

Target target_of(const std::string& path) {
    struct stat existing {};
    if (::stat(path.c_str(), &existing) != 0) return {resolved(path)};
    if (S_ISDIR(existing.st_mode)) fail(path, EISDIR);
    if (!S_ISREG(existing.st_mode)) return {path, true};
    if (::access(path.c_str(), W_OK) != 0) fail(path, errno);
    refuse_input(path, existing);
    return {resolved(path), false, existing.st_mode & 07777};
}

std::string folder_of(const std::string& name) {
    const auto folder = std::filesystem::path(name).parent_path().string();
    return folder.empty() ? "." : folder;
}

// ---- descriptors

class Descriptor {
 public:
    explicit Descriptor(int id = -1) : id_(id) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    operator int() const { return id_; }
    void take(int id) {
        close();
        id_ = id;
    }

 private:
    int id_;
    void close() {
        if (id_ >= 0) ::close(id_);
    }
};

bool write_all(int descriptor, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// On disk; some file systems cannot be asked, and then there is nothing to wait for.
bool flush(int descriptor) { return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP; }

/// Ours as long as the descriptor is open, however the process ends. (Not flock: HDF5 takes that itself.)
bool lock(int descriptor) {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    return ::fcntl(descriptor, F_OFD_SETLK, &whole) == 0;
}

bool is_at(int descriptor, const std::string& name) {
    struct stat open {
    }, there{};
    return ::fstat(descriptor, &open) == 0 && ::stat(name.c_str(), &there) == 0 && open.st_dev == there.st_dev &&
           open.st_ino == there.st_ino;
}

/// Removes a file that a process which no longer lives was writing. False where it is still being written.
bool remove_stale(const std::string& name) {
    const Descriptor old(::open(name.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (old < 0) return errno == ENOENT;
    return lock(old) && is_at(old, name) && ::unlink(name.c_str()) == 0;
}

/// A file on its way to a target: without a name, or with a temporary one, until it is committed.
class Staged {
 public:
    enum class Name { none, temporary };
    Staged(std::string path, Target target, Name name) : path_(std::move(path)), target_(std::move(target)) {
        if (name == Name::none)
            descriptor_.take(::open(folder_of(target_.name).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666));
        if (descriptor_ >= 0 && ::access(opened().c_str(), F_OK) == 0)
            lock(descriptor_);
        else
            with_name();
        if (!target_.permissions || ::fchmod(descriptor_, *target_.permissions) == 0) return;
        const int error = errno;
        if (!temporary_.empty()) ::unlink(temporary_.c_str());
        fail(path_, error);
    }
    Staged(const Staged&) = delete;
    Staged& operator=(const Staged&) = delete;
    ~Staged() {
        if (!temporary_.empty()) ::unlink(temporary_.c_str());
    }

    const std::string& target() const { return target_.name; }
    const std::string& temporary() const { return temporary_; }
    void write(std::string_view content) {
        if (!write_all(descriptor_, content)) fail(path_, errno);
    }
    void finish() {
        if (!flush(descriptor_)) fail(path_, errno);
    }
    void commit() {
        if (temporary_.empty()) link();
        if (std::rename(temporary_.c_str(), target_.name.c_str()) != 0) fail(path_, errno);
        temporary_.clear();
        const Descriptor folder(::open(folder_of(target_.name).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (folder >= 0 && !flush(folder)) fail(path_, errno);
    }

 private:
    std::string path_;
    Target target_;
    Descriptor descriptor_;
    std::string temporary_;  ///< empty: it has no name

    std::string opened() const { return fmt::format("/proc/self/fd/{}", int(descriptor_)); }

    /// Tries `take` with one temporary name after the other, until it succeeds or fails for another reason than that
    /// the name is taken by a living process.
    template <class Take>
    void first_free(const Take& take) {
        constexpr int most = 1000;
        for (int n = 1; n <= most; ++n) {
            const std::string name = target_.name + (n == 1 ? ".part" : fmt::format(".part-{}", n));
            for (int attempt = 0; attempt < 3; ++attempt) {
                if (take(name)) {
                    temporary_ = name;
                    return;
                }
                if (errno != EEXIST) fail(path_, errno);
                if (!remove_stale(name)) break;
            }
        }
        fail(path_, EEXIST);
    }
    void with_name() {
        first_free([&](const std::string& name) {
            descriptor_.take(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
            if (descriptor_ < 0) return false;
            lock(descriptor_);
            if (is_at(descriptor_, name)) return true;
            errno = EEXIST;  // somebody took it for a stale one before it was locked
            return false;
        });
    }
    void link() {
        first_free([&](const std::string& name) {
            return ::linkat(AT_FDCWD, opened().c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
        });
    }
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

struct Part {
    const std::string& path;
    std::string_view content;
};

void write_parts(const std::vector<Part>& parts) {
    const Uninterrupted uninterrupted;
    std::list<Staged> staged;
    std::vector<Part> devices;
    for (const auto& part : parts) {
        Target target = target_of(part.path);
        if (target.device) {
            devices.push_back(part);
            continue;
        }
        for (const auto& other : staged)
            if (other.target() == target.name)
                throw core::BadInput(part.path, "is named twice; two results need two files");
        auto& file = staged.emplace_back(part.path, std::move(target), Staged::Name::none);
        file.write(part.content);
        file.finish();
    }
    for (auto& file : staged) file.commit();
    for (const auto& part : devices) {
        const Descriptor device(::open(part.path.c_str(), O_WRONLY | O_CLOEXEC));
        if (device < 0 || !write_all(device, part.content)) fail(part.path, errno);
    }
}

}  // namespace

void write_files(const std::vector<FileContent>& files) {
    std::vector<Part> parts;
    for (const auto& file : files) parts.push_back({file.path, file.content});
    write_parts(parts);
}

void write_file(const std::string& path, std::string_view content) { write_parts({{path, content}}); }

void replace_file(const std::string& path, const std::function<void(const std::string& temporary)>& fill) {
    const Uninterrupted uninterrupted;
    Target target = target_of(path);
    if (target.device) throw core::BadInput(path, "cannot be written: a plain file is needed, not a device or pipe");
    Staged file(path, std::move(target), Staged::Name::temporary);
    fill(file.temporary());
    file.finish();
    file.commit();
}

void check_writable(const std::string& path) {
    const Target target = target_of(path);
    if (target.device) return;
    const std::string folder = folder_of(target.name);
    if (!std::filesystem::is_directory(folder)) throw core::BadInput(path, "its folder does not exist");
    if (::access(folder.c_str(), W_OK | X_OK) != 0) fail(path, errno);
}

bool same_file(const std::string& a, const std::string& b) {
    struct stat first {
    }, second{};
    const bool there = ::stat(a.c_str(), &first) == 0;
    if (there != (::stat(b.c_str(), &second) == 0)) return false;
    if (there) return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
    return resolved(a) == resolved(b);
}

std::string resolved(const std::string& path) {
    constexpr int most_links = 40;  // the kernel's own limit
    std::error_code failed;
    auto whole = std::filesystem::absolute(path, failed);
    for (int links = 0; !failed && links < most_links && std::filesystem::is_symlink(whole, failed); ++links)
        whole = whole.parent_path() / std::filesystem::read_symlink(whole, failed);
    if (!failed || failed == std::errc::no_such_file_or_directory)  // a link may lead to what is not there yet
        whole = std::filesystem::weakly_canonical(whole, failed);
    return failed ? path : whole.string();
}

void protect_inputs() {
    const std::lock_guard lock(inputs().mutex);
    inputs().kept = true;
}

const std::string& input(const std::string& path) {
    auto& all = inputs();
    struct stat file {};
    if (::stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return path;
    const std::lock_guard lock(all.mutex);
    if (all.kept) all.read.insert({file.st_dev, file.st_ino});
    return path;
}

}  // namespace faying::io
