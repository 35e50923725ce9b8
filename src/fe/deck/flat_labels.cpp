// Labels and names of the flat deck.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "faying/core/error.hpp"
#include "flat.hpp"

namespace faying::fe::flat {

std::string Names::add(const std::string& name, const char* what, FlatReport& report) {
    constexpr std::size_t longest = 80;
    std::string fit;
    for (char c : name) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
        fit += plain ? c : '_';
    }
    if (fit.empty() || std::isdigit(static_cast<unsigned char>(fit[0])) || fit[0] == '-') fit.insert(0, "N_");
    fit.resize(std::min(fit.size(), longest));
    const std::string stem = fit;
    for (int n = 2; !taken_.insert(folded(fit)).second; ++n) {
        const std::string tail = fmt::format("_{}", n);
        fit = stem.substr(0, longest - tail.size()) + tail;
    }
    if (fit != name) report.renamed.push_back({what, name, fit});
    return fit;
}

Flat::Dof Flat::dof(Index node, int dof) const {
    const Index label = report.node_labels[static_cast<std::size_t>(node)];
    if (dof <= 3 || has_rotations[static_cast<std::size_t>(node)]) return {label, dof};
    const auto found = rotation_label.find(node);
    return found == rotation_label.end() ? Dof{} : Dof{found->second, dof - 3};
}

void Flat::leave_out(Place at, const std::string& what) { report.left_out.push_back({Severity::physics, at, what}); }

namespace {

/// The labels of each instance, shifted where an earlier one has some of them. Returns the shift by instance + 1.
template <class T>
std::vector<Index> shift_labels(const Deck& deck, const std::vector<T>& items, std::vector<Index>& labels) {
    const auto groups = static_cast<std::size_t>(deck.instances.size() + 1);
    std::vector<std::vector<std::size_t>> members(groups);
    for (std::size_t k = 0; k < items.size(); ++k)
        members[static_cast<std::size_t>(items[k].instance + 1)].push_back(k);
    std::vector<Index> shifts(groups, 0);
    std::unordered_set<Index> taken;
    std::int64_t highest = 0;
    labels.assign(items.size(), 0);
    for (std::size_t g = 0; g < groups; ++g) {
        bool clash = false;
        std::int64_t own_highest = 0;
        for (std::size_t k : members[g]) {
            clash = clash || (groups > 1 && taken.contains(items[k].label));
            own_highest = std::max<std::int64_t>(own_highest, items[k].label);
        }
        std::int64_t shift = 0;
        if (clash) {
            std::int64_t round = 1000;
            while (round <= std::max(highest, own_highest) / 10) round *= 10;
            shift = (highest / round + 1) * round;
        }
        if (own_highest + shift > 2'000'000'000)
            throw core::BadInput(deck.files[0], "labels would pass 2 000 000 000 when instances are made one");
        shifts[g] = static_cast<Index>(shift);
        for (std::size_t k : members[g]) {
            labels[k] = items[k].label + shifts[g];
            highest = std::max<std::int64_t>(highest, labels[k]);
            if (groups > 1) taken.insert(labels[k]);
        }
    }
    return shifts;
}

}  // namespace

void assign_labels(Flat& flat) {
    const auto nodes = shift_labels(flat.deck, flat.deck.nodes, flat.report.node_labels);
    const auto elements = shift_labels(flat.deck, flat.deck.elements, flat.report.element_labels);
    for (std::size_t g = 1; g < nodes.size(); ++g)
        if (nodes[g] != 0 || elements[g] != 0)
            flat.report.renumbered.push_back(
                {flat.deck.instances[static_cast<Index>(g - 1)].name, nodes[g], elements[g]});
    flat.has_rotations.assign(flat.deck.nodes.size(), false);
    std::vector<Index> left(flat.deck.types.size(), 0);
    std::vector<Place> first(flat.deck.types.size());
    for (std::size_t e = 0; e < flat.deck.elements.size(); ++e) {
        const Element& element = flat.deck.elements[e];
        const ElementType* type = known_type(flat.deck, element);
        if (!type || type->ccx.empty()) {
            flat.report.element_labels[e] = 0;
            const auto t = static_cast<std::size_t>(element.type);
            if (left[t]++ == 0) first[t] = element.at;
            continue;
        }
        if (type->family == Family::shell || type->family == Family::beam)
            for (Index node : nodes_of(flat.deck, element)) flat.has_rotations[static_cast<std::size_t>(node)] = true;
    }
    for (std::size_t t = 0; t < left.size(); ++t)
        if (left[t] > 0)
            flat.leave_out(first[t], fmt::format("{} elements of type {}, which CalculiX does not have", left[t],
                                                 flat.deck.types[t].name));
}

void assign_names(Flat& flat) {
    const auto all = [&](const auto& items, const char* what) {
        Names names;
        std::vector<std::string> fit;
        for (const auto& item : items) fit.push_back(names.add(item.name, what, flat.report));
        return fit;
    };
    flat.node_sets = all(flat.deck.node_sets, "node set");
    flat.element_sets = all(flat.deck.element_sets, "element set");
    flat.surfaces = all(flat.deck.surfaces, "surface");
    flat.materials = all(flat.deck.materials, "material");
    flat.orientations = all(flat.deck.orientations, "orientation");
}

void assign_rotation_nodes(Flat& flat, const std::vector<LinearEquation>& equations,
                           const std::vector<PointLoad>& loads) {
    Index next = 0;
    for (Index label : flat.report.node_labels) next = std::max(next, label);
    const auto need = [&](Index node, int dof) {
        if (dof <= 3 || flat.has_rotations[static_cast<std::size_t>(node)]) return;
        if (!flat.rotation_label.emplace(node, next + 1).second) return;
        flat.report.rotation_nodes.push_back({node, ++next});
    };
    for (const auto& equation : equations)
        for (const auto& term : equation.terms) need(term.node, term.dof);
    // A moment on a node whose rotation nothing uses would act on nothing.
    for (const auto& load : loads)
        for (Index node : nodes_of(flat.deck, load.target))
            if (flat.dof(node, load.dof).label == 0)
                throw core::BadInput(flat.deck.where(load.at), fmt::format("moment on node {}, which has no rotations",
                                                                           node_name(flat.deck, node)));
}

}  // namespace faying::fe::flat
