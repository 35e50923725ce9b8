#include "reduction_loads.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "faying/core/error.hpp"
#include "faying/fe/deck_geometry.hpp"

namespace faying::fe {

namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const NodeSet& set_named(const Deck& deck, const std::string& name, const std::string& where) {
    const Index found = deck.node_sets.find(name);
    if (found == none) throw core::BadInput(where, fmt::format("there is no node set '{}' in the deck", name));
    if (deck.node_sets[found].nodes.empty()) throw core::BadInput(where, fmt::format("node set '{}' is empty", name));
    return deck.node_sets[found];
}

const Step& step_named(const Deck& deck, const std::string& name, const std::string& where) {
    for (const Step& step : deck.steps)
        if (step.name == name) return step;
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size() && number >= 1 && number <= deck.steps.size())
        return deck.steps[number - 1];
    throw core::BadInput(where, fmt::format("there is no step '{}'; the deck has {} steps", name, deck.steps.size()));
}

/// A vector over all DOF that holds one node's share of something.
class Collector {
 public:
    Collector(const Deck& deck, const LinearModel& model)
        : deck_(deck), model_(model), all_(VectorXd::Zero(model.all.size())) {}
    void add(Index node, int dof, double value, const std::string& where) {
        const Index i = model_.all.find(node, dof);
        if (i == none)
            throw core::BadInput(where,
                                 fmt::format("node {} has no degree of freedom {}", node_name(deck_, node), dof));
        all_(i) += value;
    }
    VectorXd free() const { return model_.elimination.transformation.transpose() * all_; }

 private:
    const Deck& deck_;
    const LinearModel& model_;
    VectorXd all_;
};

/// The closest node that moves; refused farther away than a twentieth of the structure, where it cannot be meant.
Index closest_node(const Deck& deck, const LinearModel& model, const Vector3d& to, const std::string& where) {
    Index best = none;
    Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
    double distance = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < deck.nodes.size(); ++n) {
        if (model.all.find(static_cast<Index>(n), 1) == none) continue;
        low = low.cwiseMin(deck.nodes[n].point);
        high = high.cwiseMax(deck.nodes[n].point);
        if (const double d = (deck.nodes[n].point - to).norm(); d < distance) {
            distance = d;
            best = static_cast<Index>(n);
        }
    }
    const double allowed = 0.05 * (high - low).norm();
    if (best == none || !(distance <= allowed))
        throw core::BadInput(
            where,
            fmt::format("point ({:g}, {:g}, {:g}) is {:.4g} from the closest node{}; up to {:.4g} "
                        "(a twentieth of the structure) is allowed",
                        to[0], to[1], to[2], distance, best == none ? "" : ", " + node_name(deck, best), allowed));
    return best;
}

void add_traction(const Deck& deck, const LoadTraction& load, Collector& to, const std::string& where) {
    const Surface& surface = face_surface(deck, load.surface);
    for (const SurfaceFace& face : surface.faces) {
        const MeshFace mesh = mesh_face(deck, face);
        const double thickness = face_thickness(deck, face);
        for (const FacePoint& p : face_points(mesh.shape, mesh.points, face_rule(mesh.shape))) {
            const Vector3d t = thickness * p.weight * (load.traction - load.pressure * p.normal);
            for (std::size_t a = 0; a < mesh.nodes.size(); ++a)
                for (int d = 0; d < 3; ++d)
                    if (t[d] != 0.0) to.add(mesh.nodes[a], d + 1, p.shape(static_cast<Eigen::Index>(a)) * t[d], where);
        }
    }
}

VectorXd in_reduced(const Reduction& r, const VectorXd& free) {
    return sparse::inner(r.craig_bampton.basis, r.craig_bampton.rows.part(free));
}

}  // namespace

VectorXd free_load(const Deck& deck, const LinearModel& model, const LoadCase& load) {
    const std::string where = fmt::format("load '{}'", load.name);
    Collector f(deck, model);
    for (const LoadForce& force : load.forces) {
        const NodeSet& set = set_named(deck, force.set, where);
        for (Index node : set.nodes)
            for (int d = 0; d < 3; ++d)
                if (force.force[d] != 0.0)
                    f.add(node, d + 1, force.force[d] / static_cast<double>(set.nodes.size()), where);
    }
    if (!load.step.empty())
        for (const PointLoad& point : step_named(deck, load.step, where).loads)
            for (Index node : nodes_of(deck, point.target)) f.add(node, point.dof, point.value, where);
    for (const LoadTraction& t : load.tractions) add_traction(deck, t, f, where);
    VectorXd all = f.free();
    all += model.body * load.acceleration;
    return all;
}

void add_loads(const Deck& deck, const ReduceOptions& options, Reduction& r) {
    for (const LoadCase& load : options.loads)
        r.reduced.loads.emplace_back(load.name, in_reduced(r, free_load(deck, r.model, load)));
}

VectorXd free_output(const Deck& deck, const LinearModel& model, const OutputPoint& output) {
    const std::string where = fmt::format("output '{}'", output.name);
    if (!(output.direction.norm() > 0)) throw core::BadInput(where, "its direction has no length");
    const Vector3d along = output.direction.normalized();
    std::vector<Index> nodes;
    if (output.point)
        nodes = {closest_node(deck, model, *output.point, where)};
    else
        nodes = set_named(deck, output.set, where).nodes;
    Collector row(deck, model);
    for (Index node : nodes)
        for (int d = 0; d < 3; ++d)
            if (along[d] != 0.0) row.add(node, d + 1, along[d] / static_cast<double>(nodes.size()), where);
    return row.free();
}

void add_outputs(const Deck& deck, const ReduceOptions& options, Reduction& r) {
    for (const OutputPoint& output : options.outputs)
        r.reduced.outputs.push_back({output.name, in_reduced(r, free_output(deck, r.model, output))});
}

}  // namespace faying::fe
