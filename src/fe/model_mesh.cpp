// The elements of a deck as blocks that the assembler takes.

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "faying/core/error.hpp"
#include "faying/fe/model.hpp"

namespace faying::fe {

namespace {

/// D1111, D1122, D2222, D1133, ..: the upper triangle by columns, in the order 11 22 33 12 13 23.
Matrix6 stiffness_matrix(const std::vector<double>& d, bool orthotropic) {
    Matrix6 m = Matrix6::Zero();
    std::size_t k = 0;
    for (int column = 0; column < 6; ++column)
        for (int row = orthotropic && column > 2 ? column : 0; row <= column; ++row)
            m(row, column) = m(column, row) = d[k++];
    return m;
}

ElasticMaterial material_of(const Deck& deck, const Material& material, std::vector<Note>& notes) {
    const auto& v = material.elastic;
    const double density = material.density.value_or(0.0);
    if (!material.density)
        notes.push_back({Severity::physics, material.at, fmt::format("material '{}' has no density", material.name)});
    using enum Material::Elasticity;
    try {
        switch (material.elasticity) {
            case isotropic: return fe::isotropic(v.at(0), v.at(1), density);
            case engineering_constants:
                return fe::orthotropic(
                    {v.at(0), v.at(1), v.at(2), v.at(3), v.at(4), v.at(5), v.at(6), v.at(7), v.at(8)}, density);
            case Material::Elasticity::orthotropic:
            case anisotropic: {
                const bool ortho = material.elasticity == Material::Elasticity::orthotropic;
                if (v.size() != (ortho ? 9u : 21u)) break;
                ElasticMaterial m{stiffness_matrix(v, ortho), density};
                check(m);
                return m;
            }
            default: break;
        }
    } catch (const core::BadInput& error) {
        throw core::BadInput(deck.where(material.at), error.what());
    }
    throw core::BadInput(deck.where(material.at),
                         fmt::format("material '{}' has no elasticity that can be assembled", material.name));
}

/// What the deck says of hourglass control; nothing for elements that have none.
HourglassControl hourglass_of(const Deck& deck, const Section& section, ElementKind kind) {
    HourglassControl control;
    if (traits(kind).formulation != Formulation::mean_strain) return control;
    if (!section.controls.empty())
        control = deck.section_controls[deck.section_controls.find(section.controls)].hourglass;
    control.modulus = section.hourglass_stiffness;
    return control;
}

}  // namespace

DeckMesh mesh_of(const Deck& deck, std::span<const ElementChoice> choices) {
    DeckMesh result;
    std::vector<bool> used(choices.size(), false);
    result.row_of.assign(deck.nodes.size(), none);
    std::vector<Index> material_row(static_cast<std::size_t>(deck.materials.size()), none);
    using Key = std::tuple<ElementKind, std::size_t, double, HourglassControl, std::optional<Dilatation>>;
    std::vector<std::pair<Key, std::size_t>> blocks;
    for (std::size_t e = 0; e < deck.elements.size(); ++e) {
        const Element& element = deck.elements[e];
        const ElementType* type = known_type(deck, element);
        if (type && type->family == Family::mass && type->name == "MASS") {
            result.masses.push_back(static_cast<Index>(e));
            continue;
        }
        if (!type || !type->assembled_as) {
            result.left_out.push_back(static_cast<Index>(e));
            continue;
        }
        const Index m = fe::material_of(deck, element);
        if (m == none)
            throw core::BadInput(deck.where(element.at), fmt::format("element {} has no section, so no material",
                                                                     element_name(deck, static_cast<Index>(e))));
        const Section& section = deck.sections[static_cast<std::size_t>(element.section)];
        if (section.orientation != none && deck.materials[m].elasticity != Material::Elasticity::isotropic)
            throw core::BadInput(deck.where(section.at),
                                 fmt::format("material '{}' with axes of its own cannot be assembled yet; isotropic "
                                             "ones can",
                                             deck.materials[m].name));
        Index& row = material_row[static_cast<std::size_t>(m)];
        if (row == none) {
            row = static_cast<Index>(result.mesh.materials.size());
            result.mesh.materials.push_back(material_of(deck, deck.materials[m], result.notes));
        }
        const bool thick = type->family != Family::solid && !section.values.empty() && section.values[0] > 0;
        ElementKind kind = *type->assembled_as;
        HourglassControl hourglass = hourglass_of(deck, section, kind);
        std::optional<Dilatation> dilatation;
        for (std::size_t c = 0; c < choices.size(); ++c)
            if (choices[c].from == *type->assembled_as) {
                used[c] = true;
                kind = choices[c].to;
                if (choices[c].hourglass) hourglass.kind = *choices[c].hourglass;
                if (choices[c].dilatation) dilatation = choices[c].dilatation;
            }
        const Key key{kind, static_cast<std::size_t>(row), thick ? section.values[0] : 1.0, hourglass, dilatation};
        auto found = std::find_if(blocks.begin(), blocks.end(), [&](const auto& b) { return b.first == key; });
        if (found == blocks.end()) {
            found = blocks.insert(blocks.end(), {key, result.mesh.blocks.size()});
            result.mesh.blocks.push_back({kind, {}, {}, std::get<1>(key), std::get<2>(key), hourglass, dilatation});
        }
        ElementBlock& block = result.mesh.blocks[found->second];
        block.labels.push_back(element.label);
        for (Index node : nodes_of(deck, element)) {
            Index& place = result.row_of[static_cast<std::size_t>(node)];
            if (place == none) {
                place = static_cast<Index>(result.nodes.size());
                result.nodes.push_back(node);
            }
            block.nodes.push_back(place);
        }
    }
    for (std::size_t c = 0; c < choices.size(); ++c)
        if (!used[c])
            throw core::BadInput(deck.files[0], fmt::format("element = {}: the deck has no elements of type {}",
                                                            choices[c].text, traits(choices[c].from).name));
    result.mesh.nodes.resize(static_cast<Eigen::Index>(result.nodes.size()), 3);
    for (std::size_t k = 0; k < result.nodes.size(); ++k)
        result.mesh.nodes.row(static_cast<Eigen::Index>(k)) =
            deck.nodes[static_cast<std::size_t>(result.nodes[k])].point;
    return result;
}

}  // namespace faying::fe
