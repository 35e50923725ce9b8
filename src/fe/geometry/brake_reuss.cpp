// The Brake-Reuss beam: two half-beams, a lap of 120 mm, three M8 bolts. [S0] 3; equations sheet 4, "Beam facts".

#include "parts.hpp"

namespace faying::fe {

GeometryEntry brake_reuss_entry() {
    Geometry seen{"brake-reuss",
                  "Brake-Reuss beam: two half-beams lapped over 120 mm, three M8 bolts with washers and nuts",
                  0.0028,
                  "C3D8I",
                  {length("length", 0.72, "of the assembled beam"), length("width", 0.0254, "of the beam"),
                   length("height", 0.0254, "of the beam; the lapped halves have half of it"),
                   length("lap", 0.12, "length of the lap"), length("spacing", 0.03, "of the three bolts"),
                   length("hole", 0.0084, "diameter of the holes"), length("shank", 0.008, "diameter of the bolts"),
                   length("head", 0.01365, "diameter of head and nut: a circle of the area of a hexagon of 13 mm"),
                   length("head_height", 0.0053, "of the head"),
                   length("nut_height", 0.0068, "of the nut, with what of the thread stands out"),
                   length("washer", 0.0175, "outer diameter of the washers"),
                   length("washer_thickness", 0.0016, "of the washers")}};
    seen.parameters.push_back(
        {"preload", "F", "N", core::positive, core::Scale::linear, "tension of a bolt, in the deck's comments", 12845});
    seen.parameters.push_back(
        {"coarsening", "", "", {1, 20}, core::Scale::linear, "element size at the ends over --size", 2});
    add_material(seen.parameters, 194e9, 0.29, 7830);
    return {seen, [](const std::vector<double>& v, const GeometryInput& input) {
                BoltedLap lap{};
                lap.lap = v[3];
                fits(v[0] > v[3], "brake-reuss", "lap < length");
                lap.reach = (v[0] - v[3]) / 2;
                lap.width = v[1];
                lap.thickness = v[2] / 2;
                lap.stepped = true;
                lap.pitch = v[4];
                lap.bolts = {-v[4], 0, v[4]};
                lap.hole = v[5];
                lap.shank = v[6];
                lap.head = v[7];
                lap.head_height = v[8];
                lap.nut_height = v[9];
                lap.washer = v[10];
                lap.washer_thickness = v[11];
                lap.preload = v[12];
                lap.coarsening = v[13];
                lap.material = {v[14], v[15], v[16]};
                return make_bolted_lap(lap, input, "brake-reuss");
            }};
}

}  // namespace faying::fe
