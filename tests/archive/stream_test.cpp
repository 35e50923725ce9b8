#include "faying/archive/stream.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"
#include "faying/io/process.hpp"

using namespace faying;
using archive::Stream;

namespace {

class StreamFile : public testing::Test {
 protected:
    const io::ScratchFolder folder;
    const std::string path = (folder.path() / "stream.h5").string(), journal = path + ".journal";

    Stream begun() const { return Stream::create(path, {{"t", 1, "s"}, {"u", 3, "m"}}, {{"study", "a = \"1\""}}); }
    static void add(Stream& out, int from, int to) {
        for (int i = from; i < to; ++i) {
            const double t = 0.1 * i, u[] = {1.0 * i, 2.0 * i, 3.0 * i};
            out.append("t", &t);
            out.append("u", u);
        }
        out.replace("restart", {double(to)});
        out.flush();
    }
    static std::string bytes_of(const std::string& file) {
        std::ifstream in(file, std::ios::binary);
        return (std::ostringstream() << in.rdbuf()).str();
    }
};

TEST_F(StreamFile, ColumnsKeepTheirLabels) {
    const std::vector<std::string> names{"tip", "µ", ""};
    const std::vector<io::StreamTable> tables{{"t", 1, "s"}, {"u", 3, "m", names}};
    {
        Stream out = Stream::create(path, tables, {});
        add(out, 0, 2);  // into the journal
    }
    for (int finished = 0; finished < 3; ++finished) {  // by the journal, then by the file
        Stream more = Stream::open(path);
        add(more, 2, 4);
        more.finish();
        const auto seen = io::read_archive(path);
        EXPECT_EQ(seen.texts("labels.u"), names);
        EXPECT_FALSE(seen.has("labels.t"));
        EXPECT_EQ(seen.matrix("u").rows(), 4 + 2 * finished);
    }
    EXPECT_THROW(Stream::create(path, {{"u", 3, "m", {"one"}}}, {}), std::invalid_argument);
}

TEST_F(StreamFile, GrowsIsFinishedAndGoesOn) {
    {
        Stream out = begun();
        add(out, 0, 3000);
        EXPECT_FALSE(std::filesystem::exists(path));
        out.finish();
        EXPECT_FALSE(std::filesystem::exists(journal));
        const auto seen = archive::read_archive(path);
        EXPECT_EQ(seen.matrix("u").rows(), 3000);
        EXPECT_EQ(seen.unit("u"), "m");
        EXPECT_EQ(seen.vector("t")(2999), 0.1 * 2999);
        EXPECT_EQ(out.read("u")(2999, 1), 2.0 * 2999);
    }
    {
        Stream more = Stream::open(path);
        EXPECT_EQ(more.text("study"), "a = \"1\"");
        EXPECT_EQ(more.read_vector("restart"), (std::vector<double>{3000}));
        EXPECT_EQ(more.rows("u"), 3000u);
        more.cut("u", 2000);
        const double u[] = {-1, -2, -3};
        more.append("u", u);
        EXPECT_EQ(more.rows("u"), 2001u);
        more.replace("restart", {4, 5, 6});
        more.flush();
        for (int finished = 0; finished < 2; ++finished) {
            const Eigen::MatrixXd all = more.read("u");
            ASSERT_EQ(all.rows(), 2001);
            EXPECT_EQ(all(1999, 1), 2.0 * 1999);
            EXPECT_EQ(all(2000, 2), -3);
            more.finish();
        }
        EXPECT_EQ(more.read_vector("restart").size(), 3u);
        EXPECT_THROW(more.append("v", u), core::BadInput);
        EXPECT_THROW(more.text("nothing"), core::BadInput);
        EXPECT_THROW(more.read_vector("nothing"), core::BadInput);
    }
    std::filesystem::remove(path);
    EXPECT_FALSE(Stream::exists(path));
    EXPECT_THROW(Stream::open(path), core::BadInput);
    EXPECT_THROW(Stream::create("/nowhere/x.h5", {}, {}), core::BadInput);
}

/// Cut anywhere, as a kill inside a write leaves it: what was flushed before is there, with its vector, and it goes on.
TEST_F(StreamFile, AJournalCutAnywhereGoesOnFromTheFlushBefore) {
    std::vector<std::size_t> ends;
    {
        Stream out = begun();
        ends.push_back(std::filesystem::file_size(journal));
        for (int k = 0; k < 3; ++k) {
            add(out, 10 * k, 10 * k + 10);
            ends.push_back(std::filesystem::file_size(journal));
        }
    }
    const std::string whole = bytes_of(journal);
    for (std::size_t size = 0; size <= whole.size(); size += 7) {
        std::ofstream(journal, std::ios::binary) << whole.substr(0, size);
        const auto flushed = std::size_t(std::upper_bound(ends.begin(), ends.end(), size) - ends.begin());
        ASSERT_EQ(Stream::exists(path), flushed > 0) << size;
        if (flushed == 0) continue;
        Stream back = Stream::open(path);
        ASSERT_EQ(back.rows("u"), 10 * (flushed - 1)) << size;
        ASSERT_EQ(back.has_vector("restart"), flushed > 1) << size;
        add(back, int(10 * (flushed - 1)), 30);
        back.finish();
        EXPECT_EQ(archive::read_archive(path).matrix("u")(29, 2), 87);
        std::filesystem::remove(path);
    }
}

TEST_F(StreamFile, AnOldRecordStaysUntilTheNewOneIsFinished) {
    {
        Stream out = begun();
        add(out, 0, 5);
        out.finish();
    }
    const std::string old = bytes_of(path);
    Stream out = begun();
    add(out, 0, 8);
    EXPECT_EQ(bytes_of(path), old);
    out.finish();
    EXPECT_EQ(archive::read_archive(path).matrix("u").rows(), 8);
}

/// Killed between the new file and the removal of the journal: the journal says the same once more.
TEST_F(StreamFile, AJournalThatWasNotRemovedChangesNothing) {
    {
        Stream out = begun();
        add(out, 0, 5);
        out.finish();
    }
    std::string left;
    {
        Stream more = Stream::open(path);
        add(more, 5, 9);
        left = bytes_of(journal);
        more.finish();
    }
    std::ofstream(journal, std::ios::binary) << left;
    Stream again = Stream::open(path);
    EXPECT_EQ(again.rows("u"), 9u);
    EXPECT_EQ(again.read("u")(8, 0), 8);
    EXPECT_EQ(again.read("u")(4, 0), 4);
    // The record it goes on from is gone: that is said.
    { Stream moved = std::move(again); }
    std::filesystem::remove(path);
    EXPECT_THROW(Stream::open(path), core::BadInput);
}

TEST_F(StreamFile, OneWriterAtATimeAlsoThroughALink) {
    const Stream out = begun();
    std::filesystem::create_symlink(path, folder.path() / "link.h5");
    EXPECT_THROW(Stream::create((folder.path() / "link.h5").string(), {{"t"}}, {}), core::BadInput);
    EXPECT_THROW(Stream::open(path), core::BadInput);
}

}  // namespace
