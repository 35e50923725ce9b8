// Contact of deformable bodies against closed forms: a crack that rubs, Hertz and Cattaneo-Mindlin.

#include <gtest/gtest.h>

#include <numbers>

#include "faying/fe/deck_reader.hpp"
#include "faying/fe/reduction.hpp"
#include "faying/modes/quasistatic.hpp"
#include "plane_meshes.hpp"

namespace faying {
namespace {

using modes::Drive;
using modes::DriveKind;

constexpr double pi = std::numbers::pi;

structure::Model with_friction(const structure::Reduced& reduced, double mu, double stiffer = 1) {
    auto model = structure::bare_model(reduced);
    for (const auto& pair : reduced.pairs) {
        const laws::Law law("elastic-dry-friction",
                            {{"mu", mu}, {"kn", stiffer * pair.penalty}, {"kt", stiffer * pair.penalty}});
        model.joints.push_back(structure::joint_on_pair(reduced, pair.name, law, pair));
    }
    return model;
}

double total(const modes::QuasistaticPoint& point) {
    double sum = 0;
    for (const double d : point.dissipated) sum += d;
    return sum;
}

// ---- one crack of half-length a in a large plate, crack stresses tau0 f and p0 f: the part of the shear that friction
// does not carry moves the faces by 4/E sqrt(a^2 - x^2) times it.

constexpr double young = 210e9, crack = 1e-3, thickness = 2e-3;

fe::Reduction crack_model(int elements, double wide = 30, double apart = 0) {
    fe::ReduceOptions options;
    options.pairs = {{.name = "crack", .first = "UPPER", .second = "LOWER"}};
    options.modes = 0;
    // A stress of 1 Pa: shear all round, and pressure on the crack.
    fe::LoadCase shear{.name = "shear", .forces = {}, .step = ""}, press{.name = "press", .forces = {}, .step = ""};
    shear.tractions = {{"TOP", {1, 0, 0}}, {"BOTTOM", {-1, 0, 0}}, {"RIGHT", {0, 1, 0}}, {"LEFT", {0, -1, 0}}};
    press.tractions = {{.surface = "TOP", .pressure = 1}, {.surface = "BOTTOM", .pressure = 1}};
    options.loads = {shear, press};
    return fe::reduce(
        fe::parse_deck(tests::cracked_square(crack, wide * crack, elements, young, 0.3, thickness, apart * crack)),
        options);
}

/// Dissipated in 0 -> 1 -> 0 of both stresses.
double crack_loss(const structure::Reduced& reduced, double tau, double p, double mu, double stiffer = 1) {
    const auto model = with_friction(reduced, mu, stiffer);
    const std::vector<Drive> drives = {{DriveKind::force, structure::find_load(model, "shear"), "shear"},
                                       {DriveKind::force, structure::find_load(model, "press"), "press"}};
    std::vector<double> shares;
    for (int k = 1; k <= 10; ++k) shares.push_back(0.1 * k);
    for (int k = 9; k >= 0; --k) shares.push_back(0.1 * k);
    std::vector<std::vector<double>> values(2);
    for (double s : shares) {
        values[0].push_back(tau * s);
        values[1].push_back(p * s);
    }
    const auto run = modes::quasistatic(model, modes::Interface(model), drives, values, {.path_tolerance = 1e-5});
    EXPECT_EQ(run.stopped, "");
    for (const auto& point : run.points) EXPECT_TRUE(point.converged) << point.residual;
    return total(run.points.back());
}

double crack_formula(double tau, double p, double mu) {
    const double f = mu * p;
    return 2 * pi * crack * crack * thickness / young * f * (tau - f) * tau / (tau + f);
}

TEST(Crack, RubsAwayWhatTheFormulaSays) {
    const auto made = crack_model(20).reduced;
    for (const double mu : {0.1, 0.3, 0.6})
        EXPECT_NEAR(crack_loss(made, 60e6, 80e6, mu) / crack_formula(60e6, 80e6, mu), 1, 0.01) << mu;
    // Quadratic in the load: twice as much, four times the loss.
    EXPECT_NEAR(crack_loss(made, 120e6, 160e6, 0.3) / crack_loss(made, 60e6, 80e6, 0.3), 4, 1e-5);
}

TEST(Crack, SticksOrOpensWithoutLoss) {
    const auto made = crack_model(10, 12).reduced;
    const double scale = crack_formula(60e6, 80e6, 0.3);
    EXPECT_LT(crack_loss(made, 60e6, 80e6, 0.8), 1e-6 * scale);   // tau0 < mu p0
    EXPECT_LT(crack_loss(made, 60e6, -80e6, 0.3), 1e-6 * scale);  // tension
}

TEST(Crack, ConvergesWithTheMeshAndTheBodiesOwnPenalty) {
    const double wide = 12;
    double before = 0, change = 0;
    for (const int n : {6, 12, 24}) {
        const auto made = crack_model(n, wide).reduced;
        const double now = crack_loss(made, 60e6, 80e6, 0.3) / crack_formula(60e6, 80e6, 0.3);
        if (n == 24) {
            EXPECT_LT(std::abs(now - before), 0.35 * change);
        }
        change = std::abs(now - before);
        before = now;
        if (n == 12) {
            EXPECT_NEAR(crack_loss(made, 60e6, 80e6, 0.3, 10) / crack_loss(made, 60e6, 80e6, 0.3), 1, 2e-3);
        }
    }
}

TEST(Crack, TwoThatAreFarApartAdd) {
    // What one does to the other falls with their distance; one alone in the same plate, so that the mesh plays no part.
    const double alone = crack_loss(crack_model(10, 40).reduced, 60e6, 80e6, 0.3);
    double before = 1;
    for (const double apart : {1.5, 3.0, 9.0}) {
        const double pair = crack_loss(crack_model(10, 40, apart).reduced, 60e6, 80e6, 0.3);
        const double off = std::abs(pair / (2 * alone) - 1);
        RecordProperty(fmt::format("two_cracks_{}", apart), fmt::format("{:.6f}", pair / (2 * alone) - 1));
        EXPECT_LT(off, before) << apart;
        before = off;
    }
    EXPECT_LT(before, 0.01);
}

TEST(Crack, AnswersDoNotDependOnHowTheHistoryIsCut) {
    // Pressed, sheared, let go a little, sheared the other way: sites stick, slip, open and turn, none in proportion.
    const auto model = with_friction(crack_model(6, 12).reduced, 0.3);
    const std::vector<Drive> drives = {{DriveKind::force, structure::find_load(model, "shear"), "shear"},
                                       {DriveKind::force, structure::find_load(model, "press"), "press"}};
    const double legs[][2] = {{0, 80e6}, {60e6, 80e6}, {20e6, 50e6}, {-40e6, 60e6}, {-40e6, -20e6}, {30e6, 70e6}};
    const auto run = [&](int cuts) {
        std::vector<std::vector<double>> values(2);
        double from[2] = {0, 0};
        for (const auto& leg : legs) {
            for (int k = 1; k <= cuts; ++k)
                for (std::size_t j = 0; j < 2; ++j) values[j].push_back(from[j] + (leg[j] - from[j]) * k / cuts);
            std::copy(leg, leg + 2, from);
        }
        const auto made = modes::quasistatic(model, modes::Interface(model), drives, values);
        EXPECT_EQ(made.stopped, "");
        return made;
    };
    const auto whole = run(1), cut = run(7);
    for (std::size_t leg = 0; leg < std::size(legs); ++leg) {
        const auto &a = whole.points.at(leg), &b = cut.points.at(7 * leg + 6);
        EXPECT_LT((a.x - b.x).norm(), 1e-8 * a.x.norm()) << leg;
        EXPECT_NEAR(total(a), total(b), 1e-8 * total(whole.points.back())) << leg;
    }
    EXPECT_GT(total(whole.points.back()), 0);
}

// ---- Hertz and Cattaneo-Mindlin: two equal cylinders, plane strain. Relative radius r/2, E* = E / (2 (1 - nu^2)).

struct Pressed {
    structure::Model model;
    modes::QuasistaticRun run;
    std::size_t loaded = 0;  ///< the point at the end of the first tangential loading
    double p = 0, q = 0;     ///< normal and tangential force there
};

constexpr double body = 1, round_face = 10, half_width = 0.05, mu = 0.3, e = 1e9, nu = 0.3;
constexpr double contact_modulus = e / (2 * (1 - nu * nu)), relative = round_face / 2;

Pressed press_and_push(int n) {
    fe::ReduceOptions options;
    options.pairs = {{.name = "contact",
                      .first = "ABOVE",
                      .second = "BELOW",
                      .within = 1.3 * 1.3 * half_width * half_width / round_face}};
    options.modes = 0;
    options.outputs = {{"x", "GRIP", {}, {1, 0, 0}}, {"y", "GRIP", {}, {0, 1, 0}}};
    const auto made = fe::reduce(fe::parse_deck(tests::two_cylinders(half_width, round_face, body, n, e, nu)), options);
    Pressed out{with_friction(made.reduced, mu), {}};
    const std::vector<Drive> drives = {{DriveKind::displacement, structure::find_output(out.model, "y"), "down"},
                                       {DriveKind::displacement, structure::find_output(out.model, "x"), "along"}};
    const double down = -6.6e-4, along = 1.1e-4;
    std::vector<std::vector<double>> values(2);
    const auto go = [&](double y, double x) {
        values[0].push_back(y);
        values[1].push_back(x);
    };
    for (int k = 1; k <= 5; ++k) go(down * k / 5, 0);
    for (int k = 1; k <= 10; ++k) go(down, along * k / 10);
    for (int k = 9; k >= -10; --k) go(down, along * k / 10);
    for (int k = -9; k <= 10; ++k) go(down, along * k / 10);
    out.run = modes::quasistatic(out.model, modes::Interface(out.model), drives, values,
                                 {.path_tolerance = 1e-4, .sites = true});
    EXPECT_EQ(out.run.stopped, "");
    out.loaded = 14;
    out.p = -out.run.points.at(out.loaded).force(0);
    out.q = out.run.points.at(out.loaded).force(1);
    return out;
}

/// The half-width of the stuck middle, from how q falls short of mu p there: (mu p - q)^2 goes with c^2 - x^2.
double stick_zone(const Pressed& made, double c) {
    const auto& joint = made.model.joints[0];
    const auto& sites = made.run.points[made.loaded].sites[0];
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (Eigen::Index i = 0; i < joint.sites(); ++i) {
        const double x = joint.places(i, 0),
                     short_by = mu * sites[std::size_t(i)].pressure - sites[std::size_t(i)].traction;
        if (std::abs(x) > 0.9 * c || std::abs(x) < 0.5 * c) continue;
        n += 1, sx += x * x, sy += short_by * short_by, sxx += x * x * x * x, sxy += x * x * short_by * short_by;
    }
    const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx), start = (sy - slope * sx) / n;
    return std::sqrt(-start / slope);
}

/// Hertz' half-width of contact and greatest pressure, and the half-width of the stuck middle.
struct Mindlin {
    double a, p0, c;
    explicit Mindlin(const Pressed& made)
        : a(std::sqrt(4 * made.p * relative / (pi * contact_modulus))),
          p0(2 * made.p / (pi * a)),
          c(a * std::sqrt(1 - made.q / (mu * made.p))) {}
    static double root(double x) { return x > 0 ? std::sqrt(x) : 0.0; }
    double pressure(double x) const { return p0 / a * root(a * a - x * x); }
    double traction(double x) const { return mu * (pressure(x) - p0 / a * root(c * c - x * x)); }
    /// Slip grows from c outwards, ds/dx = mu/relative sqrt(x^2 - c^2); a cycle rubs four times over it on both wings.
    double loss() const {
        double sum = 0, slip = 0;
        const int fine = 20000;
        for (int k = 0; k < fine; ++k) {
            const double x = c + (a - c) * (k + 0.5) / fine, dx = (a - c) / fine;
            slip += 0.5 * dx * mu / relative * root(x * x - c * c);
            sum += 8 * mu * pressure(x) * slip * dx;
            slip += 0.5 * dx * mu / relative * root(x * x - c * c);
        }
        return sum;
    }
};

double cycle_loss(const Pressed& made) { return total(made.run.points.back()) - total(made.run.points[made.loaded]); }

TEST(CattaneoMindlin, StickZoneTractionAndLoss) {
    const Pressed made = press_and_push(24);
    const Mindlin exact(made);
    ASSERT_GT(exact.a, 0.8 * half_width);
    ASSERT_LT(exact.a, 1.2 * half_width);
    ASSERT_GT(exact.c, 0.3 * exact.a);
    ASSERT_LT(exact.c, 0.9 * exact.a);
    EXPECT_NEAR(stick_zone(made, exact.c) / exact.c, 1, 0.01);
    const auto& joint = made.model.joints[0];
    const auto& sites = made.run.points[made.loaded].sites[0];
    for (Eigen::Index i = 0; i < joint.sites(); ++i) {
        const double x = joint.places(i, 0), step = half_width / 24;
        const auto& site = sites[std::size_t(i)];
        if (std::abs(std::abs(x) - exact.a) > step) {
            EXPECT_NEAR(site.pressure, exact.pressure(x), 0.01 * exact.p0) << x / exact.a;
        }
        if (std::abs(std::abs(x) - exact.a) > step && std::abs(std::abs(x) - exact.c) > step) {
            EXPECT_NEAR(site.traction, exact.traction(x), 0.01 * mu * exact.p0) << x / exact.a;
        }
    }
    EXPECT_NEAR(cycle_loss(made) / exact.loss(), 1, 0.01);
}

TEST(CattaneoMindlin, ConvergesWithTheMesh) {
    // Mean error of the traction over the contact, corners of the exact one at a and c included: these have square roots,
    // so the mean falls with h^1.5 at best.
    std::vector<double> errors;
    for (const int n : {6, 12, 24}) {
        const Pressed made = press_and_push(n);
        const Mindlin exact(made);
        const auto& joint = made.model.joints[0];
        double off = 0, all = 0;
        for (Eigen::Index i = 0; i < joint.sites(); ++i) {
            const double q = exact.traction(joint.places(i, 0));
            off += joint.weight(i) * std::abs(made.run.points[made.loaded].sites[0][std::size_t(i)].traction - q);
            all += joint.weight(i) * q;
        }
        errors.push_back(off / all);
        RecordProperty(fmt::format("traction_error_{}", n), fmt::format("{:.5f}", off / all));
        RecordProperty(fmt::format("loss_error_{}", n), fmt::format("{:.5f}", cycle_loss(made) / exact.loss() - 1));
    }
    EXPECT_LT(errors[2], 0.01);
    EXPECT_GT(std::log2(errors[0] / errors[2]) / 2, 1.0);
}

}  // namespace
}  // namespace faying
