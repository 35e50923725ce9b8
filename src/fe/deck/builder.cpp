#include "builder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace faying::fe::text {

namespace {

/// "defined are: A, B, C .. (20 in all)": what would have been allowed.
template <class T>
std::string names_of(const Named<T>& list) {
    std::string names;
    int shown = 0;
    for (const auto& item : list) {
        if (shown++ == 8) break;
        names += (names.empty() ? "" : ", ") + item.name;
    }
    if (names.empty()) return "none is defined";
    return fmt::format("defined are: {}{}", names, list.size() > 8 ? fmt::format(" .. ({} in all)", list.size()) : "");
}

}  // namespace

void Builder::reject(Severity severity, Place at, const std::string& what) {
    // The blocks of a part are read once an instance: say it once.
    if (said_.insert(fmt::format("{}:{}:{}", at.file, at.line, what)).second)
        deck.notes.push_back({severity, at, what});
}

void Builder::allow(const Block& block, std::initializer_list<std::string_view> parameters) {
    for (const auto& p : block.parameters)
        if (p.name != "INPUT" &&
            std::none_of(parameters.begin(), parameters.end(), [&](auto known) { return stands_for(p.name, known); }))
            reject(Severity::physics, block.at, fmt::format("{}: parameter {} is not read", block.written, p.name));
}

const std::string& Builder::need(const Block& block, std::string_view parameter) const {
    const auto* value = block.find(parameter);
    if (!value || value->empty()) refuse(block.at, fmt::format("{} needs {}=..", block.written, parameter));
    return *value;
}

std::string Builder::qualified(const Scope& scope, const std::string& name) const {
    return scope.instance == none ? name : deck.instances[scope.instance].name + "." + name;
}

Index Builder::find_instance(std::string_view name) const { return deck.instances.find(name); }

template <class T>
Index Builder::find(const Named<T>& list, const Scope& scope, std::string_view field) const {
    const std::string name = unquoted(field);
    if (scope.instance != none)
        if (const Index found = list.find(qualified(scope, name)); found != none) return found;
    if (const Index found = list.find(name); found != none) return found;
    // Assembly.Instance.Set
    if (!assembly.empty() && folded(name).starts_with(folded(assembly) + "."))
        return list.find(name.substr(assembly.size() + 1));
    return none;
}

template <class T>
Index Builder::find_or_refuse(const Named<T>& list, const Scope& scope, std::string_view name, Place at,
                              std::string_view what) const {
    const Index found = find(list, scope, name);
    if (found == none) refuse(at, fmt::format("{} '{}' is not defined; {}", what, unquoted(name), names_of(list)));
    return found;
}

Index Builder::find_node_set(const Scope& scope, std::string_view name) const {
    return find(deck.node_sets, scope, name);
}

Index Builder::find_element_set(const Scope& scope, std::string_view name) const {
    return find(deck.element_sets, scope, name);
}

Index Builder::node_set(const Scope& scope, std::string_view name, Place at) const {
    return find_or_refuse(deck.node_sets, scope, name, at, "node set");
}

Index Builder::element_set(const Scope& scope, std::string_view name, Place at) const {
    return find_or_refuse(deck.element_sets, scope, name, at, "element set");
}

Index Builder::surface(const Scope& scope, std::string_view name, Place at) const {
    return find_or_refuse(deck.surfaces, scope, name, at, "surface");
}

/// "12" in this scope, or "Instance.12" anywhere; `none` when it is neither.
Index Builder::labelled(const Scope& scope, std::string_view field, bool nodes) const {
    Index instance = scope.instance;
    std::string name;
    if (const auto dot = field.rfind('.'); dot != std::string_view::npos) {
        name = unquoted(field.substr(0, dot));
        if (!assembly.empty() && folded(name).starts_with(folded(assembly) + ".")) name.erase(0, assembly.size() + 1);
        instance = find_instance(name);
        if (instance == none && !(!assembly.empty() && folded(name) == folded(assembly))) return none;
        field.remove_prefix(dot + 1);
    }
    const auto label = integer(field);
    if (!label) return none;
    return nodes ? fe::find_node(deck, *label, instance) : fe::find_element(deck, *label, instance);
}

Index Builder::node(const Scope& scope, std::string_view field, Place at) const {
    const Index found = labelled(scope, field, true);
    if (found == none) refuse(at, fmt::format("node '{}' is not defined", unquoted(field)));
    return found;
}

Index Builder::element(const Scope& scope, std::string_view field, Place at) const {
    const Index found = labelled(scope, field, false);
    if (found == none) refuse(at, fmt::format("element '{}' is not defined", unquoted(field)));
    return found;
}

NodeTarget Builder::node_or_set(const Scope& scope, std::string_view field, Place at) const {
    if (field.empty()) refuse(at, "a node number or node set name is missing");
    if (integer(field)) return {node(scope, field, at), none};
    if (const Index found = labelled(scope, field, true); found != none) return {found, none};
    const Index set = find(deck.node_sets, scope, field);
    if (set == none)
        refuse(at, fmt::format("'{}' is neither a node nor a node set; node sets: {}", unquoted(field),
                               names_of(deck.node_sets)));
    return {none, set};
}

Index Builder::single_node(const Scope& scope, std::string_view field, Place at) const {
    const NodeTarget target = node_or_set(scope, field, at);
    if (target.set == none) return target.node;
    const NodeSet& set = deck.node_sets[target.set];
    if (set.nodes.size() != 1)
        refuse(at, fmt::format("node set '{}' has {} nodes; a reference node is one node", set.name, set.nodes.size()));
    return set.nodes[0];
}

namespace {

template <class S>
std::vector<Index>& list_of(S& set) {
    if constexpr (requires { set.nodes; })
        return set.nodes;
    else
        return set.elements;
}

template <class S>
Index grow(Builder& builder, Named<S>& sets, std::vector<bool>& dirty, const std::string& name,
           const std::vector<Index>& items, bool unsorted, Place at, bool internal,
           const std::function<void(S&)>& settle) {
    Index k = sets.find(name);
    if (k == none) {
        S set;
        set.name = name;
        set.unsorted = unsorted;
        set.at = at;
        k = sets.add(std::move(set));
        dirty.push_back(false);
    }
    S& set = sets[k];
    set.internal = set.internal || internal;
    if (unsorted && dirty[static_cast<std::size_t>(k)]) {
        settle(set);
        dirty[static_cast<std::size_t>(k)] = false;
    }
    if (!unsorted) {
        if (set.unsorted)
            builder.reject(Severity::note, at,
                           fmt::format("UNSORTED set '{}' grows without UNSORTED: it is sorted now", set.name));
        dirty[static_cast<std::size_t>(k)] = true;
    }
    set.unsorted = unsorted;
    auto& list = list_of(set);
    list.insert(list.end(), items.begin(), items.end());
    return k;
}

}  // namespace

template <class S>
void Builder::settle(S& set) {
    auto& list = list_of(set);
    const auto key = [this](Index k) {
        if constexpr (std::is_same_v<S, NodeSet>) {
            const Node& n = deck.nodes[static_cast<std::size_t>(k)];
            return std::pair(n.instance, n.label);
        } else {
            const Element& e = deck.elements[static_cast<std::size_t>(k)];
            return std::pair(e.instance, e.label);
        }
    };
    const auto before = [&](Index a, Index b) { return key(a) < key(b); };
    if (!std::is_sorted(list.begin(), list.end(), before)) std::sort(list.begin(), list.end(), before);
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

Index Builder::grow_node_set(const Scope& scope, const std::string& name, const std::vector<Index>& nodes,
                             bool unsorted, Place at, bool internal) {
    return grow<NodeSet>(*this, deck.node_sets, node_sets_dirty_, qualified(scope, name), nodes, unsorted, at, internal,
                         [this](NodeSet& set) { settle(set); });
}

Index Builder::grow_element_set(const Scope& scope, const std::string& name, const std::vector<Index>& elements,
                                bool unsorted, Place at, bool internal) {
    return grow<ElementSet>(*this, deck.element_sets, element_sets_dirty_, qualified(scope, name), elements, unsorted,
                            at, internal, [this](ElementSet& set) { settle(set); });
}

const std::vector<Index>& Builder::members(Index set, bool nodes) {
    auto& dirty = nodes ? node_sets_dirty_ : element_sets_dirty_;
    if (dirty[static_cast<std::size_t>(set)]) {
        if (nodes)
            settle(deck.node_sets[set]);
        else
            settle(deck.element_sets[set]);
        dirty[static_cast<std::size_t>(set)] = false;
    }
    return nodes ? deck.node_sets[set].nodes : deck.element_sets[set].elements;
}

void Builder::settle_sets() {
    for (Index k = 0; k < deck.node_sets.size(); ++k) members(k, true);
    for (Index k = 0; k < deck.element_sets.size(); ++k) members(k, false);
}

const Block* follower(Scope& scope, std::size_t k, std::initializer_list<std::string_view> names) {
    if (k + 1 >= scope.blocks.size()) return nullptr;
    const Block* next = scope.blocks[k + 1];
    if (std::find(names.begin(), names.end(), next->name) == names.end()) return nullptr;
    scope.used[k + 1] = true;
    return next;
}

}  // namespace faying::fe::text
