#include "plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "faying/core/error.hpp"

namespace faying::fe {

namespace {

constexpr std::array ring_names = {"core", "shank", "clearance", "seat", "rim", "outer", "plain", "ledge"};

/// Gmsh's own language, with numbered curves: each is made once and has its divisions.
class GeoText {
 public:
    explicit GeoText(const PlanStrip& strip) : strip_(strip) {
        const auto& segments = strip.segments;
        for (std::size_t i = 0; i <= segments.size(); ++i) {
            const double x = i < segments.size() ? segments[i].from : segments.back().to;
            low_.push_back(point(x, -strip.half_width));
            high_.push_back(point(x, strip.half_width));
            across_.push_back(line(low_[i], high_[i], strip.divisions));
        }
        for (std::size_t i = 0; i < segments.size(); ++i) {
            const auto& s = segments[i];
            const int below = line(low_[i], low_[i + 1], s.divisions, s.growth);
            const int above = line(high_[i], high_[i + 1], s.divisions, s.growth);
            const std::array<int, 4> box = {below, across_[i + 1], -above, -across_[i]};  // counter-clockwise
            if (s.bolt)
                bolted(i, box);
            else
                surface(box, i, Ring::plain);
            if (strip.ledge > 0) below_boxes(i, below);
        }
    }

    std::string text(bool second_order) const {
        std::string all = text_;
        for (const auto& [key, surfaces] : groups_)
            all += fmt::format("Physical Surface(\"S{}_{}\") = {{{}}};\n", key.first,
                               ring_names[std::size_t(key.second)], fmt::join(surfaces, ","));
        if (second_order) all += "Mesh.ElementOrder = 2;\nMesh.SecondOrderIncomplete = 1;\n";
        return all;
    }

 private:
    PlanStrip strip_;
    std::string text_ = "// written by faying\n";
    std::vector<int> low_, high_, across_;
    int ledge_point_ = 0, ledge_across_ = 0;  ///< where the ledge of the segment before ends
    std::map<std::pair<std::size_t, Ring>, std::vector<int>> groups_;
    int points_ = 0, curves_ = 0, surfaces_ = 0;

    int point(double x, double y) {
        text_ += fmt::format("Point({}) = {{{:.12g}, {:.12g}, 0}};\n", ++points_, x, y);
        return points_;
    }

    int line(int from, int to, int divisions, double growth = 1) {
        text_ += fmt::format("Line({}) = {{{}, {}}};\n", ++curves_, from, to);
        return divided(divisions, growth);
    }

    int arc(int from, int centre, int to, int divisions) {
        text_ += fmt::format("Circle({}) = {{{}, {}, {}}};\n", ++curves_, from, centre, to);
        return divided(divisions, 1);
    }

    int divided(int divisions, double growth) {
        text_ +=
            fmt::format("Transfinite Curve {{{}}} = {} Using Progression {:.12g};\n", curves_, divisions + 1, growth);
        return curves_;
    }

    void surface(const std::array<int, 4>& loop, std::size_t segment, Ring ring) {
        ++surfaces_;
        text_ += fmt::format(
            "Curve Loop({0}) = {{{1}}};\nPlane Surface({0}) = {{{0}}};\nTransfinite Surface {{{0}}};\n"
            "Recombine Surface {{{0}}};\n",
            surfaces_, fmt::join(loop, ","));
        groups_[{segment, ring}].push_back(surfaces_);
    }

    /// The ledge beside a box: `above` is the box's lower side.
    void below_boxes(std::size_t i, int above) {
        const auto& s = strip_.segments[i];
        const double y = -strip_.half_width - strip_.ledge;
        const int across = divisions_of(strip_.ledge, strip_.size);
        if (i == 0) {
            ledge_point_ = point(s.from, y);
            ledge_across_ = line(ledge_point_, low_[i], across);
        }
        const int corner = point(s.to, y);
        const int along = line(ledge_point_, corner, s.divisions, s.growth);
        const int end = line(corner, low_[i + 1], across);
        surface({along, end, -above, -ledge_across_}, i, Ring::ledge);
        ledge_point_ = corner;
        ledge_across_ = end;
    }

    /// Four sectors a ring, their corners on the diagonals; sides are counter-clockwise from the lower one.
    void bolted(std::size_t i, const std::array<int, 4>& box) {
        const auto& s = strip_.segments[i];
        const auto& r = *s.bolt;
        const double x = (s.from + s.to) / 2;
        const std::array<int, 4> side_divisions = {s.divisions, strip_.divisions, s.divisions, strip_.divisions};
        const int centre = point(x, 0);
        struct Circle {
            std::array<int, 4> corner, side;
        };
        const auto corners_at = [&](double radius) {
            std::array<int, 4> corner{};
            for (std::size_t q = 0; q < 4; ++q) {
                const double angle = std::numbers::pi * (1.25 + 0.5 * double(q));
                corner[q] = point(x + radius * std::cos(angle), radius * std::sin(angle));
            }
            return corner;
        };
        const auto circle_at = [&](double radius, bool straight) {
            Circle c;
            c.corner = corners_at(radius);
            for (std::size_t q = 0; q < 4; ++q) {
                const int from = c.corner[q], to = c.corner[(q + 1) % 4];
                c.side[q] = straight ? line(from, to, side_divisions[q]) : arc(from, centre, to, side_divisions[q]);
            }
            return c;
        };
        Circle inner = circle_at(0.6 * r.shank, true);
        double radius = 0.6 * r.shank;
        surface(inner.side, i, Ring::core);
        const auto grow_to = [&](const Circle& outer, double outer_radius, Ring ring) {
            const int across = divisions_of(outer_radius - radius, strip_.size);
            std::array<int, 4> spoke{};
            for (std::size_t q = 0; q < 4; ++q) spoke[q] = line(inner.corner[q], outer.corner[q], across);
            for (std::size_t q = 0; q < 4; ++q)
                surface({outer.side[q], -spoke[(q + 1) % 4], -inner.side[q], spoke[q]}, i, ring);
            inner = outer;
            radius = outer_radius;
        };
        grow_to(circle_at(r.shank, false), r.shank, Ring::shank);
        grow_to(circle_at(r.hole, false), r.hole, Ring::clearance);
        grow_to(circle_at(r.head, false), r.head, Ring::seat);
        if (r.washer > r.head) grow_to(circle_at(r.washer, false), r.washer, Ring::rim);
        const Circle outside{{low_[i], low_[i + 1], high_[i + 1], high_[i]}, box};
        grow_to(outside, std::min(s.to - s.from, 2 * strip_.half_width) / 2, Ring::outer);
    }
};

/// How many quadrilaterals the plan will have: no more than this, as rings share their box's divisions.
double quads_of(const PlanStrip& strip) {
    double all = 0;
    for (const auto& s : strip.segments) {
        all += double(s.divisions) * (strip.divisions + strip.ledge / strip.size);
        const double reach = std::min(s.to - s.from, 2 * strip.half_width) / 2;
        if (s.bolt) all += 2.0 * (s.divisions + strip.divisions) * (divisions_of(reach, strip.size) + 5);
    }
    return all;
}

/// Gmsh places points on transfinite curves to about 1e-12; a grid of 1e-10 makes planes plane.
double rounded(double x) { return std::round(x * 1e10) / 1e10 + 0.0; }

}  // namespace

int divisions_of(double length, double size, int multiple) {
    constexpr double most = 1e5;
    if (!(length / size <= most))
        throw core::BadInput("--size", fmt::format("{:g} m cuts a length of {:g} m into {:.3g} elements; at most {:g} "
                                                   "are made, so a size of {:.3g} m or more is needed",
                                                   size, length, length / size, most, length / most));
    return multiple * std::max(1, int(std::lround(length / size / multiple)));
}

PlanSegment graded_segment(double from, double to, double size, double coarsening, bool joint_at_end) {
    PlanSegment segment{from, to};
    const double length = to - from, far = std::min(coarsening * size, length);
    const bool graded = far > 1.01 * size;
    const double mean = graded ? (far - size) / std::log(far / size) : size;
    segment.divisions = divisions_of(length, mean);
    if (graded && segment.divisions > 1) {
        const double growth = std::pow(far / size, 1.0 / (segment.divisions - 1));
        segment.growth = joint_at_end ? 1 / growth : growth;
    }
    return segment;
}

Plan mesh_plan(const PlanStrip& strip, bool second_order, const GmshOptions& gmsh) {
    GmshOptions options = gmsh;
    options.dimension = 2;
    constexpr double most = 1e6;
    if (const double quads = quads_of(strip); quads > most)
        throw core::BadInput("--size", fmt::format("{:g} m needs about {:.2g} quadrilaterals in the plan; at most {:g} "
                                                   "are made, so a larger size is needed",
                                                   strip.size, quads, most));
    const Deck mesh = mesh_with_gmsh(GeoText(strip).text(second_order), options);
    Plan plan;
    plan.second_order = second_order;
    for (const auto& node : mesh.nodes) plan.nodes.push_back({rounded(node.point[0]), rounded(node.point[1])});
    for (std::size_t segment = 0; segment < strip.segments.size(); ++segment)
        for (std::size_t ring = 0; ring < ring_names.size(); ++ring) {
            const Index set = mesh.element_sets.find(fmt::format("S{}_{}", segment, ring_names[ring]));
            if (set == none) continue;
            for (const Index e : mesh.element_sets[set].elements) {
                const auto nodes = nodes_of(mesh, mesh.elements[std::size_t(e)]);
                if (nodes.size() != (second_order ? 8u : 4u))
                    throw core::BadInput("gmsh", "left triangles in a plan that should be all quadrilaterals");
                PlanQuad quad{{}, int(segment), Ring(ring)};
                std::copy(nodes.begin(), nodes.end(), quad.nodes.begin());
                plan.quads.push_back(quad);
            }
        }
    return plan;
}

}  // namespace faying::fe
