// The panel of [S1] 5: flat, clamped at both ends between pillars with inclined tops and blades, so that bolts bend it.

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "parts.hpp"

namespace faying::fe {

namespace {

using Eigen::Vector2d;
using Key = std::pair<int, int>;

struct PanelValues {
    double span, overlap, thickness, inclination, pillar, blade, bolt, washer, pressure, kn, mu, layers, coarse;
    Material3 material;
};

PanelValues panel_values(const std::vector<double>& v) {
    return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], {v[13], v[14], v[15]}};
}

/// Rows of cells, each a quadrilateral or two triangles; nodes on a grid of half cells.
class Cells {
 public:
    explicit Cells(std::string element) : element_(std::move(element)) {}

    struct Part {
        std::string name;
        int columns, rows;
        std::map<Key, int> node;                  ///< label at half cells (i, j)
        std::map<Key, std::array<int, 2>> label;  ///< of a cell: its elements, lower and upper
    };

    /// xs, ys: edges of the cells; `place` takes a point of the rectangle to where it is.
    Part add(const std::string& name, const std::vector<double>& xs, const std::vector<double>& ys,
             const std::function<Vector2d(double, double)>& place) {
        Part part{name, int(xs.size()) - 1, int(ys.size()) - 1, {}, {}};
        text_ += fmt::format("** {}\n*NODE, NSET={}_NODES\n", name, name);
        const auto at = [](const std::vector<double>& edges, int half) {
            const auto k = std::size_t(half / 2);
            return half % 2 == 0 ? edges[k] : 0.5 * (edges[k] + edges[k + 1]);
        };
        for (int i = 0; i <= 2 * part.columns; ++i)
            for (int j = 0; j <= 2 * part.rows; ++j) {
                if ((!quadratic() && (i % 2 || j % 2)) || (i % 2 && j % 2 && element_ != "CPE6")) continue;
                const Vector2d x = place(at(xs, i), at(ys, j));
                part.node[{i, j}] = ++nodes_;
                text_ += fmt::format("{}, {:.12e}, {:.12e}\n", nodes_, x.x(), x.y());
            }
        text_ += fmt::format("*ELEMENT, TYPE={}, ELSET={}\n", element_, name);
        for (int c = 0; c < part.columns; ++c)
            for (int r = 0; r < part.rows; ++r) {
                const auto write = [&](std::vector<Key> corners) {
                    const std::size_t n = corners.size();
                    if (quadratic())
                        for (std::size_t k = 0; k < n; ++k)
                            corners.push_back({(corners[k].first + corners[(k + 1) % n].first) / 2,
                                               (corners[k].second + corners[(k + 1) % n].second) / 2});
                    text_ += std::to_string(++elements_);
                    for (const Key& k : corners)
                        text_ += fmt::format(", {}", part.node.at({2 * c + k.first, 2 * r + k.second}));
                    text_ += "\n";
                    return elements_;
                };
                auto& label = part.label[{c, r}];
                if (triangles()) {
                    label[0] = write({{0, 0}, {2, 0}, {2, 2}});
                    label[1] = write({{0, 0}, {2, 2}, {0, 2}});
                } else {
                    label[0] = label[1] = write({{0, 0}, {2, 0}, {2, 2}, {0, 2}});
                }
            }
        return part;
    }

    /// Faces of the lowest or uppermost row, columns first .. last - 1.
    void surface(const std::string& name, const Part& part, bool top, int first, int last) {
        text_ += fmt::format("*SURFACE, NAME={}, TYPE=ELEMENT\n", name);
        for (int c = first; c < last; ++c)
            text_ += fmt::format("{}, S{}\n", part.label.at({c, top ? part.rows - 1 : 0})[top],
                                 !top          ? 1
                                 : triangles() ? 2
                                               : 3);
    }

    /// Nodes of the lowest or uppermost line.
    void node_set(const std::string& name, const Part& part, bool top) {
        text_ += fmt::format("*NSET, NSET={}\n", name);
        for (int i = 0; i <= 2 * part.columns; ++i)
            if (const auto found = part.node.find({i, top ? 2 * part.rows : 0}); found != part.node.end())
                text_ += fmt::format("{},\n", found->second);
    }

    /// Dead loads of a pressure on the uppermost row, columns first .. last - 1, of these edges.
    std::string pressure(const Part& part, const std::vector<double>& xs, double from, double to, double value) const {
        std::map<int, double> load;
        for (int c = 0; c < part.columns; ++c) {
            const double width = xs[std::size_t(c) + 1] - xs[std::size_t(c)], middle = xs[std::size_t(c)] + 0.5 * width;
            if (middle < from || middle > to) continue;
            const auto add = [&](int i, double share) {
                load[part.node.at({2 * c + i, 2 * part.rows})] -= share * value * width;
            };
            if (quadratic()) {
                add(0, 1. / 6), add(1, 4. / 6), add(2, 1. / 6);
            } else {
                add(0, 0.5), add(2, 0.5);
            }
        }
        std::string text;
        for (const auto& [node, force] : load) text += fmt::format("{}, 2, {:.12e}\n", node, force);
        return text;
    }

    bool quadratic() const { return element_ == "CPE8" || element_ == "CPE8R" || element_ == "CPE6"; }
    void line(const std::string& words) { text_ += words + "\n"; }
    const std::string& text() const { return text_; }
    int nodes() const { return nodes_; }
    int elements() const { return elements_; }

 private:
    std::string element_, text_;
    int nodes_ = 0, elements_ = 0;

    bool triangles() const { return element_ == "CPE3" || element_ == "CPE6"; }
};

/// From 0 to `height`, cells of `size` at the top and up to `coarse` below.
std::vector<double> graded(double height, double size, double coarse) {
    std::vector<double> steps;
    double sum = 0;
    for (double s = size; sum < height; s = std::min(1.4 * s, coarse)) steps.push_back(s), sum += s;
    std::vector<double> levels{0};
    for (std::size_t k = steps.size(); k-- > 0;) levels.push_back(levels.back() + steps[k] * height / sum);
    levels.back() = height;
    return levels;
}

PlaneText make_panel(const std::vector<double>& values, const GeometryInput& input) {
    const PanelValues v = panel_values(values);
    fits(!input.tied, "panel", "contact (what lies on inclined supports has nothing to be tied to: leave out --tied)");
    fits(v.bolt - v.washer / 2 > 0 && v.bolt + v.washer / 2 < v.overlap, "panel",
         "washer/2 < bolt < overlap - washer/2");
    fits(v.layers == std::floor(v.layers), "panel", "a whole number of layers");
    const double slope = std::tan(v.inclination * std::numbers::pi / 180), length = v.span + 2 * v.overlap;

    // Along the panel: overlaps with the edges of the washers, and the span between.
    std::vector<double> left{0}, right;
    for (const double x : {v.bolt - v.washer / 2, v.bolt + v.washer / 2, v.overlap}) add_levels(left, x, input.size);
    for (std::size_t k = left.size(); k-- > 0;) right.push_back(length - left[k]);
    std::vector<double> along = left, through{-v.thickness / 2};
    const double refined = std::min(5 * v.thickness, 0.25 * v.span);  // where bending is steep
    add_levels(along, v.overlap + refined, input.size);
    add_levels(along, length / 2, v.coarse);
    for (std::size_t k = along.size() - 1; k-- > 0;) along.push_back(length - along[k]);
    for (int k = 1; k <= int(v.layers); ++k) through.push_back(v.thickness * (k / v.layers - 0.5));

    Cells cells(input.element);
    const auto panel = cells.add("PANEL", along, through, [](double x, double y) { return Vector2d(x, y); });
    const int under = int(left.size()) - 1;
    const auto heights = graded(v.pillar, input.size, v.overlap / 4);
    std::vector<double> blade;  // finer at the panel
    for (const double y : graded(v.blade, input.size, v.overlap / 4)) blade.insert(blade.begin(), v.blade - y);
    std::string load,
        held = fmt::format("{}, 1\n", panel.node.at({panel.columns % 2 == 0 ? panel.columns : panel.columns + 1, 0}));
    std::string pairs;
    std::vector<std::string> bodies{"PANEL"};
    for (const bool first : {true, false}) {
        const std::string side = first ? "LEFT" : "RIGHT";
        const auto& xs = first ? left : right;
        // The top of a pillar falls outwards from the edge of the span.
        const auto pillar = cells.add(side + "_PILLAR", xs, heights, [&](double x, double y) {
            const double out = first ? v.overlap - x : x - (length - v.overlap);
            return Vector2d(x, -v.thickness / 2 - v.pillar + y - slope * out * y / v.pillar);
        });
        const int begin = first ? 0 : panel.columns - under;
        cells.surface(side + "_PILLAR_TOP", pillar, true, 0, pillar.columns);
        cells.node_set(side + "_BOTTOM", pillar, false);
        cells.surface("PANEL_" + side + "_LOWER", panel, false, begin, begin + under);
        pairs += fmt::format("PANEL_{0}_LOWER, {0}_PILLAR_TOP\n", side);
        bodies.push_back(side + "_PILLAR");
        const double axis = first ? v.bolt : length - v.bolt;
        if (v.blade > 0) {
            const auto plate = cells.add(side + "_BLADE", xs, blade,
                                         [&](double x, double y) { return Vector2d(x, v.thickness / 2 + y); });
            cells.surface(side + "_BLADE_LOWER", plate, false, 0, plate.columns);
            cells.surface("PANEL_" + side + "_UPPER", panel, true, begin, begin + under);
            pairs += fmt::format("{0}_BLADE_LOWER, PANEL_{0}_UPPER\n", side);
            bodies.push_back(side + "_BLADE");
            load += cells.pressure(plate, xs, axis - v.washer / 2, axis + v.washer / 2, v.pressure);
            held +=
                fmt::format("{}, 1\n", plate.node.at({plate.columns % 2 == 0 ? plate.columns : plate.columns + 1, 0}));
        } else {
            load += cells.pressure(panel, along, axis - v.washer / 2, axis + v.washer / 2, v.pressure);
        }
    }
    cells.line(fmt::format("*NSET, NSET=MIDDLE\n{},",
                           panel.node.at({panel.columns % 2 == 0 ? panel.columns : panel.columns + 1, 0})));
    for (const auto& body : bodies) cells.line(fmt::format("*SOLID SECTION, ELSET={}, MATERIAL=STEEL\n1.", body));
    cells.line(fmt::format("*MATERIAL, NAME=STEEL\n*ELASTIC\n{:.10g}, {:.10g}\n*DENSITY\n{:.10g}", v.material.young,
                           v.material.poisson, v.material.density));
    cells.line(fmt::format(
        "*SURFACE INTERACTION, NAME=RUB\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n{:.10g}\n*FRICTION\n"
        "{:.10g}, {:.10g}\n*CONTACT PAIR, INTERACTION=RUB, SMALL SLIDING\n{}",
        v.kn, v.mu, v.kn, pairs.substr(0, pairs.size() - 1)));
    const std::string fixed = "LEFT_BOTTOM, 1, 2\nRIGHT_BOTTOM, 1, 2\n";
    cells.line("*BOUNDARY\n" + fixed +
               "** the bolts, as dead loads; nothing slides along while they are put on\n"
               "*STEP, NLGEOM\n*STATIC\n*BOUNDARY\n" +
               held + "*CLOAD\n" + load +
               "*END STEP\n"
               "** friction holds from here on\n*STEP, NLGEOM\n*FREQUENCY\n15\n*BOUNDARY, OP=NEW\n" +
               fixed + "*END STEP");
    return {cells.text(), cells.nodes(), cells.elements()};
}

}  // namespace

GeometryEntry panel_entry() {
    const auto number = [](const char* key, double value, const char* meaning, core::Bounds range,
                           const char* unit = "") {
        return core::ParameterInfo{key, key, unit, range, core::Scale::linear, meaning, value};
    };
    Geometry seen{
        "panel",
        "a panel bent by its bolts between inclined pillars and blades, plane",
        1e-3,
        "CPE8",
        {length("span", 0.3, "free, between the pillars"), length("overlap", 0.03, "of panel and pillar"),
         length("thickness", 1.5e-3, "of the panel"),
         number("inclination", 1.1, "of the pillars' tops, falling outwards", {-45, 45}, "deg"),
         length("pillar", 0.06, "height of the pillars, held at their feet"),
         number("blade", 0.01, "thickness of the blades; 0: none, the bolts press on the panel", {0, 1e6}, "m"),
         length("bolt", 0.015, "axis, from the panel's end"), length("washer", 0.012, "line that is pressed on"),
         number("pressure", 20.68e6, "on that line", core::non_negative, "Pa"),
         number("kn", 1e14, "contact stiffness, N/m3, along the surface too", core::positive),
         number("mu", 0.6, "friction", core::non_negative),
         number("layers", 2, "elements through the panel", {1, 1000}), length("coarse", 3e-3, "element in the span")}};
    add_material(seen.parameters, 210e9, 0.3, 7850);
    seen.elements = {"CPE8", "CPE8R", "CPE6", "CPE4", "CPE3"};
    return {seen, nullptr, make_panel};
}

}  // namespace faying::fe
