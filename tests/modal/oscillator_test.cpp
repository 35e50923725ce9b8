// Oscillators with any law, and their fits.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/modal/oscillator_fit.hpp"

namespace {

using namespace faying;
using modal::Oscillator;

constexpr double pi = std::numbers::pi;

std::vector<double> amplitudes(double low, double high, int count) {
    std::vector<double> a;
    for (int k = 0; k < count; ++k) a.push_back(low * std::pow(high / low, double(k) / (count - 1)));
    return a;
}

const modal::ModalIwan iwan{1.4, 1e-3, 3, 0.08, -0.5, 5};

fit::Backbone iwan_points(double low, double high, int count, double scale = 1) {
    fit::Backbone b;
    for (const double q : amplitudes(low, high, count)) {
        const auto p = iwan.at(q);
        b.amplitude.push_back(q * scale);
        b.omega.push_back(p.omega);
        b.zeta.push_back(p.zeta);
    }
    return b;
}

TEST(Oscillator, IsTheModalIwanModelForThatLaw) {
    const auto b = iwan_points(0.5, 500, 20);
    const Oscillator mode("iwan4", modal::scales_of(b));
    const double force = mode.in_units(2, 1), stiffness = mode.in_units(3, 1);
    const std::vector<double> values{b.omega.front(), iwan.zeta0 * iwan.omega0() / b.omega.front(),
                                     iwan.FS / force, iwan.KT / stiffness,
                                     iwan.chi,        iwan.beta};
    const auto p = mode.at(values, b.amplitude, false);
    ASSERT_TRUE(p);
    for (std::size_t i = 0; i < b.size(); ++i) {
        EXPECT_NEAR(p->omega(Eigen::Index(i)), b.omega[i], 1e-10);  // of the Gauss rule
        EXPECT_NEAR(p->zeta(Eigen::Index(i)), b.zeta[i], 1e-12);
    }
    for (const auto& v : mode.named(values)) {
        if (v.key == "Kinf") {
            EXPECT_NEAR(v.value, iwan.k_infinity, 1e-12);
        }
        if (v.key == "FS") {
            EXPECT_NEAR(v.value, iwan.FS, 1e-12);
        }
        if (v.key == "KT") {
            EXPECT_NEAR(v.value, iwan.KT, 1e-13);
        }
    }
}

TEST(Oscillator, SlopesAreThoseOfDifferences) {
    const auto b = iwan_points(0.5, 500, 6);
    for (const char* law : {"iwan4", "iwan5", "jenkins", "jenkins-prager", "bouc-wen", "bouc-wen-reduced", "valanis",
                            "two-state", "jenkins+jenkins", "iwan4+polynomial k3,k5", "polynomial k3"}) {
        std::optional<Oscillator> made;
        try {
            made.emplace(law, modal::scales_of(b));
        } catch (const core::BadInput& error) {
            if (std::string(law) == "bouc-wen-reduced") continue;  // where it goes by another name
            FAIL() << error.what();
        }
        const auto& mode = *made;
        std::vector<double> z, values;
        for (std::size_t i = 0; i < mode.parameters().size(); ++i) z.push_back(0.3 * std::sin(double(i + 1)));
        const auto at = [&](const std::vector<double>& zs, bool slopes) {
            std::vector<double> v;
            for (std::size_t i = 0; i < zs.size(); ++i) v.push_back(mode.parameters()[i].value(zs[i]));
            return mode.at(v, b.amplitude, slopes);
        };
        const auto p = at(z, true);
        ASSERT_TRUE(p) << law;
        for (std::size_t i = 0; i < z.size(); ++i) {
            auto up = z, down = z;
            const double h = 1e-4;
            up[i] += h;
            down[i] -= h;
            const auto a = at(up, false), c = at(down, false);
            ASSERT_TRUE(a && c) << law;
            const double slope = mode.parameters()[i].slope(z[i]);
            const auto column = Eigen::Index(i);
            const double size = p->zeta.maxCoeff();
            for (Eigen::Index k = 0; k < p->omega.size(); ++k) {
                EXPECT_NEAR(p->omega_slopes(k, column) * slope, (a->omega(k) - c->omega(k)) / (2 * h), 2e-6)
                    << law << " " << mode.parameters()[i].key << " " << k;
                EXPECT_NEAR(p->zeta_slopes(k, column) * slope, (a->zeta(k) - c->zeta(k)) / (2 * h), 2e-5 * size)
                    << law << " " << mode.parameters()[i].key << " " << k;
            }
        }
    }
}

/// Duffing's oscillator: omega^2 = w0^2 + 3/4 k3 q^2 to the first order, which is the harmonic stiffness.
TEST(Oscillator, APolynomialAloneIsDuffings) {
    fit::Backbone b{1, {0.1, 1}, {10, 10}, {0.01, 0.01}, {}, {}, {}, {}};
    const Oscillator mode("polynomial k3,k5", modal::scales_of(b));
    const auto p = mode.at({10, 0.01, 0.02, 0.004}, {0.1, 0.5, 1}, false);
    for (const double q : {0.1, 0.5, 1.0}) {
        const double k = 100 * (1 + 0.75 * 0.02 * (q * q - 0.01) + 0.625 * 0.004 * (std::pow(q, 4) - 1e-4));
        EXPECT_NEAR(p->omega(q == 0.1 ? 0 : q == 0.5 ? 1 : 2), std::sqrt(k), 1e-12);
    }
}

TEST(OscillatorFit, GivesTheParametersBackWhateverTheUnits) {
    for (const double scale : {1.0, 1e-6, 3e5}) {
        const auto fit = modal::fit_oscillator(iwan_points(0.5, 500, 24, scale), "iwan4");
        EXPECT_TRUE(fit.converged);
        const auto found = [&](const std::string& key) {
            const auto at =
                std::find_if(fit.model.begin(), fit.model.end(), [&](const auto& v) { return v.key == key; });
            return at == fit.model.end() ? NAN : at->value;
        };
        EXPECT_NEAR(found("FS"), iwan.FS * scale, 0.01 * iwan.FS * scale);
        EXPECT_NEAR(found("KT"), iwan.KT, 0.01 * iwan.KT);
        EXPECT_NEAR(found("chi"), iwan.chi, 0.01);
        EXPECT_NEAR(found("Kinf"), iwan.k_infinity, 0.01);
        EXPECT_LT(fit.zeta_rms, 1e-3);
    }
}

TEST(OscillatorFit, SaysWhatMicroslipDoesNotDetermine) {
    auto b = iwan_points(0.02, 2, 25);            // macroslip is at 40
    for (std::size_t i = 0; i < b.size(); ++i) {  // a scatter as of measurements
        b.omega[i] *= 1 + 2e-5 * std::sin(37.0 * double(i * i));
        b.zeta[i] *= 1 + 0.01 * std::sin(53.0 * double(i * i) + 1);
    }
    const auto fit = modal::fit_oscillator(b, "iwan4");
    for (const auto& p : fit.parameters)
        if (p.key == "FS") {
            EXPECT_FALSE(p.determined);
            ASSERT_TRUE(p.low);          // it was not reached,
            EXPECT_LT(*p.low, iwan.FS);  // and the truth is within what is said
            if (p.high) {
                EXPECT_GT(*p.high, iwan.FS);
            }
        }
    EXPECT_FALSE(fit.misfit);
}

TEST(OscillatorFit, ATurnUpIsAMisfitOfFrictionAndAHardeningBesideIt) {
    // The measured forced backbone of data/.., by the numbers its source gives (Hz, m/s^2).
    fit::Backbone b{1, {5, 20, 30, 40, 50, 60, 70, 80}, {}, {}, {}, {}, {}, {}};
    for (const double f : {80.368, 80.189, 80.190, 80.130, 80.280, 80.384, 80.472, 80.530})
        b.omega.push_back(2 * pi * f);
    for (const double z : {0.153, 0.198, 0.238, 0.300, 0.381, 0.458, 0.551, 0.635}) b.zeta.push_back(z / 100);
    modal::OscillatorFitOptions options;
    options.starts = 60;
    options.bounds = false;
    const auto fits =
        modal::compare_laws(b, {"iwan4", "jenkins", "valanis", "bouc-wen", "iwan4+polynomial k3"}, options);
    for (const auto& f : fits) {
        ASSERT_TRUE(f.problem.empty()) << f.law << ": " << f.problem;
        const bool hardens = f.law.find("polynomial") != std::string::npos;
        EXPECT_EQ(f.misfit, !hardens) << f.law << " " << f.omega_rms << " " << f.omega_p << " " << f.zeta_p;
        if (!hardens) continue;
        EXPECT_GT(f.model.back().value, 0) << f.law;
        EXPECT_GT(*f.parameters.back().low, 0) << f.law;  // surely
    }
    EXPECT_EQ(fits.front().law, "iwan4+polynomial k3");
}

TEST(OscillatorFit, SimulatedCurvesAreTheHarmonicOnesOfAWeaklyNonlinearMode) {
    const auto b = iwan_points(0.5, 20, 12);
    const Oscillator mode("iwan4", modal::scales_of(b));
    const auto fit = modal::fit_oscillator(b, "iwan4");
    const auto simulated = modal::simulated_curves(mode, fit.values, b.amplitude);
    for (std::size_t i = 2; i + 2 < b.size(); ++i) {
        EXPECT_NEAR(simulated.omega(Eigen::Index(i)), b.omega[i], 2e-4 * b.omega[i]);
        EXPECT_NEAR(simulated.zeta(Eigen::Index(i)), b.zeta[i], 0.05 * b.zeta[i]);
    }
}

TEST(OscillatorFit, BadLawsAreRefused) {
    const auto b = iwan_points(0.5, 500, 12);
    for (const char* law : {"no-such-law", "iwan4+polynomial k2", "iwan4+polynomial k3,k3", "polynomial k3+iwan4"})
        EXPECT_THROW(Oscillator(law, modal::scales_of(b)), core::BadInput) << law;
    EXPECT_THROW(modal::fit_oscillator(iwan_points(1, 2, 3), "iwan4"), core::BadInput);
}

}  // namespace
