#pragma once
// The text of a deck: files held in memory, data lines, comma separated fields, numbers. Private to the reader.

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "faying/fe/deck.hpp"

namespace faying::fe::text {

/// Every file read, kept so that views into it stay good.
struct Sources {
    std::vector<std::string> names;
    std::deque<std::string> texts;
    std::string where(Place at) const;
    [[noreturn]] void refuse(Place at, const std::string& what) const;
};

std::string_view trimmed(std::string_view text);
/// Upper case without blanks, as keywords and parameter names are compared.
std::string squeezed(std::string_view text);
bool is_comment(std::string_view line);  ///< ** after any blanks
bool is_blank(std::string_view line);
/// A name without its quotes: "My Set" and Part-1."My Set" alike.
std::string unquoted(std::string_view name);

/// A stretch of one file.
struct Segment {
    std::string_view text;
    Place at;  ///< its first line
};

struct Line {
    std::string_view text;
    Place at;
    bool unterminated = false;  ///< the file ends in the middle of it, for all we know
};

/// Walks the lines of some segments, comments and blank lines left out.
class Lines {
 public:
    explicit Lines(const std::vector<Segment>& segments) : segments_(&segments) {}
    bool next(Line& line);

 private:
    const std::vector<Segment>* segments_;
    std::size_t segment_ = 0, position_ = 0;
    Index lines_into_ = 0;
};

/// Cuts at commas outside quotes, trims; a trailing comma adds no field. Fills `fields` and says whether the line ended
/// with a comma.
bool split(std::string_view line, std::vector<std::string_view>& fields);

/// 1. .5 1e-3 1d-3 +2; nothing for anything else, for NaN and for infinity.
std::optional<double> number(std::string_view field);
std::optional<Index> integer(std::string_view field);

/// The fields of a line, and what to say when one cannot be read.
class Row {
 public:
    explicit Row(const Sources& sources) : sources_(&sources) {}
    /// Reads the next line, and the ones that a trailing comma continues it with when `continued`.
    bool read(Lines& lines, bool continued = false);

    std::size_t size() const { return fields_.size(); }
    bool has(std::size_t k) const { return k < fields_.size() && !fields_[k].empty(); }
    std::string_view text(std::size_t k) const { return k < fields_.size() ? fields_[k] : std::string_view(); }
    const Line& line() const { return line_; }
    Place at() const { return line_.at; }
    bool ends_with_comma() const { return comma_; }

    /// `what` names the field in the message: "x coordinate".
    double real(std::size_t k, std::string_view what) const;
    double real_or(std::size_t k, double fallback, std::string_view what) const;
    Index whole(std::size_t k, std::string_view what) const;
    /// Every field a number, blanks as zero.
    std::vector<double> reals(std::string_view what) const;
    [[noreturn]] void refuse(const std::string& what) const { sources_->refuse(line_.at, what); }

 private:
    const Sources* sources_;
    Line line_;
    bool comma_ = false;
    std::vector<std::string_view> fields_, more_;
};

}  // namespace faying::fe::text
