// No number of docs/published.md and docs/recorded.md without a test.

#include "published/scoreboard.hpp"

#include <filesystem>

namespace {

using faying::tests::Scoreboard;

TEST(Scoreboard, EveryRowIsRecomputed) {
    std::string sources;
    for (const auto& entry : std::filesystem::directory_iterator(faying::tests::source_dir() + "/tests/published")) {
        std::ifstream file(entry.path());
        sources.append(std::istreambuf_iterator<char>(file), {});
    }
    EXPECT_GT(Scoreboard::page().rows().size(), 100u);
    for (const auto& [id, row] : Scoreboard::page().rows())
        EXPECT_NE(sources.find("\"" + id + "\""), std::string::npos) << "nothing recomputes row " << id;
}

/// What a paper prints and what only records ours are apart.
TEST(Scoreboard, PrintedNumbersAreApartFromOurOwn) {
    int printed = 0, recorded = 0;
    for (const auto& [id, row] : Scoreboard::page().rows()) {
        const bool none = row.paper == "-" || row.paper == "figure" || row.paper == "formula";
        EXPECT_EQ(none, !row.printed) << id << ": " << row.paper;
        ++(row.printed ? printed : recorded);
    }
    EXPECT_GT(printed, 40);
    EXPECT_GT(recorded, 40);
}

TEST(Scoreboard, EveryDifferenceIsExplained) {
    for (const auto& [id, row] : Scoreboard::page().rows())
        EXPECT_TRUE(row.difference.find('%') == std::string::npos || !row.why.empty()) << id;
}

}  // namespace
