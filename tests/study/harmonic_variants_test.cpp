// Nonlinear modes of the Brake-Reuss whole joint by harmonic balance: every whole-joint variant of [S0], parameters drawn
// within its published ranges, three decades of amplitude. bench_harmonic robust 200 does the same a hundred times.

#include <gtest/gtest.h>

#include <cmath>

#include "faying/files/reduced.hpp"
#include "faying/modes/harmonic_balance.hpp"
#include "faying/study/variants.hpp"
#include "source_dir.hpp"

namespace {

using namespace faying;

TEST(HarmonicVariants, EveryPointConverges) {
    const auto reduced = files::read_reduced(tests::source_dir() + "/data/brake_reuss/whole_joint.h5");
    std::vector<double> amplitudes;
    for (int i = 0; i < 20; ++i) amplitudes.push_back(1e-2 * std::pow(1e3, i / 19.0 - 1.0));
    int variants = 0;
    for (const auto& v : study::all26()) {
        if (v.full) continue;
        ++variants;
        std::mt19937_64 random(20);
        const auto model = study::model_of(v, reduced, study::draw(v, &random), {{"preload", 12845.0}});
        const auto points =
            modes::epmc(model, modes::Interface(model), 1, amplitudes, {.harmonics = core::Harmonics::up_to(3)});
        for (const auto& p : points) {
            EXPECT_TRUE(p.converged) << v.title << " at " << p.a;
            EXPECT_LE(p.residual, 1e-10) << v.title << " at " << p.a;
            // over a period, what drives is what the joints dissipate
            EXPECT_GE(p.dissipation, -1e-12 * p.a * p.a * p.omega * p.omega) << v.title << " at " << p.a;
        }
    }
    EXPECT_EQ(variants, 21);
}

/// A spring of any stiffness beside the mode that is looked for leaves its digits alone.
TEST(HarmonicVariants, StiffSpringsBecomeConstraints) {
    const auto reduced = files::read_reduced(tests::source_dir() + "/data/brake_reuss/whole_joint.h5");
    const auto& v = study::find_variant("iwan4");
    double last = 0;
    for (const double kn : {1e17, 1e19, 1e21}) {
        auto values = study::draw(v, nullptr);
        values["kn"] = kn;
        const auto model = study::model_of(v, reduced, values, {{"preload", 12845.0}});
        const auto points = modes::epmc(model, 1, {1e-4}, {.harmonics = core::Harmonics::up_to(3)});
        ASSERT_TRUE(points[0].converged) << kn;
        if (last > 0) {
            EXPECT_NEAR(points[0].omega / last, 1, kn == 1e19 ? 1e-4 : 1e-6) << kn;
        }
        last = points[0].omega;
    }
}

}  // namespace
