#include "faying/fit/space.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "faying/laws/catalogue.hpp"

namespace {

using namespace faying;
using fit::Axis;
using fit::Space;

TEST(Space, ValuesAndCoordinatesAreInverse) {
    const Space space({{"k", {1e3, 1e9}, core::Scale::logarithmic}, {"chi", {-0.9, 2}}});
    for (double x = 0; x <= 1; x += 0.125) {
        const auto back = space.coordinates(space.values({x, 1 - x}));
        EXPECT_NEAR(back[0], x, 1e-14);
        EXPECT_NEAR(back[1], 1 - x, 1e-14);
    }
    EXPECT_NEAR(space.values({0.5, 0.5})[0], 1e6, 1e-6);  // the geometric mean
    EXPECT_EQ(space.values({0, 0}), (std::vector<double>{1e3, -0.9}));
    EXPECT_EQ(space.values({1, 1}), (std::vector<double>{1e9, 2}));
    EXPECT_EQ(space.coordinates({1, 5}), (std::vector<double>{0, 1}));  // moved to the end of the range
}

TEST(Space, SlopesAreDerivatives) {
    const Space space({{"k", {1e3, 1e9}, core::Scale::logarithmic}, {"chi", {-0.9, 2}}});
    const std::vector<double> x{0.3, 0.6};
    const auto slopes = space.slopes(x);
    for (std::size_t i = 0; i < 2; ++i) {
        auto up = x, down = x;
        up[i] += 1e-5;
        down[i] -= 1e-5;
        const double difference = (space.values(up)[i] - space.values(down)[i]) / 2e-5;
        EXPECT_NEAR(slopes[i] / difference, 1, 1e-7);
    }
}

TEST(Space, FromALawsTable) {
    const auto& table = laws::find_law("iwan5").info.parameters;
    const std::map<std::string, fit::Range> ranges{
        {"FS", {1, 100}}, {"KT", {1e3, 1e6}}, {"chi", {-0.9, 1}}, {"beta", {0, 5}}};
    const auto space = fit::search_space("iwan5", table, ranges);
    ASSERT_EQ(space.size(), 5u);
    EXPECT_EQ(space.axes()[0].scale, core::Scale::logarithmic);
    EXPECT_EQ(space.axes()[3].scale, core::Scale::linear);  // beta from 0 cannot be logarithmic
    EXPECT_EQ(space.axes()[4].range.upper, 1);              // theta in [0, 1] by the table
    const auto prager =
        fit::search_space("prager", laws::find_law("prager").info.parameters, {{"fs", {1, 10}}, {"kp", {1, 10}}});
    EXPECT_EQ(prager.size(), 2u);  // kt stays at its default
}

TEST(Space, RefusesWhatCannotBeSearched) {
    const auto& table = laws::find_law("iwan4").info.parameters;
    const auto message = [&](const std::map<std::string, fit::Range>& ranges) -> std::string {
        try {
            fit::search_space("iwan4", table, ranges);
        } catch (const core::BadInput& e) {
            return e.what();
        }
        return "";
    };
    EXPECT_NE(message({}).find("'FS'"), std::string::npos);
    EXPECT_NE(message({{"fs", {1, 2}}}).find("unknown parameter 'fs'; allowed are: FS KT chi beta"), std::string::npos);
    EXPECT_NE(message({{"FS", {-1, 2}}}).find("not within (0, inf)"), std::string::npos);
    EXPECT_NE(message({{"FS", {2, 1}}, {"KT", {1, 2}}, {"chi", {-0.9, 1}}, {"beta", {0, 1}}}).find("lower end below"),
              std::string::npos);
    EXPECT_THROW(Space({}), core::BadInput);
    EXPECT_THROW(Space({{"k", {0, 1}, core::Scale::logarithmic}}), core::BadInput);
}

}  // namespace
