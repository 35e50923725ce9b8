#pragma once
// HDF5's objects with owners, its failures as exceptions (std::runtime_error saying what was being done).

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace faying::archive::hdf5 {

/// An HDF5 identifier that is closed at the end of the scope. A negative one is a failure and throws.
class Handle {
 public:
    Handle(hid_t id, herr_t (*close)(hid_t), const char* doing) : id_(id), close_(close) {
        if (id < 0) throw std::runtime_error(doing);
    }
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&&) = delete;
    operator hid_t() const { return id_; }

    /// Where closing can fail and must be known: a full disk shows only here.
    void close(const char* doing) {
        const auto id = std::exchange(id_, -1);
        if (close_(id) < 0) throw std::runtime_error(doing);
    }

 private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

inline void check(herr_t status, const char* doing) {
    if (status < 0) throw std::runtime_error(doing);
}

inline Handle utf8_text() {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "making a text type");
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

inline Handle space_of(const std::vector<hsize_t>& shape) {
    if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose, "making a scalar"};
    return {H5Screate_simple(int(shape.size()), shape.data(), nullptr), H5Sclose, "making a data space"};
}

/// Without times of creation: the same archive gives the same bytes.
inline Handle untimed(hid_t kind) {
    Handle properties(H5Pcreate(kind), H5Pclose, "making properties");
    check(H5Pset_obj_track_times(properties, false), "leaving out times");
    return properties;
}

inline void attribute(hid_t object, const char* name, hid_t type, hid_t stored, const std::vector<hsize_t>& shape,
                      const void* data) {
    const auto space = space_of(shape);
    const Handle made(H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                      "making an attribute");
    check(H5Awrite(made, type, data), "writing an attribute");
}

inline void attribute(hid_t object, const char* name, const std::string& text) {
    const auto type = utf8_text();
    const char* pointer = text.c_str();
    attribute(object, name, type, type, {}, &pointer);
}

inline Handle write_data(hid_t group, const std::string& name, hid_t type, hid_t stored,
                         const std::vector<hsize_t>& shape, const void* data) {
    const auto space = space_of(shape);
    const auto properties = untimed(H5P_DATASET_CREATE);
    Handle set(H5Dcreate2(group, name.c_str(), stored, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
               "making a data set");
    if (H5Sget_simple_extent_npoints(space) > 0)
        check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "writing a data set");
    return set;
}

inline Handle write_doubles(hid_t group, const std::string& name, const std::vector<hsize_t>& shape,
                            const double* data) {
    return write_data(group, name, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, shape, data);
}

inline Handle write_texts(hid_t group, const std::string& name, const std::vector<std::string>& texts) {
    const auto type = utf8_text();
    std::vector<const char*> pointers;
    for (const auto& text : texts) pointers.push_back(text.c_str());
    return write_data(group, name, type, type, {hsize_t(texts.size())}, pointers.data());
}

}  // namespace faying::archive::hdf5
