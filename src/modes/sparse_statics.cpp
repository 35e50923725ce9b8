#include "sparse_statics.hpp"

#include "gmres.hpp"

namespace faying::modes {

namespace {

constexpr int most_products = 40;  ///< about what a factorisation costs in the plane
constexpr int worn_out = 20;       ///< from here on a factorisation pays before the next step

}  // namespace

SparseStatics::SparseStatics(const SparseStructure& structure, Sites& sites)
    : UncondensedStatics(structure, sites), map_by_columns_(structure.sites), factor_(structure.factor(false)) {}

SparseStatics::Sparse SparseStatics::jacobian_with(const Sites& sites) const {
    std::vector<Eigen::Triplet<double>> entries;
    sites.each_tangent([&](Eigen::Index row, int width, const double* k) {
        for (int a = 0; a < width; ++a)
            for (int b = 0; b < width; ++b) entries.emplace_back(int(row) + a, int(row) + b, *k++);
    });
    Sparse tangents(map_.rows(), map_.rows());
    tangents.setFromTriplets(entries.begin(), entries.end());
    const Sparse pulled = tangents * map_by_columns_;
    const Sparse all = structure_.stiffness + Sparse(map_by_columns_.transpose() * pulled);
    if (held_ == 0) return all;
    entries.clear();
    for (Eigen::Index j = 0; j < all.outerSize(); ++j)
        for (Sparse::InnerIterator it(all, j); it; ++it) entries.emplace_back(int(it.row()), int(j), it.value());
    for (Eigen::Index r = 0; r < held_; ++r) {
        const int at = int(width() + r);
        for (Eigen::Index i = 0; i < width(); ++i)
            if (const double v = held_y_(i, r); v != 0) {
                entries.emplace_back(int(i), at, -v);
                entries.emplace_back(at, int(i), v * stiffness_scale_);
            }
        entries.emplace_back(at, at, 0.0);
    }
    Sparse bordered(size(), size());
    bordered.setFromTriplets(entries.begin(), entries.end());
    return bordered;
}

bool SparseStatics::refactor(const Sites& sites) {
    tangents_ = tangents_of(sites);
    worn_ = 0;
    if (factor_->compute(jacobian_with(sites))) return true;
    tangents_.clear();
    return false;
}

bool SparseStatics::prepare(const Sites& closed) {
    begin(closed);
    if (!refactor(stuck_)) return false;
    stuck_tangents_ = tangents_;
    return holds();
}

Eigen::VectorXd SparseStatics::solve_stuck(const Eigen::VectorXd& r) {
    if (tangents_ != stuck_tangents_ && !refactor(stuck_)) return Eigen::VectorXd::Zero(r.size());
    return factor_->solve(r);
}

bool SparseStatics::step(const Eigen::VectorXd&, const Eigen::VectorXd& r, Eigen::VectorXd& change) {
    if (!tangents_.empty() && worn_ <= worn_out) {
        const ChangedTangents changed(sites_, tangents_);
        if (by_iteration(changed, r, change)) return true;
    }
    if (!refactor(sites_)) {
        change.setConstant(std::numeric_limits<double>::quiet_NaN());
        return true;
    }
    change = factor_->solve(r);
    return true;
}

bool SparseStatics::by_iteration(const ChangedTangents& changed, const Eigen::VectorXd& r, Eigen::VectorXd& change) {
    change = factor_->solve(r);
    worn_ = 0;
    if (changed.rows.empty()) return change.allFinite();
    const auto apply = [&](const Eigen::VectorXd& x) {
        ++worn_;
        return Eigen::VectorXd(x + factor_->solve(changed.times(map_, x)));
    };
    return gmres(apply, change, most_products, gmres_enough);
}

}  // namespace faying::modes
