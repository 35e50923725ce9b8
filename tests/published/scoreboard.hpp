#pragma once
// docs/published.md (numbers printed in papers) and docs/recorded.md (ours alone), read by the tests: a test recomputes
// a row and holds the page to every digit it shows.
//
//     | id | where | what | paper | ours | difference | why |
//
// `paper`, `ours` and `difference` hold one number or a list, separated by commas. A number in `ours` must be what the
// test computed, rounded to the digits shown; "<1e-9" is a bound on its size. Where the paper prints a number,
// `difference` is either "agrees" (ours rounds to the paper's digits) or ours relative to the paper's in per cent.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "source_dir.hpp"

namespace faying::tests {

class Scoreboard {
 public:
    struct Row {
        std::string where, what, paper, ours, difference, why;
        bool printed = false;  ///< on the page of printed numbers
    };

    static const Scoreboard& page() {
        static const Scoreboard board({source_dir() + "/docs/published.md", source_dir() + "/docs/recorded.md"});
        return board;
    }
    const std::map<std::string, Row>& rows() const { return rows_; }

    /// Fails with the numbers that the row should show.
    void expect(const std::string& id, const std::vector<double>& values) const {
        const std::string note = find_fault(id, values);
        if (note.empty()) return;
        std::ostringstream text;
        text.precision(17);
        for (const double x : values) text << x << ' ';
        ADD_FAILURE() << "row " << id << ": " << note << "; computed: " << text.str();
    }

    static std::vector<std::string> split(const std::string& cell, char separator) {
        std::vector<std::string> parts;
        std::istringstream in(cell);
        for (std::string part; std::getline(in, part, separator);) {
            const auto first = part.find_first_not_of(' '), last = part.find_last_not_of(' ');
            parts.push_back(first == std::string::npos ? "" : part.substr(first, last - first + 1));
        }
        return parts;
    }

 private:
    std::map<std::string, Row> rows_;

    explicit Scoreboard(const std::vector<std::string>& pages) {
        for (const auto& path : pages) read(path);
    }

    void read(const std::string& path) {
        std::ifstream file(path);
        if (!file) throw std::runtime_error("no page " + path);
        const bool printed = path.ends_with("/published.md");
        for (std::string line; std::getline(file, line);) {
            const auto cells = split(line, '|');
            if (cells.size() != 8 || cells[1] == "id" || cells[1].starts_with("-")) continue;
            const Row row{cells[2], cells[3], cells[4], cells[5], cells[6], cells[7], printed};
            if (!rows_.emplace(cells[1], row).second) throw std::runtime_error("two rows named " + cells[1]);
        }
    }

    static bool is_number(const std::string& text) {
        return !text.empty() && (std::isdigit(text[0]) || (text.size() > 1 && std::isdigit(text[1])));
    }

    /// Half a unit of the last digit shown, with a little room for a tie.
    static double half_unit(const std::string& text) {
        const auto exponent = text.find_first_of("eE"), point = text.find('.');
        const std::string digits = text.substr(0, exponent);
        int shown = 0;
        if (point != std::string::npos)
            for (std::size_t i = point + 1; i < digits.size() && std::isdigit(digits[i]); ++i) ++shown;
        const int power = exponent == std::string::npos ? 0 : std::stoi(text.substr(exponent + 1));
        return 0.500001 * std::pow(10.0, power - shown);
    }

    std::string find_fault(const std::string& id, const std::vector<double>& values) const {
        const auto found = rows_.find(id);
        if (found == rows_.end()) return "is not in docs/published.md";
        const Row& row = found->second;
        const auto ours = split(row.ours, ','), paper = split(row.paper, ','), differences = split(row.difference, ',');
        if (ours.size() != values.size()) return "shows " + std::to_string(ours.size()) + " numbers";
        const bool compared = !paper.empty() && is_number(paper[0]);
        if (compared && (paper.size() != values.size() || differences.size() != values.size()))
            return "compares lists of unequal length";
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (ours[i].starts_with("<")) {
                if (!(std::abs(values[i]) < std::stod(ours[i].substr(1)))) return "is not " + ours[i];
            } else if (!is_number(ours[i]) || !(std::abs(std::stod(ours[i]) - values[i]) <= half_unit(ours[i]))) {
                return "shows " + ours[i];
            }
            if (!compared || !is_number(paper[i])) continue;
            const double printed = std::stod(paper[i]), change = 100 * (values[i] - printed) / std::abs(printed);
            if (differences[i] == "agrees"
                    ? std::abs(values[i] - printed) > half_unit(paper[i])
                    : !is_number(differences[i]) ||
                          !(std::abs(std::stod(differences[i]) - change) <= half_unit(differences[i])))
                return "difference " + differences[i];
        }
        return "";
    }
};

inline void expect_row(const std::string& id, const std::vector<double>& values) {
    Scoreboard::page().expect(id, values);
}

}  // namespace faying::tests
