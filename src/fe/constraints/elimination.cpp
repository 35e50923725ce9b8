#include "faying/fe/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace faying::fe {

Index DofTable::add(Index node, int dof) {
    const auto n = static_cast<std::size_t>(node);
    if (n >= of_node_.size()) of_node_.resize(n + 1, {none, none, none, none, none, none});
    Index& place = of_node_[n][static_cast<std::size_t>(dof - 1)];
    if (place == none) {
        place = size();
        dofs_.push_back({node, dof});
    }
    return place;
}

Index DofTable::find(Index node, int dof) const {
    const auto n = static_cast<std::size_t>(node);
    return node == none || n >= of_node_.size() ? none : of_node_[n][static_cast<std::size_t>(dof - 1)];
}

namespace {

struct Sum {
    double value = 0;
    double size = 0;  ///< sum of the absolute values, to know round-off by
    void add(double x) {
        value += x;
        size += std::abs(x);
    }
};

struct Entry {
    Index dof;
    double coefficient;
};

class Eliminator {
 public:
    Eliminator(const DofTable& dofs, const EliminationOptions& options)
        : dofs_(dofs), options_(options), order_(static_cast<std::size_t>(dofs.size()), none) {}

    void take(const LinearEquation& equation, std::size_t number, Elimination& result) {
        std::map<Index, Sum> terms;
        Index first = none;
        for (const Term& term : equation.terms) {
            const Index dof = dofs_.find(term.node, term.dof);
            if (dof == none || term.coefficient == 0.0) continue;
            if (first == none) first = dof;
            terms[dof].add(term.coefficient);
        }
        substitute(terms);
        const Index pivot = choose(terms, first);
        if (pivot == none) {
            result.redundant.push_back(number);
            return;
        }
        if (pivot != first) result.moved.push_back({number, pivot});
        std::vector<Entry> row;
        const double divisor = -terms[pivot].value;
        for (const auto& [dof, sum] : terms)
            if (dof != pivot) row.push_back({dof, sum.value / divisor});
        order_[static_cast<std::size_t>(pivot)] = static_cast<Index>(rows_.size());
        rows_.push_back(std::move(row));
        eliminated_.push_back(pivot);
    }

    void finish(Elimination& result) {
        // A row refers to DOF that are free or were eliminated after it: backwards, each is substituted once.
        std::vector<Index> column(order_.size(), none);
        for (std::size_t i = 0; i < order_.size(); ++i)
            if (order_[i] == none) {
                column[i] = static_cast<Index>(result.free.size());
                result.free.push_back(static_cast<Index>(i));
            }
        std::vector<Eigen::Triplet<double, Index>> entries;
        for (Index i : result.free) entries.emplace_back(i, column[static_cast<std::size_t>(i)], 1.0);
        for (std::size_t r = rows_.size(); r-- > 0;) {
            std::map<Index, Sum> terms;
            for (const Entry& e : rows_[r]) terms[e.dof].add(e.coefficient);
            substitute(terms);
            rows_[r].clear();
            for (const auto& [dof, sum] : terms) {
                rows_[r].push_back({dof, sum.value});
                entries.emplace_back(eliminated_[r], column[static_cast<std::size_t>(dof)], sum.value);
            }
        }
        result.transformation.resize(static_cast<Eigen::Index>(order_.size()),
                                     static_cast<Eigen::Index>(result.free.size()));
        result.transformation.setFromTriplets(entries.begin(), entries.end());
    }

 private:
    /// Replaces eliminated DOF by their rows, the earliest first, since rows refer to later ones only.
    void substitute(std::map<Index, Sum>& terms) const {
        std::map<Index, Index> pending;  // order of elimination -> DOF
        const auto note = [&](Index dof) {
            if (const Index order = order_[static_cast<std::size_t>(dof)]; order != none) pending.emplace(order, dof);
        };
        for (const auto& [dof, sum] : terms) note(dof);
        while (!pending.empty()) {
            const auto [order, dof] = *pending.begin();
            pending.erase(pending.begin());
            const Sum sum = terms[dof];
            terms.erase(dof);
            if (std::abs(sum.value) <= options_.round_off * sum.size) continue;
            for (const Entry& e : rows_[static_cast<std::size_t>(order)]) {
                Sum& other = terms[e.dof];
                other.value += sum.value * e.coefficient;
                other.size += sum.size * std::abs(e.coefficient);
                note(e.dof);
            }
        }
        std::erase_if(terms,
                      [&](const auto& t) { return std::abs(t.second.value) <= options_.round_off * t.second.size; });
    }

    Index choose(const std::map<Index, Sum>& terms, Index first) const {
        Index best = none;
        double largest = 0;
        const auto scaled = [&](Index dof, double value) {
            return std::abs(value) / (dofs_[dof].dof > 3 ? options_.length : 1.0);
        };
        for (const auto& [dof, sum] : terms)
            if (const double size = scaled(dof, sum.value); size > largest) {
                largest = size;
                best = dof;
            }
        const auto found = terms.find(first);
        return found != terms.end() && scaled(first, found->second.value) > 1e-6 * largest ? first : best;
    }

    const DofTable& dofs_;
    const EliminationOptions& options_;
    std::vector<Index> order_;  ///< by DOF: its row; `none`: not eliminated
    std::vector<std::vector<Entry>> rows_;
    std::vector<Index> eliminated_;  ///< by row
};

}  // namespace

Elimination eliminate(const DofTable& dofs, std::span<const LinearEquation> equations,
                      const EliminationOptions& options) {
    Elimination result;
    Eliminator eliminator(dofs, options);
    for (std::size_t k = 0; k < equations.size(); ++k) eliminator.take(equations[k], k, result);
    eliminator.finish(result);
    return result;
}

}  // namespace faying::fe
