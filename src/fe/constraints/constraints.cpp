#include "faying/fe/constraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "constraints.hpp"
#include "faying/core/error.hpp"
#include "faying/fe/deck_geometry.hpp"
#include "faying/fe/deck_writer.hpp"
#include "faying/fe/face.hpp"

namespace faying::fe {

namespace constraint {

LinearEquation Row::finish(std::size_t count) {
    auto& terms = equation_.terms;
    const auto end = terms.begin() + static_cast<std::ptrdiff_t>(std::min(count, terms.size()));
    const auto size = [](const Term& t) { return std::abs(t.coefficient); };
    const auto best = std::max_element(terms.begin(), end, [&](const Term& a, const Term& b) {
        return size(a) < size(b) * (1 - 1e-12);  // the first of equals
    });
    if (best != terms.end()) std::swap(terms.front(), *best);
    return std::move(equation_);
}

}  // namespace constraint

namespace {

using constraint::cross;
using constraint::point;
using constraint::Row;
using Eigen::Matrix3d;
using Eigen::Vector3d;

const Matrix3d one = Matrix3d::Identity();

/// Where the rotations of a body are: those of its reference node, or the translations of a node of their own.
struct Rotations {
    Index node = none;
    int first = 4;
};

class Maker {
 public:
    Maker(const Deck& deck, const ConstraintOptions& options) : deck_(deck), options_(options) {
        find_rotations();
        for (std::size_t t = 0; t < deck.transforms.size(); ++t)
            for (Index node : deck.node_sets[deck.transforms[t].nodes].nodes) transform_[node] = &deck.transforms[t];
    }

    ConstraintEquations make() {
        for (const Mpc& mpc : deck_.mpcs) add(mpc);
        for (const RigidBody& body : deck_.rigid_bodies) add(body);
        for (const Coupling& coupling : deck_.couplings)
            if (coupling.kind == Coupling::Kind::kinematic)
                add_kinematic(coupling);
            else
                constraint::add_distributing(deck_, coupling, options_, made_);
        for (Index t = 0; t < static_cast<Index>(deck_.ties.size()); ++t)
            constraint::add_tie(deck_, t, options_, made_);
        for (const LinearEquation& equation : deck_.equations) made_.equations.push_back(turned(equation));
        if (options_.supports) add_supports();
        return std::move(made_);
    }

 private:
    /// Nodes whose rotations mean something: of shells and beams, of references, and where the deck's equations say so.
    void find_rotations() {
        has_rotations_.assign(deck_.nodes.size(), false);
        const auto mark = [&](Index node) {
            if (node != none) has_rotations_[static_cast<std::size_t>(node)] = true;
        };
        for (const Element& element : deck_.elements)
            if (const auto* type = known_type(deck_, element))
                if (type->family == Family::shell || type->family == Family::beam)
                    for (Index node : nodes_of(deck_, element)) mark(node);
        for (const auto& c : deck_.couplings) mark(c.reference);
        for (const auto& b : deck_.rigid_bodies)
            if (b.rotation_node == none) mark(b.reference);
        for (const auto& m : deck_.mpcs)
            if (m.kind == Mpc::Kind::beam) mark(m.master);
        for (const auto& e : deck_.equations)
            for (const auto& t : e.terms)
                if (t.dof > 3) mark(t.node);
    }

    bool has_rotations(Index node) const { return has_rotations_[static_cast<std::size_t>(node)]; }

    void reject(Severity severity, Place at, std::string text) {
        made_.notes.push_back({severity, at, std::move(text)});
    }

    /// direction . (u_node - u_ref - theta x r) = 0
    void follow(Index node, Index reference, Rotations rotations, const Vector3d& direction, Place at) {
        const Vector3d r = point(deck_, node) - point(deck_, reference);
        made_.equations.push_back(Row(at, direction)
                                      .add(node, one)
                                      .add(reference, -one)
                                      .add(rotations.node, cross(r), rotations.first)
                                      .finish(leading(direction)));
    }

    void turn_with(Index node, Rotations rotations, const Vector3d& direction, Place at) {
        made_.equations.push_back(
            Row(at, direction).add(node, one, 4).add(rotations.node, -one, rotations.first).finish(leading(direction)));
    }

    static std::size_t leading(const Vector3d& direction) {
        return static_cast<std::size_t>((direction.cwiseAbs().array() > 1e-15).count());
    }

    void follow_rigidly(Index node, Index reference, Rotations rotations, bool with_rotations, Place at) {
        if (node == reference || node == rotations.node) return;
        for (int d = 0; d < 3; ++d) follow(node, reference, rotations, Vector3d::Unit(d), at);
        if (with_rotations && has_rotations(node))
            for (int d = 0; d < 3; ++d) turn_with(node, rotations, Vector3d::Unit(d), at);
    }

    void add(const Mpc& mpc) {
        const auto equal = [&](int first) {
            for (int d = first; d < first + 3; ++d)
                made_.equations.push_back({{{mpc.slave, d, 1.0}, {mpc.master, d, -1.0}}, mpc.at});
        };
        const Vector3d apart = point(deck_, mpc.slave) - point(deck_, mpc.master);
        switch (mpc.kind) {
            case Mpc::Kind::beam: follow_rigidly(mpc.slave, mpc.master, {mpc.master, 4}, true, mpc.at); return;
            case Mpc::Kind::link:
                if (!(apart.norm() > 0))
                    throw core::BadInput(deck_.where(mpc.at), "MPC LINK between nodes at one place");
                made_.equations.push_back(Row(mpc.at, apart.normalized())
                                              .add(mpc.slave, one)
                                              .add(mpc.master, -one)
                                              .finish(leading(apart.normalized())));
                return;
            case Mpc::Kind::tie:
            case Mpc::Kind::pin:
                equal(1);
                if (mpc.kind == Mpc::Kind::tie && has_rotations(mpc.slave) && has_rotations(mpc.master)) equal(4);
                if (apart.norm() > 1e-6 * size_)
                    reject(Severity::note, mpc.at,
                           fmt::format("MPC {} joins nodes {} and {}, which are {:.3g} apart: rigid rotation is not "
                                       "free there",
                                       mpc.kind == Mpc::Kind::tie ? "TIE" : "PIN", node_name(deck_, mpc.slave),
                                       node_name(deck_, mpc.master), apart.norm()));
        }
    }

    void add(const RigidBody& body) {
        const Rotations rotations =
            body.rotation_node == none ? Rotations{body.reference, 4} : Rotations{body.rotation_node, 1};
        if (!body.analytical_surface.empty())
            reject(Severity::physics, body.at,
                   fmt::format("analytical surface '{}' of a rigid body is left out", body.analytical_surface));
        if (body.at_center_of_mass)
            reject(Severity::note, body.at,
                   "POSITION=CENTER OF MASS: the reference node stays where it is; the body moves the same");
        std::vector<Index> tied, pinned;
        if (body.elements != none)
            for (Index e : deck_.element_sets[body.elements].elements)
                for (Index node : nodes_of(deck_, deck_.elements[static_cast<std::size_t>(e)])) tied.push_back(node);
        if (body.nodes != none) append(tied, deck_.node_sets[body.nodes].nodes);
        if (body.pinned != none) append(pinned, deck_.node_sets[body.pinned].nodes);
        unique(tied);
        unique(pinned);
        for (Index node : tied)
            if (!std::binary_search(pinned.begin(), pinned.end(), node))
                follow_rigidly(node, body.reference, rotations, true, body.at);
        for (Index node : pinned) follow_rigidly(node, body.reference, rotations, false, body.at);
    }

    void add_kinematic(const Coupling& coupling) {
        const Orientation* orientation = nullptr;
        if (!coupling.orientation.empty()) {
            const Index o = deck_.orientations.find(coupling.orientation);
            if (o == none)
                throw core::BadInput(deck_.where(coupling.at),
                                     fmt::format("orientation '{}' is not defined", coupling.orientation));
            orientation = &deck_.orientations[o];
        }
        std::size_t followers = 0;
        for (Index node : nodes_of(deck_, deck_.surfaces[coupling.surface])) {
            const Vector3d r = point(deck_, node) - point(deck_, coupling.reference);
            if (node == coupling.reference || (coupling.influence_radius && r.norm() > *coupling.influence_radius))
                continue;
            ++followers;
            // The named DOF are along the orientation's axes.
            const Matrix3d axes = orientation ? constraint::axes(deck_, *orientation, point(deck_, node)) : one;
            for (int d = 0; d < 3; ++d)
                if (coupling.dofs.has(d + 1))
                    follow(node, coupling.reference, {coupling.reference, 4}, axes.row(d), coupling.at);
            for (int d = 0; d < 3 && has_rotations(node); ++d)
                if (coupling.dofs.has(d + 4)) turn_with(node, {coupling.reference, 4}, axes.row(d), coupling.at);
        }
        if (followers == 0) throw core::BadInput(deck_.where(coupling.at), "this coupling has no nodes in reach");
    }

    /// Terms along *TRANSFORM axes as terms along global ones.
    LinearEquation turned(const LinearEquation& equation) const {
        if (transform_.empty()) return equation;
        LinearEquation global;
        global.at = equation.at;
        for (std::size_t k = 0; k < equation.terms.size(); ++k) {
            const Term& term = equation.terms[k];
            const auto found = transform_.find(term.node);
            if (found == transform_.end()) {
                global.terms.push_back(term);
                continue;
            }
            const Matrix3d axes = constraint::axes(deck_, *found->second, point(deck_, term.node));
            const int first = term.dof > 3 ? 4 : 1;
            const Vector3d direction = axes.row(term.dof - first);
            const LinearEquation part =
                Row(equation.at, term.coefficient * direction).add(term.node, one, first).finish();
            global.terms.insert(global.terms.end(), part.terms.begin(), part.terms.end());
        }
        return global;
    }

    void add_supports() {
        for (const Boundary& boundary : boundaries_in_step(deck_, options_.step)) {
            if (boundary.value != 0.0)
                throw core::BadInput(
                    deck_.where(boundary.at),
                    fmt::format("prescribed displacement {}: a linear modal model holds zero only", boundary.value));
            for (Index node : nodes_of(deck_, boundary.target))
                for (int dof = 1; dof <= 6; ++dof)
                    if (boundary.dofs.has(dof)) made_.supports.push_back(turned({{{node, dof, 1.0}}, boundary.at}));
        }
    }

    static void append(std::vector<Index>& to, const std::vector<Index>& from) {
        to.insert(to.end(), from.begin(), from.end());
    }
    static void unique(std::vector<Index>& nodes) {
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    }

    const Deck& deck_;
    const ConstraintOptions& options_;
    double size_ = (bounding_box(deck_).high - bounding_box(deck_).low).norm();
    std::vector<bool> has_rotations_;
    std::unordered_map<Index, const Transform*> transform_;
    ConstraintEquations made_;
};

}  // namespace

ConstraintEquations constraint_equations(const Deck& deck, const ConstraintOptions& options) {
    ConstraintEquations made = Maker(deck, options).make();
    if (is_planar(deck))
        for (auto* list : {&made.equations, &made.supports}) {
            for (auto& equation : *list)
                std::erase_if(equation.terms, [](const Term& t) { return t.dof >= 3 && t.dof <= 5; });
            std::erase_if(*list, [](const LinearEquation& e) { return e.terms.empty(); });
        }
    return made;
}

std::vector<LinearEquation> all_of(const ConstraintEquations& constraints) {
    std::vector<LinearEquation> all = constraints.supports;
    all.insert(all.end(), constraints.equations.begin(), constraints.equations.end());
    return all;
}

bool is_planar(const Deck& deck) {
    bool plane = false;
    for (const auto& element : deck.elements)
        if (const auto* type = known_type(deck, element); type && type->assembled_as) {
            if (type->family == Family::solid) return false;
            plane = true;
        }
    return plane;
}

double rigid_residual(const Deck& deck, const LinearEquation& equation) {
    if (equation.terms.empty()) return 0;
    const Vector3d middle = point(deck, equation.terms[0].node);
    double reach = 0, worst = 0;
    for (const auto& term : equation.terms) reach = std::max(reach, (point(deck, term.node) - middle).norm());
    if (reach == 0.0) reach = 1;
    for (int motion = 0; motion < 6; ++motion) {
        double sum = 0, size = 0;
        for (const auto& term : equation.terms) {
            double r = term.dof == motion + 1 ? (motion < 3 ? 1 : 1 / reach) : 0;
            if (motion >= 3 && term.dof <= 3)
                r = Vector3d::Unit(motion - 3).cross(point(deck, term.node) - middle)[term.dof - 1] / reach;
            sum += term.coefficient * r;
            size += std::abs(term.coefficient);
        }
        worst = std::max(worst, std::abs(sum) / size);
    }
    return worst;
}

}  // namespace faying::fe
