#pragma once
// Random numbers that are the same on every machine: splitmix64 (Steele, Lea and Flood 2014) and Box-Muller.

#include <cmath>
#include <cstdint>
#include <numbers>

namespace faying::network {

class Draws {
 public:
    explicit Draws(std::uint64_t seed) : state_(seed) {}
    double uniform() { return (double(next() >> 11) + 0.5) * 0x1p-53; }
    double normal() {
        if (kept_) {
            kept_ = false;
            return second_;
        }
        const double radius = std::sqrt(-2.0 * std::log(uniform()));
        const double angle = 2.0 * std::numbers::pi * uniform();
        second_ = radius * std::sin(angle);
        kept_ = true;
        return radius * std::cos(angle);
    }

 private:
    std::uint64_t state_;
    double second_ = 0;
    bool kept_ = false;

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
};

}  // namespace faying::network
