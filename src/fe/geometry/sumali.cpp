// The Sumali beam: two thin beams, four bolts that are not meshed but act on square patches. [S2] 3.2.

#include <fmt/format.h>

#include <cmath>

#include "parts.hpp"

namespace faying::fe {

namespace {

constexpr int bolts = 4;

Columns make_sumali(const std::vector<double>& v, const GeometryInput& input) {
    const double beam = v[0], width = v[1], thickness = v[2], lap = v[3], spacing = v[4], patch = v[5];
    fits(lap < beam, "sumali", "lap < length");
    fits(patch < width && patch < spacing, "sumali", "patch < width and patch < spacing");
    fits((bolts - 1) * spacing + patch < lap, "sumali", "room for the four patches in the lap");
    // Divisions across: those of half a patch, and the rest of the width in as many of about that size.
    const int in_patch = divisions_of(patch, input.size, 2);
    const double share = width * in_patch / patch;
    const int across = 2 * int(std::lround(share / 2));
    fits(std::abs(share - across) < 1e-6, "sumali", "width a whole multiple of the elements of half a patch");
    PlanStrip strip{{}, width / 2, across, input.size};
    const double end = lap / 2;
    std::vector<double> cuts = {-end};
    for (int k = 0; k < bolts; ++k) {
        const double x = spacing * (k - (bolts - 1) / 2.0);
        cuts.insert(cuts.end(), {x - patch / 2, x + patch / 2});
    }
    cuts.push_back(end);
    const auto plain = [&](double from, double to, int n) { strip.segments.push_back({from, to, n}); };
    plain(-end - (beam - lap), -end, divisions_of(beam - lap, input.size));
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k)
        plain(cuts[k], cuts[k + 1], k % 2 == 1 ? in_patch : divisions_of(cuts[k + 1] - cuts[k], input.size));
    plain(end, end + (beam - lap), divisions_of(beam - lap, input.size));

    std::vector<double> levels = {-thickness};
    add_levels(levels, 0, input.size);
    add_levels(levels, thickness, input.size);
    Columns c(mesh_plan(strip, Columns::second_order_plan(input.element), input.gmsh), levels, input.element);
    const int last = int(strip.segments.size()) - 1, middle = c.level_at(0), top = int(levels.size()) - 1;
    const auto segments = [](int first, int final) {
        return [=](const PlanQuad& q) { return q.segment >= first && q.segment <= final; };
    };
    c.body("BOTTOM", {{segments(0, last - 1), 0, middle}});
    c.body("TOP", {{segments(1, last), middle, top}});
    std::vector<QuadFilter> patches;
    const auto& nodes = c.plan().nodes;
    for (int k = 0; k < bolts; ++k)
        patches.push_back([=, &nodes](const PlanQuad& q) {
            double y = 0;
            for (std::size_t j = 0; j < 4; ++j) y += nodes[std::size_t(q.nodes[j])][1] / 4;
            return q.segment == 2 + 2 * k && std::abs(y) < patch / 2;
        });
    c.comment("The bolts are not meshed. Bolt k acts between TOP_PATCH_k and BOTTOM_PATCH_k.");
    write_interface(c, middle, segments(1, last - 1), patches, input.tied);
    c.comment("Output points: P1 midway along an edge, BOLT_k above a bolt, ACCEL at the free end of TOP.");
    c.node_set("P1", {c.node_at("TOP", 0, width / 2, top)});
    for (int k = 0; k < bolts; ++k)
        c.node_set(fmt::format("BOLT_{}", k + 1), {c.node_at("TOP", spacing * (k - (bolts - 1) / 2.0), 0, top)});
    c.node_set("ACCEL", {c.node_at("TOP", end + beam - lap, 0, top)});
    write_material(c, {v[6], v[7], v[8]}, {"BOTTOM", "TOP"});
    return c;
}

}  // namespace

GeometryEntry sumali_entry() {
    Geometry seen{"sumali",
                  "Sumali beam: two thin beams lapped over 355.6 mm, four bolts as square patches",
                  0.00635,
                  "C3D8I",
                  {length("length", 0.508, "of each beam"), length("width", 0.0508, "of the beams"),
                   length("thickness", 0.00635, "of each beam"), length("lap", 0.3556, "length of the lap"),
                   length("spacing", 0.0762, "of the four bolts"), length("patch", 0.0254, "side of a bolt's patch")}};
    add_material(seen.parameters, 248e9, 0.29, 8000);
    return {seen, make_sumali};
}

}  // namespace faying::fe
