// Measured loops in files.

#include "faying/files/loop.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "faying/core/error.hpp"

namespace {

using namespace faying;

class LoopFile : public testing::Test {
 protected:
    std::string path = testing::TempDir() + "faying_loop.csv";
    void TearDown() override { std::filesystem::remove(path); }
    void write(const std::string& header) const {
        std::ofstream out(path);
        out << header;
        for (int i = 0; i <= 20; ++i) {
            const double u = i <= 10 ? i : 20 - i;
            out << u << ',' << 2 * u + (i > 10 ? -1 : 1) << ',' << 0.1 * i << '\n';
        }
    }
};

TEST_F(LoopFile, ColumnsByNameOrByPlace) {
    for (const char* header : {"u,f,t\n", "displacement,force,time\n", "x,F,t\n", ""}) {
        write(header);
        const auto loop = files::read_loop(path);
        ASSERT_EQ(loop.size(), 21u) << header;
        EXPECT_EQ(loop.u[3], 3) << header;
        EXPECT_EQ(loop.f[15], 9) << header;
        EXPECT_EQ(loop.t.size(), *header ? 21u : 0u) << header;
    }
    write("f,u,t\n");  // by name, wherever they stand
    EXPECT_EQ(files::read_loop(path).u[10], 21);
}

TEST_F(LoopFile, SaysWhichColumnIsMissing) {
    write("u,g,t\n");
    try {
        files::read_loop(path);
        FAIL();
    } catch (const core::BadInput& error) {
        EXPECT_NE(std::string(error.what()).find("needs columns u (or x, displacement) and f (or force)"),
                  std::string::npos)
            << error.what();
    }
}

}  // namespace
