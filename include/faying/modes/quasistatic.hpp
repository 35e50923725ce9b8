#pragma once
// A structure and its joints taken slowly through a history: loads and prescribed displacements in any order, the
// joints' memory carried along,
//
//     K x + f_nl(history of x) = f_static + Sum_j p_j(s) r_j + R^T reaction,     R x = u(s).
//
//     const std::vector<Drive> drives = {{DriveKind::force, row, "tip"}};
//     const auto run = quasistatic(model, Interface(model), drives, {{0, 30, -30, 30}});    // run.points[i].displacement(0)
//
// The static force (bolts) comes first, straight from the virgin joints, with every prescribed row held at zero (a locked
// one is free until then and held afterwards). Then every drive goes straight from each value to the next. A step is taken as one and as two halves, and cut where the
// two disagree by more than the tolerance, so that the answer does not depend on how the history was cut into steps.
// Unknowns are the joints' displacements and the reactions: cost does not grow with the rest of the structure.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "faying/modes/interface.hpp"
#include "faying/modes/site_loop.hpp"

namespace faying::modes {

enum class DriveKind { force, displacement };

/// Something outside that moves the structure along `row`: p acts as p row^T, or row . x is prescribed.
struct Drive {
    DriveKind kind = DriveKind::force;
    Eigen::VectorXd row;
    std::string name = {};
    /// A displacement that is free under the static force and held from then on where that has brought it: a bolt that
    /// was tightened. Its values are counted from there, its force is the change.
    bool locked = false;
};

struct QuasistaticOptions {
    double tolerance = 1e-10;      ///< of the residual of every point, relative to the forces that act
    double path_tolerance = 1e-8;  ///< one step against two halves: displacements, joint forces, dissipation, relative;
                                   ///< 1: steps as given, not checked
    double least_step = 1e-10;     ///< of a step as given: where a site changes from sticking to slipping in no time
    int most_iterations = 60;      ///< of Newton, for one step
    bool sites = false;            ///< keep what every site does at every point
    bool shapes = true;            ///< keep all DOF of every point
    bool events = false;           ///< locate where sites start to slip, stick, open or close (to least_step)
    /// Called after every point with how many are done; may throw to stop.
    std::function<void(std::size_t)> progress = {};

    void check() const;
};

/// A site that changes what it does, located on the way from one point to the next.
struct SiteEvent {
    std::size_t point = 0;  ///< towards which
    double share = 0;       ///< of the way from the point before
    std::size_t joint = 0;
    Eigen::Index site = 0;
    SiteStatus from = SiteStatus::stuck, to = SiteStatus::stuck;
};

struct QuasistaticPoint {
    Eigen::VectorXd value;         ///< of the drives, as given
    Eigen::VectorXd force;         ///< along the drives' rows from outside: the load, or what the prescribed one needs
    Eigen::VectorXd displacement;  ///< row . x of every drive
    Eigen::VectorXd outputs;       ///< of the model's outputs
    Eigen::VectorXd x;             ///< all DOF, where shapes are kept
    std::vector<double> dissipated;             ///< by joint, since the virgin state
    std::vector<std::vector<SiteState>> sites;  ///< by joint; slip is how far the faces have moved along each other
    double residual = 0;                        ///< |K x + f_nl - f| over the forces that act, all DOF
    double path_error = 0;                      ///< of the steps that led here from the point before, the largest
    int steps = 0, iterations = 0;
    bool converged = false;
};

struct QuasistaticRun {
    QuasistaticPoint seated;  ///< under the static force alone; converged and empty of steps without one
    std::vector<QuasistaticPoint>
        points;  ///< up to the first that was not reached, which is the last and not converged
    std::vector<SiteEvent> events;
    std::string stopped;  ///< why it ended early; empty when it did not
};

/// Solves with a sparse matrix, which need not be definite, many times with one pattern.
class SparseFactor {
 public:
    virtual ~SparseFactor() = default;
    /// False where it is singular.
    virtual bool compute(const Eigen::SparseMatrix<double>& matrix) = 0;
    virtual Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const = 0;
};

/// A structure as it is, not condensed: memory and time grow with it, not with the square of its sites of contact.
struct SparseStructure {
    structure::Model model;                 ///< joints, loads and outputs alone; joints' maps have rows but no columns
    Eigen::SparseMatrix<double> stiffness;  ///< all entries, symmetric
    Interface::SiteMap sites;               ///< what the sites of all joints read of the DOF, joint by joint
    std::function<std::unique_ptr<SparseFactor>(bool symmetric)> factor;
};

/// `values[j]`: the history of drive j, all of one length. Throws BadInput for drives that no equilibrium can follow
/// (a mechanism, a row that cannot move), NotConverged when the static force finds no equilibrium.
QuasistaticRun quasistatic(const structure::Model& model, const Interface& interface, const std::vector<Drive>& drives,
                           const std::vector<std::vector<double>>& values, const QuasistaticOptions& options = {});

QuasistaticRun quasistatic(const SparseStructure& structure, const std::vector<Drive>& drives,
                           const std::vector<std::vector<double>>& values, const QuasistaticOptions& options = {});

/// The loop between +amplitude and -amplitude (times each drive's share) that the structure settles to.
struct QuasistaticLoop {
    QuasistaticRun run;  ///< first loading and every loop; `first` is where the last one starts
    std::size_t first = 0;
    double dissipation = 0;    ///< of the last loop, all joints
    double closure_error = 0;  ///< of displacements and joint forces between its ends, relative to its swing
    int loops = 0;
    bool closed = false;
};

/// `points` from one reversal to the other; at most `most_loops`, until the ends agree to `closure`.
QuasistaticLoop quasistatic_loop(const structure::Model& model, const Interface& interface,
                                 const std::vector<Drive>& drives, const Eigen::VectorXd& amplitudes, int points = 40,
                                 double closure = 1e-8, int most_loops = 50, const QuasistaticOptions& options = {});
QuasistaticLoop quasistatic_loop(const SparseStructure& structure, const std::vector<Drive>& drives,
                                 const Eigen::VectorXd& amplitudes, int points = 40, double closure = 1e-8,
                                 int most_loops = 50, const QuasistaticOptions& options = {});

}  // namespace faying::modes
