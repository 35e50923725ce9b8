// The page of --modes: spectrum with the bands, spectra of later and later parts, decays, backbones with bounds.

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "faying/results/ring_modes.hpp"
#include "faying/signal/lines.hpp"

namespace faying::results {

namespace {

/// As many points as a page shows: the greatest of each bunch, so that no peak is lost.
io::Curve thinned(std::string label, const std::vector<double>& x, const std::vector<double>& y, double highest) {
    io::Curve curve{std::move(label), {}, {}, {}};
    const auto end = std::size_t(std::upper_bound(x.begin(), x.end(), highest) - x.begin());
    const std::size_t bunch = std::max<std::size_t>(1, end / 3000);
    for (std::size_t i = 1; i < end; i += bunch) {
        std::size_t top = i;
        for (std::size_t k = i; k < std::min(i + bunch, end); ++k)
            if (y[k] > y[top]) top = k;
        curve.x.push_back(x[top]);
        curve.y.push_back(y[top]);
    }
    return curve;
}

double highest_shown(const RingModesRun& run) {
    double highest = 0;
    for (const auto& m : run.found.modes) highest = std::max(highest, 1.3 * m.band.high);
    return std::min(highest, 0.5 / run.channels[0].step);
}

io::Panel spectrum_panel(const RingModesRun& run) {
    const auto& part = run.found.parts[0];
    const double length = std::min(part.to - part.from, 200 / run.found.modes[0].frequency);
    const auto s = signal::amplitude_spectrum(run.channels, part.from, part.from + length, 1);
    io::Panel panel{"spectrum and bands", {"frequency / Hz", false}, {"amplitude", true}, {}};
    double top = 0;
    for (std::size_t c = 0; c < run.names.size(); ++c) {
        panel.curves.push_back(thinned(run.names[c], s.frequency, s.amplitude[c], highest_shown(run)));
        for (const double y : panel.curves.back().y) top = std::max(top, y);
    }
    for (std::size_t k = 0; k < run.found.modes.size(); ++k) {
        const auto& m = run.found.modes[k];
        panel.curves.push_back(
            {fmt::format("band of mode {}", k + 1), {m.band.low, m.band.high}, {2 * top, 2 * top}, {}});
    }
    return panel;
}

/// A spectrogram as lines: spectra of parts that begin later and later.
io::Panel later_spectra(const RingModesRun& run) {
    const auto& part = run.found.parts[0];
    io::Panel panel{"spectra of later parts (greatest channel)", {"frequency / Hz", false}, {"amplitude", true}, {}};
    constexpr int slices = 8;
    const double length = (part.to - part.from) / slices;
    for (int k = 0; k < slices; ++k) {
        const double from = part.from + k * length;
        const auto s = signal::amplitude_spectrum(run.channels, from, from + length, 1);
        std::vector<double> greatest(s.frequency.size(), 0.0);
        for (const auto& channel : s.amplitude)
            for (std::size_t i = 0; i < greatest.size(); ++i) greatest[i] = std::max(greatest[i], channel[i]);
        panel.curves.push_back(
            thinned(fmt::format("{:.3g} to {:.3g} s", from, from + length), s.frequency, greatest, highest_shown(run)));
    }
    return panel;
}

std::string label_of(const RingModesRun& run, std::size_t k) {
    const auto& m = run.found.modes[k];
    return fmt::format("mode {} ({:.5g} Hz{})", k + 1, m.frequency, m.trusted ? "" : ", not trusted");
}

io::Panel decay_panel(const RingModesRun& run) {
    io::Panel panel{"decays in their bands", {"t / s", false}, {"amplitude", true}, {}};
    for (std::size_t k = 0; k < run.found.modes.size(); ++k)
        for (const auto& decay : run.found.modes[k].decays) {
            io::Curve curve{label_of(run, k), {}, {}, {}};
            for (std::size_t i = 0; i < decay.values.size(); ++i) {
                curve.x.push_back(decay.time(i));
                curve.y.push_back(std::exp(decay.values[i]));
            }
            panel.curves.push_back(std::move(curve));
        }
    return panel;
}

struct Backbones {
    io::Panel frequency, damping;
};

/// Points of both methods and the curve with its bounds; frequencies over that at the least amplitude.
Backbones backbone_panels(const RingModesRun& run) {
    const io::Axis amplitude{
        fmt::format("amplitude at {}", run.request.channel.empty() ? run.names[0] : run.request.channel), true};
    Backbones made{{"frequency over that at the least amplitude", amplitude, {"change / %", false}, {}},
                   {"damping", amplitude, {"damping ratio zeta", true}, {}}};
    for (std::size_t k = 0; k < run.found.modes.size(); ++k) {
        const auto& m = run.found.modes[k];
        if (run.request.mode > 0 && run.request.mode != int(k) + 1) continue;
        const double base = 2 * std::numbers::pi * m.frequency;
        const auto change = [&](double omega) { return 100 * (omega / base - 1); };
        const int own = int(made.frequency.curves.size());
        io::Curve f{label_of(run, k), {}, {}, {}}, z = f;
        for (const auto& p : m.points) {
            f.marks.push_back(f.x.size());
            f.x.push_back(p.amplitude);
            f.y.push_back(change(p.omega));
            z.y.push_back(p.zeta);
        }
        z.x = f.x;
        z.marks = f.marks;
        made.frequency.curves.push_back(std::move(f));
        made.damping.curves.push_back(std::move(z));
        if (!m.backbone) continue;
        for (const bool high : {false, true}) {
            io::Curve fb{fmt::format("mode {}, 95 % {}", k + 1, high ? "high" : "low"), {}, {}, {}, own}, zb = fb;
            for (const auto& p : m.backbone->points) {
                fb.x.push_back(p.amplitude);
                fb.y.push_back(change(high ? p.omega_mean.high : p.omega_mean.low));
                zb.y.push_back(high ? p.zeta_mean.high : p.zeta_mean.low);
            }
            zb.x = fb.x;
            made.frequency.curves.push_back(std::move(fb));
            made.damping.curves.push_back(std::move(zb));
        }
    }
    return made;
}

}  // namespace

io::Figure figure(const RingModesRun& run) {
    io::Figure figure{"Modes of a ring-down", fmt::format("{}", fmt::join(run.request.files, ", ")), {}, {}};
    auto backbones = backbone_panels(run);
    figure.panels = {spectrum_panel(run), later_spectra(run), decay_panel(run), std::move(backbones.frequency),
                     std::move(backbones.damping)};
    figure.table = {{"mode", "frequency / Hz", "amplitudes", "damping / %", "trusted", "remarks"}};
    for (std::size_t k = 0; k < run.found.modes.size(); ++k) {
        const auto& m = run.found.modes[k];
        double low = m.points[0].zeta, high = low, least = m.points[0].amplitude, most = least;
        for (const auto& p : m.points) {
            low = std::min(low, p.zeta), high = std::max(high, p.zeta);
            least = std::min(least, p.amplitude), most = std::max(most, p.amplitude);
        }
        std::string remarks;
        for (const auto& r : m.remarks) remarks += (remarks.empty() ? "" : "; ") + r.text;
        figure.table.push_back(
            {fmt::format("{}", k + 1), fmt::format("{:.6g}", m.frequency), fmt::format("{:.3g} to {:.3g}", least, most),
             fmt::format("{:.3g} to {:.3g}", 100 * low, 100 * high), m.trusted ? "yes" : "no", remarks});
    }
    for (const auto& o : run.found.others)
        if (o.combination)
            figure.table.push_back({"-", fmt::format("{:.6g}", o.line.frequency),
                                    fmt::format("{:.3g}", o.line.amplitude), "", "no mode", o.why});
    return figure;
}

}  // namespace faying::results
