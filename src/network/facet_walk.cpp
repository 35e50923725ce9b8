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
      gram_(facets.normals * facets.normals.transpose()),
      along_(facets.normals * facets.coupling),
      size_(gram_.diagonal().cwiseSqrt()),
      q_(VectorXd::Zero(facets.states())),
      velocity_(q_),
      level_(VectorXd::Zero(facets.pairs())),
      rate_(level_),
      side_(std::size_t(facets.pairs()), 0),
      factor_(facets.states(), facets.states()) {
    if (!slopes) return;
    slopes_ = Rows::Zero(facets.states(), facets.size());
    along_slopes_ = area_slopes_ = closer_ = RowVectorXd::Zero(facets.size());
}

bool FacetWalk::slides_on(Index k) const { return std::find(on_.begin(), on_.end(), k) != on_.end(); }

RowVectorXd FacetWalk::xi_slopes() const {
    RowVectorXd slope = along_slopes_;
    slope.tail(facets_.states()) += q_.transpose();
    return slope;
}
RowVectorXd FacetWalk::dissipated_slopes() const {
    RowVectorXd slope = load_ * xi_slopes() - area_slopes_;
    for (Index j = 0; j < facets_.states(); ++j) slope -= q_(j) * slopes_.row(j);
    return slope;
}

/// Cholesky's factor of the Gram matrix of `on_`, whose sizes are few: as a library of large matrices does it, most of
/// the time would go elsewhere.
void FacetWalk::factor() {
    constexpr double parallel = 1e-13;
    const Index n = Index(on_.size());
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j <= i; ++j) {
            double sum = gram_(on_[i], on_[j]);
            for (Index k = 0; k < j; ++k) sum -= factor_(i, k) * factor_(j, k);
            if (j < i)
                factor_(i, j) = sum / factor_(j, j);
            else if (sum > parallel * gram_(on_[i], on_[i]))
                factor_(i, i) = std::sqrt(sum);
            else
                throw std::runtime_error("facets: nearly parallel");
        }
}

void FacetWalk::solve(double* x) const {
    const Index n = Index(on_.size());
    for (Index i = 0; i < n; ++i) {
        for (Index k = 0; k < i; ++k) x[i] -= factor_(i, k) * x[k];
        x[i] /= factor_(i, i);
    }
    for (Index i = n; i-- > 0;) {
        for (Index k = i + 1; k < n; ++k) x[i] -= factor_(k, i) * x[k];
        x[i] /= factor_(i, i);
    }
}

/// So that z stays on all facets of `on_`.
void FacetWalk::find_pushes() {
    factor();
    pushes_.resize(on_.size());
    for (std::size_t a = 0; a < on_.size(); ++a) pushes_[a] = along_(on_[a]);
    solve(pushes_.data());
    for (std::size_t a = 0; a < on_.size(); ++a) pushes_[a] *= direction_ * side_[std::size_t(on_[a])];
}

/// Facets push and never pull: from the pushes so far (`from_`) towards those needed, one after the other that comes to
/// nothing is let go.
void FacetWalk::drop_what_pulls() {
    for (;;) {
        find_pushes();
        double way = 1.0;
        std::size_t first = on_.size();
        for (std::size_t a = 0; a < on_.size(); ++a)
            if (pushes_[a] <= 0.0) {
                const double reach = from_[a] > pushes_[a] ? from_[a] / (from_[a] - pushes_[a]) : 0.0;
                if (first < on_.size() && reach >= way) continue;
                way = reach;
                first = a;
            }
        if (first == on_.size()) return;
        for (std::size_t a = 0; a < on_.size(); ++a) from_[a] = std::max(0.0, from_[a] + way * (pushes_[a] - from_[a]));
        on_.erase(on_.begin() + std::ptrdiff_t(first));
        from_.erase(from_.begin() + std::ptrdiff_t(first));
    }
}

/// The projection of b on the cone of the outward normals at the bound: non-negative least squares (Lawson and Hanson
/// 1974), from the facets that it slides on already.
void FacetWalk::find_velocity() {
    const double negligible = 1e-11 * facets_.coupling.norm();
    for (int count = 0; count < 1000; ++count) {
        rate_ = direction_ * along_;
        for (std::size_t a = 0; a < on_.size(); ++a)
            rate_ -= (pushes_[a] * side_[std::size_t(on_[a])]) * gram_.col(on_[a]);
        Index most = -1;
        double push = negligible;
        if (Index(on_.size()) < facets_.states())
            for (Index k = 0; k < facets_.pairs(); ++k) {
                if (side_[std::size_t(k)] == 0) continue;
                const double excess = side_[std::size_t(k)] * rate_(k) / size_(k);
                if (excess <= push || slides_on(k)) continue;
                push = excess;
                most = k;
            }
        if (most < 0) break;
        if (count == 999) throw std::runtime_error("facets: the velocity is not found");
        on_.push_back(most);
        from_ = pushes_;
        from_.push_back(0.0);
        drop_what_pulls();
    }
    velocity_.setZero();
    for (std::size_t a = 0; a < on_.size(); ++a) {
        velocity_ += pushes_[a] * side_[std::size_t(on_[a])] * facets_.normals.row(on_[a]).transpose();
        rate_(on_[a]) = 0.0;
    }
    for (Index k = 0; k < facets_.pairs(); ++k)
        if (side_[std::size_t(k)] * rate_(k) < -negligible * size_(k)) side_[std::size_t(k)] = 0;
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
    const double run = direction_ * way;
    const VectorXd left = facets_.coupling - direction_ * velocity_;  // of b, off the span
    MatrixXd pseudo(n, m);                                            // (A A^T)^-1 A, A the normals of on_
    for (Index a = 0; a < n; ++a) pseudo.row(a) = facets_.normals.row(on_[a]);
    for (Index j = 0; j < m; ++j) solve(&pseudo(0, j));
    MatrixXd onto = MatrixXd::Zero(m, m);
    for (Index a = 0; a < n; ++a) onto.noalias() += facets_.normals.row(on_[a]).transpose() * pseudo.row(a);
    const auto add = [&](Index column, Index i, double slope) {
        slopes_(i, column) += slope;
        along_slopes_(column) += facets_.coupling(i) * slope;
    };
    for (Index a = 0; a < n; ++a) {
        const double w = direction_ * side_[std::size_t(on_[a])] * pushes_[std::size_t(a)];
        for (Index i = 0; i < m; ++i)
            for (Index j = 0; j < m; ++j)
                add(on_[a] * m + j, i, run * (w * ((i == j) - onto(i, j)) + pseudo(a, i) * left(j)));
    }
    for (Index i = 0; i < m; ++i)
        for (Index j = 0; j < m; ++j) add(facets_.pairs() * m + j, i, run * onto(i, j));
}

/// Where facet `reached` is met: dq -> dq + (v_before - v_after) df*; `velocity_` is the one before.
void FacetWalk::jump_slopes(Index reached, int side, double speed) {
    const Index m = facets_.states();
    closer_.setZero();  // of c.z over its speed, at fixed load: how much earlier the facet is met
    for (Index i = 0; i < m; ++i) closer_ -= (side / speed * facets_.normals(reached, i)) * slopes_.row(i);
    closer_.tail(m) += (side / speed * load_) * facets_.normals.row(reached);
    closer_.segment(reached * m, m) += side / speed * z().transpose();
    VectorXd turned = velocity_;
    find_velocity();
    turned -= velocity_;
    for (Index i = 0; i < m; ++i) slopes_.row(i) -= turned(i) * closer_;
    along_slopes_ -= facets_.coupling.dot(turned) * closer_;
}

void FacetWalk::go(double way) {
    if (way <= 0.0) return;
    const double half = 0.5 * direction_ * way;
    if (with_slopes_) {
        area_slopes_ += half * along_slopes_;
        area_slopes_.tail(facets_.states()) += half * q_.transpose();
        carry_slopes(way);
    }
    if (seen_ && !on_.empty()) {
        std::vector<int> corner;
        for (const Index k : on_) corner.push_back(side_[std::size_t(k)] * int(k + 1));
        std::sort(corner.begin(), corner.end());
        seen_(corner, way * velocity_, way * z().dot(velocity_));
    }
    area_ += half * xi();
    q_ += way * velocity_;
    load_ += direction_ * way;
    level_ += way * rate_;
    area_ += half * xi();
    if (!with_slopes_) return;
    area_slopes_ += half * along_slopes_;
    area_slopes_.tail(facets_.states()) += half * q_.transpose();
}

void FacetWalk::advance(double load) {
    if (load == load_) return;
    const double towards = load > load_ ? 1.0 : -1.0;
    if (towards != direction_) {
        direction_ = towards;
        on_.clear();
        pushes_.clear();
        level_ = facets_.normals * z();
        find_velocity();
    }
    for (Index count = 0; count < 100 * (10 + facets_.pairs()); ++count) {
        const auto [way, reached] = next_event(direction_ * (load - load_));
        go(way);
        if (reached < 0) {
            load_ = load;
            return;
        }
        const double speed = std::abs(rate_(reached));
        const int side = rate_(reached) > 0 ? 1 : -1;
        side_[std::size_t(reached)] = side;
        level_(reached) = side;
        if (with_slopes_)
            jump_slopes(reached, side, speed);
        else
            find_velocity();
    }
    throw std::runtime_error("facets: events do not end");
}

}  // namespace faying::network
