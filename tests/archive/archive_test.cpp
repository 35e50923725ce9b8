#include "faying/archive/archive.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

#include "faying/archive/matrix.hpp"
#include "faying/core/error.hpp"

namespace faying::archive {
namespace {

namespace fs = std::filesystem;
using Sparse = Eigen::SparseMatrix<double>;

/// Every double there is, NaN and infinity included.
Eigen::MatrixXd random_bits(Eigen::Index rows, Eigen::Index columns, bool finite = false) {
    static std::mt19937_64 random(11);
    Eigen::MatrixXd m(rows, columns);
    for (double& x : m.reshaped()) do
            x = std::bit_cast<double>(random());
        while (finite && !std::isfinite(x));
    return m;
}

Sparse random_sparse(Eigen::Index rows, Eigen::Index columns) {
    std::mt19937_64 random(5);
    std::vector<Eigen::Triplet<double>> triplets;
    for (Eigen::Index j = 0; j < columns; ++j)
        for (Eigen::Index i = 0; i < rows; ++i)
            if (random() % 4 == 0) triplets.emplace_back(i, j, random_bits(1, 1, true)(0, 0));
    Sparse m(rows, columns);
    m.setFromTriplets(triplets.begin(), triplets.end());
    return m;
}

bool same_bits(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
    for (Eigen::Index k = 0; k < a.size(); ++k)
        if (std::bit_cast<std::uint64_t>(a.data()[k]) != std::bit_cast<std::uint64_t>(b.data()[k])) return false;
    return true;
}

bool same_sparse(const Sparse& a, const Sparse& b) {
    return a.nonZeros() == b.nonZeros() && same_bits(a.toDense(), b.toDense());
}

struct Format {
    std::string extension;
    MatlabVersion version = MatlabVersion::v5_compressed;
    friend void PrintTo(const Format& format, std::ostream* out) { *out << format.extension; }
};

class Archives : public testing::TestWithParam<Format> {
 protected:
    Archives() : folder(fs::temp_directory_path() / ("faying-archive-" + std::to_string(::getpid()))) {
        fs::create_directories(folder);
    }
    ~Archives() override { fs::remove_all(folder); }

    std::string path() const { return (folder / ("t" + GetParam().extension)).string(); }
    Archive there_and_back(const Archive& archive) const {
        write_archive(path(), archive, GetParam().version);
        return read_archive(path());
    }
    std::string bytes() const {
        std::ifstream in(path(), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }
    void save(const std::string& content) const { std::ofstream(path(), std::ios::binary) << content; }
    template <class Call>
    static std::string refusal(Call call) {
        try {
            call();
        } catch (const core::BadInput& error) {
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
            return error.what();
        }
        return "accepted";
    }
    std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {})); }

    fs::path folder;
};

TEST_P(Archives, GivesBackTheSameBits) {
    const Eigen::MatrixXd dense = random_bits(7, 4);
    const Eigen::VectorXd vector = random_bits(9, 1);
    const Sparse sparse = random_sparse(13, 6);
    Archive group, inner;
    inner.set("area", Eigen::VectorXd(random_bits(2, 1)), "m2");
    inner.set("B", sparse);
    group.set("name", std::vector<std::string>{"left", "", "Ünder µ-joint", "right side"});
    group.set("inner", inner);
    Archive archive;
    archive.set("M", dense, "kg");
    archive.set("v", vector);
    archive.set("K", sparse, "N/m");
    archive.set("x", -0.0, "m");
    archive.set("made_by", "faying");
    archive.set("empty_text", "");
    archive.set("patches", group);

    const Archive back = there_and_back(archive);
    EXPECT_EQ(files(), 1u);
    EXPECT_TRUE(same_bits(back.matrix("M"), dense));
    EXPECT_TRUE(same_bits(back.vector("v"), vector));
    EXPECT_TRUE(same_sparse(back.sparse("K"), sparse));
    EXPECT_TRUE(std::signbit(back.number("x")));
    EXPECT_EQ(back.text("made_by"), "faying");
    EXPECT_EQ(back.text("empty_text"), "");
    EXPECT_EQ(back.texts("patches.name"), group.texts("name"));
    EXPECT_TRUE(same_bits(back.vector("patches.inner.area"), inner.vector("area")));
    EXPECT_TRUE(same_sparse(back.group("patches").sparse("inner.B"), sparse));
    EXPECT_EQ(back.unit("M"), "kg");
    EXPECT_EQ(back.unit("K"), "N/m");
    EXPECT_EQ(back.unit("v"), "");
    EXPECT_EQ(back.unit("patches.inner.area"), "m2");
    EXPECT_EQ(back.entries().size(), archive.entries().size());
}

TEST_P(Archives, HoldsWhatIsEmpty) {
    Archive archive;
    archive.set("none", Eigen::MatrixXd(0, 0));
    archive.set("rows", Eigen::MatrixXd(0, 5));
    archive.set("sparse", Sparse(4, 3));
    archive.set("list", std::vector<std::string>{});
    archive.set("one", std::vector<std::string>{"x"});
    const Archive back = there_and_back(archive);
    EXPECT_EQ(back.matrix("none").size(), 0);
    EXPECT_EQ(back.matrix("rows").size(), 0);
    EXPECT_EQ(back.sparse("sparse").rows(), 4);
    EXPECT_EQ(back.sparse("sparse").cols(), 3);
    EXPECT_EQ(back.sparse("sparse").nonZeros(), 0);
    EXPECT_TRUE(back.texts("list").empty());
    EXPECT_EQ(back.texts("one"), std::vector<std::string>{"x"});
}

TEST_P(Archives, DenseAndSparseAreTheSameMatrix) {
    const Sparse sparse = random_sparse(8, 8);
    Archive archive;
    archive.set("S", sparse);
    archive.set("D", sparse.toDense());
    const Archive back = there_and_back(archive);
    EXPECT_TRUE(same_bits(back.matrix("S"), back.matrix("D")));
    EXPECT_TRUE(same_bits(read_matrix(path(), "S").toDense(), read_matrix(path(), "D").toDense()));
    EXPECT_EQ(read_matrix(path(), "D").nonZeros(), sparse.nonZeros());
}

TEST_P(Archives, TheSameArchiveGivesTheSameBytes) {
    if (GetParam().version == MatlabVersion::v7_3) GTEST_SKIP() << "matio leaves the times of HDF5 in the file";
    Archive archive;
    archive.set("K", random_sparse(8, 8), "N/m");
    archive.set("names", std::vector<std::string>{"a", "b"});
    write_archive(path(), archive, GetParam().version);
    const auto first = bytes();
    ::sleep(1);  // HDF5's clock counts seconds
    write_archive(path(), archive, GetParam().version);
    EXPECT_TRUE(bytes() == first);
}

TEST_P(Archives, SaysWhatIsThereInstead) {
    Archive archive, group;
    group.set("area", Eigen::VectorXd(Eigen::VectorXd::Ones(3)));
    archive.set("M", Eigen::MatrixXd(Eigen::MatrixXd::Identity(3, 2)));
    archive.set("note", "text");
    archive.set("patches", group);
    const Archive back = there_and_back(archive);
    const auto p = path();
    EXPECT_EQ(refusal([&] { back.sparse("K"); }), p + ": there is no 'K'; there are: M, note, patches");
    EXPECT_EQ(refusal([&] { back.text("patches.name"); }),
              p + ": there is no 'patches.name'; in patches there are: area");
    EXPECT_EQ(refusal([&] { back.text("M"); }), p + ": 'M' is a 3 x 2 matrix; a text is needed");
    EXPECT_EQ(refusal([&] { back.vector("M"); }), p + ": 'M' is a 3 x 2 matrix; a vector is needed");
    EXPECT_EQ(refusal([&] { back.matrix("note"); }), p + ": 'note' is text; a matrix is needed");
    EXPECT_EQ(refusal([&] { back.sparse("patches"); }), p + ": 'patches' is a group of area; a matrix is needed");
    EXPECT_EQ(refusal([&] { read_matrix(p, "K"); }), p + ": there is no 'K'; there are: M, note, patches");
}

TEST_P(Archives, RefusesNumbersThatAreNotFinite) {
    Archive archive;
    Eigen::MatrixXd m = Eigen::MatrixXd::Identity(3, 3);
    m(1, 2) = std::numeric_limits<double>::quiet_NaN();
    archive.set("dense", m);
    m(1, 2) = std::numeric_limits<double>::infinity();
    archive.set("sparse", Sparse(m.sparseView()));
    write_archive(path(), archive, GetParam().version);
    EXPECT_EQ(refusal([&] { read_matrix(path(), "dense"); }),
              path() + ": 'dense': entry (2,3) is nan; a finite number is needed");
    EXPECT_EQ(refusal([&] { read_matrix(path(), "sparse"); }),
              path() + ": 'sparse': entry (2,3) is inf; a finite number is needed");
}

/// A file cut anywhere is refused, or gives what is whole; it never crashes and never prints.
TEST_P(Archives, RefusesFilesThatAreCutShort) {
    Archive archive;
    archive.set("K", random_sparse(20, 20));
    archive.set("M", random_bits(10, 10));
    write_archive(path(), archive, GetParam().version);
    const std::string whole = bytes();
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    for (std::size_t k = 1; k < 40; ++k) {
        save(whole.substr(0, whole.size() * k / 40));
        const auto said = refusal([&] { read_archive(path()); });
        EXPECT_TRUE(said.starts_with(path() + ": is ")) << k << ": " << said;
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST_P(Archives, DamagedFilesAreNotFatal) {
    if (GetParam().version == MatlabVersion::v7_3) GTEST_SKIP() << "HDF5 1.10 itself never ends on some of these";
    Archive archive, group;
    group.set("name", std::vector<std::string>{"left", "right"});
    archive.set("K", random_sparse(20, 20));
    archive.set("M", random_bits(10, 10));
    archive.set("patches", group);
    write_archive(path(), archive, GetParam().version);
    const std::string whole = bytes();
    std::mt19937_64 random(3);
    for (int trial = 0; trial < 100; ++trial) {
        std::string damaged = whole;
        damaged[random() % damaged.size()] ^= static_cast<char>(1 + random() % 255);
        save(damaged);
        try {
            const Archive read = read_archive(path());
            for (const auto& name : read.names()) read.unit(name);
        } catch (const core::BadInput&) {}
    }
}

TEST_P(Archives, RefusesOtherFiles) {
    save("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 3\n" + std::string(200, ' '));
    EXPECT_TRUE(refusal([&] { read_archive(path()); }).starts_with(path() + ": is not a")) << path();
    save("");
    EXPECT_TRUE(refusal([&] { read_archive(path()); }).starts_with(path() + ": is not a")) << path();
    const auto missing = (folder / ("none" + GetParam().extension)).string();
    EXPECT_EQ(refusal([&] { read_archive(missing); }), missing + ": there is no such file");
    EXPECT_EQ(refusal([&] { read_archive("x.txt"); }),
              "x.txt: has an unknown extension; allowed are .mat (MATLAB) and .h5 (HDF5)");
}

TEST_P(Archives, WritesWholeFilesOrNone) {
    Archive archive;
    archive.set("x", 1.0);
    const auto inside = (folder / ("none/t" + GetParam().extension)).string();
    EXPECT_EQ(refusal([&] { write_archive(inside, archive, GetParam().version); }),
              inside + ": cannot be written: No such file or directory");
    Archive bad = archive;
    bad.set("BOLT-1", 1.0);
    EXPECT_THROW(write_archive(path(), bad, GetParam().version), core::BadInput);
    EXPECT_EQ(files(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Formats, Archives,
                         testing::Values(Format{".h5"}, Format{".mat"}, Format{".mat", MatlabVersion::v7_3}),
                         [](const auto& info) {
                             return info.param.extension == ".h5"                        ? "hdf5"
                                    : info.param.version == MatlabVersion::v5_compressed ? "matlab5"
                                                                                         : "matlab73";
                         });

}  // namespace
}  // namespace faying::archive
