// Archives in HDF5: a matrix is a data set of rows x columns, as h5py and every other reader shows it.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "archive_formats.hpp"
#include "faying/archive/attributes.hpp"
#include "faying/core/error.hpp"
#include "faying/io/file.hpp"
#include "hdf5_handle.hpp"

namespace faying::archive {

using namespace hdf5;

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// ---- writing

class Writer {
 public:
    static void group(hid_t parent, const Archive& archive) {
        for (const auto& entry : archive.entries())
            std::visit([&](const auto& value) { write(parent, entry, value); }, entry.value);
    }

 private:
    static void unit(hid_t object, const ArchiveEntry& entry) {
        if (!entry.unit.empty()) attribute(object, "units", entry.unit);
    }
    /// With its unit. Closed here, where a full disk can still be told of.
    static void finish(Handle set, const ArchiveEntry& entry) {
        unit(set, entry);
        set.close("writing a data set");
    }
    static void write(hid_t parent, const ArchiveEntry& entry, double value) {
        finish(write_doubles(parent, entry.name, {}, &value), entry);
    }
    static void write(hid_t parent, const ArchiveEntry& entry, const Eigen::VectorXd& v) {
        finish(write_doubles(parent, entry.name, {hsize_t(v.size())}, v.data()), entry);
    }
    static void write(hid_t parent, const ArchiveEntry& entry, const Eigen::MatrixXd& m) {
        const RowMajor rows = m;
        finish(write_doubles(parent, entry.name, {hsize_t(m.rows()), hsize_t(m.cols())}, rows.data()), entry);
    }
    static void write(hid_t parent, const ArchiveEntry& entry, const Eigen::SparseMatrix<double>& matrix) {
        Eigen::SparseMatrix<double> m = matrix;
        m.makeCompressed();
        const auto properties = untimed(H5P_GROUP_CREATE);
        const Handle made(H5Gcreate2(parent, entry.name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose,
                          "making a group");
        const auto used = hsize_t(m.nonZeros());
        write_doubles(made, "data", {used}, m.valuePtr()).close("writing a data set");
        write_data(made, "ir", H5T_NATIVE_INT, H5T_STD_U64LE, {used}, m.innerIndexPtr()).close("writing a data set");
        write_data(made, "jc", H5T_NATIVE_INT, H5T_STD_U64LE, {hsize_t(m.cols()) + 1}, m.outerIndexPtr())
            .close("writing a data set");
        const std::uint64_t shape[] = {std::uint64_t(m.rows()), std::uint64_t(m.cols())};
        attribute(made, "MATLAB_sparse", H5T_NATIVE_UINT64, H5T_STD_U64LE, {}, shape);
        attribute(made, "shape", H5T_NATIVE_UINT64, H5T_STD_U64LE, {2}, shape);
        attribute(made, "layout", "compressed columns, from 0: column j has data[jc[j]:jc[j+1]] in rows ir[..]");
        unit(made, entry);
    }
    static void write(hid_t parent, const ArchiveEntry& entry, const std::string& text) {
        const auto type = utf8_text();
        const char* pointer = text.c_str();
        finish(write_data(parent, entry.name, type, type, {}, &pointer), entry);
    }
    static void write(hid_t parent, const ArchiveEntry& entry, const std::vector<std::string>& texts) {
        finish(write_texts(parent, entry.name, texts), entry);
    }
    static void write(hid_t parent, const ArchiveEntry& entry, const Archive& archive) {
        const auto properties = untimed(H5P_GROUP_CREATE);
        const Handle made(H5Gcreate2(parent, entry.name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose,
                          "making a group");
        group(made, archive);
    }
    static void write(hid_t, const ArchiveEntry&, const Unreadable&) {}  // write_archive has refused it
};

// ---- reading

class Reader {
 public:
    explicit Reader(const std::string& path) : path_(path), most_(most_numbers(path)) {}

    Archive group(hid_t id) {
        around_.push_back(address_of(id));
        const std::string outside_unit = unit_;
        if (auto unit = unit_attribute(id); !unit.empty()) unit_ = std::move(unit);
        Archive archive(path_);
        H5G_info_t info{};
        check(H5Gget_info(id, &info), "reading a group");
        for (hsize_t k = 0; k < info.nlinks; ++k) {
            const std::string name = link_name(id, k);
            ArchiveEntry entry{name, Unreadable{"is a link to nothing here"}};
            constexpr int most_objects = 100000;
            if (++objects_ > most_objects)
                throw core::BadInput(path_, fmt::format("has more than {} entries", most_objects));
            if (!is_in_this_file(id, name)) {
                entry.value = Unreadable{"is a link to another file, which is not followed"};
            } else if (const hid_t object = H5Oopen(id, name.c_str(), H5P_DEFAULT); object >= 0) {
                const Handle opened(object, H5Oclose, "");
                entry.value = value(opened, name);
                entry.unit = unit_attribute(opened);
                if (entry.unit.empty() && H5Iget_type(object) == H5I_DATASET) entry.unit = unit_;
            }
            archive.set(std::move(entry));
        }
        unit_ = outside_unit;
        around_.pop_back();
        return archive;
    }

 private:
    std::string path_;
    std::uint64_t most_;
    int objects_ = 0;
    std::vector<haddr_t> around_;  ///< the groups we are inside of
    std::string unit_;             ///< that one of these gives to all within

    /// As data acquisition systems write it.
    std::string unit_attribute(hid_t object) const {
        for (const char* name : {"units", "unit", "Units", "Unit", "unit_string", "NI_UnitDescription"})
            if (auto text = text_attribute(object, name); !text.empty()) return text;
        return "";
    }

    static haddr_t address_of(hid_t group) {
        H5O_info_t info{};
        check(H5Oget_info2(group, &info, H5O_INFO_BASIC), "reading a group");
        return info.addr;
    }

    static bool is_in_this_file(hid_t group, const std::string& name) {
        H5L_info_t info{};
        return H5Lget_info(group, name.c_str(), &info, H5P_DEFAULT) >= 0 &&
               (info.type == H5L_TYPE_HARD || info.type == H5L_TYPE_SOFT);
    }

    static std::string link_name(hid_t id, hsize_t k) {
        const auto size = H5Lget_name_by_idx(id, ".", H5_INDEX_NAME, H5_ITER_INC, k, nullptr, 0, H5P_DEFAULT);
        if (size < 0 || size > 65536) throw std::runtime_error("reading a name");
        std::string name(std::size_t(size), ' ');
        H5Lget_name_by_idx(id, ".", H5_INDEX_NAME, H5_ITER_INC, k, name.data(), name.size() + 1, H5P_DEFAULT);
        return name;
    }

    /// Links may lead back to a group that holds them, or fan out without end through shared ones.
    ArchiveEntry::Value value(hid_t object, const std::string& name) {
        constexpr std::size_t deepest = 16;
        switch (H5Iget_type(object)) {
            case H5I_GROUP:
                if (H5Aexists(object, "MATLAB_sparse") > 0) return sparse(object, name);
                if (std::find(around_.begin(), around_.end(), address_of(object)) != around_.end())
                    return Unreadable{"is a link back to a group that holds it"};
                if (around_.size() >= deepest) return Unreadable{fmt::format("is more than {} groups deep", deepest)};
                return group(object);
            case H5I_DATASET: return data(object);
            default: return Unreadable{"is neither data nor a group"};
        }
    }

    static std::vector<hsize_t> shape_of(hid_t set) {
        const Handle space(H5Dget_space(set), H5Sclose, "reading a shape");
        if (H5Sget_simple_extent_type(space) == H5S_NULL) return {0};
        std::vector<hsize_t> shape(std::size_t(std::max(0, H5Sget_simple_extent_ndims(space))));
        if (!shape.empty()) H5Sget_simple_extent_dims(space, shape.data(), nullptr);
        return shape;
    }

    /// Of numbers, or of anything else that takes `width` bytes.
    std::size_t count(const std::vector<hsize_t>& shape, std::size_t width = sizeof(double)) const {
        if (std::find(shape.begin(), shape.end(), 0u) != shape.end()) return 0;
        const std::uint64_t most = most_ * sizeof(double) / std::max<std::size_t>(1, width);
        std::uint64_t n = 1;
        for (const auto extent : shape) {
            if (extent > most / n)
                throw core::BadInput(path_, fmt::format("claims an array of more than {} numbers", most_));
            n *= extent;
        }
        return std::size_t(n);
    }

    /// Whether the numbers stand in the file itself: they may be said to be those of any other.
    static bool holds_its_data(hid_t set) {
        const Handle properties(H5Dget_create_plist(set), H5Pclose, "reading properties");
        return H5Pget_external_count(properties) <= 0 && H5Pget_layout(properties) != H5D_VIRTUAL;
    }

    ArchiveEntry::Value data(hid_t set) const {
        if (!holds_its_data(set)) return Unreadable{"has its data in another file, which is not read"};
        const Handle type(H5Dget_type(set), H5Tclose, "reading a type");
        const auto shape = shape_of(set);
        switch (H5Tget_class(type)) {
            case H5T_INTEGER:
            case H5T_FLOAT:
            case H5T_ENUM:  // how h5py stores true and false
                return numbers(set, shape);
            case H5T_STRING: return texts(set, type, shape);
            case H5T_COMPOUND: return fields(set, type, shape);
            default: return Unreadable{"is of a kind that is not numbers or text"};
        }
    }

    std::vector<double> doubles(hid_t set, std::size_t n) const {
        // No filter of HDF5 makes less than a thousandth of its data: what claims to be more was never written.
        constexpr std::uint64_t always = 1u << 23;
        if (n > always && n > 1100 * H5Dget_storage_size(set))
            throw core::BadInput(path_, fmt::format("claims an array of {} numbers and holds {} bytes of it", n,
                                                    H5Dget_storage_size(set)));
        std::vector<double> values(n);
        if (n > 0)
            check(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "reading numbers");
        return values;
    }

    ArchiveEntry::Value numbers(hid_t set, const std::vector<hsize_t>& shape) const {
        if (shape.size() > 2) return Unreadable{fmt::format("has {} dimensions", shape.size())};
        const auto values = doubles(set, count(shape));
        if (shape.empty()) return values.front();
        if (shape.size() == 1) return Eigen::VectorXd::Map(values.data(), Eigen::Index(values.size())).eval();
        return Eigen::MatrixXd(RowMajor::Map(values.data(), Eigen::Index(shape[0]), Eigen::Index(shape[1])));
    }

    /// A table of named columns: a group of its numbers.
    ArchiveEntry::Value fields(hid_t set, hid_t type, const std::vector<hsize_t>& shape) const {
        constexpr int most_fields = 1000;
        const int members = H5Tget_nmembers(type);
        if (shape.size() != 1 || members < 1 || members > most_fields)
            return Unreadable{"is complex, or a record that is no table"};
        Archive group(path_);
        for (int k = 0; k < members; ++k) {
            const auto kind = H5Tget_member_class(type, unsigned(k));
            if (kind != H5T_INTEGER && kind != H5T_FLOAT) continue;
            char* name = H5Tget_member_name(type, unsigned(k));
            const std::string called = name ? name : "";
            H5free_memory(name);
            if (members == 2 && (called == "r" || called == "i" || called == "real" || called == "imag"))
                return Unreadable{"is complex"};
            const Handle one(H5Tcreate(H5T_COMPOUND, sizeof(double)), H5Tclose, "making a type");
            check(H5Tinsert(one, called.c_str(), 0, H5T_NATIVE_DOUBLE), "making a type");
            std::vector<double> values(count(shape));
            if (!values.empty())
                check(H5Dread(set, one, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "reading a table");
            group.set({called, Eigen::VectorXd(Eigen::VectorXd::Map(values.data(), Eigen::Index(values.size())))});
        }
        return group;
    }

    ArchiveEntry::Value texts(hid_t set, hid_t type, const std::vector<hsize_t>& shape) const {
        if (shape.size() > 1) return Unreadable{"is a table of texts"};
        // Each of them is looked up or set aside: more take seconds, and no file that is meant to be read has them.
        constexpr std::size_t most_texts = 1'000'000, most_letters = 100'000'000;
        const std::size_t n = count(shape, 1), width = H5Tis_variable_str(type) > 0 ? 1 : H5Tget_size(type);
        if (n > most_texts || width > most_letters / std::max<std::size_t>(1, n))
            throw core::BadInput(
                path_, fmt::format("claims {} texts of {} letters; {} texts and {} letters are the most", n, width,
                                   most_texts, most_letters));
        std::vector<std::string> list;
        if (H5Tis_variable_str(type) > 0) {
            std::vector<char*> pointers(n, nullptr);
            const Handle in_memory(H5Tcopy(type), H5Tclose, "making a text type");
            if (!pointers.empty())
                check(H5Dread(set, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), "reading texts");
            for (char* pointer : pointers) {
                list.emplace_back(pointer ? pointer : "");
                H5free_memory(pointer);
            }
        } else {
            std::string all(width * n, '\0');
            if (!all.empty()) check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), "reading texts");
            for (std::size_t k = 0; k < n; ++k) {
                std::string text = all.substr(k * width, width);
                text.resize(text.find_last_not_of(std::string_view(" \0", 2)) + 1);
                list.push_back(text.substr(0, text.find('\0')));
            }
        }
        if (shape.empty()) return list.front();
        return list;
    }

    std::string text_attribute(hid_t object, const char* name) const {
        if (H5Aexists(object, name) <= 0) return "";
        const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "reading an attribute");
        const Handle type(H5Aget_type(attribute), H5Tclose, "reading a type");
        const Handle space(H5Aget_space(attribute), H5Sclose, "reading a shape");
        if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1) return "";
        if (H5Tis_variable_str(type) > 0) {
            char* pointer = nullptr;
            check(H5Aread(attribute, type, &pointer), "reading an attribute");
            std::string text = pointer ? pointer : "";
            H5free_memory(pointer);
            return text;
        }
        std::string text(count({1}, H5Tget_size(type)) * H5Tget_size(type), '\0');
        check(H5Aread(attribute, type, text.data()), "reading an attribute");
        return text.substr(0, text.find('\0'));
    }

    Eigen::SparseMatrix<double> sparse(hid_t object, const std::string& name) const {
        const Handle attribute(H5Aopen(object, "MATLAB_sparse", H5P_DEFAULT), H5Aclose, "reading an attribute");
        const Handle space(H5Aget_space(attribute), H5Sclose, "reading a shape");
        std::int64_t rows = -1;
        if (H5Sget_simple_extent_npoints(space) == 1)
            check(H5Aread(attribute, H5T_NATIVE_INT64, &rows), "reading an attribute");
        const auto starts = part(object, "jc");
        return sparse_of(part(object, "data"), whole(part(object, "ir")), whole(starts), rows,
                         fmt::format("{}: '{}'", path_, name));
    }

    /// A part of a sparse matrix; one without entries may lack it.
    std::vector<double> part(hid_t group, const char* name) const {
        if (H5Lexists(group, name, H5P_DEFAULT) <= 0 || !is_in_this_file(group, name)) return {};
        const Handle set(H5Dopen2(group, name, H5P_DEFAULT), H5Dclose, "reading a sparse matrix");
        if (!holds_its_data(set)) throw std::runtime_error("a sparse matrix is in another file");
        const Handle type(H5Dget_type(set), H5Tclose, "reading a type");
        const auto kind = H5Tget_class(type);
        if (kind != H5T_INTEGER && kind != H5T_FLOAT)
            throw std::runtime_error("a sparse matrix is not of real numbers");
        return doubles(set, count(shape_of(set)));
    }

    static std::vector<std::int64_t> whole(const std::vector<double>& numbers) {
        std::vector<std::int64_t> made;
        for (const double x : numbers)
            made.push_back(x >= 0 && x <= double(std::numeric_limits<int>::max()) ? std::int64_t(x) : -1);
        return made;
    }
};

/// Numbers that stand as attributes at an object.
void add_numbers(hid_t object, const std::string& name, std::vector<NumberAttribute>& to) {
    constexpr hsize_t most = 256;
    H5O_info_t info{};
    check(H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS), "reading attributes");
    for (hsize_t k = 0; k < std::min(most, hsize_t(info.num_attrs)); ++k) {
        const Handle attribute(H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, k, H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose, "reading an attribute");
        const Handle type(H5Aget_type(attribute), H5Tclose, "reading a type");
        const Handle space(H5Aget_space(attribute), H5Sclose, "reading a shape");
        const auto kind = H5Tget_class(type);
        if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || H5Sget_simple_extent_npoints(space) != 1) continue;
        char called[128] = {};
        double value = 0;
        if (H5Aget_name(attribute, sizeof called, called) < 0) continue;
        check(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), "reading an attribute");
        to.push_back({name, called, value});
    }
}

}  // namespace

std::vector<NumberAttribute> number_attributes(const std::string& path, const std::vector<std::string>& objects) {
    std::vector<NumberAttribute> found;
    const std::lock_guard guard(one_at_a_time());
    const QuietHdf5 quiet;
    if (H5Fis_hdf5(path.c_str()) <= 0) return found;
    try {
        const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "opening it");
        for (const auto& name : objects) {
            std::string place = "/" + name;
            std::replace(place.begin(), place.end(), '.', '/');
            if (const hid_t id = H5Oopen(file, place.c_str(), H5P_DEFAULT); id >= 0)
                add_numbers(Handle(id, H5Oclose, ""), name, found);
        }
    } catch (const std::runtime_error& error) {
        throw core::BadInput(path, fmt::format("is cut short or damaged ({})", error.what()));
    }
    return found;
}

Archive read_hdf5(const std::string& path) {
    const QuietHdf5 quiet;
    if (H5Fis_hdf5(path.c_str()) <= 0) throw core::BadInput(path, "is not an HDF5 file, or is cut short");
    try {
        const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "opening it");
        const Handle root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose, "opening it");
        return Reader(path).group(root);
    } catch (const core::BadInput&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw core::BadInput(path, fmt::format("is damaged or cut short: {} failed", error.what()));
    }
}

/// Through memory: HDF5 does not get over a disk that fills up, and write_file does.
void write_hdf5(const std::string& path, const Archive& archive) {
    const QuietHdf5 quiet;
    std::string bytes;
    try {
        const Handle properties = untimed(H5P_FILE_CREATE), access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "making it");
        check(H5Pset_fapl_core(access, 1 << 20, false), "making it");
        Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, properties, access), H5Fclose, "making it");
        Writer::group(file, archive);
        check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flushing it");
        const ssize_t size = H5Fget_file_image(file, nullptr, 0);
        if (size < 0) throw std::runtime_error("finding its size");
        bytes.resize(std::size_t(size));
        if (H5Fget_file_image(file, bytes.data(), bytes.size()) != size) throw std::runtime_error("copying it");
        file.close("closing it");
    } catch (const core::BadInput&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw core::BadInput(path, fmt::format("cannot be written: {} failed", error.what()));
    }
    io::write_file(path, bytes);
}

}  // namespace faying::archive
