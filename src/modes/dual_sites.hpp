#pragma once
// All joints on dual numbers along a path: states, displacements and bases carry the derivatives to up to four
// parameters. For laws whose past is a stack, or that act in three directions; others take site_slopes.hpp.

#include "faying/core/dual.hpp"
#include "sites.hpp"

namespace faying::modes {

class DualSites {
 public:
    using Vector = std::vector<core::Dual>;
    using Directions = Eigen::Matrix<double, core::directions, 1>;

    /// `seeds`: by joint and parameter, its direction or -1.
    DualSites(const structure::Model& model, const Sites& sites, const std::vector<std::vector<int>>& seeds);

    /// At fixed displacements, for the derivative of the prestress, rows x directions: of the forces of virgin laws;
    /// with hysteretic parts off, as Sites::evaluate_springs; of linear springs at the stuck stiffness.
    Eigen::MatrixXd virgin_force(const Eigen::VectorXd& displacements);
    Eigen::MatrixXd spring_force(const Eigen::VectorXd& displacements);
    Eigen::MatrixXd stuck_force(const Sites& sites, const Eigen::VectorXd& displacements);
    /// As Sites::begin; `slope`: of the prestressed displacements, rows x directions.
    void begin(Start start, const Eigen::VectorXd& prestressed, const Eigen::MatrixXd& slope);
    /// Derivatives of the weighted force increments at increments that may carry derivatives: rows x directions.
    Eigen::MatrixXd force(const Vector& increments);
    /// (dk) v: derivatives of the weighted tangents of the last evaluation, times v; rows x directions.
    Eigen::MatrixXd tangent_times(const Eigen::VectorXd& v) const;
    void commit();
    Directions dissipated() const;
    void memory(Vector& out) const;
    void set_memory(const Vector& in);

 private:
    struct Part {
        laws::JointOf<core::Dual> joint;
        const Sites::Part* plain;
        int kp = -1;  ///< direction of the spring inside the law that acts in full slip
        Vector base, at_base, tangent;
    };
    const structure::Model& model_;
    std::vector<Part> parts_;
    Vector at_, force_;

    void reset();
};

}  // namespace faying::modes
