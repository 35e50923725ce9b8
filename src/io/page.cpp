// figure_html: web/figure.html with its scripts, styles and data put in.

#include <cmath>
#include <nlohmann/json.hpp>

#include "drawing.hpp"

namespace faying::io {

/// web/ as cmake/embed.cmake put it into the library.
namespace files {
std::string_view figure_html();
std::string_view figure_css();
std::string_view figure_js();
std::string_view ticks_js();
std::string_view uPlot_iife_min_js();
std::string_view uPlot_min_css();
std::string_view uPlot_LICENSE();
}  // namespace files

namespace {

using nlohmann::ordered_json;

ordered_json describe(const Curve& curve) {
    return {{"label", curve.label}, {"x", curve.x}, {"y", curve.y}, {"marks", curve.marks}};  // NaN becomes null
}

ordered_json describe(const Axis& axis) { return {{"label", axis.label}, {"logarithmic", axis.logarithmic}}; }

ordered_json describe(const Panel& panel) {
    ordered_json curves = ordered_json::array();
    for (const auto& curve : panel.curves) curves.push_back(describe(curve));
    return {{"title", panel.title}, {"x", describe(panel.x)}, {"y", describe(panel.y)}, {"curves", curves}};
}

/// JSON for a script element: '<' only occurs within strings, and escaped it can neither end the element nor open a
/// comment.
std::string data_of(const Figure& figure) {
    ordered_json panels = ordered_json::array();
    for (const auto& panel : figure.panels) panels.push_back(describe(panel));
    const ordered_json data = {
        {"title", figure.title}, {"subtitle", figure.subtitle}, {"panels", panels}, {"table", figure.table}};
    const std::string json = data.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    std::string text;
    text.reserve(json.size());
    for (const char c : json) {
        if (c == '<')
            text += "\\u003c";
        else
            text += c;
    }
    return text;
}

}  // namespace

std::string figure_html(const Figure& figure) {
    require_drawable(figure);
    const std::string title = escaped(figure.title), data = data_of(figure);
    const std::pair<std::string_view, std::string_view> places[] = {{"{{title}}", title},
                                                                    {"{{uplot licence}}", files::uPlot_LICENSE()},
                                                                    {"{{uplot.css}}", files::uPlot_min_css()},
                                                                    {"{{figure.css}}", files::figure_css()},
                                                                    {"{{uplot.js}}", files::uPlot_iife_min_js()},
                                                                    {"{{ticks.js}}", files::ticks_js()},
                                                                    {"{{data}}", data},
                                                                    {"{{figure.js}}", files::figure_js()}};
    // One pass, in the order of the page: what was put in is not searched again.
    std::string_view rest = files::figure_html();
    std::string page;
    for (const auto& [place, content] : places) {
        const auto at = rest.find(place);
        if (at == std::string_view::npos) throw std::logic_error("web/figure.html: no " + std::string(place));
        page += rest.substr(0, at);
        page += content;
        rest.remove_prefix(at + place.size());
    }
    return page += rest;
}

}  // namespace faying::io
