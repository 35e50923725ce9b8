#pragma once
// From a deck to a structure with contact pairs that is not condensed: what `faying reduce --solver sparse` does.
//
//     const SparseContact made = leave_uncondensed(deck, options);     // options.pairs, loads, outputs
//     files::write_uncondensed("plate.h5", made.structure);

#include "faying/fe/reduction.hpp"
#include "faying/structure/uncondensed.hpp"

namespace faying::fe {

struct SparseContact {
    Reduction about;  ///< model, pairs, notes; nothing is reduced
    structure::Uncondensed structure;
};

/// Relative motions of the pairs of a deck: so many rows a condensed model would have.
Index relative_motions(const Deck& deck, const ReduceOptions& options);

/// Throws BadInput as fe::reduce does, and for a structure that nothing holds.
SparseContact leave_uncondensed(const Deck& deck, const ReduceOptions& options);

}  // namespace faying::fe
