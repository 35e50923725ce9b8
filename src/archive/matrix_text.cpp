// Matrices as text: Matrix Market, and what Abaqus writes.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "faying/archive/matrix.hpp"
#include "faying/core/error.hpp"
#include "faying/io/text_file.hpp"

namespace faying::archive {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;
constexpr long most_rows = std::numeric_limits<int>::max();

/// The lines of a text that are not empty or comment, each as its fields; complaints name the line.
class Lines {
 public:
    Lines(const std::string& path, std::string_view text, char comment) : path_(path), rest_(text), comment_(comment) {}

    bool next() {
        while (!rest_.empty()) {
            ++number_;
            const auto end = rest_.find('\n');
            const auto line = rest_.substr(0, end);
            rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
            split(line);
            if (!fields_.empty() && fields_[0][0] != comment_) return true;
        }
        return false;
    }

    std::size_t size() const { return fields_.size(); }

    long whole(std::size_t k) const {
        long value = 0;
        const auto text = without_plus(fields_[k]);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size())
            reject(fmt::format("'{}' is not a whole number", shown(fields_[k])));
        return value;
    }

    double real(std::size_t k) const {
        double value = 0;
        std::string fortran;  // 1.5D+03
        auto text = without_plus(fields_[k]);
        if (text.find_first_of("dD") != std::string_view::npos) {
            fortran = text;
            std::replace_if(
                fortran.begin(), fortran.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
            text = fortran;
        }
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (end != text.data() + text.size() || error == std::errc::invalid_argument)
            reject(fmt::format("'{}' is not a number", shown(fields_[k])));
        if (error == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
        if (!std::isfinite(value))
            reject(fmt::format("'{}' is not finite; a finite number is needed", shown(fields_[k])));
        return value;
    }

    [[noreturn]] void reject(const std::string& what) const {
        throw core::BadInput(fmt::format("{}:{}: {}", path_, std::max(1, number_), what));
    }

 private:
    std::string path_;
    std::string_view rest_;
    char comment_;
    int number_ = 0;
    std::vector<std::string_view> fields_;

    void split(std::string_view line) {
        constexpr std::string_view blanks = ", \t\r";
        fields_.clear();
        for (auto first = line.find_first_not_of(blanks); first != std::string_view::npos;) {
            const auto end = std::min(line.find_first_of(blanks, first), line.size());
            fields_.push_back(line.substr(first, end - first));
            first = line.find_first_not_of(blanks, end);
        }
    }

    static std::string_view without_plus(std::string_view text) {
        if (text.size() > 1 && text[0] == '+') text.remove_prefix(1);
        return text;
    }

    static std::string shown(std::string_view text) {
        std::string clean(text.substr(0, 40));
        for (char& c : clean)
            if (std::iscntrl(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) > 0x7e) c = '?';
        return clean;
    }
};

Eigen::SparseMatrix<double> assembled(long rows, long columns, const Triplets& triplets) {
    Eigen::SparseMatrix<double> matrix(rows, columns);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    return matrix;
}

// ---- Matrix Market

class MatrixMarket {
 public:
    MatrixMarket(const std::string& path, std::string_view text)
        : path_(path), lines_(path, text.substr(std::min(text.find('\n'), text.size())), '%') {
        read_banner(text.substr(0, text.find('\n')));
    }

    Eigen::SparseMatrix<double> matrix() {
        const std::size_t sizes = array_ ? 2 : 3;
        if (!lines_.next()) complain_short("its size line");
        if (lines_.size() != sizes)
            lines_.reject(array_ ? "the size line must be: rows columns"
                                 : "the size line must be: rows columns entries");
        const long rows = extent(0), columns = extent(1);
        if (sign_ != 0 && rows != columns)
            lines_.reject(fmt::format("a symmetric matrix cannot be {} x {}", rows, columns));
        return array_ ? read_array(rows, columns) : read_coordinates(rows, columns, lines_.whole(2));
    }

 private:
    std::string path_;
    Lines lines_;
    bool array_ = false, pattern_ = false;
    int sign_ = 0;  ///< of the mirrored entry; 0 for general

    void read_banner(std::string_view line) {
        std::string lower;
        for (const char c : line) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        std::vector<std::string> word;
        for (std::size_t first = 0; (first = lower.find_first_not_of(" \t\r", first)) != std::string::npos;) {
            const auto end = std::min(lower.find_first_of(" \t\r", first), lower.size());
            word.push_back(lower.substr(first, end - first));
            first = end;
        }
        const auto refuse = [&](const std::string& what) {
            throw core::BadInput(fmt::format("{}:1: {}", path_, what));
        };
        if (word.size() != 5 || word[1] != "matrix")
            refuse("the first line must be: %%MatrixMarket matrix FORMAT FIELD SYMMETRY");
        if (word[2] != "coordinate" && word[2] != "array")
            refuse(fmt::format("unknown format '{}'; allowed are coordinate, array", word[2]));
        array_ = word[2] == "array";
        if (word[3] == "complex") refuse("the matrix is complex; real, integer or pattern is needed");
        if (word[3] != "real" && word[3] != "integer" && word[3] != "pattern" && word[3] != "double")
            refuse(fmt::format("unknown field '{}'; allowed are real, integer, pattern", word[3]));
        pattern_ = word[3] == "pattern";
        if (pattern_ && array_) refuse("an array cannot be a pattern");
        if (word[4] == "symmetric")
            sign_ = 1;
        else if (word[4] == "skew-symmetric")
            sign_ = -1;
        else if (word[4] != "general")
            refuse(fmt::format("unknown symmetry '{}'; allowed are general, symmetric, skew-symmetric", word[4]));
    }

    [[noreturn]] void complain_short(const std::string& missing) const {
        throw core::BadInput(path_, fmt::format("is cut short: {} is missing", missing));
    }

    long extent(std::size_t k) const {
        const long n = lines_.whole(k);
        if (n < 0 || n > most_rows) lines_.reject(fmt::format("{} rows or columns; allowed are 0 to {}", n, most_rows));
        return n;
    }

    void add(Triplets& triplets, long row, long column, double value) const {
        triplets.emplace_back(int(row), int(column), value);
        if (sign_ != 0 && row != column) triplets.emplace_back(int(column), int(row), sign_ * value);
    }

    Eigen::SparseMatrix<double> read_coordinates(long rows, long columns, long count) {
        Triplets triplets;
        for (long k = 0; k < count; ++k) {
            if (!lines_.next()) complain_short(fmt::format("entry {} of {}", k + 1, count));
            if (lines_.size() != (pattern_ ? 2u : 3u))
                lines_.reject(pattern_ ? "an entry must be: row column" : "an entry must be: row column value");
            const long row = lines_.whole(0), column = lines_.whole(1);
            if (row < 1 || row > rows || column < 1 || column > columns)
                lines_.reject(fmt::format("entry ({},{}) is outside the {} x {} matrix", row, column, rows, columns));
            add(triplets, row - 1, column - 1, pattern_ ? 1.0 : lines_.real(2));
        }
        expect_end();
        return assembled(rows, columns, triplets);
    }

    /// Column by column, one number per line; of a symmetric matrix the lower half, of a skew one without its diagonal.
    Eigen::SparseMatrix<double> read_array(long rows, long columns) {
        Triplets triplets;
        for (long column = 0; column < columns; ++column)
            for (long row = sign_ == 0 ? 0 : column + (sign_ < 0); row < rows; ++row) {
                if (!lines_.next()) complain_short(fmt::format("entry ({},{})", row + 1, column + 1));
                if (lines_.size() != 1) lines_.reject("an array has one number per line");
                const double value = lines_.real(0);
                if (value != 0) add(triplets, row, column, value);
            }
        expect_end();
        return assembled(rows, columns, triplets);
    }

    void expect_end() {
        if (lines_.next()) lines_.reject("there are more entries than the size line says");
    }
};

// ---- Abaqus

/// Fills the other half where entries lie on one side of the diagonal only.
void mirror_half(Triplets& triplets) {
    bool below = false, above = false;
    for (const auto& t : triplets) {
        below = below || t.row() > t.col();
        above = above || t.row() < t.col();
    }
    if (below == above) return;  // both halves are there, or none
    const std::size_t count = triplets.size();
    for (std::size_t k = 0; k < count; ++k)
        if (const auto t = triplets[k]; t.row() != t.col()) triplets.emplace_back(t.col(), t.row(), t.value());
}

LabelledMatrix labelled(Lines& lines) {
    struct Entry {
        DofLabel row, column;
        double value;
    };
    std::vector<Entry> entries;
    do {
        if (lines.size() != 5) lines.reject("an entry must be: node, dof, node, dof, value");
        const auto label = [&](std::size_t k) {
            const long dof = lines.whole(k + 1);
            if (dof < 0 || dof > 1000) lines.reject(fmt::format("DOF {} is not in 0 to 1000", dof));
            return DofLabel{lines.whole(k), int(dof)};
        };
        entries.push_back({label(0), label(2), lines.real(4)});
    } while (lines.next());

    LabelledMatrix made;
    for (const auto& entry : entries) made.labels.insert(made.labels.end(), {entry.row, entry.column});
    std::sort(made.labels.begin(), made.labels.end());
    made.labels.erase(std::unique(made.labels.begin(), made.labels.end()), made.labels.end());
    const auto place = [&](const DofLabel& label) {
        return int(std::lower_bound(made.labels.begin(), made.labels.end(), label) - made.labels.begin());
    };
    Triplets triplets;
    for (const auto& entry : entries) triplets.emplace_back(place(entry.row), place(entry.column), entry.value);
    mirror_half(triplets);
    const auto size = long(made.labels.size());
    made.matrix = assembled(size, size, triplets);
    return made;
}

LabelledMatrix coordinates(Lines& lines) {
    Triplets triplets;
    long size = 0;
    do {
        if (lines.size() != 3) lines.reject("an entry must be: row column value");
        const long row = lines.whole(0), column = lines.whole(1);
        if (row < 1 || row > most_rows || column < 1 || column > most_rows)
            lines.reject(fmt::format("entry ({},{}) is not possible: rows and columns count from 1", row, column));
        size = std::max({size, row, column});
        triplets.emplace_back(int(row - 1), int(column - 1), lines.real(2));
    } while (lines.next());
    mirror_half(triplets);
    return {assembled(size, size, triplets), {}};
}

}  // namespace

LabelledMatrix read_matrix_text(const std::string& path) {
    const std::string text = io::read_text(path);
    if (text.starts_with("%%MatrixMarket")) return {MatrixMarket(path, text).matrix(), {}};
    Lines lines(path, text, '*');
    if (!lines.next()) throw core::BadInput(path, "has no entries");
    if (lines.size() == 5) return labelled(lines);
    if (lines.size() == 3) return coordinates(lines);
    lines.reject(
        "is neither Matrix Market (%%MatrixMarket ..) nor Abaqus text (node, dof, node, dof, value; or row column "
        "value)");
}

}  // namespace faying::archive
