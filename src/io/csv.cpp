#include "faying/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "faying/core/error.hpp"

namespace faying::io {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

struct Cell {
    std::string text;
    bool quoted = false;
};

/// Tells the places inside double quotes from the others; a doubled quote leaves and enters again.
class Quotes {
 public:
    bool inside(char c) {
        if (c == '"') inside_ = !inside_;
        return inside_;
    }

 private:
    bool inside_ = false;
};

std::string_view without_comment(std::string_view line) {
    if (trimmed(line).starts_with('%')) return {};
    Quotes quotes;
    for (std::size_t i = 0; i < line.size(); ++i)
        if (!quotes.inside(line[i]) && line[i] == '#') return line.substr(0, i);
    return line;
}

char separator_of(std::string_view line) {
    std::string outside;
    Quotes quotes;
    for (const char c : line)
        if (!quotes.inside(c)) outside += c;
    for (const char separator : {'\t', ';', ','})
        if (outside.find(separator) != std::string::npos) return separator;
    return ' ';
}

Cell unquoted(std::string_view text) {
    text = trimmed(text);
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return {std::string(text)};
    Cell cell{"", true};
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        if (text[i] == '"' && text[i + 1] == '"' && i + 2 < text.size()) ++i;
        cell.text += text[i];
    }
    return cell;
}

std::vector<Cell> split(std::string_view line, char separator) {
    std::vector<Cell> cells;
    Quotes quotes;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        const bool end = i == line.size();
        const bool inside = !end && quotes.inside(line[i]);
        const bool here = !end && !inside && (line[i] == separator || (separator == ' ' && line[i] == '\t'));
        if (!end && !here) continue;
        const auto text = line.substr(start, i - start);
        if (separator != ' ' || !trimmed(text).empty()) cells.push_back(unquoted(text));
        start = i + 1;
    }
    return cells;
}

/// What the text says as a number, NaN and infinity included.
std::optional<double> number(const Cell& cell, char separator) {
    if (cell.quoted || cell.text.empty()) return {};
    std::string digits = cell.text;
    if (separator != ',' && separator != ' ' && digits.find('.') == std::string::npos)
        if (const auto comma = digits.find(','); comma != std::string::npos) digits[comma] = '.';
    std::string_view text = digits;
    if (text.front() == '+' && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || error == std::errc::invalid_argument) return {};
    // from_chars leaves the value alone for 1e999 and 1e-999; strtod gives infinity and zero.
    if (error == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
    return value;
}

/// Cells of a line; an empty one after the last separator is none.
std::vector<Cell> cells_of(std::string_view line, char separator) {
    auto cells = split(line, separator);
    if (cells.size() > 1 && cells.back().text.empty() && !cells.back().quoted) cells.pop_back();
    return cells;
}

/// Whether a line below the names holds units: records have time, and time has a unit.
bool holds_units(const std::vector<Cell>& cells) {
    return std::any_of(cells.begin(), cells.end(), [](const Cell& cell) {
        std::string unit = cell.text;
        std::erase_if(unit, [](char c) { return std::string_view("[]() ").find(c) != std::string_view::npos; });
        for (const char* known : {"s", "sec", "second", "seconds", "ms", "us", "\u00b5s", "\u03bcs", "ns"})
            if (unit == known) return true;
        return false;
    });
}

/// As it can be shown in a message of one line.
std::string shown(const std::string& text) {
    std::string clean = text.substr(0, 40);
    std::replace_if(
        clean.begin(), clean.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    return "'" + clean + (text.size() > 40 ? "..'" : "'");
}

std::string content_of(const std::string& path) {
    if (std::filesystem::is_directory(path)) throw core::BadInput(path, "is a folder; a file of numbers is needed");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) throw core::BadInput(path, fmt::format("cannot be read: {}", std::strerror(errno)));
    std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (content.starts_with("\xEF\xBB\xBF")) content.erase(0, 3);
    return content;
}

class Reader {
 public:
    explicit Reader(const std::string& path) : path_(path) {}

    Table read(std::string_view content) {
        if (content.starts_with("\xFF\xFE") || content.starts_with("\xFE\xFF")) {
            line_ = 1;
            fail("is UTF-16 text; save it as UTF-8");
        }
        while (!content.empty()) {
            const auto end = std::min(content.find('\n'), content.size());
            ++line_;
            take(without_comment(content.substr(0, end)));
            content.remove_prefix(std::min(end + 1, content.size()));
        }
        line_ = std::max<std::size_t>(line_, 1);
        if (first_line_ == 0 && !header_.empty())
            fail("has a header but no numbers; lines of numbers are needed below it");
        if (first_line_ == 0)
            fail("has no numbers; lines of numbers separated by commas, semicolons, tabs or blanks are needed");
        return std::move(table_);
    }

 private:
    void take(std::string_view line) {
        if (trimmed(line).empty()) return;
        if (first_line_ == 0) {
            separator_ = separator_of(line);
            const auto cells = split(line, separator_);
            if (std::none_of(cells.begin(), cells.end(),
                             [&](const Cell& c) { return number(c, separator_).has_value(); })) {
                header_.push_back({line_, line});
                return;
            }
            first_line_ = line_;
            take_header(line);
        }
        add_row(row_of(line));
    }

    /// An empty last cell counts only where the table has a column for it.
    std::vector<Cell> row_of(std::string_view line) const {
        auto all = split(line, separator_);
        return all.size() == table_.columns.size() ? all : cells_of(line, separator_);
    }

    /// The number of columns and their names, from the first line of numbers and what is above it.
    void take_header(std::string_view row) {
        std::size_t width = cells_of(row, separator_).size();
        if (!header_.empty())
            if (const auto named = cells_of(header_.back().text, separator_of(header_.back().text)).size();
                named == split(row, separator_).size())
                width = named;
        table_.columns.resize(width);
        const auto names_of = [&](std::string_view line) {
            for (const char separator : {separator_of(line), separator_})
                for (const auto& cells : {split(line, separator), cells_of(line, separator)})
                    if (cells.size() == width) return cells;
            return std::vector<Cell>{};
        };
        if (header_.empty()) return;
        auto names = names_of(header_.back().text);
        if (names.empty()) {
            const auto cells = split(header_.back().text, separator_of(header_.back().text));
            fail(fmt::format("has {} cells where line {} has {}; every line needs the same number", width,
                             header_.back().line, cells.size()));
        }
        if (header_.size() > 1 && holds_units(names))
            if (auto above = names_of(header_[header_.size() - 2].text); !above.empty()) {
                for (const auto& cell : names) table_.units.push_back(cell.text);
                names = std::move(above);
            }
        for (const auto& cell : names) table_.names.push_back(cell.text);
        first_line_ = header_.back().line;
    }

    void add_row(const std::vector<Cell>& cells) {
        if (cells.size() != table_.columns.size())
            fail(fmt::format("has {} cells where line {} has {}; every line needs the same number", cells.size(),
                             first_line_, table_.columns.size()));
        for (std::size_t i = 0; i < cells.size(); ++i) table_.columns[i].push_back(finite(cells[i], i + 1));
    }

    double finite(const Cell& cell, std::size_t column) const {
        if (cell.text.empty()) fail(fmt::format("cell {} is empty; a finite number is needed", column));
        const auto value = number(cell, separator_);
        if (!value)
            fail(fmt::format("cell {}, {}, is not a number; a finite one such as -1.5e-3 is needed", column,
                             shown(cell.text)));
        if (!std::isfinite(*value))
            fail(fmt::format("cell {}, {}, is not finite; a finite number is needed", column, shown(cell.text)));
        return *value;
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw core::BadInput(fmt::format("{}:{}", path_, line_), what);
    }

    const std::string& path_;
    std::size_t line_ = 0;
    std::size_t first_line_ = 0;  ///< with something on it; it fixes the number of columns
    char separator_ = ' ';
    struct Line {
        std::size_t line;
        std::string_view text;
    };
    std::vector<Line> header_;  ///< lines above the first with a number
    Table table_;
};

std::string quoted_if_needed(const std::string& name) {
    if (name.find('\n') != std::string::npos || name.find('\r') != std::string::npos)
        throw std::invalid_argument("csv: a column name has a line break");
    if (!name.empty() && name.find_first_of(",;\t\"# ") == std::string::npos && !number({name}, ',')) return name;
    std::string text = "\"";
    for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
}

}  // namespace

Table read_csv(const std::string& path) {
    input(path);
    const std::string content = content_of(path);
    return Reader(path).read(content);
}

std::string csv_text(const Table& table) {
    if (!table.names.empty() && table.names.size() != table.columns.size())
        throw std::invalid_argument("csv: as many names as columns are needed, or none");
    const std::size_t rows = table.columns.empty() ? 0 : table.columns.front().size();
    for (const auto& column : table.columns)
        if (column.size() != rows) throw std::invalid_argument("csv: columns of different length");
    std::string text;
    for (std::size_t i = 0; i < table.names.size(); ++i) text += (i ? "," : "") + quoted_if_needed(table.names[i]);
    if (!table.names.empty()) text += '\n';
    for (std::size_t k = 0; k < rows; ++k) {
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            fmt::format_to(std::back_inserter(text), "{}{}", i ? "," : "", table.columns[i][k]);
        text += '\n';
    }
    return text;
}

void write_csv(const std::string& path, const Table& table) { write_file(path, csv_text(table)); }

}  // namespace faying::io
