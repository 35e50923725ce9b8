#pragma once
// Driven statics of a structure that is not condensed, with many small groups of contact sites (cracks): nothing is
// factorised twice. With faces f, the coordinates that sites read, and all others i
//
//     S_ff + T^T k T,   S_ff = K_ff - K_fi K_ii^-1 K_if
//
// K_ii, of the structure with all faces shut, is factorised once; S_ff is a product with it. Every step first brings
// each group to its own equilibrium with all others left where they are (contact_blocks.hpp), to d and tangents k there,
// which costs nothing beside one solution of the whole, and is Newton's from there on:
//
//     P^-1 (S_ff + T^T k T) x = d + P^-1 r(d),    P: the groups' own blocks
//
// by GMRES, as exactly as the point needs. Steps grow neither in number nor in products with the number of groups as
// long as these are as far apart.

#include "contact_blocks.hpp"
#include "uncondensed_statics.hpp"

namespace faying::modes {

/// Whether its sites are in many groups, none of them large.
bool is_scattered(const SparseStructure& structure);

class ScatteredStatics final : public UncondensedStatics {
 public:
    ScatteredStatics(const SparseStructure& structure, Sites& sites);

    double evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& r) override;
    bool step(const Eigen::VectorXd& z, const Eigen::VectorXd& r, Eigen::VectorXd& change) override;
    int whole_steps() const override { return 20; }

 private:
    std::vector<Eigen::Index> faces_, inner_;  ///< coordinates; reactions are among the inner ones
    std::vector<int> face_of_;                 ///< its number among the faces, -1: none
    std::vector<ContactBlock> blocks_;
    std::unique_ptr<SparseFactor> factor_;  ///< of K_ii and the prescribed rows, symmetric
    Sparse across_, own_;                   ///< K_if, K_ff
    double size_ = 1;                       ///< of the residual at the last evaluation

    bool prepare(const Sites& closed) override;
    Eigen::VectorXd solve_stuck(const Eigen::VectorXd& r) override;

    bool divide();
    double exactness() const;
    /// A residual on the faces, r_f - K_fi K_ii^-1 r_i, and r_i.
    struct Parts {
        Eigen::VectorXd faces, inner;
    };
    Parts parts(const Eigen::VectorXd& r) const;
    Eigen::VectorXd on_faces(const Eigen::VectorXd& x) const;  ///< S_ff x
    /// All of a step whose faces go by x.
    Eigen::VectorXd whole(const Eigen::VectorXd& x, const Eigen::VectorXd& inner) const;
    /// Newton's step on the faces from where each block has gone.
    Eigen::VectorXd linear_step(const std::vector<SettledBlock>& settled, double enough) const;
    Eigen::VectorXd faces_of(const Eigen::VectorXd& all) const;
};

}  // namespace faying::modes
