// Patches of an interface, their averages, and node-by-node relative motion.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "faying/core/error.hpp"
#include "faying/fe/interface.hpp"
#include "fe/constraints/constraints.hpp"
#include "fe/constraints/face_search.hpp"

namespace faying::fe {

namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Rigid = Eigen::Matrix<double, 3, 6>;  ///< motion of a point from (translation, rotation)
using Sparse = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

void add_centroid(const InterfaceSide& side, const std::vector<std::size_t>& faces, Vector3d& moment, double& area) {
    for (std::size_t f : faces) {
        moment += side.faces[f].area * side.faces[f].centroid;
        area += side.faces[f].area;
    }
}

std::vector<std::size_t> picked(const InterfaceSide& side, const std::function<bool(const InterfaceFace&)>& inside) {
    std::vector<std::size_t> faces;
    for (std::size_t f = 0; f < side.faces.size(); ++f)
        if (inside(side.faces[f])) faces.push_back(f);
    return faces;
}

PatchFaces patch_of(const Interface& i, const std::string& name, std::vector<std::size_t> first,
                    std::vector<std::size_t> second) {
    PatchFaces patch;
    patch.name = name;
    patch.first = std::move(first);
    patch.second = std::move(second);
    for (const auto* side : {&i.first, &i.second})
        if ((side == &i.first ? patch.first : patch.second).empty())
            throw core::BadInput(
                fmt::format("patch '{}'", name),
                fmt::format("has no face of surface '{}'; is the mesh too coarse for it?", side->surface));
    Vector3d moment = Vector3d::Zero();
    double area = 0;
    add_centroid(i.first, patch.first, moment, area);
    add_centroid(i.second, patch.second, moment, area);
    patch.centroid = moment / area;
    patch.area = 0.5 * area;
    return patch;
}

PatchFaces patch_where(const Interface& i, const std::string& name,
                       const std::function<bool(const Vector3d&)>& inside) {
    const auto middle = [&](const InterfaceFace& face) { return inside(face.centroid); };
    return patch_of(i, name, picked(i.first, middle), picked(i.second, middle));
}

/// Adds sign * (average rigid motion, along the axes) of one side's faces.
void add_side(const Interface& i, const InterfaceSide& side, const std::vector<std::size_t>& faces,
              const PatchFaces& patch, double sign, const DofTable& dofs, Triplets& to) {
    Eigen::Matrix<double, 6, 6> a = Eigen::Matrix<double, 6, 6>::Zero();
    std::map<Index, Eigen::Matrix<double, 6, 3>> b;
    for (std::size_t f : faces) {
        const InterfaceFace& face = side.faces[f];
        for (const FacePoint& p : face_points(face.shape, face.points, face_rule(face.shape))) {
            Rigid g;
            g << Matrix3d::Identity(), -constraint::cross(p.position - patch.centroid);
            a += p.weight * g.transpose() * g;
            for (std::size_t n = 0; n < face.nodes.size(); ++n) {
                auto [entry, fresh] = b.try_emplace(face.nodes[n], Eigen::Matrix<double, 6, 3>::Zero());
                entry->second += p.weight * p.shape(static_cast<Eigen::Index>(n)) * g.transpose();
            }
        }
    }
    // Scaled to lengths of the patch: a narrow one is told from a bad one by its own size.
    const Eigen::LDLT<Eigen::Matrix<double, 6, 6>> factor(a);
    if (!(factor.rcond() > 1e-14 && factor.isPositive()))
        throw core::BadInput(fmt::format("patch '{}'", patch.name),
                             "its faces lie on a line: its turns cannot be told");
    Eigen::Matrix<double, 6, 6> turn = Eigen::Matrix<double, 6, 6>::Zero();
    turn.topLeftCorner<3, 3>() = i.axes;
    turn.bottomRightCorner<3, 3>() = i.axes;
    for (const auto& [node, moment] : b) {
        const Eigen::Matrix<double, 6, 3> rows = sign * turn * factor.solve(moment);
        for (int d = 0; d < 3; ++d) {
            const Index column = dofs.find(node, d + 1);
            for (int r = 0; r < 6; ++r) to.emplace_back(r, column, rows(r, d));
        }
    }
}

Sparse from(const Triplets& entries, Eigen::Index rows, Eigen::Index columns) {
    Sparse s(rows, columns);
    s.setFromTriplets(entries.begin(), entries.end());
    return s;
}

/// How the second side moves at a point: coefficients of its nodes' motions.
struct Follower {
    std::vector<std::pair<Index, Matrix3d>> terms;
};

Follower follow(const constraint::FaceSearch& search, const Vector3d& x) {
    const auto hit = search.closest(x, INFINITY);
    const auto all = constraint::follow_face(*hit.face, hit.at, x - hit.at.position, 1e-13 * search.mean_diagonal());
    Follower f;
    for (std::size_t a = 0; a < all.size(); ++a) f.terms.emplace_back(hit.face->nodes[a], all[a]);
    return f;
}

std::vector<MeshFace> faces_of(const InterfaceSide& side) { return {side.faces.begin(), side.faces.end()}; }

std::vector<Index> sorted(std::vector<Index> nodes) {
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

/// Faces of `side` whose middle is closest to one of these faces of the other.
std::vector<std::size_t> over(const InterfaceSide& side, const InterfaceSide& other,
                              const std::vector<std::size_t>& chosen) {
    std::set<std::vector<Index>> theirs;
    for (std::size_t f : chosen) theirs.insert(sorted(other.faces[f].nodes));
    const constraint::FaceSearch search(faces_of(other));
    return picked(side, [&](const InterfaceFace& face) {
        return theirs.contains(sorted(search.closest(face.centroid, INFINITY).face->nodes));
    });
}

/// Rows 3 i + d of the second side's motion at the nodes of the first, least squares over the first side's mesh.
MatrixXd projected(const Deck& deck, const Interface& i, const std::vector<Index>& columns) {
    (void)deck;
    const constraint::FaceSearch search(faces_of(i.second));
    std::map<Index, Eigen::Index> row_of, column_of;
    for (std::size_t k = 0; k < i.first.nodes.size(); ++k) row_of[i.first.nodes[k]] = static_cast<Eigen::Index>(k);
    for (std::size_t k = 0; k < columns.size(); ++k) column_of[columns[k]] = static_cast<Eigen::Index>(k);
    const auto n = static_cast<Eigen::Index>(i.first.nodes.size());
    MatrixXd gram = MatrixXd::Zero(n, n);
    MatrixXd right = MatrixXd::Zero(n, 9 * static_cast<Eigen::Index>(columns.size()));  // block (d, e) of each node
    for (const InterfaceFace& face : i.first.faces)
        for (const FacePoint& p : face_points(face.shape, face.points, face_rule(face.shape))) {
            const Follower f = follow(search, p.position);
            for (std::size_t a = 0; a < face.nodes.size(); ++a) {
                const Eigen::Index ra = row_of[face.nodes[a]];
                const double wa = p.weight * p.shape(static_cast<Eigen::Index>(a));
                for (std::size_t b = 0; b < face.nodes.size(); ++b)
                    gram(ra, row_of[face.nodes[b]]) += wa * p.shape(static_cast<Eigen::Index>(b));
                for (const auto& [node, matrix] : f.terms)
                    for (int e = 0; e < 9; ++e) right(ra, 9 * column_of[node] + e) += wa * matrix(e / 3, e % 3);
            }
        }
    return gram.ldlt().solve(right);
}

}  // namespace

std::vector<PatchFaces> cut_patches(const Interface& i, const std::vector<double>& fractions) {
    if (fractions.size() < 2 || !std::is_sorted(fractions.begin(), fractions.end(), std::less_equal<>()) ||
        fractions.front() < 0 || fractions.back() > 1)
        throw core::BadInput("cuts", "must be two or more ascending fractions between 0 and 1");
    double low = INFINITY, high = -INFINITY;
    for (const auto& face : i.first.faces) {
        const Eigen::VectorXd along = face.points * i.axes.row(0).transpose();
        low = std::min(low, along.minCoeff());
        high = std::max(high, along.maxCoeff());
    }
    std::vector<PatchFaces> patches;
    for (std::size_t k = 0; k + 1 < fractions.size(); ++k) {
        const double from_x = low + fractions[k] * (high - low), to_x = low + fractions[k + 1] * (high - low);
        const bool last = k + 2 == fractions.size();
        patches.push_back(patch_where(i, fmt::format("patch {}", k + 1), [&](const Vector3d& x) {
            const double along = i.axes.row(0).dot(x);
            return along >= from_x && (along < to_x || (last && along <= to_x));
        }));
    }
    return patches;
}

PatchFaces box_patch(const Interface& i, const std::string& name, const Vector3d& centre, const Eigen::Vector2d& half) {
    const double hair = 1e-9 * half.norm();
    return patch_where(i, name, [&](const Vector3d& x) {
        const Vector3d local = i.axes * (x - centre);
        return std::abs(local[0]) <= half[0] + hair && std::abs(local[1]) <= half[1] + hair;
    });
}

PatchFaces surface_patch(const Deck& deck, const Interface& i, const std::string& name,
                         const std::vector<std::string>& surfaces) {
    std::set<std::vector<Index>> named;
    for (const auto& surface : surfaces)
        for (const SurfaceFace& face : face_surface(deck, surface).faces) named.insert(sorted(nodes_of(deck, face)));
    const auto in = [&](const InterfaceFace& face) { return named.contains(sorted(face.nodes)); };
    auto first = picked(i.first, in), second = picked(i.second, in);
    if (first.empty() && second.empty())
        throw core::BadInput(fmt::format("patch '{}'", name),
                             fmt::format("surface '{}' holds no face of the interface of '{}' and '{}'",
                                         fmt::join(surfaces, "' and '"), i.first.surface, i.second.surface));
    if (first.empty()) first = over(i.first, i.second, second);
    if (second.empty()) second = over(i.second, i.first, first);
    return patch_of(i, name, std::move(first), std::move(second));
}

Sparse patch_average(const Interface& i, const PatchFaces& patch, const DofTable& dofs) {
    Triplets entries;
    add_side(i, i.first, patch.first, patch, 1, dofs, entries);
    add_side(i, i.second, patch.second, patch, -1, dofs, entries);
    return from(entries, 6, dofs.size());
}

Sparse relative_motion(const Deck& deck, const Interface& i, const DofTable& dofs) {
    Triplets entries;
    const auto add = [&](std::size_t k, Index node, const Matrix3d& matrix) {
        const Matrix3d rows = i.axes * matrix;
        for (int r = 0; r < 3; ++r)
            for (int d = 0; d < 3; ++d)
                if (rows(r, d) != 0.0)
                    entries.emplace_back(static_cast<int>(3 * k) + r, dofs.find(node, d + 1), rows(r, d));
    };
    for (std::size_t k = 0; k < i.first.nodes.size(); ++k) add(k, i.first.nodes[k], Matrix3d::Identity());
    if (i.matching()) {
        const constraint::FaceSearch search(faces_of(i.second));
        for (std::size_t k = 0; k < i.partner.size(); ++k)
            for (const auto& [node, matrix] :
                 follow(search, deck.nodes[static_cast<std::size_t>(i.first.nodes[k])].point).terms)
                if (matrix.cwiseAbs().maxCoeff() > 1e-12) add(k, node, -matrix);
    } else {
        const MatrixXd p = projected(deck, i, i.second.nodes);
        for (std::size_t k = 0; k < i.first.nodes.size(); ++k)
            for (std::size_t c = 0; c < i.second.nodes.size(); ++c) {
                Matrix3d matrix;
                for (int e = 0; e < 9; ++e)
                    matrix(e / 3, e % 3) = p(static_cast<Eigen::Index>(k), 9 * static_cast<Eigen::Index>(c) + e);
                if (matrix.cwiseAbs().maxCoeff() > 1e-14) add(k, i.second.nodes[c], -matrix);
            }
    }
    return from(entries, 3 * static_cast<Eigen::Index>(i.first.nodes.size()), dofs.size());
}

}  // namespace faying::fe
