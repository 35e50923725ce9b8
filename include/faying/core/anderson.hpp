#pragma once
// Fixed points of x = G(x) from pairs (x, G(x)): Anderson's mixing over all pairs so far.
//
// For a map that is nearly linear it is done after about as many pairs as the map has slow directions. It moves only
// along what G has moved, so that where many points are fixed it leads to the one that repeating G would lead to.

#include <Eigen/Dense>
#include <vector>

namespace faying::core {

class Anderson {
 public:
    explicit Anderson(std::size_t most_pairs = 20) : most_(most_pairs) {}
    /// The next x to try. An image longer than x carries along what depends linearly on x: it is mixed alike.
    Eigen::VectorXd next(const Eigen::VectorXd& x, const Eigen::VectorXd& image);
    void forget();

 private:
    std::size_t most_;
    std::vector<Eigen::VectorXd> misses_, images_;
};

}  // namespace faying::core
