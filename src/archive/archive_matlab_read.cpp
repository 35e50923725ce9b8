// Archives read from MATLAB files, through matio.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>

#include "archive_formats.hpp"
#include "archive_matlab.hpp"
#include "faying/core/error.hpp"

namespace faying::archive {

using namespace matlab;

namespace {

std::string first_message;  // of matio, since the last Listening began

enum class Kind { v5, v7_3, other };

/// What the first bytes say: 116 of text, 8 of offset, a version and "MI" in the byte order of the writer.
struct Header {
    Kind kind = Kind::other;
    bool swapped = false;
};

Header header_of(const std::string& bytes) {
    if (bytes.size() < 128) return {};
    const std::string_view mark(bytes.data() + 126, 2);
    if (mark != "IM" && mark != "MI") return {};
    const bool little = mark == "IM";
    const auto low = static_cast<unsigned char>(bytes[little ? 124 : 125]);
    const auto high = static_cast<unsigned char>(bytes[little ? 125 : 124]);
    const bool swapped = little != (std::endian::native == std::endian::little);
    if (low == 0 && high == 1) return {Kind::v5, swapped};
    if (low == 0 && high == 2) return {Kind::v7_3, swapped};
    return {};
}

/// The number of variables of a version 7.3 file, which is HDF5: the entries at its root but MATLAB's own, #refs# and
/// the like. Nothing where it cannot be opened.
std::optional<int> count_links(const std::string& path) {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) return {};
    int count = 0;
    const auto visit = [](hid_t, const char* name, const H5L_info_t*, void* counter) -> herr_t {
        *static_cast<int*>(counter) += name[0] != '#';
        return 0;
    };
    const herr_t status = H5Literate(file, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, visit, &count);
    H5Fclose(file);
    if (status < 0) return {};
    return count;
}

/// Calls `use` with the data as an array of its C type.
template <class Use>
bool with_type(matio_types type, const void* data, Use use) {
    switch (type) {
        case MAT_T_DOUBLE: return use(static_cast<const double*>(data)), true;
        case MAT_T_SINGLE: return use(static_cast<const float*>(data)), true;
        case MAT_T_INT8: return use(static_cast<const std::int8_t*>(data)), true;
        case MAT_T_UINT8: return use(static_cast<const std::uint8_t*>(data)), true;
        case MAT_T_INT16: return use(static_cast<const std::int16_t*>(data)), true;
        case MAT_T_UINT16: return use(static_cast<const std::uint16_t*>(data)), true;
        case MAT_T_INT32: return use(static_cast<const std::int32_t*>(data)), true;
        case MAT_T_UINT32: return use(static_cast<const std::uint32_t*>(data)), true;
        case MAT_T_INT64: return use(static_cast<const std::int64_t*>(data)), true;
        case MAT_T_UINT64: return use(static_cast<const std::uint64_t*>(data)), true;
        default: return false;
    }
}

void append_utf8(std::string& text, std::uint32_t code) {
    const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) return put(code);
    if (code < 0x800) return put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
    if (code < 0x10000) return put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
    put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
}

class Reader {
 public:
    explicit Reader(const std::string& path) : path_(path), most_(most_numbers(path)) {}

    ArchiveEntry::Value value(const matvar_t& v) const {
        if (!v.dims) damaged(v);
        if (v.rank != 2) return Unreadable{fmt::format("has {} dimensions", v.rank)};
        if (v.isComplex) return Unreadable{"is complex"};
        switch (v.class_type) {
            case MAT_C_DOUBLE:
            case MAT_C_SINGLE:
            case MAT_C_INT8:
            case MAT_C_UINT8:
            case MAT_C_INT16:
            case MAT_C_UINT16:
            case MAT_C_INT32:
            case MAT_C_UINT32:
            case MAT_C_INT64:
            case MAT_C_UINT64: return numbers(v);
            case MAT_C_SPARSE: return sparse(v);
            case MAT_C_CHAR: return characters(v);
            case MAT_C_CELL: return cells(v);
            case MAT_C_STRUCT: return structure(v);
            case MAT_C_EMPTY: return Eigen::MatrixXd(0, 0);
            default: return Unreadable{"is a MATLAB object (a string, table, function or class)"};
        }
    }

    /// Units stand beside their variables, in a struct of texts of the same names.
    static void take_units(Archive& archive) {
        if (!archive.has("units")) return;
        Archive rest(archive.source());
        std::vector<std::pair<std::string, std::string>> units;
        for (const auto& entry : archive.entries()) {
            if (entry.name != "units") {
                rest.set(entry);
                continue;
            }
            const auto* group = std::get_if<Archive>(&entry.value);
            if (!group) return;
            for (const auto& unit : group->entries()) {
                const auto* text = std::get_if<std::string>(&unit.value);
                if (!text || !archive.has(unit.name) || unit.name == "units") return;
                units.emplace_back(unit.name, *text);
            }
        }
        for (const auto& [name, unit] : units)
            for (auto entry : rest.entries())
                if (entry.name == name) {
                    entry.unit = unit;
                    rest.set(std::move(entry));
                    break;
                }
        archive = std::move(rest);
    }

 private:
    std::string path_;
    std::uint64_t most_;

    [[noreturn]] void damaged(const matvar_t& v) const {
        throw core::BadInput(path_, fmt::format("is damaged: '{}' has no data", v.name ? v.name : ""));
    }

    /// Rows times columns, of which a damaged file can claim any number.
    std::size_t entries(const matvar_t& v) const {
        const std::size_t rows = v.dims[0], columns = v.dims[1];
        if (rows > 0 && columns > most_ / rows) damaged(v);
        return rows * columns;
    }

    ArchiveEntry::Value numbers(const matvar_t& v) const {
        const std::size_t count = entries(v);
        const std::size_t width = Mat_SizeOf(v.data_type);
        if (count > 0 && (!v.data || width == 0 || v.nbytes / width < count)) damaged(v);
        const auto rows = Eigen::Index(v.dims[0]), columns = Eigen::Index(v.dims[1]);
        Eigen::MatrixXd m(rows, columns);
        if (m.size() == 0) return m;
        const bool known = with_type(v.data_type, v.data, [&](const auto* data) {
            std::transform(data, data + m.size(), m.data(), [](auto x) { return static_cast<double>(x); });
        });
        if (!known) return Unreadable{"is of a kind that is not real numbers"};
        return m;
    }

    ArchiveEntry::Value sparse(const matvar_t& v) const {
        const auto* stored = static_cast<const mat_sparse_t*>(v.data);
        if (!stored || v.dims[1] > most_ || stored->nir > most_ || stored->ndata > most_) damaged(v);
        std::vector<double> data;
        const bool known = stored->ndata == 0 || with_type(v.data_type, stored->data, [&](const auto* values) {
                               std::transform(values, values + stored->ndata, std::back_inserter(data),
                                              [](auto x) { return static_cast<double>(x); });
                           });
        if (!known) return Unreadable{"is of a kind that is not real numbers"};
        std::vector<std::int64_t> rows(stored->ir, stored->ir + stored->nir);
        std::vector<std::int64_t> starts(stored->jc, stored->jc + stored->njc);
        const auto where = fmt::format("{}: '{}'", path_, v.name ? v.name : "");
        if (starts.size() != v.dims[1] + 1) throw core::BadInput(where, "is damaged: its sparse columns do not fit");
        return sparse_of(data, rows, starts, std::int64_t(v.dims[0]), where);
    }

    ArchiveEntry::Value characters(const matvar_t& v) const {
        const std::size_t rows = v.dims[0], columns = v.dims[1];
        if (entries(v) == 0) return std::string();
        if (!v.data) damaged(v);
        if (v.data_type == MAT_T_UTF8 && rows == 1)  // the bytes of a text; its dimensions count letters
            return std::string(static_cast<const char*>(v.data), strnlen(static_cast<const char*>(v.data), v.nbytes));
        const std::size_t width = Mat_SizeOf(v.data_type);
        if (width == 0 || v.nbytes < rows * columns * width) damaged(v);
        const auto unit_at = [&](std::size_t k) -> std::uint32_t {
            if (width == 1) return static_cast<const std::uint8_t*>(v.data)[k];
            if (width == 2) return static_cast<const std::uint16_t*>(v.data)[k];
            return static_cast<const std::uint32_t*>(v.data)[k];
        };
        std::vector<std::string> texts(rows);
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j) {
                std::uint32_t code = unit_at(i + rows * j);
                if (width == 2 && code >= 0xD800 && code < 0xDC00 && j + 1 < columns)  // a pair stands for one letter
                    code = 0x10000 + ((code - 0xD800) << 10) + (unit_at(i + rows * ++j) - 0xDC00);
                append_utf8(texts[i], code);
            }
        if (rows == 1) return texts.front();
        for (auto& text : texts) text.resize(text.find_last_not_of(' ') + 1);  // MATLAB pads rows to one length
        return texts;
    }

    ArchiveEntry::Value cells(const matvar_t& v) const {
        const std::size_t n = entries(v);
        if (n > 0 && (!v.data || v.nbytes / sizeof(matvar_t*) < n))
            return Unreadable{"is a cell array of other things than texts"};
        const auto* cell = static_cast<matvar_t* const*>(v.data);
        std::vector<std::string> texts;
        for (std::size_t k = 0; k < n; ++k) {
            if (!cell || !cell[k]) return Unreadable{"is a cell array of other things than texts"};
            const auto one = value(*cell[k]);
            const auto* empty = std::get_if<Eigen::MatrixXd>(&one);
            if (const auto* text = std::get_if<std::string>(&one))
                texts.push_back(*text);
            else if (empty && empty->size() == 0)
                texts.emplace_back();
            else
                return Unreadable{"is a cell array of other things than texts"};
        }
        return texts;
    }

    ArchiveEntry::Value structure(const matvar_t& v) const {
        const std::size_t count = entries(v);
        if (count == 1) return element(v, 0);
        Archive array(path_);  // by number, as MATLAB counts: item1, item2, ..
        for (std::size_t i = 0; i < count; ++i) array.set(item_name(i + 1), element(v, i));
        return array;
    }

    Archive element(const matvar_t& v, std::size_t index) const {
        Archive group(path_);
        auto& variable = const_cast<matvar_t&>(v);  // matio's readers take no const
        const unsigned fields = Mat_VarGetNumberOfFields(&variable);
        auto* const* names = Mat_VarGetStructFieldnames(&v);
        if (fields > 0 && (!v.data || !names || v.nbytes / sizeof(matvar_t*) < fields * entries(v))) damaged(v);
        for (unsigned k = 0; k < fields; ++k) {
            const auto* field = Mat_VarGetStructFieldByIndex(&variable, k, index);
            group.set({names[k], field ? value(*field) : ArchiveEntry::Value(Eigen::MatrixXd(0, 0))});
        }
        take_units(group);
        return group;
    }
};

}  // namespace

namespace matlab {

Listening::Listening() {
    first_message.clear();
    Mat_LogInitFunc("faying", [](int, char* message) {
        if (!first_message.empty() || !message) return;
        first_message = message;
        std::replace(first_message.begin(), first_message.end(), '\n', ' ');
    });
}

std::string Listening::message() const { return first_message.empty() ? "" : " (" + first_message + ")"; }

std::optional<int> count_variables(const std::string& path, bool swapped) {
    std::ifstream file(path, std::ios::binary);
    file.seekg(0, std::ios::end);
    const auto size = static_cast<std::uint64_t>(file.tellg());
    int count = 0;
    for (std::uint64_t at = 128; at < size; ++count) {
        std::uint32_t tag[2] = {};
        file.seekg(static_cast<std::streamoff>(at));
        if (!file.read(reinterpret_cast<char*>(tag), sizeof tag)) return {};
        at += 8 + std::uint64_t(swapped ? __builtin_bswap32(tag[1]) : tag[1]);
        if (at > size) return {};
    }
    return count;
}

}  // namespace matlab

Archive read_matlab(const std::string& path) {
    std::ifstream bytes(path, std::ios::binary);
    std::string first(128, '\0');
    bytes.read(first.data(), 128);
    first.resize(std::size_t(std::max<std::streamsize>(0, bytes.gcount())));
    const Header header = header_of(first);
    if (header.kind == Kind::other)
        throw core::BadInput(path, "is not a MATLAB file of version 5 or 7.3; save with -v7 or -v7.3");
    const QuietHdf5 quiet;
    const bool v5 = header.kind == Kind::v5;
    const auto count = v5 ? count_variables(path, header.swapped) : count_links(path);
    if (!count) throw core::BadInput(path, "is cut short or damaged: its variables do not end where the file does");

    const Listening log;
    const File file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
    if (!file) throw core::BadInput(path, "is cut short or damaged and cannot be opened" + log.message());
    const Reader reader(path);
    Archive archive(path);
    for (int k = 0; k < *count; ++k) {
        const Variable variable(Mat_VarReadNext(file.get()));
        if (!variable) throw core::BadInput(path, fmt::format("is damaged at its variable {}{}", k + 1, log.message()));
        if (variable->name && *variable->name) archive.set({variable->name, reader.value(*variable)});
    }
    Reader::take_units(archive);
    return archive;
}

}  // namespace faying::archive
