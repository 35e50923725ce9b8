// Any bytes are a table of numbers, a backbone, a loop, a matrix in text, a recording and a formula, or are refused with
// core::BadInput. A table that is read is written and read back with the same numbers.

#include <cmath>
#include <cstdlib>

#include "faying/archive/matrix.hpp"
#include "faying/core/error.hpp"
#include "faying/core/text.hpp"
#include "faying/files/backbones.hpp"
#include "faying/files/loop.hpp"
#include "faying/fit/errors.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/expression.hpp"
#include "faying/io/recording.hpp"
#include "faying/signal/record.hpp"
#include "scratch_file.hpp"

using namespace faying;

namespace {

/// What throws must be BadInput, and must say it in one line.
template <class Body>
void read_or_refuse(Body&& body) {
    try {
        body();
    } catch (const core::BadInput& error) {
        if (*error.what() == 0) std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::ScratchFiles files;
    const std::string path = files.put("table.csv", data, size);
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    read_or_refuse([&] {
        const io::Table table = io::read_csv(path);
        io::Table plain{{}, table.columns};
        if (io::read_csv(files.put("again.csv", io::csv_text(plain))).columns != table.columns) std::abort();
    });
    read_or_refuse([&] { files::read_backbones(path); });
    read_or_refuse([&] { files::read_loop(path); });
    read_or_refuse([&] { archive::read_matrix_text(path); });
    read_or_refuse([&] {
        const io::Expression formula(bytes, "t");
        if (!std::isfinite(formula(0.5))) std::abort();
    });
    for (const char* name : {"a.uff", "a.wav"})
        read_or_refuse([&] {
            for (const auto& one : io::read_recording(files.put(name, data, size))) {
                std::vector<double> at = one.times;
                for (std::size_t i = at.size(); i < one.values.size(); ++i)
                    at.push_back(one.start + one.step * double(i));
                signal::even_record(at, one.values, one.name);
            }
        });
    const std::string line = core::one_line(bytes);
    for (const char c : line)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) std::abort();
    if (core::one_line(line) != line) std::abort();
    return 0;
}
