#pragma once
// sice, nnm and ignl, and what they share: which structure, which mode, which amplitudes.

#include <memory>

#include "faying/results/geometric.hpp"
#include "faying/sparse/ranks.hpp"
#include "show.hpp"

namespace faying::app {

struct GeometricWords {
    Common common;
    io::OutputFiles files;
    std::string at, range;
    std::vector<std::string> elements;
    std::string weighting;
    results::GeometricRequest request;
};

void add_geometric(CLI::App& command, GeometricWords& words, const std::string& amplitude);

/// Amplitudes (--at q1,q2,.., --range LO:HI:N or HI; none when neither is given) and choices about a deck, checked.
void complete(GeometricWords& words, bool both_sides);

/// What `work` makes, shown on the first rank.
template <class Work>
void show_geometric(const GeometricWords& words, const char* command, const Work& work) {
    auto stages = std::make_unique<core::Stages>(command);
    const auto run = work(*stages);
    stages.reset();
    if (sparse::launched() && sparse::rank() != 0) return;
    if constexpr (requires { run.note(); })
        if (const auto note = run.note(); !note.empty()) core::tell("faying: note: " + note + "\n");
    show(words.common, words.files, command, run);
    run.require_converged();
}

}  // namespace faying::app
