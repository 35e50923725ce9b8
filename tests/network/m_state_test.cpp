// Laws of m states: the two-state and six-state laws among them, files, and what is lost by few states.

#include "faying/network/m_state.hpp"

#include <filesystem>
#include <fstream>

#include "faying/core/error.hpp"
#include "faying/laws/six_state.hpp"
#include "faying/laws/two_state.hpp"
#include "faying/laws/two_state_increment.hpp"
#include "faying/network/condense.hpp"
#include "faying/network/generators.hpp"
#include "faying/network/network_file.hpp"
#include "relative.hpp"

namespace faying::network {
namespace {

const std::vector<double> walk_points{0.3, 1.4, -0.8, 0.9, -1.5, 0.1, 0.05, 2.0};

Ellipsoid six() {
    const auto p = laws::parameters_from<laws::SixState<>>({});
    Ellipsoid e;
    e.stiffness.resize(6, 6);
    e.friction.resize(6, 6);
    int k = 0;
    for (int i = 0; i < 6; ++i)
        for (int j = i; j < 6; ++j, ++k) {
            e.stiffness(i, j) = e.stiffness(j, i) = p.K[std::size_t(k)];
            e.friction(i, j) = e.friction(j, i) = p.A[std::size_t(k)];
        }
    e.coupling = Eigen::Map<const Eigen::VectorXd>(p.b.data(), 6);
    return e;
}

TEST(MState, OfSixIsTheSixStateLaw) {
    const MState law(six(), "six");
    const laws::SixState<> known(laws::parameters_from<laws::SixState<>>({}));
    auto z = law.virgin();
    auto w = known.virgin();
    for (const double f : walk_points) {
        const auto got = law.step(z, f);
        const auto want = known.step(w, f);
        EXPECT_NEAR(got.answer, want.force, 1e-9 * (1 + std::abs(want.force)));
        EXPECT_NEAR(got.tangent, want.tangent, 1e-9 * (1 + want.tangent));
        EXPECT_NEAR(z.dissipated, want.dissipated, 1e-9 * (1 + want.dissipated));
        EXPECT_NEAR(z.work, want.work, 1e-9 * (1 + std::abs(want.work)));
        w = want.next;
    }
}

TEST(MState, OfTwoIsTheTwoStateLaw) {
    const laws::TwoStateParameters<double> p{2.0 / 3, 1.0 / 16, std::sqrt(32.0 / 135), std::sqrt(58.0 / 135), 0.1, 1.0};
    Ellipsoid e;
    e.stiffness = Eigen::Matrix2d::Identity() * p.alpha;
    e.friction = Eigen::Vector2d(p.sigma, 1.0).asDiagonal();
    e.coupling = Eigen::Vector2d(p.b1, p.b2);
    e.drive = laws::Drive::displacement;
    e.held = 1.0 + p.ks;
    const MState law(e, "two");
    const laws::TwoState<> known(p);
    auto z = law.virgin();
    auto w = known.virgin();
    for (const double u : walk_points) {
        const auto got = law.step(z, u);
        const auto want = known.step(w, u);
        EXPECT_NEAR(got.answer, want.force, 1e-10);
        EXPECT_NEAR(got.tangent, want.tangent, 1e-9);
        EXPECT_NEAR(z.dissipated, want.dissipated, 1e-10);
        EXPECT_NEAR(z.work, want.work, 1e-10);
        w = want.next;
    }
}

/// Closed forms (m = 2; K = a A) against the integrator, which takes over when a third state is added that nothing pulls.
TEST(MState, ClosedFormsAreWhatTheIntegratorFinds) {
    Eigen::Matrix2d K, A;
    K << 1.3, 0.4, 0.4, 0.9;
    A << 0.7, -0.2, -0.2, 0.3;
    const Eigen::Vector2d b(0.8, -1.1);
    for (const bool round : {false, true}) {
        const Ellipsoid plane{round ? Eigen::MatrixXd(1.7 * A) : Eigen::MatrixXd(K), A, b};
        Ellipsoid space;
        space.stiffness = space.friction = Eigen::Matrix3d::Identity();
        space.friction.topLeftCorner(2, 2) = A;
        space.stiffness.topLeftCorner(2, 2) = plane.stiffness;
        space.coupling = Eigen::Vector3d(b(0), b(1), 0.0);
        const MState closed(plane, "plane"), steps(space, "space");
        auto z = closed.virgin(), w = steps.virgin();
        for (const double f : {0.3, 1.4, -0.8, 0.9, -1.5, 0.1, 0.05, 30.0, -2.0}) {
            const auto got = closed.step(z, f), want = steps.step(w, f);
            EXPECT_NEAR(got.answer, want.answer, 1e-11 * (1 + std::abs(want.answer))) << f;
            EXPECT_NEAR(got.tangent, want.tangent, 1e-11);
            EXPECT_NEAR(z.dissipated, w.dissipated, 1e-11 * (1 + w.dissipated));
            EXPECT_NEAR(z.work, w.work, 1e-11 * (1 + std::abs(w.work)));
        }
    }
}

/// [S3] Eqs. 5.3-5.4: for two states and K = alpha I the law that is there by name.
TEST(MState, SlipByFormulaIsThePatchedLawOfTwoStates) {
    const laws::TwoStateParameters<double> p{2.0 / 3, 1.0 / 16, std::sqrt(32.0 / 135), std::sqrt(58.0 / 135), 0.1, 1.0};
    Ellipsoid e;
    e.stiffness = Eigen::Matrix2d::Identity() * p.alpha;
    e.friction = Eigen::Vector2d(p.sigma, 1.0).asDiagonal();
    e.coupling = Eigen::Vector2d(p.b1, p.b2);
    e.drive = laws::Drive::displacement;
    e.held = 1.0 + p.ks;
    e.slip = Slip::formula;
    const MState law(e, "two");
    const laws::TwoStateIncrement<laws::SlipDirection::patched> known(p);
    auto z = law.virgin();
    auto w = known.virgin();
    for (int k = 1; k <= 5000; ++k) {  // increments that the law does not cut
        const double u = 2.0 * std::sin(0.004 * k) + 0.7 * std::sin(0.0172 * k);
        const auto got = law.step(z, u);
        const auto want = known.step(w, u);
        ASSERT_NEAR(got.answer, want.force, 1e-11) << k;
        ASSERT_NEAR(z.dissipated, want.dissipated, 1e-11);
        w = want.next;
    }
}

/// For six states it is near the exact law, and stays so far off however small its increments.
TEST(MState, SlipByFormulaIsAnApproximation) {
    auto given = six();
    const MState exact(given, "six");
    given.slip = Slip::formula;
    const MState formula(given, "six");
    auto z = exact.virgin(), w = formula.virgin();
    double worst = 0, most = 0;
    for (int k = 1; k <= 400; ++k) {
        const double f = std::sin(0.05 * k) + 0.4 * std::sin(0.05 * 4.16753 * k);
        const double want = exact.step(z, f).answer;
        worst = std::max(worst, std::abs(formula.step(w, f).answer - want));
        most = std::max(most, std::abs(want));
    }
    EXPECT_GT(worst, 1e-4 * most);
    EXPECT_LT(worst, 0.2 * most);
    EXPECT_NEAR(w.dissipated, z.dissipated, 0.1 * z.dissipated);
}

/// Dual numbers through every kind of set, history and energies included.
TEST(MState, DerivativesAreThoseOfDifferences) {
    auto by_formula = six();
    by_formula.slip = Slip::formula;
    const Ellipsoid plane{Eigen::Matrix2d{{1.3, 0.4}, {0.4, 0.9}}, Eigen::Matrix2d{{0.7, -0.2}, {-0.2, 0.3}},
                          Eigen::Vector2d(0.8, -1.1)};
    for (const MState& law :
         {MState(random_network(6, 3), "box"), MState(through_spring(random_network(6, 4), 0.5), "u"),
          MState(six(), "six"), MState(plane, "plane"), MState(by_formula, "formula")}) {
        // every load moves by its own share of one parameter
        const auto along = [&](double p) {
            auto z = law.virgin();
            std::array<double, 4> last{};
            for (std::size_t i = 0; i < walk_points.size(); ++i) {
                const auto a = law.step(z, walk_points[i] * (1.0 + p) + 0.1 * p * double(i));
                last = {a.answer, a.tangent, z.work, z.dissipated};
            }
            return last;
        };
        auto z = law.virgin();
        auto slopes = law.no_slopes();
        MStateDual last;
        for (std::size_t i = 0; i < walk_points.size(); ++i) {
            core::Dual load(walk_points[i]);
            load.v[1] = walk_points[i] + 0.1 * double(i);
            last = law.step(z, slopes, load);
        }
        const double h = 1e-6;
        const auto up = along(h), down = along(-h), here = along(0.0);
        const std::array<core::Dual, 4> got{last.answer, last.tangent, last.work, last.dissipated};
        for (std::size_t k = 0; k < 4; ++k) {
            const double slope = (up[k] - down[k]) / (2 * h);
            EXPECT_NEAR(got[k].a, here[k], 1e-9 * (1 + std::abs(here[k])));
            if (law.ellipsoid() && law.ellipsoid()->slip == Slip::formula) continue;  // its pieces are counted anew
            EXPECT_NEAR(got[k].v[1], slope, 2e-6 * (1 + std::abs(slope))) << k << " of " << law.states();
            EXPECT_EQ(got[k].v[0], 0.0);
        }
    }
}

/// In one dimension a box and an ellipsoid are the same interval.
TEST(MState, OfOneIsOneSlider) {
    const auto one = [](double x) { return Eigen::MatrixXd::Constant(1, 1, x); };
    const MState box(Network{one(2.0), Eigen::VectorXd::Constant(1, 0.6), Eigen::VectorXd::Constant(1, 1.5)}, "box");
    const MState ball(Ellipsoid{one(2.0), one(0.36), Eigen::VectorXd::Constant(1, 1.5)}, "ball");
    auto z = box.virgin(), w = ball.virgin();
    for (const double f : walk_points) {
        const auto a = box.step(z, f), b = ball.step(w, f);
        EXPECT_NEAR(a.answer, b.answer, 1e-12);
        EXPECT_NEAR(a.tangent, b.tangent, 1e-12);
        EXPECT_NEAR(z.work, w.work, 1e-12);
        EXPECT_NEAR(z.dissipated, w.dissipated, 1e-12);
    }
}

struct Folder : testing::Test {
    std::filesystem::path folder =
        std::filesystem::temp_directory_path() /
        ("faying_m_state_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
         testing::UnitTest::GetInstance()->current_test_info()->name());
    void SetUp() override { std::filesystem::create_directories(folder); }
    void TearDown() override { std::filesystem::remove_all(folder); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder / name) << text;
        return (folder / name).string();
    }
};

TEST_F(Folder, LawFilesComeBackToTheLastBit) {
    for (const MState& law : {MState(six(), "six"), MState(random_network(5, 2), "box")}) {
        const auto back = read_m_state(write("law.toml", m_state_text(law, {"made by a test"})));
        auto z = law.virgin(), w = back.virgin();
        for (const double f : walk_points) EXPECT_EQ(law.step(z, f).answer, back.step(w, f).answer);
    }
}

TEST_F(Folder, ALawFileIsALaw) {
    add_law_files();
    const auto net = through_spring(random_network(8, 3), 0.5);
    const auto path = write("law.toml", m_state_text(MState(net, "net"), {}));
    const laws::Law law(path + "+kp", {{"kp", 0.25}, {"force_scale", 2.0}, {"displacement_scale", 3.0}});
    const auto h = law.follow({0.9, -0.6, 1.2});
    Follower walk(net);
    for (std::size_t i = 0; i < h.u.size(); ++i) {
        walk.advance(h.u[i] / 3.0);
        EXPECT_NEAR(h.f[i], 2.0 * walk.answer() + 0.25 * h.u[i], 1e-12);
        EXPECT_NEAR(h.dissipated[i], 6.0 * walk.dissipated(), 1e-12);
    }
    EXPECT_EQ(law.derivatives(), laws::Derivatives::exact);
    const auto slopes = law.follow_derivatives({h.u, {}});
    EXPECT_NEAR(slopes[0].f[2], walk.answer(), 1e-7 * (1 + std::abs(walk.answer())));  // to force_scale
    const auto cycle = law.cycle(1.5);
    EXPECT_GT(cycle.dissipation, 0.0);
    EXPECT_LT(cycle.residual, 1e-12);
}

TEST_F(Folder, FilesThatCannotBeUsed) {
    const auto refused = [&](const std::string& text, const std::string& because) {
        try {
            read_m_state(write("law.toml", text));
            ADD_FAILURE() << text;
        } catch (const core::BadInput& error) {
            EXPECT_NE(std::string(error.what()).find(because), std::string::npos) << error.what();
        }
    };
    refused("law = \"iwan4\"\n", "m-state");
    refused("law = \"m-state\"\nK = [[1]]\nmu = [1]\n", "b (driven by force)");
    refused("law = \"m-state\"\nK = [[1, 2], [2, 1]]\nmu = [1, 1]\nb = [1, 1]\n", "positive definite");
    refused("law = \"m-state\"\nK = [[1]]\nA = [[-1]]\nb = [1]\n", "A is not positive definite");
    refused("law = \"m-state\"\nK = [[1]]\nA = [[1]]\nb = [1]\nset = \"star\"\n", "box, polytope, ellipsoid");
}

TEST_F(Folder, NetworksInMatlabAndHdf5Files) {
    const auto net = random_network(6, 4);
    for (const char* name : {"net.mat", "net.h5"}) {
        write_network((folder / name).string(), net);
        const auto back = read_network(write("net.toml", "[network]\nfile = \"" + std::string(name) + "\"\n"));
        EXPECT_EQ(back.stiffness, net.stiffness);
        EXPECT_EQ(back.friction, net.friction);
        EXPECT_EQ(back.coupling, net.coupling);
    }
}

TEST(Condense, FewSlidersForManyAndBetterWithMore) {
    const auto net = random_network(60, 9);
    CondenseOptions options;
    auto training = training_histories(net, options);
    training.resize(40);  // fewer than by default, to be fast
    const auto unseen = held_out_histories(net, options);
    double before = 1e9;
    for (const int m : {1, 2, 4}) {
        options.states = m;
        const auto small = condense(net, training, options);
        double worst = 0;
        for (const auto& e : errors(small.law, unseen)) worst = std::max(worst, e.answer);
        EXPECT_LT(worst, 0.8 * before) << m;
        before = worst;
    }
    EXPECT_LT(before, 0.05);
}

/// In any units, at defaults: dissipation along histories it has not seen.
TEST(Condense, PolytopesInAnyUnits) {
    const auto net = random_network(60, 9);
    Network other = net;  // a joint in N and m
    other.stiffness *= 0x1p26;
    other.friction *= 0x1p10;
    other.coupling *= 0x1p10;
    CondenseOptions options{.states = 3};
    double worst[2] = {0, 0};
    int k = 0;
    for (const auto& one : {net, other}) {
        auto training = training_histories(one, options);
        training.resize(60);  // fewer than by default, to be fast
        const auto small = condense(one, training, options);
        EXPECT_EQ(small.law.set(), "polytope");
        EXPECT_EQ(small.law.polytope()->normals.rows(), 18);
        for (const auto& e : errors(small.law, held_out_histories(one, options)))
            worst[k] = std::max(worst[k], std::abs(e.dissipation));
        ++k;
    }
    EXPECT_LT(worst[0], 0.06);
    EXPECT_NEAR(worst[0], worst[1], 1e-6);
}

/// As many states as sliders, from the network's own answers: nothing needs to be lost.
TEST(Condense, AnEllipsoidOfOneSliderIsExact) {
    const Network one{Eigen::MatrixXd::Constant(1, 1, 2.0), Eigen::VectorXd::Constant(1, 0.6),
                      Eigen::VectorXd::Constant(1, 1.5)};
    // It slips along every history: where it hardly does, round-off is large beside what is dissipated.
    CondenseOptions options{.states = 1, .set = Set::ellipsoid, .load = 2.0, .smallest = 0.8};
    const auto training = training_histories(one, options);
    ASSERT_FALSE(training.empty());
    for (const auto basis : {Basis::svd, Basis::greedy}) {
        options.basis = basis;
        const auto all = errors(condense(one, training, options).law, training);
        ASSERT_EQ(all.size(), training.size());
        for (const auto& e : all) {
            EXPECT_LT(e.answer, 1e-12);
            EXPECT_LT(std::abs(e.dissipation), 1e-12);
        }
    }
}

/// A box is a polytope whose normals are the axes; with K elsewhere it is one in other coordinates.
TEST(Polytope, IsABoxWhereItsFacetsAre) {
    const auto net = random_network(4, 31);
    const MState box(net, "box");
    const MState same(Polytope{net.stiffness, Eigen::MatrixXd::Identity(4, 4), net.friction, net.coupling}, "same");
    Eigen::MatrixXd C(6, 4);
    C.topRows(4).setIdentity();
    C.bottomRows(2) << 1, 1, 0, 0, 0, 0, 1, -1;
    Eigen::VectorXd mu(6);
    mu << net.friction, 10, 10;  // never reached
    const MState more(Polytope{net.stiffness, C, mu, net.coupling}, "more");
    EXPECT_EQ(more.states(), 4);
    EXPECT_EQ(more.set(), "polytope");
    auto a = box.virgin(), b = same.virgin(), c = more.virgin();
    for (const double f : {0.5, -1.0, 2.0, -3.0, 0.7}) {
        const auto want = box.step(a, f);
        for (const auto& got : {same.step(b, f), more.step(c, f)}) {
            EXPECT_NEAR(got.answer, want.answer, 1e-12 * (1 + std::abs(want.answer)));
            EXPECT_NEAR(got.tangent, want.tangent, 1e-11 * (1 + want.tangent));
            EXPECT_NEAR(got.stored, want.stored, 1e-12 * (1 + want.stored));
        }
    }
}

/// More facets than states: z stays inside all of them, energy balances, cutting a path changes nothing.
TEST(Polytope, CutCorners) {
    const Eigen::Matrix2d K = (Eigen::Matrix2d() << 2.0, 0.5, 0.5, 1.0).finished();
    Eigen::MatrixXd C(5, 2);
    C << 1, 0, 0, 1, 0.6, 0.6, 0.9, 0.3, 0.3, 0.9;
    const Polytope p{K, C, Eigen::VectorXd::Constant(5, 1.0), Eigen::Vector2d(1.0, 0.8)};
    const MState law(p, "law");
    auto whole = law.virgin(), cut = law.virgin();
    double from = 0;
    for (const double f : {3.0, -2.0, 4.0, -5.0, 1.0}) {
        const auto a = law.step(whole, f);
        MStateAnswer b;
        for (int k = 1; k <= 9; ++k) b = law.step(cut, from + (f - from) * k / 9);
        from = f;
        EXPECT_NEAR(a.answer, b.answer, 1e-12);
        EXPECT_NEAR(whole.dissipated, cut.dissipated, 1e-12);
        EXPECT_NEAR(whole.work, whole.dissipated + a.stored, 1e-12);
        const Eigen::VectorXd z = p.coupling * f - K * (C.transpose() * whole.x);
        EXPECT_LE((C * z).cwiseAbs().maxCoeff(), 1.0 + 1e-13);
    }
    EXPECT_GT(whole.dissipated, 1.0);
    Polytope open = p;
    open.normals = Eigen::MatrixXd::Ones(2, 2);
    open.friction = Eigen::Vector2d::Ones();
    EXPECT_THROW(MState(open, "open"), core::BadInput);
    open = p;
    open.friction(1) = -1;
    EXPECT_THROW(MState(open, "negative"), core::BadInput);
}

}  // namespace
}  // namespace faying::network
