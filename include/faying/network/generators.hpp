#pragma once
// Networks anyone can make again: everything random comes from splitmix64 with the seed given, and is the same on every
// machine.
//
//     u = ((next >> 11) + 1/2) 2^-53 in (0, 1); normal numbers in pairs by Box-Muller, cosine first.

#include <cstdint>
#include <string>
#include <vector>

#include "faying/network/network.hpp"

namespace faying::network {

/// [S3] 2.2: K = P^T diag(3 u) P with P the orthogonal factor of an n x n matrix of normal numbers (drawn row by row;
/// diagonal of R positive), then b normal, mu uniform in (0, 1); drawn in the order P, the 3 u, b, mu.
Network random_network(int n, std::uint64_t seed);

/// [S3] Eq. 3.2: n sliders of stiffness 1/n side by side that slip at a stretch of j mu0, j = 1..n, driven by
/// displacement: f = u - mean(x).
Network parallel_network(int n, double mu0);

/// n sliders in a row, neighbours joined by springs of stiffness 1 and the last to ground by a spring 1/n; the load
/// pulls the first. mu = 1/n each: friction that is overcome from the loaded end on.
Network chain_network(int n);

/// n sliders at random places of the unit square, springs to the six nearest of each (stiffness in inverse proportion
/// to distance), weak springs to ground, friction uniform in (0, 2/n); the load pulls all that lie in the left fifth.
Network mesh_network(int n, std::uint64_t seed);

/// What distinguishes one realisation: printed so that anyone can see that he has the same one.
struct Checksum {
    std::string name;
    double value;
};
std::vector<Checksum> checksums(const Network& network);

}  // namespace faying::network
