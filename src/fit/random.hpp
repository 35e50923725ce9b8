#pragma once
// Random numbers that depend on a key alone (seed, chain, iteration, ..), so that what is drawn does not depend on
// threads, nor on where a run was taken up again.

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numbers>

namespace faying::fit {

/// SplitMix64 (Steele and others 2014).
class Random {
 public:
    explicit Random(std::initializer_list<std::uint64_t> key) {
        for (const auto part : key) state_ = mixed(state_ ^ mixed(part + 0x9e3779b97f4a7c15u));
    }

    std::uint64_t bits() { return mixed(state_ += 0x9e3779b97f4a7c15u); }
    double uniform() { return (double(bits() >> 11) + 0.5) * 0x1p-53; }  ///< in (0, 1)
    double normal() {
        if (kept_) {
            kept_ = false;
            return spare_;
        }
        const double radius = std::sqrt(-2 * std::log(uniform())), angle = 2 * std::numbers::pi * uniform();
        spare_ = radius * std::sin(angle);
        kept_ = true;
        return radius * std::cos(angle);
    }

 private:
    std::uint64_t state_ = 0x853c49e6748fea9bu;
    double spare_ = 0;
    bool kept_ = false;

    static std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    }
};

}  // namespace faying::fit
