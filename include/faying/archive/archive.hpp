#pragma once
// Named matrices, vectors, texts and groups of them, in MATLAB (.mat) and HDF5 (.h5) files.
//
//     faying::archive::Archive rom;
//     rom.set("M", mass, "kg");                              // dense or sparse, with its unit
//     faying::archive::Archive patches;
//     patches.set("name", std::vector<std::string>{"left", "right"});
//     rom.set("patches", patches);                           // a struct in MATLAB, a group in HDF5
//     faying::archive::write_archive("rom.mat", rom);             // MATLAB: load rom.mat; patches.name{1}
//     const auto back = faying::archive::read_archive("rom.mat");
//     back.sparse("M"), back.texts("patches.name");          // the same bits; a missing name is a BadInput listing all
//
// In an .h5 file a matrix is a data set of rows x columns and a vector one of one dimension, as h5py shows them; a
// sparse matrix is a group like MATLAB's (data, ir, jc, attribute MATLAB_sparse) with its shape as an attribute, and a
// unit is the attribute `units`. In a .mat file the units of a group are in a struct `units` beside its variables.

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace faying::archive {

struct ArchiveEntry;

/// A file's content, or that of a group in it. Where a name is asked for, "patches.name" looks inside groups.
class Archive {
 public:
    Archive();
    explicit Archive(std::string source);
    Archive(const Archive&);
    Archive(Archive&&) noexcept;
    Archive& operator=(const Archive&);
    Archive& operator=(Archive&&) noexcept;
    ~Archive();

    void set(const std::string& name, double value, const std::string& unit = "");
    void set(const std::string& name, const Eigen::VectorXd& value, const std::string& unit = "");
    void set(const std::string& name, const Eigen::MatrixXd& value, const std::string& unit = "");
    void set(const std::string& name, const Eigen::SparseMatrix<double>& value, const std::string& unit = "");
    void set(const std::string& name, const std::string& text);
    void set(const std::string& name, const char* text);
    void set(const std::string& name, const std::vector<std::string>& texts);
    void set(const std::string& name, Archive group);
    void set(ArchiveEntry entry);

    bool has(std::string_view name) const;
    /// Of this level, in the order of the file.
    std::vector<std::string> names() const;

    // Each throws core::BadInput with the file, the name and what is there instead. Shapes that mean the same are
    // taken: a 1 x n or n x 1 matrix as a vector, 1 x 1 as a number, sparse as dense and the reverse.
    double number(std::string_view name) const;
    Eigen::VectorXd vector(std::string_view name) const;
    Eigen::MatrixXd matrix(std::string_view name) const;
    Eigen::SparseMatrix<double> sparse(std::string_view name) const;
    std::string text(std::string_view name) const;
    std::vector<std::string> texts(std::string_view name) const;
    const Archive& group(std::string_view name) const;
    std::string unit(std::string_view name) const;  ///< "" where none was given

    const std::vector<ArchiveEntry>& entries() const { return entries_; }
    const std::string& source() const { return source_; }

 private:
    std::string source_;  ///< opens messages: the file, and the group in it
    std::vector<ArchiveEntry> entries_;

    const ArchiveEntry* find(std::string_view name) const;
    const ArchiveEntry& at(std::string_view name) const;
};

/// A variable of a file that is none of the kinds here, and why: "is complex". Only asking for it is an error.
struct Unreadable {
    std::string why;
};

struct ArchiveEntry {
    using Value = std::variant<double, Eigen::VectorXd, Eigen::MatrixXd, Eigen::SparseMatrix<double>, std::string,
                               std::vector<std::string>, Archive, Unreadable>;
    std::string name;
    Value value;
    std::string unit = {};
};

/// How a .mat file is written; version 5 holds less than 2 GB a variable. Both are read.
enum class MatlabVersion { v5_compressed, v7_3 };

/// Whether the extension is that of an archive: .mat, .h5 or .hdf5.
bool is_archive(const std::string& path);

/// By extension: .mat (version 5 or 7.3), .h5 or .hdf5. Throws core::BadInput for a file that is not there, is of
/// another kind, or is damaged.
Archive read_archive(const std::string& path);

/// By extension. Names must be MATLAB's: a letter, then up to 62 letters, digits and underscores; anything else is
/// core::BadInput. The file is whole or not there (write_file).
void write_archive(const std::string& path, const Archive& archive,
                   MatlabVersion version = MatlabVersion::v5_compressed);

}  // namespace faying::archive
