#pragma once
// Long records to HDF5 while they are made: named tables that grow row by row.
//
//     Stream out = Stream::create("run.h5", {{"t", 1, "s"}, {"u", 3, "m"}}, {{"command", "faying simulate .."}});
//     out.append("t", &t); out.append("u", u.data());
//     out.replace("restart", numbers);                      // a small vector, written over each time
//     out.flush();                                          // these rows and this vector: all of them, or none
//     out.finish();                                         // run.h5 is there, or anew
//
//     Stream more = Stream::open("run.h5");                 // to append to; more.rows("u"), more.read("u")
//
// Until finish() all goes to a journal beside it, run.h5.journal, and an old run.h5 stays as it was: a kill at any
// moment loses what came after the last flush, and no more. read_archive reads the file as matrices of rows x columns.

#include <Eigen/Dense>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace faying::archive {

struct StreamTable {
    std::string name;
    int columns = 1;  ///< 1 makes a vector
    std::string unit = {};
    std::vector<std::string> labels = {};  ///< what each column is; or none. In the file: labels/NAME
};

class Stream {
 public:
    /// A new record, with texts as attributes. Throws core::BadInput when it cannot be written.
    static Stream create(const std::string& path, const std::vector<StreamTable>& tables,
                         const std::map<std::string, std::string>& texts);
    /// Whether there is a record, or the journal of one, to go on with.
    static bool exists(const std::string& path);
    /// An existing one, to go on. Throws core::BadInput when it is not there or not such a file.
    static Stream open(const std::string& path);
    ~Stream();
    Stream(Stream&&) noexcept;
    Stream& operator=(Stream&&) noexcept;

    /// `columns` numbers; kept in memory until they are many, or a flush.
    void append(const std::string& table, const double* row);
    void replace(const std::string& name, const std::vector<double>& values);
    /// All on disk, in one step; a full disk shows here, as core::BadInput.
    void flush();
    /// Flushes, writes the HDF5 file and removes the journal.
    void finish();

    std::size_t rows(const std::string& table) const;
    Eigen::MatrixXd read(const std::string& table) const;
    bool has_vector(const std::string& name) const;
    std::vector<double> read_vector(const std::string& name) const;
    std::string text(const std::string& name) const;
    /// Forgets the rows from `rows` on.
    void cut(const std::string& table, std::size_t rows);

 private:
    struct Record;
    explicit Stream(std::unique_ptr<Record> record);
    std::unique_ptr<Record> record_;
};

}  // namespace faying::archive
