// A small sample of bench/robustness: random parameter sets of the 26 variants within [S0] Appendix A.

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>

#include "faying/files/reduced.hpp"
#include "faying/study/variants.hpp"
#include "modes/lap_joint.hpp"
#include "source_dir.hpp"

namespace {

using namespace faying;

const std::map<std::string, double> preload = {{"preload", 12845.0}};

struct Tally {
    long points = 0, converged = 0;
};

/// A converged point is a solution that dissipates; any other says so and shows a residual above the tolerance.
void count(const modes::BackbonePoint& p, double tolerance, const std::string& where, Tally& tally) {
    ++tally.points;
    if (!p.converged) {
        EXPECT_GT(p.residual, tolerance) << where;
        return;
    }
    ++tally.converged;
    EXPECT_LE(p.residual, tolerance) << where;
    EXPECT_GE(p.dissipation, 0.0) << where;
    EXPECT_GT(p.omega, 0.0) << where;
    EXPECT_TRUE(std::isfinite(p.omega) && std::isfinite(p.zeta)) << where;
}

Tally sample(const structure::Reduced& reduced, bool full, const std::function<int(const study::Variant&)>& sets) {
    std::vector<double> amplitudes;
    for (int i = 0; i < 20; ++i) amplitudes.push_back(1e-5 * std::pow(1e3, i / 19.0));
    Tally tally;
    for (const auto& v : study::all26()) {
        if (v.full != full) continue;
        std::mt19937_64 random(1);
        std::unique_ptr<modes::Interface> interface;
        const auto options = study::backbone_options(v);
        for (int set = 0; set < sets(v); ++set) {
            const auto model = study::model_of(v, reduced, study::draw(v, &random), preload);
            if (!interface) interface = std::make_unique<modes::Interface>(model);
            for (int mode = 1; mode <= 3; ++mode)
                for (const auto& p : modes::backbone(model, *interface, mode, amplitudes, options))
                    count(p, options.tolerance,
                          v.title + ", set " + std::to_string(set) + ", mode " + std::to_string(mode) + ", q " +
                              std::to_string(p.q),
                          tally);
        }
    }
    return tally;
}

TEST(Robustness, WholeJointVariantsConverge) {
    const auto whole = files::read_reduced(tests::source_dir() + "/data/brake_reuss/whole_joint.h5");
    // Elastic dry friction opens and slips at once: the hard one.
    const auto tally = sample(whole, false, [](const study::Variant& v) { return v.contact ? 20 : 3; });
    EXPECT_GE(double(tally.converged), 0.999 * double(tally.points)) << tally.converged << " of " << tally.points;
}

/// With too few Newton steps allowed many loops are lost half way, some after a pass that went well. Whatever still
/// says that it converged is the answer that enough steps give.
TEST(Robustness, LoopsLostHalfWaySaySo) {
    const auto whole = files::read_reduced(tests::source_dir() + "/data/brake_reuss/whole_joint.h5");
    std::vector<double> amplitudes;
    for (int i = 0; i < 8; ++i) amplitudes.push_back(5e-4 * std::pow(10.0, i / 7.0));
    long lost = 0;
    for (const auto& v : study::all26()) {
        if (v.full || !v.contact || v.framework != modes::Framework::loops) continue;
        std::mt19937_64 random(1);
        for (int set = 0; set < 12; ++set) {
            const auto model = study::model_of(v, whole, study::draw(v, &random), preload);
            auto options = study::backbone_options(v);
            const auto right = modes::backbone(model, 3, amplitudes, options);
            options.most_iterations = 3 + set % 4;
            options.most_halvings = 30;
            options.most_steps = 60 * (1 + set % 4);
            const auto hasty = modes::backbone(model, 3, amplitudes, options);
            for (std::size_t i = 0; i < amplitudes.size(); ++i) {
                ASSERT_TRUE(right[i].converged);
                if (!hasty[i].converged) {
                    ++lost;
                    EXPECT_GT(hasty[i].residual, options.tolerance);
                    continue;
                }
                EXPECT_NEAR(hasty[i].omega, right[i].omega, 1e-9 * right[i].omega) << set << " " << amplitudes[i];
                EXPECT_NEAR(hasty[i].dissipation, right[i].dissipation, 1e-7 * right[i].dissipation) << set;
            }
        }
    }
    EXPECT_GT(lost, 0);
}

TEST(Robustness, FullJointVariantsConverge) {
    const auto tally = sample(tests::full_joint(6, 3, 20), true, [](const study::Variant&) { return 1; });
    EXPECT_GE(double(tally.converged), 0.999 * double(tally.points)) << tally.converged << " of " << tally.points;
}

}  // namespace
