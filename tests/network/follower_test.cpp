// The exact path of a network: reference numbers, other methods, invariants, what comes at once.

#include "faying/network/follower.hpp"

#include "faying/core/error.hpp"
#include "faying/network/generators.hpp"
#include "faying/network/history.hpp"
#include "reference.hpp"
#include "turning_points.hpp"

namespace faying::network {
namespace {

using tests::reference;
using tests::TwoSines;

std::vector<double> random_walk(int count, unsigned seed, double size) {
    std::vector<double> loads;
    for (int k = 0; k < count; ++k) {
        seed = seed * 1664525u + 1013904223u;
        loads.push_back(size * (double(seed) / 4294967296.0 * 2.0 - 1.0));
    }
    return loads;
}

std::shared_ptr<const Network> five_hundred() {
    static const auto net = std::make_shared<const Network>(random_network(500, 12345));
    return net;
}

TEST(RandomNetwork, IsTheOneOfTheReference) {
    const auto& sums = reference("sliders_500").at("checksum");
    for (const auto& sum : checksums(*five_hundred()))
        EXPECT_RELATIVE(sum.value, sums.at(sum.name).get<double>(), 1e-12) << sum.name;
}

/// Tables 2.1 and 2.2 of [S3], all ten windows of 2 pi of every case that the reference has.
class Windows : public testing::TestWithParam<const char*> {};
TEST_P(Windows, OfFiveHundredSliders) {
    const std::string name = GetParam();
    constexpr double pi = std::numbers::pi;
    const std::map<std::string, TwoSines> loads = {{"2.1.1", {0.4, 1, 1, 4.16753}},    {"2.1.4", {1.5, 1, 1, 4.16753}},
                                                   {"2.1.5", {1, 1, 3, 4.16753}},      {"2.2.1", {1, 1, 1.5, pi / 4}},
                                                   {"2.2.4", {1, 1, 1.5, 5 * pi / 4}}, {"2.2.6", {1, 1, 1.5, 2 * pi}}};
    const auto& windows = reference("sliders_500").at("cases").at(name).at("windows");
    Follower walk(five_hundred());
    double W = 0, D = 0;
    for (int k = 0; k < int(windows.size()); ++k) {
        for (const double f : loads.at(name).turns(2 * pi * k, 2 * pi * (k + 1))) walk.advance(f);
        const auto& want = windows.at(std::size_t(k));
        EXPECT_RELATIVE(walk.xi(), want.at("xi").get<double>(), 1e-10);
        EXPECT_RELATIVE(walk.work() - W, want.at("W").get<double>(), 1e-10);
        EXPECT_RELATIVE(walk.dissipated() - D, want.at("D").get<double>(), 1e-10);
        EXPECT_RELATIVE(walk.stored(), want.at("PE").get<double>(), 1e-10);
        EXPECT_EQ(walk.slipping(), want.at("slipping").get<int>());
        W = walk.work();
        D = walk.dissipated();
    }
    EXPECT_EQ(windows.size(), 10u);
    EXPECT_NEAR(W, D + walk.stored(), 1e-12 * W);
    EXPECT_LT(walk.residual(), 1e-12);
}
INSTANTIATE_TEST_SUITE_P(Thesis, Windows, testing::Values("2.1.1", "2.1.4", "2.1.5", "2.2.1", "2.2.4", "2.2.6"));

TEST(Follower, AgreesWithLemkeNewtonAndGaussSeidel) {
    for (const unsigned seed : {1u, 2u, 3u}) {
        const auto net = std::make_shared<const Network>(random_network(14, seed));
        const auto loads = random_walk(25, seed, 2.0);
        const auto exact = follow(*net, loads);
        for (const auto method : {Method::lemke, Method::newton, Method::gauss_seidel}) {
            const auto other = follow(*net, loads, {.method = method});
            for (std::size_t i = 0; i < loads.size(); ++i) {
                EXPECT_NEAR(other.xi[i], exact.xi[i], 1e-10 * (1 + std::abs(exact.xi[i]))) << name_of(method);
                EXPECT_NEAR(other.dissipated[i], exact.dissipated[i], 1e-10 * (1 + exact.dissipated[i]));
                EXPECT_EQ(other.slipping[i], exact.slipping[i]);
            }
        }
    }
}

TEST(Complementarity, MethodsSolveWhatTheySay) {
    const auto net = random_network(30, 7);
    for (const auto method : {Method::lemke, Method::newton, Method::gauss_seidel}) {
        const auto found = solve_complementarity(net.stiffness, net.coupling, method);
        const Eigen::VectorXd w = net.stiffness * found.y + net.coupling;
        EXPECT_GE(found.y.minCoeff(), 0.0);
        EXPECT_GE(w.minCoeff(), -1e-11);
        EXPECT_NEAR(found.y.dot(w), 0.0, 1e-10);
        EXPECT_LT(found.residual, 1e-11);
    }
    EXPECT_THROW(method_named("simplex"), core::BadInput);
}

TEST(Follower, CuttingAPathChangesNothing) {
    const auto net = random_network(40, 5);
    Follower whole(net), cut(net);
    double from = 0;
    for (const double to : random_walk(12, 9, 1.5)) {
        whole.advance(to);
        for (int k = 1; k <= 7; ++k) cut.advance(from + (to - from) * k / 7);
        from = to;
        EXPECT_NEAR(cut.xi(), whole.xi(), 1e-11 * (1 + std::abs(whole.xi())));
        EXPECT_NEAR(cut.dissipated(), whole.dissipated(), 1e-11 * (1 + whole.dissipated()));
        EXPECT_EQ(cut.slipping(), whole.slipping());
    }
}

TEST(Follower, AStateTakenUpAgainGoesOnAsBefore) {
    const auto net = std::make_shared<const Network>(random_network(40, 6));
    Follower walk(net);
    for (const double to : random_walk(12, 4, 1.5)) {
        Follower other(net);
        other.set_state(walk.state());
        other.advance(to);
        walk.advance(to);
        EXPECT_NEAR(other.xi(), walk.xi(), 1e-11 * (1 + std::abs(walk.xi())));
        EXPECT_NEAR(other.tangent(), walk.tangent(), 1e-9 * (1 + walk.tangent()));
    }
}

TEST(Follower, MirroredLoadsMirroredAnswers) {
    const auto net = random_network(25, 3);
    Follower one(net), other(net);
    for (const double to : random_walk(20, 11, 2.0)) {
        one.advance(to);
        other.advance(-to);
        EXPECT_NEAR(one.xi(), -other.xi(), 1e-12 * (1 + std::abs(one.xi())));
        EXPECT_NEAR(one.stored(), other.stored(), 1e-12 * (1 + one.stored()));
    }
}

TEST(Follower, EquationsHoldAndEnergyBalances) {
    for (const auto& net : {random_network(60, 2), chain_network(60), mesh_network(60, 8)}) {
        const auto h = follow(net, random_walk(60, 21, 2.0));
        EXPECT_LT(h.energy_balance, 1e-12);
        EXPECT_LT(h.residual, 1e-12);
        for (std::size_t i = 1; i < h.dissipated.size(); ++i) EXPECT_GE(h.dissipated[i], h.dissipated[i - 1]);
    }
}

TEST(Follower, TangentIsTheSlopeAhead) {
    const auto net = random_network(30, 4);
    Follower walk(net), ahead(net);
    for (const double to : {0.4, -0.7, 0.9}) {
        walk.advance(to);
        ahead.advance(to);
        const double h = 1e-9 * (to > 0 ? 1 : -1), before = ahead.xi();
        ahead.advance(to + h);
        EXPECT_NEAR((ahead.xi() - before) / h, walk.tangent(), 1e-5 * (1 + walk.tangent()));
        ahead.set_state(walk.state());
    }
}

/// Equal sliders on a ring reach their bounds together, whatever round-off says.
TEST(Follower, WhatComesAtOnce) {
    const int n = 24;
    Network net;
    net.stiffness = Eigen::MatrixXd::Zero(n, n);
    for (int i = 0; i < n; ++i) {
        net.stiffness(i, i) = 2.5;
        net.stiffness(i, (i + 1) % n) = net.stiffness((i + 1) % n, i) = -1.0;
    }
    net.friction = Eigen::VectorXd::Constant(n, 0.3);
    net.coupling = Eigen::VectorXd::Constant(n, 0.7);
    Follower walk(net);
    for (const double f : {1.0, -1.0, 0.2, -0.5, 2.0}) {
        walk.advance(f);
        const Eigen::VectorXd& x = walk.state().x;
        EXPECT_NEAR(x.maxCoeff() - x.minCoeff(), 0.0, 1e-13);
    }
    // As one slider of K = 0.5: x = (b f - mu)/K
    EXPECT_NEAR(walk.state().x(0), (0.7 * 2.0 - 0.3) / 0.5, 1e-13);
    EXPECT_EQ(walk.slipping(), n);
}

/// Two sliders drag each other by a spring that pushes the wrong way: one stops while the other goes on.
TEST(Follower, ASliderThatStops) {
    Network net;
    net.stiffness.resize(2, 2);
    net.stiffness << 1.0, 0.9, 0.9, 1.0;
    net.friction = Eigen::Vector2d(0.1, 1.0);
    net.coupling = Eigen::Vector2d(1.0, 3.0);
    Follower walk(net);
    walk.advance(0.3);
    EXPECT_TRUE(walk.slips(0));
    EXPECT_FALSE(walk.slips(1));
    walk.advance(0.5);  // slider 1 moves since 0.433, and pushes slider 0 the other way: it rests
    EXPECT_FALSE(walk.slips(0));
    EXPECT_TRUE(walk.slips(1));
    walk.advance(0.6);  // until its friction is overcome on the other side
    EXPECT_TRUE(walk.slips(0));
    EXPECT_NEAR(walk.state().r(0), -0.1, 1e-15);
    EXPECT_LT(walk.residual(), 1e-14);
}

TEST(Follower, SlidersWithoutFrictionAreSprings) {
    auto net = random_network(12, 1);
    net.friction.head(5).setZero();
    Network small = net;  // the five eliminated by hand
    const Eigen::MatrixXd K = net.stiffness;
    const Eigen::MatrixXd inverse = K.topLeftCorner(5, 5).inverse();
    small.stiffness = K.bottomRightCorner(7, 7) - K.bottomLeftCorner(7, 5) * inverse * K.topRightCorner(5, 7);
    small.coupling = net.coupling.tail(7) - K.bottomLeftCorner(7, 5) * inverse * net.coupling.head(5);
    small.friction = net.friction.tail(7);
    Follower one(net), other(small);
    for (const double f : random_walk(15, 3, 2.0)) {
        one.advance(f);
        other.advance(f);
        EXPECT_NEAR((one.state().x.tail(7) - other.state().x).norm(), 0.0, 1e-11);
        EXPECT_NEAR(one.dissipated(), other.dissipated(), 1e-11);
    }
    EXPECT_THROW(Follower(net, Method::lemke), core::BadInput);
}

/// Sliders in other units, each in its own: x = s x', r = r'/s. Newtons and metres are far from 1.
TEST(Follower, UnitsChangeNothing) {
    const auto net = random_network(60, 13);
    Network other = net;
    Eigen::VectorXd s(net.size());
    for (Eigen::Index i = 0; i < s.size(); ++i) s(i) = std::pow(10.0, -6.0 + 12.0 * double((7 * i) % s.size()) / 59.0);
    other.stiffness = 3e9 * (s.asDiagonal() * net.stiffness * s.asDiagonal()).eval();
    other.friction = 3e9 * net.friction.cwiseProduct(s);
    other.coupling = 3e9 * net.coupling.cwiseProduct(s);
    for (const auto method : {Method::events, Method::lemke, Method::newton}) {
        Follower one(net), two(other, method);
        for (const double f : random_walk(15, 17, 2.0)) {
            one.advance(f);
            two.advance(f);
            EXPECT_RELATIVE(two.xi(), 3e9 * one.xi(), 1e-11) << name_of(method);
            EXPECT_RELATIVE(two.dissipated(), 3e9 * one.dissipated(), 1e-11) << name_of(method);
            EXPECT_EQ(two.slipping(), one.slipping());
        }
        EXPECT_NEAR(two.work(), two.dissipated() + two.stored(), 1e-12 * two.work());
    }
}

/// What hidden corners a network may have: nothing pulls some sliders, some have no friction, some are copies of others,
/// K is all but singular. Balances and the other methods must hold all the same.
TEST(Follower, DegenerateNetworks) {
    auto pulled = random_network(30, 21);
    for (Eigen::Index i = 0; i < 30; i += 2) pulled.coupling(i) = 0.0;
    auto copies = random_network(30, 22);  // pairs of equal sliders, equally joined
    for (Eigen::Index i = 0; i < 30; i += 2) {
        copies.stiffness.row(i + 1) = copies.stiffness.row(i);
        copies.stiffness.col(i + 1) = copies.stiffness.col(i);
        copies.stiffness(i + 1, i + 1) = copies.stiffness(i, i);
        copies.friction(i + 1) = copies.friction(i);
        copies.coupling(i + 1) = copies.coupling(i);
    }
    copies.stiffness.diagonal().array() += 1.0;
    auto nearly = random_network(30, 23);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(nearly.stiffness);
    Eigen::VectorXd values = eigen.eigenvalues();
    values(0) = 1e-9;
    nearly.stiffness = eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
    nearly.stiffness = 0.5 * (nearly.stiffness + nearly.stiffness.transpose()).eval();
    // Round-off of the last is bounded by its condition, 1e11 units of it.
    for (const auto& [net, exact, agree] :
         {std::tuple{pulled, 1e-12, 1e-10}, {copies, 1e-12, 1e-10}, {nearly, 1e-5, 1e-5}}) {
        const auto loads = random_walk(30, 5, 3.0);
        const auto h = follow(net, loads), by_lemke = follow(net, loads, {.method = Method::lemke});
        EXPECT_LT(h.energy_balance, exact);
        EXPECT_LT(h.residual, exact);
        for (std::size_t i = 0; i < loads.size(); ++i)
            EXPECT_NEAR(h.dissipated[i], by_lemke.dissipated[i], agree * (1 + h.dissipated[i]));
    }
    auto free = random_network(30, 24);  // springs only
    free.friction.setZero();
    const auto h = follow(free, std::vector<double>{1.0, -2.0});
    EXPECT_NEAR(h.xi[1], -2.0 * free.coupling.dot(free.stiffness.ldlt().solve(free.coupling)), 1e-9);
    EXPECT_EQ(h.dissipated[1], 0.0);
}

TEST(Follower, ALoadThatNoEquilibriumCarries) {
    Network net;
    net.stiffness.resize(2, 2);
    net.stiffness << 1, -1, -1, 1;
    net.friction = Eigen::Vector2d(1.0, 0.5);
    net.coupling = Eigen::Vector2d(1.0, 0.0);
    EXPECT_THROW(Follower{net}, core::BadInput);
    net.may_slide = true;
    Follower walk(net);
    walk.advance(1.49);
    EXPECT_NEAR(walk.xi(), 0.49, 1e-13);
    EXPECT_THROW(walk.advance(1.51), core::BadInput);
    // Two parts that may both slide: a matrix of rank two less than its size.
    Network two;
    two.stiffness = Eigen::MatrixXd::Zero(4, 4);
    two.stiffness.topLeftCorner(2, 2) = two.stiffness.bottomRightCorner(2, 2) = net.stiffness;
    two.friction = Eigen::Vector4d(1.0, 0.5, 1.0, 0.5);
    two.coupling = Eigen::Vector4d(1.0, 0.0, 0.5, 0.0);
    two.may_slide = true;
    Follower both(two);
    both.advance(1.49);
    EXPECT_THROW(both.advance(1.51), core::BadInput);
}

TEST(Network, WhatIsRefused) {
    const auto good = random_network(4, 1);
    check_network(good, "net");
    const auto refused = [&](auto change) {
        Network net = good;
        change(net);
        EXPECT_THROW(check_network(net, "net"), core::BadInput);
    };
    refused([](Network& n) { n.friction(2) = -1; });
    refused([](Network& n) { n.coupling.resize(3); });
    refused([](Network& n) { n.stiffness(0, 0) = -1; });
    refused([](Network& n) { n.stiffness(0, 1) += 0.1; });
    refused([](Network& n) { n.stiffness(3, 3) = std::nan(""); });
    refused([](Network& n) { n.stiffness.setOnes(); });
}

}  // namespace
}  // namespace faying::network
