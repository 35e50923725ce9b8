#include "faying/io/distinct.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "faying/core/error.hpp"
#include "faying/io/file.hpp"

namespace faying::io {

void check_distinct(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written) {
    for (std::size_t i = 0; i < written.size(); ++i) {
        const auto& [option, file] = written[i];
        std::error_code unknown;
        if (std::filesystem::exists(file, unknown) && !std::filesystem::is_regular_file(file, unknown)) continue;
        for (const auto& input : read)
            if (same_file(file, input.path))
                throw core::BadInput(option, fmt::format("'{}' is also the input {}, which would be overwritten; give "
                                                         "another name",
                                                         file, input.path));
        for (std::size_t j = 0; j < i; ++j)
            if (same_file(file, written[j].path))
                throw core::BadInput(option, fmt::format("'{}' is also the file of {}; two results need two files",
                                                         file, written[j].option));
    }
}

}  // namespace faying::io
