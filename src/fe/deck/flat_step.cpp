// Supports, equations, loads and the step of the flat deck.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "faying/core/error.hpp"
#include "flat.hpp"

namespace faying::fe::flat {

namespace {

using Key = std::pair<Index, int>;  ///< label, degree of freedom
using Terms = std::vector<std::pair<Key, double>>;

/// One term a degree of freedom, in the order they came; what cancels is gone.
Terms merged(const Terms& terms) {
    Terms sums;
    std::map<Key, std::size_t> place;
    std::vector<double> size;
    for (const auto& [key, coefficient] : terms) {
        const auto [found, fresh] = place.emplace(key, sums.size());
        if (fresh) {
            sums.push_back({key, 0.0});
            size.push_back(0.0);
        }
        sums[found->second].second += coefficient;
        size[found->second] += std::abs(coefficient);
    }
    Terms left;
    for (std::size_t k = 0; k < sums.size(); ++k)
        if (std::abs(sums[k].second) > 1e-12 * size[k]) left.push_back(sums[k]);
    return left;
}

/// The largest term that no support fixes; the number of terms when all are fixed.
std::size_t largest_free(const Terms& terms, const std::set<Key>& fixed) {
    std::size_t largest = terms.size();
    for (std::size_t k = 0; k < terms.size(); ++k)
        if (!fixed.contains(terms[k].first) &&
            (largest == terms.size() || std::abs(terms[k].second) > std::abs(terms[largest].second) * (1 + 1e-12)))
            largest = k;
    return largest;
}

/// The equations written so far, by what they eliminate.
class Written {
 public:
    void add(Terms terms) {
        const Key first = terms[0].first;
        by_first_.emplace(first, std::move(terms));
    }
    bool eliminates(const Key& key) const { return by_first_.contains(key); }
    /// The same equation in terms of what is not eliminated. Throws BadInput, at `where`, for equations that lead in a
    /// ring.
    Terms expanded(Terms terms, const std::string& where) const {
        std::size_t rounds = 0;
        for (bool again = true; again;) {
            again = false;
            if (rounds++ > by_first_.size())
                throw core::BadInput(where,
                                     "this equation and those before it lead in a ring; CalculiX cannot take them");
            Terms next;
            for (const auto& [key, coefficient] : terms) {
                const auto found = by_first_.find(key);
                if (found == by_first_.end()) {
                    next.push_back({key, coefficient});
                    continue;
                }
                again = true;
                const Terms& row = found->second;
                for (std::size_t k = 1; k < row.size(); ++k)
                    next.push_back({row[k].first, -coefficient * row[k].second / row[0].second});
            }
            terms = merged(next);
        }
        return terms;
    }

 private:
    std::map<Key, Terms> by_first_;
};

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
    std::set<Key> fixed, held_at_zero;
    Written written;
    each_support(flat, boundaries, [&](const Flat::Dof& at, double value) {
        fixed.insert({at.label, at.dof});
        if (value == 0.0) held_at_zero.insert({at.label, at.dof});
    });
    for (const auto& equation : equations) {
        // One term a degree of freedom, and first one that nothing else holds: CalculiX eliminates the first.
        Terms given;
        for (const auto& term : equation.terms) {
            const auto at = flat.dof(term.node, term.dof);
            given.push_back({{at.label, at.dof}, term.coefficient});
        }
        Terms terms = merged(given);
        std::size_t first = 0;
        while (first < terms.size() && (fixed.contains(terms[first].first) || written.eliminates(terms[first].first)))
            ++first;
        if (first == terms.size()) {
            // All eliminated, as where the reference nodes of two couplings are joined: say it of what is not.
            terms = written.expanded(std::move(terms), flat.deck.where(equation.at));
            std::erase_if(terms, [&](const auto& term) { return held_at_zero.contains(term.first); });
            if (terms.empty()) continue;  // 0 = 0
            first = largest_free(terms, fixed);
            if (first == terms.size())
                throw core::BadInput(flat.deck.where(equation.at), "every degree of freedom of this equation is fixed");
        }
        std::swap(terms[0], terms[first]);
        written.add(terms);
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
