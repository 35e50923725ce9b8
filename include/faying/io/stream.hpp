#pragma once
// Long records to HDF5 while they are made: named tables that grow row by row, readable after any flush.
//
//     Stream out = Stream::create("run.h5", {{"t", 1, "s"}, {"u", 3, "m"}}, {{"command", "faying simulate .."}});
//     out.append("t", &t); out.append("u", u.data());
//     out.replace("restart", numbers);                      // a small vector, written over each time
//     out.flush();
//
//     Stream more = Stream::open("run.h5");                 // to append to; more.rows("u"), more.read("u")
//
// read_archive reads the file as matrices of rows x columns.

#include <Eigen/Dense>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace faying::io {

struct StreamTable {
    std::string name;
    int columns = 1;  ///< 1 makes a vector
    std::string unit = {};
};

class Stream {
 public:
    /// A new file (an old one of that name is replaced), with texts as attributes. Throws core::BadInput when it cannot
    /// be written.
    static Stream create(const std::string& path, const std::vector<StreamTable>& tables,
                         const std::map<std::string, std::string>& texts);
    /// An existing one, to go on. Throws core::BadInput when it is not there or not such a file.
    static Stream open(const std::string& path);
    ~Stream();
    Stream(Stream&&) noexcept;
    Stream& operator=(Stream&&) noexcept;

    /// `columns` numbers; kept in memory until there are enough for a chunk, or a flush.
    void append(const std::string& table, const double* row);
    void replace(const std::string& name, const std::vector<double>& values);
    /// All on disk; a full disk shows here, as core::BadInput.
    void flush();

    std::size_t rows(const std::string& table) const;
    Eigen::MatrixXd read(const std::string& table) const;
    std::vector<double> read_vector(const std::string& name) const;
    std::string text(const std::string& name) const;
    /// Forgets the rows from `rows` on.
    void cut(const std::string& table, std::size_t rows);

 private:
    struct File;
    explicit Stream(std::unique_ptr<File> file);
    std::unique_ptr<File> file_;
};

}  // namespace faying::io
