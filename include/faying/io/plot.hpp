#pragma once
// Figures: curves drawn in the order of their points, so a hysteresis loop is a loop.
//
//     using namespace faying::io;
//     Figure figure;
//     figure.title = "Jenkins";
//     figure.panels = {{.title = "loop", .x = {"u [m]"}, .y = {"f [N]"},
//                       .curves = {{.label = "kt = 1", .x = {0, 1, -1, 1}, .y = {0, .5, -.5, .5}, .marks = {1, 2}}}}};
//     write_file("loop.html", figure_html(figure));  // interactive, one file, opens offline
//     write_file("loop.svg", figure_svg(figure));    // static, for papers and documentation
//
// A value that is not finite, or not positive on a logarithmic axis, breaks the line. Units belong in the axis labels.
// Strings are UTF-8 and may contain anything. The same figure gives the same bytes.

#include <cstddef>
#include <string>
#include <vector>

namespace faying::io {

struct Curve {
    std::string label;
    std::vector<double> x, y;
    std::vector<std::size_t> marks = {};  ///< indices of points to dot: reversals
    int dashed_like = -1;                 ///< dashed, in the colour of this curve of the panel; -1: a colour of its own
    int first_detail = -1;                ///< of Figure::details: its points' follow one another from there; -1: none
};

struct Axis {
    std::string label;
    bool logarithmic = false;
};

struct Panel {
    std::string title;
    Axis x, y;
    std::vector<Curve> curves;
};

/// Sites of an interface seen from above, coloured by a quantity.
struct SiteMap {
    std::string title;
    std::vector<double> x, y, area;  ///< m, m^2: a square of that area at each
    std::vector<double> slip;        ///< m; may be empty
    std::vector<double> pressure;    ///< may be empty
    std::string pressure_unit = "Pa";
    std::vector<std::string> status;    ///< in words; may be empty
    std::vector<double> gap;            ///< m, how far the faces are apart, 0 where they touch; may be empty
    std::vector<double> closure_error;  ///< by how much a site's loop did not close, relative; may be empty
};

/// What a click on a point shows.
struct Detail {
    std::string title;
    std::vector<Panel> panels;
    std::vector<SiteMap> maps;
};

struct Figure {
    std::string title;
    std::string subtitle;
    std::vector<Panel> panels;                    ///< side by side, wrapped where there is no room
    std::vector<std::vector<std::string>> table;  ///< first row is the header; may be empty
    /// Of points of curves (Curve::first_detail); a page shows the last until another point is clicked.
    std::vector<Detail> details = {};
    bool plays = false;  ///< the details follow one another in time: a page plays them, maps on one scale throughout
};

/// One page with everything inline: drag to zoom, double-click to reset, hover to read, legend to hide, save as CSV.
/// Throws std::invalid_argument for a figure without panels, x and y of different length, or a mark beyond the curve.
std::string figure_html(const Figure& figure);

/// Every panel at 640 x 480, at most three in a row; the table is left out. Throws as figure_html does.
std::string figure_svg(const Figure& figure);

}  // namespace faying::io
