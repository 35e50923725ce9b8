#pragma once
// A file that only grows, frame by frame. A frame is there as a whole or not at all: after a kill at any moment, what
// follows the last whole one is dropped.
//
//     Journal journal = Journal::create("run.h5.journal", "what it is the journal of");
//     journal.append(bytes);                                    // on disk when this returns
//     for (const auto& frame : journal.frames()) journal.read(frame.at, ..);

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faying::archive {

class Journal {
 public:
    struct Frame {
        std::uint64_t at = 0, size = 0;  ///< of its content, in the file
    };

    /// A new one with a first frame; an old one of that name is gone. Throws core::BadInput where it cannot be written,
    /// or another process is writing it.
    static Journal create(const std::string& path, std::string_view first);
    /// Nothing where there is none, or not even its first frame is whole. Throws as create does.
    static std::optional<Journal> open(const std::string& path);
    Journal(Journal&& other) noexcept;
    Journal& operator=(Journal&& other) noexcept;
    ~Journal();

    /// Throws core::BadInput, and then is as before.
    Frame append(std::string_view content);
    const std::vector<Frame>& frames() const { return frames_; }
    void read(std::uint64_t at, void* data, std::size_t size) const;
    std::string content(const Frame& frame) const;
    /// It is no longer needed.
    void remove();

 private:
    std::string path_;
    int descriptor_ = -1;
    std::uint64_t end_ = 0;
    std::vector<Frame> frames_;

    Journal(std::string path, int descriptor);
    static int open_locked(const std::string& path, int flags);
};

}  // namespace faying::archive
