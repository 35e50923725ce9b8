// As archive_fuzz, without the child that reads a file first (archive::read_archive): what is fuzzed is the reader itself. The
// libraries below it do crash on damaged files, which is what that child is for; `./do fuzz` keeps going after a crash,
// and fails where one is in a function of ours.

#include "archive/archive_formats.hpp"
#include "faying/core/error.hpp"
#include "scratch_file.hpp"

using namespace faying;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::ScratchFiles files;
    const auto read_or_refuse = [](auto* read, const std::string& path) {
        try {
            read(path);
        } catch (const core::BadInput&) {}
    };
    read_or_refuse(archive::read_matlab, files.put("a.mat", data, size));
    read_or_refuse(archive::read_hdf5, files.put("a.h5", data, size));
    return 0;
}
