#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <unordered_map>

#include "faying/fe/deck_element_type.hpp"

namespace faying::fe {

namespace {

using enum Topology;

// name, family, shape, nodes, optional nodes, assembled as, ccx name
constexpr ElementType table[] = {
    {"C3D4", Family::solid, tetra4, 4, 0, "C3D4", "C3D4"},
    {"C3D6", Family::solid, wedge6, 6, 0, "C3D6", "C3D6"},
    {"C3D8", Family::solid, hexa8, 8, 0, "C3D8", "C3D8"},
    {"C3D8R", Family::solid, hexa8, 8, 0, "C3D8R", "C3D8R"},
    {"C3D8I", Family::solid, hexa8, 8, 0, "C3D8I", "C3D8I"},
    {"C3D10", Family::solid, tetra10, 10, 0, "C3D10", "C3D10"},
    {"C3D10M", Family::solid, tetra10, 10, 0, "C3D10", "C3D10"},
    {"C3D15", Family::solid, wedge15, 15, 0, "C3D15", "C3D15"},
    {"C3D20", Family::solid, hexa20, 20, 0, "C3D20", "C3D20"},
    {"C3D20R", Family::solid, hexa20, 20, 0, "C3D20R", "C3D20R"},
    {"C3D4H", Family::solid, tetra4, 4, 0, "", ""},
    {"C3D6H", Family::solid, wedge6, 6, 0, "", ""},
    {"C3D8H", Family::solid, hexa8, 8, 0, "", ""},
    {"C3D8RH", Family::solid, hexa8, 8, 0, "", ""},
    {"C3D8IH", Family::solid, hexa8, 8, 0, "", ""},
    {"C3D10H", Family::solid, tetra10, 10, 0, "", ""},
    {"C3D10HS", Family::solid, tetra10, 10, 0, "", ""},
    {"C3D10MH", Family::solid, tetra10, 10, 0, "", ""},
    {"C3D15H", Family::solid, wedge15, 15, 0, "", ""},
    {"C3D20H", Family::solid, hexa20, 20, 0, "", ""},
    {"C3D20RH", Family::solid, hexa20, 20, 0, "", ""},
    {"CPE3", Family::plane_strain, triangle3, 3, 0, "CPE3", "CPE3"},
    {"CPE4", Family::plane_strain, quad4, 4, 0, "CPE4", "CPE4"},
    {"CPE4R", Family::plane_strain, quad4, 4, 0, "CPE4R", "CPE4R"},
    {"CPE4I", Family::plane_strain, quad4, 4, 0, "CPE4I", ""},
    {"CPE6", Family::plane_strain, triangle6, 6, 0, "CPE6", "CPE6"},
    {"CPE8", Family::plane_strain, quad8, 8, 0, "CPE8", "CPE8"},
    {"CPE8R", Family::plane_strain, quad8, 8, 0, "CPE8R", "CPE8R"},
    {"CPS3", Family::plane_stress, triangle3, 3, 0, "CPS3", "CPS3"},
    {"CPS4", Family::plane_stress, quad4, 4, 0, "CPS4", "CPS4"},
    {"CPS4R", Family::plane_stress, quad4, 4, 0, "CPS4R", "CPS4R"},
    {"CPS4I", Family::plane_stress, quad4, 4, 0, "CPS4I", ""},
    {"CPS6", Family::plane_stress, triangle6, 6, 0, "CPS6", "CPS6"},
    {"CPS8", Family::plane_stress, quad8, 8, 0, "CPS8", "CPS8"},
    {"CPS8R", Family::plane_stress, quad8, 8, 0, "CPS8R", "CPS8R"},
    {"CAX3", Family::axisymmetric, triangle3, 3, 0, "", "CAX3"},
    {"CAX4", Family::axisymmetric, quad4, 4, 0, "", "CAX4"},
    {"CAX4R", Family::axisymmetric, quad4, 4, 0, "", "CAX4R"},
    {"CAX6", Family::axisymmetric, triangle6, 6, 0, "", "CAX6"},
    {"CAX8", Family::axisymmetric, quad8, 8, 0, "", "CAX8"},
    {"CAX8R", Family::axisymmetric, quad8, 8, 0, "", "CAX8R"},
    {"S3", Family::shell, triangle3, 3, 0, "", "S3"},
    {"S3R", Family::shell, triangle3, 3, 0, "", "S3"},
    {"S4", Family::shell, quad4, 4, 0, "", "S4"},
    {"S4R", Family::shell, quad4, 4, 0, "", "S4R"},
    {"S6", Family::shell, triangle6, 6, 0, "", "S6"},
    {"STRI3", Family::shell, triangle3, 3, 0, "", ""},
    {"STRI65", Family::shell, triangle6, 6, 0, "", ""},
    {"S8", Family::shell, quad8, 8, 0, "", "S8"},
    {"S8R", Family::shell, quad8, 8, 0, "", "S8R"},
    {"M3D3", Family::shell, triangle3, 3, 0, "", "M3D3"},
    {"M3D4", Family::shell, quad4, 4, 0, "", "M3D4"},
    {"M3D4R", Family::shell, quad4, 4, 0, "", "M3D4R"},
    {"SFM3D3", Family::shell, triangle3, 3, 0, "", ""},
    {"SFM3D4", Family::shell, quad4, 4, 0, "", ""},
    {"SFM3D4R", Family::shell, quad4, 4, 0, "", ""},
    {"B21", Family::beam, line2, 2, 0, "", "B21"},
    {"B22", Family::beam, line3, 3, 0, "", ""},
    {"B31", Family::beam, line2, 2, 1, "", "B31"},
    {"B31R", Family::beam, line2, 2, 1, "", "B31R"},
    {"B31OS", Family::beam, line2, 2, 1, "", ""},
    {"B32", Family::beam, line3, 3, 1, "", "B32"},
    {"B32R", Family::beam, line3, 3, 1, "", "B32R"},
    {"B33", Family::beam, line2, 2, 1, "", ""},
    {"T2D2", Family::truss, line2, 2, 0, "", "T2D2"},
    {"T3D2", Family::truss, line2, 2, 0, "", "T3D2"},
    {"T3D3", Family::truss, line3, 3, 0, "", "T3D3"},
    {"MASS", Family::mass, point, 1, 0, "", "MASS"},
    {"ROTARYI", Family::mass, point, 1, 0, "", ""},
    {"SPRINGA", Family::spring, line2, 2, 0, "", "SPRINGA"},
    {"SPRING1", Family::spring, point, 1, 0, "", "SPRING1"},
    {"SPRING2", Family::spring, line2, 2, 0, "", "SPRING2"},
    {"DASHPOTA", Family::spring, line2, 2, 0, "", "DASHPOTA"},
    {"DASHPOT1", Family::spring, point, 1, 0, "", ""},
    {"DASHPOT2", Family::spring, line2, 2, 0, "", ""},
    {"GAPUNI", Family::spring, line2, 2, 0, "", "GAPUNI"},
    {"GAPCYL", Family::spring, line2, 2, 0, "", ""},
    {"GAPSPHER", Family::spring, line2, 2, 0, "", ""},
    {"R2D2", Family::rigid, line2, 2, 0, "", ""},
    {"R3D3", Family::rigid, triangle3, 3, 0, "", ""},
    {"R3D4", Family::rigid, quad4, 4, 0, "", ""},
    {"COH3D6", Family::other, wedge6, 6, 0, "", ""},
    {"COH3D8", Family::other, hexa8, 8, 0, "", ""},
    {"COH2D4", Family::other, quad4, 4, 0, "", ""},
    {"SC6R", Family::other, wedge6, 6, 0, "", ""},
    {"SC8R", Family::other, hexa8, 8, 0, "", ""},
    {"CONN3D2", Family::other, Topology::other, 0, 0, "", ""},
    {"DCOUP3D", Family::other, point, 1, 0, "", ""},
};

// Local nodes from 0, outward right-hand normals.
constexpr int tetra[4][6] = {{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {2, 0, 3, 6, 7, 9}};
constexpr int wedge_triangles[2][6] = {{0, 2, 1, 8, 7, 6}, {3, 4, 5, 9, 10, 11}};
constexpr int wedge_quads[3][8] = {
    {0, 1, 4, 3, 6, 13, 9, 12}, {1, 2, 5, 4, 7, 14, 10, 13}, {2, 0, 3, 5, 8, 12, 11, 14}};
constexpr int hexa[6][8] = {{0, 3, 2, 1, 11, 10, 9, 8},  {4, 5, 6, 7, 12, 13, 14, 15}, {0, 1, 5, 4, 8, 17, 12, 16},
                            {1, 2, 6, 5, 9, 18, 13, 17}, {2, 3, 7, 6, 10, 19, 14, 18}, {3, 0, 4, 7, 11, 16, 15, 19}};
constexpr int triangle[6] = {0, 1, 2, 3, 4, 5};
constexpr int triangle_back[6] = {0, 2, 1, 5, 4, 3};
constexpr int triangle_edges[3][3] = {{0, 1, 3}, {1, 2, 4}, {2, 0, 5}};
constexpr int quad[8] = {0, 1, 2, 3, 4, 5, 6, 7};
constexpr int quad_back[8] = {0, 3, 2, 1, 7, 6, 5, 4};
constexpr int quad_edges[4][3] = {{0, 1, 4}, {1, 2, 5}, {2, 3, 6}, {3, 0, 7}};

template <std::size_t n, std::size_t m>
constexpr std::array<TopologyFace, n> each(const int (&nodes)[n][m], Topology shape, std::size_t count) {
    std::array<TopologyFace, n> faces{};
    for (std::size_t k = 0; k < n; ++k) faces[k] = {shape, std::span<const int>(nodes[k], count)};
    return faces;
}

constexpr auto tetra4_faces = each(tetra, triangle3, 3);
constexpr auto tetra10_faces = each(tetra, triangle6, 6);
constexpr auto hexa8_faces = each(hexa, quad4, 4);
constexpr auto hexa20_faces = each(hexa, quad8, 8);
constexpr auto triangle3_edges = each(triangle_edges, line2, 2);
constexpr auto triangle6_edges = each(triangle_edges, line3, 3);
constexpr auto quad4_edges = each(quad_edges, line2, 2);
constexpr auto quad8_edges = each(quad_edges, line3, 3);

constexpr std::array<TopologyFace, 5> wedge(Topology triangles, std::size_t three, Topology quads, std::size_t four) {
    const auto ends = each(wedge_triangles, triangles, three);
    const auto sides = each(wedge_quads, quads, four);
    return {ends[0], ends[1], sides[0], sides[1], sides[2]};
}
constexpr auto wedge6_faces = wedge(triangle3, 3, quad4, 4);
constexpr auto wedge15_faces = wedge(triangle6, 6, quad8, 8);

template <std::size_t n, std::size_t m>
constexpr std::array<TopologyFace, n + 2> shell(const int (&front)[m], const int (&back)[m], Topology shape,
                                                std::size_t count, const std::array<TopologyFace, n>& edges) {
    std::array<TopologyFace, n + 2> faces{};
    faces[0] = {shape, std::span<const int>(front, count)};
    faces[1] = {shape, std::span<const int>(back, count)};
    for (std::size_t k = 0; k < n; ++k) faces[k + 2] = edges[k];
    return faces;
}
constexpr auto triangle3_shell = shell(triangle, triangle_back, triangle3, 3, triangle3_edges);
constexpr auto triangle6_shell = shell(triangle, triangle_back, triangle6, 6, triangle6_edges);
constexpr auto quad4_shell = shell(quad, quad_back, quad4, 4, quad4_edges);
constexpr auto quad8_shell = shell(quad, quad_back, quad8, 8, quad8_edges);

}  // namespace

std::span<const ElementType> element_types() { return table; }

const ElementType* find_element_type(std::string_view name) {
    static const auto by_name = [] {
        std::unordered_map<std::string, const ElementType*> names;
        for (const auto& type : table) names.emplace(type.name, &type);
        return names;
    }();
    std::string upper(name);
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const auto found = by_name.find(upper);
    return found == by_name.end() ? nullptr : found->second;
}

std::span<const TopologyFace> element_faces(const ElementType& type) {
    const bool two_sided = type.family == Family::shell || type.family == Family::rigid;
    switch (type.shape) {
        case tetra4: return tetra4_faces;
        case tetra10: return tetra10_faces;
        case wedge6: return wedge6_faces;
        case wedge15: return wedge15_faces;
        case hexa8: return hexa8_faces;
        case hexa20: return hexa20_faces;
        case triangle3: return two_sided ? std::span<const TopologyFace>(triangle3_shell) : triangle3_edges;
        case triangle6: return two_sided ? std::span<const TopologyFace>(triangle6_shell) : triangle6_edges;
        case quad4: return two_sided ? std::span<const TopologyFace>(quad4_shell) : quad4_edges;
        case quad8: return two_sided ? std::span<const TopologyFace>(quad8_shell) : quad8_edges;
        default: return {};
    }
}

TopologyFace element_plane(const ElementType& type) {
    switch (type.shape) {
        case triangle3: return triangle3_shell[0];
        case triangle6: return triangle6_shell[0];
        case quad4: return quad4_shell[0];
        case quad8: return quad8_shell[0];
        default: return {type.shape, {}};
    }
}

}  // namespace faying::fe
