#include "drawing.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace faying::io {

void require_drawable(const Figure& figure) {
    if (figure.panels.empty()) throw std::invalid_argument("figure: no panels; at least one is needed");
    for (std::size_t p = 0; p < figure.panels.size(); ++p) {
        for (const auto& curve : figure.panels[p].curves) {
            const auto where = fmt::format("figure: panel {}, curve '{}': ", p + 1, curve.label);
            if (curve.x.size() != curve.y.size())
                throw std::invalid_argument(
                    fmt::format("{}{} x and {} y; as many of both are needed", where, curve.x.size(), curve.y.size()));
            if (curve.dashed_like >= static_cast<int>(figure.panels[p].curves.size()))
                throw std::invalid_argument(fmt::format("{}there is no curve {} to be like", where, curve.dashed_like));
            if (curve.first_detail >= 0 && curve.first_detail + curve.x.size() > figure.details.size())
                throw std::invalid_argument(fmt::format("{}it has more points than there are details", where));
            for (const auto mark : curve.marks)
                if (mark >= curve.x.size())
                    throw std::invalid_argument(
                        fmt::format("{}mark {} is beyond the last of {} points", where, mark, curve.x.size()));
        }
    }
}

std::size_t character_length(std::string_view text) {
    if (text.empty()) return 0;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                               : (lead >> 4) == 0xE           ? 3
                               : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                              : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80) return 0;
    // Overlong forms, surrogates and what lies beyond U+10FFFF; U+FFFE and U+FFFF are no characters of XML.
    const unsigned char second = byte(1);
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
        (lead == 0xF4 && second > 0x8F) || (lead == 0xEF && second == 0xBF && byte(2) >= 0xBE))
        return 0;
    return length;
}

std::string escaped(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const auto c = static_cast<unsigned char>(text.front());
        if (length == 0 || (c < 0x20 && c != '\t' && c != '\n') || c == 0x7f)
            out += "\uFFFD";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '&')
            out += "&amp;";
        else if (c == '"')
            out += "&quot;";
        else
            out += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

}  // namespace faying::io
