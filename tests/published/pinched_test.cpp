// [S3] 6.3 and Table M.1: D = 2 beta K0/(K0+2) x_m^2 against the law itself.

#include "faying/laws/pinched.hpp"

#include "faying/laws/cycle.hpp"
#include "published/scoreboard.hpp"

namespace {

using namespace faying::laws;
using faying::tests::expect_row;

struct Case {
    const char* row;
    double K0, theta_m, beta;
};

double formula(const Case& c) { return 2 * c.beta * c.K0 / (c.K0 + 2); }  // x_m = 1

double dissipation(const Case& c, double eps) {
    return steady_cycle(Pinched<>({c.K0, c.theta_m, c.beta, eps}), 1.0).dissipation;
}

TEST(PublishedPinched, TableM1) {
    for (const auto& c :
         {Case{"6a", 4, 2, 1.8}, Case{"M1", 0.8091, 3.9400e-4, 4.8670e-4}, Case{"M2", 0.9094, 1.2323e-4, 8.7557e-4},
          Case{"M3", 0.4543, 7.110e-4, 0.0014}, Case{"M4", 0.6600, 3.2359e-4, 7.9801e-4},
          Case{"M5", 1.8723, 2.7797e-6, 4.1697e-4}, Case{"M6", 4.7454, 1.0211e-7, 3.8258e-4},
          Case{"M7", 4.3396, 9.6901e-5, 4.2733e-4}, Case{"M8", 3.4291, 1.1566e-4, 4.8399e-4},
          Case{"M9", 3.9350, 1.0398e-4, 4.4147e-4}, Case{"M10", 4.1819, 1.1658e-4, 4.6170e-4},
          Case{"M11", 4.3097, 3.6350e-5, 4.4812e-4}, Case{"M12", 4.3257, 4.4764e-5, 4.5683e-4}}) {
        const double law = dissipation(c, 1e-4);
        expect_row(c.row, {formula(c), law, 100 * (law - formula(c)) / formula(c)});
        // The gap closes as eps does, like eps^min(K0, 1): the formula is the law's limit.
        EXPECT_NEAR(dissipation(c, 1e-12), formula(c), 1e-5 * formula(c)) << c.row;
        EXPECT_EQ(c.beta > c.theta_m, c.row[0] == 'M');  // Table M.1: the fitted loops have a branch that falls
    }
}

}  // namespace
