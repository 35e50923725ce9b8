#include "stream_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "archive_formats.hpp"
#include "faying/core/error.hpp"
#include "faying/io/file.hpp"
#include "hdf5_handle.hpp"

namespace faying::archive {

using namespace hdf5;

namespace {

constexpr const char* labels_group = "labels";
constexpr hsize_t chunk_rows = 1024, chunk_numbers = 131072;

hsize_t rows_at_a_time(std::size_t columns) {
    return std::max<hsize_t>(16, std::min<hsize_t>(chunk_rows, chunk_numbers / columns));
}

struct Extent {
    std::vector<hsize_t> now, most;
};

Extent extent_of(hid_t set) {
    const Handle space(H5Dget_space(set), H5Sclose, "reading a shape");
    const auto rank = std::size_t(std::max(0, H5Sget_simple_extent_ndims(space)));
    Extent extent{std::vector<hsize_t>(rank), std::vector<hsize_t>(rank)};
    H5Sget_simple_extent_dims(space, extent.now.data(), extent.most.data());
    return extent;
}

std::string text_of(hid_t owner, const std::string& name) {
    const Handle attribute(H5Aopen(owner, name.c_str(), H5P_DEFAULT), H5Aclose, "reading a text");
    const Handle kind(H5Aget_type(attribute), H5Tclose, "reading a text");
    if (H5Tis_variable_str(kind) <= 0) return "";
    const Handle type = utf8_text();
    char* data = nullptr;
    check(H5Aread(attribute, type, &data), "reading a text");
    std::string text(data == nullptr ? "" : data);
    H5free_memory(data);
    return text;
}

/// A text a column as write_texts writes them; of anything else, none.
std::vector<std::string> labels_of(hid_t group, const std::string& name, std::size_t columns) {
    const hid_t id = H5Dopen2(group, name.c_str(), H5P_DEFAULT);
    if (id < 0) return {};
    const Handle set(id, H5Dclose, "");
    const Handle kind(H5Dget_type(set), H5Tclose, "reading labels");
    const Extent extent = extent_of(set);
    if (H5Tis_variable_str(kind) <= 0 || extent.now.size() != 1 || extent.now[0] != columns) return {};
    const Handle type = utf8_text();
    std::vector<char*> pointers(extent.now[0], nullptr);
    check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), "reading labels");
    std::vector<std::string> texts;
    for (char* pointer : pointers) {
        texts.emplace_back(pointer == nullptr ? "" : pointer);
        H5free_memory(pointer);
    }
    return texts;
}

std::vector<std::string> names_in(hid_t group) {
    H5G_info_t info{};
    check(H5Gget_info(group, &info), "reading its names");
    std::vector<std::string> names;
    for (hsize_t i = 0; i < info.nlinks; ++i) {
        char name[256] = {};
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        names.emplace_back(name);
    }
    return names;
}

StreamContent content_of(hid_t file) {
    StreamContent content;
    for (const std::string& name : names_in(file)) {
        const hid_t id = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
        if (id < 0) continue;
        const Handle set(id, H5Dclose, "");
        const Extent extent = extent_of(set);
        if (extent.now.empty() || extent.now.size() > 2) continue;
        if (extent.most[0] != H5S_UNLIMITED) {
            auto& values = content.vectors[name];
            values.resize(extent.now[0] * (extent.now.size() == 2 ? extent.now[1] : 1));
            check(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "reading a vector");
            continue;
        }
        content.tables[name] = {extent.now.size() == 2 ? extent.now[1] : 1, extent.now[0],
                                H5Aexists(set, "units") > 0 ? text_of(set, "units") : ""};
    }
    if (H5Lexists(file, labels_group, H5P_DEFAULT) > 0)
        for (auto& [name, shape] : content.tables)
            shape.labels = labels_of(file, labels_group + ("/" + name), shape.columns);
    H5O_info_t info{};
    check(H5Oget_info(file, &info), "reading its texts");
    for (hsize_t i = 0; i < info.num_attrs; ++i) {
        char name[256] = {};
        H5Aget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        content.texts[name] = text_of(file, name);
    }
    return content;
}

/// Runs `body` on the open file; a failure of HDF5 in it is a damaged file.
template <class Body>
auto reading(const std::string& path, const Body& body) {
    const std::lock_guard one(one_at_a_time());
    const QuietHdf5 quiet;
    if (!std::filesystem::is_regular_file(path)) throw core::BadInput(path, "there is no such file");
    if (H5Fis_hdf5(path.c_str()) <= 0) throw core::BadInput(path, "is not an HDF5 file, or is cut short");
    try {
        const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "opening it");
        return body(file);
    } catch (const core::BadInput&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw core::BadInput(path, fmt::format("is damaged or open elsewhere: {} failed", error.what()));
    }
}

Handle rows_of(hid_t set, std::size_t columns, hsize_t first, hsize_t count) {
    Handle space(H5Dget_space(set), H5Sclose, "reading a shape");
    const hsize_t from[] = {first, 0}, size[] = {count, columns};
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, from, nullptr, size, nullptr), "choosing rows");
    return space;
}

void write_table(hid_t file, const std::string& name, const StreamContent::Shape& shape,
                 const std::function<void(const TakeRows&)>& give) {
    const int rank = shape.columns == 1 ? 1 : 2;
    const hsize_t size[] = {shape.rows, shape.columns}, any[] = {H5S_UNLIMITED, shape.columns},
                  chunk[] = {rows_at_a_time(shape.columns), shape.columns};
    const Handle space(H5Screate_simple(rank, size, any), H5Sclose, "making a table");
    const Handle layout = untimed(H5P_DATASET_CREATE);
    check(H5Pset_chunk(layout, rank, chunk), "making a table");
    Handle set(H5Dcreate2(file, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, layout, H5P_DEFAULT), H5Dclose,
               "making a table");
    if (!shape.unit.empty()) attribute(set, "units", shape.unit);
    hsize_t written = 0;
    give([&](const double* data, std::size_t rows) {
        if (rows == 0) return;
        const hsize_t count[] = {rows, shape.columns};
        const Handle there = rows_of(set, shape.columns, written, rows);
        const Handle here(H5Screate_simple(rank, count, nullptr), H5Sclose, "writing rows");
        check(H5Dwrite(set, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, data), "writing rows");
        written += rows;
    });
    set.close("writing a table");
}

void write_labels(hid_t file, const StreamContent& content) {
    std::optional<Handle> group;
    for (const auto& [name, shape] : content.tables) {
        if (shape.labels.empty()) continue;
        if (!group)
            group.emplace(H5Gcreate2(file, labels_group, H5P_DEFAULT, untimed(H5P_GROUP_CREATE), H5P_DEFAULT), H5Gclose,
                          "making a group");
        write_texts(*group, name, shape.labels).close("writing labels");
    }
}

}  // namespace

StreamContent read_stream_file(const std::string& path) {
    return reading(path, [](hid_t file) { return content_of(file); });
}

void read_stream_rows(const std::string& path, const std::string& table, std::size_t rows, const TakeRows& take) {
    std::vector<double> part;
    std::size_t columns = 1;
    for (std::size_t at = 0; at < rows;) {  // opened for each part: `take` may write another file
        const std::size_t count = reading(path, [&](hid_t file) {
            const Handle set(H5Dopen2(file, table.c_str(), H5P_DEFAULT), H5Dclose, "opening a table");
            const Extent extent = extent_of(set);
            columns = extent.now.size() == 2 ? extent.now[1] : 1;
            if (extent.now.empty() || extent.now[0] < rows) throw std::runtime_error("finding all rows");
            const std::size_t n = std::min<std::size_t>(rows - at, 64 * rows_at_a_time(columns));
            part.resize(n * columns);
            const hsize_t size[] = {n, columns};
            const Handle there = rows_of(set, columns, at, n);
            const Handle here(H5Screate_simple(int(extent.now.size()), size, nullptr), H5Sclose, "reading rows");
            check(H5Dread(set, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, part.data()), "reading rows");
            return n;
        });
        take(part.data(), count);
        at += count;
    }
}

void write_stream_file(const std::string& path, const StreamContent& content,
                       const std::function<void(const std::string& table, const TakeRows& take)>& give) {
    io::replace_file(path, [&](const std::string& temporary) {
        std::unique_lock one(one_at_a_time());
        const QuietHdf5 quiet;
        try {
            const Handle properties = untimed(H5P_FILE_CREATE);
            Handle file(H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, properties, H5P_DEFAULT), H5Fclose, "making it");
            for (const auto& [name, text] : content.texts) attribute(file, name.c_str(), text);
            for (const auto& [name, shape] : content.tables)
                write_table(file, name, shape, [&, table = name](const TakeRows& take) {
                    one.unlock();  // rows may come from another file
                    give(table, [&](const double* data, std::size_t rows) {
                        const std::lock_guard again(one_at_a_time());
                        take(data, rows);
                    });
                    one.lock();
                });
            for (const auto& [name, values] : content.vectors)
                write_doubles(file, name, {hsize_t(values.size())}, values.data()).close("writing a vector");
            write_labels(file, content);
            file.close("closing it");
        } catch (const core::BadInput&) {
            throw;
        } catch (const std::runtime_error& error) {
            throw core::BadInput(path, fmt::format("cannot be written: {} failed; is the disk full?", error.what()));
        }
    });
}

}  // namespace faying::archive
