// What bench/python.py compares the Python module with: the same calls from C++.
//
//     python_baseline MODEL.toml N      one line of JSON: processor seconds, the best of several rounds

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "cpu_time.hpp"
#include "faying/files/model.hpp"
#include "faying/laws/catalogue.hpp"
#include "faying/modes/choice.hpp"

using namespace faying;

namespace {

template <class Work>
double best_of(int rounds, const Work& work) {
    double best = INFINITY;
    for (int k = 0; k < rounds; ++k) {
        const double start = bench::cpu_seconds();
        work();
        best = std::min(best, bench::cpu_seconds() - start);
    }
    return best;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string file = argc > 1 ? argv[1] : "";
    const std::size_t n = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1'000'000;
    const laws::Law law("iwan4", {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}});
    std::vector<double> amplitude(n), dissipation(n), secant(n), stiffness(n), damping(n);
    for (std::size_t i = 0; i < n; ++i) amplitude[i] = 0.01 * std::pow(1e4, double(i) / double(n - 1));
    const double cycles = best_of(7, [&] {
        for (std::size_t i = 0; i < n; ++i) {
            const auto c = law.cycle(amplitude[i]);
            dissipation[i] = c.dissipation;
            secant[i] = c.secant;
            stiffness[i] = c.harmonic_stiffness;
            damping[i] = c.harmonic_damping;
        }
    });
    const auto model = files::read_model(file);
    const modes::Interface interface(model);
    const auto options = modes::suited_options(model);
    std::vector<double> q(10);
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = 1e-6 * std::pow(1e3, double(i) / 9);
    constexpr int calls = 40;
    const double backbone = best_of(7, [&] {
        for (int k = 0; k < calls; ++k) modes::backbone(model, interface, 1, q, options);
    });
    fmt::print("{{\"cycles\": {}, \"backbone\": {}}}\n", cycles, backbone / calls);
}
