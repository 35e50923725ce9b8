#pragma once
// The plan of a lap joint: a strip of boxes along x, meshed with quadrilaterals by Gmsh, every block structured.
//
// A box with a bolt is cut into rings about the bolt's axis, so that shank, hole, head and washer all have their
// circles in the mesh. Bodies are columns on this one plan (geometry_columns.hpp), and so all surfaces that touch
// match.

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "faying/fe/gmsh.hpp"

namespace faying::fe {

/// From the axis outward; `plain` is a box without a bolt, `ledge` the strip beside all boxes.
enum class Ring { core, shank, clearance, seat, rim, outer, plain, ledge };

struct BoltRadii {
    double shank = 0, hole = 0, head = 0, washer = 0;  ///< ascending
};

struct PlanSegment {
    double from = 0, to = 0;  ///< along x
    int divisions = 1;
    double growth = 1;  ///< ratio of one division to the one before
    std::optional<BoltRadii> bolt = {};
};

struct PlanStrip {
    std::vector<PlanSegment> segments;
    double half_width = 0;  ///< y from -half_width to half_width
    int divisions = 2;      ///< along y
    double size = 0;        ///< of elements, for the divisions across rings
    double ledge = 0;       ///< width of a strip beyond y = -half_width, where a wall stands (a flange); 0: none
};

struct PlanQuad {
    std::array<int, 8> nodes{};  ///< counter-clockwise, then the mid-side ones when of second order
    int segment = 0;
    Ring ring = Ring::plain;
};

struct Plan {
    std::vector<Eigen::Vector2d> nodes;
    std::vector<PlanQuad> quads;
    bool second_order = false;
};

Plan mesh_plan(const PlanStrip& strip, bool second_order, const GmshOptions& gmsh);

/// Divisions of about `size` along `length`, a multiple of `multiple`.
int divisions_of(double length, double size, int multiple = 1);

/// A segment whose divisions grow from `near` to `far` times the size; `near` is at its end that touches the joint.
PlanSegment graded_segment(double from, double to, double size, double coarsening, bool joint_at_end);

}  // namespace faying::fe
