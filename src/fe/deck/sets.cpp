// *NSET and *ELSET: lists, ranges, other sets, the nodes of elements.

#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"

namespace faying::fe::text {

namespace {

/// The scope that members are looked up in: INSTANCE= points an assembly's set into one.
Scope member_scope(Builder& builder, const Scope& scope, const Block& block) {
    Scope inside;
    inside.instance = scope.instance;
    if (const auto* name = block.find("INSTANCE")) {
        inside.instance = builder.find_instance(*name);
        if (inside.instance == none) builder.refuse(block.at, fmt::format("instance '{}' is not defined", *name));
    }
    return inside;
}

Index find_label(const Builder& builder, const Scope& scope, Index label, bool nodes) {
    return nodes ? find_node(builder.deck, label, scope.instance) : find_element(builder.deck, label, scope.instance);
}

void add_range(Builder& builder, const Scope& scope, const Row& row, bool nodes, std::vector<Index>& items) {
    if (row.size() > 3) row.refuse(fmt::format("GENERATE takes first, last, increment; {} fields given", row.size()));
    const Index first = row.whole(0, "first number");
    const Index last = row.has(1) ? row.whole(1, "last number") : first;
    const Index step = row.has(2) ? row.whole(2, "increment") : 1;
    if (first <= 0 || step <= 0 || last < first)
        row.refuse(fmt::format("range {}, {}, {} is empty; first <= last and a positive increment are needed", first,
                               last, step));
    const auto there = nodes ? builder.deck.nodes.size() : builder.deck.elements.size();
    const auto wanted = static_cast<std::size_t>((static_cast<std::int64_t>(last) - first) / step + 1);
    const std::string_view what = nodes ? "nodes" : "elements";
    std::size_t found = 0;
    if (wanted > 100 * there + 1000)
        row.refuse(fmt::format("{} {} are asked for; the deck has {}", wanted, what, there));
    for (std::int64_t label = first; label <= last; label += step)
        if (const Index item = find_label(builder, scope, static_cast<Index>(label), nodes); item != none) {
            items.push_back(item);
            ++found;
        }
    if (found == 0) row.refuse(fmt::format("none of the {} {} {} to {} is defined", wanted, what, first, last));
    if (found < wanted)
        builder.reject(Severity::note, row.at(),
                       fmt::format("{} of the {} {} {} to {} are not defined; the others are in the set",
                                   wanted - found, wanted, what, first, last));
}

void add_listed(Builder& builder, const Scope& scope, const Row& row, bool nodes, std::vector<Index>& items) {
    for (std::size_t f = 0; f < row.size(); ++f) {
        const auto field = row.text(f);
        if (field.empty()) continue;
        if (const auto label = integer(field)) {
            const Index item = find_label(builder, scope, *label, nodes);
            if (item == none) row.refuse(fmt::format("{} {} is not defined", nodes ? "node" : "element", *label));
            items.push_back(item);
            continue;
        }
        const Index set = nodes ? builder.find_node_set(scope, field) : builder.find_element_set(scope, field);
        if (set == none) {
            if (field.find('.') != std::string_view::npos)
                items.push_back(nodes ? builder.node(scope, field, row.at()) : builder.element(scope, field, row.at()));
            else
                row.refuse(fmt::format("{} set '{}' is not defined before this line", nodes ? "node" : "element",
                                       unquoted(field)));
            continue;
        }
        const auto& others = builder.members(set, nodes);
        items.insert(items.end(), others.begin(), others.end());
    }
}

/// Repeats are kept in UNSORTED sets, and sets may hold themselves: stop before that doubles too often.
void check_size(const Builder& builder, const Block& block, std::size_t size) {
    if (size > 100 * (builder.deck.nodes.size() + builder.deck.elements.size()) + 1000)
        builder.refuse(block.at, fmt::format("the set repeats its members {} times over", size));
}

std::vector<Index> read_members(Builder& builder, const Scope& scope, const Block& block, bool nodes) {
    const Scope inside = member_scope(builder, scope, block);
    std::vector<Index> items;
    Lines lines(block.data);
    Row row(builder.sources);
    while (row.read(lines)) {
        if (block.has("GENERATE"))
            add_range(builder, inside, row, nodes, items);
        else
            add_listed(builder, inside, row, nodes, items);
        check_size(builder, block, items.size());
    }
    if (items.empty() && !(nodes && block.has("ELSET")))
        builder.reject(Severity::note, block.at, fmt::format("{} without members", block.written));
    return items;
}

}  // namespace

void read_nset(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.allow(block, {"NSET", "ELSET", "GENERATE", "INSTANCE", "INTERNAL", "UNSORTED"});
    const std::string& name = builder.need(block, "NSET");
    std::vector<Index> items = read_members(builder, scope, block, true);
    if (const auto* elset = block.find("ELSET")) {
        const Scope inside = member_scope(builder, scope, block);
        for (Index element : builder.members(builder.element_set(inside, *elset, block.at), false))
            for (Index node : nodes_of(builder.deck, builder.deck.elements[static_cast<std::size_t>(element)]))
                items.push_back(node);
        if (block.has("UNSORTED")) {  // each node once: an element list repeats them
            std::sort(items.begin(), items.end());
            items.erase(std::unique(items.begin(), items.end()), items.end());
        }
    }
    const Index set = builder.grow_node_set(scope, name, items, block.has("UNSORTED"), block.at, block.has("INTERNAL"));
    check_size(builder, block, builder.deck.node_sets[set].nodes.size());
}

void read_elset(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.allow(block, {"ELSET", "GENERATE", "INSTANCE", "INTERNAL", "UNSORTED"});
    const std::string& name = builder.need(block, "ELSET");
    const std::vector<Index> items = read_members(builder, scope, block, false);
    const Index set =
        builder.grow_element_set(scope, name, items, block.has("UNSORTED"), block.at, block.has("INTERNAL"));
    check_size(builder, block, builder.deck.element_sets[set].elements.size());
}

}  // namespace faying::fe::text
