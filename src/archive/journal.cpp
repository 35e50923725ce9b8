#include "journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "faying/core/checksum.hpp"
#include "faying/core/error.hpp"

namespace faying::archive {

namespace {

/// Before the content of every frame.
struct Head {
    std::uint64_t size = 0, checksum = 0;
};

std::uint64_t checksum_of(std::string_view content) {
    core::Checksum sum;
    sum.add(std::uint64_t(content.size()));  // so that a stretch of zeros is no frame
    sum.add(content);
    return sum.value();
}

/// False at the end of the file.
bool read_at(int descriptor, std::uint64_t at, void* data, std::size_t size) {
    auto* to = static_cast<char*>(data);
    while (size > 0) {
        const ssize_t got = ::pread(descriptor, to, size, off_t(at));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        to += got;
        at += std::uint64_t(got);
        size -= std::size_t(got);
    }
    return true;
}

bool write_at(int descriptor, std::uint64_t at, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(descriptor, bytes.data(), bytes.size(), off_t(at));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        at += std::uint64_t(written);
        bytes.remove_prefix(std::size_t(written));
    }
    return true;
}

}  // namespace

Journal::Journal(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      end_(other.end_),
      frames_(std::move(other.frames_)) {}

Journal& Journal::operator=(Journal&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(descriptor_, other.descriptor_);
    std::swap(end_, other.end_);
    std::swap(frames_, other.frames_);
    return *this;
}

Journal::~Journal() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

/// The kernel lets go of the lock when the process ends, however it ends.
int Journal::open_locked(const std::string& path, int flags) {
    for (;;) {
        const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | flags, 0666);
        if (descriptor < 0 && errno == ENOENT && flags == 0) return -1;
        if (descriptor < 0) throw core::BadInput(path, fmt::format("cannot be written: {}", std::strerror(errno)));
        if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            ::close(descriptor);
            throw core::BadInput(path, "is in use by another run that writes this record; let that one end first");
        }
        struct stat open {
        }, there{};
        if (::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &there) == 0 && open.st_ino == there.st_ino &&
            open.st_dev == there.st_dev)
            return descriptor;
        ::close(descriptor);  // its owner removed it between our two calls
    }
}

Journal Journal::create(const std::string& path, std::string_view first) {
    Journal journal(path, open_locked(path, O_CREAT));
    if (::ftruncate(journal.descriptor_, 0) != 0)
        throw core::BadInput(path, fmt::format("cannot be written: {}", std::strerror(errno)));
    try {
        journal.append(first);
    } catch (const core::BadInput&) {
        journal.remove();
        throw;
    }
    return journal;
}

std::optional<Journal> Journal::open(const std::string& path) {
    const int descriptor = open_locked(path, 0);
    if (descriptor < 0) return {};
    Journal journal(path, descriptor);
    struct stat file {};
    if (::fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode)) throw core::BadInput(path, "is not a file");
    const auto size = std::uint64_t(file.st_size);
    for (Head head; read_at(descriptor, journal.end_, &head, sizeof head);) {
        const Frame frame{journal.end_ + sizeof head, head.size};
        if (head.size > size || frame.at + frame.size > size || checksum_of(journal.content(frame)) != head.checksum)
            break;
        journal.frames_.push_back(frame);
        journal.end_ = frame.at + frame.size;
    }
    if (journal.frames_.empty()) return {};
    return journal;
}

Journal::Frame Journal::append(std::string_view content) {
    const Head head{content.size(), checksum_of(content)};
    std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
    bytes += content;
    struct stat file {};
    if (::fstat(descriptor_, &file) == 0 && file.st_nlink == 0)
        throw core::BadInput(path_, "was deleted while it was being written; what it held is lost");
    // What a kill left behind the last whole frame is written over.
    if (!write_at(descriptor_, end_, bytes) || ::ftruncate(descriptor_, off_t(end_ + bytes.size())) != 0 ||
        ::fdatasync(descriptor_) != 0) {
        const int error = errno;
        if (::ftruncate(descriptor_, off_t(end_)) != 0) errno = error;  // its checksum would not fit anyway
        throw core::BadInput(
            path_, fmt::format("cannot be written: {}; what was recorded before is kept", std::strerror(error)));
    }
    const Frame& frame = frames_.emplace_back(Frame{end_ + sizeof head, content.size()});
    end_ += bytes.size();
    return frame;
}

void Journal::read(std::uint64_t at, void* data, std::size_t size) const {
    if (!read_at(descriptor_, at, data, size)) throw core::BadInput(path_, "cannot be read: it ends too soon");
}

std::string Journal::content(const Frame& frame) const {
    std::string bytes(frame.size, '\0');
    read(frame.at, bytes.data(), bytes.size());
    return bytes;
}

void Journal::remove() { ::unlink(path_.c_str()); }

}  // namespace faying::archive
