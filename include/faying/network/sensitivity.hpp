#pragma once
// Derivatives along a network's walk, exact, several at once. The network's numbers (through `moved`) and the loads may
// both change with the parameters p.
//
// Positions are continuous, so all that a slider remembers is where it rests. Those that move, S, are where equilibrium
// puts them,
//
//     K_SS dx_S = d(b f - K x)_S + b_S df - K_SN dx_N,
//
// and those that rest, N, keep the derivative with which they stopped: at a turning point at the load given; at an event
// at a load f* that moves so that the friction force which gets to its bound there stays at it. What is dissipated is
// Sum mu |dx|, so its derivative needs positions alone. Nothing is needed where sliders begin to move.
//
//     Follower walk(net);
//     Sensitivity slopes(walk, 1);                       // one direction: the load itself
//     slopes.advance(0.7, Eigen::RowVectorXd::Ones(1));
//     net.coupling.dot(slopes.positions().col(0));       // dxi/df

#include <Eigen/Cholesky>
#include <functional>
#include <vector>

#include "faying/network/follower.hpp"

namespace faying::network {

class Sensitivity final : public Watch {
 public:
    /// The change of b f - K x in each direction at fixed load and positions: a column each.
    using Moved = std::function<void(double load, const Eigen::VectorXd& x, Eigen::MatrixXd& change)>;

    /// Watches `walk` until it ends. Without `moved` only loads change.
    Sensitivity(Follower& walk, Eigen::Index directions, Moved moved = {});
    ~Sensitivity() override { walk_.watch(nullptr); }
    Sensitivity(const Sensitivity&) = delete;
    Sensitivity& operator=(const Sensitivity&) = delete;

    /// Straight to this load, which itself changes by `slope`.
    void advance(double load, const Eigen::RowVectorXd& slope);

    /// At the load reached: of every slider's position (a row each), and of what is dissipated since virgin.
    const Eigen::MatrixXd& positions() const { return x_; }
    const Eigen::RowVectorXd& dissipated() const { return dissipated_; }
    /// Goes on from elsewhere: with the walk's set_state.
    void set_state(const Eigen::MatrixXd& positions, const Eigen::RowVectorXd& dissipated);

    void turns() override;
    void arrives(Eigen::Index slider, double rate) override;
    void stops(Eigen::Index slider) override;

 private:
    Follower& walk_;
    Moved moved_;
    Eigen::MatrixXd x_;
    Eigen::RowVectorXd dissipated_;
    std::vector<Eigen::Index> before_;  ///< what moved on the way to the last event; empty: none since the turn
    Eigen::VectorXd velocities_;        ///< with these velocities
    Eigen::Index arrived_ = 0;
    double rate_ = 0;
    Eigen::MatrixXd at_event_;  ///< of those positions where the event is, with the event; filled when asked for

    std::vector<Eigen::Index> factored_;  ///< those of the last equilibrium,
    Eigen::LLT<Eigen::MatrixXd> factor_;  ///< and K of them
    Eigen::MatrixXd equilibrium(const std::vector<Eigen::Index>& moving, const Eigen::RowVectorXd& slope,
                                Eigen::MatrixXd& change);
    void keep(Eigen::Index slider, const Eigen::RowVectorXd& slope);
};

}  // namespace faying::network
