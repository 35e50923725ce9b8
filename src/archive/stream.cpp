#include "faying/archive/stream.hpp"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "faying/core/error.hpp"
#include "faying/io/file.hpp"
#include "journal.hpp"
#include "stream_file.hpp"

namespace faying::archive {

namespace {

constexpr std::size_t most_waiting = 1 << 20;  // numbers kept in memory

/// Beside the file that a link leads to: two names of one record have one journal.
std::string journal_of(const std::string& path) { return io::resolved(path) + ".journal"; }

/// What a frame says, one thing after the other, each in whole multiples of eight bytes.
enum class Kind : std::uint64_t { rows = 1, vector = 2, cut = 3 };

class FrameWriter {
 public:
    std::string bytes;

    /// Where the numbers begin.
    std::size_t add(Kind kind, const std::string& name, const std::vector<double>& numbers) {
        begin(kind, name, numbers.size());
        const std::size_t at = bytes.size();
        bytes.append(reinterpret_cast<const char*>(numbers.data()), 8 * numbers.size());
        return at;
    }
    void cut(const std::string& name, std::size_t rows) { begin(Kind::cut, name, rows); }

 private:
    void begin(Kind kind, const std::string& name, std::size_t count) {
        for (const std::uint64_t x : {std::uint64_t(kind), std::uint64_t(name.size()), std::uint64_t(count)})
            bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
        bytes += name;
        bytes.resize((bytes.size() + 7) / 8 * 8);
    }
};

struct Entry {
    Kind kind{};
    std::string name;
    std::size_t count = 0, at = 0;  ///< numbers, and where they begin in the frame
};

std::vector<Entry> entries_of(const std::string& frame) {
    std::vector<Entry> entries;
    for (std::size_t at = 0; at + 24 <= frame.size();) {
        std::uint64_t head[3];
        std::memcpy(head, frame.data() + at, sizeof head);
        const std::size_t name = at + 24, numbers = (name + head[1] + 7) / 8 * 8;
        entries.push_back({Kind(head[0]), frame.substr(name, head[1]), head[2], numbers});
        at = numbers + (Kind(head[0]) == Kind::cut ? 0 : 8 * head[2]);
    }
    return entries;
}

/// Rows at a place of the journal, or the first ones of the HDF5 file.
struct Segment {
    bool in_file = false;
    std::uint64_t at = 0;
    std::size_t rows = 0;
};

struct Growing {
    std::size_t columns = 1;
    std::string unit = {};
    std::vector<std::string> labels = {};
    std::vector<Segment> segments = {};
    std::vector<double> waiting = {};

    std::size_t stored() const {
        std::size_t n = 0;
        for (const auto& s : segments) n += s.rows;
        return n;
    }
    void cut(std::size_t rows) {
        for (auto& s : segments) {
            s.rows = std::min(s.rows, rows);
            rows -= s.rows;
        }
        std::erase_if(segments, [](const Segment& s) { return s.rows == 0; });
    }
    std::size_t in_file() const { return !segments.empty() && segments.front().in_file ? segments.front().rows : 0; }
};

}  // namespace

struct Stream::Record {
    std::string path;
    std::map<std::string, Growing> tables = {};
    std::map<std::string, std::vector<double>> vectors = {};
    std::map<std::string, std::string> texts = {};
    std::optional<Journal> journal = {};
    std::vector<std::string> changed = {};  ///< vectors, since the last flush
    std::size_t waiting = 0;

    const Growing& table(const std::string& name) const {
        const auto found = tables.find(name);
        if (found == tables.end()) throw core::BadInput(path, fmt::format("has no growing table '{}'", name));
        return found->second;
    }
    Growing& table(const std::string& name) { return const_cast<Growing&>(std::as_const(*this).table(name)); }

    void begin_journal() {
        nlohmann::json first = {{"journal", 1}, {"texts", texts}, {"tables", nlohmann::json::object()}};
        for (const auto& [name, t] : tables)
            first["tables"][name] = {
                {"columns", t.columns}, {"unit", t.unit}, {"labels", t.labels}, {"in_file", t.in_file()}};
        journal =
            Journal::create(journal_of(path), first.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }

    /// The record that the HDF5 file holds.
    void from_file() {
        const StreamContent content = read_stream_file(path);
        for (const auto& [name, shape] : content.tables) {
            Growing t{shape.columns, shape.unit, shape.labels};
            if (shape.rows > 0) t.segments.push_back({true, 0, shape.rows});
            tables[name] = std::move(t);
        }
        vectors = content.vectors;
        texts = content.texts;
    }

    /// The record that the journal tells of.
    void from_journal() {
        const auto broken = [&] {
            return core::BadInput(journal_of(path), "does not go with the record beside it; remove it to begin anew");
        };
        const auto& frames = journal->frames();
        const auto first = nlohmann::json::parse(journal->content(frames.front()), nullptr, false);
        if (first.is_discarded() || !first.is_object() || first.value("journal", 0) != 1) throw broken();
        bool goes_on = false;
        for (const auto& [name, t] : first.at("tables").items()) goes_on = goes_on || t.at("in_file") != 0;
        if (goes_on) from_file();
        for (const auto& [name, t] : first.at("tables").items()) {
            const auto rows = t.at("in_file").get<std::size_t>();
            if (goes_on && (!tables.contains(name) || tables[name].in_file() < rows)) throw broken();
            tables[name].columns = t.at("columns");
            tables[name].unit = t.at("unit");
            tables[name].labels = t.value("labels", std::vector<std::string>{});
            tables[name].cut(rows);
        }
        const auto said = first.at("texts").get<std::map<std::string, std::string>>();
        if (goes_on && texts != said) throw broken();
        texts = said;
        for (std::size_t i = 1; i < frames.size(); ++i) replay(frames[i]);
    }
    void replay(const Journal::Frame& frame) {
        const std::string content = journal->content(frame);
        for (const Entry& e : entries_of(content)) {
            if (e.kind == Kind::cut) table(e.name).cut(e.count);
            if (e.kind == Kind::rows)
                table(e.name).segments.push_back({false, frame.at + e.at, e.count / table(e.name).columns});
            if (e.kind == Kind::vector) {
                auto& values = vectors[e.name];
                values.resize(e.count);
                std::memcpy(values.data(), content.data() + e.at, 8 * e.count);
            }
        }
    }

    void flush() {
        FrameWriter frame;
        std::map<std::string, std::size_t> places;
        for (auto& [name, t] : tables)
            if (!t.waiting.empty()) places[name] = frame.add(Kind::rows, name, t.waiting);
        for (const auto& name : changed) frame.add(Kind::vector, name, vectors[name]);
        if (frame.bytes.empty()) return;
        if (!journal) begin_journal();
        const auto written = journal->append(frame.bytes);
        for (const auto& [name, at] : places) {
            auto& t = tables[name];
            t.segments.push_back({false, written.at + at, t.waiting.size() / t.columns});
            t.waiting.clear();
        }
        changed.clear();
        waiting = 0;
    }

    void each_row(const std::string& name, const TakeRows& take) const {
        const Growing& t = table(name);
        std::vector<double> part;
        for (const Segment& s : t.segments) {
            if (s.in_file) {
                read_stream_rows(path, name, s.rows, take);
                continue;
            }
            part.resize(s.rows * t.columns);
            journal->read(s.at, part.data(), 8 * part.size());
            take(part.data(), s.rows);
        }
    }
};

Stream::Stream(std::unique_ptr<Record> record) : record_(std::move(record)) {}
Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;
Stream::~Stream() = default;

Stream Stream::create(const std::string& path, const std::vector<StreamTable>& tables,
                      const std::map<std::string, std::string>& texts) {
    io::check_writable(path);
    auto record = std::make_unique<Record>();
    record->path = path;
    record->texts = texts;
    for (const auto& wanted : tables) {
        if (!wanted.labels.empty() && wanted.labels.size() != std::size_t(wanted.columns))
            throw std::invalid_argument(
                fmt::format("'{}': {} labels of {} columns", wanted.name, wanted.labels.size(), wanted.columns));
        record->tables[wanted.name] = {std::size_t(wanted.columns), wanted.unit, wanted.labels};
    }
    record->begin_journal();
    return Stream(std::move(record));
}

bool Stream::exists(const std::string& path) {
    return std::filesystem::exists(path) || Journal::open(journal_of(path)).has_value();
}

Stream Stream::open(const std::string& path) {
    auto record = std::make_unique<Record>();
    record->path = path;
    record->journal = Journal::open(journal_of(path));
    record->journal ? record->from_journal() : record->from_file();
    return Stream(std::move(record));
}

void Stream::append(const std::string& name, const double* row) {
    Growing& t = record_->table(name);
    t.waiting.insert(t.waiting.end(), row, row + t.columns);
    record_->waiting += t.columns;
    if (record_->waiting >= most_waiting) record_->flush();
}

void Stream::replace(const std::string& name, const std::vector<double>& values) {
    record_->vectors[name] = values;
    record_->changed.push_back(name);
}

void Stream::flush() { record_->flush(); }

void Stream::finish() {
    Record& r = *record_;
    r.flush();
    StreamContent content{.vectors = r.vectors, .texts = r.texts};
    for (const auto& [name, t] : r.tables) content.tables[name] = {t.columns, t.stored(), t.unit, t.labels};
    write_stream_file(r.path, content,
                      [&](const std::string& table, const TakeRows& take) { r.each_row(table, take); });
    if (r.journal) r.journal->remove();
    r.journal.reset();
    for (auto& [name, t] : r.tables)
        if (const std::size_t rows = t.stored(); rows > 0) t.segments = {{true, 0, rows}};
}

std::size_t Stream::rows(const std::string& name) const {
    const Growing& t = record_->table(name);
    return t.stored() + t.waiting.size() / t.columns;
}

Eigen::MatrixXd Stream::read(const std::string& name) const {
    const Growing& t = record_->table(name);
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::MatrixXd all(Eigen::Index(t.stored()), Eigen::Index(t.columns));
    Eigen::Index at = 0;
    record_->each_row(name, [&](const double* data, std::size_t rows) {
        all.middleRows(at, Eigen::Index(rows)) = Eigen::Map<const RowMajor>(data, Eigen::Index(rows), all.cols());
        at += Eigen::Index(rows);
    });
    return all;
}

bool Stream::has_vector(const std::string& name) const { return record_->vectors.contains(name); }

std::vector<double> Stream::read_vector(const std::string& name) const {
    const auto found = record_->vectors.find(name);
    if (found == record_->vectors.end()) throw core::BadInput(record_->path, fmt::format("has no vector '{}'", name));
    return found->second;
}

std::string Stream::text(const std::string& name) const {
    const auto found = record_->texts.find(name);
    if (found == record_->texts.end()) throw core::BadInput(record_->path, fmt::format("has no text '{}'", name));
    return found->second;
}

void Stream::cut(const std::string& name, std::size_t rows) {
    Record& r = *record_;
    Growing& t = r.table(name);
    if (rows >= this->rows(name)) return;
    r.flush();
    t.cut(rows);
    if (!r.journal) return;  // its first frame will say so
    FrameWriter frame;
    frame.cut(name, rows);
    r.journal->append(frame.bytes);
}

}  // namespace faying::archive
