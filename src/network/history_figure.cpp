#include "faying/network/history_figure.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>

namespace faying::network {

namespace {

std::vector<double> at(const std::vector<double>& all, const std::vector<std::size_t>& which) {
    std::vector<double> some;
    for (const std::size_t i : which) some.push_back(all[i]);
    return some;
}

/// A line for every stretch of the history in which a slider slips, at the height of its rank; a gap between lines.
io::Curve slip_lines(const NetworkHistory& h, const std::vector<double>& along) {
    std::vector<std::vector<std::size_t>> points;  // by rank: where it slips
    std::map<std::int32_t, std::size_t> rank;
    for (std::size_t k = 0; k < h.slippers.size(); ++k)
        for (const auto slider : h.slippers[k]) {
            const auto [found, is_new] = rank.try_emplace(slider, points.size());
            if (is_new) points.emplace_back();
            points[found->second].push_back(k);
        }
    io::Curve curve{.label = "slips", .x = {}, .y = {}};
    const double gap = std::numeric_limits<double>::quiet_NaN();
    const auto add = [&](double x, double y) {
        curve.x.push_back(x);
        curve.y.push_back(y);
    };
    for (std::size_t r = 0; r < points.size(); ++r)
        for (std::size_t k = 0; k < points[r].size(); ++k) {
            const std::size_t i = points[r][k];
            const bool begins = k == 0 || points[r][k - 1] + 1 != i;
            const bool ends = k + 1 == points[r].size() || points[r][k + 1] != i + 1;
            if (begins) add(along[i > 0 ? i - 1 : 0], double(r + 1));
            if (ends) {
                add(along[i], double(r + 1));
                add(along[i], gap);
            }
        }
    return curve;
}

std::vector<double> or_numbers(const std::vector<double>& times, std::size_t count) {
    if (!times.empty()) return times;
    std::vector<double> numbers;
    for (std::size_t i = 0; i < count; ++i) numbers.push_back(double(i + 1));
    return numbers;
}

}  // namespace

io::Table history_table(const NetworkHistory& h, bool by_force, const std::vector<double>& times,
                        const std::vector<std::size_t>& report) {
    io::Table table;
    const auto add = [&](const char* name, const std::vector<double>& column) {
        table.names.emplace_back(name);
        table.columns.push_back(at(column, report));
    };
    if (!times.empty()) add("t", times);
    if (!by_force) add("u", h.load);
    add("f", by_force ? h.load : h.answer);
    add("xi", h.xi);
    add("work", h.work);
    add("dissipated", h.dissipated);
    add("stored", h.stored);
    add("slipping", std::vector<double>(h.slipping.begin(), h.slipping.end()));
    return table;
}

io::Figure history_figure(const NetworkHistory& h, bool by_force, const std::vector<double>& times,
                          const std::string& title) {
    const auto along = or_numbers(times, h.load.size());
    const io::Axis time{times.empty() ? "point of the history" : "time t / s", false};
    io::Figure figure;
    figure.title = title;
    figure.subtitle = fmt::format("{} sliders, {} events", h.positions.size(), h.events);
    const io::Axis force{"force f / N", false};
    const io::Axis displacement{by_force ? "displacement xi = b.x / m" : "displacement u / m", false};
    io::Curve loop = by_force ? io::Curve{.label = "f", .x = h.xi, .y = h.load}
                              : io::Curve{.label = "f", .x = h.load, .y = h.answer};
    figure.panels.push_back({"loop", displacement, force, {std::move(loop)}});
    figure.panels.push_back(
        {"energies",
         time,
         {"energy / J", false},
         {{.label = "dissipated", .x = along, .y = h.dissipated}, {.label = "stored", .x = along, .y = h.stored}}});
    figure.panels.push_back(
        {"which sliders slip when", time, {"slider, in the order of first slip", false}, {slip_lines(h, along)}});
    figure.panels.push_back(
        {"how many slip",
         time,
         {"sliders", false},
         {{.label = "slipping", .x = along, .y = std::vector<double>(h.slipping.begin(), h.slipping.end())}}});
    return figure;
}

}  // namespace faying::network
