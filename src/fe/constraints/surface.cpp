// Ties and distributing couplings: constraints that interpolate over, or average, a surface.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "constraints.hpp"
#include "face_search.hpp"
#include "faying/core/error.hpp"
#include "faying/fe/face.hpp"

namespace faying::fe::constraint {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// One a node, as Abaqus has it, times what a surface of nodes gives; or shares of the area of element faces, positive
/// at every node, also of quadratic faces: the diagonal of the face's mass matrix, scaled to its area.
std::map<Index, double> node_weights(const Deck& deck, const Surface& surface, bool by_area) {
    std::map<Index, double> weights;
    for (const auto& node : surface.nodes) weights[node.node] += node.area;
    for (const auto& f : surface.faces) {
        if (!by_area) {
            for (Index node : nodes_of(deck, f)) weights[node] = 1;
            continue;
        }
        const MeshFace face = mesh_face(deck, f);
        const FaceGeometry g = face_geometry(face.shape, face.points, "element " + element_name(deck, f.element));
        for (std::size_t a = 0; a < face.nodes.size(); ++a) {
            const auto k = static_cast<Eigen::Index>(a);
            weights[face.nodes[a]] += g.area * g.mass(k, k) / g.mass.trace();
        }
    }
    return weights;
}

double falloff(Coupling::Weighting weighting, double x) {
    switch (weighting) {
        case Coupling::Weighting::linear: return 1 - x;
        case Coupling::Weighting::quadratic: return 1 - x * x;
        case Coupling::Weighting::cubic: return 1 - 3 * x * x + 2 * x * x * x;
        case Coupling::Weighting::uniform:
        case Coupling::Weighting::area: break;
    }
    return 1;
}

struct Cloud {
    std::vector<Index> nodes;
    std::vector<double> weights;  ///< sum to 1
    Vector3d centroid = Vector3d::Zero();
    Matrix3d inertia = Matrix3d::Zero();
};

Cloud cloud_of(const Deck& deck, const Coupling& coupling, Coupling::Weighting weighting) {
    Cloud cloud;
    const Vector3d& reference = point(deck, coupling.reference);
    auto own = node_weights(deck, deck.surfaces[coupling.surface], weighting == Coupling::Weighting::area);
    own.erase(coupling.reference);
    if (coupling.influence_radius)
        std::erase_if(own, [&](const auto& entry) {
            return (point(deck, entry.first) - reference).norm() > *coupling.influence_radius;
        });
    double farthest = 0, total = 0;
    for (const auto& [node, weight] : own) farthest = std::max(farthest, (point(deck, node) - reference).norm());
    for (const auto& [node, alone] : own) {
        const double distance = (point(deck, node) - reference).norm();
        const double weight = alone * falloff(weighting, farthest > 0 ? distance / farthest : 0.0);
        if (!(weight > 0)) continue;
        cloud.nodes.push_back(node);
        cloud.weights.push_back(weight);
        total += weight;
    }
    if (cloud.nodes.empty()) throw core::BadInput(deck.where(coupling.at), "this coupling has no nodes in reach");
    for (std::size_t i = 0; i < cloud.nodes.size(); ++i) {
        cloud.weights[i] /= total;
        cloud.centroid += cloud.weights[i] * point(deck, cloud.nodes[i]);
    }
    for (std::size_t i = 0; i < cloud.nodes.size(); ++i) {
        const Matrix3d rho = cross(point(deck, cloud.nodes[i]) - cloud.centroid);
        cloud.inertia -= cloud.weights[i] * rho * rho;
    }
    return cloud;
}

}  // namespace

std::vector<Matrix3d> follow_face(const MeshFace& face, const ClosestPoint& at, const Vector3d& gap,
                                  double none_below) {
    const ShapeValues s = shape_functions(face.shape, at.xi);
    std::vector<Matrix3d> all;
    for (Eigen::Index a = 0; a < s.value.size(); ++a) all.push_back(s.value[a] * Matrix3d::Identity());
    if (gap.norm() <= none_below) return all;
    const Eigen::Matrix3Xd tangents = face.points.transpose() * s.gradient;
    const Eigen::MatrixXd metric = tangents.transpose() * tangents;
    const Eigen::MatrixX3d gradient = s.gradient * metric.inverse() * tangents.transpose();  // along the face
    Matrix3d p = Matrix3d::Identity();
    if (tangents.cols() == 2) {
        const Vector3d n = Vector3d(tangents.col(0)).cross(Vector3d(tangents.col(1))).normalized();
        p -= 0.5 * n * n.transpose();
    }
    for (Eigen::Index a = 0; a < s.value.size(); ++a)
        all[static_cast<std::size_t>(a)] -= cross(gap) * p * cross(gradient.row(a).transpose());
    return all;
}

void add_tie(const Deck& deck, Index number, const ConstraintOptions& options, ConstraintEquations& to) {
    const Tie& tie = deck.ties[static_cast<std::size_t>(number)];
    const FaceSearch search(mesh_faces(deck, deck.surfaces[tie.master]));
    const double tolerance = tie.position_tolerance.value_or(options.tie_tolerance * search.mean_diagonal());
    std::size_t tied = 0;
    for (Index slave : nodes_of(deck, deck.surfaces[tie.slave])) {
        // One that lies on the tolerance but for round-off is within it.
        const auto hit = search.closest(point(deck, slave), tolerance + 1e-9 * search.mean_diagonal());
        if (!hit.face) {
            to.untied.push_back({number, slave, search.closest(point(deck, slave), INFINITY).at.distance, tolerance});
            continue;
        }
        ++tied;
        if (std::find(hit.face->nodes.begin(), hit.face->nodes.end(), slave) != hit.face->nodes.end()) continue;
        const Vector3d gap = point(deck, slave) - hit.at.position;
        to.largest_gap = std::max(to.largest_gap, gap.norm());
        const auto follow = follow_face(*hit.face, hit.at, gap, 1e-13 * search.mean_diagonal());
        for (int d = 0; d < 3; ++d) {
            Row row(tie.at, Vector3d::Unit(d));
            row.add(slave, Matrix3d::Identity());
            for (std::size_t a = 0; a < follow.size(); ++a)
                if (follow[a].cwiseAbs().maxCoeff() > 1e-14) row.add(hit.face->nodes[a], -follow[a]);
            to.equations.push_back(row.finish(1));
        }
    }
    if (tied == 0)
        throw core::BadInput(deck.where(tie.at),
                             fmt::format("no node of slave surface '{}' is within {:.4g} of master surface '{}'; the "
                                         "closest is {:.4g} away",
                                         deck.surfaces[tie.slave].name, tolerance, deck.surfaces[tie.master].name,
                                         std::min_element(to.untied.begin(), to.untied.end(), [&](auto& a, auto& b) {
                                             return (a.tie == number ? a.distance : INFINITY) <
                                                    (b.tie == number ? b.distance : INFINITY);
                                         })->distance));
}

void add_distributing(const Deck& deck, const Coupling& coupling, const ConstraintOptions& options,
                      ConstraintEquations& to) {
    const Cloud cloud = cloud_of(deck, coupling, options.weighting.value_or(coupling.weighting));
    if (coupling.structural)
        to.notes.push_back({Severity::note, coupling.at,
                            "COUPLING=STRUCTURAL: translations of the cloud are averaged, its rotations are not"});
    const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(cloud.inertia);
    const double largest = principal.eigenvalues()[2];
    const double size = std::max((point(deck, coupling.reference) - cloud.centroid).norm(), std::sqrt(largest));
    // Nodes on a line say nothing about the turn around it, a single one nothing about any.
    Matrix3d inverse = Matrix3d::Zero(), unknown = Matrix3d::Zero();
    for (int k = 0; k < 3; ++k) {
        const Vector3d axis = principal.eigenvectors().col(k);
        if (principal.eigenvalues()[k] > 1e-10 * largest && principal.eigenvalues()[k] > 1e-16 * size * size)
            inverse += axis * axis.transpose() / principal.eigenvalues()[k];
        else
            unknown += axis * axis.transpose();
    }
    if (unknown.trace() > 0.5)
        to.notes.push_back({Severity::note, coupling.at,
                            fmt::format("the {} nodes of this distributing coupling lie on a line: the reference "
                                        "node's turn about it is free",
                                        cloud.nodes.size())});
    const Vector3d arm = point(deck, coupling.reference) - cloud.centroid;
    const Matrix3d one = Matrix3d::Identity();
    // theta = sum_i A_i u_i; u_ref = sum_i w_i u_i + theta x arm
    const auto average = [&](std::size_t i) -> Matrix3d {
        return cloud.weights[i] * inverse * cross(point(deck, cloud.nodes[i]) - cloud.centroid);
    };
    for (int d = 0; d < 3; ++d) {
        Row row(coupling.at, Vector3d::Unit(d));
        row.add(coupling.reference, one);
        for (std::size_t i = 0; i < cloud.nodes.size(); ++i)
            row.add(cloud.nodes[i], -cloud.weights[i] * one + cross(arm) * average(i));
        if (unknown.trace() > 0.5) row.add(coupling.reference, cross(arm) * unknown, 4);
        to.equations.push_back(row.finish(1));
    }
    for (int d = 0; d < 3; ++d) {
        if (!coupling.dofs.has(d + 4)) continue;
        const Matrix3d known = one - unknown;
        const Vector3d direction =
            unknown.trace() > 0.5 ? Vector3d(principal.eigenvectors().col(d)) : Vector3d::Unit(d);
        if ((known * direction).norm() < 0.5) continue;
        Row row(coupling.at, direction);
        row.add(coupling.reference, one, 4);
        const auto count = static_cast<std::size_t>((direction.array().abs() > 1e-15).count());
        for (std::size_t i = 0; i < cloud.nodes.size(); ++i) row.add(cloud.nodes[i], -average(i));
        to.equations.push_back(row.finish(count));
    }
}

}  // namespace faying::fe::constraint

namespace faying::fe {

const char* word(Coupling::Weighting weighting) {
    switch (weighting) {
        case Coupling::Weighting::uniform: return "uniform";
        case Coupling::Weighting::linear: return "linear";
        case Coupling::Weighting::quadratic: return "quadratic";
        case Coupling::Weighting::cubic: return "cubic";
        case Coupling::Weighting::area: return "area";
    }
    return "";
}

std::optional<Coupling::Weighting> weighting_named(const std::string& name, const std::string& where) {
    if (name == "deck") return {};
    using enum Coupling::Weighting;
    for (const auto weighting : {uniform, linear, quadratic, cubic, area})
        if (name == word(weighting)) return weighting;
    throw core::BadInput(where, fmt::format("weighting '{}' is unknown; allowed are deck, uniform, area, linear, "
                                            "quadratic, cubic",
                                            name));
}

}  // namespace faying::fe
