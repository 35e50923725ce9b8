#pragma once
// Tells the author of a law which invariant it breaks.
//
//     for (const auto& f : check_law(MyLaw{..}, {.amplitude = 1e-5})) std::cout << f.invariant << ": " << f.evidence;
//
// Drives the law along random walks (fixed seed) within the given amplitude and holds it to its Claims. An empty answer
// means nothing was found, not a proof.

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "faying/core/stop.hpp"
#include "faying/laws/law.hpp"

namespace faying::laws {

struct Finding {
    std::string invariant;
    std::string evidence;
};

struct CheckOptions {
    double amplitude = 1.0;  ///< largest displacement tried
    int walks = 20;          ///< random histories
    int turns = 12;          ///< reversals in each
    unsigned seed = 1;
};

namespace detail {

std::string describe(const char* quantity, double got, double expected, double at);

/// Collects the first breach of each invariant.
class Findings {
 public:
    void expect(bool held, const char* invariant, const std::string& evidence) {
        if (held) return;
        for (const auto& f : list_)
            if (f.invariant == invariant) return;
        list_.push_back({invariant, evidence});
    }
    std::vector<Finding> take() { return std::move(list_); }

 private:
    std::vector<Finding> list_;
};

}  // namespace detail

template <HysteresisLaw L>
requires std::same_as<typename L::Scalar, double> std::vector<Finding> check_law(const L& law,
                                                                                 const CheckOptions& options = {}) {
    const Claims claims = claims_of(law);
    detail::Findings findings;
    std::mt19937_64 random(options.seed);
    const auto draw = [&] { return options.amplitude * (2.0 * (random() >> 11) * 0x1.0p-53 - 1.0); };
    const auto step = [&](const typename L::State& z, double u) { return law.step(z, u); };

    for (int walk = 0; walk < options.walks; ++walk) {
        auto z = law.virgin();
        auto mirror = law.virgin();
        double at = 0, dissipated = 0, work = 0, force_scale = 0;
        for (int turn = 0; turn < options.turns; ++turn) {
            core::stop_point();
            const double to = draw();
            const auto s = step(z, to);
            findings.expect(std::isfinite(s.force) && std::isfinite(s.tangent) && std::isfinite(s.dissipated) &&
                                std::isfinite(s.work),
                            "finite answers", detail::describe("force", s.force, 0, to));
            if (!std::isfinite(s.force)) return findings.take();
            force_scale = std::max(force_scale, std::abs(s.force));
            const double small = 1e-9 * force_scale;

            const auto twice = step(z, to);
            findings.expect(twice.force == s.force && twice.dissipated == s.dissipated, "a pure step",
                            detail::describe("the same step, called again, gives force", twice.force, s.force, to));

            const auto still = step(s.next, to);
            findings.expect(std::abs(still.force - s.force) <= small, "a step of no length changes nothing",
                            detail::describe("force after standing still", still.force, s.force, to));

            if (claims.cut_tolerance > 0) {
                const double part = at + (to - at) * (0.05 + 0.9 * (random() >> 11) * 0x1.0p-53);
                const auto cut = step(step(z, part).next, to);
                findings.expect(std::abs(cut.force - s.force) <= claims.cut_tolerance * 10 * force_scale,
                                "path-cut independence",
                                detail::describe("force after a cut path", cut.force, s.force, to));
                findings.expect(std::abs(cut.dissipated - s.dissipated) <=
                                    claims.cut_tolerance * 100 * force_scale * options.amplitude,
                                "path-cut independence of dissipation",
                                detail::describe("dissipation after a cut path", cut.dissipated, s.dissipated, to));
            }
            // Tangent and work: the end of the branch just travelled, by central differences inside it.
            const double h = 1e-6 * std::abs(to - at);
            const double inside = at + 0.7 * (to - at);
            const auto low = step(z, inside - h), mid = step(z, inside), high = step(z, inside + h);
            const double slope = (high.force - low.force) / (2 * h);
            const double kink = std::abs(high.tangent - low.tangent);
            if (claims.continuous) {
                findings.expect(std::abs(slope - mid.tangent) <=
                                    1e-5 * std::abs(mid.tangent) + kink + 1e-8 * force_scale / std::abs(to - at),
                                "tangent is the slope of the force",
                                detail::describe("tangent", mid.tangent, slope, inside));
                if (drive_of(law) == Drive::displacement) {
                    const double power = (high.work - low.work) / (2 * h);
                    findings.expect(
                        std::abs(power - mid.force) <= 1e-4 * force_scale + std::abs(high.force - low.force),
                        "work is the integral of the force", detail::describe("d work / du", power, mid.force, inside));
                }
            }
            if (claims.dissipative)
                findings.expect(s.dissipated >= dissipated - 1e-9 * force_scale * options.amplitude,
                                "dissipation never decreases",
                                detail::describe("dissipated", s.dissipated, dissipated, to));
            if (claims.odd) {
                const auto opposite = step(mirror, -to);
                findings.expect(std::abs(opposite.force + s.force) <= small, "odd symmetry",
                                detail::describe("force of the mirrored history", opposite.force, -s.force, -to));
                mirror = opposite.next;
                const double tangent = step(mirror, -to).tangent;
                findings.expect(
                    std::abs(tangent - still.tangent) <= 1e-9 * std::abs(tangent) + small / options.amplitude,
                    "odd symmetry",
                    detail::describe("mirrored tangent after standing still", tangent, still.tangent, -to));
            }
            if (claims.return_point) {  // a small loop inside the last branch is forgotten
                const double back = to + 0.3 * (at - to);
                const auto again = step(step(s.next, back).next, to);
                findings.expect(std::abs(again.force - s.force) <= small, "return-point memory",
                                detail::describe("force on returning to a reversal", again.force, s.force, to));
                const double beyond = to + 0.2 * (to - at);
                const auto direct = step(z, beyond), after = step(again.next, beyond);
                findings.expect(
                    std::abs(direct.force - after.force) <= small, "return-point memory",
                    detail::describe("force beyond a closed minor loop", after.force, direct.force, beyond));
            }
            if (claims.masing && turn == 0) {  // the branch back is the virgin curve, doubled
                const double back = 0.37 * to;
                const auto branch = step(s.next, back);
                const auto curve = step(law.virgin(), 0.5 * (to - back));
                findings.expect(std::abs(branch.force - (s.force - 2 * curve.force)) <= small, "Masing's rule",
                                detail::describe("force on the first unloading branch", branch.force,
                                                 s.force - 2 * curve.force, back));
            }
            dissipated = s.dissipated;
            work = s.work;
            z = s.next;
            at = to;
        }
        findings.expect(std::isfinite(work), "finite answers", "work is not finite");
    }
    return findings.take();
}

}  // namespace faying::laws
