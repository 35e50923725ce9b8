#include "faying/archive/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"

using namespace faying;

namespace {

class TableFile : public testing::TestWithParam<const char*> {
 protected:
    std::string path = testing::TempDir() + "faying_table" + GetParam();
    void TearDown() override { std::filesystem::remove(path); }

    std::string note(const archive::Archive& archive) const {
        archive::write_archive(path, archive);
        try {
            archive::read_table(path);
        } catch (const core::BadInput& error) {
            return error.what();
        }
        return "none";
    }
};

const io::Table table{{"amplitude", "omega"}, {{1e-3, 1.0 / 3, 7}, {100.1, 99.9, 98}}, {"", "rad/s"}};

Eigen::VectorXd vector(std::initializer_list<double> values) {
    return Eigen::Map<const Eigen::VectorXd>(values.begin(), Eigen::Index(values.size()));
}

TEST_P(TableFile, ComesBackToTheBit) {
    archive::write_table(path, table);
    const auto back = archive::read_table(path);
    EXPECT_EQ(back.names, table.names);
    EXPECT_EQ(back.columns, table.columns);
    EXPECT_EQ(back.units, archive::is_archive(path) ? table.units : std::vector<std::string>{});
}

class TableArchive : public TableFile {};

TEST_P(TableArchive, ColumnsAreTheVectorsOrThoseOfTheOneStruct) {
    archive::Archive backbone;
    backbone.set("amplitude", vector({1, 2}));
    backbone.set("zeta", Eigen::MatrixXd{{0.1, 0.2}});
    backbone.set("note", "of the left bolt");
    backbone.set("shapes", Eigen::MatrixXd{Eigen::MatrixXd::Identity(3, 3)});
    archive::Archive outer;
    outer.set("backbone", backbone);
    for (const auto& archive : {backbone, outer}) {
        archive::write_archive(path, archive);
        const auto read = archive::read_table(path);
        EXPECT_EQ(read.names, (std::vector<std::string>{"amplitude", "zeta"}));
        EXPECT_EQ(read.columns, (std::vector<std::vector<double>>{{1, 2}, {0.1, 0.2}}));
    }
}

TEST_P(TableArchive, SaysWhatIsWrong) {
    archive::Archive ragged, nan, none;
    ragged.set("a", vector({1, 2, 3}));
    ragged.set("b", vector({1, 2}));
    EXPECT_NE(note(ragged).find("a has 3 values and b has 2"), std::string::npos) << note(ragged);
    nan.set("a", vector({1, std::nan("")}));
    EXPECT_NE(note(nan).find("value 2 of a is not finite"), std::string::npos) << note(nan);
    none.set("text", "nothing");
    EXPECT_NE(note(none).find("has no vectors"), std::string::npos) << note(none);
    archive::Archive two;
    two.set("left", ragged);
    two.set("right", ragged);
    EXPECT_NE(note(two).find("several structs"), std::string::npos) << note(two);
    EXPECT_THROW(archive::write_table(path, {{}, {{1, 2}}}), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Extensions, TableFile, testing::Values(".csv", ".h5", ".hdf5", ".mat"));
INSTANTIATE_TEST_SUITE_P(Extensions, TableArchive, testing::Values(".h5", ".mat"));

}  // namespace
