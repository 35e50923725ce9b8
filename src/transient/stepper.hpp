#pragma once
// The two families of steps: implicit (newmark, alpha, exponential) and explicit between events. Both move a Motion
// forward and leave the joints' laws committed at its end.

#include <Eigen/Dense>
#include <limits>
#include <memory>
#include <vector>

#include "faying/solve/dense.hpp"
#include "faying/transient/simulate.hpp"
#include "faying/transient/system.hpp"
#include "propagator.hpp"

namespace faying::transient::detail {

/// Modal forces: excitation and static part.
class Loads {
 public:
    Loads(const System& system, Excitation excitation);

    void at(double t, Eigen::VectorXd& force) const;
    void left_out_at(double t, Eigen::VectorXd& force) const;  ///< on what the motions kept leave out
    const std::vector<double>& corners() const { return corners_; }
    /// Largest displacement the loads could hold statically: a size for error control before anything moves.
    double static_reach(const System& system) const;

 private:
    std::vector<Eigen::VectorXd> shapes_, left_out_shapes_;
    std::vector<History> histories_;
    Eigen::VectorXd constant_, left_out_constant_;
    std::vector<double> corners_;
    mutable std::vector<double> values_;  ///< of the histories, at the time last asked for: a random one is costly
    mutable double asked_ = std::numeric_limits<double>::quiet_NaN();

    const std::vector<double>& values(double t) const;
};

struct Motion {
    double time = 0;
    Eigen::VectorXd q, v, a;
    Eigen::VectorXd y, g;  ///< committed joint displacements, and g there
    Eigen::VectorXd pull;  ///< P^T g
    double joint_work = 0, viscous = 0, input = 0;
    double largest = 0;  ///< size of the motion so far, for error control
};

/// What the implicit methods differ in.
struct Weights {
    double beta = 0.25, gamma = 0.5, alpha_m = 0, alpha_f = 0;
};
Weights weights_of(const Options& options);

class ImplicitStepper {
 public:
    ImplicitStepper(System& system, const Loads& loads, const Options& options);

    /// One step to `target`, committed.
    void fixed(Motion& motion, double target);
    /// One step towards `target`, shorter if the local error asks for it.
    void adaptive(Motion& motion, double target);

    double next_step = 0;  ///< proposed for adaptive steps
    std::size_t evaluations = 0;

 private:
    System& system_;
    const Loads& loads_;
    Weights w_;
    double tolerance_, floor_;
    bool energy_, exponential_;
    double prepared_ = 0;
    Propagator exact_;                               ///< of the linear part (exponential)
    Eigen::VectorXd inverse_, stiffness_, damping_;  ///< of the diagonal effective mass; (1 - alpha_f) times omega^2, C
    Eigen::LDLT<Eigen::MatrixXd> factor_;
    /// What forces of the joints take off: accelerations (exponential: forces), and H of y = y_free - H g.
    Eigen::MatrixXd reach_, compliance_;
    Eigen::VectorXd f0_, f1_, free_, pull_, predicted_, velocity_, displacement_;
    Eigen::MatrixXd back_;  ///< P^T
    Eigen::VectorXd y_, g_, y_free_, trial_y_, trial_g_, residual_, move_;
    Eigen::MatrixXd tangent_;
    solve::DenseLu lu_;
    std::vector<Eigen::Index> loose_;    ///< where the tangent is not the stuck one (wide interfaces)
    std::vector<Eigen::Index> changed_;  ///< where g is not that of the beginning of the step (wide interfaces)
    static constexpr int unrolled = 4;   ///< joint displacements up to which loops are unrolled

    void prepare(double h);
    void prepare_exponential(double h);
    void solve(const Motion& motion, double h);
    void without_joints(const Motion& motion, double h);
    void solve_exponential(const Motion& motion, double h);
    void find_joints(const Motion& motion, double h);
    /// The joints' part of a step (implicit_joints.cpp). A few displacements (M of them) are worth unrolled loops.
    struct OneJoint;
    template <int M>
    struct Joints;
    template <int M>
    void solve_joints(const Motion& motion, double h);
    template <int M>
    void newton(const Motion& motion, double time);
    template <int M>
    double residual_at(const Motion& motion, const Eigen::VectorXd& y, Eigen::VectorXd& g);
    template <int M>
    void newton_move();
    void newton_one(const Motion& motion, double time);
    double rounding(const Motion& motion) const;
    void keep_pull(Motion& motion) const;
    void accept(Motion& motion, double h);
    void count_energy(Motion& motion, double h);
};

class EventStepper {
 public:
    EventStepper(System& system, const Loads& loads, const Options& options);
    ~EventStepper();

    /// One step towards `target` (where nothing is discontinuous in between), ended early by a reversal.
    void step(Motion& motion, double target);

    double next_step = 0;
    std::vector<double> direction;  ///< of each joint displacement: -1, 0 (not known yet), 1
    /// Displacements of each joint's open reversals, as a law with return-point memory remembers them: its tangent
    /// jumps where the one before the last is reached again, and where the virgin curve resumes.
    std::vector<std::vector<double>> turns;
    std::size_t evaluations = 0, reversals = 0;

 private:
    struct Work;
    System& system_;
    const Loads& loads_;
    double tolerance_, floor_;
    std::unique_ptr<Work> work_;

    double attempt(const Motion& motion, double h, double last);
    /// Something at which the law is not smooth.
    struct Event {
        Eigen::Index joint = -1;  ///< none
        bool reversal = true;     ///< else the displacement `level` is reached
        double level = 0;
        bool operator==(const Event&) const = default;
    };
    double distance(const Event& event) const;
    Event first_event(const Motion& motion, double h, double& share) const;
    double land(const Motion& motion, const Event& event, double high, double last);
    void remember(const Event& event, const Motion& motion);
};

}  // namespace faying::transient::detail
