#pragma once
// Text that came from outside (names in decks and files, paths, arguments), made fit to be shown: a terminal obeys
// control characters, and a line break makes one message look like two.
//
//     one_line("a\n\033[31mb")     // a\n\u001b[31mb, each escape spelled out

#include <string>
#include <string_view>

namespace faying::core {

/// Spells out control characters (ASCII, C1, those that turn the direction of writing) as in JSON, \u001b, and bytes
/// that are not UTF-8 as \x9b. What is given may end within a character: the rest of it is waited for.
class ControlEscaper {
 public:
    enum class LineBreaks { escaped, kept };  ///< tabs go with them
    explicit ControlEscaper(LineBreaks breaks) : breaks_(breaks) {}

    std::string operator()(std::string_view bytes);
    /// What was waited for and did not come.
    std::string rest();

 private:
    LineBreaks breaks_;
    std::string begun_ = {};  ///< the first bytes of a character

    void put(std::string& out, unsigned char byte);
    void finish(std::string& out);
};

/// All of a text on one line, without control characters. Doing it twice changes nothing.
std::string one_line(std::string_view text);

}  // namespace faying::core
