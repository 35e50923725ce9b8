#pragma once
// The readers open files by name: what the fuzzer makes is put into one, in memory where there is such a folder.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace faying::fuzz {

/// A folder of this process, removed with it.
class ScratchFiles {
 public:
    ScratchFiles()
        : folder_(std::filesystem::path(std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp") /
                  ("faying-fuzz-" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(folder_);
    }
    ~ScratchFiles() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    ScratchFiles(const ScratchFiles&) = delete;
    ScratchFiles& operator=(const ScratchFiles&) = delete;

    std::string put(const std::string& name, const void* data, std::size_t size) const {
        const std::string path = (folder_ / name).string();
        std::FILE* file = std::fopen(path.c_str(), "wb");
        if (!file || std::fwrite(data, 1, size, file) != size || std::fclose(file) != 0) std::abort();
        return path;
    }
    std::string put(const std::string& name, const std::string& text) const {
        return put(name, text.data(), text.size());
    }

 private:
    std::filesystem::path folder_;
};

}  // namespace faying::fuzz
