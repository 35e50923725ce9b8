#pragma once
// What the analyses of large displacements see of a structure: forces as a function of displacements, their exact
// Taylor coefficients along a path, and their tangent.
//
//     M u'' + f(u) = f_s + ..
//
// A finite element mesh (solid.hpp), a model file (joint_system.hpp) or your own. Friction has a past: `commit` ends a
// step, save and restore go back to one.

#include <Eigen/Sparse>
#include <any>

namespace faying::geometric {

using Sparse = Eigen::SparseMatrix<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class System {
 public:
    virtual ~System() = default;

    virtual Index size() const = 0;
    virtual const Sparse& mass() const = 0;
    /// f(u) from the committed past.
    virtual VectorXd force(const VectorXd& u) const = 0;
    /// df/du, always with the same pattern.
    virtual Sparse tangent(const VectorXd& u) const = 0;
    virtual bool symmetric() const { return true; }  ///< of the tangent
    /// Elastic energy; f is its gradient where the system is conservative.
    virtual double energy(const VectorXd& u) const = 0;
    virtual bool conservative() const { return true; }
    /// Coefficient of s^order of f(u_0 + s u_1 + s^2 u_2 + ..), a column a power. Throws BadInput where f has none.
    virtual VectorXd series(const MatrixXd& u, int order) const = 0;

    virtual void commit(const VectorXd&) {}
    virtual std::any save() const { return {}; }
    virtual void restore(const std::any&) {}
    /// Dissipated by friction since the start, committed.
    virtual double dissipated() const { return 0; }
};

}  // namespace faying::geometric
