#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>

#include "faying/core/error.hpp"

namespace faying::fe::text {

namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

}  // namespace

std::string Sources::where(Place at) const {
    return fmt::format("{}:{}", names[static_cast<std::size_t>(at.file)], at.line);
}

void Sources::refuse(Place at, const std::string& what) const { throw core::BadInput(where(at), what); }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

std::string squeezed(std::string_view text) {
    std::string out;
    for (char c : text)
        if (!blank(c)) out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return out;
}

bool is_comment(std::string_view line) {
    const auto first = line.find_first_not_of(" \t");
    return first != std::string_view::npos && line.substr(first, 2) == "**";
}

bool is_blank(std::string_view line) { return trimmed(line).empty(); }

std::string unquoted(std::string_view name) {
    std::string out;
    for (char c : name)
        if (c != '"') out += c;
    return std::string(trimmed(out));  // blanks within the quotes too: names are found by what this gives
}

bool Lines::next(Line& line) {
    while (segment_ < segments_->size()) {
        const Segment& s = (*segments_)[segment_];
        while (position_ < s.text.size()) {
            const char* begin = s.text.data() + position_;
            const std::size_t left = s.text.size() - position_;
            const auto* end = static_cast<const char*>(std::memchr(begin, '\n', left));
            const std::size_t length = end ? static_cast<std::size_t>(end - begin) : left;
            const std::string_view text(begin, length);
            position_ += length + (end ? 1 : 0);
            const Place at{s.at.file, s.at.line + lines_into_++};
            if (is_blank(text) || is_comment(text)) continue;
            line = {text, at, end == nullptr};
            return true;
        }
        ++segment_;
        position_ = 0;
        lines_into_ = 0;
    }
    return false;
}

bool split(std::string_view line, std::vector<std::string_view>& fields) {
    fields.clear();
    line = trimmed(line);
    std::size_t begin = 0;
    bool quoted = false;
    for (std::size_t k = 0; k < line.size(); ++k) {
        if (line[k] == '"') quoted = !quoted;
        if (line[k] != ',' || quoted) continue;
        fields.push_back(trimmed(line.substr(begin, k - begin)));
        begin = k + 1;
    }
    if (begin < line.size()) fields.push_back(trimmed(line.substr(begin)));
    return !line.empty() && line.back() == ',' && !quoted;
}

std::optional<double> number(std::string_view field) {
    if (!field.empty() && field.front() == '+') field.remove_prefix(1);
    if (field.empty() ||
        !(std::isdigit(static_cast<unsigned char>(field.front())) || field.front() == '-' || field.front() == '.'))
        return {};
    const char* end = field.data() + field.size();
    double x = 0;
    const auto [stop, error] = std::from_chars(field.data(), end, x);
    if (stop == end && error == std::errc() && std::isfinite(x)) return x;
    // Seldom: Fortran's exponent letter, or a number too small for a double, which is zero.
    std::string copy(field);
    if (copy.size() > 64) return {};
    bool negative_exponent = false;
    for (std::size_t k = 0; k < copy.size(); ++k) {
        if (copy[k] == 'd' || copy[k] == 'D') copy[k] = 'e';
        const bool exponent = k > 0 && (copy[k - 1] == 'e' || copy[k - 1] == 'E');
        if (exponent && copy[k] == '-') negative_exponent = true;
        if (exponent && copy[k] == '+') copy.erase(k, 1);
    }
    const auto [again, second] = std::from_chars(copy.data(), copy.data() + copy.size(), x);
    if (again != copy.data() + copy.size()) return {};
    if (second == std::errc::result_out_of_range && negative_exponent) return 0.0;
    if (second != std::errc() || !std::isfinite(x)) return {};
    return x;
}

std::optional<Index> integer(std::string_view field) {
    if (field.size() > 1 && field.front() == '+' && field[1] != '-') field.remove_prefix(1);
    Index x = 0;
    const auto [stop, error] = std::from_chars(field.data(), field.data() + field.size(), x);
    if (error != std::errc() || stop != field.data() + field.size()) return {};
    return x;
}

bool Row::read(Lines& lines, bool continued) {
    if (!lines.next(line_)) return false;
    comma_ = split(line_.text, fields_);
    while (continued && comma_) {
        Line next;
        if (!lines.next(next)) break;
        comma_ = split(next.text, more_);
        fields_.insert(fields_.end(), more_.begin(), more_.end());
        line_.unterminated = next.unterminated;
    }
    return true;
}

double Row::real(std::size_t k, std::string_view what) const {
    if (!has(k)) refuse(fmt::format("{} is missing; a number is needed in field {}", what, k + 1));
    const auto x = number(fields_[k]);
    if (!x) refuse(fmt::format("{} '{}' is not a finite number", what, fields_[k].substr(0, 40)));
    return *x;
}

double Row::real_or(std::size_t k, double fallback, std::string_view what) const {
    return has(k) ? real(k, what) : fallback;
}

Index Row::whole(std::size_t k, std::string_view what) const {
    if (!has(k)) refuse(fmt::format("{} is missing; a whole number is needed in field {}", what, k + 1));
    const auto x = integer(fields_[k]);
    if (!x) refuse(fmt::format("{} '{}' is not a whole number", what, fields_[k].substr(0, 40)));
    return *x;
}

std::vector<double> Row::reals(std::string_view what) const {
    std::vector<double> all;
    for (std::size_t k = 0; k < fields_.size(); ++k) all.push_back(real_or(k, 0.0, what));
    return all;
}

}  // namespace faying::fe::text
