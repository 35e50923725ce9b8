// A plain beam, for checks: no joint.

#include "parts.hpp"

namespace faying::fe {

namespace {

Columns make_beam(const std::vector<double>& v, const GeometryInput& input) {
    const double along = v[0], width = v[1], height = v[2];
    if (input.tied) throw core::BadInput("--tied", "a plain beam has no joint to tie");
    PlanStrip strip{
        {{0, along, divisions_of(along, input.size)}}, width / 2, divisions_of(width, input.size, 2), input.size};
    std::vector<double> levels = {-height / 2};
    add_levels(levels, 0, input.size);
    add_levels(levels, height / 2, input.size);
    Columns c(mesh_plan(strip, Columns::second_order_plan(input.element), input.gmsh), levels, input.element);
    const int top = int(levels.size()) - 1, middle = c.level_at(0);
    c.body("BEAM", {{[](const PlanQuad&) { return true; }, 0, top}});
    std::vector<int> left, right;
    for (int level = 0; level <= top; ++level)
        for (const auto& [node, label] : c.nodes_at("BEAM", level)) {
            const double x = c.plan().nodes[std::size_t(node)][0];
            if (x == 0) left.push_back(label);
            if (x > along - 1e-9) right.push_back(label);
        }
    c.comment("The ends, and output points in the middle of them.");
    c.node_set("LEFT", left);
    c.node_set("RIGHT", right);
    c.node_set("ACCEL", {c.node_at("BEAM", along, 0, middle)});
    c.node_set("IMPACT", {c.node_at("BEAM", 0, 0, middle)});
    write_material(c, {v[3], v[4], v[5]}, {"BEAM"});
    return c;
}

}  // namespace

GeometryEntry beam_entry() {
    Geometry seen{"beam",
                  "a plain beam without a joint",
                  0.005,
                  "C3D8I",
                  {length("length", 0.72, "of the beam"), length("width", 0.0254, "of the beam, along y"),
                   length("height", 0.0254, "of the beam, along z")}};
    add_material(seen.parameters, 200e9, 0.3, 7850);
    return {seen, make_beam};
}

}  // namespace faying::fe
