#pragma once
// A network whose K is diagonal: slider i is a play operator of half width phi = mu/|b| on the load,
//
//     x = (b/K) p,    p <- clip(p, f - phi, f + phi),     xi = Sum c p,   c = b^2/K.
//
// All see the same load, so what each remembers is in the turning points that no later load has passed: on a branch of
// length L from one of them, exactly the sliders with 2 phi < L slip. With the sliders sorted by phi, and the sums of
// c, c phi and c phi^2 over the first k of them, any answer takes one search: O(log n) at a turning point, whatever n.
//
//     Plays walk(net);  walk.advance(0.7);  walk.xi(), walk.dissipated();

#include <cstdint>
#include <vector>

#include "faying/network/network.hpp"

namespace faying::network {

class Plays {
 public:
    /// Throws core::BadInput for a network that check_network refuses or whose K is not diagonal.
    explicit Plays(const Network& network);

    void advance(double load);

    double load() const { return load_; }
    double xi() const { return now_.xi; }
    double answer() const { return by_force_ ? xi() : held_ * load_ - xi(); }
    double tangent() const;
    double work() const { return dissipated_ + stored(); }
    double dissipated() const { return dissipated_; }
    double stored() const { return by_force_ ? now_.stored : now_.stored + load_ * (0.5 * held_ * load_ - xi()); }
    int slipping() const { return int(slipping_); }
    bool slips(Eigen::Index slider) const;
    std::uint64_t events() const { return events_; }
    /// Positions, O(n) times the turning points remembered.
    Eigen::VectorXd positions() const;

 private:
    struct Point {
        double load = 0, xi = 0, stored = 0;  ///< `stored` in the sliders' own springs
    };
    struct Sums {
        double c = 0, c_phi = 0, c_phi2 = 0;
    };
    bool by_force_;
    double held_;
    std::vector<double> phi_;                     ///< ascending
    std::vector<Sums> below_;                     ///< over the first k sliders
    std::vector<std::size_t> place_;              ///< of each slider in that order
    Eigen::VectorXd reach_, positions_per_play_;  ///< by slider: phi, b/K
    std::vector<Point> turns_;                    ///< none: on the virgin curve
    Point now_;
    double load_ = 0, dissipated_ = 0;
    int direction_ = 0;
    std::size_t slipping_ = 0;
    std::uint64_t events_ = 0;

    std::size_t count_below(double phi) const;
    Point on_branch(const Point& from, double load, double& dissipated, std::size_t& slipping) const;
    void go(double load);
};

}  // namespace faying::network
