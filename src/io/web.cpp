#include "web.hpp"

#include <array>
#include <stdexcept>
#include <utility>

#include "drawing.hpp"
#include "faying/io/report.hpp"

namespace faying::io {

namespace files {
std::string_view page_css();
std::string_view page_js();
std::string_view figure_js();
std::string_view numbers_js();
std::string_view joint_js();
std::string_view joint_css();
std::string_view chart_js();
std::string_view ticks_js();
std::string_view report_css();
std::string_view report_js();
std::string_view report_ranking_js();
std::string_view report_fronts_js();
std::string_view report_point_js();
std::string_view report_tables_js();
std::string_view uPlot_iife_min_js();
std::string_view uPlot_min_css();
std::string_view uPlot_LICENSE();
}  // namespace files

namespace {

using Part = std::pair<std::string_view, std::string_view (*)()>;
constexpr std::array<Part, 17> parts = {{{"page.css", files::page_css},
                                         {"page.js", files::page_js},
                                         {"figure.js", files::figure_js},
                                         {"numbers.js", files::numbers_js},
                                         {"joint.js", files::joint_js},
                                         {"joint.css", files::joint_css},
                                         {"chart.js", files::chart_js},
                                         {"ticks.js", files::ticks_js},
                                         {"report.css", files::report_css},
                                         {"report.js", files::report_js},
                                         {"report_ranking.js", files::report_ranking_js},
                                         {"report_fronts.js", files::report_fronts_js},
                                         {"report_point.js", files::report_point_js},
                                         {"report_tables.js", files::report_tables_js},
                                         {"uplot.js", files::uPlot_iife_min_js},
                                         {"uplot.css", files::uPlot_min_css},
                                         {"uplot licence", files::uPlot_LICENSE}}};

std::string_view part(std::string_view name) {
    for (const auto& [known, content] : parts)
        if (known == name) return content();
    throw std::logic_error("web/: a page asks for {{" + std::string(name) + "}}, which is not there");
}

/// JSON for a script element: '<' only occurs within strings, and escaped it can neither end the element nor open a
/// comment.
std::string in_script(std::string_view json) {
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

std::string page_of(std::string_view page, std::string_view title, std::string_view json) {
    std::string text;
    while (true) {
        const auto from = page.find("{{");
        text += page.substr(0, from);
        if (from == std::string_view::npos) return text;
        const auto to = page.find("}}", from);
        if (to == std::string_view::npos) throw std::logic_error("web/: a page has {{ without }}");
        const auto name = page.substr(from + 2, to - from - 2);
        if (name == "title")
            text += escaped(title);
        else if (name == "data")
            text += in_script(json);
        else
            text += part(name);
        page.remove_prefix(to + 2);
    }
}

std::string report_html(std::string_view title, std::string_view json) {
    return page_of(files::report_html(), title, json);
}

}  // namespace faying::io
