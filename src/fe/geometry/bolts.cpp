#include "bolts.hpp"

#include <fmt/format.h>

#include <cmath>

namespace faying::fe {

namespace {

bool is(const PlanQuad& q, std::initializer_list<Ring> rings) {
    for (const Ring r : rings)
        if (q.ring == r) return true;
    return false;
}

bool of_shank(const PlanQuad& q) { return is(q, {Ring::core, Ring::shank}); }
bool of_head(const PlanQuad& q) { return is(q, {Ring::core, Ring::shank, Ring::clearance, Ring::seat}); }
bool of_washer(const PlanQuad& q) { return is(q, {Ring::seat, Ring::rim}); }
bool of_seat(const PlanQuad& q) { return q.ring == Ring::seat; }

}  // namespace

bool of_plates(const PlanQuad& q) { return is(q, {Ring::plain, Ring::outer, Ring::rim, Ring::seat}); }

QuadFilter in_segment(int segment, bool (*kind)(const PlanQuad&)) {
    return [=](const PlanQuad& q) { return q.segment == segment && kind(q); };
}

QuadFilter in_segments(int first, int last, bool (*kind)(const PlanQuad&)) {
    return [=](const PlanQuad& q) { return q.segment >= first && q.segment <= last && kind(q); };
}

void write_contact(Columns& c, const std::string& name, double friction, const std::string& first,
                   const std::string& second) {
    c.line(
        fmt::format("*SURFACE INTERACTION, NAME={0}\n*FRICTION\n{1:.10g}\n*CONTACT PAIR, INTERACTION={0}, SMALL "
                    "SLIDING\n{2}, {3}",
                    name, friction, first, second));
}

void write_bolt(Columns& c, const BoltLevels& z, int segment, int number, const BoltSeats& seats) {
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
    if (seats.contact) {
        write_contact(c, bolt + "_RUB_HEAD", seats.friction, bolt + "_UNDER_HEAD", bolt + "_TOP_SEAT");
        write_contact(c, bolt + "_RUB_NUT", seats.friction, bolt + "_UNDER_NUT", bolt + "_BOTTOM_SEAT");
        return;
    }
    if (!seats.washers) {
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

void write_shank(Columns& c, const BoltLevels& z, int number, double x, double r1, double r2, double friction) {
    const std::string bolt = fmt::format("BOLT_{}", number);
    const auto wall = [&](double radius, int from, int to) {
        const double low = c.levels()[std::size_t(from)], high = c.levels()[std::size_t(to)];
        return [=](const Eigen::Vector3d& p) {
            return std::abs(std::hypot(p.x() - x, p.y()) - radius) < 1e-3 * radius && p.z() > low - 1e-9 &&
                   p.z() < high + 1e-9;
        };
    };
    const auto pair = [&](const char* side, const std::string& part, const char* plate, int from, int to) {
        const std::string shank = fmt::format("{}_SHANK_{}", bolt, side), hole = fmt::format("{}_HOLE_{}", bolt, side);
        c.surface(shank, part, wall(r1, from, to));
        c.surface(hole, plate, wall(r2, from, to));
        write_contact(c, fmt::format("{}_RUB_SHANK_{}", bolt, side), friction, shank, hole);
    };
    pair("TOP", bolt + "_HEAD", "TOP", z.lap + 1, z.top);
    pair("BOTTOM", bolt + "_NUT", "BOTTOM", z.bottom, z.lap - 1);
}

void write_cut(Columns& c, const BoltLevels& z, int number, double x, double preload) {
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

}  // namespace faying::fe
