#include "faying/archive/matrix.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "faying/core/error.hpp"

namespace faying::archive {
namespace {

namespace fs = std::filesystem;

class MatrixText : public testing::Test {
 protected:
    MatrixText()
        : path((fs::temp_directory_path() / ("faying-matrix-" + std::to_string(::getpid()) + ".mtx")).string()) {}
    ~MatrixText() override { fs::remove(path); }

    LabelledMatrix read(const std::string& text) const {
        std::ofstream(path, std::ios::binary) << text;
        return read_matrix_text(path);
    }
    Eigen::MatrixXd dense(const std::string& text) const { return read(text).matrix.toDense(); }
    std::string refused(const std::string& text) const {
        try {
            read(text);
        } catch (const core::BadInput& error) {
            const std::string what = error.what();
            EXPECT_TRUE(what.starts_with(path)) << what;
            return what.substr(path.size());
        }
        return "accepted";
    }

    std::string path;
};

Eigen::MatrixXd rows(std::initializer_list<std::initializer_list<double>> values) {
    Eigen::MatrixXd m(Eigen::Index(values.size()), Eigen::Index(values.begin()->size()));
    Eigen::Index i = 0;
    for (const auto& row : values) {
        Eigen::Index j = 0;
        for (const double x : row) m(i, j++) = x;
        ++i;
    }
    return m;
}

const Eigen::MatrixXd symmetric = rows({{2, -1, 0}, {-1, 2, -1.5}, {0, -1.5, 3}});

TEST_F(MatrixText, MatrixMarketCoordinate) {
    EXPECT_EQ(dense("%%MatrixMarket matrix coordinate real general\n% by hand\n\n2 3 3\n1 1 1.5\n2 3 -4e-3\n1 2 +7\n"),
              rows({{1.5, 7, 0}, {0, 0, -4e-3}}));
    EXPECT_EQ(
        dense("%%MatrixMarket MATRIX Coordinate Real Symmetric\r\n3 3 5\r\n1 1 2\r\n2 1 -1\r\n2 2 2\r\n3 2 -1.5\r\n3 3 "
              "3\r\n"),
        symmetric);
    EXPECT_EQ(dense("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 5\n"),
              rows({{0, -5}, {5, 0}}));
    EXPECT_EQ(dense("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 2"), rows({{0, 1}, {0, 1}}));
    EXPECT_EQ(dense("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 1 2\n"), rows({{3, 0}, {0, 0}}));
}

TEST_F(MatrixText, MatrixMarketArray) {
    EXPECT_EQ(dense("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n"), rows({{1, 3}, {2, 4}}));
    EXPECT_EQ(dense("%%MatrixMarket matrix array real symmetric\n3 3\n2\n-1\n0\n2\n-1.5\n3\n"), symmetric);
    EXPECT_EQ(dense("%%MatrixMarket matrix array integer skew-symmetric\n2 2\n5\n"), rows({{0, -5}, {5, 0}}));
}

TEST_F(MatrixText, AbaqusWithLabelsLowerOrUpperHalfOrBoth) {
    const std::vector<DofLabel> labels = {{1, 1}, {1, 3}, {20, 1}};
    const std::string lower = "1,1, 1,1,  2.0e+00\n1,3, 1,1, -1\n1,3, 1,3, 2\n20,1, 1,3, -1.5\n20,1, 20,1, 3\n";
    const std::string upper =
        "** a comment\n*MATRIX GENERATE\n1,1, 1,1, 2\n1,1, 1,3, -1\n1,3, 1,3, 2\n1,3, 20,1, -1.5D+00\n"
        "20,1, 20,1, 3\n";
    const std::string both =
        "1 1 1 1 2\n1 3 1 1 -1\n1 1 1 3 -1\n1 3 1 3 2\n20 1 1 3 -1.5\n1 3 20 1 -1.5\n20 1 20 1 3\n";
    for (const auto& text : {lower, upper, both}) {
        const auto read_back = read(text);
        EXPECT_EQ(read_back.matrix.toDense(), symmetric) << text;
        EXPECT_EQ(read_back.labels, labels);
    }
}

TEST_F(MatrixText, AbaqusCoordinate) {
    EXPECT_EQ(dense("1 1 2\n 2 1 -1\n2  2 2\n3 2 -1.5\n3 3 3\n"), symmetric);
    EXPECT_EQ(dense("1, 1, 2\n2, 3, -1.5\n1, 2, -1\n2,2,2\n3,3,3"), symmetric);
    EXPECT_TRUE(read("1 1 2\n").labels.empty());
}

TEST_F(MatrixText, MassAndStiffnessShareTheirDof) {
    auto stiffness = read("1,1,1,1,2\n1,2,1,1,-1\n1,2,1,2,4\n3,1,3,1,5\n");
    auto mass = read("1,1,1,1,7\n3,1,3,1,8\n");
    align(mass, stiffness);
    EXPECT_EQ(mass.labels, (std::vector<DofLabel>{{1, 1}, {1, 2}, {3, 1}}));
    EXPECT_EQ(mass.labels, stiffness.labels);
    EXPECT_EQ(mass.matrix.toDense(), rows({{7, 0, 0}, {0, 0, 0}, {0, 0, 8}}));
    EXPECT_EQ(stiffness.matrix.toDense(), rows({{2, -1, 0}, {-1, 4, 0}, {0, 0, 5}}));
}

TEST_F(MatrixText, SaysWhereItIsWrong) {
    const std::string general = "%%MatrixMarket matrix coordinate real general\n";
    EXPECT_EQ(refused(general + "2 2 2\n1 1 1\n"), ": is cut short: entry 2 of 2 is missing");
    EXPECT_EQ(refused(general), ": is cut short: its size line is missing");
    EXPECT_EQ(refused(general + "2 2 1\n1 3 1\n"), ":3: entry (1,3) is outside the 2 x 2 matrix");
    EXPECT_EQ(refused(general + "2 2 1\n1 1 x\n"), ":3: 'x' is not a number");
    EXPECT_EQ(refused(general + "2 2 1\n1 1 nan\n"), ":3: 'nan' is not finite; a finite number is needed");
    EXPECT_EQ(refused(general + "2 2 1\n1 1 1e999\n"), ":3: '1e999' is not finite; a finite number is needed");
    EXPECT_EQ(refused(general + "2 2 1\n1 1\n"), ":3: an entry must be: row column value");
    EXPECT_EQ(refused(general + "2 2 1\n1 1 1\n1 2 1\n"), ":4: there are more entries than the size line says");
    EXPECT_EQ(refused(general + "2 2\n"), ":2: the size line must be: rows columns entries");
    EXPECT_EQ(refused(general + "-1 2 0\n"), ":2: -1 rows or columns; allowed are 0 to 2147483647");
    EXPECT_EQ(refused("%%MatrixMarket matrix coordinate complex general\n1 1 0\n"),
              ":1: the matrix is complex; real, integer or pattern is needed");
    EXPECT_EQ(refused("%%MatrixMarket vector\n"),
              ":1: the first line must be: %%MatrixMarket matrix FORMAT FIELD SYMMETRY");
    EXPECT_EQ(refused("%%MatrixMarket matrix array real symmetric\n2 3\n"), ":2: a symmetric matrix cannot be 2 x 3");
    EXPECT_EQ(refused("%%MatrixMarket matrix array real general\n2 1\n1\n"), ": is cut short: entry (2,1) is missing");
    EXPECT_EQ(refused(""), ": has no entries");
    EXPECT_EQ(refused("1,1,1,1,2\n1,2,1,1\n"), ":2: an entry must be: node, dof, node, dof, value");
    EXPECT_EQ(refused("1,1.5,1,1,2\n"), ":1: '1.5' is not a whole number");
    EXPECT_EQ(refused("0 1 2\n"), ":1: entry (0,1) is not possible: rows and columns count from 1");
    EXPECT_TRUE(refused("hello\n").starts_with(":1: is neither Matrix Market"));
    EXPECT_THROW(read_matrix(path, "K"), core::BadInput);  // one matrix a file: no name
}

}  // namespace
}  // namespace faying::archive
