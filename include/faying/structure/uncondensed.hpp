#pragma once
// A structure with contact pairs as it is, nothing condensed: what slow histories of very many sites of contact take.
// Coordinates are all its free DOF, those of the pairs' first sides being relative motions.

#include "faying/structure/reduced.hpp"

namespace faying::structure {

struct Uncondensed {
    Eigen::SparseMatrix<double> stiffness;                       ///< all entries, symmetric
    std::vector<std::pair<std::string, Eigen::VectorXd>> loads;  ///< named static load vectors
    std::vector<Output> outputs;
    /// Sites read interpolation x(rows of the pair); their maps have no columns.
    std::vector<ContactPair> pairs;
    std::vector<std::vector<int>> rows;  ///< of each pair: the coordinates that are its relative motions
    std::map<std::string, std::string> provenance;
};

/// The same as far as a reduced model goes: its pairs, loads and outputs, without coordinates. For whoever puts laws on
/// the pairs.
Reduced without_coordinates(const Uncondensed& structure);
/// Throws BadInput unless all sizes agree. `where` opens the message.
void check_uncondensed(const Uncondensed& structure, const std::string& where);

}  // namespace faying::structure
