#include "faying/io/plot.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace faying::io {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Figure one_curve(const Curve& curve) {
    Figure figure;
    figure.panels = {{"panel", {"x [m]"}, {"y [N]"}, {curve}}};
    return figure;
}

std::size_t count(const std::string& text, std::string_view what) {
    std::size_t found = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++found;
    return found;
}

/// What the browser will read from the page's data element.
nlohmann::json data_of(const std::string& page) {
    const std::string opening = "<script type=\"application/json\" id=\"data\">";
    const auto from = page.find(opening) + opening.size();
    return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

/// The d attribute of the first curve, which is the first path drawn 2 wide.
std::string path_of(const std::string& svg) {
    const auto end = svg.rfind("\" fill=\"none\"", svg.find("stroke-width=\"2\""));
    const auto from = svg.rfind("d=\"", end) + 3;
    return svg.substr(from, end - from);
}

const std::string nasty = "</script><!-- <script> & \"q\" 'a' {{data}} {{figure.js}} \u03c7 \u2028";

TEST(FigurePage, NothingInALabelCanBreakThePage) {
    Figure figure = one_curve({nasty, {0, 1}, {0, 1}});
    figure.title = figure.subtitle = figure.panels[0].title = nasty;
    figure.panels[0].x.label = figure.panels[0].y.label = nasty;
    figure.table = {{nasty}, {nasty}};
    const auto plain = figure_html(one_curve({"a", {0, 1}, {0, 1}}));
    const auto page = figure_html(figure);
    EXPECT_EQ(count(page, "</script>"), count(plain, "</script>"));
    EXPECT_EQ(count(page, "<!--"), count(plain, "<!--"));
    EXPECT_NE(page.find("<title>&lt;/script&gt;&lt;!-- &lt;script&gt; &amp; &quot;q&quot; 'a' {{data}}"),
              std::string::npos);
    const auto data = data_of(page);
    EXPECT_EQ(data["title"], nasty);
    EXPECT_EQ(data["panels"][0]["curves"][0]["label"], nasty);
    EXPECT_EQ(data["panels"][0]["x"]["label"], nasty);
    EXPECT_EQ(data["table"][1][0], nasty);
}

TEST(FigurePage, TextThatIsNotUtf8IsReplaced) {
    Figure figure =
        one_curve({"a\xff\x01"
                   "b",
                   {0},
                   {0}});
    figure.title =
        "a\xff\x01"
        "b\xc0\xaf"
        "c\xed\xa0\x80";
    EXPECT_EQ(data_of(figure_html(figure))["panels"][0]["curves"][0]["label"],
              "a\uFFFD\x01"
              "b");
    EXPECT_NE(figure_html(figure).find("<title>a\uFFFD\uFFFDb\uFFFD\uFFFDc\uFFFD\uFFFD\uFFFD</title>"),
              std::string::npos);
    EXPECT_NE(figure_svg(figure).find("<title>a\uFFFD\uFFFDb"), std::string::npos);
}

TEST(FigurePage, FetchesNothing) {
    const auto page = figure_html(one_curve({"a", {0, 1}, {0, 1}}));
    EXPECT_EQ(count(page, " src="), 0u);
    EXPECT_EQ(count(page, " href="), 0u);
    EXPECT_EQ(count(page, "@import"), 0u);
    EXPECT_EQ(count(page, "url("), 0u);
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
    EXPECT_NE(page.find("Leon Sorokin"), std::string::npos) << "uPlot's licence goes with it";
    EXPECT_EQ(count(page, "{{"), 0u) << "every place of the template is filled";
}

TEST(FigurePage, NumbersAreExactAndGapsAreNull) {
    const Curve curve{"a", {0.1, 1e-300, nan, 5e-324}, {1.0 / 3, infinity, -infinity, -0.1}, {3}};
    const auto data = data_of(figure_html(one_curve(curve)))["panels"][0]["curves"][0];
    EXPECT_EQ(data["x"][0].get<double>(), 0.1);
    EXPECT_EQ(data["x"][1].get<double>(), 1e-300);
    EXPECT_EQ(data["x"][3].get<double>(), 5e-324);
    EXPECT_EQ(data["y"][0].get<double>(), 1.0 / 3);
    EXPECT_TRUE(data["x"][2].is_null() && data["y"][1].is_null() && data["y"][2].is_null());
    EXPECT_EQ(data["marks"], nlohmann::json::array({3}));
}

TEST(FigureSvg, EscapesText) {
    Figure figure = one_curve({nasty, {0, 1}, {0, 1}});
    figure.title = nasty;
    const auto svg = figure_svg(figure);
    EXPECT_EQ(svg.find("<script"), std::string::npos);
    EXPECT_EQ(svg.find("<!--"), std::string::npos);
    EXPECT_NE(svg.find("&lt;/script&gt;"), std::string::npos);
}

TEST(FigureSvg, DrawsInPointOrderAndBreaksAtGaps) {
    // A square: x goes back, which no function of x does. Corners at 4 % from the frame.
    const auto loop = path_of(figure_svg(one_curve({"a", {0, 1, 1, 0, 0}, {0, 0, 1, 1, 0}})));
    EXPECT_EQ(count(loop, "M"), 1u);
    EXPECT_EQ(count(loop, "L"), 4u);
    EXPECT_EQ(loop.substr(1, loop.find('L') - 1), loop.substr(loop.rfind('L') + 1)) << "closed";
    const Figure gaps = one_curve({"a", {0, 1, nan, 2, 3, 4}, {0, 0, 0, 1, infinity, 2}});
    const auto broken = path_of(figure_svg(gaps));
    EXPECT_EQ(count(figure_svg(gaps), "<circle"), 2u) << "points between gaps are dotted";
    EXPECT_EQ(count(broken, "M"), 3u);
    EXPECT_EQ(count(broken, "L"), 1u);
    EXPECT_EQ(broken.find("nan"), std::string::npos);
    EXPECT_EQ(broken.find("inf"), std::string::npos);
}

TEST(FigureSvg, PositionsFollowTheScale) {
    Figure figure = one_curve({"a", {1e-20, 1e-19, 1e-17}, {1, 2, 3}, {1}});
    figure.panels[0].x.logarithmic = true;
    double x0 = 0, x1 = 0, x2 = 0, y = 0;
    ASSERT_EQ(std::sscanf(path_of(figure_svg(figure)).c_str(), "M%lf %lfL%lf %lfL%lf", &x0, &y, &x1, &y, &x2), 5);
    EXPECT_NEAR((x1 - x0) / (x2 - x0), 1.0 / 3, 1e-4);  // coordinates have two decimals of some 500
    EXPECT_EQ(count(figure_svg(figure), "<circle"), 1u);
    figure.panels[0].curves[0].x[0] = -1;  // no place on this axis
    EXPECT_EQ(count(path_of(figure_svg(figure)), "L"), 1u);
}

TEST(Figures, AreTheSameBytesEachTime) {
    Figure figure = one_curve({nasty, {0, 1, nan, 3}, {0, 1, 2, 1}, {1}});
    figure.panels.push_back(figure.panels[0]);
    figure.panels[1].x.logarithmic = true;
    EXPECT_EQ(figure_svg(figure), figure_svg(Figure(figure)));
    EXPECT_EQ(figure_html(figure), figure_html(Figure(figure)));
}

TEST(Figures, WithNothingToDrawAreStillFigures) {
    Figure figure;
    figure.panels.resize(5);
    figure.panels[1].curves = {{"empty", {}, {}}};
    figure.panels[2].curves = {{"one point", {1}, {2}, {0}}};
    figure.panels[3] = {"nothing positive", {"x", true}, {"y", true}, {{"a", {-1, 0}, {0, 1}, {0, 1}}}};
    for (int i = 0; i < 70; ++i) figure.panels[4].curves.push_back({std::string(300, 'w'), {0, 1}, {0, double(i)}});
    const auto svg = figure_svg(figure);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    EXPECT_EQ(count(svg, "<g "), 5u);
    EXPECT_NE(svg.find("width=\"1920\" height=\"960\""), std::string::npos) << "three in a row";
    EXPECT_EQ(count(svg, "<circle"), 2u) << "its mark, and because it stands alone";
    EXPECT_NE(svg.find("ww\u2026"), std::string::npos) << "long labels are cut";
    EXPECT_EQ(data_of(figure_html(figure))["panels"].size(), 5u);
}

TEST(Figures, MisuseThrows) {
    EXPECT_THROW(figure_svg({}), std::invalid_argument);
    EXPECT_THROW(figure_html(one_curve({"a", {0, 1}, {0}})), std::invalid_argument);
    try {
        figure_html(one_curve({"a", {0, 1}, {0, 1}, {2}}));
        FAIL();
    } catch (const std::invalid_argument& error) {
        EXPECT_STREQ(error.what(), "figure: panel 1, curve 'a': mark 2 is beyond the last of 2 points");
    }
}

}  // namespace
}  // namespace faying::io
