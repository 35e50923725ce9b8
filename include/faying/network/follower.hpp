#pragma once
// A network along a load history, exactly. Between events (a slider begins to slip, or stops) everything is linear in
// the load, so events are found and not stepped to. With r = b f - K x the friction forces, |r| <= mu, and s the
// direction of the load, velocities v = dx/|df| on the set B of sliders at their bound solve
//
//     r' = s b - K v,    side v >= 0,   side r' <= 0,   v r' = 0 on B,    v = 0 elsewhere:
//
// a strictly convex problem, so v is unique, whatever happens at once. A slider that reaches its bound is raised from
// rest; those whose velocity falls to zero meanwhile stop; each step lowers a convex function, so nothing comes twice.
// The next event is the first friction force to reach its bound. A turning point starts from rest.
//
//     Follower walk(net);
//     for (const double f : history) { walk.advance(f); print(walk.xi(), walk.dissipated()); }
//
// Cost of an event: O(n^2) at matrix-product speed. A decoupled network goes by play operators: plays.hpp.

#include <cstdint>
#include <memory>
#include <vector>

#include "faying/network/complementarity.hpp"
#include "faying/network/network.hpp"

namespace faying::network {

/// What makes up a network's past.
struct NetworkState {
    double load = 0;
    Eigen::VectorXd x, r;             ///< positions and friction forces
    std::vector<std::int8_t> side;    ///< the bound a slider is at: -1, 1, or 0 for none
    double work = 0, dissipated = 0;  ///< since virgin
};

/// Told of what happens along a walk, before it does: sensitivity.hpp carries derivatives along with it.
class Watch {
 public:
    virtual ~Watch() = default;
    /// The load turns (or sets out) here, and nothing moves.
    virtual void turns() = 0;
    /// This slider's friction force has got to its bound at `rate`; what moves still moves as it did on the way here.
    virtual void arrives(Eigen::Index slider, double rate) = 0;
    /// This one, which has moved, rests.
    virtual void stops(Eigen::Index slider) = 0;
};

class Follower {
 public:
    /// Throws core::BadInput for a network that check_network refuses.
    explicit Follower(const Network& network, Method method = Method::events);
    /// One that has been checked, shared between walks.
    explicit Follower(std::shared_ptr<const Network> network, Method method = Method::events);
    ~Follower();
    Follower(Follower&&) noexcept;
    Follower& operator=(Follower&&) noexcept;

    /// Straight to this load. Throws core::BadInput where no equilibrium carries it (may_slide networks).
    void advance(double load);

    /// In this direction (1 or -1) until no more can happen; returns the loads at which sliders began to slip or
    /// stopped. Throws as `advance` does.
    std::vector<double> go_on(int direction);

    const NetworkState& state() const;
    void set_state(const NetworkState& state);

    double load() const { return state().load; }
    /// coupling.x
    double xi() const;
    /// What the drive does not prescribe: displacement xi of a network driven by force, else force k0 u - g.x.
    double answer() const;
    /// Its derivative to the load in the direction last travelled.
    double tangent() const;
    double work() const { return state().work; }
    double dissipated() const { return state().dissipated; }
    double stored() const;
    /// By how much the equations are violated here, relative to the forces in them: b f - K x - r, and |r| - mu.
    double residual() const;
    int slipping() const;
    bool slips(Eigen::Index slider) const;
    /// Those that slip, in the order they began, and dx/|dload| of all.
    const std::vector<Eigen::Index>& moving() const;
    const Eigen::VectorXd& velocities() const;
    /// 1 or -1: of the load; 0 before anything moved.
    int direction() const;
    /// How often a slider began to slip or stopped between turning points.
    std::uint64_t events() const;
    const Network& network() const;
    /// From here on `by` is told (nobody: null). It must outlive this walk or be taken off.
    void watch(Watch* by);

 private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace faying::network
