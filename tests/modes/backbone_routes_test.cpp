// The four dissipation routes, QSMA, loops that close, derivatives: against each other, closed forms and an independent
// harmonic balance.

#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "faying/core/error.hpp"
#include "faying/modes/backbone.hpp"
#include "faying/modes/linear.hpp"
#include "faying/modes/output_amplitude.hpp"
#include "lap_joint.hpp"
#include "modes/small_models.hpp"
#include "reference.hpp"

namespace {

using namespace faying;
using namespace faying::modes;
using faying::tests::reference;
using faying::tests::rows;

using faying::tests::one_mass;
using faying::tests::patches_with;
using faying::tests::three_masses;

std::vector<double> log_spaced(double low, double high, int count) {
    std::vector<double> q;
    for (int i = 0; i < count; ++i) q.push_back(low * std::pow(high / low, double(i) / (count - 1)));
    return q;
}

const core::ParameterValues iwan = {{"FS", 1.4e5}, {"KT", 3e12}, {"chi", -0.5}, {"beta", 1e-3}};

TEST(Routes, AllFourAgreeOnTheThreeMasses) {
    for (const auto& row : rows(reference("three_mass")["rqnma"], 13)) {
        const double q = row["q"];
        const int mode = row["mode"];
        const double D = row["D_rqnma"].get<double>(), omega = row["omega_rqnma"].get<double>();
        const auto run = [&](Framework framework, Dissipation dissipation, int points) {
            BackboneOptions o;
            o.framework = framework;
            o.dissipation = dissipation;
            o.quadrature = points;
            const auto p = backbone(three_masses(), mode, {q}, o).back();
            EXPECT_TRUE(p.converged) << mode << " " << q;
            EXPECT_RELATIVE(p.omega, omega, 1e-9);
            return p.dissipation;
        };
        EXPECT_RELATIVE(run(Framework::masing, Dissipation::local, 12), D, 1e-9) << mode << " " << q;
        EXPECT_RELATIVE(run(Framework::loops, Dissipation::local, 12), D, 1e-9) << mode << " " << q;
        // Area from differences of lambda: rounding of lambda over its drop. Macroslip begins with a kink, which a
        // polynomial rule sees only to its spacing.
        const double drop =
            1 - std::pow(omega / reference("three_mass")["omega0"][std::size_t(mode - 1)].get<double>(), 2);
        const bool microslip = std::abs(row["rel_disp_rqnma"].get<double>()) < 11.25;
        EXPECT_RELATIVE(run(Framework::masing, Dissipation::modal, 24), D, microslip ? 1e-8 + 3e-14 / drop : 2e-3)
            << mode << " " << q;
        // The branch leaves its reversal with a power of 3/2: the rule converges algebraically.
        EXPECT_RELATIVE(run(Framework::loops, Dissipation::modal, 12), D, microslip ? 1e-3 : 2e-2) << mode << " " << q;
    }
}

/// Along loads between the reversals, in microslip and past it.
TEST(Routes, LoopQuadratureConvergesWithItsOrder) {
    for (const auto method : {Method::qsma, Method::rqnma}) {
        BackboneOptions o;
        o.method = method;
        o.framework = Framework::loops;
        const double local = backbone(three_masses(), 2, {20.0}, o).back().dissipation;
        o.dissipation = Dissipation::modal;
        double last = 1;
        for (const int points : {8, 16, 32, 64}) {
            o.quadrature = points;
            const double error = std::abs(backbone(three_masses(), 2, {20.0}, o).back().dissipation / local - 1);
            EXPECT_LT(error, 0.25 * last);
            last = error;
        }
        o.dissipation = Dissipation::local;
        const double far =
            backbone(three_masses(), 2, {100.0}, o).back().dissipation;  // RQNMA's q has no way through 0
        o.dissipation = Dissipation::modal;
        o.quadrature = 80;
        EXPECT_RELATIVE(backbone(three_masses(), 2, {100.0}, o).back().dissipation, far, 2e-3);
    }
}

TEST(Routes, JenkinsOscillatorInEveryMethodAndFramework) {
    const auto model = one_mass("jenkins", {{"kt", 3}, {"fs", 1}}, 5.0);
    for (const auto method : {Method::rqnma, Method::qsma})
        for (const auto framework : {Framework::masing, Framework::loops}) {
            BackboneOptions o;
            o.method = method;
            o.framework = framework;
            for (const auto& p : backbone(model, 1, {1e-3, 0.4, 0.5, 1.0, 30.0, 1e4}, o)) {
                const double A = p.q / std::sqrt(2.0);
                const bool slips = 3 * A > 1;
                const double secant = 5.0 + (slips ? 1.0 / A : 3.0), D = slips ? 4.0 * (A - 1.0 / 3.0) : 0.0;
                ASSERT_TRUE(p.converged);
                EXPECT_RELATIVE(p.omega, std::sqrt(secant / 2.0), 1e-12);
                EXPECT_NEAR(p.dissipation, D, 1e-12 * D);
            }
        }
}

TEST(Routes, MasingAndLoopsAgreeOnPatches) {
    const auto q = log_spaced(1e-5, 1e-2, 7);
    for (const auto& [law, values] : std::vector<std::pair<std::string, core::ParameterValues>>{
             {"jenkins", {{"kt", 3e12}, {"fs", 1.6e5}}},
             {"iwan4", iwan},
             {"iwan4+kp", {{"FS", 1.4e5}, {"KT", 3e12}, {"chi", -0.5}, {"beta", 1e-3}, {"kp", 1e10}}},
             {"jenkins-prager", {{"kt", 3e12}, {"fs", 1e5}, {"kp", 2e11}}}}) {
        const auto model = patches_with(law, values);
        for (const auto method : {Method::rqnma, Method::qsma}) {
            BackboneOptions o;
            o.method = method;
            const auto masing = backbone(model, 1, q, o);
            o.framework = Framework::loops;
            o.prestress = Friction::conservative;  // with a history of preloading the loops start elsewhere
            const auto loops = backbone(model, 1, q, o);
            for (std::size_t i = 0; i < q.size(); ++i) {
                ASSERT_TRUE(masing[i].converged && loops[i].converged) << law << " " << i;
                EXPECT_RELATIVE(masing[i].omega, loops[i].omega, 1e-9) << law << " " << q[i];
                EXPECT_NEAR(masing[i].dissipation, loops[i].dissipation, 1e-9 * loops[i].dissipation + 1e-22) << law;
                EXPECT_GE(loops[i].dissipation, 0.0);
            }
        }
    }
}

/// Tracing until nothing changes, and solving for the closed loop: the same loop, with far fewer repetitions.
TEST(Routes, ClosedLoopsSolvedForAreTheOnesTraced) {
    for (const auto& [law, values] : std::vector<std::pair<std::string, core::ParameterValues>>{
             {"bouc-wen", {{"A", 5e12}, {"alpha", 1.6e7}, {"beta", -8e6}, {"n", 1}}},
             {"valanis", {{"E0", 5e12}, {"Et", 1e10}, {"lambda", 2.5e7}, {"kappa", 0.1}}}}) {
        auto model = patches_with(law, values);
        BackboneOptions o;
        o.framework = Framework::loops;
        o.prestress = Friction::conservative;
        const auto q = log_spaced(1e-4, 3e-3, 4);
        const auto solved = backbone(model, 1, q, o);
        o.close_loops = false;
        o.loop_tolerance = 1e-13;
        o.most_loops = 3000;
        const auto traced = backbone(model, 1, q, o);
        for (std::size_t i = 0; i < q.size(); ++i) {
            ASSERT_TRUE(solved[i].converged && traced[i].converged) << law << " " << q[i];
            EXPECT_LT(solved[i].closure_error, 1e-9) << law << " " << q[i] << " " << solved[i].loops;
            EXPECT_RELATIVE(solved[i].omega, traced[i].omega, 1e-8) << law << " " << q[i];
            EXPECT_RELATIVE(solved[i].dissipation, traced[i].dissipation, 1e-6) << law << " " << q[i];
        }
    }
}

/// Stuck sites hold what they got, so that many loops close: the extrapolated one must be the one reached by tracing.
TEST(Routes, StickingLoopsAreTheOnesTraced) {
    const auto r = tests::full_joint(9, 4, 12);
    struct Case {
        std::string law;
        core::ParameterValues values;
        double along;  ///< static traction, which the joint holds in itself
        double least;  ///< amplitude
    };
    for (const auto& [law, values, along, least] : std::vector<Case>{
             {"jenkins-2d", {{"kt", 1e14}, {"fs", 3e5}, {"kn", 5e11}}, 1.5e5, 1e-4},
             {"elastic-dry-friction", {{"kt", 1e14}, {"mu", 0.3}, {"kn", 5e11}}, 2e6, 3e-3},
             {"elastic-dry-friction+kp", {{"kt", 1e13}, {"mu", 0.3}, {"kp", 1e11}, {"kn", 5e11}}, 2e6, 3e-3}}) {
        auto model = structure::bare_model(r, {{"preload", 12845.0}});
        model.joints = {structure::joint_on_interface(r, "j", laws::Law(law, values), "")};
        const auto& joint = model.joints.front();
        for (Eigen::Index i = 0; i < joint.sites(); ++i)
            model.static_force +=
                along * std::cos(50 * r.quadrature.points(i, 0)) * joint.weight(i) * joint.map.row(3 * i).transpose();
        BackboneOptions o;
        o.framework = Framework::loops;
        const auto q = log_spaced(least, 30 * least, 5);
        const auto solved = backbone(model, 1, q, o);
        o.close_loops = false;
        const auto repeated = backbone(model, 1, q, o);
        o.loop_tolerance = 1e-9;
        o.most_loops = 3000;
        const auto traced = backbone(model, 1, q, o);
        int saved = 0, converged = 0;
        for (std::size_t i = 0; i < q.size(); ++i) {
            EXPECT_EQ(solved[i].converged, traced[i].converged) << law << " " << q[i];
            if (!solved[i].converged) continue;  // at the onset of macroslip a reversal may be loss, both ways
            ++converged;
            EXPECT_RELATIVE(solved[i].omega, traced[i].omega, 1e-5) << law << " " << q[i];
            EXPECT_NEAR(solved[i].zeta_friction, traced[i].zeta_friction, 3e-4 * traced[i].zeta_friction + 1e-9)
                << law << " " << q[i] << " " << solved[i].loops << " " << traced[i].loops;
            saved += repeated[i].loops - solved[i].loops;
        }
        EXPECT_GE(converged, 4) << law;
        EXPECT_GT(saved, 0) << law << ": nothing to extrapolate";
    }
}

/// Iwan in one-harmonic balance, written out here: (K + N - w^2 M) u = 0 with N the harmonic stiffness of each joint at
/// its own amplitude. RQNMA takes the secant instead: they meet in microslip and differ by the shape of the loop
/// beyond.
double one_harmonic(const structure::Model& model, int mode, double q) {
    const auto& joint = model.joints.front();
    Eigen::VectorXd u = backbone(model, mode, {q}).back().shape * q;
    double omega = 0;
    for (int k = 0; k < 200; ++k) {
        const double a = std::abs((joint.map * u)(0));
        const Eigen::MatrixXd stiffness =
            model.stiffness + joint.law.cycle(a).harmonic_stiffness * joint.map.transpose() * joint.map;
        const auto modes = linear_modes(model.mass, stiffness);
        omega = modes.omega(mode - 1);
        u = modes.shapes.col(mode - 1) * q;
    }
    return omega;
}

TEST(Independent, OneHarmonicBalance) {
    const auto model = three_masses();
    std::set<int> compared;
    for (const auto& row : rows(reference("three_mass")["rqnma"], 13)) {
        const int mode = row["mode"];
        EXPECT_RELATIVE(one_harmonic(model, mode, row["q"]), row["omega_hb1"].get<double>(), 1e-9)
            << mode << " " << row["q"];
        compared.insert(mode);
    }
    EXPECT_EQ(compared, (std::set<int>{1, 3}));
    for (const double q : {0.01, 0.1, 1.0}) {
        const double omega = one_harmonic(model, 2, q);
        const double difference = std::abs(backbone(model, 2, {q}).back().omega / omega - 1);
        // secant c A^(1/2) against harmonic c A^(1/2) (4/sqrt(pi)) Gamma(2)/Gamma(5/2) 3/5: 2 % of the drop
        const double drop = 1 - omega / reference("three_mass")["omega0"][1].get<double>();
        const double share = 4 / std::sqrt(std::numbers::pi) * std::tgamma(2.0) / std::tgamma(2.5) * 0.6;
        EXPECT_NEAR(difference / drop, std::abs(1 / share - 1), 0.02) << q;
    }
}

/// The points found are those of the backbone itself, where the output has the wanted amplitude.
TEST(OutputAmplitude, PointsOfTheBackboneWhereTheOutputHasIt) {
    const auto model = three_masses();
    const Interface interface(model);
    const Eigen::VectorXd third = Eigen::VectorXd::Unit(3, 2);
    const std::vector<double> wanted = {1e-3, 0.1, 2.0, 30.0};
    for (const auto framework : {Framework::masing, Framework::loops})
        for (const auto quantity : {Quantity::displacement, Quantity::acceleration})
            for (int mode = 1; mode <= 3; ++mode) {
                BackboneOptions o;
                o.framework = framework;
                const auto found = backbone_at_output(model, interface, mode, {third, quantity, wanted}, o);
                ASSERT_EQ(found.size(), wanted.size());
                std::vector<double> q;
                for (std::size_t i = 0; i < wanted.size(); ++i) {
                    ASSERT_TRUE(found[i].converged) << mode << " " << wanted[i];
                    const double moved = std::abs(found[i].shape(2)) * found[i].q;
                    EXPECT_RELATIVE(quantity == Quantity::displacement ? moved : moved * std::pow(found[i].omega, 2),
                                    wanted[i], 2e-10);
                    q.push_back(found[i].q);
                }
                const auto direct = backbone(model, mode, q, o);
                for (std::size_t i = 0; i < q.size(); ++i) {
                    EXPECT_RELATIVE(found[i].omega, direct[i].omega, 1e-12);
                    EXPECT_RELATIVE(found[i].zeta, direct[i].zeta, 1e-9);
                }
            }
    EXPECT_THROW(backbone_at_output(model, interface, 1, {third.head(2), Quantity::displacement, {1.0}}),
                 core::BadInput);
    EXPECT_THROW(backbone_at_output(model, interface, 1, {third, Quantity::displacement, {2.0, 1.0}}), core::BadInput);
    EXPECT_THROW(backbone_at_output(model, interface, 1, {third, Quantity::displacement, {-1.0}}), core::BadInput);

    structure::Model pair;  // equal masses: the symmetric mode does not move their difference
    pair.mass = Eigen::MatrixXd::Identity(2, 2);
    pair.stiffness = Eigen::MatrixXd::Identity(2, 2) * 4.0;
    Eigen::VectorXd between(2);
    between << -1, 1;
    pair.joints = {structure::single_site("between", laws::Law("jenkins", {{"kt", 1}, {"fs", 1}}), between)};
    EXPECT_THROW(backbone_at_output(pair, Interface(pair), 1, {between, Quantity::displacement, {1.0}}),
                 core::BadInput);
}

TEST(Limits, QToZeroFarMacroslipAndLinear) {
    const auto model = patches_with("iwan4", iwan);
    const auto stuck = linear_modes(model.mass, structure::stuck_stiffness(model));
    const auto slipping = linear_modes(model.mass, structure::slipping_stiffness(model));
    for (const auto framework : {Framework::masing, Framework::loops}) {
        BackboneOptions o;
        o.framework = framework;
        o.prestress = Friction::conservative;  // increments of 1e-12 drown in the rounding of a preloaded history
        const auto points = backbone(model, 1, {1e-12, 1e4}, o);
        EXPECT_RELATIVE(points[0].omega, stuck.omega(0), 1e-4);
        EXPECT_RELATIVE(points[1].omega, slipping.omega(0), 1e-4);
    }
    // Springs only: every amplitude is the linear mode, without dissipation.
    const auto linear = patches_with("polynomial", {{"k1", 3e12}});
    const auto modes = linear_modes(linear.mass, structure::stuck_stiffness(linear));
    for (int mode = 1; mode <= 3; ++mode)
        for (const auto& p : backbone(linear, mode, {1e-6, 1.0})) {
            EXPECT_RELATIVE(p.omega, modes.omega(mode - 1), 1e-11);
            EXPECT_EQ(p.dissipation, 0.0);
        }
}

}  // namespace
