// No number of docs/published.md without a test.

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
    EXPECT_GT(Scoreboard::page().rows().size(), 0u);
    for (const auto& [id, row] : Scoreboard::page().rows())
        EXPECT_NE(sources.find("\"" + id + "\""), std::string::npos) << "nothing recomputes row " << id;
}

TEST(Scoreboard, EveryDifferenceIsExplained) {
    for (const auto& [id, row] : Scoreboard::page().rows())
        EXPECT_TRUE(row.difference.find('%') == std::string::npos || !row.why.empty()) << id;
}

}  // namespace
