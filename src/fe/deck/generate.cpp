// *NGEN, *NFILL, *ELGEN: nodes and elements made by counting, as hand-written decks do. Straight lines only.

#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"

namespace faying::fe::text {

namespace {

constexpr std::int64_t most_generated = 5'000'000;  // a line: more is a slip of the pen

Index checked_label(const Builder& builder, Place at, std::int64_t label) {
    if (label <= 0 || label > 999'999'999)
        builder.refuse(at, fmt::format("generated number {} is outside 1 .. 999999999", label));
    return static_cast<Index>(label);
}

/// Nodes at equal steps between two others, their numbers counting up from the first one's.
void fill(Builder& builder, const Scope& scope, Index from, Index to, Index intervals, Index increment, Place at,
          std::vector<Index>& made) {
    const Node a = builder.deck.nodes[static_cast<std::size_t>(from)];
    const Node b = builder.deck.nodes[static_cast<std::size_t>(to)];
    made.push_back(from);
    for (Index i = 1; i < intervals; ++i) {
        const auto label = checked_label(builder, at, a.label + static_cast<std::int64_t>(i) * increment);
        made.push_back(add_node(builder, scope, label, a.point + (b.point - a.point) * i / intervals, at));
    }
    made.push_back(to);
}

}  // namespace

void read_ngen(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    if (block.has("LINE")) builder.refuse(block.at, "*NGEN along a curve (LINE=) is not read; straight lines only");
    builder.allow(block, {"NSET"});
    std::vector<Index> made;
    Lines lines(block.data);
    Row row(builder.sources);
    while (row.read(lines)) {
        const Index from = builder.node(scope, row.text(0), row.at());
        const Index to = builder.node(scope, row.text(1), row.at());
        const Index step = row.has(2) ? row.whole(2, "increment") : 1;
        const auto first = builder.deck.nodes[static_cast<std::size_t>(from)].label;
        const auto last = builder.deck.nodes[static_cast<std::size_t>(to)].label;
        if (step <= 0 || last <= first || (last - first) % step != 0)
            row.refuse(fmt::format("from {} to {} by {} does not come out even", first, last, step));
        const Index intervals = (last - first) / step;
        if (intervals > most_generated) row.refuse(fmt::format("{} nodes on one line are too many", intervals));
        fill(builder, scope, from, to, intervals, step, row.at(), made);
    }
    if (const auto* set = block.find("NSET")) builder.grow_node_set(scope, *set, made, false, block.at);
}

void read_nfill(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    for (const char* other : {"BIAS", "SINGULAR", "TWOSTEP"})
        if (block.has(other)) builder.refuse(block.at, fmt::format("*NFILL with {} is not read; leave it out", other));
    builder.allow(block, {"NSET"});
    std::vector<Index> made;
    Lines lines(block.data);
    Row row(builder.sources);
    while (row.read(lines)) {
        const auto from = builder.members(builder.node_set(scope, row.text(0), row.at()), true);
        const auto to = builder.members(builder.node_set(scope, row.text(1), row.at()), true);
        const Index intervals = row.whole(2, "number of intervals");
        const Index increment = row.has(3) ? row.whole(3, "increment") : 1;
        if (intervals <= 0 ||
            static_cast<std::int64_t>(intervals) * static_cast<std::int64_t>(from.size()) > most_generated)
            row.refuse(fmt::format("{} intervals between {} nodes cannot be made", intervals, from.size()));
        for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i)
            fill(builder, scope, from[i], to[i], intervals, increment, row.at(), made);
        if (from.size() != to.size())
            builder.reject(Severity::note, row.at(),
                           fmt::format("*NFILL pairs sets of {} and {} nodes: the longer one's rest is left",
                                       from.size(), to.size()));
    }
    if (const auto* set = block.find("NSET")) builder.grow_node_set(scope, *set, made, false, block.at);
}

void read_elgen(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.allow(block, {"ELSET"});
    std::vector<Index> made, nodes;
    Lines lines(block.data);
    Row row(builder.sources);
    while (row.read(lines)) {
        const Index master = builder.element(scope, row.text(0), row.at());
        const Element original = builder.deck.elements[static_cast<std::size_t>(master)];
        std::int64_t count[3] = {1, 1, 1}, node_step[3] = {1, 0, 0}, element_step[3] = {1, 0, 0}, total = 1;
        for (std::size_t level = 0; level < 3; ++level) {
            if (row.has(1 + 3 * level)) count[level] = row.whole(1 + 3 * level, "number of elements");
            if (row.has(2 + 3 * level)) node_step[level] = row.whole(2 + 3 * level, "node increment");
            if (row.has(3 + 3 * level)) element_step[level] = row.whole(3 + 3 * level, "element increment");
            if (count[level] < 1) row.refuse(fmt::format("{} elements in a row: at least 1 is needed", count[level]));
            total *= count[level];
            if (total > most_generated) row.refuse(fmt::format("{} elements on one line are too many", total));
        }
        for (std::int64_t layer = 0; layer < count[2]; ++layer)
            for (std::int64_t line = 0; line < count[1]; ++line)
                for (std::int64_t i = 0; i < count[0]; ++i) {
                    const auto shift = [&](const std::int64_t(&step)[3]) {
                        return i * step[0] + line * step[1] + layer * step[2];
                    };
                    nodes.clear();
                    for (std::int32_t n = 0; n < original.size; ++n) {
                        const Index from = builder.deck.connectivity[static_cast<std::size_t>(original.first + n)];
                        const Node& node = builder.deck.nodes[static_cast<std::size_t>(from)];
                        const auto label = checked_label(builder, row.at(), node.label + shift(node_step));
                        nodes.push_back(find_node(builder.deck, label, node.instance));
                        if (nodes.back() == none) row.refuse(fmt::format("node {} is not defined", label));
                    }
                    const auto label = checked_label(builder, row.at(), original.label + shift(element_step));
                    made.push_back(add_element(builder, scope, label, original.type, nodes, row.at()));
                }
    }
    if (const auto* set = block.find("ELSET")) builder.grow_element_set(scope, *set, made, false, block.at);
}

}  // namespace faying::fe::text
