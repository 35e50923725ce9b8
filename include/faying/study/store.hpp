#pragma once
// The evaluation store: every parameter set a study has tried and what came of it, in one SQLite file with a
// write-ahead log. A generation is written in one transaction: after a kill at any moment it is there as a whole or not
// at all, and rerunning the study goes on from there.
//
//     study::Store store("beam.db", study::Access::write);
//     store.add({{.variant = "iwan4", .generation = 0, .member = 0, .values = .., .evaluation = ..}, ..});
//     for (const auto& r : store.records("iwan4")) ..
//
// Numbers come back to the bit (shortest round-trip text, as JSON arrays, so that `sqlite3 beam.db` and its JSON
// functions can read them; null stands for a number that is not finite). One program writes at a time; any number read.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "faying/fit/problem.hpp"

namespace faying::study {

struct Record {
    std::string variant;
    int generation = 0;
    int member = 0;  ///< index within the generation
    std::vector<double> values;
    fit::Evaluation evaluation;  ///< without its Jacobian
    double wall_time = 0;        ///< s
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

    /// All or none. A record of the same variant, generation and member is replaced.
    void add(const std::vector<Record>& records);

    /// By generation, then member.
    std::vector<Record> records(const std::string& variant) const;
    std::vector<Record> generation(const std::string& variant, int generation) const;
    /// Generations there are, 0 to n - 1 without a gap; what lies behind a gap does not count.
    int generations(const std::string& variant) const;
    std::vector<std::string> variants() const;  ///< in the order they first came
    long size() const;

    /// Texts beside the evaluations: the study's input, its code version, ..
    void set_text(const std::string& key, const std::string& text);
    std::optional<std::string> text(const std::string& key) const;

 private:
    struct Database;
    std::unique_ptr<Database> database_;
};

}  // namespace faying::study
