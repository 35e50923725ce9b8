// *SURFACE, and what contact says about surfaces: *CONTACT PAIR, *SURFACE INTERACTION, *PRE-TENSION SECTION.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "builder.hpp"
#include "faying/fe/face.hpp"

namespace faying::fe::text {

namespace {

using FaceKey = std::array<Index, 4>;  ///< corners, ascending; -1 where a face has fewer

FaceKey key_of(const Deck& deck, const Element& element, const Face& face) {
    const auto nodes = nodes_of(deck, element);
    FaceKey key{none, none, none, none};
    for (std::size_t c = 0; c < static_cast<std::size_t>(corner_count(face.shape)); ++c)
        key[c] = nodes[static_cast<std::size_t>(face.nodes[c])];
    std::sort(key.begin(), key.end());
    return key;
}

bool is_continuum(const ElementType& type) {
    return type.family == Family::solid || type.family == Family::plane_strain || type.family == Family::plane_stress ||
           type.family == Family::axisymmetric;
}

/// Faces that belong to one continuum element only, in the order of the elements.
std::vector<SurfaceFace> free_faces(const Builder& builder, const std::vector<Index>& elements, Place at) {
    const Deck& deck = builder.deck;
    std::vector<FaceKey> all;
    for (const Element& element : deck.elements)
        if (const auto* type = known_type(deck, element); type && is_continuum(*type))
            for (const auto& face : element_faces(*type)) all.push_back(key_of(deck, element, face));
    std::sort(all.begin(), all.end());
    std::vector<SurfaceFace> free;
    for (Index e : elements) {
        const Element& element = deck.elements[static_cast<std::size_t>(e)];
        const auto* type = known_type(deck, element);
        if (!type || !is_continuum(*type))
            builder.refuse(at, fmt::format("element {} of type {} has no free faces of its own; give SPOS or SNEG",
                                           element.label, deck.types[static_cast<std::size_t>(element.type)].name));
        const auto faces = element_faces(*type);
        for (std::size_t f = 0; f < faces.size(); ++f) {
            const auto key = key_of(deck, element, faces[f]);
            const auto range = std::equal_range(all.begin(), all.end(), key);
            if (range.second - range.first == 1) free.push_back({e, static_cast<int>(f) + 1});
        }
    }
    return free;
}

/// S1 .. S6, SPOS, SNEG, E1 .. E4 to the number of element_faces(); 0 when this element has no such face.
int face_number(const ElementType* type, const std::string& name) {
    if (!type) return 0;
    const bool shell = type->family == Family::shell || type->family == Family::rigid;
    const auto count = static_cast<int>(element_faces(*type).size());
    if (shell && name == "SPOS") return 1;
    if (shell && name == "SNEG") return 2;
    if (name.size() != 2 || name[1] < '1' || name[1] > '9') return 0;
    const int number = name[1] - '0' + (shell ? 2 : 0);
    if (name[0] != (shell ? 'E' : 'S') || number > count) return 0;
    return number;
}

void read_element_faces(Builder& builder, const Scope& scope, const Block& block, Surface& surface) {
    Lines lines(block.data);
    Row row(builder.sources);
    while (row.read(lines)) {
        const auto field = row.text(0);
        std::vector<Index> elements;
        if (const Index set = integer(field) ? none : builder.find_element_set(scope, field); set != none)
            elements = builder.members(set, false);
        else if (integer(field) || field.find('.') != std::string_view::npos)
            elements = {builder.element(scope, field, row.at())};
        else
            elements = builder.members(builder.element_set(scope, field, row.at()), false);  // refuses, and says why
        const std::string face = squeezed(row.text(1));
        if (face.empty()) {
            const auto free = free_faces(builder, elements, row.at());
            surface.faces.insert(surface.faces.end(), free.begin(), free.end());
            continue;
        }
        for (Index e : elements) {
            const Element& element = builder.deck.elements[static_cast<std::size_t>(e)];
            const int number = face_number(known_type(builder.deck, element), face);
            if (number == 0)
                row.refuse(fmt::format("element {} of type {} has no face {}", element.label,
                                       builder.deck.types[static_cast<std::size_t>(element.type)].name, face));
            surface.faces.push_back({e, number});
        }
    }
    if (surface.faces.empty()) builder.refuse(block.at, fmt::format("surface '{}' has no faces", surface.name));
}

void read_surface_nodes(Builder& builder, const Scope& scope, const Block& block, Surface& surface) {
    Lines lines(block.data);
    Row row(builder.sources);
    while (row.read(lines)) {
        const NodeTarget target = builder.node_or_set(scope, row.text(0), row.at());
        const double area = row.real_or(1, 1.0, "area");
        for (Index node : nodes_of(builder.deck, target)) surface.nodes.push_back({node, area});
    }
    if (surface.nodes.empty()) builder.refuse(block.at, fmt::format("surface '{}' has no nodes", surface.name));
}

void read_union(Builder& builder, const Scope& scope, const Block& block, Surface& surface) {
    if (squeezed(*block.find("COMBINE")) != "UNION")
        builder.refuse(block.at, fmt::format("COMBINE={} is not read; UNION only", *block.find("COMBINE")));
    Lines lines(block.data);
    Row row(builder.sources);
    while (row.read(lines))
        for (std::size_t f = 0; f < row.size(); ++f) {
            const Surface& other = builder.deck.surfaces[builder.surface(scope, row.text(f), row.at())];
            surface.faces.insert(surface.faces.end(), other.faces.begin(), other.faces.end());
            surface.nodes.insert(surface.nodes.end(), other.nodes.begin(), other.nodes.end());
            if (!other.nodes.empty()) surface.kind = Surface::Kind::node;
        }
    if (!surface.faces.empty() && !surface.nodes.empty())
        builder.refuse(block.at, "a surface cannot be made of faces and of nodes");
}

}  // namespace

void read_surface(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    Surface surface;
    surface.name = builder.qualified(scope, builder.need(block, "NAME"));
    surface.at = block.at;
    if (const Index other = builder.deck.surfaces.find(surface.name); other != none)
        builder.refuse(block.at, fmt::format("surface '{}' is already defined at {}", surface.name,
                                             builder.sources.where(builder.deck.surfaces[other].at)));
    const auto* given = block.find("TYPE");
    const std::string type = given ? squeezed(*given) : "ELEMENT";
    if (block.has("COMBINE")) {
        builder.allow(block, {"NAME", "TYPE", "INTERNAL", "COMBINE"});
        read_union(builder, scope, block, surface);
    } else if (type == "ELEMENT") {
        builder.allow(block, {"NAME", "TYPE", "INTERNAL", "TRIM"});
        read_element_faces(builder, scope, block, surface);
    } else if (type == "NODE") {
        builder.allow(block, {"NAME", "TYPE", "INTERNAL"});
        surface.kind = Surface::Kind::node;
        read_surface_nodes(builder, scope, block, surface);
    } else if (type == "SEGMENTS" || type == "CYLINDER" || type == "REVOLUTION" || type == "CUTTINGSURFACE" ||
               type == "USER" || type == "EULERIANMATERIAL") {
        surface.kind = Surface::Kind::other;
        surface.keyword = keep(block);
        builder.reject(Severity::physics, block.at,
                       fmt::format("surface '{}' of type {} is kept, not used", surface.name, *given));
    } else {
        builder.refuse(block.at, fmt::format("surface type '{}' is not known; ELEMENT and NODE are read", *given));
    }
    builder.deck.surfaces.add(std::move(surface));
}

void read_surface_interaction(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    SurfaceInteraction interaction;
    interaction.name = builder.need(block, "NAME");
    interaction.at = block.at;
    const std::initializer_list<std::string_view> parts = {"FRICTION",         "SURFACEBEHAVIOR", "CONTACTDAMPING",
                                                           "COHESIVEBEHAVIOR", "GAPCONDUCTANCE",  "CHANGEFRICTION"};
    for (std::size_t i = k; const Block* part = follower(scope, i, parts); ++i) {
        if (part->name != "FRICTION") {
            interaction.others.push_back(keep(*part));
            continue;
        }
        Lines lines(part->data);
        Row row(builder.sources);
        interaction.friction = row.read(lines) ? row.real_or(0, 0.0, "friction coefficient") : 0.0;
    }
    builder.reject(Severity::note, block.at, fmt::format("contact property '{}' is noted", interaction.name));
    builder.deck.interactions.add(std::move(interaction));
}

void read_contact_pair(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    Lines lines(block.data);
    Row row(builder.sources);
    while (row.read(lines)) {
        ContactPair pair;
        if (const auto* name = block.find("INTERACTION")) pair.interaction = *name;
        pair.slave = builder.surface(scope, row.text(0), row.at());
        pair.master = row.has(1) ? builder.surface(scope, row.text(1), row.at()) : pair.slave;
        pair.keyword = keep(block);
        pair.at = row.at();
        builder.deck.contact_pairs.push_back(std::move(pair));
    }
    builder.reject(Severity::physics, block.at, "contact is noted; the linear model has none");
}

void read_pre_tension(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.allow(block, {"SURFACE", "ELEMENT", "NODE"});
    PreTension section;
    section.at = block.at;
    if (const auto* name = block.find("SURFACE"))
        section.surface = builder.surface(scope, *name, block.at);
    else
        section.element = builder.element(scope, builder.need(block, "ELEMENT"), block.at);
    section.node = builder.single_node(scope, builder.need(block, "NODE"), block.at);
    Lines lines(block.data);
    Row row(builder.sources);
    if (row.read(lines))
        section.normal = Eigen::Vector3d(row.real_or(0, 0.0, "normal"), row.real_or(1, 0.0, "normal"),
                                         row.real_or(2, 0.0, "normal"));
    builder.reject(Severity::physics, block.at, "bolt pre-tension is noted; the linear model has none");
    builder.deck.pre_tensions.push_back(section);
}

}  // namespace faying::fe::text
