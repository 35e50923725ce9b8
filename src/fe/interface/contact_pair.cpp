#include "faying/fe/contact_pair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "faying/core/error.hpp"
#include "faying/fe/interface.hpp"
#include "fe/constraints/face_search.hpp"
#include "fe/relative_coordinates.hpp"

namespace faying::fe {

namespace {

using constraint::FaceSearch;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Facing = std::vector<std::pair<Index, Matrix3d>>;

/// Of these sizes of a face: what is taken for the same place, for an edge, and for faces that lie in each other.
constexpr double same_place = 1e-3, over_edge = 0.05, deepest = 1e-6;

Vector3d normal_at(const MeshFace& face, const Vector3d& xi) {
    const Eigen::Matrix3Xd tangents = face.points.transpose() * shape_functions(face.shape, xi).gradient;
    if (tangents.cols() == 1) return Vector3d(tangents(1, 0), -tangents(0, 0), 0).normalized();
    return Vector3d(tangents.col(0)).cross(Vector3d(tangents.col(1))).normalized();
}

/// What a point of the first side faces.
struct Met {
    bool found = false;
    double gap = 0;
    Vector3d normal = Vector3d::Zero();  ///< midway between the two faces': what comes together comes along it
    FaceSearch::Hit hit;
};

Met meet(const FaceSearch& second, const Vector3d& x, const Vector3d& normal) {
    Met met;
    met.hit = second.closest(x, INFINITY);
    const Vector3d way = met.hit.at.position - x;
    const Vector3d theirs = normal_at(*met.hit.face, met.hit.at.xi);
    met.normal = (normal - theirs).normalized();
    met.gap = way.dot(met.normal);
    const double aside = (way - met.gap * met.normal).norm();
    met.found = aside <= over_edge * second.mean_diagonal() + 0.5 * std::abs(met.gap) && theirs.dot(normal) < 0;
    return met;
}

/// The second side's nodes at a point of it. A gap does not turn with the face, as it would under a tie: it is there to
/// close.
Facing facing_of(const FaceSearch::Hit& hit) {
    const Eigen::VectorXd share = shape_functions(hit.face->shape, hit.at.xi).value;
    Facing terms;
    for (Eigen::Index a = 0; a < share.size(); ++a)
        if (std::abs(share[a]) > 1e-14)
            terms.emplace_back(hit.face->nodes[static_cast<std::size_t>(a)], share[a] * Matrix3d::Identity());
    return terms;
}

Matrix3d site_axes(const Vector3d& normal, const Vector3d& tangent, int dimension) {
    Matrix3d axes;
    Vector3d t = dimension == 2 ? Vector3d(-normal.y(), normal.x(), 0) : tangent - tangent.dot(normal) * normal;
    if (!(t.norm() > 1e-3 * tangent.norm())) t = normal.unitOrthogonal();
    axes.row(0) = t.normalized();
    axes.row(1) = normal.cross(t.normalized());
    axes.row(2) = normal;
    return axes;
}

/// Points over a face that integrate what is smooth between the edges of the faces it meets: an edge is cut at their ends,
/// exactly; a face in space into many parts, nearly.
std::vector<FacePoint> fine_points(const MeshFace& face, const std::vector<MeshFace>& second) {
    std::vector<FacePoint> all;
    const auto add = [&](const Vector3d& xi, double weight) {
        const ShapeValues s = shape_functions(face.shape, xi);
        const Eigen::Matrix3Xd tangents = face.points.transpose() * s.gradient;
        const double area = tangents.cols() == 1 ? tangents.col(0).norm()
                                                 : Vector3d(tangents.col(0)).cross(Vector3d(tangents.col(1))).norm();
        all.push_back({s.value, face.points.transpose() * s.value, normal_at(face, xi), weight * area});
    };
    constexpr double at3[] = {-0.7745966692414834, 0, 0.7745966692414834}, of3[] = {5. / 9, 8. / 9, 5. / 9};
    if (dimension(face.shape) == 1) {
        std::vector<double> cuts{-1, 1};
        const double reach = (face.points.row(0) - face.points.row(1)).norm();
        for (const auto& other : second)
            for (Eigen::Index end = 0; end < 2; ++end) {
                const Vector3d x = other.points.row(end);
                const auto foot = constraint::closest_point(face.shape, face.points, x);
                if (foot.distance < reach && std::abs(foot.xi[0]) < 1 - 1e-9) cuts.push_back(foot.xi[0]);
            }
        std::sort(cuts.begin(), cuts.end());
        for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
            const double half = 0.5 * (cuts[k + 1] - cuts[k]), middle = 0.5 * (cuts[k + 1] + cuts[k]);
            for (int p = 0; p < 3 && half > 1e-12; ++p) add({middle + half * at3[p], 0, 0}, half * of3[p]);
        }
        return all;
    }
    constexpr int parts = 12;
    const bool triangle = face.shape == Shape::tri3 || face.shape == Shape::tri6;
    const double step = (triangle ? 1.0 : 2.0) / parts, from = triangle ? 0 : -1;
    for (int i = 0; i < parts; ++i)
        for (int j = 0; j < (triangle ? parts - i : parts); ++j)
            if (triangle) {  // one pointing up, and but at the slope one pointing down
                add({from + step * (i + 1. / 3), from + step * (j + 1. / 3), 0}, step * step / 2);
                if (j + 1 < parts - i)
                    add({from + step * (i + 2. / 3), from + step * (j + 2. / 3), 0}, step * step / 2);
            } else {
                add({from + step * (i + 0.5), from + step * (j + 0.5), 0}, step * step);
            }
    return all;
}

/// A quadrature point of the first side that faces something.
struct Point {
    std::vector<Index> nodes;
    FacePoint at;
    double weight = 0;  ///< with the thickness
    Met met;
};

class Pairing {
 public:
    Pairing(const Deck& deck, const PairOptions& options)
        : deck_(deck),
          options_(options),
          where_(fmt::format("contact pair '{}'", options.name)),
          first_(mesh_faces(deck, face_surface(deck, options.first))),
          second_(mesh_faces(deck, face_surface(deck, options.second))) {
        out_.name = options.name;
        const int kind = dimension(first_.front().shape);
        for (const auto* faces : {&first_, &second_})
            for (const auto& face : *faces)
                if (dimension(face.shape) != kind)
                    throw core::BadInput(where_, "edges of plane elements and faces of solids cannot touch each other");
        out_.dimension = kind + 1;
    }

    PairedFaces make() {
        const FaceSearch over_first(first_), over_second(second_);
        size_ = over_first.mean_diagonal();
        within_ = options_.within.value_or(size_ + std::abs(options_.gap.value_or(0)));
        find_points(over_second);
        if (points_.empty())
            throw core::BadInput(where_, fmt::format("surfaces '{}' and '{}' do not face each other within {:.4g} (say "
                                                     "within = .. for more)",
                                                     options_.first, options_.second, within_));
        gather_nodes();
        pair_nodes(over_second);
        if (at_nodes())
            node_sites(over_second);
        else
            point_sites();
        check_gaps();
        return std::move(out_);
    }

 private:
    const Deck& deck_;
    const PairOptions& options_;
    std::string where_;
    std::vector<MeshFace> first_, second_;
    PairedFaces out_;
    double size_ = 0, within_ = 0;
    std::vector<Point> points_;
    std::vector<std::size_t> taken_;     ///< faces of the first side that they are on
    std::map<Index, double> share_;      ///< of each node of the first side: its area
    std::map<Index, Vector3d> normals_;  ///< and normal
    std::vector<Index> all_;             ///< nodes with an area, those both sides share among them

    Vector3d place(Index node) const { return deck_.nodes[static_cast<std::size_t>(node)].point; }

    void find_points(const FaceSearch& second) {
        const auto& faces = face_surface(deck_, options_.first).faces;
        for (std::size_t f = 0; f < first_.size(); ++f) {
            const double thickness = face_thickness(deck_, faces[f]);
            std::vector<Point> here;  // a face is taken whole when part of it is near enough
            bool near = false;
            for (const FacePoint& p : face_points(first_[f].shape, first_[f].points, face_rule(first_[f].shape))) {
                const Met met = meet(second, p.position, p.normal);
                near = near || (met.found && std::abs(met.gap) <= within_);
                if (met.found)
                    here.push_back({first_[f].nodes, p, p.weight * thickness, met});
                else
                    ++out_.left_out;
            }
            if (near) {
                points_.insert(points_.end(), here.begin(), here.end());
                taken_.push_back(f);
            } else {
                out_.left_out += here.size();
            }
        }
    }

    void gather_nodes() {
        for (const Point& p : points_)
            for (std::size_t a = 0; a < p.nodes.size(); ++a) {
                share_[p.nodes[a]] += p.weight * p.at.shape(static_cast<Eigen::Index>(a));
                normals_.try_emplace(p.nodes[a], Vector3d::Zero()).first->second +=
                    p.weight * std::abs(p.at.shape(static_cast<Eigen::Index>(a))) * p.at.normal;
            }
        std::set<Index> theirs;
        for (const auto& face : second_) theirs.insert(face.nodes.begin(), face.nodes.end());
        for (auto& [node, normal] : normals_) {
            normal.normalize();
            all_.push_back(node);
            if (!theirs.contains(node)) out_.nodes.push_back(node);
        }
        if (out_.nodes.empty()) throw core::BadInput(where_, "its two surfaces are the same nodes: nothing can part");
    }

    /// Node against node, where every node has one of its own straight across.
    bool paired(const FaceSearch& second) {
        std::vector<Index> theirs;
        for (const auto& face : second_) theirs.insert(theirs.end(), face.nodes.begin(), face.nodes.end());
        std::sort(theirs.begin(), theirs.end());
        theirs.erase(std::unique(theirs.begin(), theirs.end()), theirs.end());
        std::set<Index> used;
        for (Index node : out_.nodes) {
            const Vector3d x = place(node), n = normals_.at(node);
            Index best = none;
            double least = same_place * size_;
            for (Index other : theirs) {
                const Vector3d way = place(other) - x;
                const double aside = (way - way.dot(n) * n).norm();
                if (std::abs(way.dot(n)) <= 2 * within_ && aside <= least) {
                    least = aside;
                    best = other;
                }
            }
            if (best == none || !used.insert(best).second) return false;
        }
        for (Index node : out_.nodes) {
            const auto hit = second.closest(place(node), INFINITY);
            out_.facing.push_back(facing_of(hit));
        }
        return true;
    }

    void pair_nodes(const FaceSearch& second) {
        if ((out_.matching = paired(second))) return;
        std::map<Index, Eigen::Index> row_of, column_of;
        for (std::size_t k = 0; k < all_.size(); ++k) row_of[all_[k]] = static_cast<Eigen::Index>(k);
        std::vector<Facing> facing;
        std::vector<Point> fine;
        for (std::size_t f : taken_)
            for (const FacePoint& p : fine_points(first_[f], second_)) {
                const Met met = meet(second, p.position, p.normal);
                if (!met.found) continue;
                fine.push_back({first_[f].nodes, p, p.weight, met});
                facing.push_back(facing_of(met.hit));
                for (const auto& [node, c] : facing.back()) column_of.try_emplace(node, 0);
            }
        std::vector<Index> columns;
        for (auto& [node, column] : column_of) {
            column = static_cast<Eigen::Index>(columns.size());
            columns.push_back(node);
        }
        const auto n = static_cast<Eigen::Index>(all_.size());
        MatrixXd gram = MatrixXd::Zero(n, n), right = MatrixXd::Zero(n, 9 * Eigen::Index(columns.size()));
        for (std::size_t k = 0; k < fine.size(); ++k) {
            const Point& p = fine[k];
            for (std::size_t a = 0; a < p.nodes.size(); ++a) {
                const Eigen::Index row = row_of.at(p.nodes[a]);
                const double w = p.weight * p.at.shape(static_cast<Eigen::Index>(a));
                for (std::size_t b = 0; b < p.nodes.size(); ++b)
                    gram(row, row_of.at(p.nodes[b])) += w * p.at.shape(static_cast<Eigen::Index>(b));
                for (const auto& [node, c] : facing[k])
                    for (int e = 0; e < 9; ++e) right(row, 9 * column_of.at(node) + e) += w * c(e / 3, e % 3);
            }
        }
        const MatrixXd projected = gram.completeOrthogonalDecomposition().solve(right);
        for (Index node : out_.nodes) {
            Facing terms;
            for (std::size_t c = 0; c < columns.size(); ++c) {
                Matrix3d matrix;
                for (int e = 0; e < 9; ++e)
                    matrix(e / 3, e % 3) = projected(row_of.at(node), 9 * static_cast<Eigen::Index>(c) + e);
                if (matrix.cwiseAbs().maxCoeff() > 1e-13) terms.emplace_back(columns[c], matrix);
            }
            out_.facing.push_back(std::move(terms));
        }
    }

    bool at_nodes() const {
        const bool shares = std::none_of(first_.begin(), first_.end(), [](const MeshFace& f) {
            return f.shape == Shape::quad8 || f.shape == Shape::tri6;
        });
        if (options_.sites_at == PairOptions::Sites::automatic) return shares;
        if (options_.sites_at == PairOptions::Sites::points) return false;
        if (!shares)
            throw core::BadInput(where_,
                                 "sites = \"nodes\": corners of second-order faces have no share, or a negative "
                                 "one, of their area; take points");
        return true;
    }

    void add_site(double weight, double gap, const Vector3d& x, const Vector3d& normal) {
        const auto at = out_.axes.size();
        out_.weight(static_cast<Eigen::Index>(at)) = weight;
        out_.gap(static_cast<Eigen::Index>(at)) = options_.gap.value_or(std::abs(gap) <= deepest * size_ ? 0.0 : gap);
        out_.points.row(static_cast<Eigen::Index>(at)) = x;
        out_.axes.push_back(site_axes(normal, options_.tangent, out_.dimension));
    }

    void start_sites(std::size_t count) {
        const auto n = static_cast<Eigen::Index>(count);
        out_.weight.resize(n);
        out_.gap.resize(n);
        out_.points.resize(n, 3);
    }

    void node_sites(const FaceSearch& second) {
        std::vector<Eigen::Triplet<double>> entries;
        std::vector<std::size_t> kept;
        std::vector<Met> met;
        double largest = 0;
        for (Index node : out_.nodes) largest = std::max(largest, share_.at(node));
        for (std::size_t k = 0; k < out_.nodes.size(); ++k) {
            const Index node = out_.nodes[k];
            const Met here = meet(second, place(node), normals_.at(node));
            if (!here.found || share_.at(node) <= 1e-9 * largest) continue;  // beyond the other side's edge
            kept.push_back(k);
            met.push_back(here);
        }
        start_sites(kept.size());
        std::vector<Index> nodes;
        std::vector<Facing> facing;
        for (std::size_t s = 0; s < kept.size(); ++s) {
            const Index node = out_.nodes[kept[s]];
            entries.emplace_back(static_cast<int>(s), static_cast<int>(s), 1.0);
            add_site(share_.at(node), met[s].gap, place(node), met[s].normal);
            nodes.push_back(node);
            facing.push_back(std::move(out_.facing[kept[s]]));
        }
        out_.nodes = std::move(nodes);  // those without a site are free to move as before
        out_.facing = std::move(facing);
        out_.shape.resize(out_.weight.size(), static_cast<Eigen::Index>(out_.nodes.size()));
        out_.shape.setFromTriplets(entries.begin(), entries.end());
        if (kept.empty()) throw core::BadInput(where_, "no node of the first side faces the second");
    }

    void point_sites() {
        start_sites(points_.size());
        std::vector<Eigen::Triplet<double>> entries;
        for (std::size_t s = 0; s < points_.size(); ++s) {
            const Point& p = points_[s];
            add_site(p.weight, p.met.gap, p.at.position, p.met.normal);
            for (std::size_t a = 0; a < p.nodes.size(); ++a) {
                const auto at = std::lower_bound(out_.nodes.begin(), out_.nodes.end(), p.nodes[a]);
                if (at != out_.nodes.end() && *at == p.nodes[a])
                    entries.emplace_back(static_cast<int>(s), static_cast<int>(at - out_.nodes.begin()),
                                         p.at.shape(static_cast<Eigen::Index>(a)));
            }
        }
        out_.shape.resize(out_.weight.size(), static_cast<Eigen::Index>(out_.nodes.size()));
        out_.shape.setFromTriplets(entries.begin(), entries.end());
    }

    void check_gaps() const {
        Eigen::Index at = 0;
        const double least = out_.gap.minCoeff(&at);
        if (least < 0 && !options_.gap)
            throw core::BadInput(
                where_,
                fmt::format("the surfaces lie {:.3g} in each other at ({:.4g}, {:.4g}, {:.4g}) before any load; "
                            "move them apart, or say gap = 0 for faces that fit (or the overlap that is meant)",
                            -least, out_.points(at, 0), out_.points(at, 1), out_.points(at, 2)));
    }
};

}  // namespace

std::vector<PairOptions> pairs_in(const Deck& deck) {
    std::vector<PairOptions> all;
    for (const ContactPair& pair : deck.contact_pairs) {
        if (pair.slave == none || pair.master == none) continue;
        PairOptions one{.name = deck.surfaces[pair.slave].name,
                        .first = deck.surfaces[pair.slave].name,
                        .second = deck.surfaces[pair.master].name};
        if (const Index found = deck.interactions.find(pair.interaction); found != none)
            one.friction = deck.interactions[found].friction;
        all.push_back(std::move(one));
    }
    if (all.empty()) throw core::BadInput(deck.files[0], "has no *CONTACT PAIR of two surfaces");
    return all;
}

PairedFaces pair_faces(const Deck& deck, const PairOptions& options) { return Pairing(deck, options).make(); }

Eigen::SparseMatrix<double> relative_motion(const PairedFaces& pair, const DofTable& dofs) {
    return relative_motion(std::span(&pair, 1), dofs);
}

Eigen::SparseMatrix<double> relative_motion(std::span<const PairedFaces> pairs, const DofTable& dofs) {
    std::vector<Eigen::Triplet<double>> entries;
    int row = 0;
    for (const PairedFaces& pair : pairs)
        for (std::size_t k = 0; k < pair.nodes.size(); ++k, row += pair.dimension) {
            const int d = pair.dimension;
            for (int a = 0; a < d; ++a) entries.emplace_back(row + a, dofs.find(pair.nodes[k], a + 1), 1.0);
            for (const auto& [node, matrix] : pair.facing[k])
                for (int a = 0; a < d; ++a)
                    for (int b = 0; b < d; ++b)
                        if (matrix(a, b) != 0.0) entries.emplace_back(row + a, dofs.find(node, b + 1), -matrix(a, b));
        }
    Eigen::SparseMatrix<double> rows(row, dofs.size());
    rows.setFromTriplets(entries.begin(), entries.end());
    return rows;
}

}  // namespace faying::fe
