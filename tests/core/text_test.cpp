#include "faying/core/text.hpp"

#include <gtest/gtest.h>

namespace faying::core {
namespace {

TEST(OneLine, SpellsOutWhatATerminalWouldObey) {
    EXPECT_EQ(one_line("beam.inp"), "beam.inp");
    EXPECT_EQ(one_line("a\n\r\tb"), "a\\n\\r\\tb");
    EXPECT_EQ(one_line("\033[31mred\a\x7f"), "\\u001b[31mred\\u0007\\u007f");
    EXPECT_EQ(one_line(std::string_view("a\0b", 3)), "a\\u0000b");
    EXPECT_EQ(one_line("\xC2\x9B"
                       "31m"),
              "\\u009b31m");  // a control sequence in one character
    EXPECT_EQ(one_line("a\xE2\x80\xAE"
                       "b"),
              "a\\u202eb");  // turns the writing around
}

TEST(OneLine, KeepsLettersOfAnyKindAndShowsBytesThatAreNone) {
    EXPECT_EQ(one_line("Träger µ 梁 \xF0\x9F\x94\xA9"), "Träger µ 梁 \xF0\x9F\x94\xA9");
    EXPECT_EQ(one_line("Tr\xE4ger"), "Tr\\xe4ger");            // Latin-1
    EXPECT_EQ(one_line("\x9B"), "\\x9b");                      // a control character of eight bits
    EXPECT_EQ(one_line("\xC0\x80"), "\\xc0\\x80");             // a longer spelling
    EXPECT_EQ(one_line("\xED\xA0\x80"), "\\xed\\xa0\\x80");    // half a pair
    EXPECT_EQ(one_line("\xE2\x82"), "\\xe2\\x82");             // cut short
    EXPECT_EQ(one_line("\xE2\x82\x1B"), "\\xe2\\x82\\u001b");  // and followed by something else
    EXPECT_EQ(one_line(one_line("\033\xE4\n")), one_line("\033\xE4\n"));
}

TEST(ControlEscaper, WaitsForTheRestOfACharacterAndKeepsLines) {
    ControlEscaper escaper(ControlEscaper::LineBreaks::kept);
    EXPECT_EQ(escaper("a\n\tb\xC2"), "a\n\tb");
    EXPECT_EQ(escaper("\xB5\033"), "µ\\u001b");
    EXPECT_EQ(escaper("\xE2\x82"), "");
    EXPECT_EQ(escaper.rest(), "\\xe2\\x82");
    EXPECT_EQ(escaper.rest(), "");
}

}  // namespace
}  // namespace faying::core
