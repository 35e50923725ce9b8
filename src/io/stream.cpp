#include "faying/io/stream.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "archive_formats.hpp"
#include "faying/core/error.hpp"

namespace faying::io {

namespace {

constexpr std::size_t rows_kept = 1024;  // before they are written

class Handle {
 public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    operator hid_t() const { return id_; }

 private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

struct Table {
    Handle set;
    hsize_t columns = 1, written = 0;
    std::vector<double> kept = {};

    std::size_t waiting() const { return kept.size() / columns; }
};

std::vector<hsize_t> shape_of(hid_t set) {
    const Handle space(H5Dget_space(set), H5Sclose);
    std::vector<hsize_t> shape(std::size_t(std::max(0, H5Sget_simple_extent_ndims(space))));
    H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    return shape;
}

Handle text_type() {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

void write_text(hid_t owner, const std::string& name, const std::string& text) {
    const Handle type = text_type(), space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(H5Acreate2(owner, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const char* data = text.c_str();
    H5Awrite(attribute, type, &data);
}

}  // namespace

struct Stream::File {
    std::string path;
    Handle id;
    std::map<std::string, Table> tables = {};

    void check(herr_t status, const char* doing) const {
        if (status < 0) throw core::BadInput(path, fmt::format("HDF5 failed {}; is the disk full?", doing));
    }
    Table& table(const std::string& name) {
        const auto found = tables.find(name);
        if (found == tables.end()) throw core::BadInput(path, fmt::format("has no growing table '{}'", name));
        return found->second;
    }

    void write(Table& t) const {
        if (t.kept.empty()) return;
        const hsize_t more = t.waiting();
        const int rank = int(shape_of(t.set).size());
        const hsize_t total[] = {t.written + more, t.columns}, first[] = {t.written, 0}, count[] = {more, t.columns};
        check(H5Dset_extent(t.set, total), "growing a table");
        const Handle file_space(H5Dget_space(t.set), H5Sclose),
            memory(H5Screate_simple(rank, count, nullptr), H5Sclose);
        H5Sselect_hyperslab(file_space, H5S_SELECT_SET, first, nullptr, count, nullptr);
        check(H5Dwrite(t.set, H5T_NATIVE_DOUBLE, memory, file_space, H5P_DEFAULT, t.kept.data()), "writing rows");
        t.written += more;
        t.kept.clear();
    }
};

Stream::Stream(std::unique_ptr<File> file) : file_(std::move(file)) {}
Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;
Stream::~Stream() {
    if (!file_) return;
    try {
        for (auto& [name, table] : file_->tables) file_->write(table);
    } catch (const core::BadInput&) {  // a destructor cannot say so; flush() does
    }
}

Stream Stream::create(const std::string& path, const std::vector<StreamTable>& tables,
                      const std::map<std::string, std::string>& texts) {
    const QuietHdf5 quiet;
    auto file = std::make_unique<File>(
        File{path, {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose}});
    if (file->id < 0) throw core::BadInput(path, "cannot be written");
    for (const auto& [name, text] : texts) write_text(file->id, name, text);
    for (const StreamTable& wanted : tables) {
        const int rank = wanted.columns == 1 ? 1 : 2;
        const auto columns = hsize_t(wanted.columns);
        const hsize_t none[] = {0, columns}, any[] = {H5S_UNLIMITED, columns};
        const hsize_t chunk[] = {std::max<hsize_t>(16, std::min<hsize_t>(rows_kept, 131072 / columns)), columns};
        const Handle space(H5Screate_simple(rank, none, any), H5Sclose),
            layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_chunk(layout, rank, chunk);
        Table table{
            {H5Dcreate2(file->id, wanted.name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, H5P_DEFAULT),
             H5Dclose},
            columns};
        if (table.set < 0) throw core::BadInput(path, fmt::format("cannot hold a table '{}'", wanted.name));
        if (!wanted.unit.empty()) write_text(table.set, "units", wanted.unit);
        file->tables.emplace(wanted.name, std::move(table));
    }
    return Stream(std::move(file));
}

Stream Stream::open(const std::string& path) {
    const QuietHdf5 quiet;
    if (!std::filesystem::is_regular_file(path)) throw core::BadInput(path, "there is no such file");
    auto file = std::make_unique<File>(File{path, {H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose}});
    if (file->id < 0) throw core::BadInput(path, "is not an HDF5 file, or is open elsewhere");
    H5G_info_t info{};
    H5Gget_info(file->id, &info);
    for (hsize_t i = 0; i < info.nlinks; ++i) {
        char name[256] = {};
        H5Lget_name_by_idx(file->id, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        Handle set(H5Dopen2(file->id, name, H5P_DEFAULT), H5Dclose);
        if (set < 0) continue;
        const auto shape = shape_of(set);
        if (shape.empty() || shape.size() > 2) continue;
        file->tables.emplace(name, Table{std::move(set), shape.size() == 2 ? shape[1] : 1, shape[0]});
    }
    return Stream(std::move(file));
}

void Stream::append(const std::string& name, const double* row) {
    Table& t = file_->table(name);
    t.kept.insert(t.kept.end(), row, row + t.columns);
    if (t.waiting() >= rows_kept) file_->write(t);
}

void Stream::replace(const std::string& name, const std::vector<double>& values) {
    if (H5Lexists(file_->id, name.c_str(), H5P_DEFAULT) > 0) {
        const Handle old(H5Dopen2(file_->id, name.c_str(), H5P_DEFAULT), H5Dclose);
        if (shape_of(old) == std::vector<hsize_t>{values.size()})
            return file_->check(H5Dwrite(old, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
                                "writing a vector");
        file_->tables.erase(name);
        H5Ldelete(file_->id, name.c_str(), H5P_DEFAULT);
    }
    const hsize_t size[] = {values.size()};
    const Handle space(H5Screate_simple(1, size, nullptr), H5Sclose);
    Table table{{H5Dcreate2(file_->id, name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                 H5Dclose},
                1,
                size[0]};
    file_->check(H5Dwrite(table.set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
                 "writing a vector");
    file_->tables.insert_or_assign(name, std::move(table));
}

void Stream::flush() {
    for (auto& [name, table] : file_->tables) file_->write(table);
    file_->check(H5Fflush(file_->id, H5F_SCOPE_GLOBAL), "flushing");
}

std::size_t Stream::rows(const std::string& name) const {
    const Table& t = file_->table(name);
    return t.written + t.waiting();
}

Eigen::MatrixXd Stream::read(const std::string& name) const {
    const Table& t = file_->table(name);
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> values(Eigen::Index(t.written),
                                                                                  Eigen::Index(t.columns));
    file_->check(H5Dread(t.set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "reading a table");
    return values;
}

std::vector<double> Stream::read_vector(const std::string& name) const {
    const Eigen::MatrixXd column = read(name);
    return {column.data(), column.data() + column.size()};
}

std::string Stream::text(const std::string& name) const {
    if (H5Aexists(file_->id, name.c_str()) <= 0)
        throw core::BadInput(file_->path, fmt::format("has no text '{}'", name));
    const Handle type = text_type(), attribute(H5Aopen(file_->id, name.c_str(), H5P_DEFAULT), H5Aclose);
    char* data = nullptr;
    file_->check(H5Aread(attribute, type, &data), "reading a text");
    std::string text(data == nullptr ? "" : data);
    H5free_memory(data);
    return text;
}

void Stream::cut(const std::string& name, std::size_t rows) {
    Table& t = file_->table(name);
    file_->write(t);
    if (rows >= t.written) return;
    const hsize_t total[] = {rows, t.columns};
    file_->check(H5Dset_extent(t.set, total), "cutting a table");
    t.written = rows;
}

}  // namespace faying::io
