// *TIE, *COUPLING, *RIGID BODY, *EQUATION, *MPC. They are read here, and eliminated elsewhere.

#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"

namespace faying::fe::text {

namespace {

double parameter_number(const Builder& builder, const Block& block, std::string_view parameter) {
    const auto x = number(builder.need(block, parameter));
    if (!x || *x < 0)
        builder.refuse(block.at,
                       fmt::format("{}={} is not a number of zero or more", parameter, *block.find(parameter)));
    return *x;
}

void check_usable(const Builder& builder, Index surface, Place at) {
    const Surface& s = builder.deck.surfaces[surface];
    if (s.kind == Surface::Kind::other)
        builder.refuse(at, fmt::format("surface '{}' is not made of element faces or nodes", s.name));
}

}  // namespace

Dofs read_dofs(const Row& row, std::size_t first_field) {
    const Index first = row.whole(first_field, "first degree of freedom");
    const Index last = row.has(first_field + 1) ? row.whole(first_field + 1, "last degree of freedom") : first;
    if (first < 1 || last > 6 || last < first)
        row.refuse(
            fmt::format("degrees of freedom {} to {}; allowed are 1 to 6, the first not above the last", first, last));
    Dofs dofs;
    dofs.add(first, last);
    return dofs;
}

void read_tie(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.allow(block, {"NAME", "ADJUST", "POSITIONTOLERANCE", "TYPE", "NOROTATION", "NOTHICKNESS"});
    Tie tie;
    if (const auto* name = block.find("NAME")) tie.name = *name;
    if (const auto* adjust = block.find("ADJUST")) {
        const std::string value = squeezed(*adjust);
        if (value != "YES" && value != "NO" && !value.empty())
            builder.refuse(block.at, fmt::format("ADJUST={} is not known; allowed are YES and NO", *adjust));
        tie.adjust = value != "NO";
    }
    if (block.has("POSITIONTOLERANCE")) tie.position_tolerance = parameter_number(builder, block, "POSITIONTOLERANCE");
    if (const auto* type = block.find("TYPE")) {
        const std::string value = squeezed(*type);
        if (value != "SURFACETOSURFACE" && value != "NODETOSURFACE")
            builder.refuse(block.at, fmt::format("tie type '{}' is not known; allowed are SURFACE TO SURFACE and NODE "
                                                 "TO SURFACE",
                                                 *type));
        tie.node_to_surface = value == "NODETOSURFACE";
    }
    tie.no_rotation = block.has("NOROTATION");
    Lines lines(block.data);
    Row row(builder.sources);
    bool any = false;
    while (row.read(lines)) {
        if (row.size() < 2) row.refuse("*TIE takes a slave surface and a master surface");
        tie.at = row.at();
        tie.slave = builder.surface(scope, row.text(0), row.at());
        tie.master = builder.surface(scope, row.text(1), row.at());
        check_usable(builder, tie.slave, row.at());
        check_usable(builder, tie.master, row.at());
        if (builder.deck.surfaces[tie.master].kind == Surface::Kind::node)
            row.refuse(fmt::format("master surface '{}' is made of nodes; a tie needs element faces there",
                                   builder.deck.surfaces[tie.master].name));
        builder.deck.ties.push_back(tie);
        any = true;
    }
    if (!any) builder.refuse(block.at, "*TIE without a data line; it takes a slave surface and a master surface");
}

void read_coupling(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.allow(block, {"CONSTRAINTNAME", "REFNODE", "SURFACE", "INFLUENCERADIUS", "ORIENTATION", "ALPHA"});
    Coupling coupling;
    coupling.at = block.at;
    if (const auto* name = block.find("CONSTRAINTNAME")) coupling.name = *name;
    coupling.reference = builder.single_node(scope, builder.need(block, "REFNODE"), block.at);
    coupling.surface = builder.surface(scope, builder.need(block, "SURFACE"), block.at);
    check_usable(builder, coupling.surface, block.at);
    if (block.has("INFLUENCERADIUS")) coupling.influence_radius = parameter_number(builder, block, "INFLUENCERADIUS");
    if (const auto* name = block.find("ORIENTATION")) coupling.orientation = *name;
    const Block* kind = follower(scope, k, {"KINEMATIC", "DISTRIBUTING"});
    if (!kind) builder.refuse(block.at, "*COUPLING must be followed by *KINEMATIC or *DISTRIBUTING");
    if (kind->name == "DISTRIBUTING") {
        builder.allow(*kind, {"COUPLING", "WEIGHTINGMETHOD"});
        coupling.kind = Coupling::Kind::distributing;
        if (const auto* c = kind->find("COUPLING")) coupling.structural = squeezed(*c) == "STRUCTURAL";
        if (const auto* w = kind->find("WEIGHTINGMETHOD")) {
            const std::string method = squeezed(*w);
            using enum Coupling::Weighting;
            if (method != "UNIFORM" && method != "LINEAR" && method != "QUADRATIC" && method != "CUBIC")
                builder.refuse(kind->at, fmt::format("WEIGHTING METHOD={} is not known; allowed are UNIFORM, LINEAR, "
                                                     "QUADRATIC, CUBIC",
                                                     *w));
            coupling.weighting = method == "LINEAR"      ? linear
                                 : method == "QUADRATIC" ? quadratic
                                 : method == "CUBIC"     ? cubic
                                                         : uniform;
        }
    } else {
        builder.allow(*kind, {});
    }
    Lines lines(kind->data);
    Row row(builder.sources);
    while (row.read(lines)) coupling.dofs.bits |= read_dofs(row, 0).bits;
    if (coupling.dofs.bits == 0) coupling.dofs.add(1, 6);
    builder.deck.couplings.push_back(std::move(coupling));
}

void read_rigid_body(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.allow(block, {"REFNODE", "ROTNODE", "ELSET", "NSET", "PINNSET", "TIENSET", "ANALYTICALSURFACE", "POSITION",
                          "ISOTHERMAL"});
    RigidBody body;
    body.at = block.at;
    body.reference = builder.single_node(scope, builder.need(block, "REFNODE"), block.at);
    if (const auto* node = block.find("ROTNODE")) body.rotation_node = builder.single_node(scope, *node, block.at);
    if (const auto* set = block.find("ELSET")) body.elements = builder.element_set(scope, *set, block.at);
    if (block.has("NSET") && block.has("TIENSET"))
        builder.refuse(block.at, "*RIGID BODY has both NSET and TIE NSET; one of them is allowed");
    for (const char* name : {"NSET", "TIENSET"})
        if (const auto* set = block.find(name)) body.nodes = builder.node_set(scope, *set, block.at);
    if (const auto* set = block.find("PINNSET")) body.pinned = builder.node_set(scope, *set, block.at);
    if (const auto* name = block.find("ANALYTICALSURFACE")) body.analytical_surface = *name;
    if (const auto* position = block.find("POSITION")) body.at_center_of_mass = squeezed(*position) == "CENTEROFMASS";
    if (body.elements == none && body.nodes == none && body.pinned == none && body.analytical_surface.empty())
        builder.refuse(block.at, "*RIGID BODY without a body: one of ELSET, NSET, PIN NSET, TIE NSET is needed");
    builder.deck.rigid_bodies.push_back(std::move(body));
}

void read_equation(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.allow(block, {});
    Lines lines(block.data);
    Row row(builder.sources);
    struct Written {
        NodeTarget target;
        int dof;
        double coefficient;
    };
    while (row.read(lines)) {
        const Place at = row.at();
        const Index count = row.whole(0, "number of terms");
        if (count < 1 || row.size() > 1) row.refuse("an equation starts with a line that holds its number of terms");
        std::vector<Written> terms;
        while (static_cast<Index>(terms.size()) < count) {
            if (!row.read(lines))
                builder.refuse(at, fmt::format("equation ends after {} of its {} terms", terms.size(), count));
            if (row.size() % 3 != 0 || row.size() / 3 + terms.size() > static_cast<std::size_t>(count))
                row.refuse(
                    fmt::format("equation terms are node, degree of freedom, coefficient; {} fields for at most "
                                "{} terms",
                                row.size(), static_cast<std::size_t>(count) - terms.size()));
            for (std::size_t f = 0; f < row.size(); f += 3) {
                const Index dof = row.whole(f + 1, "degree of freedom");
                if (dof < 1 || dof > 6) row.refuse(fmt::format("degree of freedom {}; allowed are 1 to 6", dof));
                terms.push_back(
                    {builder.node_or_set(scope, row.text(f), row.at()), dof, row.real(f + 2, "coefficient")});
            }
        }
        // Sets pair up, first node with first node; a single node goes with all.
        std::size_t size = 1;
        for (const auto& term : terms)
            if (term.target.set != none) size = nodes_of(builder.deck, term.target).size();
        for (const auto& term : terms) {
            const auto here = nodes_of(builder.deck, term.target).size();
            if (term.target.set != none && here != size)
                builder.refuse(at, fmt::format("node set '{}' has {} nodes and another set of this equation {}; they "
                                               "pair up one to one",
                                               builder.deck.node_sets[term.target.set].name, here, size));
        }
        if (size == 0) builder.refuse(at, "a node set of this equation is empty");
        if (terms[0].coefficient == 0.0) builder.refuse(at, "the first coefficient of an equation must not be zero");
        if (terms[0].target.set == none && size > 1)
            builder.refuse(at,
                           "the first term of an equation names one node and another term a set of several; the "
                           "first must be a set too");
        for (std::size_t i = 0; i < size; ++i) {
            LinearEquation equation;
            equation.at = at;
            for (const auto& term : terms) {
                const auto nodes = nodes_of(builder.deck, term.target);
                equation.terms.push_back({nodes[term.target.set == none ? 0 : i], term.dof, term.coefficient});
            }
            builder.deck.equations.push_back(std::move(equation));
        }
    }
}

void read_mpc(Builder& builder, Scope& scope, std::size_t k) {
    const Block& block = *scope.blocks[k];
    builder.allow(block, {});
    Lines lines(block.data);
    Row row(builder.sources);
    while (row.read(lines)) {
        const std::string type = squeezed(row.text(0));
        Mpc mpc;
        mpc.at = row.at();
        using enum Mpc::Kind;
        if (type != "BEAM" && type != "TIE" && type != "PIN" && type != "LINK")
            row.refuse(fmt::format("MPC type '{}' is not known; allowed are BEAM, TIE, PIN, LINK", row.text(0)));
        mpc.kind = type == "BEAM" ? beam : type == "PIN" ? pin : type == "LINK" ? link : tie;
        if (row.size() != 3) row.refuse(fmt::format("MPC {} takes two nodes or node sets", type));
        const NodeTarget first = builder.node_or_set(scope, row.text(1), row.at());
        const NodeTarget second = builder.node_or_set(scope, row.text(2), row.at());
        const auto slaves = nodes_of(builder.deck, first);
        const auto masters = nodes_of(builder.deck, second);
        if (masters.size() != 1 && masters.size() != slaves.size())
            row.refuse(
                fmt::format("MPC pairs {} nodes with {}; one to one, or all to one", slaves.size(), masters.size()));
        for (std::size_t i = 0; i < slaves.size(); ++i) {
            mpc.slave = slaves[i];
            mpc.master = masters[masters.size() == 1 ? 0 : i];
            if (mpc.slave == mpc.master) row.refuse("an MPC ties a node to itself");
            builder.deck.mpcs.push_back(mpc);
        }
    }
}

}  // namespace faying::fe::text
