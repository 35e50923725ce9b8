#pragma once
// Up to four parameters taken along a path on dual numbers.

#include "derivatives.hpp"

namespace faying::modes {

class Derivatives::Pass {
 public:
    /// Right-hand side of the Jacobian's equations for force derivatives g at fixed z and lambda.
    using Rhs = std::function<Eigen::MatrixXd(const Eigen::MatrixXd& g)>;

    Pass(Tracer& tracer, const structure::Model& model, const std::vector<std::vector<int>>& seeds, Eigen::Index first,
         Eigen::Index count);

    Eigen::Index first() const { return first_; }  ///< its first parameter
    Eigen::Index count() const { return count_; }
    Directions dissipated() const { return dual_.dissipated().v; }

    /// At the prestressed state.
    void begin();
    /// d(z, lambda)/dp at b, joints from their states.
    Eigen::MatrixXd slopes_at(const Branch& b, const Lu& lu, const Rhs& rhs);
    /// The same, and the joints accept it.
    Eigen::MatrixXd turn(const Branch& b, const Lu& lu, const Rhs& rhs);
    /// Of the joints' forces at b, rows x directions, for d(z, lambda)/dp of its parameters; `accept` then takes it.
    Eigen::MatrixXd force_slopes(const Branch& b, const Eigen::MatrixXd& slopes) { return force(at(b, &slopes)); }
    void accept() { dual_.commit(); }
    /// Accepts b, whose slopes (of all parameters) are known.
    void go_to(const Branch& b, const Eigen::MatrixXd& slopes);
    /// At the loop's +q, with derivatives of places and memories (of all parameters).
    void set_state(const Loop& loop, const Eigen::MatrixXd& place, const Eigen::MatrixXd& memory);
    /// d(phi, lambda_0)/dp of the linearised mode `rest`.
    Eigen::MatrixXd mode_slopes(const Branch& rest, const Lu& lu);
    /// A loop whose memory was solved for: the derivative of the joints' memory and place at +q is the fixed point of a
    /// linear map once around the loop, found as the state itself was. Returns that of the dissipation.
    Directions periodic(const Loop& loop, const std::vector<Lu>& factors,
                        const std::function<Rhs(const Branch&)>& rhs_at, Eigen::MatrixXd& minus, Eigen::MatrixXd& plus);

 private:
    Tracer& tracer_;
    Equations& equations_;
    Eigen::Index first_, count_;
    DualSites dual_;
    Eigen::MatrixXd prestress_;  ///< of the prestressed displacements

    /// Derivatives of the weighted force increments at increments that may carry derivatives: rows x directions.
    Eigen::MatrixXd force(const DualSites::Vector& increments);
    DualSites::Vector at(const Branch& b, const Eigen::MatrixXd* slopes) const;
    void place_at(const Eigen::VectorXd& u, const Eigen::MatrixXd& slope, const DualSites::Vector& memory);
};

}  // namespace faying::modes
