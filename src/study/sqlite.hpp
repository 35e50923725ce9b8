#pragma once
// SQLite in the few calls the store needs; every failure is one line that names the file.

#include <sqlite3.h>

#include <optional>
#include <string>
#include <string_view>

namespace faying::study {

class Connection {
 public:
    /// `path` opens messages, `file` is the same as a whole path: SQLite takes some short names (":memory:") for no
    /// file.
    Connection(std::string path, const std::string& file, int flags);
    ~Connection() { close(); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void close() {
        sqlite3_close(handle_);
        handle_ = nullptr;
    }

    sqlite3* handle() const { return handle_; }
    const std::string& path() const { return path_; }
    void run(const std::string& sql);
    /// The first column of the first row.
    std::string one(const std::string& sql);
    /// Throws BadInput saying what `code` means for the user.
    [[noreturn]] void fail(int code) const;

 private:
    std::string path_;
    sqlite3* handle_ = nullptr;
};

class Statement {
 public:
    Statement(Connection& connection, std::string_view sql);
    ~Statement() { sqlite3_finalize(statement_); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    Statement& bind(int index, std::string_view text);
    Statement& bind(int index, long number);
    Statement& bind(int index, double number);  ///< NaN becomes null
    bool step();                                ///< true: a row is there
    void reset();

    std::string text(int column) const;
    long integer(int column) const { return long(sqlite3_column_int64(statement_, column)); }
    double real(int column) const;

 private:
    Connection& connection_;
    sqlite3_stmt* statement_ = nullptr;
    void check(int code) const;
};

/// Rolled back unless committed.
class Transaction {
 public:
    explicit Transaction(Connection& connection) : connection_(connection) { connection_.run("BEGIN IMMEDIATE"); }
    ~Transaction() {
        if (open_) sqlite3_exec(connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit() {
        connection_.run("COMMIT");
        open_ = false;
    }

 private:
    Connection& connection_;
    bool open_ = true;
};

}  // namespace faying::study
