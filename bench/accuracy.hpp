#pragma once
// How wrong the dissipation of 200 sliders is where joints work: steady loops in microslip.

#include <algorithm>
#include <cmath>

#include "faying/laws/iwan.hpp"
#include "faying/laws/iwan_sliders.hpp"

namespace faying::bench {

struct SliderError {
    double exact = 0.0;    ///< iwan4 stepped around its loop, against the closed form D = 4 d0(A)
    double sliders = 0.0;  ///< iwan4-sliders stepped around the same loop
};

/// Dissipation of the second of two loops of amplitude A.
template <class L>
double loop_dissipation(const L& law, double amplitude) {
    auto z = law.virgin();
    double before = 0.0, after = 0.0;
    for (const double u : {1.0, -1.0, 1.0, -1.0, 1.0}) {
        auto s = law.step(std::move(z), amplitude * u);
        before = u == 1.0 ? after : before;
        after = u == 1.0 ? s.dissipated : after;
        z = std::move(s.next);
    }
    return after - before;
}

/// Largest relative error over amplitudes from 1e-4 of the onset of macroslip up to half of it.
inline SliderError slider_error() {
    using namespace faying::laws;
    const double FS = 10.0, KT = 1.0, chi = -0.5, beta = 5.0;
    const Iwan4<> exact({FS, KT, chi, beta});
    const Iwan4Sliders<> sliders({FS, KT, chi, beta, 200.0, 1.05});
    const IwanPopulation<double> population(FS, KT, chi, beta);
    SliderError worst;
    for (double a = 1e-4; a <= 0.5; a *= 1.1) {
        const double A = a * population.phi_max;
        const double D = 4.0 * population.c * (chi + 1.0) / (chi + 3.0) * std::pow(A, chi + 3.0);
        worst.exact = std::max(worst.exact, std::abs(loop_dissipation(exact, A) / D - 1.0));
        worst.sliders = std::max(worst.sliders, std::abs(loop_dissipation(sliders, A) / D - 1.0));
    }
    return worst;
}

}  // namespace faying::bench
