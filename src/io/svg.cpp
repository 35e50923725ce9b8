// figure_svg: every length in pixels of a 640 x 480 panel.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "drawing.hpp"
#include "faying/io/ticks.hpp"

namespace faying::io {

namespace {

constexpr double panel_width = 640, panel_height = 480;
constexpr double margin_left = 84, margin_right = 20, margin_bottom = 58;
constexpr double text_size = 14, title_size = 16, line_height = 21;
constexpr std::size_t panels_in_a_row = 3;

// As in web/figure.css and web/figure.js: Okabe and Ito's colours, dashed from the second round on.
constexpr std::array<std::string_view, 7> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#e69f00", "#56b4e9", "#6e7781"};
constexpr std::array<std::string_view, 4> dashes = {"", "8 4", "2 4", "10 4 2 4"};

std::string_view colour(std::size_t curve) { return colours[curve % colours.size()]; }
std::string_view dash(std::size_t curve) { return dashes[curve / colours.size() % dashes.size()]; }

/// Fonts differ from machine to machine: this is on the wide side of a sans-serif.
constexpr double character_width = 0.58;

double width_of(std::string_view text, double size) {
    std::size_t characters = 0;
    for (; !text.empty(); ++characters) text.remove_prefix(std::max<std::size_t>(1, character_length(text)));
    return character_width * size * static_cast<double>(characters);
}

/// Escaped, and cut with an ellipsis where it would not fit.
std::string fitted(std::string_view text, double size, double width) {
    if (width_of(text, size) <= width) return escaped(text);
    const auto room = static_cast<std::size_t>(std::max(1.0, width / (character_width * size) - 1));
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < room; ++i) bytes += std::max<std::size_t>(1, character_length(text.substr(bytes)));
    return escaped(text.substr(0, bytes)) + "\u2026";
}

bool drawable(double value, const Axis& axis) { return std::isfinite(value) && (!axis.logarithmic || value > 0); }

bool drawable(const Panel& panel, const Curve& curve, std::size_t k) {
    return drawable(curve.x[k], panel.x) && drawable(curve.y[k], panel.y);
}

/// Between gaps on both sides: no line shows it, so it is dotted.
bool lone(const Panel& panel, const Curve& curve, std::size_t k) {
    return drawable(panel, curve, k) && (k == 0 || !drawable(panel, curve, k - 1)) &&
           (k + 1 == curve.x.size() || !drawable(panel, curve, k + 1));
}

Range range_of(const Panel& panel, const Axis& axis, std::vector<double> Curve::*values) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const auto& curve : panel.curves) {
        for (std::size_t k = 0; k < curve.x.size(); ++k) {
            if (!drawable(panel, curve, k)) continue;
            low = std::min(low, (curve.*values)[k]);
            high = std::max(high, (curve.*values)[k]);
        }
    }
    if (low > high) return padded(axis.logarithmic ? 1 : 0, axis.logarithmic ? 10 : 1, axis.logarithmic);
    return padded(low, high, axis.logarithmic);
}

/// From values to pixels.
class Scale {
 public:
    Scale(Range range, bool logarithmic, double from, double to)
        : range_(range), logarithmic_(logarithmic), from_(from), to_(to) {}
    double operator()(double value) const {
        const double a = along(range_.low), b = along(range_.high);
        return from_ + (to_ - from_) * ((along(value) - a) / (b - a));
    }
    std::vector<Tick> ticks(int count) const { return io::ticks(range_, logarithmic_, count); }

 private:
    double along(double value) const { return logarithmic_ ? std::log10(value) : value; }
    Range range_;
    bool logarithmic_;
    double from_, to_;
};

class Picture {
 public:
    template <class... T>
    void add(fmt::format_string<T...> format, T&&... values) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<T>(values)...);
    }
    void text(double x, double y, double size, std::string_view anchor, const std::string& content,
              std::string_view more = "") {
        add("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, size, anchor,
            more, content);
    }
    void line(double x1, double y1, double x2, double y2, std::string_view stroke) {
        add("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2, stroke);
    }
    std::string take() { return std::move(text_); }

 private:
    std::string text_;
};

struct LegendEntry {
    double x;
    std::size_t row;
};

/// Entries side by side, wrapped within the width of the plot.
std::vector<LegendEntry> legend_of(const Panel& panel, double width) {
    std::vector<LegendEntry> entries;
    double x = 0;
    std::size_t row = 0;
    for (const auto& curve : panel.curves) {
        const double needed = std::min(width, 34 + width_of(curve.label, text_size) + 18);
        if (x > 0 && x + needed > width) {
            x = 0;
            ++row;
        }
        entries.push_back({x, row});
        x += needed;
    }
    return entries;
}

std::string path_of(const Panel& panel, const Curve& curve, const Scale& x, const Scale& y) {
    std::string path, last;
    bool open = false;
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
        if (!drawable(panel, curve, k)) {
            open = false;
            continue;
        }
        const auto here = fmt::format("{:.2f} {:.2f}", x(curve.x[k]), y(curve.y[k]));
        if (!open)
            path += "M" + here;
        else if (here != last)
            path += "L" + here;
        open = true;
        last = here;
    }
    return path;
}

void draw_axes(Picture& picture, const Panel& panel, const Scale& x, const Scale& y, double top) {
    const double right = panel_width - margin_right, bottom = panel_height - margin_bottom;
    for (const auto& tick : x.ticks(6)) {
        const double at = x(tick.value);
        picture.line(at, bottom, at, bottom + (tick.label.empty() ? 3 : 6), "#57606a");
        if (tick.label.empty()) continue;
        picture.line(at, top, at, bottom, "#e4e7ea");
        picture.text(at, bottom + 21, text_size - 1, "middle", tick.label);
    }
    for (const auto& tick : y.ticks(7)) {
        const double at = y(tick.value);
        picture.line(margin_left - (tick.label.empty() ? 3 : 6), at, margin_left, at, "#57606a");
        if (tick.label.empty()) continue;
        picture.line(margin_left, at, right, at, "#e4e7ea");
        picture.text(margin_left - 10, at + 4.5, text_size - 1, "end", tick.label);
    }
    picture.add("<rect x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#57606a\"/>\n",
                margin_left, top, right - margin_left, bottom - top);
    picture.text((margin_left + right) / 2, panel_height - 14, text_size, "middle",
                 fitted(panel.x.label, text_size, right - margin_left));
    const double middle = (top + bottom) / 2;
    picture.text(20, middle, text_size, "middle", fitted(panel.y.label, text_size, bottom - top),
                 fmt::format(" transform=\"rotate(-90 20 {:.1f})\"", middle));
}

void draw_panel(Picture& picture, const Panel& panel) {
    const double right = panel_width - margin_right, width = right - margin_left;
    const auto legend = legend_of(panel, width);
    const double heading = panel.title.empty() ? 12 : 34;
    const double rows = legend.empty() ? 0 : static_cast<double>(legend.back().row + 1);
    // Many curves: the legend may take half of the panel, the rest of it is not shown.
    const double shown_rows = std::min(rows, std::floor(panel_height / 2 / line_height));
    const double top = heading + line_height * shown_rows + 8;
    if (!panel.title.empty())
        picture.text(margin_left, 24, title_size, "start", fitted(panel.title, title_size, width),
                     " font-weight=\"bold\"");

    const Scale x(range_of(panel, panel.x, &Curve::x), panel.x.logarithmic, margin_left, right);
    const Scale y(range_of(panel, panel.y, &Curve::y), panel.y.logarithmic, panel_height - margin_bottom, top);
    draw_axes(picture, panel, x, y, top);
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
        const auto& curve = panel.curves[i];
        const std::size_t like = curve.dashed_like >= 0 ? static_cast<std::size_t>(curve.dashed_like) : i;
        const std::string_view pattern = curve.dashed_like >= 0 ? dashes[1] : dash(i);
        const auto dashed = pattern.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", pattern);
        picture.add(
            "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\" "
            "stroke-linecap=\"round\"{}/>\n",
            path_of(panel, curve, x, y), colour(like), dashed);
        const auto dot = [&](std::size_t k) {
            picture.add("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3.5\" fill=\"{}\"/>\n", x(curve.x[k]), y(curve.y[k]),
                        colour(like));
        };
        for (const auto k : curve.marks)
            if (drawable(panel, curve, k)) dot(k);
        for (std::size_t k = 0; k < curve.x.size(); ++k)
            if (lone(panel, curve, k)) dot(k);
        if (static_cast<double>(legend[i].row) >= shown_rows) continue;
        const double at = margin_left + legend[i].x;
        const double base = heading + line_height * static_cast<double>(legend[i].row) + 14;
        picture.add("<path d=\"M{:.1f} {:.1f}h26\" stroke=\"{}\" stroke-width=\"3\"{}/>\n", at, base - 4.5,
                    colour(like), dashed);
        picture.text(at + 34, base, text_size, "start", fitted(curve.label, text_size, width - 34));
    }
}

}  // namespace

std::string figure_svg(const Figure& figure) {
    require_drawable(figure);
    const std::size_t columns = std::min(figure.panels.size(), panels_in_a_row);
    const std::size_t rows = (figure.panels.size() + columns - 1) / columns;
    const double width = panel_width * static_cast<double>(columns);
    double head = 0;
    Picture heading;
    for (const auto& [line, size, more] : {std::tuple{figure.title, 20.0, " font-weight=\"bold\""},
                                           std::tuple{figure.subtitle, text_size, " fill=\"#57606a\""}}) {
        if (line.empty()) continue;
        head += 1.5 * size;
        heading.text(20, head, size, "start", fitted(line, size, width - 40), more);
    }
    if (head > 0) head += 10;
    const double height = head + panel_height * static_cast<double>(rows);

    Picture picture;
    picture.add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "font-family=\"sans-serif\" fill=\"#1b1f24\">\n<title>{2}</title>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{3}",
        width, height, escaped(figure.title), heading.take());
    for (std::size_t p = 0; p < figure.panels.size(); ++p) {
        const std::size_t row = p / columns, column = p % columns;
        picture.add("<g transform=\"translate({} {})\" stroke=\"none\">\n", panel_width * static_cast<double>(column),
                    head + panel_height * static_cast<double>(row));
        draw_panel(picture, figure.panels[p]);
        picture.add("</g>\n");
    }
    picture.add("</svg>\n");
    return picture.take();
}

}  // namespace faying::io
