#include "toml_file.hpp"

#include <algorithm>

#include "faying/io/text_file.hpp"

namespace faying::io {

namespace {

/// What toml++ must not see, found outside of quotes and comments: dotted keys (a.b.c = 1, [a.b.c]) that it would take
/// apart by functions that call themselves as often as they are deep (it bounds the nesting of values, not that of
/// tables); and letters beyond ASCII, some of which its table of blanks calls unreachable.
class Glance {
 public:
    explicit Glance(std::string_view text) : text_(text) {
        if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // byte order mark
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '#')
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (c == '"' || c == '\'')
                pass_string(c);
            else
                take(c);
        }
    }

    int deepest() const { return deepest_; }  ///< dots of the longest key
    /// Line of the first letter that needs quotes; 0: there is none.
    long stray() const {
        return stray_ == std::string_view::npos ? 0 : 1 + std::count(text_.begin(), text_.begin() + long(stray_), '\n');
    }

 private:
    std::string_view text_;
    std::size_t at_ = 0, stray_ = std::string_view::npos;
    int dots_ = 0, deepest_ = 0;

    void take(char c) {
        if (static_cast<unsigned char>(c) > 127) stray_ = std::min(stray_, at_);
        ++at_;
        if (std::string_view(",=[]{}\n").find(c) != std::string_view::npos) dots_ = 0;
        if (c == '.') deepest_ = std::max(deepest_, ++dots_);
    }

    void pass_string(char quote) {
        const std::string three(3, quote);
        const bool lines = text_.substr(at_, 3) == three;
        at_ += lines ? 3 : 1;
        while (at_ < text_.size()) {
            if (quote == '"' && text_[at_] == '\\') {
                at_ += 2;
            } else if (lines ? text_.substr(at_, 3) == three : text_[at_] == quote) {
                at_ += lines ? 3 : 1;
                return;
            } else if (!lines && text_[at_] == '\n') {
                return;  // an error, which the parser finds
            } else {
                ++at_;
            }
        }
    }
};

}  // namespace

TomlFile::TomlFile(const std::string& path) : path_(path) {
    const std::string text = read_text(path, {.size = 64'000'000, .line = 64'000'000});
    constexpr int deepest = 64;
    const Glance glance(text);
    if (glance.deepest() > deepest)
        throw core::BadInput(path, fmt::format("has a key of more than {} parts; nothing read here has", deepest));
    if (glance.stray() > 0)
        throw core::BadInput(fmt::format("{}:{}", path, glance.stray()),
                             "has a letter beyond ASCII outside of quotes and comments; put quotes around the text");
    try {
        root_ = toml::parse(text, path);
    } catch (const toml::parse_error& error) {
        throw core::BadInput(fmt::format("{}:{}: {}", path, error.source().begin.line, error.description()));
    }
}

std::string_view TomlFile::kind_of(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table: return "a table";
        case toml::node_type::array: return "a list";
        case toml::node_type::string: return "a text";
        case toml::node_type::boolean: return "true or false";
        case toml::node_type::integer:
        case toml::node_type::floating_point: return "a number";
        default: return "a date or time";
    }
}

}  // namespace faying::io
