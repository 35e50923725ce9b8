// Supports, equations, loads and the step of the flat deck.

#include <fmt/format.h>

#include <iterator>
#include <set>
#include <utility>

#include "deck_flat.hpp"
#include "faying/core/error.hpp"

namespace faying::fe::flat {

namespace {

using Key = std::pair<Index, int>;  ///< label, degree of freedom

template <class Write>
void each_support(const Flat& flat, const std::vector<Boundary>& boundaries, const Write& write) {
    for (const auto& boundary : boundaries)
        for (Index node : nodes_of(flat.deck, boundary.target))
            for (int dof = 1; dof <= 6; ++dof) {
                if (!boundary.dofs.has(dof)) continue;
                // Rotations of a node that has none, as in ENCASTRE on a solid, hold nothing.
                if (const auto at = flat.dof(node, dof); at.label != 0) write(at, boundary.value);
            }
}

}  // namespace

void write_supports(Flat& flat, const std::vector<Boundary>& boundaries) {
    std::string lines;
    const bool all = std::holds_alternative<FrequencyStep>(flat.options.step);
    each_support(flat, boundaries, [&](const Flat::Dof& at, double value) {
        if (value == 0.0 || all) fmt::format_to(std::back_inserter(lines), "{},{},{}\n", at.label, at.dof, at.dof);
    });
    if (!lines.empty()) flat.text += "*BOUNDARY\n" + lines;
}

void write_equations(Flat& flat, const std::vector<LinearEquation>& equations,
                     const std::vector<Boundary>& boundaries) {
    std::set<Key> fixed, dependent;
    std::set<Key> held_at_zero;
    each_support(flat, boundaries, [&](const Flat::Dof& at, double value) {
        fixed.insert({at.label, at.dof});
        if (value == 0.0) held_at_zero.insert({at.label, at.dof});
    });
    for (const auto& equation : equations) {
        // One term a degree of freedom, and first one that nothing else holds: CalculiX eliminates the first.
        std::vector<std::pair<Key, double>> terms;
        for (const auto& term : equation.terms) {
            const auto at = flat.dof(term.node, term.dof);
            const Key key{at.label, at.dof};
            bool merged = false;
            for (auto& [other, coefficient] : terms)
                if (other == key) {
                    coefficient += term.coefficient;
                    merged = true;
                }
            if (!merged) terms.push_back({key, term.coefficient});
        }
        std::erase_if(terms, [](const auto& term) { return term.second == 0.0; });
        std::size_t first = 0;
        while (first < terms.size() && (fixed.contains(terms[first].first) || dependent.contains(terms[first].first)))
            ++first;
        if (first == terms.size()) {
            bool nothing_left = true;
            for (const auto& term : terms) nothing_left = nothing_left && held_at_zero.contains(term.first);
            if (nothing_left) continue;  // 0 = 0
            throw core::BadInput(flat.deck.where(equation.at),
                                 "every degree of freedom of this equation is fixed or already eliminated");
        }
        std::swap(terms[0], terms[first]);
        dependent.insert(terms[0].first);
        fmt::format_to(std::back_inserter(flat.text), "*EQUATION\n{}\n", terms.size());
        for (std::size_t k = 0; k < terms.size(); ++k)
            fmt::format_to(std::back_inserter(flat.text), "{},{},{}{}", terms[k].first.first, terms[k].first.second,
                           ccx_number(terms[k].second), k + 1 == terms.size() || k % 4 == 3 ? "\n" : ",");
    }
}

void write_step(Flat& flat, const std::vector<Boundary>& boundaries, const std::vector<PointLoad>& loads) {
    if (const auto* frequency = std::get_if<FrequencyStep>(&flat.options.step)) {
        flat.text += fmt::format("*STEP\n*FREQUENCY{}\n{}\n{}*END STEP\n",
                                 frequency->store_matrices ? ", SOLVER=MATRIXSTORAGE" : "", frequency->modes,
                                 frequency->store_matrices ? "" : flat.options.requests);
        return;
    }
    if (!std::holds_alternative<StaticStep>(flat.options.step)) return;
    flat.text += "*STEP\n*STATIC\n";
    std::string lines;
    each_support(flat, boundaries, [&](const Flat::Dof& at, double value) {
        if (value != 0.0)
            fmt::format_to(std::back_inserter(lines), "{},{},{},{}\n", at.label, at.dof, at.dof, ccx_number(value));
    });
    if (!lines.empty()) flat.text += "*BOUNDARY\n" + lines;
    lines.clear();
    for (const auto& load : loads) {
        if (!load.amplitude.empty())
            flat.leave_out(load.at, fmt::format("amplitude '{}' of a load: the full load is written", load.amplitude));
        for (Index node : nodes_of(flat.deck, load.target)) {
            const auto at = flat.dof(node, load.dof);
            fmt::format_to(std::back_inserter(lines), "{},{},{}\n", at.label, at.dof, ccx_number(load.value));
        }
    }
    if (!lines.empty()) flat.text += "*CLOAD\n" + lines;
    flat.text += flat.options.requests + "*END STEP\n";
}

}  // namespace faying::fe::flat
