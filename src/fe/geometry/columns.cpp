#include "columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/fe/face.hpp"
#include "faying/fe/shape.hpp"

namespace faying::fe {

namespace {

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::toupper(c)); });
    return text;
}

/// Sixteen labels a line, as Abaqus allows.
std::string listed(const std::vector<int>& labels) {
    std::string text;
    for (std::size_t k = 0; k < labels.size(); ++k)
        text += fmt::format("{}{}", labels[k], k % 16 == 15 || k + 1 == labels.size() ? "\n" : ", ");
    return text;
}

const std::array<std::array<int, 4>, 6> cell_faces = {
    {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};

}  // namespace

bool Columns::second_order_plan(const std::string& element) {
    const std::string name = upper(element);
    for (const char* type : {"C3D20", "C3D20R"})
        if (name == type) return true;
    for (const char* type : {"C3D8", "C3D8R", "C3D8I", "C3D4", "C3D10"})
        if (name == type) return false;
    throw core::BadInput(
        "--element", fmt::format("'{}' is not a type a mesh can have; allowed are C3D8, C3D8I, C3D8R, C3D20, C3D20R, "
                                 "C3D4, C3D10",
                                 element));
}

Columns::Columns(Plan plan, std::vector<double> levels, std::string element)
    : plan_(std::move(plan)), levels_(std::move(levels)), element_(upper(std::move(element))) {
    constexpr double most = 2e7;
    if (const double elements = double(plan_.quads.size()) * double(levels_.size()); elements > most)
        throw core::BadInput("--size", fmt::format("it needs about {:.2g} elements; at most {:g} are made, so a larger "
                                                   "size is needed",
                                                   elements, most));
}

Eigen::Vector3d Columns::place(const Key& key) const {
    const auto& xy = plan_.nodes[std::size_t(key.second)];
    const auto below = std::size_t(key.first / 2);
    const double z = key.first % 2 == 0 ? levels_[below] : (levels_[below] + levels_[below + 1]) / 2;
    return {xy[0], xy[1], z};
}

int Columns::node(Body& body, const Key& key) {
    auto [found, made] = body.labels.try_emplace(key, 0);
    if (made) {
        points_.push_back(place(key));
        found->second = int(points_.size());
    }
    return found->second;
}

int Columns::middle(Body& body, const Key& a, const Key& b) {
    auto [found, made] = body.middles.try_emplace(std::minmax(a, b), 0);
    if (made) {
        points_.push_back((place(a) + place(b)) / 2);
        found->second = int(points_.size());
    }
    return found->second;
}

int Columns::add_element(const std::vector<int>& nodes) {
    connectivity_.push_back(nodes);
    const int label = int(connectivity_.size());
    elements_text_ += fmt::format("{}", label);
    for (std::size_t k = 0; k < nodes.size(); ++k)  // sixteen values per line
        elements_text_ += fmt::format("{}{}", k == 15 ? ",\n" : ", ", nodes[k]);
    elements_text_ += "\n";
    return label;
}

/// Abaqus order: the lower four, the upper four; then the mid-sides of the lower, of the upper, and between.
void Columns::hexahedron(Body& body, Cell& cell) {
    const auto& q = plan_.quads[std::size_t(cell.quad)].nodes;
    const int low = 2 * cell.layer, high = low + 2;
    std::vector<int> nodes;
    for (const int level : {low, high})
        for (std::size_t k = 0; k < 4; ++k) nodes.push_back(node(body, {level, q[k]}));
    if (plan_.second_order) {
        for (const int level : {low, high})
            for (std::size_t k = 4; k < 8; ++k) nodes.push_back(node(body, {level, q[k]}));
        for (std::size_t k = 0; k < 4; ++k) nodes.push_back(node(body, {low + 1, q[k]}));
    }
    cell.elements.push_back(add_element(nodes));
}

/// Six tetrahedra from the least corner to the halves of the three faces it is not on; each face is halved from its own
/// least corner, so that neighbours agree. "Least" is by level and node of the plan: bodies that touch agree too.
void Columns::tetrahedra(Body& body, Cell& cell) {
    const auto& q = plan_.quads[std::size_t(cell.quad)].nodes;
    std::array<Key, 8> corner;
    for (std::size_t k = 0; k < 4; ++k) {
        corner[k] = {2 * cell.layer, q[k]};
        corner[k + 4] = {2 * cell.layer + 2, q[k]};
    }
    const Key apex = *std::min_element(corner.begin(), corner.end());
    for (const auto& face : cell_faces) {
        std::array<Key, 4> ring;
        for (std::size_t k = 0; k < 4; ++k) ring[k] = corner[std::size_t(face[k])];
        if (std::find(ring.begin(), ring.end(), apex) != ring.end()) continue;
        std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end()), ring.end());
        for (std::size_t half = 0; half < 2; ++half) {
            std::array<Key, 4> t = {ring[0], ring[half + 1], ring[half + 2], apex};
            const Eigen::Vector3d o = place(t[0]);
            if ((place(t[1]) - o).cross(place(t[2]) - o).dot(place(t[3]) - o) < 0) std::swap(t[1], t[2]);
            std::vector<int> nodes;
            for (const auto& key : t) nodes.push_back(node(body, key));
            if (element_ == "C3D10")
                for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}})
                    nodes.push_back(middle(body, t[std::size_t(a)], t[std::size_t(b)]));
            cell.elements.push_back(add_element(nodes));
        }
    }
}

void Columns::body(const std::string& name, const std::vector<Column>& columns) {
    Body& made = bodies_[name];
    elements_text_ += fmt::format("*ELEMENT, TYPE={}, ELSET={}\n", element_, name);
    for (const auto& column : columns)
        for (int layer = column.from; layer < column.to; ++layer)
            for (std::size_t q = 0; q < plan_.quads.size(); ++q) {
                if (!column.where(plan_.quads[q])) continue;
                Cell cell{int(q), layer, {}};
                if (element_ == "C3D4" || element_ == "C3D10")
                    tetrahedra(made, cell);
                else
                    hexahedron(made, cell);
                made.cells.push_back(std::move(cell));
            }
}

std::string Columns::faces_on(const Cell& cell, const std::function<bool(const Eigen::Vector3d&)>& on) const {
    const auto all = faces(*find_element_type(element_)->shape);
    std::string text;
    for (const int element : cell.elements) {
        const auto& nodes = connectivity_[std::size_t(element - 1)];
        for (std::size_t f = 0; f < all.size(); ++f) {
            const auto local = all[f].local_nodes();
            if (std::all_of(local.begin(), local.end(),
                            [&](int k) { return on(points_[std::size_t(nodes[std::size_t(k)] - 1)]); }))
                text += fmt::format("{}, S{}\n", element, f + 1);
        }
    }
    return text;
}

void Columns::surface(const std::string& name, const std::string& body, int level, Side side, const QuadFilter& where) {
    const int layer = side == Side::top ? level - 1 : level;
    const double z = levels_[std::size_t(level)];
    std::string faces_text;
    for (const auto& cell : bodies_.at(body).cells)
        if (cell.layer == layer && where(plan_.quads[std::size_t(cell.quad)]))
            faces_text += faces_on(cell, [z](const Eigen::Vector3d& p) { return p[2] == z; });
    rest_ += fmt::format("*SURFACE, NAME={}, TYPE=ELEMENT\n{}", name, faces_text);
}

void Columns::surface(const std::string& name, const std::string& body,
                      const std::function<bool(const Eigen::Vector3d&)>& on) {
    std::string faces_text;
    for (const auto& cell : bodies_.at(body).cells) faces_text += faces_on(cell, on);
    rest_ += fmt::format("*SURFACE, NAME={}, TYPE=ELEMENT\n{}", name, faces_text);
}

void Columns::node_set(const std::string& name, const std::vector<int>& labels) {
    rest_ += fmt::format("*NSET, NSET={}\n{}", name, listed(labels));
}

void Columns::tie(const std::string& name, const std::string& slave, const std::string& master) {
    rest_ += fmt::format("*TIE, NAME={}\n{}, {}\n", name, slave, master);
}

void Columns::comment(const std::string& text) { rest_ += "** " + text + "\n"; }
void Columns::line(const std::string& text) { rest_ += text + "\n"; }

int Columns::level_at(double z) const {
    const auto near = [&](double level) { return std::abs(level - z) < 1e-12; };
    const auto found = std::find_if(levels_.begin(), levels_.end(), near);
    if (found == levels_.end()) throw std::logic_error("geometry: no such level");
    return int(found - levels_.begin());
}

std::map<int, int> Columns::nodes_at(const std::string& body, int level) const {
    std::map<int, int> found;
    for (const auto& [key, label] : bodies_.at(body).labels)
        if (key.first == 2 * level) found[key.second] = label;
    return found;
}

int Columns::node_at(const std::string& body, double x, double y, int level) const {
    int nearest = 0;
    double least = 1e300;
    for (const auto& [node, label] : nodes_at(body, level)) {
        const double distance = (plan_.nodes[std::size_t(node)] - Eigen::Vector2d(x, y)).norm();
        if (distance < least) {
            least = distance;
            nearest = label;
        }
    }
    return nearest;
}

std::string Columns::text(const std::string& heading) const {
    std::string all = heading + "*NODE, NSET=ALL\n";
    for (std::size_t k = 0; k < points_.size(); ++k)
        all += fmt::format("{}, {:.10g}, {:.10g}, {:.10g}\n", k + 1, points_[k][0], points_[k][1], points_[k][2]);
    return all + elements_text_ + rest_;
}

}  // namespace faying::fe
