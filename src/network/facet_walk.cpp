#include "faying/network/facet_walk.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace faying::network {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

std::vector<double> Facets::numbers() const {
    std::vector<double> all;
    for (Index k = 0; k < pairs(); ++k)
        for (Index j = 0; j < states(); ++j) all.push_back(normals(k, j));
    all.insert(all.end(), coupling.begin(), coupling.end());
    return all;
}

Facets Facets::of(const double* numbers, Index states, Index pairs) {
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return {Eigen::Map<const Rows>(numbers, pairs, states),
            Eigen::Map<const VectorXd>(numbers + pairs * states, states)};
}

FacetWalk::FacetWalk(const Facets& facets, bool slopes, Seen seen)
    : facets_(facets),
      with_slopes_(slopes),
      seen_(std::move(seen)),
      size_(facets.normals.rowwise().norm()),
      q_(VectorXd::Zero(facets.states())),
      velocity_(q_),
      level_(VectorXd::Zero(facets.pairs())),
      rate_(level_),
      side_(std::size_t(facets.pairs()), 0) {
    if (!slopes) return;
    slopes_ = MatrixXd::Zero(facets.states(), facets.size());
    area_slopes_ = RowVectorXd::Zero(facets.size());
}

bool FacetWalk::slides_on(Index k) const { return std::find(on_.begin(), on_.end(), k) != on_.end(); }

RowVectorXd FacetWalk::xi_slopes() const {
    RowVectorXd slope = facets_.coupling.transpose() * slopes_;
    slope.tail(facets_.states()) += q_.transpose();
    return slope;
}
RowVectorXd FacetWalk::dissipated_slopes() const {
    return load_ * xi_slopes() - area_slopes_ - q_.transpose() * slopes_;
}

/// So that z stays on all facets of `on_`.
VectorXd FacetWalk::pushes_needed() const {
    const Index n = Index(on_.size());
    MatrixXd outward(n, facets_.states());
    for (Index a = 0; a < n; ++a) outward.row(a) = side_[std::size_t(on_[a])] * facets_.normals.row(on_[a]);
    return (outward * outward.transpose()).ldlt().solve(direction_ * (outward * facets_.coupling));
}

/// Facets push and never pull: from the pushes given towards those needed, one after the other that comes to nothing
/// is let go.
void FacetWalk::drop_what_pulls(VectorXd from) {
    for (;;) {
        pushes_ = on_.empty() ? VectorXd() : pushes_needed();
        double way = 1.0;
        Index first = -1;
        for (Index a = 0; a < pushes_.size(); ++a)
            if (pushes_(a) <= 0.0) {
                const double reach = from(a) > pushes_(a) ? from(a) / (from(a) - pushes_(a)) : 0.0;
                if (first >= 0 && reach >= way) continue;
                way = reach;
                first = a;
            }
        if (first < 0) return;
        const VectorXd there = (from + way * (pushes_ - from)).cwiseMax(0.0);
        on_.erase(on_.begin() + first);
        from.resize(there.size() - 1);
        from << there.head(first), there.tail(there.size() - first - 1);
    }
}

/// The projection of b on the cone of the outward normals at the bound: non-negative least squares (Lawson and Hanson
/// 1974), from the facets that it slides on already.
void FacetWalk::find_velocity() {
    const double negligible = 1e-11 * facets_.coupling.norm();
    for (int count = 0; count < 1000; ++count) {
        velocity_.setZero();
        for (std::size_t a = 0; a < on_.size(); ++a)
            velocity_ += pushes_(Index(a)) * side_[std::size_t(on_[a])] * facets_.normals.row(on_[a]).transpose();
        rate_ = facets_.normals * (direction_ * facets_.coupling - velocity_);
        Index most = -1;
        double push = negligible;
        if (Index(on_.size()) < facets_.states())
            for (Index k = 0; k < facets_.pairs(); ++k) {
                const double excess = side_[std::size_t(k)] * rate_(k) / size_(k);
                if (excess <= push || slides_on(k)) continue;
                push = excess;
                most = k;
            }
        if (most < 0) {
            for (const Index k : on_) rate_(k) = 0.0;
            for (Index k = 0; k < facets_.pairs(); ++k)
                if (side_[std::size_t(k)] * rate_(k) < -negligible * size_(k)) side_[std::size_t(k)] = 0;
            return;
        }
        on_.push_back(most);
        VectorXd from(pushes_.size() + 1);
        from << pushes_, 0.0;
        drop_what_pulls(std::move(from));
    }
    throw std::runtime_error("facets: the velocity is not found");
}

/// How far the load may go, and the facet that is reached there (-1: none before `most`).
std::pair<double, Index> FacetWalk::next_event(double most) const {
    double way = most;
    Index reached = -1;
    const double still = 1e-14 * facets_.coupling.norm();
    for (Index k = 0; k < facets_.pairs(); ++k) {
        const double speed = std::abs(rate_(k));
        if (speed <= still * size_(k) || side_[std::size_t(k)] * rate_(k) > 0.0) continue;
        const double room = 1.0 - std::copysign(1.0, rate_(k)) * level_(k);
        if (room >= way * speed) continue;
        way = std::max(0.0, room / speed);
        reached = k;
    }
    return {way, reached};
}

void FacetWalk::carry_slopes(double way) {
    const Index m = facets_.states(), n = Index(on_.size());
    if (n == 0) return;
    MatrixXd A(n, m);
    for (Index a = 0; a < n; ++a) A.row(a) = facets_.normals.row(on_[a]);
    const MatrixXd pseudo = (A * A.transpose()).ldlt().solve(A);  // (A A^T)^-1 A
    const MatrixXd onto = A.transpose() * pseudo;
    const MatrixXd off = MatrixXd::Identity(m, m) - onto;
    const VectorXd w = pseudo * facets_.coupling, left = off * facets_.coupling;
    const double run = direction_ * way;
    for (Index a = 0; a < n; ++a)
        slopes_.middleCols(on_[a] * m, m) += run * (w(a) * off + pseudo.row(a).transpose() * left.transpose());
    slopes_.rightCols(m) += run * onto;
}

void FacetWalk::go(double way) {
    if (way <= 0.0) return;
    RowVectorXd slopes_before;
    if (with_slopes_) {
        slopes_before = xi_slopes();
        carry_slopes(way);
    }
    if (seen_ && !on_.empty()) {
        std::vector<int> corner;
        for (const Index k : on_) corner.push_back(side_[std::size_t(k)] * int(k + 1));
        std::sort(corner.begin(), corner.end());
        seen_(corner, way * velocity_, way * z().dot(velocity_));
    }
    const double before = xi();
    q_ += way * velocity_;
    load_ += direction_ * way;
    area_ += 0.5 * direction_ * way * (before + xi());
    if (with_slopes_) area_slopes_ += 0.5 * direction_ * way * (slopes_before + xi_slopes());
}

void FacetWalk::advance(double load) {
    if (load == load_) return;
    const double towards = load > load_ ? 1.0 : -1.0;
    if (towards != direction_) {
        direction_ = towards;
        on_.clear();
        pushes_.resize(0);
        level_ = facets_.normals * z();
        find_velocity();
    }
    for (Index count = 0; count < 100 * (10 + facets_.pairs()); ++count) {
        const auto [way, reached] = next_event(direction_ * (load - load_));
        go(way);
        level_ = facets_.normals * z();
        if (reached < 0) {
            load_ = load;
            return;
        }
        const double speed = std::abs(rate_(reached));
        const int side = rate_(reached) > 0 ? 1 : -1;
        side_[std::size_t(reached)] = side;
        if (!with_slopes_) {
            find_velocity();
            continue;
        }
        const Index m = facets_.states();
        RowVectorXd closer = -side * facets_.normals.row(reached) * slopes_;  // of c.z, at fixed load
        closer.tail(m) += side * load_ * facets_.normals.row(reached);
        closer.segment(reached * m, m) += side * z().transpose();
        const VectorXd before = velocity_;
        find_velocity();
        slopes_ -= (before - velocity_) * (closer / speed);
    }
    throw std::runtime_error("facets: events do not end");
}

}  // namespace faying::network
