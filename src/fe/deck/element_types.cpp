#include <cctype>
#include <string>
#include <unordered_map>

#include "faying/fe/deck_element_type.hpp"
#include "faying/fe/face.hpp"

namespace faying::fe {

namespace {

using enum Shape;

// name, family, shape, nodes, optional nodes, assembled as, ccx name
constexpr ElementType table[] = {
    {"C3D4", Family::solid, tet4, 4, 0, ElementKind::C3D4, "C3D4"},
    {"C3D6", Family::solid, wedge6, 6, 0, ElementKind::C3D6, "C3D6"},
    {"C3D8", Family::solid, hex8, 8, 0, ElementKind::C3D8, "C3D8"},
    {"C3D8R", Family::solid, hex8, 8, 0, ElementKind::C3D8R, "C3D8R"},
    {"C3D8I", Family::solid, hex8, 8, 0, ElementKind::C3D8I, "C3D8I"},
    {"C3D10", Family::solid, tet10, 10, 0, ElementKind::C3D10, "C3D10"},
    {"C3D10M", Family::solid, tet10, 10, 0, ElementKind::C3D10, "C3D10"},
    {"C3D15", Family::solid, wedge15, 15, 0, ElementKind::C3D15, "C3D15"},
    {"C3D20", Family::solid, hex20, 20, 0, ElementKind::C3D20, "C3D20"},
    {"C3D20R", Family::solid, hex20, 20, 0, ElementKind::C3D20R, "C3D20R"},
    {"C3D4H", Family::solid, tet4, 4, 0, {}, ""},
    {"C3D6H", Family::solid, wedge6, 6, 0, {}, ""},
    {"C3D8H", Family::solid, hex8, 8, 0, {}, ""},
    {"C3D8RH", Family::solid, hex8, 8, 0, {}, ""},
    {"C3D8IH", Family::solid, hex8, 8, 0, {}, ""},
    {"C3D10H", Family::solid, tet10, 10, 0, {}, ""},
    {"C3D10HS", Family::solid, tet10, 10, 0, {}, ""},
    {"C3D10MH", Family::solid, tet10, 10, 0, {}, ""},
    {"C3D15H", Family::solid, wedge15, 15, 0, {}, ""},
    {"C3D20H", Family::solid, hex20, 20, 0, {}, ""},
    {"C3D20RH", Family::solid, hex20, 20, 0, {}, ""},
    {"CPE3", Family::plane_strain, tri3, 3, 0, ElementKind::CPE3, "CPE3"},
    {"CPE4", Family::plane_strain, quad4, 4, 0, ElementKind::CPE4, "CPE4"},
    {"CPE4R", Family::plane_strain, quad4, 4, 0, ElementKind::CPE4R, "CPE4R"},
    {"CPE4I", Family::plane_strain, quad4, 4, 0, ElementKind::CPE4I, ""},
    {"CPE6", Family::plane_strain, tri6, 6, 0, ElementKind::CPE6, "CPE6"},
    {"CPE8", Family::plane_strain, quad8, 8, 0, ElementKind::CPE8, "CPE8"},
    {"CPE8R", Family::plane_strain, quad8, 8, 0, ElementKind::CPE8R, "CPE8R"},
    {"CPS3", Family::plane_stress, tri3, 3, 0, ElementKind::CPS3, "CPS3"},
    {"CPS4", Family::plane_stress, quad4, 4, 0, ElementKind::CPS4, "CPS4"},
    {"CPS4R", Family::plane_stress, quad4, 4, 0, ElementKind::CPS4R, "CPS4R"},
    {"CPS4I", Family::plane_stress, quad4, 4, 0, ElementKind::CPS4I, ""},
    {"CPS6", Family::plane_stress, tri6, 6, 0, ElementKind::CPS6, "CPS6"},
    {"CPS8", Family::plane_stress, quad8, 8, 0, ElementKind::CPS8, "CPS8"},
    {"CPS8R", Family::plane_stress, quad8, 8, 0, ElementKind::CPS8R, "CPS8R"},
    {"CAX3", Family::axisymmetric, tri3, 3, 0, {}, "CAX3"},
    {"CAX4", Family::axisymmetric, quad4, 4, 0, {}, "CAX4"},
    {"CAX4R", Family::axisymmetric, quad4, 4, 0, {}, "CAX4R"},
    {"CAX6", Family::axisymmetric, tri6, 6, 0, {}, "CAX6"},
    {"CAX8", Family::axisymmetric, quad8, 8, 0, {}, "CAX8"},
    {"CAX8R", Family::axisymmetric, quad8, 8, 0, {}, "CAX8R"},
    {"S3", Family::shell, tri3, 3, 0, {}, "S3"},
    {"S3R", Family::shell, tri3, 3, 0, {}, "S3"},
    {"S4", Family::shell, quad4, 4, 0, {}, "S4"},
    {"S4R", Family::shell, quad4, 4, 0, {}, "S4R"},
    {"S6", Family::shell, tri6, 6, 0, {}, "S6"},
    {"STRI3", Family::shell, tri3, 3, 0, {}, ""},
    {"STRI65", Family::shell, tri6, 6, 0, {}, ""},
    {"S8", Family::shell, quad8, 8, 0, {}, "S8"},
    {"S8R", Family::shell, quad8, 8, 0, {}, "S8R"},
    {"M3D3", Family::shell, tri3, 3, 0, {}, "M3D3"},
    {"M3D4", Family::shell, quad4, 4, 0, {}, "M3D4"},
    {"M3D4R", Family::shell, quad4, 4, 0, {}, "M3D4R"},
    {"SFM3D3", Family::shell, tri3, 3, 0, {}, ""},
    {"SFM3D4", Family::shell, quad4, 4, 0, {}, ""},
    {"SFM3D4R", Family::shell, quad4, 4, 0, {}, ""},
    {"B21", Family::beam, line2, 2, 0, {}, "B21"},
    {"B22", Family::beam, line3, 3, 0, {}, ""},
    {"B31", Family::beam, line2, 2, 1, {}, "B31"},
    {"B31R", Family::beam, line2, 2, 1, {}, "B31R"},
    {"B31OS", Family::beam, line2, 2, 1, {}, ""},
    {"B32", Family::beam, line3, 3, 1, {}, "B32"},
    {"B32R", Family::beam, line3, 3, 1, {}, "B32R"},
    {"B33", Family::beam, line2, 2, 1, {}, ""},
    {"T2D2", Family::truss, line2, 2, 0, {}, "T2D2"},
    {"T3D2", Family::truss, line2, 2, 0, {}, "T3D2"},
    {"T3D3", Family::truss, line3, 3, 0, {}, "T3D3"},
    {"MASS", Family::mass, {}, 1, 0, {}, "MASS"},
    {"ROTARYI", Family::mass, {}, 1, 0, {}, ""},
    {"SPRINGA", Family::spring, line2, 2, 0, {}, "SPRINGA"},
    {"SPRING1", Family::spring, {}, 1, 0, {}, "SPRING1"},
    {"SPRING2", Family::spring, line2, 2, 0, {}, "SPRING2"},
    {"DASHPOTA", Family::spring, line2, 2, 0, {}, "DASHPOTA"},
    {"DASHPOT1", Family::spring, {}, 1, 0, {}, ""},
    {"DASHPOT2", Family::spring, line2, 2, 0, {}, ""},
    {"GAPUNI", Family::spring, line2, 2, 0, {}, "GAPUNI"},
    {"GAPCYL", Family::spring, line2, 2, 0, {}, ""},
    {"GAPSPHER", Family::spring, line2, 2, 0, {}, ""},
    {"R2D2", Family::rigid, line2, 2, 0, {}, ""},
    {"R3D3", Family::rigid, tri3, 3, 0, {}, ""},
    {"R3D4", Family::rigid, quad4, 4, 0, {}, ""},
    {"COH3D6", Family::other, wedge6, 6, 0, {}, ""},
    {"COH3D8", Family::other, hex8, 8, 0, {}, ""},
    {"COH2D4", Family::other, quad4, 4, 0, {}, ""},
    {"SC6R", Family::other, wedge6, 6, 0, {}, ""},
    {"SC8R", Family::other, hex8, 8, 0, {}, ""},
    {"CONN3D2", Family::other, {}, 0, 0, {}, ""},
    {"DCOUP3D", Family::other, {}, 1, 0, {}, ""},
};

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

std::span<const Face> element_faces(const ElementType& type) {
    if (!type.shape) return {};
    const bool two_sided = type.family == Family::shell || type.family == Family::rigid;
    return two_sided && dimension(*type.shape) == 2 ? shell_faces(*type.shape) : faces(*type.shape);
}

}  // namespace faying::fe
