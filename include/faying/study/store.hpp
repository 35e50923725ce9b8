#pragma once
// The evaluation store: every parameter set a study has tried and what came of it, in one SQLite file with a
// write-ahead log. What is added together is written in one transaction: after a kill at any moment it is there as a
// whole or not at all, and rerunning the study goes on from there.
//
//     study::Store store("beam.db", study::Access::write);
//     store.add({{.variant = "iwan4", .phase = "search", .values = .., .evaluation = ..}, ..});
//     for (const auto& r : store.records("iwan4")) ..
//
// Numbers come back to the bit (shortest round-trip text, as JSON arrays, so that `sqlite3 beam.db` and its JSON
// functions can read them; null stands for a number that is not finite). One program writes at a time, from any of its
// threads; any number read. Every row has a checksum, which is looked at when a store is opened; a store that is
// deleted or changed by another program while it is written is noticed at the next write.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "faying/fit/problem.hpp"

namespace faying::study {

struct Record {
    std::string variant;
    std::string phase;   ///< what it was evaluated for: problem.hpp
    int generation = 0;  ///< of a genetic search, for people
    std::vector<double> values;
    fit::Evaluation evaluation;
    std::vector<double> details = {};  ///< whatever else came of it
    double wall_time = 0;              ///< s
    std::string code_version = {};
};

enum class Access { read, write };

class Store {
 public:
    /// Opens, for writing creates. Throws BadInput in one line: not a store, damaged, of another format, in use by
    /// another writer, not readable.
    Store(const std::string& path, Access access);
    ~Store();
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;

    const std::string& path() const;
    bool is_new() const;  ///< made by this opening of it
    /// Removes the file; nothing else may be done with this store any more.
    void discard();
    /// Throws BadInput where what is on disk is not what was written.
    void verify() const;

    /// All or none. A record of the same variant, phase and values is replaced.
    void add(const std::vector<Record>& records);

    /// In the order they came.
    std::vector<Record> records(const std::string& variant) const;
    std::vector<std::string> variants() const;  ///< in the order they first came
    std::vector<std::string> code_versions() const;
    long size() const;

    /// What the evaluations of a variant in a phase came to.
    struct Counts {
        long evaluations = 0, not_converged = 0, failed = 0;
        double seconds = 0;  ///< of evaluation, on one core
    };
    Counts counts(const std::string& variant, const std::string& phase) const;

    /// Texts beside the evaluations: the study's input, its code version, ..
    void set_text(const std::string& key, const std::string& text);
    /// All or none.
    void set_texts(const std::vector<std::pair<std::string, std::string>>& texts);
    std::optional<std::string> text(const std::string& key) const;

 private:
    struct Database;
    std::unique_ptr<Database> database_;
};

}  // namespace faying::study
