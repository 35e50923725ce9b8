#include "scattered_statics.hpp"

#include <algorithm>

#include "gmres.hpp"

namespace faying::modes {

namespace {

constexpr std::size_t most_faces_of_group = 600;  ///< of a group: its block is dense
constexpr int most_scattered_products = 80;
constexpr double roughly = 1e-2;   ///< of a step far from the point: the next one starts elsewhere anyway
constexpr double rounded = 1e-14;  ///< size of a residual that need not become smaller
constexpr double negligible = 0.1;

}  // namespace

bool is_scattered(const SparseStructure& structure) {
    const auto blocks = contact_blocks(structure.sites, structure::joint_set(structure.model), structure.model.joints);
    return std::all_of(blocks.begin(), blocks.end(),
                       [](const auto& b) { return b.faces.size() <= most_faces_of_group; });
}

ScatteredStatics::ScatteredStatics(const SparseStructure& structure, Sites& sites)
    : UncondensedStatics(structure, sites),
      face_of_(std::size_t(structure.stiffness.rows()), -1),
      factor_(structure.factor(true)) {
    using Entry = Interface::SiteMap::InnerIterator;
    for (Eigen::Index r = 0; r < map_.rows(); ++r)
        for (Entry e(map_, r); e; ++e) face_of_[std::size_t(e.col())] = 0;
    for (std::size_t i = 0; i < face_of_.size(); ++i)
        if (face_of_[i] == 0) {
            face_of_[i] = int(faces_.size());
            faces_.push_back(Eigen::Index(i));
        }
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index r = 0; r < map_.rows(); ++r)
        for (Entry e(map_, r); e; ++e) entries.emplace_back(int(r), face_of_[std::size_t(e.col())], e.value());
    Interface::SiteMap map(map_.rows(), Eigen::Index(faces_.size()));
    map.setFromTriplets(entries.begin(), entries.end());
    blocks_ = contact_blocks(map, sites, structure.model.joints);
    find_stiffnesses(blocks_, structure.stiffness, faces_, face_of_);
}

/// Of a step: Newton's own order, but no further than to rounding.
double ScatteredStatics::exactness() const {
    return std::clamp(std::max(size_, rounded / size_), gmres_enough, roughly);
}

double ScatteredStatics::evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& r) {
    return size_ = StiffnessStatics::evaluate(z, r);
}

/// [K, -H; -H^T, 0] into faces and the rest; false where the latter is singular.
bool ScatteredStatics::divide() {
    const Eigen::Index n = width();
    std::vector<int> place(std::size_t(size()), 0);
    inner_.clear();
    for (Eigen::Index i = 0; i < size(); ++i)
        if (i >= n || face_of_[std::size_t(i)] < 0) {
            place[std::size_t(i)] = int(inner_.size());
            inner_.push_back(i);
        }
    std::vector<Eigen::Triplet<double>> ii, ib, bb;
    const auto put = [&](Eigen::Index row, Eigen::Index column, double v) {
        const bool row_face = row < n && face_of_[std::size_t(row)] >= 0;
        const bool column_face = column < n && face_of_[std::size_t(column)] >= 0;
        const int r = row_face ? face_of_[std::size_t(row)] : place[std::size_t(row)];
        const int c = column_face ? face_of_[std::size_t(column)] : place[std::size_t(column)];
        if (row_face && column_face) bb.emplace_back(r, c, v);
        if (!row_face && column_face) ib.emplace_back(r, c, v);
        if (!row_face && !column_face) ii.emplace_back(r, c, v);
    };
    for (Eigen::Index j = 0; j < n; ++j)
        for (Sparse::InnerIterator it(structure_.stiffness, j); it; ++it) put(it.row(), j, it.value());
    for (Eigen::Index r = 0; r < held_; ++r) {
        for (Eigen::Index i = 0; i < n; ++i)
            if (const double v = held_y_(i, r); v != 0) {
                put(i, n + r, -v);
                put(n + r, i, -v);
            }
        put(n + r, n + r, 0.0);
    }
    const auto faces = Eigen::Index(faces_.size()), inner = Eigen::Index(inner_.size());
    Sparse inside(inner, inner);
    inside.setFromTriplets(ii.begin(), ii.end());
    across_.resize(inner, faces);
    across_.setFromTriplets(ib.begin(), ib.end());
    own_.resize(faces, faces);
    own_.setFromTriplets(bb.begin(), bb.end());
    return inner == 0 || factor_->compute(inside);
}

bool ScatteredStatics::prepare(const Sites& closed) {
    begin(closed);
    return divide() && holds();
}

Eigen::VectorXd ScatteredStatics::faces_of(const Eigen::VectorXd& all) const {
    Eigen::VectorXd faces(Eigen::Index(faces_.size()));
    for (std::size_t i = 0; i < faces_.size(); ++i) faces(Eigen::Index(i)) = all(faces_[i]);
    return faces;
}

ScatteredStatics::Parts ScatteredStatics::parts(const Eigen::VectorXd& r) const {
    Parts p;
    p.faces = faces_of(r);
    p.inner.resize(Eigen::Index(inner_.size()));
    // Rows of prescribed displacements come times the stiffness scale, and are those of reactions with the other sign.
    for (std::size_t i = 0; i < inner_.size(); ++i)
        p.inner(Eigen::Index(i)) = inner_[i] < width() ? r(inner_[i]) : -r(inner_[i]) / stiffness_scale_;
    // What acts inside is carried by faces and supports: no more of it than there is comes to the faces.
    if (p.inner.size() > 0 && p.inner.norm() > negligible * exactness() * p.faces.norm())
        p.faces -= across_.transpose() * factor_->solve(p.inner);
    return p;
}

Eigen::VectorXd ScatteredStatics::on_faces(const Eigen::VectorXd& x) const {
    Eigen::VectorXd y = own_ * x;
    if (!inner_.empty()) y -= across_.transpose() * factor_->solve(across_ * x);
    return y;
}

Eigen::VectorXd ScatteredStatics::whole(const Eigen::VectorXd& x, const Eigen::VectorXd& inner) const {
    Eigen::VectorXd all(size());
    for (std::size_t i = 0; i < faces_.size(); ++i) all(faces_[i]) = x(Eigen::Index(i));
    if (inner_.empty()) return all;
    const Eigen::VectorXd rest = factor_->solve(inner - across_ * x);
    for (std::size_t i = 0; i < inner_.size(); ++i) all(inner_[i]) = rest(Eigen::Index(i));
    return all;
}

Eigen::VectorXd ScatteredStatics::linear_step(const std::vector<SettledBlock>& settled, double enough) const {
    std::vector<Eigen::PartialPivLU<Eigen::MatrixXd>> own;
    own.reserve(blocks_.size());
    for (std::size_t b = 0; b < blocks_.size(); ++b)
        own.emplace_back(Eigen::MatrixXd(blocks_[b].stiffness + settled[b].held));
    const auto apply = [&](const Eigen::VectorXd& x) {
        Eigen::VectorXd y = on_faces(x);
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            const Eigen::VectorXd all = blocks_[b].gather(y) + settled[b].held * blocks_[b].gather(x);
            blocks_[b].scatter(own[b].solve(all), y);
        }
        return y;
    };
    Eigen::VectorXd x(Eigen::Index(faces_.size()));
    for (std::size_t b = 0; b < blocks_.size(); ++b)
        blocks_[b].scatter(settled[b].way + own[b].solve(settled[b].residual), x);
    gmres(apply, x, most_scattered_products, enough);  // what it leaves, the next step takes
    return x;
}

Eigen::VectorXd ScatteredStatics::solve_stuck(const Eigen::VectorXd& r) {
    const Parts p = parts(r);
    const Eigen::VectorXd closed = stuck_.just_closed();
    std::vector<SettledBlock> settled;
    for (auto& block : blocks_) settled.push_back(block.stay(stuck_, closed, p.faces));
    return whole(linear_step(settled, gmres_enough), p.inner);
}

bool ScatteredStatics::step(const Eigen::VectorXd& z, const Eigen::VectorXd& r, Eigen::VectorXd& change) {
    const Parts p = parts(r);
    const Eigen::VectorXd y = faces_of(z);
    std::vector<SettledBlock> settled;
    for (auto& block : blocks_) settled.push_back(block.settle(sites_, y, p.faces));
    change = whole(linear_step(settled, exactness()), p.inner);
    return true;
}

}  // namespace faying::modes
