// A plate with random cracks that rub ([S3] 6.2): Gmsh meshes it with the cracks as lines, and the nodes on them are then
// split, so that every crack has two faces.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "faying/core/error.hpp"
#include "faying/fe/face.hpp"
#include "parts.hpp"

namespace faying::fe {

namespace {

using Eigen::Vector2d;

struct Crack {
    Vector2d from, to;
    double friction;
    Vector2d along() const { return (to - from).normalized(); }
    double length() const { return (to - from).norm(); }
};

double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

double distance(const Vector2d& p, const Crack& c) {
    const double share = std::clamp((p - c.from).dot(c.to - c.from) / (c.to - c.from).squaredNorm(), 0.0, 1.0);
    return (p - c.from - share * (c.to - c.from)).norm();
}

double distance(const Crack& a, const Crack& b) {
    const auto sides = [](const Crack& c, const Crack& other) {
        return cross(c.to - c.from, other.from - c.from) * cross(c.to - c.from, other.to - c.from) < 0;
    };
    if (sides(a, b) && sides(b, a)) return 0;
    return std::min({distance(a.from, b), distance(a.to, b), distance(b.from, a), distance(b.to, a)});
}

struct PlateValues {
    double side, cracks, seed, shortest, longest, margin, apart, turn_low, turn_high, mu_low, mu_high, tip, middle,
        growth, thickness;
    Material3 material;
};

PlateValues values_of(const std::vector<double>& v) {
    return {v[0], v[1], v[2],  v[3],  v[4],  v[5],  v[6],  v[7],
            v[8], v[9], v[10], v[11], v[12], v[13], v[14], {v[15], v[16], v[17]}};
}

/// Uniform between two numbers; the same on every machine.
class Draw {
 public:
    explicit Draw(double seed) : bits_(static_cast<std::uint64_t>(seed)) {}
    double operator()(double low, double high) { return low + (high - low) * double(bits_() >> 11) * 0x1p-53; }

 private:
    std::mt19937_64 bits_;
};

/// One after the other; one that comes too near to those before, or to the edge, is drawn again.
std::vector<Crack> drawn(const PlateValues& v) {
    const auto whole = [](double x, const char* key) {
        if (x != std::floor(x))
            throw core::BadInput("cracked-plate", fmt::format("{} = {:g} is no whole number", key, x));
    };
    whole(v.cracks, "cracks");
    whole(v.seed, "seed");
    fits(v.shortest <= v.longest, "cracked-plate", "shortest <= longest");
    fits(2 * v.margin <= v.side * (1 + 1e-12), "cracked-plate", "2 margin <= side");
    fits(v.longest / 2 < std::max(v.margin, v.apart) || v.longest < v.side, "cracked-plate", "longest < side");
    Draw draw(v.seed);
    std::vector<Crack> all;
    const double reach = std::max(0.0, v.side / 2 - v.margin);
    constexpr int most_tries = 20000;  // in a row
    int tries = 0;
    while (double(all.size()) < v.cracks) {
        const double length = draw(v.shortest, v.longest);
        const double turn = draw(v.turn_low, v.turn_high) * std::numbers::pi / 180;
        const double x = draw(-reach, reach), y = draw(-reach, reach), mu = draw(v.mu_low, v.mu_high);
        const Vector2d middle(x, y), half = 0.5 * length * Vector2d(std::cos(turn), std::sin(turn));
        const Crack crack{middle - half, middle + half, mu};
        bool clear = true;
        for (const Vector2d& tip : {crack.from, crack.to})
            clear = clear && tip.cwiseAbs().maxCoeff() <= v.side / 2 - v.apart;
        for (const Crack& other : all) clear = clear && distance(crack, other) >= v.apart;
        if (clear) {
            all.push_back(crack);
            tries = 0;
        } else if (++tries == most_tries) {
            throw core::BadInput("cracked-plate",
                                 fmt::format("no room for crack {} of {:g} at least {:g} m from the others and the "
                                             "edges; fewer or shorter cracks, or a smaller 'apart', are needed",
                                             all.size() + 1, v.cracks, v.apart));
        }
    }
    return all;
}

/// Cracks meshed alike, the shortest first: each by itself, or, where they are so many that Gmsh would take long over a
/// field each, those within a fifth of one length together.
std::vector<std::vector<std::size_t>> of_one_size(const std::vector<Crack>& cracks) {
    constexpr std::size_t few = 64;
    constexpr double alike = 1.2;
    std::vector<std::vector<std::size_t>> all;
    std::vector<std::size_t> order(cracks.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    if (cracks.size() > few)
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return cracks[a].length() < cracks[b].length(); });
    for (const std::size_t k : order) {
        if (cracks.size() <= few || all.empty() || cracks[k].length() > alike * cracks[all.back()[0]].length())
            all.emplace_back();
        all.back().push_back(k);
    }
    return all;
}

/// Sizes are those of the nearest tip and crack and grow with the distance from them.
std::string geo_text(const PlateValues& v, const std::vector<Crack>& cracks, double size) {
    std::string geo = fmt::format("s = {:.17g};\n", v.side / 2);
    geo +=
        "Point(1) = {-s, -s, 0};\nPoint(2) = {s, -s, 0};\nPoint(3) = {s, s, 0};\nPoint(4) = {-s, s, 0};\n"
        "Line(1) = {1, 2};\nLine(2) = {2, 3};\nLine(3) = {3, 4};\nLine(4) = {4, 1};\n"
        "Curve Loop(1) = {1, 2, 3, 4};\nPlane Surface(1) = {1};\n";
    for (std::size_t k = 0; k < cracks.size(); ++k) {
        const Crack& c = cracks[k];
        const std::size_t point = 5 + 3 * k, line = 5 + 2 * k;
        for (std::size_t at = 0; at < 3; ++at) {
            const Vector2d x = at == 1 ? Vector2d(0.5 * (c.from + c.to)) : at == 0 ? c.from : c.to;
            geo += fmt::format("Point({}) = {{{:.17g}, {:.17g}, 0}};\n", point + at, x.x(), x.y());
        }
        geo += fmt::format("Line({}) = {{{}, {}}};\nLine({}) = {{{}, {}}};\nCurve{{{}, {}}} In Surface{{1}};\n", line,
                           point, point + 1, line + 1, point + 1, point + 2, line, line + 1);
    }
    int field = 1;
    std::string fields;
    for (const auto& alike : of_one_size(cracks)) {
        std::vector<std::size_t> points, lines;
        for (const std::size_t k : alike) {
            for (const std::size_t at : {0, 2}) points.push_back(5 + 3 * k + at);
            for (const std::size_t at : {0, 1}) lines.push_back(5 + 2 * k + at);
        }
        const auto grow = [&](const char* list, const std::vector<std::size_t>& which, double share) {
            const double least = std::min(size, share * cracks[alike[0]].length());
            geo += fmt::format(
                "Field[{0}] = Distance;\nField[{0}].{2} = {{{3}}};\nField[{0}].NumPointsPerCurve = {7};\n"
                "Field[{1}] = Threshold;\nField[{1}].InField = {0};\nField[{1}].SizeMin = {4:.17g};\n"
                "Field[{1}].SizeMax = {5:.17g};\nField[{1}].DistMin = 0;\nField[{1}].DistMax = {6:.17g};\n",
                field, field + 1, list, fmt::join(which, ", "), least, size,
                std::max((size - least) / v.growth, 1e-6 * size), std::max(20, int(2 / v.middle)));
            fields += fmt::format("{}{}", fields.empty() ? "" : ", ", field + 1);
            field += 2;
        };
        grow("PointsList", points, v.tip);
        grow("CurvesList", lines, v.middle);
    }
    return geo +
           fmt::format("Field[{0}] = Min;\nField[{0}].FieldsList = {{{1}}};\nBackground Field = {0};\n", field,
                       fields) +
           "Mesh.CharacteristicLengthExtendFromBoundary = 0;\nMesh.CharacteristicLengthFromPoints = 0;\n"
           "Mesh.Algorithm = 5;\nMesh.ElementOrder = 2;\nMesh.SecondOrderLinear = 1;\nMesh 2;\n";
}

/// The mesh, split along its cracks.
class SplitMesh {
 public:
    SplitMesh(const Deck& mesh, const std::vector<Crack>& cracks, double side, bool closed)
        : cracks_(cracks), half_(side / 2), hair_(1e-9 * side) {
        for (const auto& node : mesh.nodes) nodes_.emplace_back(node.point.x(), node.point.y());
        for (const auto& element : mesh.elements)
            if (const auto nodes = nodes_of(mesh, element); nodes.size() == 6)
                triangles_.push_back({nodes[0], nodes[1], nodes[2], nodes[3], nodes[4], nodes[5]});
        faces_.resize(cracks.size());
        for (std::size_t k = 0; k < cracks.size(); ++k) split(k, closed);
    }

    std::string text(const std::string& type) const {
        std::string out = "*NODE, NSET=ALL\n";
        for (std::size_t n = 0; n < nodes_.size(); ++n)
            out += fmt::format("{}, {:.17g}, {:.17g}\n", n + 1, nodes_[n].x(), nodes_[n].y());
        out += fmt::format("*ELEMENT, TYPE={}, ELSET=PLATE\n", type);
        for (std::size_t e = 0; e < triangles_.size(); ++e) {
            out += fmt::format("{}", e + 1);
            for (const Index n : triangles_[e]) out += fmt::format(", {}", n + 1);
            out += "\n";
        }
        const auto surface = [&](const std::string& name, const std::vector<std::pair<std::size_t, int>>& faces) {
            out += fmt::format("*SURFACE, NAME={}, TYPE=ELEMENT\n", name);
            for (const auto& [element, face] : faces) out += fmt::format("{}, S{}\n", element + 1, face);
        };
        for (std::size_t k = 0; k < faces_.size(); ++k) {
            surface(fmt::format("CRACK_{}_A", k + 1), faces_[k][0]);
            surface(fmt::format("CRACK_{}_B", k + 1), faces_[k][1]);
        }
        surface("LEFT", edge([&](const Vector2d& x) { return x.x() < -half_ + hair_; }));
        surface("RIGHT", edge([&](const Vector2d& x) { return x.x() > half_ - hair_; }));
        surface("BOTTOM", edge([&](const Vector2d& x) { return x.y() < -half_ + hair_; }));
        surface("TOP", edge([&](const Vector2d& x) { return x.y() > half_ - hair_; }));
        out +=
            fmt::format("** two corners hold it: no more than rigid motions are stopped\n*BOUNDARY\n{}, 1, 2\n{}, 2\n",
                        corner(-1, -1) + 1, corner(1, -1) + 1);
        return out;
    }
    int nodes() const { return int(nodes_.size()); }
    int elements() const { return int(triangles_.size()); }

 private:
    const std::vector<Crack>& cracks_;
    double half_, hair_;
    std::vector<Vector2d> nodes_;
    std::vector<std::array<Index, 6>> triangles_;
    std::vector<std::array<std::vector<std::pair<std::size_t, int>>, 2>> faces_;  ///< of each crack, both sides

    /// Nodes on the crack stay with what lies to its left; what lies to its right gets nodes of its own, but for the tips.
    void split(std::size_t k, bool closed) {
        const Crack& c = cracks_[k];
        std::map<Index, Index> twin;
        const auto count = nodes_.size();
        std::vector<char> on(count, 0);
        for (std::size_t n = 0; n < count; ++n)
            if (distance(nodes_[n], c) < hair_) {
                on[n] = 1;
                const bool tip = (nodes_[n] - c.from).norm() < hair_ || (nodes_[n] - c.to).norm() < hair_;
                if (tip || closed) continue;
                twin[Index(n)] = Index(nodes_.size());
                nodes_.push_back(Vector2d(nodes_[n]));
            }
        const auto faces = fe::faces(Shape::tri6);
        for (std::size_t e = 0; e < triangles_.size(); ++e) {
            auto& nodes = triangles_[e];
            if (std::none_of(nodes.begin(), nodes.end(), [&](Index n) { return on[std::size_t(n)] != 0; })) continue;
            const Vector2d middle =
                (nodes_[std::size_t(nodes[0])] + nodes_[std::size_t(nodes[1])] + nodes_[std::size_t(nodes[2])]) / 3;
            const bool right = cross(c.to - c.from, middle - c.from) < 0;
            for (std::size_t f = 0; f < faces.size(); ++f) {
                const auto local = faces[f].local_nodes();
                if (std::all_of(local.begin(), local.end(),
                                [&](int a) { return on[std::size_t(nodes[std::size_t(a)])] != 0; }))
                    faces_[k][right].emplace_back(e, int(f) + 1);
            }
            if (!right) continue;
            for (Index& n : nodes)
                if (const auto found = twin.find(n); found != twin.end()) n = found->second;
        }
        if (faces_[k][0].empty() || faces_[k][0].size() != faces_[k][1].size())
            throw core::BadInput("gmsh", fmt::format("the mesh does not follow crack {}", k + 1));
    }

    template <class In>
    std::vector<std::pair<std::size_t, int>> edge(const In& in) const {
        std::vector<std::pair<std::size_t, int>> all;
        const auto faces = fe::faces(Shape::tri6);
        for (std::size_t e = 0; e < triangles_.size(); ++e)
            for (std::size_t f = 0; f < faces.size(); ++f) {
                const auto local = faces[f].local_nodes();
                if (std::all_of(local.begin(), local.end(),
                                [&](int a) { return in(nodes_[std::size_t(triangles_[e][std::size_t(a)])]); }))
                    all.emplace_back(e, int(f) + 1);
            }
        return all;
    }

    std::size_t corner(double x, double y) const {
        std::size_t best = 0;
        for (std::size_t n = 1; n < nodes_.size(); ++n)
            if ((nodes_[n] - half_ * Vector2d(x, y)).norm() < (nodes_[best] - half_ * Vector2d(x, y)).norm()) best = n;
        return best;
    }
};

PlaneText make_cracked_plate(const std::vector<double>& values, const GeometryInput& input) {
    const PlateValues v = values_of(values);
    const auto cracks = drawn(v);
    GmshOptions gmsh = input.gmsh;
    gmsh.dimension = 2;
    const SplitMesh mesh(mesh_with_gmsh(geo_text(v, cracks, input.size), gmsh), cracks, v.side, input.tied);
    PlaneText out{mesh.text(input.element), mesh.nodes(), mesh.elements()};
    out.text += fmt::format(
        "*SOLID SECTION, ELSET=PLATE, MATERIAL=PLATE\n{:.10g}\n*MATERIAL, NAME=PLATE\n*ELASTIC\n{:.10g}, "
        "{:.10g}\n*DENSITY\n{:.10g}\n",
        v.thickness, v.material.young, v.material.poisson, v.material.density);
    for (std::size_t k = 0; k < cracks.size() && !input.tied; ++k) {
        const Crack& c = cracks[k];
        out.text += fmt::format("** crack {}: {:.6g} m at ({:.6g}, {:.6g}), {:.5g} degrees\n", k + 1, c.length(),
                                (c.from.x() + c.to.x()) / 2, (c.from.y() + c.to.y()) / 2,
                                std::atan2(c.along().y(), c.along().x()) * 180 / std::numbers::pi);
        out.text += fmt::format(
            "*SURFACE INTERACTION, NAME=RUB_{0}\n*FRICTION\n{1:.10g}\n*CONTACT PAIR, INTERACTION=RUB_{0}, "
            "SMALL SLIDING\nCRACK_{0}_A, CRACK_{0}_B\n",
            k + 1, c.friction);
    }
    return out;
}

}  // namespace

GeometryEntry cracked_plate_entry() {
    const auto number = [](const char* key, double value, const char* meaning, core::Bounds range,
                           const char* unit = "") {
        return core::ParameterInfo{key, key, unit, range, core::Scale::linear, meaning, value};
    };
    Geometry seen{"cracked-plate",
                  "a square plate with random cracks that rub, plane",
                  5e-4,
                  "CPS6",
                  {length("side", 0.01, "of the square"), number("cracks", 32, "how many", {1, 1e5}),
                   number("seed", 1, "of the random numbers", {0, 9e15}),
                   length("shortest", 1e-4, "crack; lengths are uniform up to the longest"),
                   length("longest", 1e-3, "crack"), length("margin", 1e-3, "of the cracks' middles from the edges"),
                   length("apart", 5e-5, "cracks are from each other and from the edges at least"),
                   number("turn_low", 0, "least angle of a crack to x", {-360, 360}, "deg"),
                   number("turn_high", 180, "largest", {-360, 360}, "deg"),
                   number("mu_low", 0, "least friction of a crack", core::non_negative),
                   number("mu_high", 1, "largest", core::non_negative),
                   number("tip", 0.05, "element at a tip, of the crack's length", {1e-4, 1}),
                   number("middle", 0.1, "element in its middle, of its length", {1e-4, 1}),
                   number("growth", 0.5, "of elements with the distance from cracks", {0.05, 2}),
                   length("thickness", 1e-3, "of the plate")}};
    add_material(seen.parameters, 210e9, 0.3, 7850);
    seen.elements = {"CPS6", "CPE6"};
    return {seen, nullptr, make_cracked_plate};
}

}  // namespace faying::fe
