// A law by name, along a path and in steady cycles.

#include <fmt/format.h>

#include "faying/laws/catalogue.hpp"

int main() {
    // 1. A law and its parameters. `faying laws iwan4` lists keys, units and ranges.
    const faying::laws::Law law("iwan4", {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}});

    // 2. Along a path: force, tangent and the energy friction has kept, at every point.
    const auto h = law.follow({0, 8, -4, 6, 20});
    for (std::size_t i = 0; i < h.u.size(); ++i)
        fmt::print("u {:6.2f}  f {:9.5f}  df/du {:8.5f}  dissipated {:9.5f}\n", h.u[i], h.f[i], h.tangent[i],
                   h.dissipated[i]);

    // 3. In steady cycling: in microslip, dissipation grows as amplitude^(chi + 3).
    const double small = law.cycle(0.01).dissipation, ten_times = law.cycle(0.1).dissipation;
    const double slope = std::log10(ten_times / small);
    fmt::print("log-log slope of dissipation: {:.12f}\n", slope);
    return std::abs(slope - 2.5) < 1e-12 ? 0 : 1;
}
