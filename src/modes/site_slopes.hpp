#pragma once
// Derivatives of what joints do along two moves, site by site.
//
// A site of one displacement that remembers one number is a small function of few inputs: its parameters p, the place
// u_0 and memory m_0 it starts from, and where it goes:
//
//     force_1(p, u_0, m_0, u_1),    force_2, memory_2, dissipated_2 (p, u_0, m_0, u_1, u_2)
//
// Four inputs besides p: one pass of dual numbers has them all, another four parameters. How the structure ties the
// sites together is linear algebra afterwards, so that nothing is repeated here until a loop has closed. A virgin site
// that goes to u_2 at once is the same with two inputs fewer.

#include "sites.hpp"

namespace faying::modes {

/// Forces and dissipation weighted. `rows` are those of the sites' displacements; every hysteretic site of every part
/// has one memory, which belongs to a row.
struct SiteSlopes {
    enum Input { place, memory, first, second, inputs };

    Eigen::MatrixXd force, loss;                ///< rows x inputs; the column of `memory` is empty, and stands below
    Eigen::MatrixXd remembered;                 ///< memories x inputs
    Eigen::VectorXd force_memory, loss_memory;  ///< by memory
    Eigen::MatrixXd force_parameter, remembered_parameter;  ///< x parameters
    Eigen::VectorXd loss_parameter;                         ///< by parameter, all sites
};

/// The joints on dual numbers, made once for many points.
class SlopeMoves {
 public:
    struct Parameter {
        std::size_t joint, parameter;
    };
    SlopeMoves(const structure::Model& model, const Sites& sites, const std::vector<Parameter>& parameters);

    /// Whether every joint is of the kind above; `memory`: and remembers one number.
    static bool allow(const Sites& sites, bool memory);

    /// Virgin sites, or in a state: increments from the base, and memories.
    void begin();
    void begin(const Eigen::VectorXd& increments, const Eigen::VectorXd& memories);
    /// Straight there (increments), as the first or the second move; the dissipation is counted from `begin`.
    const SiteSlopes& move(const Eigen::VectorXd& increments, SiteSlopes::Input input);

    /// Row that each memory belongs to.
    const std::vector<Eigen::Index>& memory_row() const { return memory_row_; }

 private:
    /// Parts, each a joint of its own, with some directions seeded: inputs, or up to four of each part's parameters.
    struct Seeded {
        DualSites sites;
        std::vector<std::size_t> part;                     ///< among the model's
        std::vector<std::vector<Eigen::Index>> parameter;  ///< by part: column of each direction
        bool inputs = false;
        std::vector<std::vector<core::Dual>> before;  ///< dissipated at `begin`, by part and site
    };
    const structure::Model& model_;
    const Sites& sites_;
    std::vector<Seeded> seeded_;
    std::vector<Eigen::Index> memory_at_;  ///< first memory of each part
    std::vector<Eigen::Index> memory_row_;
    Eigen::Index parameters_ = 0;
    SiteSlopes out_;
    DualSites::Vector at_, memories_;

    void place(const Seeded& s, const Eigen::VectorXd& increments, SiteSlopes::Input input);
    void note_begin(Seeded& s);
    void collect(const Seeded& s, std::size_t part, Eigen::Index row, Eigen::Index memory);
};

}  // namespace faying::modes
