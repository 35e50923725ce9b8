#include "faying/network/sensitivity.hpp"

#include <algorithm>

namespace faying::network {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

Sensitivity::Sensitivity(Follower& walk, Index directions, Moved moved)
    : walk_(walk),
      moved_(std::move(moved)),
      x_(MatrixXd::Zero(walk.network().size(), directions)),
      dissipated_(RowVectorXd::Zero(directions)) {
    walk_.watch(this);
}

void Sensitivity::set_state(const MatrixXd& positions, const RowVectorXd& dissipated) {
    x_ = positions;
    dissipated_ = dissipated;
    before_.clear();
}

/// Of the sliders that move, a row each; `change` becomes that of b f - K x of all of them, with what rests.
MatrixXd Sensitivity::equilibrium(const std::vector<Index>& moving, const RowVectorXd& slope, MatrixXd& change) {
    const auto& net = walk_.network();
    change = net.coupling * slope;
    if (moved_) {
        MatrixXd own = MatrixXd::Zero(x_.rows(), x_.cols());
        moved_(walk_.load(), walk_.state().x, own);
        change += own;
    }
    MatrixXd resting = x_;
    for (const Index i : moving) resting.row(i).setZero();
    change.noalias() -= net.stiffness * resting;
    if (moving.empty()) return MatrixXd(0, x_.cols());
    if (moving != factored_) {
        factor_.compute(net.stiffness(moving, moving));
        factored_ = moving;
    }
    return factor_.solve(MatrixXd(change(moving, Eigen::all)));
}

/// A slider that has moved is where it is: its derivative, and what friction took on the way since it was last kept.
void Sensitivity::keep(Index i, const RowVectorXd& slope) {
    const auto& state = walk_.state();
    const double force = state.side[std::size_t(i)] * walk_.network().friction(i);
    dissipated_ += force * (slope - x_.row(i));
    x_.row(i) = slope;
}

void Sensitivity::advance(double load, const RowVectorXd& slope) {
    walk_.advance(load);
    const auto& moving = walk_.moving();
    MatrixXd change;
    const MatrixXd now = equilibrium(moving, slope, change);
    for (std::size_t a = 0; a < moving.size(); ++a) keep(moving[a], now.row(Index(a)));
}

/// `advance` has kept everything at the load where the walk turns.
void Sensitivity::turns() { before_.clear(); }

void Sensitivity::arrives(Index slider, double rate) {
    before_ = walk_.moving();
    velocities_ = walk_.velocities();
    arrived_ = slider;
    rate_ = rate;
    at_event_.resize(0, 0);
}

void Sensitivity::stops(Index slider) {
    const auto place = std::find(before_.begin(), before_.end(), slider);
    if (place == before_.end()) return;  // it has not moved since it was kept
    if (at_event_.size() == 0) {
        MatrixXd change;
        at_event_ = equilibrium(before_, RowVectorXd::Zero(x_.cols()), change);
        RowVectorXd force = change.row(arrived_);
        for (std::size_t a = 0; a < before_.size(); ++a)
            force -= walk_.network().stiffness(arrived_, before_[a]) * at_event_.row(Index(a));
        // Its friction force changes by `force` at fixed load, so the event comes that much earlier.
        const RowVectorXd way = -force / rate_;
        for (std::size_t a = 0; a < before_.size(); ++a) at_event_.row(Index(a)) += velocities_(before_[a]) * way;
    }
    keep(slider, at_event_.row(place - before_.begin()));
}

}  // namespace faying::network
