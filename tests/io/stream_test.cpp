#include "faying/io/stream.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "faying/core/error.hpp"
#include "faying/io/archive.hpp"
#include "faying/io/process.hpp"

using namespace faying;
using io::Stream;

TEST(Stream, GrowsIsReadableAndGoesOn) {
    const faying::io::ScratchFolder folder;
    const std::string path = (folder.path() / "stream.h5").string();
    {
        Stream out = Stream::create(path, {{"t", 1, "s"}, {"u", 3, "m"}}, {{"study", "a = \"1\""}});
        for (int i = 0; i < 3000; ++i) {
            const double t = 0.1 * i, u[] = {1.0 * i, 2.0 * i, 3.0 * i};
            out.append("t", &t);
            out.append("u", u);
        }
        out.replace("restart", {1, 2});
        out.flush();
        const auto seen = io::read_archive(path);  // while it is being written
        EXPECT_EQ(seen.matrix("u").rows(), 3000);
        EXPECT_EQ(seen.unit("u"), "m");
        EXPECT_EQ(seen.vector("t")(2999), 0.1 * 2999);
    }
    {
        Stream more = Stream::open(path);
        EXPECT_EQ(more.text("study"), "a = \"1\"");
        EXPECT_EQ(more.read_vector("restart"), (std::vector<double>{1, 2}));
        EXPECT_EQ(more.rows("u"), 3000u);
        more.cut("u", 2000);
        const double u[] = {-1, -2, -3};
        more.append("u", u);
        EXPECT_EQ(more.rows("u"), 2001u);
        more.replace("restart", {4, 5, 6});
        more.flush();
        const Eigen::MatrixXd all = more.read("u");
        EXPECT_EQ(all(1999, 1), 2.0 * 1999);
        EXPECT_EQ(all(2000, 2), -3);
        EXPECT_EQ(more.read_vector("restart").size(), 3u);
        EXPECT_THROW(more.append("v", u), core::BadInput);
        EXPECT_THROW(more.text("nothing"), core::BadInput);
    }
    std::filesystem::remove(path);
    EXPECT_THROW(Stream::open(path), core::BadInput);
    EXPECT_THROW(Stream::create("/nowhere/x.h5", {}, {}), core::BadInput);
}
