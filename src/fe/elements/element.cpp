#include "faying/fe/element.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

#include "kernel.hpp"

namespace faying::fe {

namespace {

using enum ElementKind;
using enum Stress;
using enum Formulation;

constexpr std::array<ElementTraits, 23> table{{
    {C3D4, "C3D4", Shape::tet4, solid, plain, Rule::tet1, Rule::tet4},
    {C3D10, "C3D10", Shape::tet10, solid, plain, Rule::tet4, Rule::tet15},
    {C3D6, "C3D6", Shape::wedge6, solid, plain, Rule::wedge2, Rule::wedge18},
    {C3D15, "C3D15", Shape::wedge15, solid, plain, Rule::wedge9, Rule::wedge18},
    {C3D8, "C3D8", Shape::hex8, solid, plain, Rule::hex8, Rule::hex8},
    {C3D8R, "C3D8R", Shape::hex8, solid, mean_strain, Rule::hex1, Rule::hex8},
    {C3D8I, "C3D8I", Shape::hex8, solid, incompatible_modes, Rule::hex8, Rule::hex8},
    {C3D20, "C3D20", Shape::hex20, solid, plain, Rule::hex27, Rule::hex27},
    {C3D20R, "C3D20R", Shape::hex20, solid, plain, Rule::hex8, Rule::hex27},
    {CPE3, "CPE3", Shape::tri3, plane_strain, plain, Rule::tri1, Rule::tri3},
    {CPE4, "CPE4", Shape::quad4, plane_strain, plain, Rule::quad4, Rule::quad4},
    {CPE4R, "CPE4R", Shape::quad4, plane_strain, mean_strain, Rule::quad1, Rule::quad4},
    {CPE4I, "CPE4I", Shape::quad4, plane_strain, incompatible_modes, Rule::quad4, Rule::quad4},
    {CPE6, "CPE6", Shape::tri6, plane_strain, plain, Rule::tri3, Rule::tri6},
    {CPE8, "CPE8", Shape::quad8, plane_strain, plain, Rule::quad9, Rule::quad9},
    {CPE8R, "CPE8R", Shape::quad8, plane_strain, plain, Rule::quad4, Rule::quad9},
    {CPS3, "CPS3", Shape::tri3, plane_stress, plain, Rule::tri1, Rule::tri3},
    {CPS4, "CPS4", Shape::quad4, plane_stress, plain, Rule::quad4, Rule::quad4},
    {CPS4R, "CPS4R", Shape::quad4, plane_stress, mean_strain, Rule::quad1, Rule::quad4},
    {CPS4I, "CPS4I", Shape::quad4, plane_stress, incompatible_modes, Rule::quad4, Rule::quad4},
    {CPS6, "CPS6", Shape::tri6, plane_stress, plain, Rule::tri3, Rule::tri6},
    {CPS8, "CPS8", Shape::quad8, plane_stress, plain, Rule::quad9, Rule::quad9},
    {CPS8R, "CPS8R", Shape::quad8, plane_stress, plain, Rule::quad4, Rule::quad9},
}};

template <int N, int D>
detail::Stiffness<N, D> stiffness(const detail::Setting<N, D>& s) {
    if constexpr (N == (1 << D)) {  // hex8 and quad4: the shapes with more than one formulation
        if (s.kind.shape == Shape::hex8 || s.kind.shape == Shape::quad4) {
            if (s.kind.formulation == incompatible_modes) return detail::incompatible_mode_stiffness<N, D>(s);
            if (s.kind.formulation == mean_strain) return detail::mean_strain_stiffness<N, D>(s);
            if (s.options.dilatation == Dilatation::averaged && s.kind.stress != plane_stress)
                return detail::averaged_dilatation_stiffness<N, D>(s);
        }
    }
    return detail::plain_stiffness<N, D>(s);
}

template <int N, int D>
ElementMatrices compute(const ElementTraits& kind, const Eigen::Ref<const Coordinates>& nodes,
                        const ElasticMaterial& material, const ElementOptions& options) {
    // From the first node: far from the origin, round-off of the place must not reach the strains.
    const Eigen::Matrix<double, N, D> x = nodes.leftCols<D>().rowwise() - nodes.row(0).head<D>();
    const detail::Setting<N, D> s{x, detail::elasticity<D>(material, kind.stress), kind, options};
    ElementMatrices m;
    auto mass = detail::consistent_mass<N, D>(s, material.density);
    m.stiffness = stiffness<N, D>(s);
    m.mass = std::move(mass.matrix);
    m.volume = mass.volume;
    m.total_mass = material.density * mass.volume;
    return m;
}

}  // namespace

const ElementTraits& traits(ElementKind kind) { return table[static_cast<std::size_t>(kind)]; }

std::span<const ElementTraits> all_element_kinds() { return table; }

std::optional<ElementKind> element_kind(std::string_view name) {
    const auto same = [&](std::string_view other) {
        return std::equal(name.begin(), name.end(), other.begin(), other.end(),
                          [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; });
    };
    for (const auto& t : table)
        if (same(t.name)) return t.kind;
    return std::nullopt;
}

ElementMatrices element_matrices(ElementKind kind, const Eigen::Ref<const Coordinates>& nodes,
                                 const ElasticMaterial& material, const ElementOptions& options) {
    const ElementTraits& t = traits(kind);
    if (nodes.rows() != t.nodes())
        throw core::BadInput(std::string(options.label),
                             fmt::format("{} nodes given where {} has {}", nodes.rows(), t.name, t.nodes()));
    if (!nodes.allFinite())
        throw core::BadInput(std::string(options.label), "a node's coordinate is not a finite number");
    if (t.stress != solid && !(options.thickness > 0))
        throw core::BadInput(std::string(options.label),
                             fmt::format("thickness {} of {} is not positive", options.thickness, t.name));
    switch (t.shape) {
        case Shape::tri3: return compute<3, 2>(t, nodes, material, options);
        case Shape::tri6: return compute<6, 2>(t, nodes, material, options);
        case Shape::quad4: return compute<4, 2>(t, nodes, material, options);
        case Shape::quad8: return compute<8, 2>(t, nodes, material, options);
        case Shape::tet4: return compute<4, 3>(t, nodes, material, options);
        case Shape::tet10: return compute<10, 3>(t, nodes, material, options);
        case Shape::wedge6: return compute<6, 3>(t, nodes, material, options);
        case Shape::wedge15: return compute<15, 3>(t, nodes, material, options);
        case Shape::hex8: return compute<8, 3>(t, nodes, material, options);
        case Shape::hex20: return compute<20, 3>(t, nodes, material, options);
        default: throw std::logic_error("not an element's shape");
    }
}

}  // namespace faying::fe
