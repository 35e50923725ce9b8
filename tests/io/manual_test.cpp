// A command line's table as a manual page and as completions.

#include "faying/io/manual.hpp"

#include <gtest/gtest.h>

#include "faying/core/error.hpp"

namespace faying::io {
namespace {

CommandLine tool() {
    CommandLine made{.name = "tool", .version = "1.0-a", .summary = "an example"};
    made.commands = {
        {.name = "loop",
         .description = "goes: 'round",
         .options = {{.flags = {"-l", "--law"}, .description = "which", .takes_value = true, .value = "TEXT"}},
         .below = {{.name = "back", .description = ".and forth"}},
         .takes_term = true}};
    made.terms = {"iwan", "jenkins"};
    made.term_flags = {"--law"};
    made.statuses = {{2, "bad input"}};
    return made;
}

TEST(Manual, EscapesWhatTroffWouldTake) {
    const auto page = man_page(tool());
    EXPECT_NE(page.find(".TH TOOL 1 \"\" \"tool 1.0\\-a\""), std::string::npos);
    EXPECT_NE(page.find(".B \\-l, \\-\\-law TEXT\n"), std::string::npos);
    EXPECT_NE(page.find(".SS loop back\n\\&.and forth\n"), std::string::npos);
    EXPECT_NE(page.find(".B 2\nbad input\n"), std::string::npos);
}

TEST(Manual, ShellsCompleteCommandsFlagsAndTerms) {
    EXPECT_NE(completion(tool(), "bash").find("loop) words=\"-l --law back\""), std::string::npos);
    EXPECT_NE(completion(tool(), "bash").find("local terms=\"iwan jenkins\""), std::string::npos);
    EXPECT_NE(completion(tool(), "zsh").find("'loop:goes\\: '\\''round'"), std::string::npos);
    EXPECT_NE(completion(tool(), "fish").find("-l law -r -d 'which'"), std::string::npos);
    EXPECT_THROW(completion(tool(), "tcsh"), core::BadInput);
}

}  // namespace
}  // namespace faying::io
