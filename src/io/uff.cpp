// Universal files: time histories of data sets 58 (text) and 58b (binary), units of data set 164. Others are passed
// over. Instruments keep to the columns of the definition or only to its order; both are read.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>

#include "faying/core/error.hpp"
#include "recording.hpp"

namespace faying::io {

namespace {

std::string trimmed(std::string_view text) {
    const auto from = text.find_first_not_of(" \t\r"), to = text.find_last_not_of(" \t\r");
    return from == std::string_view::npos ? "" : std::string(text.substr(from, to - from + 1));
}

std::vector<std::string> split_at_blanks(std::string_view line) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < line.size();) {
        const auto from = line.find_first_not_of(" \t\r", at);
        if (from == std::string_view::npos) break;
        at = std::min(line.find_first_of(" \t\r", from), line.size());
        words.emplace_back(line.substr(from, at - from));
    }
    return words;
}

/// A number with Fortran's exponents too; none where the text is anything else.
std::optional<double> number_of(std::string text) {
    for (char& c : text)
        if (c == 'D' || c == 'd') c = 'e';
    char* end = nullptr;
    const double x = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != 0) return {};
    return x;
}

/// The whole number that a code is; -1, which is no code, for any other.
int code_of(double x) { return x >= 0 && x <= 1e6 && x == std::floor(x) ? int(x) : -1; }

class UffReader {
 public:
    UffReader(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

    std::vector<RecordedChannel> channels() {
        while (next_data_set()) {
            if (type_ == "58" || type_ == "58b")
                time_history();
            else if (type_ == "164")
                units();
            pass_over();
        }
        if (sets_ == 0)
            throw core::BadInput(path_, "is no universal file: it has no data set (a line of -1, then its number)");
        if (found_.empty())
            throw core::BadInput(
                path_, fmt::format("has no time history: {} data sets, {} of them functions (58) of something "
                                   "else than time",
                                   sets_, functions_));
        name_them();
        return std::move(found_);
    }

 private:
    struct Named {
        std::string id, place;
    };

    std::string_view bytes_;
    std::string path_, type_;
    std::size_t at_ = 0, begin_ = 0;  ///< where reading is; where the data set begins
    std::size_t sets_ = 0, functions_ = 0;
    std::string head_;  ///< line with the type
    std::string length_ = "m", force_ = "N";
    std::vector<RecordedChannel> found_;
    std::vector<Named> named_;

    [[noreturn]] void bad(const std::string& what, std::size_t at) const {
        throw core::BadInput(
            path_, fmt::format("data set {} that begins at byte {}: {}, at byte {}", type_, begin_, what, at));
    }

    std::optional<std::string_view> line() {
        if (at_ >= bytes_.size()) return {};
        const auto end = std::min(bytes_.find('\n', at_), bytes_.size());
        auto text = bytes_.substr(at_, end - at_);
        at_ = std::min(end + 1, bytes_.size());
        if (text.ends_with('\r')) text.remove_suffix(1);
        return text;
    }
    std::string_view needed_line(const char* what) {
        const auto here = at_;
        const auto text = line();
        if (!text || trimmed(*text) == "-1") bad(fmt::format("ends before {}", what), here);
        return *text;
    }

    bool next_data_set() {
        while (const auto text = line())
            if (trimmed(*text) == "-1") {
                begin_ = at_;
                const auto head = line();
                if (!head) return false;
                head_ = std::string(*head);
                const auto words = split_at_blanks(head_);
                if (words.empty() || !std::isdigit(static_cast<unsigned char>(words[0][0]))) {
                    type_ = "?";
                    bad(fmt::format("'{}' is no number of a data set", trimmed(head_.substr(0, 20))), begin_);
                }
                type_ = words[0];
                if (words.size() > 1 && (words[1] == "b" || words[1] == "B")) type_ += "b";
                if (type_.ends_with('B')) type_.back() = 'b';
                ++sets_;
                return true;
            }
        return false;
    }

    void pass_over() {
        const auto from = at_;
        while (const auto text = line())
            if (trimmed(*text) == "-1") return;
        bad("has no end (a line of -1)", from);
    }

    /// Fields in the columns of the definition; where those are not numbers, in their order.
    std::vector<double> fields(std::string_view text, const std::vector<std::size_t>& widths, std::size_t needed,
                               std::size_t at) {
        std::vector<double> numbers;
        std::size_t column = 0;
        bool whole = true;
        for (const std::size_t width : widths) {
            if (column >= text.size()) break;
            const std::string field = trimmed(text.substr(column, width));
            const auto x = number_of(field);
            column += width;
            if (!x && !field.empty()) whole = false;
            numbers.push_back(x.value_or(0));
        }
        if (!whole || numbers.size() < needed) {
            numbers.clear();
            for (const auto& word : split_at_blanks(text)) {
                const auto x = number_of(word);
                if (!x) bad(fmt::format("'{}' is not a number", word.substr(0, 30)), at);
                numbers.push_back(*x);
            }
        }
        if (numbers.size() < needed) bad(fmt::format("{} numbers where {} are needed", numbers.size(), needed), at);
        return numbers;
    }

    struct Axis {
        int kind = 0;
        std::string unit;
    };
    Axis axis(const char* what) {
        const auto here = at_;
        const std::string_view text = needed_line(what);
        const auto words = split_at_blanks(text);
        if (words.empty()) bad(fmt::format("has no {}", what), here);
        const auto kind = number_of(words[0]);
        if (!kind) bad(fmt::format("'{}' is no kind of data", words[0].substr(0, 30)), here);
        std::string unit = text.size() > 46 ? trimmed(text.substr(46, 21)) : words.size() > 5 ? words[5] : "";
        if (unit == "NONE" || unit == "none" || unit == "-") unit.clear();
        return {code_of(*kind), unit};
    }

    void units() {
        const auto here = at_;
        const std::string_view text = needed_line("its units");
        auto code = number_of(trimmed(text.substr(0, 10)));  // the description may follow without a blank
        if (const auto words = split_at_blanks(text); !code && !words.empty()) code = number_of(words[0]);
        if (!code) bad("has no code of units", here);
        static const std::map<int, std::pair<const char*, const char*>> known{
            {1, {"m", "N"}},   {2, {"ft", "lbf"}}, {3, {"m", "kgf"}},  {4, {"ft", "pdl"}}, {5, {"mm", "mN"}},
            {6, {"cm", "cN"}}, {7, {"in", "lbf"}}, {8, {"mm", "kgf"}}, {10, {"mm", "N"}}};
        const auto found = known.find(code_of(*code));
        length_ = found == known.end() ? "" : found->second.first;
        force_ = found == known.end() ? "" : found->second.second;
        units_given_ = true;
    }
    bool units_given_ = false;

    /// Of a kind of data in the units of data set 164.
    std::string unit_of(const Axis& axis) const {
        if (!axis.unit.empty() || !units_given_) return axis.unit;
        if (axis.kind == 8) return length_;
        if (axis.kind == 11) return length_.empty() ? "" : length_ + "/s";
        if (axis.kind == 12) return length_.empty() ? "" : length_ + "/s^2";
        return axis.kind == 9 || axis.kind == 13 ? force_ : "";
    }

    struct Shape {
        int kind = 0;  ///< 2, 4 real; 5, 6 complex
        std::size_t count = 0;
        bool even = true;
        double start = 0, step = 0;
        bool is_double() const { return kind == 4 || kind == 6; }
        bool is_complex() const { return kind == 5 || kind == 6; }
    };

    void time_history() {
        ++functions_;
        Named name;
        for (int i = 0; i < 5; ++i) {
            const auto text = needed_line("its eleven lines of heading");
            if (i == 0) name.id = trimmed(text);
        }
        const auto place_at = at_;
        const std::string_view place = needed_line("its eleven lines of heading");
        const int function = function_of(place, place_at, name.place);
        const auto shape_at = at_;
        const auto numbers = fields(needed_line("its eleven lines of heading"), {10, 10, 10, 13, 13, 13}, 5, shape_at);
        Shape shape{code_of(numbers[0]), 0, numbers[2] != 0, numbers[3], numbers[4]};
        if (shape.kind != 2 && !shape.is_double() && !shape.is_complex())
            bad(fmt::format("kind {:g} of numbers; 2, 4, 5 and 6 are known", numbers[0]), shape_at);
        if (!(numbers[1] >= 0 && numbers[1] <= double(bytes_.size())))
            bad(fmt::format("{:g} values in a file of {} bytes", numbers[1], bytes_.size()), shape_at);
        shape.count = std::size_t(numbers[1]);
        const Axis abscissa = axis("its abscissa"), ordinate = axis("its ordinate");
        axis("its denominator");
        axis("its z axis");
        const bool time = abscissa.kind == 17 || (abscissa.kind == 0 && function == 1);
        if (!time || shape.is_complex()) {
            if (type_ == "58b") at_ += std::min(binary_size(shape), bytes_.size() - at_);
            return;
        }
        if (shape.even && !(shape.step > 0 && std::isfinite(shape.step) && std::isfinite(shape.start)))
            bad(fmt::format("a step of {:g} s", shape.step), shape_at);
        const auto values = type_ == "58b" ? binary(shape) : text(shape);
        RecordedChannel channel{"", unit_of(ordinate), shape.start, whole_rate(shape.step)};
        if (shape.even) {
            channel.values = values;
        } else {
            for (std::size_t i = 0; i < shape.count; ++i) {
                channel.times.push_back(values[2 * i]);
                channel.values.push_back(values[2 * i + 1]);
            }
        }
        found_.push_back(std::move(channel));
        named_.push_back(std::move(name));
    }

    /// Six digits of a step are not all: a whole number of samples per second that has these digits is meant.
    static double whole_rate(double step) {
        const double rate = 1 / step, whole = std::round(rate);
        return whole >= 1 && std::abs(rate - whole) < 5e-6 * whole ? 1 / whole : step;
    }

    /// Function type, and the response's node and direction as "12+X".
    int function_of(std::string_view text, std::size_t at, std::string& place) {
        const auto words = split_at_blanks(text);
        const auto function = words.empty() ? std::optional<double>() : number_of(words[0]);
        if (!function) bad("has no function type", at);
        const auto by_column = [&](std::size_t from, std::size_t width) {
            return text.size() > from ? number_of(trimmed(text.substr(from, width))) : std::optional<double>();
        };
        auto node = by_column(41, 10), direction = by_column(51, 4);
        if ((!node || !direction) && words.size() >= 7) {
            node = number_of(words[5]);
            direction = number_of(words[6]);
        }
        static const char* names[] = {"", "X", "Y", "Z", "RX", "RY", "RZ"};
        if (node && direction && std::abs(*direction) <= 6 && *direction != 0)
            place = fmt::format("{:g}{}{}", *node, *direction < 0 ? "-" : "+", names[int(std::abs(*direction))]);
        else if (node)
            place = fmt::format("{:g}", *node);
        return code_of(*function);
    }

    std::size_t numbers_of(const Shape& s) const { return s.count * ((s.is_complex() ? 2 : 1) + (s.even ? 0 : 1)); }
    std::size_t binary_size(const Shape& s) const { return numbers_of(s) * (s.is_double() ? 8 : 4); }

    std::vector<double> text(const Shape& s) {
        const std::size_t needed = numbers_of(s);
        std::vector<double> numbers;
        numbers.reserve(needed);
        while (numbers.size() < needed) {
            const auto here = at_;
            std::string text(
                needed_line(fmt::format("its {} numbers, of which {} are there,", needed, numbers.size()).c_str()));
            for (char& c : text)
                if (c == 'D' || c == 'd') c = 'e';
            const char* at = text.c_str();
            while (numbers.size() < needed) {
                char* end = nullptr;
                const double x = std::strtod(at, &end);  // numbers may touch: 1.0E+00-1.0E+00
                if (end == at) break;
                if (!std::isfinite(x)) bad("a value that is not finite", here);
                numbers.push_back(x);
                at = end;
            }
            if (!trimmed(at).empty()) bad(fmt::format("'{}' is not a number", trimmed(at).substr(0, 30)), here);
        }
        return numbers;
    }

    std::vector<double> binary(const Shape& s) {
        // 58b: byte order (1 little, 2 big), floating point (2: IEEE), lines of heading, bytes that follow.
        const auto words = split_at_blanks(head_);
        std::vector<double> codes;
        for (const auto& word : words)
            if (const auto x = number_of(word); x && &word != &words[0]) codes.push_back(*x);
        if (codes.size() < 2) bad("says no byte order", begin_);
        if (codes[0] != 1 && codes[0] != 2)
            bad(fmt::format("byte order {:g}; 1 (little) and 2 (big) are known", codes[0]), begin_);
        if (codes[1] != 2) bad(fmt::format("floating point of kind {:g}; 2 (IEEE 754) is read", codes[1]), begin_);
        const bool little = codes[0] == 1;
        const std::size_t size = binary_size(s), width = s.is_double() ? 8 : 4;
        if (size > bytes_.size() - at_)
            bad(fmt::format("ends before its {} bytes of numbers: {} are there", size, bytes_.size() - at_), at_);
        if (codes.size() > 3 && codes[3] != 0 && codes[3] != double(size))
            bad(fmt::format("says {:g} bytes follow where {} values take {}", codes[3], s.count, size), begin_);
        std::vector<double> numbers;
        for (std::size_t i = 0; i < numbers_of(s); ++i) {
            const double x = width == 8 ? number_at<double>(bytes_, at_ + 8 * i, little)
                                        : double(number_at<float>(bytes_, at_ + 4 * i, little));
            if (!std::isfinite(x)) bad("a value that is not finite", at_ + width * i);
            numbers.push_back(x);
        }
        at_ += size;
        if (at_ < bytes_.size() && bytes_[at_] == '\r') ++at_;
        if (at_ < bytes_.size() && bytes_[at_] == '\n') ++at_;
        return numbers;
    }

    /// By the first line of their heading where these differ; else by node and direction; else by number.
    void name_them() {
        const auto all_differ = [&](std::string Named::*part) {
            std::map<std::string, int> seen;
            for (const auto& n : named_)
                if ((n.*part).empty() || (n.*part) == "NONE" || ++seen[n.*part] > 1) return false;
            return true;
        };
        const bool by_id = all_differ(&Named::id), by_place = all_differ(&Named::place);
        for (std::size_t i = 0; i < found_.size(); ++i)
            found_[i].name = by_id ? named_[i].id : by_place ? named_[i].place : fmt::format("channel{}", i + 1);
    }
};

}  // namespace

std::vector<RecordedChannel> uff_channels(std::string_view bytes, const std::string& path) {
    return UffReader(bytes, path).channels();
}

}  // namespace faying::io
