// Load histories a law is fitted to and tried on, with the network's answers.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "draws.hpp"
#include "faying/core/error.hpp"
#include "faying/core/progress.hpp"
#include "faying/network/condense.hpp"

namespace faying::network {

namespace {

constexpr int points_per_branch = 4;

/// From zero through the turning points, each way in equal pieces.
std::vector<double> through(const std::vector<double>& turns) {
    std::vector<double> loads;
    double from = 0;
    for (const double to : turns) {
        for (int k = 1; k <= points_per_branch; ++k) loads.push_back(from + (to - from) * k / points_per_branch);
        from = to;
    }
    return loads;
}

/// Turning points of a sin t + b sin w t over `periods` of the first, found on a fine grid: any history will do.
std::vector<double> two_tones(double a, double b, double w, int periods) {
    const int count = int(std::ceil(periods * 400 * std::max(1.0, w)));
    std::vector<double> turns;
    const auto at = [&](int i) {
        const double t = 2.0 * std::numbers::pi * periods * i / count;
        return a * std::sin(t) + b * std::sin(w * t);
    };
    for (int i = 1; i < count; ++i)
        if ((at(i) - at(i - 1)) * (at(i + 1) - at(i)) <= 0.0) turns.push_back(at(i));
    turns.push_back(at(count));
    return turns;
}

struct Named {
    std::string name;
    std::vector<double> turns;
};

constexpr std::size_t most_turns = 24;  // of a training history: many short ones say more than a few long ones

Named tones(double load, double share, double w, double size) {
    auto turns = two_tones(share, 1.0 - share, w, 3);
    if (turns.size() > most_turns) turns.resize(most_turns);
    double peak = 0;
    for (const double turn : turns) peak = std::max(peak, std::abs(turn));
    for (double& turn : turns) turn *= load * size / peak;
    return {fmt::format("two tones, {:.3g} of the largest load, {:.3g} of it slow, ratio {:.4g}", size, share, w),
            turns};
}

/// From side to side (`to_and_fro`) or anywhere within the size.
Named random_turns(double load, double size, bool to_and_fro, std::uint64_t seed, std::size_t count) {
    Draws draws(seed);
    std::vector<double> turns;
    for (std::size_t k = 0; k < count; ++k)
        turns.push_back(load * size * (to_and_fro ? (k % 2 ? -1 : 1) * draws.uniform() : 2.0 * draws.uniform() - 1.0));
    return {
        fmt::format("turning points at random up to {:.3g} of the largest{}", size, to_and_fro ? ", to and fro" : ""),
        turns};
}

double within(double low, double high, double part) { return low + (high - low) * part; }
/// In equal ratios.
double ratio_within(double low, double high, double part) { return low * std::pow(high / low, part); }

/// Two tones whose slow one has this part of its range, the ratio of the periods of its own, the size of its own.
Named tones_at(double load, double least, double most, double share, double ratio, double size) {
    return tones(load, within(0.2, 0.8, share), ratio_within(0.6, 6.6, ratio), ratio_within(least, most, size));
}

std::vector<KnownHistory> with_answers(const Network& network, const std::vector<Named>& all) {
    std::vector<KnownHistory> known;
    core::Progress progress("histories", all.size());
    for (const auto& one : all) {
        known.push_back(known_history(network, one.name, through(one.turns)));
        progress.at(known.size());
    }
    return known;
}

}  // namespace

void CondenseOptions::check() const {
    core::require(states >= 1 && states <= 40, "condense", "1 <= states <= 40");
    core::require(load >= 0.0 && std::isfinite(load), "condense", "load >= 0");
    core::require(smallest >= 0.0 && std::isfinite(smallest) && (load == 0.0 || smallest < load), "condense",
                  "0 <= from < load");
    core::require(facets == 0 || (facets >= states && facets <= 400), "condense", "states <= facets <= 400");
    core::require(iterations >= 1, "condense", "iterations >= 1");
}

KnownHistory known_history(const Network& network, const std::string& name, const std::vector<double>& loads) {
    auto h = follow(network, loads);
    KnownHistory known{name, std::move(h.load), std::move(h.xi), std::move(h.dissipated), std::move(h.tangent)};
    if (!network.by_force())
        for (double& t : known.tangent) t = network.held - t;
    return known;
}

double largest_load(const Network& network, const CondenseOptions& options) {
    if (options.load > 0.0) return options.load;
    const double last = network.coupling.dot(network.stiffness.ldlt().solve(network.coupling));
    Follower walk(network);
    double load = 0.01 * network.friction.sum() / network.coupling.lpNorm<1>();
    for (int k = 0; k < 200; ++k, load *= 1.1) {
        walk.advance(load);
        const double slope = network.by_force() ? walk.tangent() : network.held - walk.tangent();
        if (slope >= 0.9 * last) return load;
    }
    throw core::BadInput("condense", "the network's compliance does not settle; say the largest load with --load");
}

double smallest_share(double largest, const CondenseOptions& options) {
    constexpr double unless_given = 0.25;
    return options.smallest > 0.0 ? std::min(options.smallest / largest, 1.0) : unless_given;
}

std::vector<KnownHistory> training_histories(const Network& network, const CondenseOptions& options) {
    const double F = largest_load(network, options);
    const double least = smallest_share(F, options);
    std::vector<double> growing;
    for (int k = 0; k < 8; ++k)  // from a quarter of the smallest on
        for (const int side : {1, -1, 1, -1}) growing.push_back(side * F * std::pow(0.25 * least, 1.0 - k / 7.0));
    std::vector<Named> all{{"growing cycles", growing}};
    // They fill their ranges evenly, however many there are (the plastic number's sequence).
    const auto part = [](double step, int k) { return std::fmod(0.5 + step * k, 1.0); };
    // A little beyond both ends of what the law is for; not above a load that the network may be unable to carry.
    const double below = 0.8 * least, above = network.may_slide ? 1.0 : 1.1;
    for (int k = 1; k <= 240; ++k)
        all.push_back(tones_at(F, below, above, part(0.8191725134, k), part(0.6710436067, k), part(0.5497004779, k)));
    for (int k = 1; k <= 60; ++k)
        all.push_back(random_turns(F, ratio_within(below, above, part(0.6180339887, k)), k % 2 == 0,
                                   options.seed + std::uint64_t(k), most_turns));
    return with_answers(network, all);
}

std::vector<KnownHistory> held_out_histories(const Network& network, const CondenseOptions& options) {
    const double F = largest_load(network, options);
    const double least = smallest_share(F, options);
    std::vector<Named> all{random_turns(F, 1.0, true, options.seed, 60)};
    Draws draws(options.seed + 1000);
    all.push_back(random_turns(F, ratio_within(least, 1.0, draws.uniform()), false, options.seed + 1001, 60));
    for (int k = 0; k < 10; ++k) {
        const double share = draws.uniform(), ratio = draws.uniform(), size = draws.uniform();
        all.push_back(tones_at(F, least, 1.0, share, ratio, size));
    }
    return with_answers(network, all);
}

}  // namespace faying::network
