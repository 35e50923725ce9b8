// *NODE, *ELEMENT, *SYSTEM, *TRANSFORM.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "builder.hpp"

namespace faying::fe::text {

namespace {

constexpr double degrees = std::numbers::pi / 180.0;

LabelMap& labels(std::vector<LabelMap>& maps, Index instance) {
    const auto k = static_cast<std::size_t>(instance + 1);
    if (k >= maps.size()) maps.resize(k + 1);
    return maps[k];
}

/// Axes of a system whose x axis runs along `x` and whose xy plane holds `in_plane`.
Eigen::Matrix3d axes_from(const Eigen::Vector3d& x, const Eigen::Vector3d& in_plane) {
    const Eigen::Vector3d e1 = x.normalized();
    const Eigen::Vector3d e3 = e1.cross(in_plane).normalized();
    Eigen::Matrix3d axes;
    axes << e1, e3.cross(e1), e3;
    return axes;
}

/// Coordinates as the data line gives them, to rectangular ones in the system's axes.
Eigen::Vector3d rectangular(char system, const Eigen::Vector3d& c) {
    const double turn = c[1] * degrees;
    if (system == 'C') return {c[0] * std::cos(turn), c[0] * std::sin(turn), c[2]};
    if (system == 'S') {
        const double rise = c[2] * degrees;  // from the xy plane
        return {c[0] * std::cos(turn) * std::cos(rise), c[0] * std::sin(turn) * std::cos(rise), c[0] * std::sin(rise)};
    }
    return c;
}

char letter(const Builder& builder, const Block& block, std::string_view parameter) {
    const auto* value = block.find(parameter);
    if (!value) return 'R';
    const std::string name = squeezed(*value);
    if (name == "R" || name == "C" || name == "S") return name[0];
    builder.refuse(block.at, fmt::format("{}={} is not known; allowed are R, C, S", parameter, *value));
}

}  // namespace

Index add_node(Builder& builder, const Scope& scope, Index label, const Eigen::Vector3d& global, Place at) {
    if (label <= 0) builder.refuse(at, fmt::format("node number {} is not positive", label));
    // Squares and cubes of lengths, times moduli, must stay numbers.
    if (!(global.cwiseAbs().maxCoeff() <= 1e30))
        builder.refuse(at, fmt::format("node {} has a coordinate of {:g}; up to 1e30 is allowed", label,
                                       global.cwiseAbs().maxCoeff()));
    Deck& deck = builder.deck;
    auto& map = labels(deck.node_labels, scope.instance);
    if (const Index taken = map.find(label); taken != none) {
        const Node& other = deck.nodes[static_cast<std::size_t>(taken)];
        if (other.point != global)
            builder.refuse(at, fmt::format("node {} is already defined at {} with other coordinates", label,
                                           builder.sources.where(other.at)));
        return taken;
    }
    const auto index = static_cast<Index>(deck.nodes.size());
    deck.nodes.push_back({label, scope.instance, global, at});
    map.add(label, index);
    return index;
}

void read_node(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.allow(block, {"NSET", "SYSTEM"});
    const char kind = letter(builder, block, "SYSTEM");
    Eigen::Matrix3d axes = builder.system.axes;
    Eigen::Vector3d origin = builder.system.origin;
    if (scope.instance != none) {
        const Instance& instance = builder.deck.instances[scope.instance];
        axes = instance.rotation * axes;
        origin = instance.rotation * origin + instance.translation;
    }
    const bool as_given = axes.isIdentity(0.0) && origin.isZero(0.0);  // keep the very bits
    const auto* set = block.find("NSET");
    std::vector<Index> added;
    Lines lines(block.data);
    Row row(builder.sources);
    std::size_t fields_before = 0;
    while (row.read(lines)) {
        const Index label = row.whole(0, "node number");
        if (row.size() > 7) row.refuse(fmt::format("node {} has {} fields; at most 7 are allowed", label, row.size()));
        if (row.line().unterminated && row.size() < fields_before)
            row.refuse(fmt::format("the file is cut short in node {}: {} fields, {} on the line before", label,
                                   row.size(), fields_before));
        fields_before = row.size();
        if (row.size() > 4)
            builder.reject(Severity::note, block.at, "normals on *NODE lines are not read (shells and beams only)");
        const Eigen::Vector3d given(row.real_or(1, 0.0, "x coordinate"), row.real_or(2, 0.0, "y coordinate"),
                                    row.real_or(3, 0.0, "z coordinate"));
        const Eigen::Vector3d local = rectangular(kind, given);
        const Index node =
            add_node(builder, scope, label, as_given ? local : Eigen::Vector3d(axes * local + origin), row.at());
        if (set) added.push_back(node);
    }
    if (fields_before == 0) builder.reject(Severity::note, block.at, "*NODE without a data line");
    if (set) builder.grow_node_set(scope, *set, added, false, block.at);
}

void read_system(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.allow(block, {});
    Lines lines(block.data);
    Row row(builder.sources);
    std::vector<double> values;
    while (row.read(lines))
        for (double x : row.reals("coordinate")) values.push_back(x);
    builder.system = {};
    if (values.empty()) return;
    if (values.size() != 3 && values.size() != 6 && values.size() != 9)
        builder.refuse(block.at, fmt::format("*SYSTEM has {} values; allowed are 9, 6, 3 or none", values.size()));
    const Eigen::Vector3d a(values[0], values[1], values[2]);
    builder.system.origin = a;
    if (values.size() == 3) return;
    const Eigen::Vector3d x = Eigen::Vector3d(values[3], values[4], values[5]) - a;
    // Without a third point the local z axis stays global z, and the x axis is taken in the global xy plane.
    const Eigen::Vector3d in_plane =
        values.size() == 9 ? Eigen::Vector3d(values[6], values[7], values[8]) - a : Eigen::Vector3d(-x[1], x[0], 0.0);
    const Eigen::Vector3d first = values.size() == 9 ? x : Eigen::Vector3d(x[0], x[1], 0.0);
    if (!(first.cross(in_plane).norm() > 1e-12 * first.norm() * in_plane.norm()) || !(first.norm() > 0))
        builder.refuse(block.at, "*SYSTEM: the points are on one line, or coincide; they must span a plane");
    builder.system.axes = axes_from(first, in_plane);
}

Index add_element(Builder& builder, const Scope& scope, Index label, Index type, const std::vector<Index>& nodes,
                  Place at) {
    if (label <= 0) builder.refuse(at, fmt::format("element number {} is not positive", label));
    Deck& deck = builder.deck;
    auto& map = labels(deck.element_labels, scope.instance);
    if (const Index taken = map.find(label); taken != none) {
        const Element& other = deck.elements[static_cast<std::size_t>(taken)];
        const auto theirs = nodes_of(deck, other);
        if (other.type != type || !std::equal(theirs.begin(), theirs.end(), nodes.begin(), nodes.end()))
            builder.refuse(at, fmt::format("element {} is already defined at {} with other data", label,
                                           builder.sources.where(other.at)));
        return taken;
    }
    Element element;
    element.label = label;
    element.instance = scope.instance;
    element.type = type;
    element.first = static_cast<Index>(deck.connectivity.size());
    element.size = static_cast<Index>(nodes.size());
    element.at = at;
    const auto index = static_cast<Index>(deck.elements.size());
    deck.connectivity.insert(deck.connectivity.end(), nodes.begin(), nodes.end());
    deck.elements.push_back(element);
    map.add(label, index);
    return index;
}

void read_element(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.allow(block, {"TYPE", "ELSET"});
    Deck& deck = builder.deck;
    const std::string& name = builder.need(block, "TYPE");
    const auto same = std::find_if(deck.types.begin(), deck.types.end(),
                                   [&](const DeckElementType& t) { return folded(t.name) == folded(name); });
    const auto type = static_cast<Index>(same - deck.types.begin());
    if (same == deck.types.end()) deck.types.push_back({name, find_element_type(name)});
    const ElementType* known = deck.types[static_cast<std::size_t>(type)].known;
    const auto least = known ? static_cast<std::size_t>(known->node_count) : 0;
    const auto most = known && least > 0 ? least + static_cast<std::size_t>(known->optional_nodes) : 1000;
    const auto* set = block.find("ELSET");
    std::vector<Index> added, nodes;
    Lines lines(block.data);
    Row row(builder.sources);
    bool any = false;
    while (row.read(lines)) {
        any = true;
        const Place at = row.at();
        const Index label = row.whole(0, "element number");
        nodes.clear();
        std::size_t first = 1;
        while (true) {
            for (std::size_t f = first; f < row.size(); ++f) {
                const auto number = integer(row.text(f));
                Index node = number ? find_node(deck, *number, scope.instance) : none;
                if (node == none) node = builder.node(scope, row.text(f), row.at());
                nodes.push_back(node);
            }
            // A line ends an element when it is full; long ones go on without a comma, as solvers allow.
            const bool goes_on = row.ends_with_comma() || (least > 15 && nodes.size() < least);
            if (nodes.size() > most || (least > 0 && nodes.size() >= least && !row.ends_with_comma())) break;
            if (least > 0 && nodes.size() == most) break;  // a stray trailing comma
            if (!goes_on || !row.read(lines)) break;
            first = 0;
        }
        if (nodes.size() < least || nodes.size() > most || nodes.empty())
            builder.refuse(
                at, fmt::format("element {} of type {} has {} nodes; {} are needed", label, name, nodes.size(), least));
        const Index element = add_element(builder, scope, label, type, nodes, at);
        if (set) added.push_back(element);
    }
    if (!any) builder.reject(Severity::note, block.at, "*ELEMENT without a data line");
    if (set) builder.grow_element_set(scope, *set, added, false, block.at);
}

void read_transform(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.allow(block, {"NSET", "TYPE"});
    Transform transform;
    transform.nodes = builder.node_set(scope, builder.need(block, "NSET"), block.at);
    transform.type = letter(builder, block, "TYPE");
    transform.at = block.at;
    Lines lines(block.data);
    Row row(builder.sources);
    if (!row.read(lines, true)) builder.refuse(block.at, "*TRANSFORM needs six coordinates");
    for (int d = 0; d < 3; ++d) {
        transform.a[d] = row.real(static_cast<std::size_t>(d), "coordinate");
        transform.b[d] = row.real(static_cast<std::size_t>(d + 3), "coordinate");
    }
    if (scope.instance != none) {
        const Instance& instance = builder.deck.instances[scope.instance];
        transform.a = instance.rotation * transform.a;
        transform.b = instance.rotation * transform.b;
        if (transform.type != 'R') {
            transform.a += instance.translation;
            transform.b += instance.translation;
        }
    }
    builder.reject(Severity::physics, block.at,
                   fmt::format("*TRANSFORM of node set '{}' is noted; whoever applies its boundary conditions must "
                               "take them along these axes",
                               builder.deck.node_sets[transform.nodes].name));
    builder.deck.transforms.push_back(transform);
}

}  // namespace faying::fe::text
