// Decoupled networks: play operators from sums, against the general solver and against clipping one by one.

#include "faying/network/plays.hpp"

#include "faying/core/error.hpp"
#include "faying/network/generators.hpp"
#include "faying/network/history.hpp"
#include "reference.hpp"
#include "turning_points.hpp"

namespace faying::network {
namespace {

Network mixed(int n) {
    Network net = random_network(n, 17);
    net.stiffness = Eigen::MatrixXd(net.stiffness.diagonal().asDiagonal());
    net.coupling(1) = 0.0;  // one that never moves
    net.friction(2) = 0.0;  // and one that always does
    return net;
}

TEST(Plays, AgreeWithTheGeneralSolver) {
    const auto net = mixed(40);
    Plays plays(net);
    Follower walk(net);
    unsigned seed = 5;
    double size = 3.0;
    for (int k = 0; k < 200; ++k, size *= k % 50 ? 0.95 : 20.0) {  // nested loops, then out of them
        seed = seed * 1664525u + 1013904223u;
        const double f = size * (double(seed) / 4294967296.0 * 2.0 - 1.0);
        plays.advance(f);
        walk.advance(f);
        EXPECT_NEAR(plays.xi(), walk.xi(), 1e-11 * (1 + std::abs(walk.xi())));
        EXPECT_NEAR(plays.dissipated(), walk.dissipated(), 1e-11 * (1 + walk.dissipated()));
        EXPECT_NEAR(plays.stored(), walk.stored(), 1e-10 * (1 + walk.stored()));
        EXPECT_NEAR(plays.work(), walk.work(), 1e-10 * (1 + std::abs(walk.work())));
        EXPECT_NEAR(plays.tangent(), walk.tangent(), 1e-11 * (1 + walk.tangent()));
        EXPECT_NEAR((plays.positions() - walk.state().x).norm(), 0.0, 1e-11 * (1 + walk.state().x.norm()));
    }
}

TEST(Plays, ThesisChapterThree) {
    const auto& rows = tests::reference("low_dimensional").at("chapter3").at("full500").at("exact_at_integer_t");
    const tests::TwoSines u{0.6748, 1, 0.2887, 6.5581};
    Plays walk(parallel_network(500, 0.002));
    for (int t = 1; t <= 12; ++t) {
        for (const double at : u.turns(t - 1, t)) walk.advance(at);
        const auto& want = rows.at(std::to_string(t));
        EXPECT_NEAR(walk.answer(), want.at("f").get<double>(), 1e-12);
        EXPECT_NEAR(walk.work(), want.at("W").get<double>(), 1e-12);
        EXPECT_NEAR(walk.dissipated(), want.at("D").get<double>(), 1e-12);
    }
}

/// The cost of a turning point does not grow with the sliders (but for the search).
TEST(Plays, AMillionTurnsOfAnyNumberOfSliders) {
    Plays walk(parallel_network(2000, 1.0 / 2000));
    for (int k = 0; k < 300000; ++k) walk.advance((k % 2 ? 1.0 : -1.0) * (0.1 + 0.8 * ((k * 37) % 101) / 101.0));
    EXPECT_GT(walk.dissipated(), 0.0);
}

TEST(Plays, NeedADiagonal) { EXPECT_THROW(Plays(random_network(3, 1)), core::BadInput); }

TEST(History, TakesPlaysWhereItCan) {
    const auto net = parallel_network(50, 0.02);
    const std::vector<double> loads{0.5, -0.3, 0.8, -1.5, 0.2};
    const auto quick = follow(net, loads), general = follow(net, loads, {.plays = false});
    EXPECT_TRUE(quick.by_plays);
    EXPECT_FALSE(general.by_plays);
    for (std::size_t i = 0; i < loads.size(); ++i) {
        EXPECT_NEAR(quick.answer[i], general.answer[i], 1e-13);
        EXPECT_EQ(quick.slipping[i], general.slipping[i]);
    }
    EXPECT_EQ(quick.events, general.events);
}

}  // namespace
}  // namespace faying::network
