#include "faying/core/parameter.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace faying::core;

struct Pair {
    using Scalar = double;
    double stiffness, force;
};

const ParameterTable<Pair>& table() {
    static const ParameterTable<Pair> t = {
        parameter<&Pair::stiffness>("kt", "k_t", "N/m", positive, Scale::logarithmic, "stiffness"),
        parameter<&Pair::force>("fs", "f_s", "N", Bounds{0, 10}, Scale::linear, "force", 2.0)};
    return t;
}

std::vector<const ParameterInfo*> infos() {
    std::vector<const ParameterInfo*> all;
    for (const auto& p : table()) all.push_back(&p);
    return all;
}

std::string note(const ParameterValues& given) {
    try {
        checked_values("pair", infos(), given);
    } catch (const BadInput& error) {
        return error.what();
    }
    return "";
}

TEST(Bounds, OpenAndClosedEnds) {
    EXPECT_FALSE(positive.contains(0.0));
    EXPECT_TRUE(non_negative.contains(0.0));
    EXPECT_FALSE(non_negative.contains(infinity));
    EXPECT_FALSE(positive.contains(std::nan("")));
    EXPECT_EQ(positive.text(), "(0, inf)");
    EXPECT_EQ((Bounds{0, 1}.text()), "[0, 1]");
}

TEST(Parameters, TableReachesTheMembers) {
    Pair p{1, 2};
    table()[0].at(p) = 7;
    EXPECT_EQ(p.stiffness, 7);
    EXPECT_EQ(table()[1].at(p), 2);
}

TEST(Parameters, FallbackFillsIn) {
    EXPECT_EQ(checked_values("pair", infos(), {{"kt", 3.0}}), (std::vector<double>{3.0, 2.0}));
}

TEST(Parameters, ComplaintsNameKeyAndRange) {
    EXPECT_EQ(note({{"kt", 1.0}, {"zz", 1.0}}), "pair: unknown parameter 'zz'; allowed are: kt fs");
    EXPECT_EQ(note({}), "pair: parameter 'kt' (stiffness, N/m) is missing; allowed range (0, inf)");
    EXPECT_EQ(note({{"kt", -1.0}}), "pair: parameter 'kt' = -1 is outside (0, inf)");
    EXPECT_EQ(note({{"kt", std::nan("")}}), "pair: parameter 'kt' = nan is outside (0, inf)");
    EXPECT_EQ(note({{"kt", 1.0}, {"fs", 11.0}}), "pair: parameter 'fs' = 11 is outside [0, 10]");
}

}  // namespace
