#include "faying/study/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <mutex>

#include "faying/core/error.hpp"
#include "faying/io/file.hpp"
#include "sqlite.hpp"

namespace faying::study {

using core::BadInput;

namespace {

constexpr int application = 0x46617931;  // "Fay1", in the header of the file
constexpr int format = 3, format_without_checksums = 2;

struct Identity {
    dev_t device = 0;
    ino_t inode = 0;
    bool operator==(const Identity&) const = default;
};

std::optional<Identity> identity_of(const std::string& path) {
    struct stat file {};
    if (::stat(path.c_str(), &file) != 0) return {};
    return Identity{file.st_dev, file.st_ino};
}

/// One writer at a time. The kernel lets go of it when the process ends, however it ends. A file of its own: SQLite's
/// own locks would be lost when another descriptor of the database is closed. It goes when the writer does.
class WriterLock {
 public:
    WriterLock(const std::string& path, const std::string& file) : name_(file + "-writer") {
        for (;;) {
            descriptor_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
            if (descriptor_ < 0) throw BadInput(path, fmt::format("cannot be written: {}", std::strerror(errno)));
            if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
                ::close(descriptor_);
                throw BadInput(path, "is in use by another study that writes to it; let that one end first");
            }
            struct stat open {};
            if (::fstat(descriptor_, &open) == 0 && identity_of(name_) == Identity{open.st_dev, open.st_ino}) return;
            ::close(descriptor_);  // its owner removed it between our two calls
        }
    }
    ~WriterLock() {
        ::unlink(name_.c_str());
        ::close(descriptor_);
    }
    WriterLock(const WriterLock&) = delete;
    WriterLock& operator=(const WriterLock&) = delete;

 private:
    std::string name_;
    int descriptor_ = -1;
};

std::string array_text(const std::vector<double>& numbers) {
    std::string text = "[";
    for (const double x : numbers) {
        if (text.size() > 1) text += ',';
        if (std::isfinite(x))
            fmt::format_to(std::back_inserter(text), "{}", x);
        else
            text += "null";
    }
    return text + "]";
}

std::vector<double> numbers_of(const std::string& text, const std::string& path) {
    std::vector<double> numbers;
    const char *at = text.data() + 1, *end = text.data() + text.size() - 1;
    if (text.size() < 2 || text.front() != '[' || text.back() != ']')
        throw BadInput(path, "is damaged: an array of numbers is not one");
    while (at < end) {
        double x = std::nan("");
        if (std::string_view(at, std::size_t(end - at)).starts_with("null")) {
            at += 4;
        } else {
            const auto [next, error] = std::from_chars(at, end, x);
            if (error != std::errc()) throw BadInput(path, "is damaged: an array of numbers is not one");
            at = next;
        }
        numbers.push_back(x);
        if (at < end && *at++ != ',') throw BadInput(path, "is damaged: an array of numbers is not one");
    }
    return numbers;
}

/// A reader opens for writing too where it may (SQLite falls back by itself): only then can it take away the -wal and
/// -shm files that it makes beside the store. `query_only` keeps it a reader.
int flags_of(Access access) { return SQLITE_OPEN_READWRITE | (access == Access::read ? 0 : SQLITE_OPEN_CREATE); }

/// What the checksum of a row is of.
constexpr const char* text_columns = "key, text";
constexpr const char* evaluation_columns =
    "variant, phase, generation, parameters, objectives, jacobian, residual, status, details, wall_time, code_version";

void create_tables(Connection& c) {
    Transaction all(c);
    c.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", application, format));
    c.run("CREATE TABLE text (key TEXT PRIMARY KEY, text TEXT NOT NULL, checksum INTEGER) WITHOUT ROWID");
    c.run(
        "CREATE TABLE evaluation ("
        " id INTEGER PRIMARY KEY, variant TEXT NOT NULL, phase TEXT NOT NULL, generation INTEGER NOT NULL,"
        " parameters TEXT NOT NULL, objectives TEXT NOT NULL, jacobian TEXT NOT NULL, residual REAL,"
        " status TEXT NOT NULL, details TEXT NOT NULL, wall_time REAL NOT NULL, code_version TEXT NOT NULL,"
        " checksum INTEGER, UNIQUE (variant, phase, parameters))");
    all.commit();
}

/// A store of the format before gets its checksums.
void update_format(Connection& c) {
    if (c.one("PRAGMA user_version") != std::to_string(format_without_checksums)) return;
    Transaction all(c);
    for (const auto& [table, columns] :
         {std::pair{"text", text_columns}, std::pair{"evaluation", evaluation_columns}}) {
        c.run(fmt::format("ALTER TABLE {} ADD COLUMN checksum INTEGER", table));
        c.run(fmt::format("UPDATE {} SET checksum = faying_checksum({})", table, columns));
    }
    c.run(fmt::format("PRAGMA user_version = {}", format));
    all.commit();
}

/// Ours, of this format, and whole.
void check_file(Connection& c) {
    if (c.one("PRAGMA application_id") != std::to_string(application))
        throw BadInput(c.path(), "is not a study store (an SQLite file of another program)");
    const std::string version = c.one("PRAGMA user_version");
    if (version != std::to_string(format) && version != std::to_string(format_without_checksums))
        throw BadInput(c.path(), fmt::format("is a study store of format {}; this program reads formats {} and {}",
                                             version, int(format_without_checksums), int(format)));
    const std::string health = c.one("PRAGMA quick_check(1)");
    if (health != "ok") throw BadInput(c.path(), "is damaged; restore a copy, or begin with a new store");
    if (version == std::to_string(format_without_checksums)) return;
    const auto changed = [&](const char* table, const char* columns, const char* name) {
        return c.one(
            fmt::format("SELECT {} FROM {} WHERE checksum IS NOT faying_checksum({}) LIMIT 1", name, table, columns));
    };
    for (const std::string& row : {changed("evaluation", evaluation_columns, "'evaluation ' || id"),
                                   changed("text", text_columns, "quote(key)")})
        if (!row.empty())
            throw BadInput(c.path(), fmt::format("is damaged: {} is not what was written; restore a copy, or begin "
                                                 "with a new store",
                                                 row));
}

fit::Status status_of(const std::string& text, const std::string& path) {
    for (const auto s : {fit::Status::converged, fit::Status::not_converged, fit::Status::failed})
        if (fit::name(s) == text) return s;
    throw BadInput(path, fmt::format("is damaged: unknown status '{}'", text));
}

}  // namespace

struct Store::Database {
    std::string file;  ///< the whole path, links followed: one store has one lock, whatever it is called
    std::optional<WriterLock> lock;
    Connection connection;
    std::mutex mutex;  ///< transactions of one connection must not overlap
    bool fresh = false;
    std::optional<Identity> store, log;  ///< the files this began with
    std::string version;                 ///< changes when another connection writes

    Database(const std::string& path, Access access)
        : file(io::resolved(path)), connection((lock_if(path, access), path), file, flags_of(access)) {}

    /// Written by us only, and still under its name: else all that is written now would be lost, or be of two minds.
    void check_ours() {
        const auto lost = [&](const char* what) {
            return BadInput(connection.path(), fmt::format("{} while the study was running; its last evaluations are "
                                                           "lost: put back a copy, or begin with a new store",
                                                           what));
        };
        if (identity_of(file) != store) throw lost("was deleted or replaced");
        if (log && identity_of(file + "-wal") != log) throw lost("its -wal file was deleted or replaced");
        if (connection.one("PRAGMA data_version") != version) throw lost("was changed by another program");
        if (!log) log = identity_of(file + "-wal");
    }

    void remove_files() {
        connection.close();
        for (const char* end : {"", "-wal", "-shm"}) ::unlink((file + end).c_str());
    }

    std::vector<Record> records(const std::string& variant) {
        Statement s(connection,
                    "SELECT phase, generation, parameters, objectives, jacobian, residual, status, details, "
                    "wall_time, code_version FROM evaluation WHERE variant = ?1 ORDER BY id");
        s.bind(1, variant);
        std::vector<Record> all;
        while (s.step()) {
            Record& r = all.emplace_back();
            r.variant = variant;
            r.phase = s.text(0);
            r.generation = int(s.integer(1));
            r.values = numbers_of(s.text(2), connection.path());
            r.evaluation.objectives = numbers_of(s.text(3), connection.path());
            r.evaluation.jacobian = matrix_of(numbers_of(s.text(4), connection.path()), r);
            r.evaluation.residual = s.real(5);
            r.evaluation.status = status_of(s.text(6), connection.path());
            r.details = numbers_of(s.text(7), connection.path());
            r.wall_time = s.real(8);
            r.code_version = s.text(9);
        }
        return all;
    }

    std::vector<std::string> texts(const std::string& sql) {
        Statement s(connection, sql);
        std::vector<std::string> all;
        while (s.step()) all.push_back(s.text(0));
        return all;
    }

 private:
    /// A row per objective, a column per parameter, row by row.
    Eigen::MatrixXd matrix_of(const std::vector<double>& numbers, const Record& r) const {
        if (numbers.empty()) return {};
        const auto rows = Eigen::Index(r.evaluation.objectives.size()), columns = Eigen::Index(r.values.size());
        if (Eigen::Index(numbers.size()) != rows * columns)
            throw BadInput(connection.path(), "is damaged: a Jacobian has the wrong size");
        using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
        return Eigen::Map<const RowMajor>(numbers.data(), rows, columns);
    }

    /// The lock comes before SQLite opens anything.
    void lock_if(const std::string& path, Access access) {
        if (access == Access::write) lock.emplace(path, file);
    }
};

namespace {

/// What can be told of a name before anything is opened.
void check_name(const std::string& path, Access access) {
    if (path.empty()) throw BadInput("a study store needs a name");
    if (path == ":memory:" || path.starts_with("file:"))
        throw BadInput(path, "is not a file to SQLite, and a study in it would be lost; give a name such as study.db");
    struct stat file {};
    const bool there = ::stat(path.c_str(), &file) == 0;
    if (there && S_ISDIR(file.st_mode)) throw BadInput(path, "is a folder; a study store is a file");
    if (there && !S_ISREG(file.st_mode)) throw BadInput(path, "is a device or a pipe; a study store is a file");
    if (!there && access == Access::read) throw BadInput(path, "there is no such study store");
    if (there && access == Access::write && file.st_nlink > 1)
        throw BadInput(path, "has another name too (a hard link), and SQLite would mix up the two; make a copy");
}

}  // namespace

Store::Store(const std::string& path, Access access) {
    check_name(path, access);
    const bool fresh = !std::filesystem::exists(path);
    database_ = std::make_unique<Database>(path, access);
    auto& c = database_->connection;
    database_->fresh = fresh;
    if (access == Access::read) {
        c.run("PRAGMA query_only = 1");
        check_file(c);
        return;
    }
    try {
        // NORMAL: a killed process loses nothing; a machine that loses power may lose the last generations, never the
        // file.
        const bool empty = c.one("SELECT count(*) FROM sqlite_master") == "0";
        if (!empty) check_file(c);  // before anything is changed in it
        c.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000;");
        empty ? create_tables(c) : update_format(c);
    } catch (const BadInput&) {
        if (fresh) database_->remove_files();
        throw;
    }
    database_->store = identity_of(database_->file);
    database_->version = c.one("PRAGMA data_version");
}

Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

const std::string& Store::path() const { return database_->connection.path(); }

bool Store::is_new() const { return database_->fresh; }

void Store::discard() { database_->remove_files(); }

void Store::verify() const {
    const std::lock_guard lock(database_->mutex);
    database_->check_ours();
    Connection other(path(), database_->file, flags_of(Access::read));  // what is on disk, not what is remembered here
    other.run("PRAGMA query_only = 1");
    check_file(other);
}

void Store::add(const std::vector<Record>& records) {
    const std::lock_guard lock(database_->mutex);
    auto& c = database_->connection;
    Transaction all(c);
    database_->check_ours();
    constexpr const char* values = "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11";
    Statement s(c, fmt::format("INSERT OR REPLACE INTO evaluation ({}, checksum) VALUES ({}, faying_checksum({}))",
                               evaluation_columns, values, values));
    for (const auto& r : records) {
        std::vector<double> jacobian;
        for (Eigen::Index i = 0; i < r.evaluation.jacobian.rows(); ++i)
            for (Eigen::Index j = 0; j < r.evaluation.jacobian.cols(); ++j)
                jacobian.push_back(r.evaluation.jacobian(i, j));
        s.bind(1, r.variant).bind(2, r.phase).bind(3, long(r.generation));
        s.bind(4, array_text(r.values)).bind(5, array_text(r.evaluation.objectives)).bind(6, array_text(jacobian));
        s.bind(7, r.evaluation.residual).bind(8, fit::name(r.evaluation.status)).bind(9, array_text(r.details));
        s.bind(10, r.wall_time).bind(11, r.code_version);
        s.step();
        s.reset();
    }
    all.commit();
}

std::vector<Record> Store::records(const std::string& variant) const {
    const std::lock_guard lock(database_->mutex);
    return database_->records(variant);
}

std::vector<std::string> Store::variants() const {
    const std::lock_guard lock(database_->mutex);
    return database_->texts("SELECT variant FROM evaluation GROUP BY variant ORDER BY min(id)");
}

std::vector<std::string> Store::code_versions() const {
    const std::lock_guard lock(database_->mutex);
    return database_->texts("SELECT DISTINCT code_version FROM evaluation ORDER BY 1");
}

Store::Counts Store::counts(const std::string& variant, const std::string& phase) const {
    const std::lock_guard lock(database_->mutex);
    Statement s(database_->connection,
                "SELECT count(*), sum(status = 'not converged'), sum(status = 'failed'), sum(wall_time) "
                "FROM evaluation WHERE variant = ?1 AND phase = ?2");
    s.bind(1, variant).bind(2, phase);
    Counts c;
    if (s.step() && s.integer(0) > 0) c = {s.integer(0), s.integer(1), s.integer(2), s.real(3)};
    return c;
}

long Store::size() const {
    const std::lock_guard lock(database_->mutex);
    return std::stol(database_->connection.one("SELECT count(*) FROM evaluation"));
}

void Store::set_texts(const std::vector<std::pair<std::string, std::string>>& texts) {
    const std::lock_guard lock(database_->mutex);
    Transaction all(database_->connection);
    database_->check_ours();
    Statement s(database_->connection, "INSERT OR REPLACE INTO text VALUES (?1, ?2, faying_checksum(?1, ?2))");
    for (const auto& [key, text] : texts) {
        s.bind(1, key).bind(2, text);
        s.step();
        s.reset();
    }
    all.commit();
}

void Store::set_text(const std::string& key, const std::string& text) { set_texts({{key, text}}); }

std::optional<std::string> Store::text(const std::string& key) const {
    const std::lock_guard lock(database_->mutex);
    Statement s(database_->connection, "SELECT text FROM text WHERE key = ?1");
    s.bind(1, key);
    if (!s.step()) return {};
    return s.text(0);
}

}  // namespace faying::study
