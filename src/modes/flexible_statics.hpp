#pragma once
// Driven statics of a structure known by its flexibility F (flexibility.hpp). y are coordinates: displacements of sites,
// then of whatever is driven or looked at. With base tangents k of the sites, 0 where they are open, and P the
// flexibility with these and the prescribed rows held,
//
//     y = P g + T u,     g = loads - (f(y) - k y)
//
// is all there is to equilibrium: sites that stick answer k y and do not appear in g's changes. What does is few: sites
// that slide, and those that opened or closed since P was made (from F: no rounding adds up). A step solves
//
//     (1 + P D) d = r,     D = k(y) - k
//
// on these sites s with one factorised 1 + P_ss D_ss of some steps ago and, by the Woodbury identity, the sites that
// have changed much since; those that have changed little (sliding directions turn) wait for the next step. All others
// follow from a product with the columns of P whose forces have changed.

#include "driven_statics.hpp"
#include "faying/solve/dense.hpp"
#include "flexibility.hpp"

namespace faying::modes {

class FlexibleStatics final : public DrivenStatics {
 public:
    FlexibleStatics(const FlexibleStructure& structure, Sites& sites);

    double evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& r) override;
    void jacobian(const Eigen::VectorXd& z, Eigen::MatrixXd& j) override;
    bool step(const Eigen::VectorXd& z, const Eigen::VectorXd& r, Eigen::VectorXd& change) override;
    /// All DOF follow from the forces on the coordinates, so that there is no other residual than theirs.
    double full_residual(const structure::Model& model, const Eigen::VectorXd& z,
                         const Eigen::VectorXd& joints) override;

 private:
    struct Site {
        Eigen::Index row;
        int width;
        std::size_t at;  ///< of its tangents among all
    };
    const FlexibleStructure& structure_;
    Eigen::Index rows_;  ///< of sites
    std::vector<Site> each_;

    // The base
    Eigen::MatrixXd p_;               ///< P
    Eigen::VectorXd own_;             ///< its diagonal
    Eigen::MatrixXd along_, stiff_;   ///< T, and the stiffness of prescribed rows
    std::vector<double> tangents_;    ///< k
    Eigen::VectorXd force_, answer_;  ///< g as it counts, P g
    Eigen::Index followed_ = 0;       ///< columns since P g was all made anew

    // What is kept of 1 + P D
    struct Kept {
        std::vector<Eigen::Index> sites, rows;
        std::vector<double> changes;  ///< D, by tangents of all sites
        solve::DenseLu factor;
        std::vector<Eigen::Index> late, late_rows;  ///< sites that have changed since, in the order they did
        std::vector<bool> is_late;
        Eigen::MatrixXd across;  ///< P_ls D
        Eigen::MatrixXd moved;   ///< (1 + P_ss D)^-1 P_sl
        Eigen::MatrixXd own;     ///< P_ll - P_ls D moved
    } kept_;
    double size_ = 0, last_size_ = 0;           ///< of the residual, and where the last step began
    Eigen::VectorXd at_, at_load_, at_target_;  ///< of the last evaluation

    Eigen::VectorXd on_y(const Eigen::VectorXd& f) const override { return f; }
    Eigen::VectorXd on_modes(const Eigen::VectorXd&) const override { return {}; }
    Eigen::VectorXd shape(const Eigen::VectorXd& y, const Eigen::VectorXd&) const override { return y; }
    bool prepare(const Sites& closed) override;
    Eigen::VectorXd solve_stuck(const Eigen::VectorXd& r) override;

    bool make_base(const std::vector<double>& tangents);
    bool worn_out() const;
    void follow(const Eigen::VectorXd& force);
    void answer(const Eigen::VectorXd& z, const Eigen::VectorXd& joints, Eigen::VectorXd& r);
    Eigen::VectorXd reactions() const;
    double misfit(const Eigen::VectorXd& z, const Eigen::VectorXd& joints, const Eigen::VectorXd& r) const;

    std::vector<double> changes_now() const;
    Eigen::MatrixXd block(const std::vector<double>& tangents, Eigen::Index site) const;
    double local(const std::vector<double>& changes, Eigen::Index site) const;
    void keep(const std::vector<double>& changes);
    void add_late(const std::vector<Eigen::Index>& sites);
    /// Rows of sites that have changed, and the step there.
    struct OfChanged {
        std::vector<Eigen::Index> rows;
        Eigen::VectorXd way;
    };
    OfChanged solve(const std::vector<double>& changes, const Eigen::VectorXd& r, double neglected);
};

}  // namespace faying::modes
