// What a reader is given may be anything: it is read, or refused in one line, in seconds and with bounded memory.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "faying/core/error.hpp"
#include "faying/io/csv.hpp"
#include "faying/io/expression.hpp"
#include "faying/io/json_file.hpp"
#include "faying/io/process.hpp"
#include "faying/io/text_file.hpp"
#include "io/toml_file.hpp"

namespace faying::io {
namespace {

namespace fs = std::filesystem;

class Limits : public testing::Test {
 protected:
    ScratchFolder folder;

    std::string saved(const std::string& name, const std::string& content) const {
        const auto path = (folder.path() / name).string();
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }
    template <class Call>
    static std::string refusal(Call call) {
        try {
            call();
        } catch (const core::BadInput& error) {
            return error.what();
        }
        return "accepted";
    }
    static void expect_refused(const std::string& what, const std::string& part) {
        EXPECT_NE(what.find(part), std::string::npos) << what;
    }
};

TEST_F(Limits, DevicesAndEndlessLinesAreNoText) {
    expect_refused(refusal([] { read_csv("/dev/zero"); }), "/dev/zero: is a device");
    const auto path = saved("long.csv", "1\n" + std::string(17'000'000, '2'));
    expect_refused(refusal([&] { read_csv(path); }), path + ":2: is a line of more than 16 MB");
    expect_refused(refusal([&] { read_text(path, {.size = 1000}); }), "is larger than 0 MB");
    fs::resize_file(path, 200'000'000'000);  // most of it is nowhere
    expect_refused(refusal([&] { read_text(path); }), "is larger than 4000 MB");
    expect_refused(refusal([&] { read_text(folder.path().string()); }), "is a folder");
    EXPECT_EQ(read_text(saved("plain", "a\nb")), "a\nb");
}

TEST_F(Limits, NestingIsBounded) {
    const std::string deep(100000, '[');
    expect_refused(refusal([&] { parse_json(deep, "x.json"); }), "x.json: is nested more than 64 deep");
    expect_refused(refusal([&] { parse_json("{]", "x.json"); }), "x.json: is not JSON");
    EXPECT_EQ(parse_json("[[1]]", "x").dump(), "[[1]]");
    std::string key = "a";
    for (int i = 0; i < 100000; ++i) key += i % 2 ? ".\"b\"" : " . c";
    for (const auto& text : {key + " = 1", "[" + key + "]", "x = { " + key + " = 1 }"})
        expect_refused(refusal([&] { TomlFile(saved("deep.toml", text)); }), "has a key of more than 64 parts");
    expect_refused(refusal([&] { TomlFile(saved("deep.toml", "a = " + deep)); }), "deep.toml:1: ");
    std::string texts = "a = \"" + std::string(200, '.') + "\" # " + std::string(200, '.') + "\nb = '''\n";
    texts += std::string(200, '.') + "\n'''\nc = [";
    for (int i = 0; i < 200; ++i) texts += "1.5, ";
    EXPECT_EQ(refusal([&] { TomlFile(saved("dots.toml", texts + "]")); }), "accepted");
}

TEST_F(Limits, LettersBeyondAsciiNeedQuotesInToml) {
    for (const std::string text :
         {"a = 1\n\u00fc = 2\n", "a = 1\nb = \u1234\n", "a = 1\n[t\u00e4ble]\n", "a = 1\n\xff\n"})
        expect_refused(refusal([&] { TomlFile(saved("letters.toml", text)); }), "letters.toml:2: has a letter beyond");
    for (const std::string text :
         {"\xEF\xBB\xBF# \u00fc\na = 'M\u00fcller'\n", "a = \"\"\"\u00e9\n\u00e8\"\"\" # \u00e0\n", "\"\u00fc\" = 1\n"})
        EXPECT_EQ(refusal([&] { TomlFile(saved("quoted.toml", text)); }), "accepted") << text;
}

TEST_F(Limits, LongIntegersAreNumbers) {
    const TomlFile file(saved("long.toml", "a = -17641351973388533\n"));
    EXPECT_EQ(file.number(*file.root().get("a"), "a"), -17641351973388533.0);
}

TEST_F(Limits, ValuesOfTheWrongKindNameKeyFileAndLine) {
    const auto path = saved("m.toml", "a = 1\nb = 'x'\nc = nan\nd = [1, true]\ne = \"a\\nb\"\nf = 1.5\n");
    const TomlFile file(path);
    const auto& root = file.root();
    EXPECT_EQ(refusal([&] { file.text(*root.get("a"), "a"); }),
              path + ":1: a must be a text in quotes; it is a number");
    EXPECT_EQ(refusal([&] { file.flag(root, "b", false); }), path + ":2: b must be true or false; it is a text");
    EXPECT_EQ(refusal([&] { file.number(*root.get("b"), "b"); }), path + ":2: b must be a finite number; it is a text");
    EXPECT_EQ(refusal([&] { file.number(*root.get("c"), "c"); }), path + ":3: c must be a finite number");
    EXPECT_EQ(refusal([&] { file.vector(*root.get("d"), "d"); }),
              path + ":4: d must be a finite number; it is true or false");
    expect_refused(refusal([&] { file.text(*root.get("e"), "e"); }), ":5: e must be a text of one line");
    EXPECT_EQ(refusal([&] { file.whole(*root.get("f"), "f", 0, 9); }),
              path + ":6: f must be a whole number from 0 to 9");
    EXPECT_EQ(file.text(root, "none", "x"), "x");
}

TEST(Formula, HasOneValueAndGivesNone) {
    const auto refusal = [](const std::string& text) -> std::string {
        try {
            Expression(text, "t");
        } catch (const core::BadInput& error) {
            return error.what();
        }
        return "accepted";
    };
    for (const char* text : {"t=5", "t=t+1", "t = 1", "sin(t),cos(t)", "1,2,3", "(t=2)+1", "t=="})
        EXPECT_TRUE(refusal(text).starts_with("formula '")) << text << ": " << refusal(text);
    EXPECT_NE(refusal("sin(t),cos(t)").find("2 values"), std::string::npos);
    EXPECT_NE(refusal("t+t=5").find("character 4"), std::string::npos);
    for (const char* text : {"max(t,1)", "t==1", "t>=1 ? 2 : 3", "t!=0", "t<=2"}) EXPECT_EQ(refusal(text), "accepted");
    EXPECT_NE(refusal(std::string(20000, '1')).find("more than 10000"), std::string::npos);
}

TEST_F(Limits, ProcessesSeeNoneOfTheUsersEnvironmentAndStopAtTheirMemory) {
    ::setenv("GMSH_HOME", "/somewhere", 1);
    const auto run = run_process("/bin/sh", {"-c", "env; cd ~; pwd; ulimit -v"}, folder.path(),
                                 {.memory_limit = 1e9, .environment = {"GIVEN=1"}});
    ::unsetenv("GMSH_HOME");
    EXPECT_EQ(run.exit_status, 0) << run.log;
    EXPECT_EQ(run.log.find("GMSH_HOME"), std::string::npos) << run.log;
    EXPECT_NE(run.log.find("GIVEN=1\n"), std::string::npos) << run.log;
    EXPECT_NE(run.log.find("HOME=" + folder.path().string() + "\n"), std::string::npos) << run.log;
    EXPECT_NE(run.log.find("\n976562\n"), std::string::npos) << run.log;  // kB
}

TEST_F(Limits, ATimeLimitEndsWhatTheProcessStartedToo) {
    const auto run = run_process("/bin/sh", {"-c", "sleep 600 & echo $!; wait"}, folder.path(),
                                 {.time_limit = 0.3, .environment = {}});
    EXPECT_FALSE(run.ended);
    const int grandchild = std::stoi(run.log);
    bool gone = false;
    for (int tries = 0; tries < 100 && !gone; ++tries, ::usleep(20000)) {
        std::ifstream status("/proc/" + std::to_string(grandchild) + "/stat");
        std::string number, name, state;
        gone = !(status >> number >> name >> state) || state == "Z";
    }
    EXPECT_TRUE(gone);
}

}  // namespace
}  // namespace faying::io
