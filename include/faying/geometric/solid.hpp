#pragma once
// A deck's mesh that bends far: total-Lagrangian elements (fe/large_elements.hpp) on free degrees of freedom.
//
//     const Solid solid(fe::read_deck("strip.inp"));
//     const VectorXd f = solid.force(u);              // u, f: rows of solid.model().dofs

#include <vector>

#include "faying/fe/large_elements.hpp"
#include "faying/fe/model.hpp"
#include "faying/geometric/system.hpp"

namespace faying::geometric {

class Solid final : public System {
 public:
    /// Supports are those in force at the last step. Throws BadInput for elements that cannot bend far, for couplings,
    /// rigid bodies and MPCs (their equations are for small rotations), and as fe::model_of does.
    explicit Solid(const fe::Deck& deck, fe::ModelOptions options = {});

    Index size() const override { return model_.mass.rows(); }
    const Sparse& mass() const override { return model_.mass; }
    VectorXd force(const VectorXd& u) const override;
    Sparse tangent(const VectorXd& u) const override;
    double energy(const VectorXd& u) const override;
    VectorXd series(const MatrixXd& u, int order) const override;

    VectorXd quadratic(const VectorXd& u, const VectorXd& v) const;                 ///< f2
    VectorXd cubic(const VectorXd& u, const VectorXd& v, const VectorXd& w) const;  ///< f3

    const fe::LinearModel& model() const { return model_; }
    /// Row of a node's direction (1-3) among the free ones; -1 where it is held or eliminated.
    Index row(fe::Index node, int direction) const;
    /// *CLOAD of the deck's static NLGEOM steps, as they stand at the end; zero without any. Throws BadInput for loads
    /// of other kinds.
    const VectorXd& load() const { return load_; }

 private:
    fe::LinearModel model_;
    VectorXd load_;
    std::vector<fe::LargeElements> blocks_;

    /// One element's DOF as combinations of free ones.
    struct Place {
        std::size_t block, element;
        std::vector<int> free;    ///< free DOF it is made of
        std::vector<int> start;   ///< of each own DOF: its terms
        std::vector<int> column;  ///< in `free`
        std::vector<double> coefficient;
        std::vector<int> value;  ///< free x free: where each pair is among the tangent's values
    };
    std::vector<Place> places_;
    Sparse pattern_;

    VectorXd gathered(const Place& place, const Eigen::Ref<const VectorXd>& u) const;
    template <class Visit>
    VectorXd summed(Visit&& visit) const;
    void make_pattern();
    void read_loads(const fe::Deck& deck);
};

/// Whether a name is that of a deck.
bool is_deck(const std::string& file);

}  // namespace faying::geometric
