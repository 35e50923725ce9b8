#include "relative_coordinates.hpp"

#include <fmt/format.h>

#include "faying/core/error.hpp"

namespace faying::fe {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using ByRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

class Replacing {
 public:
    Replacing(const Deck& deck, const LinearModel& model)
        : deck_(deck), model_(model), free_of_(static_cast<std::size_t>(model.all.size()), -1) {
        for (std::size_t i = 0; i < model.elimination.free.size(); ++i)
            free_of_[static_cast<std::size_t>(model.elimination.free[i])] = static_cast<int>(i);
        out.t.resize(model.stiffness.rows(), model.stiffness.rows());
        out.t.setIdentity();
        taken_.assign(static_cast<std::size_t>(out.t.rows()), 0);
    }

    RelativeCoordinates out;

    /// The first of these pairs, as many as do not read each other's places; how many they are.
    std::size_t add(std::span<const PairedFaces> pairs) {
        const ByRows rows = Sparse(relative_motion(pairs, model_.all) * model_.elimination.transformation) * out.t;
        const auto n = taken_.size();
        std::vector<int> owner(n, -1), reader(n, -1);  // of each coordinate: the pair of these
        std::vector<Eigen::Triplet<double>> entries;
        std::vector<int> all;
        Eigen::Index row = 0;
        std::size_t count = 0;
        for (; count < pairs.size(); ++count) {
            const auto& pair = pairs[count];
            const auto slots = slots_of(pair);
            const auto here = static_cast<Eigen::Index>(slots.size());
            if (count > 0 && reads(rows, row, slots, owner, reader)) break;
            take(pair, slots, owner, int(count));
            for (std::size_t k = 0; k < slots.size(); ++k)
                add_row(pair, rows, row + Eigen::Index(k), slots[k], owner, reader, int(count), entries);
            all.insert(all.end(), slots.begin(), slots.end());
            row += here;
        }
        for (int i = 0; i < int(n); ++i)
            if (owner[std::size_t(i)] < 0) entries.emplace_back(i, i, 1.0);
        Sparse here(out.t.rows(), out.t.cols());
        here.setFromTriplets(entries.begin(), entries.end());
        out.t = Sparse(out.t * here);
        out.boundary.insert(out.boundary.end(), all.begin(), all.end());
        return count;
    }

 private:
    const Deck& deck_;
    const LinearModel& model_;
    std::vector<int> free_of_;
    std::vector<char> taken_;  ///< of each free DOF: whether a pair has it

    static std::string where(const PairedFaces& pair) { return fmt::format("contact pair '{}'", pair.name); }

    std::vector<int> slots_of(const PairedFaces& pair) const {
        std::vector<int> slots;
        for (Index node : pair.nodes)
            for (int a = 1; a <= pair.dimension; ++a) {
                const Index in_all = model_.all.find(node, a);
                const int slot = in_all == none ? -1 : free_of_[static_cast<std::size_t>(in_all)];
                if (slot < 0)
                    throw core::BadInput(where(pair),
                                         fmt::format("node {} of its first surface is bound by a constraint or "
                                                     "support of the deck; swap first and second, or free it",
                                                     node_name(deck_, node)));
                slots.push_back(slot);
            }
        return slots;
    }

    /// Whether a pair reads what another of the same turn replaces, or the reverse.
    static bool reads(const ByRows& rows, Eigen::Index row, const std::vector<int>& slots,
                      const std::vector<int>& owner, const std::vector<int>& reader) {
        for (const int slot : slots)
            if (reader[std::size_t(slot)] >= 0) return true;
        for (std::size_t k = 0; k < slots.size(); ++k)
            for (ByRows::InnerIterator it(rows, row + Eigen::Index(k)); it; ++it)
                if (it.value() != 0.0 && owner[std::size_t(it.col())] >= 0) return true;
        return false;
    }

    void take(const PairedFaces& pair, const std::vector<int>& slots, std::vector<int>& owner, int number) {
        for (std::size_t k = 0; k < slots.size(); ++k) {
            char& taken = taken_[std::size_t(slots[k])];
            if (taken != 0)
                throw core::BadInput(
                    where(pair), fmt::format("node {} is on the first surface of two pairs; swap first and second of "
                                             "one of them",
                                             node_name(deck_, pair.nodes[k / std::size_t(pair.dimension)])));
            taken = 1;
            owner[std::size_t(slots[k])] = number;
        }
    }

    /// u = rows x', with one at each slot: the slot's x' becomes u minus the rest.
    static void add_row(const PairedFaces& pair, const ByRows& rows, Eigen::Index row, int slot,
                        const std::vector<int>& owner, std::vector<int>& reader, int number,
                        std::vector<Eigen::Triplet<double>>& entries) {
        entries.emplace_back(slot, slot, 1.0);
        for (ByRows::InnerIterator it(rows, row); it; ++it) {
            const bool own = it.col() == slot;
            if (own ? std::abs(it.value() - 1) > 1e-12
                    : owner[std::size_t(it.col())] == number && std::abs(it.value()) > 1e-12)
                throw core::BadInput(where(pair),
                                     "its surfaces follow each other round in a ring: part of the first is "
                                     "also part of the second");
            if (own || it.value() == 0.0) continue;
            entries.emplace_back(slot, int(it.col()), -it.value());
            reader[std::size_t(it.col())] = number;
        }
    }
};

}  // namespace

RelativeCoordinates relative_coordinates(const Deck& deck, const LinearModel& model,
                                         const std::vector<PairedFaces>& pairs) {
    Replacing replacing(deck, model);
    std::span<const PairedFaces> left(pairs);
    while (!left.empty()) left = left.subspan(replacing.add(left));
    return std::move(replacing.out);
}

}  // namespace faying::fe
