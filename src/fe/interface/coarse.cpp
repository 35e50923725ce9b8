// A coarser mesh of an interface: its outline found in the fine one, meshed by Gmsh to a target count.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "faying/core/error.hpp"
#include "faying/fe/gmsh.hpp"
#include "faying/fe/interface_mesh.hpp"
#include "fe/constraints/face_search.hpp"

namespace faying::fe {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

using Loop = std::vector<int>;  ///< nodes around an edge of the interface, the last joined to the first

/// Straight edges of the fine elements, through midside nodes where there are any.
std::vector<std::pair<int, int>> element_edges(const InterfaceMesh::Element& e) {
    const int corners = corner_count(e.shape), all = static_cast<int>(e.nodes.size());
    std::vector<std::pair<int, int>> edges;
    for (int a = 0; a < corners; ++a) {
        const int from = e.nodes[static_cast<std::size_t>(a)],
                  to = e.nodes[static_cast<std::size_t>((a + 1) % corners)];
        if (all == corners) {
            edges.emplace_back(from, to);
        } else {
            const int middle = e.nodes[static_cast<std::size_t>(corners + a)];
            edges.emplace_back(from, middle);
            edges.emplace_back(middle, to);
        }
    }
    return edges;
}

/// Edges of one element only, chained.
std::vector<Loop> outline(const InterfaceMesh& mesh) {
    std::map<std::pair<int, int>, int> seen;
    for (const auto& e : mesh.elements)
        for (const auto& [a, b] : element_edges(e)) ++seen[std::minmax(a, b)];
    std::multimap<int, int> next;
    for (const auto& e : mesh.elements)
        for (const auto& [a, b] : element_edges(e))
            if (seen[std::minmax(a, b)] == 1) next.emplace(a, b);
    std::vector<Loop> loops;
    while (!next.empty()) {
        Loop loop;
        int at = next.begin()->first;
        for (auto step = next.find(at); step != next.end(); step = next.find(at)) {
            loop.push_back(at);
            at = step->second;
            next.erase(step);
        }
        loops.push_back(std::move(loop));
    }
    return loops;
}

/// The plan of the interface: its nodes along the two tangents.
struct FlatPoints {
    Eigen::MatrixX2d at;
    explicit FlatPoints(const InterfaceMesh& mesh, const Matrix3d& axes)
        : at(mesh.points * axes.topRows(2).transpose()) {}
    Vector2d operator()(int node) const { return at.row(node); }
};

double signed_area(const FlatPoints& plan, const Loop& loop) {
    double twice = 0;
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const Vector2d a = plan(loop[k]), b = plan(loop[(k + 1) % loop.size()]);
        twice += a[0] * b[1] - a[1] * b[0];
    }
    return 0.5 * twice;
}

bool inside(const FlatPoints& plan, const Loop& loop, const Vector2d& x) {
    bool in = false;
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const Vector2d a = plan(loop[k]), b = plan(loop[(k + 1) % loop.size()]);
        if ((a[1] > x[1]) != (b[1] > x[1]) && x[0] < a[0] + (x[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])) in = !in;
    }
    return in;
}

/// Where a loop turns by more than a third of a right angle; a smooth loop is cut into four.
std::vector<std::size_t> corners_of(const FlatPoints& plan, const Loop& loop) {
    const std::size_t n = loop.size();
    std::vector<std::size_t> corners;
    for (std::size_t k = 0; k < n; ++k) {
        const Vector2d before = plan(loop[k]) - plan(loop[(k + n - 1) % n]),
                       after = plan(loop[(k + 1) % n]) - plan(loop[k]);
        const double turn = std::atan2(before[0] * after[1] - before[1] * after[0], before.dot(after));
        if (std::abs(turn) > std::numbers::pi / 6) corners.push_back(k);
    }
    if (corners.size() < 2) {
        corners.clear();
        for (std::size_t q = 0; q < 4; ++q) corners.push_back(q * n / 4);
        corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    }
    return corners;
}

/// The .geo text of the outline: a line or a spline between corners, surfaces with their holes.
class Outline {
 public:
    Outline(const InterfaceMesh& mesh, const Matrix3d& axes) : plan_(mesh, axes) {
        const auto loops = outline(mesh);
        std::vector<std::pair<double, std::size_t>> by_size;
        for (std::size_t l = 0; l < loops.size(); ++l) {
            add_loop(loops[l], l);
            by_size.emplace_back(-std::abs(signed_area(plan_, loops[l])), l);
        }
        std::sort(by_size.begin(), by_size.end());
        // Largest first: a loop inside an odd number of larger ones is a hole of the last of them.
        std::map<std::size_t, std::vector<std::size_t>> surfaces;
        for (std::size_t i = 0; i < by_size.size(); ++i) {
            const std::size_t l = by_size[i].second;
            std::vector<std::size_t> around;
            for (std::size_t j = 0; j < i; ++j)
                if (inside(plan_, loops[by_size[j].second], plan_(loops[l][0]))) around.push_back(by_size[j].second);
            if (around.size() % 2 == 0)
                surfaces[l];
            else
                surfaces[around.back()].push_back(l);
        }
        for (const auto& [outer, holes] : surfaces) {
            text_ += fmt::format("Plane Surface({}) = {{{}", outer + 1, outer + 1);
            for (std::size_t h : holes) text_ += fmt::format(", {}", h + 1);
            text_ += "};\n";
        }
    }

    const FlatPoints& plan() const { return plan_; }
    const std::string& text() const { return text_; }

 private:
    FlatPoints plan_;
    std::string text_;
    int curves_ = 0;

    void add_loop(const Loop& loop, std::size_t number) {
        for (int node : loop)
            text_ += fmt::format("Point({}) = {{{:.17g}, {:.17g}, 0}};\n", node + 1, plan_(node)[0], plan_(node)[1]);
        const auto corners = corners_of(plan_, loop);
        std::string list;
        for (std::size_t c = 0; c < corners.size(); ++c) {
            const std::size_t from = corners[c];
            const std::size_t to = c + 1 < corners.size() ? corners[c + 1] : corners[0] + loop.size();
            std::vector<int> run;
            for (std::size_t k = from; k <= to; ++k) run.push_back(loop[k % loop.size()]);
            list += fmt::format("{}{}", list.empty() ? "" : ", ", curve(run));
        }
        text_ += fmt::format("Curve Loop({}) = {{{}}};\n", number + 1, list);
    }

    int curve(const std::vector<int>& run) {
        const Vector2d a = plan_(run.front()), b = plan_(run.back());
        const Vector2d along = (b - a).normalized();
        double away = 0;
        for (int node : run) {
            const Vector2d d = plan_(node) - a;
            away = std::max(away, std::abs(d[0] * along[1] - d[1] * along[0]));
        }
        ++curves_;
        if (away < 1e-6 * (b - a).norm()) {
            text_ += fmt::format("Line({}) = {{{}, {}}};\n", curves_, run.front() + 1, run.back() + 1);
        } else {
            std::string list;
            for (int node : run) list += fmt::format("{}{}", list.empty() ? "" : ", ", node + 1);
            text_ += fmt::format("Spline({}) = {{{}}};\n", curves_, list);
        }
        return curves_;
    }
};

/// Element sizes over the fine mesh, as a view that Gmsh takes for its background.
std::string size_view(const InterfaceMesh& fine, const FlatPoints& plan, const Eigen::VectorXd& size, double scale) {
    std::string text = "View \"size\" {\n";
    for (const auto& e : fine.elements) {
        const int n = corner_count(e.shape);
        std::string points, values;
        for (int a = 0; a < n; ++a) {
            const int node = e.nodes[static_cast<std::size_t>(a)];
            const char* comma = a ? "," : "";
            points += fmt::format("{}{:.12g},{:.12g},0", comma, plan(node)[0], plan(node)[1]);
            values += fmt::format("{}{:.12g}", comma, scale * size(node));
        }
        text += fmt::format("{}({}){{{}}};\n", n == 3 ? "ST" : "SQ", points, values);
    }
    return text + "};\nField[1] = PostView;\nField[1].ViewIndex = 0;\nBackground Field = 1;\n";
}

/// Algorithm 8 (frontal quads) crashes in Debian's Gmsh 4.8; 6 with recombination by Blossom does well.
constexpr const char* settings =
    "Mesh.MeshSizeExtendFromBoundary = 0;\nMesh.MeshSizeFromPoints = 0;\nMesh.MeshSizeFromCurvature = 0;\n"
    "Mesh.Algorithm = 6;\nMesh.RecombineAll = 1;\nMesh.RecombinationAlgorithm = 1;\nMesh.Smoothing = 5;\n";

InterfaceMesh from_deck(const Deck& deck, const InterfaceMesh& fine, const Matrix3d& axes) {
    std::vector<MeshFace> faces;
    for (const auto& e : fine.elements) faces.push_back({e.shape, {e.nodes.begin(), e.nodes.end()}, fine.corners(e)});
    const constraint::FaceSearch search(faces);
    const double level = (fine.points * axes.row(2).transpose()).mean();
    InterfaceMesh mesh;
    std::map<Index, int> row;
    std::vector<Vector3d> points;
    for (const Element& element : deck.elements) {
        const auto nodes = nodes_of(deck, element);
        if (nodes.size() != 3 && nodes.size() != 4) continue;  // curves
        InterfaceMesh::Element e{nodes.size() == 3 ? Shape::tri3 : Shape::quad4, {}};
        for (Index n : nodes) {
            const auto [place, fresh] = row.try_emplace(n, static_cast<int>(points.size()));
            if (fresh) {
                const Vector3d& p = deck.nodes[static_cast<std::size_t>(n)].point;
                const Vector3d x = axes.transpose() * Vector3d(p[0], p[1], level);
                points.push_back(axes.transpose() *
                                 Vector3d(p[0], p[1], axes.row(2).dot(search.closest(x, INFINITY).at.position)));
            }
            e.nodes.push_back(place->second);
        }
        mesh.elements.push_back(std::move(e));
    }
    mesh.points.resize(static_cast<Eigen::Index>(points.size()), 3);
    for (std::size_t i = 0; i < points.size(); ++i) mesh.points.row(static_cast<Eigen::Index>(i)) = points[i];
    // Wound as the fine mesh: normals out of the first side.
    for (auto& e : mesh.elements)
        if (face_geometry(e.shape, mesh.corners(e)).normal.dot(axes.row(2)) < 0)
            std::reverse(e.nodes.begin(), e.nodes.end());
    return mesh;
}

}  // namespace

InterfaceMesh coarse_mesh(const InterfaceMesh& fine, const Matrix3d& axes, int elements,
                          const Eigen::VectorXd& density) {
    const Outline outline(fine, axes);
    double area = 0;
    for (const auto& e : fine.elements) area += face_area(e.shape, fine.corners(e));
    const Eigen::VectorXd size = density.size() == 0 ? Eigen::VectorXd::Ones(fine.points.rows()).eval()
                                                     : density.cwiseSqrt().cwiseInverse().eval();
    const auto mesh_at = [&](double scale) {
        return from_deck(
            mesh_with_gmsh(outline.text() + settings + size_view(fine, outline.plan(), size, scale), {.dimension = 2}),
            fine, axes);
    };
    // The count falls with the scale, in jumps: bracket, halve, keep the closest.
    const double first = std::sqrt(area / elements) / size.mean();
    double low = 0.25 * first, high = 4 * first;
    InterfaceMesh best;
    int best_miss = std::numeric_limits<int>::max();
    for (int round = 0; round < 12 && best_miss > 0; ++round) {
        const double scale = std::sqrt(low * high);
        InterfaceMesh mesh = mesh_at(scale);
        const int count = static_cast<int>(mesh.elements.size());
        (count > elements ? low : high) = scale;
        if (const int miss = std::abs(count - elements); miss < best_miss) {
            best_miss = miss;
            best = std::move(mesh);
        }
    }
    return best;
}

}  // namespace faying::fe
