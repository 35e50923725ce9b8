#include "faying/fe/deck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "faying/core/error.hpp"
#include "faying/fe/face.hpp"

namespace faying::fe {

std::string folded(std::string_view name) {
    std::string upper(name);
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return upper;
}

Index LabelMap::find(Index label) const {
    if (label >= 0 && static_cast<std::size_t>(label) < dense_.size() &&
        dense_[static_cast<std::size_t>(label)] != none)
        return dense_[static_cast<std::size_t>(label)];
    const auto found = sparse_.find(label);
    return found == sparse_.end() ? none : found->second;
}

void LabelMap::add(Index label, Index index) {
    // A label far beyond the number of labels so far would waste an array: one such label must not cost a gigabyte.
    const std::size_t reach = 1024 + 8 * ++count_;
    const auto place = static_cast<std::size_t>(label);
    if (label < 0 || place >= reach) {
        sparse_.emplace(label, index);
        return;
    }
    if (place >= dense_.size()) dense_.resize(std::max(place + 1, 2 * dense_.size()), none);
    dense_[place] = index;
}

bool stands_for(std::string_view given, std::string_view parameter) {
    return given == parameter || (given.size() >= 3 && parameter.starts_with(given));
}

const std::string* find_parameter(const std::vector<Keyword::Parameter>& all, std::string_view parameter) {
    for (const auto& p : all)
        if (p.name == parameter) return &p.value;
    for (const auto& p : all)
        if (stands_for(p.name, parameter)) return &p.value;
    return nullptr;
}

const std::string* Keyword::find(std::string_view parameter) const { return find_parameter(parameters, parameter); }

std::string Keyword::text() const {
    std::string all = written;
    for (const auto& p : parameters) all += ", " + p.name + (p.value.empty() ? "" : "=" + p.value);
    all += '\n';
    for (const auto& line : lines) all += line + '\n';
    return all;
}

std::string Deck::where(const Place& at) const {
    const bool known = at.file >= 0 && static_cast<std::size_t>(at.file) < files.size();
    return fmt::format("{}:{}", known ? files[static_cast<std::size_t>(at.file)] : "deck", at.line);
}

std::span<const Index> nodes_of(const Deck& deck, const Element& element) {
    return std::span(deck.connectivity)
        .subspan(static_cast<std::size_t>(element.first), static_cast<std::size_t>(element.size));
}

std::span<const Index> nodes_of(const Deck& deck, const NodeTarget& target) {
    if (target.set != none) return deck.node_sets[target.set].nodes;
    return {&target.node, target.node == none ? 0u : 1u};
}

std::vector<Index> nodes_of(const Deck& deck, const SurfaceFace& face) {
    const Element& element = deck.elements[static_cast<std::size_t>(face.element)];
    const auto nodes = nodes_of(deck, element);
    std::vector<Index> on_face;
    for (int local : element_faces(*known_type(deck, element))[static_cast<std::size_t>(face.face - 1)].local_nodes())
        on_face.push_back(nodes[static_cast<std::size_t>(local)]);
    return on_face;
}

std::vector<Index> nodes_of(const Deck& deck, const Surface& surface) {
    std::vector<Index> all;
    for (const auto& face : surface.faces)
        for (Index node : nodes_of(deck, face)) all.push_back(node);
    for (const auto& entry : surface.nodes) all.push_back(entry.node);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

const ElementType* known_type(const Deck& deck, const Element& element) {
    return deck.types[static_cast<std::size_t>(element.type)].known;
}

Index material_of(const Deck& deck, const Element& element) {
    return element.section == none ? none : deck.sections[static_cast<std::size_t>(element.section)].material;
}

namespace {

Index find_label(const std::vector<LabelMap>& maps, Index label, Index instance) {
    const auto k = static_cast<std::size_t>(instance + 1);
    return k < maps.size() ? maps[k].find(label) : none;
}

std::string qualified(const Deck& deck, Index instance, Index label) {
    return instance == none ? std::to_string(label) : fmt::format("{}.{}", deck.instances[instance].name, label);
}

}  // namespace

Index find_node(const Deck& deck, Index label, Index instance) { return find_label(deck.node_labels, label, instance); }

Index find_element(const Deck& deck, Index label, Index instance) {
    return find_label(deck.element_labels, label, instance);
}

std::string node_name(const Deck& deck, Index node) {
    const Node& n = deck.nodes[static_cast<std::size_t>(node)];
    return qualified(deck, n.instance, n.label);
}

std::string element_name(const Deck& deck, Index element) {
    const Element& e = deck.elements[static_cast<std::size_t>(element)];
    return qualified(deck, e.instance, e.label);
}

void require_all_physics(const Deck& deck) {
    for (const auto& note : deck.notes)
        if (note.severity == Severity::physics) throw core::BadInput(deck.where(note.at), note.text);
}

}  // namespace faying::fe
