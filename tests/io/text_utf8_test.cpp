#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "faying/core/error.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/text_file.hpp"

namespace {

using namespace faying;
using io::valid_utf8;

std::string written(const std::string& content) {
    const auto path = std::filesystem::temp_directory_path() / ("faying_text_" + std::to_string(::getpid()) + ".csv");
    std::ofstream(path, std::ios::binary) << content;
    return path.string();
}

TEST(Text, ValidStaysAsItIs) {
    for (const char* text : {"", "plain", "\u00b5s", "\u221a", "\U0001F529", "e\u0301"})
        EXPECT_EQ(valid_utf8(text), text);
}

TEST(Text, OtherBytesAreLatin1) {
    EXPECT_EQ(valid_utf8("\xb5s"), "\u00b5s");
    EXPECT_EQ(valid_utf8("Pr\xfc"
                         "fstand \u221a \xdf"),
              "Pr\u00fcfstand \u221a \u00df");
    EXPECT_EQ(valid_utf8("\xe2\x88"), "\u00e2\u0088");            // cut off
    EXPECT_EQ(valid_utf8("\xc0\xaf"), "\u00c0\u00af");            // overlong
    EXPECT_EQ(valid_utf8("\xed\xa0\x80"), "\u00ed\u00a0\u0080");  // a surrogate
    EXPECT_EQ(valid_utf8("\xf5"), "\u00f5");
}

/// A unit in Latin-1 is the same unit.
TEST(Text, Latin1Table) {
    const auto path = written(
        "# Pr\xfc"
        "fstand\nzeit,kraft \xe4\n\xb5s,N\n0,1\n1,2\n");
    const auto table = io::read_csv(path);
    EXPECT_EQ(table.names, (std::vector<std::string>{"zeit", "kraft \u00e4"}));
    EXPECT_EQ(table.units.front(), "\u00b5s");
    std::filesystem::remove(path);
}

TEST(Text, WhatIsNoText) {
    const auto path = written(std::string("1,2\n3\0,4\n", 9));
    try {
        io::read_text(path);
        FAIL();
    } catch (const core::BadInput& error) {
        EXPECT_EQ(error.what(), path + ": is not text: byte 6 is zero");
    }
    EXPECT_THROW(io::read_csv("/dev/zero"), core::BadInput);
    written("1,2\n" + std::string(5 << 20, '1') + "\n");
    EXPECT_THROW(io::read_csv(path), core::BadInput);
    std::filesystem::remove(path);
}

}  // namespace
