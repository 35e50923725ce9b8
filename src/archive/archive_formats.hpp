#pragma once
// The two file formats behind read_archive and write_archive. HDF5 is not thread safe: one call at a time, which
// archive.cpp and stream.cpp see to.

#include <hdf5.h>

#include <cstdint>
#include <mutex>
#include <string>

#include "faying/archive/archive.hpp"

namespace faying::archive {

Archive read_hdf5(const std::string& path);
void write_hdf5(const std::string& path, const Archive& archive);

Archive read_matlab(const std::string& path);
void write_matlab(const std::string& path, const Archive& archive, MatlabVersion version);

/// What the k-th struct of an array of structs is called in its group, from 1.
inline std::string item_name(std::size_t k) { return "item" + std::to_string(k); }

/// HDF5 and matio keep global state: one call at a time.
std::mutex& one_at_a_time();

/// HDF5 prints its errors by itself; not in this scope, nor does a file get to load filters from shared libraries.
/// Opened before HDF5 is first called. At exit HDF5 would try once
/// more to write what a full disk refused, and crash: everything here closes its own files, so that it need not.
class QuietHdf5 {
 public:
    QuietHdf5() {
        static const herr_t no_work_at_exit = H5dont_atexit();
        static_cast<void>(no_work_at_exit);
        H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
        H5PLset_loading_state(0);
    }
    ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
    QuietHdf5(const QuietHdf5&) = delete;
    QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
    H5E_auto2_t print_ = nullptr;
    void* data_ = nullptr;
};

/// The most numbers (of 8 bytes) an array of a file is believed to have: a damaged or malicious one can claim any, and
/// compressed files hold more than their size.
std::uint64_t most_numbers(const std::string& path);

/// Compressed columns as both formats store them; `where` opens the complaint when they do not fit together.
Eigen::SparseMatrix<double> sparse_of(const std::vector<double>& data, const std::vector<std::int64_t>& row,
                                      const std::vector<std::int64_t>& column_start, std::int64_t rows,
                                      const std::string& where);

}  // namespace faying::archive
