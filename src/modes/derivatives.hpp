#pragma once
// Derivatives of a backbone's points to every law parameter, by the implicit function theorem along the path that led
// there. At a reversal, with g = dF/dp at fixed z and lambda (the joints' states carrying the derivatives of the past):
//
//     J d(z, lambda) = -S^T g/q
//
// and with a loading of given shape (QSMA) what the load M phi gains with phi, the linearised mode:
//
//     J_0 d(phi, lambda_0) = -S^T (dk) S phi,   J_0 the bordered matrix at rest, k the joints' tangents there.
//
// A closed loop is the fixed point of the map once around it; its derivative solves the linear equations of that map,
// which are made from the sites' own derivatives (site_slopes.hpp) where every site remembers one number. Other laws
// go around on dual numbers, the traced loops as often as they were traced.

#include <functional>
#include <memory>

#include "site_slopes.hpp"
#include "tracer.hpp"

namespace faying::modes {

class Derivatives {
 public:
    Derivatives(Tracer& tracer, const structure::Model& model, const BackboneOptions& options);
    ~Derivatives();

    /// At both reversals d(z, lambda)/dp, a column per parameter; of the local dissipation.
    struct Slopes {
        Eigen::MatrixXd plus, minus;
        Eigen::VectorXd loss;

        Eigen::VectorXd lambda_plus() const { return plus.row(plus.rows() - 1); }
        Eigen::VectorXd lambda_minus() const { return minus.row(minus.rows() - 1); }
    };
    /// On virgin curves, where both reversals are one.
    Slopes first_loading(const Branch& b);
    /// Of a loop; the joints are left at its +q, and closed.
    Slopes closed_loop(const Loop& loop);
    /// Of every row's work in the loop that `closed_loop` just had, a column per parameter: as Tracer::loop_work, whose
    /// value it returns.
    Eigen::VectorXd loop_work(Loop& loop, const Slopes& slopes, int& iterations, Eigen::MatrixXd& work_slope);

    /// Writes them into the point.
    void write(BackbonePoint& point, const Branch& plus, const Branch& minus, const Slopes& slopes) const;
    std::size_t size() const { return parameters_.size(); }

 private:
    class Pass;
    /// Derivatives of M phi, a column per parameter; none when empty.
    struct LoadSlopes {
        Eigen::MatrixXd y, modes;
    };
    using Lu = JacobianFactors;
    Tracer& tracer_;
    Equations& equations_;
    Sites& sites_;
    const structure::Model& model_;
    std::vector<SlopeMoves::Parameter> parameters_;
    std::unique_ptr<SlopeMoves> moves_;  ///< where laws allow it
    bool moves_close_ = false;           ///< and loops too
    Eigen::MatrixXd base_, at_base_;     ///< of prestressed displacements and the forces there, for moves
    LoadSlopes load_;                    ///< of the linearised mode, QSMA
    Eigen::MatrixXd place_, memory_;     ///< at +q of the loop closed by moves
    std::vector<Pass> passes_;           ///< made when first needed
    bool passes_at_plus_ = false;        ///< of the loop that was closed last

    std::vector<Pass> make_passes();
    std::vector<Pass>& passes();
    void set_prestress_of_moves();
    void set_load();
    LoadSlopes load_slopes(const Branch& b, const Eigen::MatrixXd& slopes) const;
    Eigen::MatrixXd rhs_of(const Branch& b, const Eigen::MatrixXd& force, Eigen::Index first_parameter,
                           Eigen::Index column) const {
        return rhs_of(b, force, load_, first_parameter, column);
    }
    Eigen::MatrixXd rhs_of(const Branch& b, const Eigen::MatrixXd& force, const LoadSlopes& load,
                           Eigen::Index first_parameter, Eigen::Index column) const;
    void prepare_passes(const Loop& loop, const Slopes& slopes);
    Slopes closed_by_moves(const Loop& loop);
    Slopes closed_by_passes(const Loop& loop);
    const Lu& factors_at(const Branch& b);  ///< until the equations are factorised anew
};

}  // namespace faying::modes
