// Two plates or half-beams lapped and bolted. x along, z along the bolts, the faying surfaces at z = 0.

#include <fmt/format.h>

#include <cmath>

#include "parts.hpp"

namespace faying::fe {

namespace {

bool is(const PlanQuad& q, std::initializer_list<Ring> rings) {
    for (const Ring r : rings)
        if (q.ring == r) return true;
    return false;
}

bool of_plates(const PlanQuad& q) { return is(q, {Ring::plain, Ring::outer, Ring::rim, Ring::seat}); }
bool of_shank(const PlanQuad& q) { return is(q, {Ring::core, Ring::shank}); }
bool of_head(const PlanQuad& q) { return is(q, {Ring::core, Ring::shank, Ring::clearance, Ring::seat}); }
bool of_washer(const PlanQuad& q) { return is(q, {Ring::seat, Ring::rim}); }
bool of_seat(const PlanQuad& q) { return q.ring == Ring::seat; }

QuadFilter in_segment(int segment, bool (*kind)(const PlanQuad&)) {
    return [=](const PlanQuad& q) { return q.segment == segment && kind(q); };
}

QuadFilter in_segments(int first, int last, bool (*kind)(const PlanQuad&)) {
    return [=](const PlanQuad& q) { return q.segment >= first && q.segment <= last && kind(q); };
}

struct Levels {
    int nut, lower_washer, bottom, lap, top, upper_washer, head;
};

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

void write_contact(Columns& c, const std::string& name, double friction, const std::string& first,
                   const std::string& second) {
    c.line(
        fmt::format("*SURFACE INTERACTION, NAME={0}\n*FRICTION\n{1:.10g}\n*CONTACT PAIR, INTERACTION={0}, SMALL "
                    "SLIDING\n{2}, {3}",
                    name, friction, first, second));
}

void write_bolt(Columns& c, const Levels& z, int segment, int number, const BoltedLap& lap) {
    const bool washers = lap.washer_thickness > 0;
    const std::string bolt = fmt::format("BOLT_{}", number);
    const std::string upper = bolt + "_HEAD", lower = bolt + "_NUT";
    c.body(upper, {{in_segment(segment, of_shank), z.lap, z.upper_washer},
                   {in_segment(segment, of_head), z.upper_washer, z.head}});
    c.body(lower, {{in_segment(segment, of_head), z.nut, z.lower_washer},
                   {in_segment(segment, of_shank), z.lower_washer, z.lap}});
    const auto seat = in_segment(segment, of_seat), ring = in_segment(segment, of_washer);
    c.surface(bolt + "_UNDER_HEAD", upper, z.upper_washer, Side::bottom, seat);
    c.surface(bolt + "_UNDER_NUT", lower, z.lower_washer, Side::top, seat);
    c.surface(bolt + "_TOP_SEAT", "TOP", z.top, Side::top, ring);
    c.surface(bolt + "_BOTTOM_SEAT", "BOTTOM", z.bottom, Side::bottom, ring);
    if (lap.contact) {
        write_contact(c, bolt + "_RUB_HEAD", lap.bolt_friction, bolt + "_UNDER_HEAD", bolt + "_TOP_SEAT");
        write_contact(c, bolt + "_RUB_NUT", lap.bolt_friction, bolt + "_UNDER_NUT", bolt + "_BOTTOM_SEAT");
        return;
    }
    if (!washers) {
        c.tie(bolt + "_UPPER", bolt + "_UNDER_HEAD", bolt + "_TOP_SEAT");
        c.tie(bolt + "_LOWER", bolt + "_UNDER_NUT", bolt + "_BOTTOM_SEAT");
        return;
    }
    const std::string above = fmt::format("WASHER_{}_UPPER", number), below = fmt::format("WASHER_{}_LOWER", number);
    c.body(above, {{ring, z.top, z.upper_washer}});
    c.body(below, {{ring, z.lower_washer, z.bottom}});
    c.surface(above + "_TOP", above, z.upper_washer, Side::top, ring);
    c.surface(above + "_BOTTOM", above, z.top, Side::bottom, ring);
    c.surface(below + "_TOP", below, z.bottom, Side::top, ring);
    c.surface(below + "_BOTTOM", below, z.lower_washer, Side::bottom, ring);
    c.tie(bolt + "_HEAD_ON_WASHER", bolt + "_UNDER_HEAD", above + "_TOP");
    c.tie(bolt + "_WASHER_ON_TOP", above + "_BOTTOM", bolt + "_TOP_SEAT");
    c.tie(bolt + "_NUT_ON_WASHER", bolt + "_UNDER_NUT", below + "_BOTTOM");
    c.tie(bolt + "_WASHER_ON_BOTTOM", below + "_TOP", bolt + "_BOTTOM_SEAT");
}

/// The shank is cut at z = 0. Both sides of the cut move together, but for one opening along the axis that they share:
/// u3(head side) - u3(nut side) is the same for all pairs as for the middle one. A force pair on the middle nodes is
/// then the bolt's tension, exactly.
void write_cut(Columns& c, const Levels& z, int number, double x, double preload) {
    const std::string bolt = fmt::format("BOLT_{}", number);
    const auto head = c.nodes_at(bolt + "_HEAD", z.lap), nut = c.nodes_at(bolt + "_NUT", z.lap);
    const int head_pin = c.node_at(bolt + "_HEAD", x, 0, z.lap), nut_pin = c.node_at(bolt + "_NUT", x, 0, z.lap);
    c.comment(fmt::format("Bolt {}: its shank is cut at z = 0, open along z by what the two pins are apart.", number));
    c.node_set(bolt + "_PIN_HEAD", {head_pin});
    c.node_set(bolt + "_PIN_NUT", {nut_pin});
    c.comment("Tension F in a step:");
    c.comment("*CLOAD");
    c.comment(fmt::format("{}_PIN_HEAD, 3, {:g}", bolt, -preload));
    c.comment(fmt::format("{}_PIN_NUT, 3, {:g}", bolt, preload));
    for (const auto& [node, above] : head) {
        const int below = nut.at(node);
        for (int dof = 1; dof <= 2; ++dof)
            c.line(fmt::format("*EQUATION\n2\n{0}, {2}, 1, {1}, {2}, -1", above, below, dof));
        if (above != head_pin)
            c.line(
                fmt::format("*EQUATION\n4\n{}, 3, 1, {}, 3, -1, {}, 3, -1, {}, 3, 1", above, below, head_pin, nut_pin));
    }
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
    const Levels z{0,
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
        write_bolt(c, z, s, ++number, lap);
        write_cut(c, z, number, lap.bolts[std::size_t(number - 1)], lap.preload);
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
