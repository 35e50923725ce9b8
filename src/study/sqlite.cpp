#include "sqlite.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "faying/core/checksum.hpp"
#include "faying/core/error.hpp"

namespace faying::study {

using core::BadInput;

namespace {

/// faying_checksum(a, b, ..): of the values of a row. A number is the same whether SQLite keeps it as whole or not.
void row_checksum(sqlite3_context* context, int count, sqlite3_value** values) {
    core::Checksum sum;
    for (int i = 0; i < count; ++i) {
        const int type = sqlite3_value_type(values[i]);
        sum.add(type == SQLITE_INTEGER ? SQLITE_FLOAT : type);
        if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) {
            sum.add(sqlite3_value_double(values[i]) + 0.0);  // -0 comes back as 0
        } else if (type != SQLITE_NULL) {
            const auto* bytes = static_cast<const char*>(sqlite3_value_blob(values[i]));
            const auto size = std::size_t(sqlite3_value_bytes(values[i]));
            sum.add(std::uint64_t(size));
            if (size > 0) sum.add({bytes, size});
        }
    }
    sqlite3_result_int64(context, static_cast<sqlite3_int64>(sum.value()));
}

}  // namespace

Connection::Connection(std::string path, const std::string& file, int flags) : path_(std::move(path)) {
    const int code = sqlite3_open_v2(file.c_str(), &handle_, flags, nullptr);
    if (code != SQLITE_OK) {
        const int kept = sqlite3_extended_errcode(handle_);
        sqlite3_close(handle_);
        handle_ = nullptr;
        fail(kept == SQLITE_OK ? code : kept);
    }
    sqlite3_extended_result_codes(handle_, 1);
    sqlite3_busy_timeout(handle_, 5000);
    sqlite3_create_function_v2(handle_, "faying_checksum", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nullptr,
                               row_checksum, nullptr, nullptr, nullptr);
}

void Connection::fail(int code) const {
    switch (code & 0xff) {
        case SQLITE_NOTADB: throw BadInput(path_, "is not a study store (not an SQLite file)");
        case SQLITE_CORRUPT: throw BadInput(path_, "is damaged; restore a copy, or begin with a new store");
        case SQLITE_BUSY:
        case SQLITE_LOCKED: throw BadInput(path_, "is locked by another program; end it or wait, then run again");
        case SQLITE_FULL:
            throw BadInput(path_, "the disk is full; what was written before is kept: make room and run again");
        case SQLITE_READONLY: throw BadInput(path_, "cannot be written: it is read only");
        case SQLITE_CANTOPEN: throw BadInput(path_, "cannot be opened: no such file or folder, or no permission");
        case SQLITE_IOERR: throw BadInput(path_, "cannot be read or written: the disk reports an error");
        default: break;
    }
    throw BadInput(path_, fmt::format("store: {}", handle_ ? sqlite3_errmsg(handle_) : sqlite3_errstr(code)));
}

void Connection::run(const std::string& sql) {
    const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(code);
}

std::string Connection::one(const std::string& sql) {
    Statement s(*this, sql);
    return s.step() ? s.text(0) : "";
}

Statement::Statement(Connection& connection, std::string_view sql) : connection_(connection) {
    check(sqlite3_prepare_v2(connection.handle(), sql.data(), int(sql.size()), &statement_, nullptr));
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) connection_.fail(code);
}

Statement& Statement::bind(int index, std::string_view text) {
    check(sqlite3_bind_text(statement_, index, text.data(), int(text.size()), SQLITE_TRANSIENT));
    return *this;
}

Statement& Statement::bind(int index, long number) {
    check(sqlite3_bind_int64(statement_, index, number));
    return *this;
}

Statement& Statement::bind(int index, double number) {
    check(sqlite3_bind_double(statement_, index, number));
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) connection_.fail(code);
    return false;
}

void Statement::reset() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
}

std::string Statement::text(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return text ? std::string(text, std::size_t(sqlite3_column_bytes(statement_, column))) : std::string();
}

double Statement::real(int column) const {
    if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::numeric_limits<double>::quiet_NaN();
    return sqlite3_column_double(statement_, column);
}

}  // namespace faying::study
