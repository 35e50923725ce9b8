// figure_html: web/figure.html with its figure put in.

#include <cmath>
#include <nlohmann/json.hpp>

#include "drawing.hpp"
#include "web.hpp"

namespace faying::io {

namespace {

using nlohmann::ordered_json;

ordered_json describe(const Curve& curve) {
    ordered_json described = {
        {"label", curve.label}, {"x", curve.x}, {"y", curve.y}, {"marks", curve.marks}};  // NaN becomes null
    if (curve.dashed_like >= 0) described["like"] = curve.dashed_like;
    if (curve.first_detail >= 0) described["first_detail"] = curve.first_detail;
    return described;
}

ordered_json describe(const Axis& axis) { return {{"label", axis.label}, {"logarithmic", axis.logarithmic}}; }

ordered_json describe(const Panel& panel) {
    ordered_json curves = ordered_json::array();
    for (const auto& curve : panel.curves) curves.push_back(describe(curve));
    return {{"title", panel.title}, {"x", describe(panel.x)}, {"y", describe(panel.y)}, {"curves", curves}};
}

ordered_json describe(const SiteMap& map) {
    return {{"title", map.title},
            {"x", map.x},
            {"y", map.y},
            {"area", map.area},
            {"slip", map.slip},
            {"pressure", map.pressure},
            {"pressure_unit", map.pressure_unit},
            {"status", map.status},
            {"gap", map.gap},
            {"closure_error", map.closure_error}};
}

ordered_json describe(const Detail& detail);

template <class T>
ordered_json list(const std::vector<T>& all) {
    ordered_json described = ordered_json::array();
    for (const auto& one : all) described.push_back(describe(one));
    return described;
}

ordered_json describe(const Detail& detail) {
    return {{"title", detail.title}, {"panels", list(detail.panels)}, {"maps", list(detail.maps)}};
}

std::string data_of(const Figure& figure) {
    const ordered_json data = {{"title", figure.title},           {"subtitle", figure.subtitle},
                               {"panels", list(figure.panels)},   {"table", figure.table},
                               {"details", list(figure.details)}, {"plays", figure.plays}};
    return data.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

std::string figure_html(const Figure& figure) {
    require_drawable(figure);
    return page_of(files::figure_html(), figure.title, data_of(figure));
}

}  // namespace faying::io
