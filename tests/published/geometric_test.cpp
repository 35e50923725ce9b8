// [S1]: the oscillator with a cubic spring and an Iwan joint, and the panel on slipping supports.

#include <algorithm>

#include "faying/fe/deck.hpp"
#include "faying/geometric/ignl.hpp"
#include "published/scoreboard.hpp"
#include "reference.hpp"

namespace {

using namespace faying;
using namespace faying::geometric;
using tests::expect_row;

std::string example(const std::string& name) { return tests::source_dir() + "/examples/panel/" + name; }

TEST(PublishedGeometric, Oscillator) {
    auto it = open_structure(example("sdof.toml"));
    const Mode mode = linear_mode(it.stuck(), it.rest, 1);
    auto peaks = tests::reference("ignl_sdof")["K3=5.396e+10"]["peak_table"].get<std::vector<nlohmann::json>>();
    std::sort(peaks.begin(), peaks.end(), [](const auto& a, const auto& b) { return a["q"] < b["q"]; });
    std::vector<double> q;
    for (const auto& p : peaks) q.push_back(p["q"]);
    const auto r = ignl(it, mode, q);
    double frequency = 0, eq32 = 0, tangent = 0;
    for (std::size_t i = 0; i < q.size(); ++i) {
        const auto error = [&](double ours, const char* key) {
            return 100 * std::abs(ours / peaks[i][key].get<double>() - 1);
        };
        frequency = std::max(frequency, error(r.points[i].omega, "omega"));
        eq32 = std::max(eq32, error(r.points[i].zeta_eq32, "zeta"));
        tangent = std::max(tangent, error(r.points[i].zeta_tangent, "zeta"));
    }
    expect_row("IG1", {frequency});
    expect_row("IG2", {eq32, tangent});

    ModalPath path(it.slipping(), it.rest, mode);
    const double top = path.to(path.by_load(5000)).q;
    auto soft = open_structure(example("sdof_softening.toml"));
    const auto s = ignl(soft, linear_mode(soft.stuck(), soft.rest, 1), {0.01, 0.02}, {.loops = false});
    expect_row("IG3", {top, s.stuck_folds.at(0).alpha, s.slip_folds.at(0).alpha});
}

TEST(PublishedGeometric, Panel) {
    auto it = open_structure(example("panel.toml"));
    const Mode mode = linear_mode(it.stuck(), it.rest, 1);
    const double rise = it.rest.u(it.solid->row(fe::find_node(*it.deck, 443), 2));
    expect_row("IG4", {mode.omega / (2 * M_PI), 1e3 * rise});
    const auto p = ignl(it, mode, {1.8e-3}, {.order = 5, .grid = 20}).points[0];
    expect_row("IG5", {p.loop, p.masing_positive / p.loop, p.masing_negative / p.loop});
}

}  // namespace
