// Two plates with one or two bolts, without washers: [S3] 4.2 and Appendix J. Only the material and the clearance of
// 0.6 mm are printed there; the other dimensions are those of an M10 joint.

#include "parts.hpp"

namespace faying::fe {

GeometryEntry lap_joint_entry() {
    Geometry seen{
        "lap-joint",
        "two plates lapped and held by one or two bolts",
        0.002,
        "C3D8I",
        {length("reach", 0.08, "length of each plate beyond the lap"), length("lap", 0.06, "length of the lap"),
         length("width", 0.04, "of the plates"), length("thickness", 0.006, "of each plate"),
         length("spacing", 0.03, "of two bolts; the box of the mesh about each bolt"),
         length("hole", 0.0112, "diameter of the holes"), length("shank", 0.01, "diameter of the bolts"),
         length("head", 0.0168, "diameter of head and nut"), length("head_height", 0.0064, "of the head"),
         length("nut_height", 0.008, "of the nut")}};
    seen.parameters.push_back({"bolts", "n", "", {1, 2}, core::Scale::linear, "how many: 1 or 2", 1});
    seen.parameters.push_back(
        {"preload", "F", "N", core::positive, core::Scale::linear, "tension of a bolt, in the deck's comments", 20000});
    seen.parameters.push_back(
        {"coarsening", "", "", {1, 20}, core::Scale::linear, "element size at the ends over --size", 2});
    seen.parameters.push_back({"contact",
                               "",
                               "",
                               {0, 1},
                               core::Scale::linear,
                               "1: plates and bolts touch and rub, the far end of BOTTOM is clamped; 0: bolts are tied",
                               0});
    seen.parameters.push_back(
        {"mu", "mu", "", core::non_negative, core::Scale::linear, "friction of the plates", 0.15});
    seen.parameters.push_back(
        {"mu_bolts", "mu_b", "", core::non_negative, core::Scale::linear, "friction of the bolts on the plates", 0.15});
    seen.parameters.push_back(
        {"shanks", "", "", {0, 1}, core::Scale::linear, "1, with contact: shanks may come to bear on their holes", 0});
    add_material(seen.parameters, 210e9, 0.3, 7850);
    return {seen, [](const std::vector<double>& v, const GeometryInput& input) {
                fits(v[10] == 1 || v[10] == 2, "lap-joint", "bolts = 1 or bolts = 2");
                BoltedLap lap{};
                lap.reach = v[0];
                lap.lap = v[1];
                lap.width = v[2];
                lap.thickness = v[3];
                lap.stepped = false;
                lap.pitch = v[4];
                lap.bolts = v[10] == 1 ? std::vector<double>{0} : std::vector<double>{-v[4] / 2, v[4] / 2};
                lap.hole = v[5];
                lap.shank = v[6];
                lap.head = v[7];
                lap.head_height = v[8];
                lap.nut_height = v[9];
                lap.washer = 0;
                lap.washer_thickness = 0;
                lap.preload = v[11];
                lap.coarsening = v[12];
                fits(v[13] == 0 || v[13] == 1, "lap-joint", "contact = 0 or contact = 1");
                lap.contact = v[13] == 1;
                lap.plate_friction = v[14];
                lap.bolt_friction = v[15];
                fits(v[16] == 0 || (v[16] == 1 && lap.contact), "lap-joint",
                     "shanks = 0, or shanks = 1 with contact = 1");
                lap.shanks = v[16] == 1;
                lap.material = {v[17], v[18], v[19]};
                return make_bolted_lap(lap, input, "lap-joint");
            }};
}

}  // namespace faying::fe
