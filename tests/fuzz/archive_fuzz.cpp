// Any bytes are a MATLAB or an HDF5 file, or are refused with core::BadInput.

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"
#include "scratch_file.hpp"

using namespace faying;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::ScratchFiles files;
    for (const char* name : {"a.mat", "a.h5"}) try {
            archive::read_archive(files.put(name, data, size));
        } catch (const core::BadInput&) {}
    return 0;
}
