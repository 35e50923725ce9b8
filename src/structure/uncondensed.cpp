#include "faying/structure/uncondensed.hpp"

#include <fmt/format.h>

#include "faying/core/error.hpp"

namespace faying::structure {

Reduced without_coordinates(const Uncondensed& structure) {
    Reduced reduced;
    reduced.mass.resize(0, 0);
    reduced.stiffness.resize(0, 0);
    reduced.loads = structure.loads;
    reduced.outputs = structure.outputs;
    reduced.pairs = structure.pairs;
    reduced.provenance = structure.provenance;
    return reduced;
}

void check_uncondensed(const Uncondensed& s, const std::string& where) {
    const Eigen::Index n = s.stiffness.rows();
    const auto require = [&](bool held, const std::string& what) {
        if (!held) throw core::BadInput(where, what);
    };
    require(n > 0 && s.stiffness.cols() == n, "its stiffness is not square");
    for (const auto& [name, load] : s.loads)
        require(load.size() == n, fmt::format("load '{}' has {} entries; expected {}", name, load.size(), n));
    for (const auto& output : s.outputs)
        require(output.row.size() == n,
                fmt::format("output '{}' has {} entries; expected {}", output.name, output.row.size(), n));
    require(!s.pairs.empty() && s.rows.size() == s.pairs.size(), "it needs contact pairs and the rows of each");
    for (std::size_t k = 0; k < s.pairs.size(); ++k) {
        const auto& q = s.pairs[k].sites;
        const auto sites = q.weight.size();
        const std::string pair = fmt::format("contact pair '{}': ", s.pairs[k].name);
        require(sites > 0 && (q.weight.array() > 0).all(), pair + "areas of its sites must be positive");
        require(s.pairs[k].gap.size() == sites, pair + "needs a gap of every site");
        require(q.interpolation.rows() == 3 * sites && q.interpolation.cols() == Eigen::Index(s.rows[k].size()),
                pair + "the interpolation does not fit its sites and rows");
        for (const int row : s.rows[k])
            require(row >= 0 && row < n, fmt::format("{}row {} is not below {}", pair, row, n));
        require(s.pairs[k].penalty > 0, pair + "its penalty stiffness must be positive");
    }
}

}  // namespace faying::structure
