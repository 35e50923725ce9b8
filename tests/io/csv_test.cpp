#include "faying/io/csv.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <thread>

#include "faying/core/error.hpp"

namespace faying::io {
namespace {

namespace fs = std::filesystem;
using Columns = std::vector<std::vector<double>>;

class Csv : public testing::Test {
 protected:
    Csv() : folder(fs::temp_directory_path() / ("faying-csv-" + std::to_string(::getpid()))) {
        fs::create_directories(folder);
    }
    ~Csv() override { fs::remove_all(folder); }

    std::string path(const std::string& name = "t.csv") const { return (folder / name).string(); }
    std::string saved(const std::string& content) const {
        std::ofstream(path(), std::ios::binary) << content;
        return path();
    }
    Table read(const std::string& content) const { return read_csv(saved(content)); }
    static std::string content(const std::string& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }
    std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {})); }

    /// The message without the path in front.
    template <class Call>
    std::string refusal(const std::string& file, Call call) const {
        try {
            call();
        } catch (const core::BadInput& error) {
            const std::string text = error.what();
            EXPECT_TRUE(text.starts_with(file + ":")) << text;
            EXPECT_EQ(text.find('\n'), std::string::npos) << text;
            return text.substr(file.size() + 1);
        }
        return "accepted";
    }
    std::string refused(const std::string& text) const {
        return refusal(path(), [&] { read(text); });
    }

    fs::path folder;
};

TEST_F(Csv, EverySeparator) {
    const Columns columns = {{1, 3}, {-2.5, 4e-3}};
    for (const std::string text : {"1,-2.5\n3,4e-3\n", "1;-2.5\n3;4e-3", "1\t-2.5\n3\t4e-3\n",
                                   " 1   -2.5\n3 \t 4e-3 \n", "1 , -2.5 \n 3, +4E-3"}) {
        EXPECT_EQ(read(text).columns, columns) << text;
        EXPECT_TRUE(read(text).names.empty());
    }
    EXPECT_EQ(read("7\n8").columns, (Columns{{7, 8}}));
}

TEST_F(Csv, HeaderCommentsBlankLinesCrlfAndByteOrderMark) {
    const Table expected{{"u [m]", "f"}, {{1, 3}, {2, 4}}};
    EXPECT_EQ(read("u [m],f\n1,2\n3,4\n"), expected);
    EXPECT_EQ(read("\xEF\xBB\xBF# made by hand\r\n\r\nu [m];f\r\n1;2 # first\r\n  \r\n3;4\r\n\r\n"), expected);
    EXPECT_EQ(read("\"u [m]\" \"f\"\n1 2\n3 4"), expected);
    EXPECT_EQ(read("\"a, \"\"b\"\" #\",1e\n1,2").names, (std::vector<std::string>{"a, \"b\" #", "1e"}));
}

TEST_F(Csv, WhatInstrumentsWrite) {
    const Columns columns = {{0, 0.25}, {1.5, -2}};
    const std::vector<std::string> names{"time", "acc"}, units{"s", "m/s^2"};
    for (const std::string text :
         {"time;acc\r\ns;m/s^2\r\n0;1,5\r\n0,25;-2,0\r\n", "Hammer test\n\ntime\tacc\n[s]\t[m/s^2]\n0\t1,5\n0,25\t-2\n",
          "time,acc,\ns,m/s^2,\n0,1.5,\n0.25,-2,\n", "% made by hand\ntime acc\ns m/s^2\n0 1.5\n0.25 -2\n"}) {
        const Table table = read(text);
        EXPECT_EQ(table.names, names) << text;
        EXPECT_EQ(table.columns, columns) << text;
        ASSERT_EQ(table.units.size(), 2u) << text;
        EXPECT_TRUE(table.units == units || table.units[0] == "[s]");
    }
    EXPECT_EQ(read("s,m\n0,1\n"), (Table{{"s", "m"}, {{0}, {1}}}));  // one line is names, whatever it says
}

TEST_F(Csv, RefusesWhatIsNotATableOfNumbers) {
    const std::string empty =
        "1: has no numbers; lines of numbers separated by commas, semicolons, tabs or blanks are needed";
    EXPECT_EQ(refused(""), empty);
    EXPECT_EQ(refused("\xEF\xBB\xBF"), empty);
    EXPECT_EQ(refused("# u,f\n\n"), "2" + empty.substr(1));
    EXPECT_EQ(refused("u,f\n"), "1: has a header but no numbers; lines of numbers are needed below it");
    EXPECT_EQ(refused("u,f\n1,2\n\n3,x7\n"),
              "4: cell 2, 'x7', is not a number; a finite one such as -1.5e-3 is needed");
    EXPECT_EQ(refused("1,u\n"), "1: cell 2, 'u', is not a number; a finite one such as -1.5e-3 is needed");
    EXPECT_EQ(refused("1;2,5,5\n"), "1: cell 2, '2,5,5', is not a number; a finite one such as -1.5e-3 is needed");
    EXPECT_EQ(refused("1;2.5,5\n"), "1: cell 2, '2.5,5', is not a number; a finite one such as -1.5e-3 is needed");
    EXPECT_EQ(refused("a,b\n1,\n"), "2: cell 2 is empty; a finite number is needed");
    EXPECT_EQ(refused("t,x\ns,m\n1,2,3\n"), "3: has 3 cells where line 2 has 2; every line needs the same number");
    EXPECT_EQ(refused("1,2\n3,\"4\"\n"), "2: cell 2, '4', is not a number; a finite one such as -1.5e-3 is needed");
    EXPECT_EQ(refused("1,2\n3,+-4\n"), "2: cell 2, '+-4', is not a number; a finite one such as -1.5e-3 is needed");
    EXPECT_EQ(refused("1,2\n3,0x1p3\n"), "2: cell 2, '0x1p3', is not a number; a finite one such as -1.5e-3 is needed");
    EXPECT_EQ(refused("1,2\n3,\n"), "2: cell 2 is empty; a finite number is needed");
    EXPECT_EQ(refused("1,2\nnan,3\n"), "2: cell 1, 'nan', is not finite; a finite number is needed");
    EXPECT_EQ(refused("NaN,2\n"), "1: cell 1, 'NaN', is not finite; a finite number is needed");
    EXPECT_EQ(refused("1,2\n1,-inf\n"), "2: cell 2, '-inf', is not finite; a finite number is needed");
    EXPECT_EQ(refused("1,2\n1,1e999\n"), "2: cell 2, '1e999', is not finite; a finite number is needed");
    EXPECT_EQ(refused("# c\nu,f\n1,2\n1,2,3\n"), "4: has 3 cells where line 2 has 2; every line needs the same number");
    EXPECT_EQ(refused("1 2\n1\n"), "2: has 1 cells where line 1 has 2; every line needs the same number");
    EXPECT_EQ(refused(std::string("\xFF\xFE"
                                  "1\0",
                                  4)),
              "1: is UTF-16 text; save it as UTF-8");
    EXPECT_EQ(refused("1\n\x01\x02" + std::string(60, 'z')),
              "2: cell 1, '??" + std::string(38, 'z') + "..', is not a number; a finite one such as -1.5e-3 is needed");
}

TEST_F(Csv, RefusesWhatIsNotAFile) {
    const auto missing = path("missing.csv"), directory = folder.string();
    EXPECT_EQ(refusal(missing, [&] { read_csv(missing); }), " there is no such file");
    EXPECT_EQ(refusal(directory, [&] { read_csv(directory); }), " is a folder; a file is needed");
}

TEST_F(Csv, UnderflowIsZeroNotAnError) { EXPECT_EQ(read("1e-999\n-3e-320").columns, (Columns{{0, -3e-320}})); }

TEST_F(Csv, WritesWhatItReadsBackToTheLastBit) {
    std::mt19937_64 random(7);
    Table table{{"u [m]", "f, \"N\"", "1", "", "#", "nan", "\u03c7"}, Columns(7)};
    for (auto& column : table.columns) {
        while (column.size() < 500) {
            const double value = std::bit_cast<double>(random());
            if (std::isfinite(value)) column.push_back(value);
        }
        for (const double value : {0.0, -0.0, 0.1, 5e-324, std::numeric_limits<double>::max(), 1e22, 1.0 / 3})
            column.push_back(value);
    }
    write_csv(path(), table);
    EXPECT_EQ(read_csv(path()), table);
    EXPECT_TRUE(std::signbit(read_csv(path()).columns[0][501]));
    table.names.clear();
    write_csv(path(), table);
    EXPECT_EQ(read_csv(path()), table);
    EXPECT_EQ(files(), 1u);
}

TEST_F(Csv, WriteRefusesTablesWithoutAShape) {
    EXPECT_THROW(write_csv(path(), {{"a"}, {{1}, {2}}}), std::invalid_argument);
    EXPECT_THROW(write_csv(path(), {{}, {{1}, {2, 3}}}), std::invalid_argument);
    EXPECT_THROW(write_csv(path(), {{"a\nb"}, {{1}}}), std::invalid_argument);
    EXPECT_EQ(files(), 0u);
}

TEST_F(Csv, WriteFileReplacesWholeFilesAndKeepsLinksAndPermissions) {
    write_file(path(), "first, and longer");
    ::chmod(path().c_str(), 0640);
    fs::create_symlink("t.csv", path("link"));
    write_file(path("link"), "second");
    EXPECT_EQ(content(path()), "second");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(static_cast<unsigned>(fs::status(path()).permissions()), 0640u);
    EXPECT_EQ(files(), 2u);
}

TEST_F(Csv, SeveralFilesAreWrittenAllOrNone) {
    write_files({{path("a"), "1"}, {path("b"), "2"}});
    EXPECT_EQ(content(path("a")) + content(path("b")), "12");
    fs::create_directory(path("taken"));
    EXPECT_THROW(write_files({{path("a"), "3"}, {path("c"), "3"}, {path("taken"), "3"}}), core::BadInput);
    EXPECT_EQ(content(path("a")), "1");
    for (const char* again : {"a", "new"})
        EXPECT_THROW(write_files({{path(again), "4"}, {folder.string() + "/./" + again, "4"}}), core::BadInput);
    EXPECT_EQ(content(path("a")), "1");
    EXPECT_EQ(files(), 3u);
}

TEST_F(Csv, WriteFileLeavesDevicesAndPipesInPlace) {
    write_file("/dev/null", "gone");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    std::string received;
    std::thread reader([&] { received = content(path("pipe")); });
    write_file(path("pipe"), "through");
    reader.join();
    EXPECT_EQ(received, "through");
    EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(Csv, WriteFileSaysWhyItCannotAndLeavesNothing) {
    const auto inside = path("none/t.csv"), directory = folder.string(), below_a_file = path("t.csv/x");
    const auto write = [](const std::string& file) { return [=] { write_file(file, "text"); }; };
    EXPECT_EQ(refusal(inside, write(inside)), " cannot be written: No such file or directory");
    EXPECT_EQ(refusal(directory, write(directory)), " cannot be written: Is a directory");
    EXPECT_EQ(refusal("", write("")), " cannot be written: No such file or directory");
    saved("1");
    EXPECT_EQ(refusal(below_a_file, write(below_a_file)), " cannot be written: Not a directory");
    EXPECT_EQ(refusal("/dev/full", write("/dev/full")), " cannot be written: No space left on device");
    const auto long_name = path(std::string(254, 'n'));
    EXPECT_EQ(refusal(long_name, write(long_name)), " cannot be written: File name too long");
    EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace faying::io
