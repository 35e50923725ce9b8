// Archives written as MATLAB files, through matio.

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "archive_formats.hpp"
#include "archive_matlab.hpp"
#include "faying/core/error.hpp"
#include "faying/io/file.hpp"

namespace faying::archive {

using namespace matlab;

namespace {

Variable made(matvar_t* variable) {
    if (!variable) throw std::runtime_error("matio made no variable");
    return Variable(variable);
}

Variable array(const char* name, matio_classes kind, matio_types type, std::size_t rows, std::size_t columns,
               const void* data) {
    std::size_t shape[] = {rows, columns};
    return made(Mat_VarCreate(name, kind, type, 2, shape, const_cast<void*>(data), 0));
}

Variable variable(const char* name, const Archive& archive);

/// What is not UTF-8 is taken byte by byte, as Latin-1.
std::u16string utf16_of(const std::string& text) {
    std::u16string units;
    for (std::size_t k = 0; k < text.size();) {
        const auto lead = static_cast<unsigned char>(text[k]);
        const std::size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
        std::uint32_t code = more == 0 ? lead : lead & (0x3F >> more);
        bool sound = k + more < text.size();
        for (std::size_t j = 1; sound && j <= more; ++j) {
            const auto next = static_cast<unsigned char>(text[k + j]);
            sound = (next & 0xC0) == 0x80;
            code = code << 6 | (next & 0x3F);
        }
        if (!sound) code = lead;
        k += sound ? more + 1 : 1;
        if (code < 0x10000) {
            units += static_cast<char16_t>(code);
        } else {
            units += static_cast<char16_t>(0xD800 + ((code - 0x10000) >> 10 & 0x3FF));
            units += static_cast<char16_t>(0xDC00 + (code & 0x3FF));
        }
    }
    return units;
}

struct Make {
    const char* name;

    Variable operator()(double x) const { return array(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 1, 1, &x); }
    Variable operator()(const Eigen::VectorXd& v) const {
        return array(name, MAT_C_DOUBLE, MAT_T_DOUBLE, std::size_t(v.size()), 1, v.data());
    }
    Variable operator()(const Eigen::MatrixXd& m) const {
        return array(name, MAT_C_DOUBLE, MAT_T_DOUBLE, std::size_t(m.rows()), std::size_t(m.cols()), m.data());
    }
    Variable operator()(const Eigen::SparseMatrix<double>& matrix) const {
        Eigen::SparseMatrix<double> m = matrix;
        m.makeCompressed();
        std::vector<mat_uint32_t> rows(m.innerIndexPtr(), m.innerIndexPtr() + m.nonZeros());
        std::vector<mat_uint32_t> starts(m.outerIndexPtr(), m.outerIndexPtr() + m.cols() + 1);
        mat_sparse_t stored{};
        stored.nzmax = stored.nir = stored.ndata = mat_uint32_t(m.nonZeros());
        stored.njc = mat_uint32_t(starts.size());
        stored.ir = rows.data();
        stored.jc = starts.data();
        stored.data = m.valuePtr();
        return array(name, MAT_C_SPARSE, MAT_T_DOUBLE, std::size_t(m.rows()), std::size_t(m.cols()), &stored);
    }
    Variable operator()(const std::string& text) const {
        const std::u16string units = utf16_of(text);  // what MATLAB itself uses: dimensions then count what is stored
        return array(name, MAT_C_CHAR, MAT_T_UTF16, units.empty() ? 0 : 1, units.size(), units.data());
    }
    Variable operator()(const std::vector<std::string>& texts) const {
        std::vector<matvar_t*> cells;
        for (const auto& text : texts) cells.push_back(Make{nullptr}(text).release());
        return array(name, MAT_C_CELL, MAT_T_CELL, texts.size(), texts.empty() ? 0 : 1, cells.data());
    }
    Variable operator()(const Archive& group) const { return variable(name, group); }
    Variable operator()(const Unreadable&) const { throw std::logic_error("write_archive refuses it"); }
};

Archive units_of(const Archive& archive) {
    Archive units;
    for (const auto& entry : archive.entries())
        if (!entry.unit.empty()) units.set(entry.name, entry.unit);
    return units;
}

/// A group as a struct.
Variable variable(const char* name, const Archive& archive) {
    Archive whole = archive;
    if (auto units = units_of(archive); !units.entries().empty()) whole.set("units", std::move(units));
    std::vector<const char*> fields;
    for (const auto& entry : whole.entries()) fields.push_back(entry.name.c_str());
    std::size_t shape[] = {1, 1};
    auto group = made(Mat_VarCreateStruct(name, 2, shape, fields.data(), unsigned(fields.size())));
    for (const auto& entry : whole.entries())
        Mat_VarSetStructFieldByName(group.get(), entry.name.c_str(), 0,
                                    std::visit(Make{entry.name.c_str()}, entry.value).release());
    return group;
}

/// matio writes through stdio and does not look whether that worked. So it writes into memory, which does not fill up
/// as a disk does, and the bytes go to disk by write_file.
class MemoryFile {
 public:
    MemoryFile() : descriptor_(::memfd_create("faying", MFD_CLOEXEC)) {}
    ~MemoryFile() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::string name() const { return fmt::format("/proc/self/fd/{}", descriptor_); }
    std::string content(const std::string& path) const {
        std::string bytes;
        std::vector<char> part(1 << 20);
        for (off_t at = 0;;) {
            const ssize_t got = ::pread(descriptor_, part.data(), part.size(), at);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) throw core::BadInput(path, fmt::format("cannot be written: {}", std::strerror(errno)));
            if (got == 0) return bytes;
            bytes.append(part.data(), std::size_t(got));
            at += got;
        }
    }

 private:
    int descriptor_;
};

std::uint64_t bytes_of(const Archive& archive) {
    std::uint64_t bytes = 0;
    for (const auto& entry : archive.entries()) {
        if (const auto* m = std::get_if<Eigen::MatrixXd>(&entry.value)) bytes += 8 * std::uint64_t(m->size());
        if (const auto* v = std::get_if<Eigen::VectorXd>(&entry.value)) bytes += 8 * std::uint64_t(v->size());
        if (const auto* s = std::get_if<Eigen::SparseMatrix<double>>(&entry.value))
            bytes += 12 * std::uint64_t(s->nonZeros()) + 4 * std::uint64_t(s->cols());
        if (const auto* g = std::get_if<Archive>(&entry.value)) bytes += bytes_of(*g);
    }
    return bytes;
}

void fill(const std::string& name, const std::string& path, const Archive& whole, MatlabVersion version) {
    const bool v5 = version == MatlabVersion::v5_compressed;
    const Listening log;
    // A header of our own: matio's has the date, and the same archive must give the same bytes.
    const File file(Mat_CreateVer(
        name.c_str(), v5 ? "MATLAB 5.0 MAT-file, written by Faying" : "MATLAB 7.3 MAT-file, written by Faying",
        v5 ? MAT_FT_MAT5 : MAT_FT_MAT73));
    if (!file) throw core::BadInput(path, "cannot be written" + log.message());
    for (const auto& entry : whole.entries()) {
        const auto variable = std::visit(Make{entry.name.c_str()}, entry.value);
        if (Mat_VarWrite(file.get(), variable.get(), v5 ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE) != 0)
            throw core::BadInput(path, fmt::format("'{}' cannot be written{}", entry.name, log.message()));
    }
}

}  // namespace

void write_matlab(const std::string& path, const Archive& archive, MatlabVersion version) {
    const bool v5 = version == MatlabVersion::v5_compressed;
    for (const auto& entry : archive.entries()) {
        Archive one;
        one.set(entry);
        if (v5 && bytes_of(one) > 0x7FFFFFFF)
            throw core::BadInput(path, fmt::format("'{}' is over 2 GB, which version 5 of MATLAB's files cannot hold; "
                                                   "write .h5, or version 7.3",
                                                   entry.name));
    }
    const QuietHdf5 quiet;
    Archive whole = archive;
    if (auto units = units_of(archive); !units.entries().empty()) whole.set("units", std::move(units));
    if (v5) {
        const MemoryFile memory;
        fill(memory.name(), path, whole, version);
        // A limit on the size of files (ulimit -f) holds for memory too, and cuts its end off.
        if (count_variables(memory.name(), false) != int(whole.entries().size()))
            throw core::BadInput(path, "cannot be written: the file is larger than is allowed");
        return io::write_file(path, memory.content(path));
    }
    io::replace_file(path, [&](const std::string& temporary) {  // HDF5 inside, which needs a name
        fill(temporary, path, whole, version);
        try {
            if (read_matlab(temporary).names().size() == archive.names().size()) return;
        } catch (const core::BadInput&) {  // matio did not tell of it
        }
        throw core::BadInput(path, "cannot be written: is the disk full?");
    });
}

}  // namespace faying::archive
