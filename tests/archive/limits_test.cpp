// HDF5 files that may be anything: read, or refused in one line, in seconds and with bounded memory.

#include <gtest/gtest.h>
#include <hdf5.h>

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"
#include "faying/io/process.hpp"

namespace faying::archive {
namespace {

template <class Call>
std::string refusal(Call call) {
    try {
        call();
    } catch (const core::BadInput& error) {
        return error.what();
    }
    return "accepted";
}

void expect_refused(const std::string& what, const std::string& part) {
    EXPECT_NE(what.find(part), std::string::npos) << what;
}

/// HDF5 files that no program of good will writes.
class Hdf5File {
 public:
    explicit Hdf5File(const std::string& path)
        : id_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
    ~Hdf5File() { H5Fclose(id_); }
    operator hid_t() const { return id_; }

 private:
    hid_t id_;
};

TEST(Limits, Hdf5GroupsInThemselvesAndOtherFilesAreNotFollowed) {
    const io::ScratchFolder folder;
    const auto path = (folder.path() / "a.h5").string();
    {
        const Hdf5File file(path);
        H5Lcreate_hard(file, "/", file, "self", H5P_DEFAULT, H5P_DEFAULT);
    }
    expect_refused(refusal([&] { read_archive(path).group("self"); }), "is a link back to a group that holds it");
    {
        const Hdf5File file(path);
        hid_t inner = H5Gcreate2(file, "g0", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        for (int k = 1; k < 40; ++k) {  // two links to each: 2^40 paths
            const hid_t next = H5Gcreate2(inner, "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            H5Lcreate_hard(inner, "a", inner, "b", H5P_DEFAULT, H5P_DEFAULT);
            H5Gclose(inner);
            inner = next;
        }
        H5Gclose(inner);
    }
    std::string deep = "g0";
    for (int k = 0; k < 15; ++k) deep += ".a";
    expect_refused(refusal([&] { read_archive(path).group(deep); }), "is more than 16 groups deep");
    {
        const Hdf5File file(path);
        H5Lcreate_external("/etc/passwd", "/x", file, "other", H5P_DEFAULT, H5P_DEFAULT);
        const hsize_t huge[] = {hsize_t(1) << 40, 1 << 20};
        const hid_t space = H5Screate_simple(2, huge, nullptr), properties = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t chunk[] = {16, 16};
        H5Pset_chunk(properties, 2, chunk);
        H5Dclose(H5Dcreate2(file, "M", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT));
        H5Pclose(properties);
        H5Sclose(space);
    }
    expect_refused(refusal([&] { read_archive(path); }), "claims an array of more than");
    {
        const Hdf5File file(path);
        const hsize_t many[] = {1 << 27}, chunk[] = {1 << 10};
        const hid_t space = H5Screate_simple(1, many, nullptr), properties = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(properties, 1, chunk);
        H5Dclose(H5Dcreate2(file, "never written", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT));
        H5Pclose(properties);
        H5Sclose(space);
    }
    expect_refused(refusal([&] { read_archive(path); }), "claims an array of 134217728 numbers and holds 0 bytes");
    {
        const Hdf5File file(path);
        const hsize_t many[] = {2'000'000};
        const hid_t space = H5Screate_simple(1, many, nullptr), type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, 4);
        H5Dclose(H5Dcreate2(file, "texts", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Tclose(type);
        H5Sclose(space);
    }
    expect_refused(refusal([&] { read_archive(path); }), "claims 2000000 texts of 4 letters");
    {
        const Hdf5File file(path);
        H5Lcreate_external("b.h5", "/x", file, "other", H5P_DEFAULT, H5P_DEFAULT);
        const hsize_t size[] = {16};
        const hid_t space = H5Screate_simple(1, size, nullptr), properties = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_external(properties, "/etc/passwd", 0, 128);
        H5Dclose(H5Dcreate2(file, "outside", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT));
        H5Pclose(properties);
        H5Sclose(space);
    }
    const Archive archive = read_archive(path);
    expect_refused(refusal([&] { archive.vector("other"); }), "is a link to another file");
    expect_refused(refusal([&] { archive.vector("outside"); }), "has its data in another file");
}

}  // namespace
}  // namespace faying::archive
