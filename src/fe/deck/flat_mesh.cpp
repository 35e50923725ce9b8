// Nodes, elements, sets, surfaces, materials and sections of the flat deck.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "flat.hpp"

namespace faying::fe::flat {

namespace {

/// Whole numbers, 16 per line: CalculiX takes no more.
void write_list(std::string& text, const std::vector<Index>& labels) {
    for (std::size_t k = 0; k < labels.size(); ++k)
        fmt::format_to(std::back_inserter(text), "{}{}", labels[k],
                       k + 1 == labels.size() || k % 16 == 15 ? "\n" : ",");
}

void write_node(std::string& text, Index label, const Eigen::Vector3d& point) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", label, ccx_number(point[0]), ccx_number(point[1]),
                   ccx_number(point[2]));
}

void write_elements(Flat& flat, std::size_t type) {
    const Deck& deck = flat.deck;
    std::string& text = flat.text;
    for (std::size_t e = 0; e < deck.elements.size(); ++e) {
        const Element& element = deck.elements[e];
        if (element.type != static_cast<Index>(type)) continue;
        fmt::format_to(std::back_inserter(text), "{}", flat.report.element_labels[e]);
        std::size_t on_line = 1;
        for (Index node : nodes_of(deck, element)) {
            text += on_line % 16 == 0 ? ",\n" : ",";
            ++on_line;
            fmt::format_to(std::back_inserter(text), "{}", flat.report.node_labels[static_cast<std::size_t>(node)]);
        }
        text += '\n';
    }
}

void write_numbers(std::string& text, const std::vector<double>& values) {
    for (std::size_t k = 0; k < values.size(); ++k)
        text += ccx_number(values[k]) + (k + 1 == values.size() || k % 8 == 7 ? "\n" : ",");
}

void write_material(Flat& flat, Index m) {
    const Material& material = flat.deck.materials[m];
    std::string& text = flat.text;
    text += "*MATERIAL, NAME=" + flat.materials[static_cast<std::size_t>(m)] + "\n";
    using enum Material::Elasticity;
    switch (material.elasticity) {
        case isotropic: text += "*ELASTIC\n"; break;
        case engineering_constants: text += "*ELASTIC, TYPE=ENGINEERING CONSTANTS\n"; break;
        case orthotropic: text += "*ELASTIC, TYPE=ORTHO\n"; break;
        case anisotropic: text += "*ELASTIC, TYPE=ANISO\n"; break;
        case none:
        case other: flat.leave_out(material.at, fmt::format("elasticity of material '{}'", material.name)); break;
    }
    write_numbers(text, material.elastic);
    if (material.density) text += "*DENSITY\n" + ccx_number(*material.density) + "\n";
    for (const auto& keyword : material.others)
        flat.leave_out(keyword.at, fmt::format("{} of material '{}'", keyword.written, material.name));
}

void write_orientation(Flat& flat, Index o) {
    const Orientation& orientation = flat.deck.orientations[o];
    if (orientation.values.size() < 6 || (orientation.system != "RECTANGULAR" && orientation.system != "CYLINDRICAL")) {
        flat.leave_out(orientation.at, fmt::format("orientation '{}'", orientation.name));
        return;
    }
    std::vector<double> values(orientation.values.begin(), orientation.values.begin() + 6);
    if (orientation.values.size() == 9 && orientation.system == "RECTANGULAR")  // given from an origin c
        for (std::size_t k = 0; k < 6; ++k) values[k] -= orientation.values[6 + k % 3];
    flat.text += fmt::format("*ORIENTATION, NAME={}, SYSTEM={}\n", flat.orientations[static_cast<std::size_t>(o)],
                             orientation.system);
    write_numbers(flat.text, values);
    if (orientation.rotation_angle != 0.0)
        flat.text += fmt::format("{},{}\n", orientation.rotation_axis, ccx_number(orientation.rotation_angle));
}

/// The keyword as it was, with names as they are written here.
void write_section(Flat& flat, const Section& section) {
    const auto& elements = flat.deck.element_sets[section.elements].elements;
    const bool written = std::any_of(elements.begin(), elements.end(), [&](Index e) {
        return flat.report.element_labels[static_cast<std::size_t>(e)] != 0;
    });
    if (!written) return;
    flat.text += section.keyword.written;
    for (const auto& p : section.keyword.parameters) {
        std::string value = p.value;
        if (p.name == "CONTROLS" || p.name == "STACKDIRECTION") continue;
        if (p.name == "ELSET") value = flat.element_sets[static_cast<std::size_t>(section.elements)];
        if (p.name == "MATERIAL") value = flat.materials[static_cast<std::size_t>(section.material)];
        if (p.name == "ORIENTATION") value = flat.orientations[static_cast<std::size_t>(section.orientation)];
        flat.text += ", " + p.name + (value.empty() ? "" : "=" + value);
    }
    flat.text += '\n';
    if (section.kind == Section::Kind::solid) {
        // A thickness belongs to plane elements only; 1 is what they have without one.
        const ElementType* type = known_type(flat.deck, flat.deck.elements[static_cast<std::size_t>(elements.front())]);
        if (type && type->family != Family::solid)
            flat.text +=
                ccx_number(section.values.empty() || section.values[0] == 0.0 ? 1.0 : section.values[0]) + "\n";
        return;
    }
    for (const auto& line : section.keyword.lines) flat.text += line + '\n';
}

}  // namespace

void write_mesh(Flat& flat) {
    const Deck& deck = flat.deck;
    flat.text += "*NODE\n";
    for (std::size_t n = 0; n < deck.nodes.size(); ++n)
        write_node(flat.text, flat.report.node_labels[n], deck.nodes[n].point);
    for (const auto& rotation : flat.report.rotation_nodes)
        write_node(flat.text, rotation.label, deck.nodes[static_cast<std::size_t>(rotation.node)].point);
    for (std::size_t t = 0; t < deck.types.size(); ++t) {
        if (!deck.types[t].known || deck.types[t].known->ccx.empty()) continue;
        const auto of_type = [&](const Element& e) { return e.type == static_cast<Index>(t); };
        if (std::none_of(deck.elements.begin(), deck.elements.end(), of_type)) continue;
        flat.text += fmt::format("*ELEMENT, TYPE={}\n", deck.types[t].known->ccx);
        write_elements(flat, t);
    }
}

void write_sets(Flat& flat) {
    std::vector<Index> labels;
    for (Index s = 0; s < flat.deck.node_sets.size(); ++s) {
        labels.clear();
        for (Index n : flat.deck.node_sets[s].nodes)
            labels.push_back(flat.report.node_labels[static_cast<std::size_t>(n)]);
        if (labels.empty()) continue;
        flat.text += fmt::format("*NSET, NSET={}\n", flat.node_sets[static_cast<std::size_t>(s)]);
        write_list(flat.text, labels);
    }
    for (Index s = 0; s < flat.deck.element_sets.size(); ++s) {
        labels.clear();
        for (Index e : flat.deck.element_sets[s].elements)
            if (const Index label = flat.report.element_labels[static_cast<std::size_t>(e)]; label != 0)
                labels.push_back(label);
        if (labels.empty()) continue;
        flat.text += fmt::format("*ELSET, ELSET={}\n", flat.element_sets[static_cast<std::size_t>(s)]);
        write_list(flat.text, labels);
    }
    for (Index s = 0; s < flat.deck.surfaces.size(); ++s) {
        const Surface& surface = flat.deck.surfaces[s];
        const std::string& name = flat.surfaces[static_cast<std::size_t>(s)];
        const bool solid = std::all_of(surface.faces.begin(), surface.faces.end(), [&](const SurfaceFace& f) {
            const auto* type = known_type(flat.deck, flat.deck.elements[static_cast<std::size_t>(f.element)]);
            return type->family == Family::solid && !type->ccx.empty();
        });
        if (surface.kind == Surface::Kind::node) {
            flat.text += fmt::format("*SURFACE, NAME={}, TYPE=NODE\n", name);
            for (const auto& n : surface.nodes)
                fmt::format_to(std::back_inserter(flat.text), "{}\n",
                               flat.report.node_labels[static_cast<std::size_t>(n.node)]);
        } else if (surface.kind == Surface::Kind::element && solid) {
            flat.text += fmt::format("*SURFACE, NAME={}, TYPE=ELEMENT\n", name);
            for (const auto& f : surface.faces)
                fmt::format_to(std::back_inserter(flat.text), "{},S{}\n",
                               flat.report.element_labels[static_cast<std::size_t>(f.element)], f.face);
        } else {
            flat.leave_out(surface.at, fmt::format("surface '{}' (not on solids)", surface.name));
        }
    }
}

void write_properties(Flat& flat) {
    for (Index o = 0; o < flat.deck.orientations.size(); ++o) write_orientation(flat, o);
    for (Index m = 0; m < flat.deck.materials.size(); ++m) write_material(flat, m);
    for (const auto& section : flat.deck.sections) write_section(flat, section);
}

}  // namespace faying::fe::flat
