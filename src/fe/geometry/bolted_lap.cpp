// Two plates or half-beams lapped and bolted. x along, z along the bolts, the faying surfaces at z = 0.

#include <fmt/format.h>

#include <cmath>

#include "bolts.hpp"
#include "parts.hpp"

namespace faying::fe {

namespace {

/// The strip: a graded reach, the lap's boxes (its ends, and one about each bolt), a graded reach.
PlanStrip strip_of(const BoltedLap& lap, double size) {
    PlanStrip strip{{}, lap.width / 2, divisions_of(lap.width, size, 2), size};
    const BoltRadii radii{lap.shank / 2, lap.hole / 2, lap.head / 2, lap.washer_thickness > 0 ? lap.washer / 2 : 0};
    const double end = lap.lap / 2;
    strip.segments.push_back(graded_segment(-end - lap.reach, -end, size, lap.coarsening, true));
    double x = -end;
    const auto plain_to = [&](double to) {
        if (to - x > 1e-9) strip.segments.push_back({x, to, divisions_of(to - x, size)});
        x = to;
    };
    for (const double bolt : lap.bolts) {
        plain_to(bolt - lap.pitch / 2);
        x = bolt - lap.pitch / 2;
        strip.segments.push_back({x, x + lap.pitch, divisions_of(lap.pitch, size, 2), 1, radii});
        x += lap.pitch;
    }
    plain_to(end);
    strip.segments.push_back(graded_segment(end, end + lap.reach, size, lap.coarsening, false));
    return strip;
}

std::vector<double> levels_of(const BoltedLap& lap, double size) {
    const double plate = lap.thickness, washer = plate + lap.washer_thickness;
    std::vector<double> levels = {-washer - lap.nut_height};
    add_levels(levels, -washer, size);
    if (lap.washer_thickness > 0) add_levels(levels, -plate, size);
    add_levels(levels, 0, size);
    add_levels(levels, plate, size);
    if (lap.washer_thickness > 0) add_levels(levels, washer, size);
    add_levels(levels, washer + lap.head_height, size);
    return levels;
}

void check(const BoltedLap& lap, const char* name) {
    fits(!lap.contact || lap.washer_thickness == 0, name, "no washers where bolts touch the plates");
    fits(lap.shank < lap.hole, name, "shank < hole");
    fits(lap.hole < lap.head, name, "hole < head");
    fits(lap.washer_thickness == 0 || lap.head < lap.washer, name, "head < washer");
    const double widest = std::max(lap.head, lap.washer_thickness > 0 ? lap.washer : 0.0);
    fits(widest < lap.width, name, "washer and head < width");
    fits(widest < lap.pitch, name, "washer and head < spacing of the bolts");
    fits(lap.bolts.back() - lap.bolts.front() + lap.pitch <= lap.lap + 1e-12, name, "room for the bolts in the lap");
}

}  // namespace

Columns make_bolted_lap(const BoltedLap& lap, const GeometryInput& input, const char* geometry) {
    check(lap, geometry);
    const auto strip = strip_of(lap, input.size);
    const int last = int(strip.segments.size()) - 1;
    const bool washers = lap.washer_thickness > 0;
    Columns c(mesh_plan(strip, Columns::second_order_plan(input.element), input.gmsh), levels_of(lap, input.size),
              input.element);
    const double plate = lap.thickness, washer = plate + lap.washer_thickness;
    const BoltLevels z{0,
                       c.level_at(-washer),
                       c.level_at(-plate),
                       c.level_at(0),
                       c.level_at(plate),
                       c.level_at(washer),
                       int(c.levels().size()) - 1};
    c.body("BOTTOM", {{in_segment(0, of_plates), z.bottom, lap.stepped ? z.top : z.lap},
                      {in_segments(1, last - 1, of_plates), z.bottom, z.lap}});
    c.body("TOP", {{in_segments(1, last - 1, of_plates), z.lap, z.top},
                   {in_segment(last, of_plates), lap.stepped ? z.bottom : z.lap, z.top}});
    std::vector<QuadFilter> patches;
    for (int s = 1; s < last; ++s) patches.push_back(in_segment(s, of_plates));
    write_interface(c, z.lap, in_segments(1, last - 1, of_plates), patches, input.tied);
    if (lap.contact && !input.tied) write_contact(c, "RUB_PLATES", lap.plate_friction, "TOP_FACE", "BOTTOM_FACE");
    std::vector<std::string> bodies = {"BOTTOM", "TOP"};
    int number = 0;
    for (int s = 0; s <= last; ++s) {
        if (!strip.segments[std::size_t(s)].bolt) continue;
        write_bolt(c, z, s, ++number, {lap.washer_thickness > 0, lap.contact, lap.bolt_friction});
        write_cut(c, z, number, lap.bolts[std::size_t(number - 1)], lap.preload);
        if (lap.contact && lap.shanks) {
            fits(z.top - z.lap > 1, geometry, "two layers of elements in a plate whose hole meets a shank (--size)");
            write_shank(c, z, number, lap.bolts[std::size_t(number - 1)], lap.shank / 2, lap.hole / 2,
                        lap.bolt_friction);
        }
        for (const char* part : {"_HEAD", "_NUT"}) bodies.push_back(fmt::format("BOLT_{}{}", number, part));
        if (washers)
            for (const char* part : {"_UPPER", "_LOWER"}) bodies.push_back(fmt::format("WASHER_{}{}", number, part));
    }
    c.comment("Output points, in the middle of the ends: ACCEL at the free end of TOP, IMPACT at that of BOTTOM.");
    const double end = lap.lap / 2 + lap.reach;
    c.node_set("ACCEL", {c.node_at("TOP", end, 0, z.lap)});
    c.node_set("IMPACT", {c.node_at("BOTTOM", -end, 0, z.lap)});
    if (lap.contact) {
        std::vector<int> clamped;
        for (int level = z.bottom; level <= z.lap; ++level)
            for (const auto& [node, label] : c.nodes_at("BOTTOM", level))
                if (std::abs(c.plan().nodes[std::size_t(node)].x() + end) < 1e-9 * end) clamped.push_back(label);
        c.comment("The far end of BOTTOM is clamped.");
        c.node_set("CLAMPED", clamped);
        c.line("*BOUNDARY\nCLAMPED, 1, 3");
    }
    write_material(c, lap.material, bodies);
    return c;
}

}  // namespace faying::fe
