// Two L-shaped halves, foot on foot, bolted: [S4] 4.1. The structure stands along z as its bolts do, the feet meet at
// z = 0; x is along the row of bolts, y across it, the way the feet slide and the walls bend. Of the dimensions ([S4]
// Fig. 8) the text has none but M8; width and thickness of the walls here are those of the beam that gives the printed
// frequencies (equations sheet, section 4).

#include <fmt/format.h>

#include <cmath>

#include "bolts.hpp"
#include "parts.hpp"

namespace faying::fe {

namespace {

struct Flange {
    double half, width, wall;     ///< height of a half from the joint, width along the bolts, thickness of the wall
    double foot, foot_thickness;  ///< how far a foot stands out from its wall
    int bolts;
    double pitch;
    BoltRadii radii;  ///< without washers
    double head_height, nut_height, preload, coarsening;
    bool contact;
    double friction, bolt_friction;
    Material3 material;
};

bool of_foot(const PlanQuad& q) { return of_plates(q) || q.ring == Ring::ledge; }
bool of_wall(const PlanQuad& q) { return q.ring == Ring::ledge; }

/// The row of bolts, each in its box, and what is left at both ends.
PlanStrip strip_of(const Flange& f, double size) {
    PlanStrip strip{{}, f.foot / 2, divisions_of(f.foot, size, 2), size, f.wall};
    const double end = f.width / 2, row = 0.5 * f.bolts * f.pitch;
    const bool ends = end - row > 1e-9;
    if (ends) strip.segments.push_back({-end, -row, divisions_of(end - row, size)});
    for (int k = 0; k < f.bolts; ++k) {
        const double x = -row + k * f.pitch;
        strip.segments.push_back({x, x + f.pitch, divisions_of(f.pitch, size, 2), 1, f.radii});
    }
    if (ends) strip.segments.push_back({row, end, divisions_of(end - row, size)});
    return strip;
}

/// From the foot's far side to the end of the wall, growing to `coarsening` times the size; head or nut in between.
std::vector<double> upward(const Flange& f, double bolt_height, double size) {
    std::vector<double> levels = {0};
    add_levels(levels, f.foot_thickness, size);
    add_levels(levels, f.foot_thickness + bolt_height, size);
    const PlanSegment rest = graded_segment(levels.back(), f.half, size, f.coarsening, false);
    double step = rest.growth == 1
                      ? (rest.to - rest.from) / rest.divisions
                      : (rest.to - rest.from) * (rest.growth - 1) / (std::pow(rest.growth, rest.divisions) - 1);
    for (int k = 1; k <= rest.divisions; ++k, step *= rest.growth)
        levels.push_back(k == rest.divisions ? rest.to : levels.back() + step);
    return levels;
}

std::vector<double> levels_of(const Flange& f, double size) {
    const auto below = upward(f, f.nut_height, size), above = upward(f, f.head_height, size);
    std::vector<double> levels;
    for (auto z = below.rbegin(); z + 1 != below.rend(); ++z) levels.push_back(-*z);
    levels.insert(levels.end(), above.begin(), above.end());
    return levels;
}

void check(const Flange& f) {
    const auto fit = [](bool held, const char* constraint) { fits(held, "flange", constraint); };
    fit(f.radii.shank < f.radii.hole, "shank < hole");
    fit(f.radii.hole < f.radii.head, "hole < head");
    fit(2 * f.radii.head < f.foot, "head < foot");
    fit(2 * f.radii.head < f.pitch, "head < spacing of the bolts");
    fit(f.bolts * f.pitch <= f.width + 1e-12, "room for the bolts in the width");
    fit(f.foot_thickness + std::max(f.head_height, f.nut_height) < f.half, "foot and head < half the length");
}

/// Labels of a body's nodes that are where `on` says, on levels from .. to.
std::vector<int> nodes_on(const Columns& c, const char* body, int from, int to,
                          const std::function<bool(const Eigen::Vector2d&)>& on) {
    std::vector<int> labels;
    for (int level = from; level <= to; ++level)
        for (const auto& [node, label] : c.nodes_at(body, level))
            if (on(c.plan().nodes[std::size_t(node)])) labels.push_back(label);
    return labels;
}

Columns make_flange(const Flange& f, const GeometryInput& input) {
    check(f);
    const auto strip = strip_of(f, input.size);
    const int last = int(strip.segments.size()) - 1;
    Columns c(mesh_plan(strip, Columns::second_order_plan(input.element), input.gmsh), levels_of(f, input.size),
              input.element);
    const int under = c.level_at(-f.foot_thickness), over = c.level_at(f.foot_thickness);
    const BoltLevels z{c.level_at(-f.foot_thickness - f.nut_height), under, under, c.level_at(0), over, over,
                       c.level_at(f.foot_thickness + f.head_height)};
    const int end = int(c.levels().size()) - 1;
    const auto feet = in_segments(0, last, of_foot), walls = in_segments(0, last, of_wall);
    c.body("BOTTOM", {{walls, 0, z.bottom}, {feet, z.bottom, z.lap}});
    c.body("TOP", {{feet, z.lap, z.top}, {walls, z.top, end}});
    std::vector<QuadFilter> patches;
    for (int s = 0; s <= last; ++s) patches.push_back(in_segment(s, of_foot));
    write_interface(c, z.lap, feet, patches, input.tied);
    if (f.contact && !input.tied) write_contact(c, "RUB_FEET", f.friction, "TOP_FACE", "BOTTOM_FACE");
    std::vector<std::string> bodies = {"BOTTOM", "TOP"};
    int number = 0;
    for (int s = 0; s <= last; ++s) {
        const auto& segment = strip.segments[std::size_t(s)];
        if (!segment.bolt) continue;
        write_bolt(c, z, s, ++number, {false, f.contact, f.bolt_friction});
        write_cut(c, z, number, 0.5 * (segment.from + segment.to), f.preload);
        for (const char* part : {"_HEAD", "_NUT"}) bodies.push_back(fmt::format("BOLT_{}{}", number, part));
    }
    const double wall = -f.foot / 2 - f.wall / 2, edge = f.foot / 2, between = f.bolts % 2 ? f.pitch / 2 : 0.0;
    const auto anywhere = [](const Eigen::Vector2d&) { return true; };
    const auto on_edge = [&](const Eigen::Vector2d& p) { return std::abs(p.y() - edge) < 1e-9 * f.foot; };
    c.comment(
        "The end of BOTTOM's wall; the faying surfaces' outer edges, where they are pushed; points between two bolts.");
    c.node_set("CLAMPED", nodes_on(c, "BOTTOM", 0, 0, anywhere));
    c.node_set("TOP_EDGE", nodes_on(c, "TOP", z.lap, z.lap, on_edge));
    c.node_set("BOTTOM_EDGE", nodes_on(c, "BOTTOM", z.lap, z.lap, on_edge));
    c.node_set("TOP_POINT", {c.node_at("TOP", between, 0, z.lap)});
    c.node_set("BOTTOM_POINT", {c.node_at("BOTTOM", between, 0, z.lap)});
    c.comment("Output points: ACCEL in the middle of the end of TOP's wall, IMPACT half-way up it.");
    c.node_set("ACCEL", {c.node_at("TOP", 0, wall, end)});
    c.node_set("IMPACT", {c.node_at("TOP", 0, wall, (z.top + end) / 2)});
    if (f.contact) c.line("*BOUNDARY\nCLAMPED, 1, 3");
    write_material(c, f.material, bodies);
    return c;
}

}  // namespace

GeometryEntry flange_entry() {
    Geometry seen{"flange",
                  "two L-shaped halves held together foot on foot by a row of bolts",
                  0.005,
                  "C3D8I",
                  {length("length", 0.39746, "of both halves, along the bolts"),
                   length("width", 0.1032, "along the row of bolts"), length("wall", 0.0069, "thickness of the walls"),
                   length("foot", 0.03, "how far a foot stands out"), length("foot_thickness", 0.01, "of each foot"),
                   length("spacing", 0.034, "of the bolts"), length("hole", 0.009, "diameter of the holes"),
                   length("shank", 0.008, "diameter of the bolts"),
                   length("head", 0.016, "diameter of head and nut with their washers"),
                   length("head_height", 0.0053, "of the head"), length("nut_height", 0.0065, "of the nut")}};
    const auto number = [&](const char* key, const char* symbol, const char* unit, core::Bounds range,
                            const char* meaning, double value) {
        seen.parameters.push_back({key, symbol, unit, range, core::Scale::linear, meaning, value});
    };
    number("bolts", "n", "", {1, 20}, "how many", 3);
    number("preload", "F", "N", core::positive, "tension of a bolt, in the deck's comments", 12000);
    number("coarsening", "", "", {1, 20}, "element size at the ends over --size", 3);
    number("contact", "", "", {0, 1},
           "1: feet and bolts touch and rub, the end of BOTTOM is clamped; 0: bolts are tied", 1);
    number("mu", "mu", "", core::non_negative, "friction of the feet", 0.15);
    number("mu_bolts", "mu_b", "", core::non_negative, "friction of the bolts on the feet", 0.15);
    add_material(seen.parameters, 200e9, 0.3, 7850);
    return {seen, [](const std::vector<double>& v, const GeometryInput& input) {
                fits(v[11] == std::round(v[11]), "flange", "a whole number of bolts");
                fits(v[14] == 0 || v[14] == 1, "flange", "contact = 0 or contact = 1");
                return make_flange({.half = v[0] / 2,
                                    .width = v[1],
                                    .wall = v[2],
                                    .foot = v[3],
                                    .foot_thickness = v[4],
                                    .bolts = int(v[11]),
                                    .pitch = v[5],
                                    .radii = {v[7] / 2, v[6] / 2, v[8] / 2, 0},
                                    .head_height = v[9],
                                    .nut_height = v[10],
                                    .preload = v[12],
                                    .coarsening = v[13],
                                    .contact = v[14] == 1,
                                    .friction = v[15],
                                    .bolt_friction = v[16],
                                    .material = {v[17], v[18], v[19]}},
                                   input);
            }};
}

}  // namespace faying::fe
