// Parameter derivatives come from the same code, run on dual numbers.

#include <fmt/format.h>

#include "faying/laws/cycle.hpp"
#include "faying/laws/iwan.hpp"

int main() {
    using faying::core::Dual;
    using namespace faying::laws;

    // 1. Seed a direction a parameter.
    const Iwan4<Dual> law({Dual(10.0, 0), Dual(1.0, 1), Dual(-0.5, 2), Dual(5.0, 3)});

    // 2. Any answer now carries its derivatives.
    const auto cycle = steady_cycle(law, 2.0);
    const char* keys[] = {"FS", "KT", "chi", "beta"};
    for (int i = 0; i < 4; ++i)
        fmt::print("d dissipation / d {:<4} = {:12.8f}   d stiffness / d {:<4} = {:12.8f}\n", keys[i],
                   cycle.dissipation.v[i], keys[i], cycle.harmonic_stiffness.v[i]);

    // 3. Against a central difference in chi.
    const double h = 1e-6;
    const auto at = [](double chi) { return steady_cycle(Iwan4<>({10, 1, chi, 5}), 2.0).dissipation; };
    const double difference = (at(-0.5 + h) - at(-0.5 - h)) / (2 * h);
    fmt::print("central difference in chi  = {:12.8f}\n", difference);
    return std::abs(cycle.dissipation.v[2] - difference) < 1e-8 ? 0 : 1;
}
