// Random parameter sets of the 26 variants within [S0] Appendix A, modes 1 to 3, 20 amplitudes over three decades: how
// many points converge. The whole joint is the Brake-Reuss beam's of data/, the full joint synthetic
// (tests/modes/lap_joint.hpp).
//
//     bench_robustness [SETS [FULL_SETS]]          # parameter sets of each whole-joint and full-joint variant
//     bench_robustness 200 2 "elastic dry"         # only variants so named, and where each failure is (stderr)

#include <fmt/format.h>

#include <chrono>

#include "faying/study/variants.hpp"
#include "modes/lap_joint.hpp"

int main(int argc, char** argv) {
    using namespace faying;
    using namespace faying::study;
    const int sets = argc > 1 ? std::atoi(argv[1]) : 200, full_sets = argc > 2 ? std::atoi(argv[2]) : 2;
    const std::string only = argc > 3 ? argv[3] : "";
    const auto whole = structure::read_reduced(FAYING_DATA_DIR "/brake_reuss/whole_joint.h5");
    const auto full = tests::full_joint();
    std::vector<double> amplitudes;
    for (int i = 0; i < 20; ++i) amplitudes.push_back(1e-5 * std::pow(1e3, i / 19.0));
    fmt::print("{:42} {:>6} {:>8} {:>10} {:>9} {:>9} {:>8} {:>9}\n", "variant", "sets", "points", "converged", "share",
               "negative", "thrown", "seconds");
    long all = 0, good = 0;
    for (const auto& v : all26()) {
        if (v.title.find(only) == std::string::npos) continue;
        std::mt19937_64 random(1);
        long points = 0, converged = 0, negative = 0, thrown = 0;
        const auto start = std::chrono::steady_clock::now();
        std::unique_ptr<modes::Interface> interface;
        for (int set = 0; set < (v.full ? full_sets : sets); ++set) {
            const auto model = model_of(v, v.full ? full : whole, draw(v, &random), {{"preload", 12845.0}});
            if (!interface) interface = std::make_unique<modes::Interface>(model);
            for (int mode = 1; mode <= 3; ++mode) {
                try {
                    for (const auto& p : modes::backbone(model, *interface, mode, amplitudes, backbone_options(v))) {
                        ++points;
                        converged += p.converged;
                        negative += p.converged && p.dissipation < 0;
                        if (!only.empty() && !p.converged)
                            fmt::print(stderr, "set {} mode {} q {:.4g}: residual {:.2g}, {} half loops, {} steps\n",
                                       set, mode, p.q, p.residual, p.loops, p.iterations);
                    }
                } catch (const std::exception& error) {
                    points += long(amplitudes.size());
                    if (++thrown == 1) fmt::print(stderr, "{}: {}\n", v.title, error.what());
                }
            }
        }
        all += points;
        good += converged;
        fmt::print("{:42} {:6} {:8} {:10} {:8.3f}% {:9} {:8} {:9.2f}\n",
                   fmt::format("{} ({}, {})", v.title, v.full ? "full" : "whole",
                               v.framework == modes::Framework::masing ? "Masing" : "loops"),
                   v.full ? full_sets : sets, points, converged,
                   points ? 100.0 * double(converged) / double(points) : 0.0, negative, thrown,
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        std::fflush(stdout);
    }
    fmt::print("all: {} of {} points, {:.3f} %\n", good, all, 100.0 * double(good) / double(std::max(all, 1l)));
}
