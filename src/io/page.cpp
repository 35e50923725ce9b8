// figure_html: web/figure.html with its figure put in.

#include <cmath>
#include <nlohmann/json.hpp>

#include "drawing.hpp"
#include "web.hpp"

namespace faying::io {

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

std::string data_of(const Figure& figure) {
    ordered_json panels = ordered_json::array();
    for (const auto& panel : figure.panels) panels.push_back(describe(panel));
    const ordered_json data = {
        {"title", figure.title}, {"subtitle", figure.subtitle}, {"panels", panels}, {"table", figure.table}};
    return data.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

std::string figure_html(const Figure& figure) {
    require_drawable(figure);
    return page_of(files::figure_html(), figure.title, data_of(figure));
}

}  // namespace faying::io
