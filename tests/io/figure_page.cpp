// figure_page FOLDER: writes page.html and figure.svg there, for page_test.py and for looking at.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "faying/io/csv.hpp"
#include "faying/io/plot.hpp"
#include "faying/io/ticks.hpp"

using namespace faying::io;

namespace {

/// Elastic-perfectly-plastic loop: to amplitude, then one full cycle.
Curve jenkins(const std::string& label, double stiffness, double slip_force, double amplitude) {
    Curve curve{label, {}, {}, {}};
    double force = 0, before = 0;
    for (const double turn : {0.0, amplitude, -amplitude, amplitude}) {
        const double from = before;
        for (int k = 1; k <= 100; ++k) {
            const double u = from + (turn - from) * k / 100;
            force = std::clamp(force + stiffness * (u - before), -slip_force, slip_force);
            before = u;
            curve.x.push_back(u);
            curve.y.push_back(force);
        }
        curve.marks.push_back(curve.x.size() - 1);
    }
    return curve;
}

/// D = c A^n over six decades of amplitude: far below where plotting libraries stop drawing axes.
Curve dissipation(const std::string& label, double coefficient, double power) {
    Curve curve{label, {}, {}, {}};
    for (int k = 0; k <= 60; ++k) {
        const double amplitude = std::pow(10.0, -9 + 0.1 * k);
        curve.x.push_back(amplitude);
        curve.y.push_back(coefficient * std::pow(amplitude, power));
    }
    return curve;
}

/// What web/ticks.js must say too.
nlohmann::json tick_cases() {
    nlohmann::json cases = nlohmann::json::array();
    for (const bool logarithmic : {false, true})
        for (const double size : {1.0, 3.7e-21, 6.2e14})
            for (const double low : {1.0, 0.96, 0.2, 1e-3, 1e-9, -0.37})
                for (const int count : {3, 6, 9}) {
                    if (logarithmic && low < 0) continue;
                    const Range range = padded(low * size, 1.02 * size, logarithmic);
                    nlohmann::json expected = nlohmann::json::array();
                    for (const auto& tick : ticks(range, logarithmic, count))
                        expected.push_back({tick.value, tick.label});
                    cases.push_back({{"low", low * size},
                                     {"high", 1.02 * size},
                                     {"logarithmic", logarithmic},
                                     {"count", count},
                                     {"ticks", expected}});
                }
    return cases;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "figure_page FOLDER\n");
        return 2;
    }
    const std::string folder = argv[1];
    Figure figure;
    figure.title = "Jenkins element </script><b>&amp; \"quotes\"";
    figure.subtitle = "k\u209c = 1 MN/m, two slip forces; dissipation a cycle over six decades";
    auto gap = jenkins("f\u209b = 0.9 N, softer", 0.7e6, 0.9, 2e-6);
    std::fill(gap.y.begin() + 270, gap.y.begin() + 280, std::numeric_limits<double>::quiet_NaN());
    figure.panels = {
        {"Hysteresis loop",
         {"displacement u [m]"},
         {"force f [N]"},
         {jenkins("f\u209b = 1.4 N <img onerror=alert(1)>", 1e6, 1.4, 2.5e-6), gap}},
        {"Dissipation a cycle",
         {"amplitude A [m]", true},
         {"D [J]", true},
         {dissipation("microslip, A\u207f with n = 2.4", 3e-2, 2.4), dissipation("viscous, A\u00b2", 1e-3, 2.0)}},
    };
    figure.table = {{"curve", "k [N/m]", "D [J]"}, {"first <i>", "1e6", "3.1e-6"}, {"second", "1e6", "2.0e-6"}};
    write_file(folder + "/page.html", figure_html(figure));
    write_file(folder + "/figure.svg", figure_svg(figure));
    write_file(folder + "/ticks.json", tick_cases().dump());
}
