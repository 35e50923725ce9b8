#pragma once
// All joints of a model about the prestressed state (laws/joint_set.hpp), as the solvers here use them.

#include <Eigen/Dense>
#include <vector>

#include "faying/laws/joint_set.hpp"
#include "faying/modes/interface.hpp"
#include "faying/modes/prestress.hpp"

namespace faying::modes {

/// How hysteretic parts start: at the end of the path to the prestressed state, or unloaded there.
enum class Start { with_history, fresh };

/// Whether the prestressed displacement enters at all what happens about it: through contact, springs that are not
/// linear, and histories.
bool prestress_matters(const structure::Model& model, Start kind);

using Sites = laws::JointSet<double>;
/// The same carrying the derivatives to up to four parameters.
using DualSites = laws::JointSet<core::Dual>;
using Directions = Eigen::Matrix<double, core::directions, 1>;

/// `seeds`: by joint and parameter, its direction or -1.
DualSites dual_sites(const structure::Model& model, const std::vector<std::vector<int>>& seeds);
/// Numbers with derivatives, columns of `slopes` (the first four of them, fewer where there are fewer).
DualSites::Vector with_slopes(const Eigen::VectorXd& values, const Eigen::MatrixXd& slopes);
DualSites::Vector constants(const Eigen::VectorXd& values);
/// Their derivatives, x directions.
Eigen::MatrixXd slopes_of(const DualSites::Vector& x);

/// matrix(0..width, 0..width) += S^T k S of the last evaluation.
void add_stiffness(const Sites& sites, const Interface& interface, Eigen::MatrixXd& matrix);

/// 4 d0 by joint for virgin curves up to the increments of the last evaluation; states are left as they were.
void masing_dissipation(Sites& sites, std::vector<double>& by_joint, std::vector<Eigen::VectorXd>& by_site);

/// Whether what some contact site does along its faces depends on how they are pressed, or on the way there: then the
/// work between two reversals is that of the path. Else forces have a potential until the next reversal, and the work
/// is known from where the sites turn. The laws themselves are asked, over many decades of displacement.
bool work_needs_path(const structure::Model& model);

/// Contact: by how much the forces at -d, from d on, fail to be those at d mirrored, each times its way, on virgin
/// curves. None where Masing's rule holds. States are left as they were.
double not_odd(Sites& sites, const Eigen::VectorXd& d);

}  // namespace faying::modes
