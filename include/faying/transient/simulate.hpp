#pragma once
// Time histories of a structure with joints.
//
//     Simulation run(model, {{point_load(model, 2), half_sine(30, 1.744)}}, {}, {.duration = 100, .step = 0.02});
//     run.to_end([](const Snapshot& now) { std::printf("%g %g\n", now.time, now.displacement(0)); });
//
// Methods:
// - newmark: average acceleration (beta = 1/4, gamma = 1/2), second order.
// - alpha: generalised alpha (Chung and Hulbert), second order, damps what the step does not resolve.
//   Both are implicit. The linear part is condensed to the joints once; Newton's iterations are on the joints'
//   displacements only, and a step is one step of the exact laws. The step is fixed, or follows a local error.
// - exponential: the modes' own motion is exact, and only the joints' forces (less their stuck springs) and the loads
// are
//   taken as linear over a step. As cheap a step as newmark's; second order in what is nonlinear, while frequencies
//   have no error at all, so that steps may be several times longer. Needs diagonal damping, and steps that resolve
//   every mode kept: omega h <= 3. Fixed steps.
// - events: Runge-Kutta-Fehlberg 7(8) under error control, which lands on every reversal of a joint's velocity (and on
//   the corners of the excitation). Between reversals an exact law is a smooth function of displacement, so that the
//   answer is that of the differential equation to the tolerance, and so is the energy balance.

#include <Eigen/Dense>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "faying/structure/model.hpp"
#include "faying/transient/excitation.hpp"

namespace faying::transient {

enum class Method { newmark, alpha, exponential, events };
inline constexpr std::string_view method_names = "newmark, alpha, exponential, events";
std::optional<Method> find_method(std::string_view name);  ///< none when it is no method's name

struct Options {
    Method method = Method::newmark;
    double duration = 0;                   ///< s
    double step = 0;                       ///< s; fixed step, and the interval of the record (see record_every)
    int record_every = 1;                  ///< steps a recorded snapshot
    bool adaptive = false;                 ///< newmark, alpha: substeps by local error; events always
    std::optional<double> tolerance = {};  ///< of the local error, relative to the size of the motion
    double spectral_radius = 0.9;          ///< alpha: of the highest frequencies, 0 to 1 (1: none are damped)
    Eigen::Index modes = 0;                ///< stuck modes kept beside the joints' static shapes, 0 all
    std::vector<double> samples = {};      ///< further times at which snapshots are wanted, ascending
    bool energy = true;                    ///< keep the balance (costs newmark two law evaluations per step)
    double energy_tolerance = 0.01;        ///< of the balance, see EnergyBalance

    /// The tolerance, or what the method does without: events 1e-12, so that the energy balance stays below 1e-8 over
    /// thousands of oscillations; else 1e-10.
    double local_error() const { return tolerance.value_or(method == Method::events ? 1e-12 : 1e-10); }
    void check() const;  ///< throws core::BadInput quoting what is violated
};

/// Displacement and velocity at the start (empty: zero); the joints go there straight from virgin. Preloaded: from the
/// static equilibrium under the model's static force, to which displacement is added.
struct Start {
    Eigen::VectorXd displacement, velocity;
    bool preloaded = false;
};

/// Totals since the start.
struct Energy {
    double kinetic = 0, strain = 0;  ///< of the linear structure, at this instant
    double joint_work = 0;           ///< Int f dy: stored in joints and dissipated there
    double joint_dissipated = 0;     ///< the laws' own count
    double viscous = 0, input = 0;
    double initial = 0;
    double joint_stored() const { return joint_work - joint_dissipated; }
    double missing() const { return input + initial - kinetic - strain - joint_work - viscous; }
    /// What is missing over the greatest energy of the motion so far.
    double error() const;
    double largest = 0;
};

/// What a whole run's balance says of it.
struct EnergyBalance {
    double error = 0;   ///< greatest |missing| over the greatest energy of the motion; none kept: 0
    bool held = true;   ///< error <= Options::energy_tolerance
    double step = 0;    ///< where it is not held, the step that would do (fixed steps), else 0
    double demand = 0;  ///< where it is not held, the tolerance of the local error that would do (else), else 0
};

/// What the modes that are not kept would have added, followed beside the run without acting back on it.
struct Truncation {
    Eigen::Index modes = 0, static_shapes = 0, left_out = 0;
    double joint_error = 0;   ///< greatest |y| left out over the greatest |y| (both norms over all joints, from rest)
    double motion_error = 0;  ///< the same of all displacements, in the norm of the mass
};

/// Whether fixed steps are short enough for what moves fastest: the stuck modes in which a joint gives way, and loads.
struct StepAdvice {
    double omega = 0;       ///< the fastest, rad/s
    std::string of;         ///< "joint 'a', site 3", "load 1"
    double step = 0;        ///< s: half a radian of it; nothing to be resolved: 0
    bool too_long = false;  ///< the steps are fixed and longer than twice that
};

struct Snapshot {
    double time = 0;
    Eigen::VectorXd q, q_velocity, q_acceleration;    ///< modal
    Eigen::VectorXd displacement, velocity;           ///< physical
    Eigen::VectorXd joint_displacement, joint_force;  ///< y and f
    Energy energy;
};

/// All that a run needs besides the laws' memory, which the committed joint displacements rebuild exactly.
struct Restart {
    std::vector<double> numbers;
};

class Simulation {
 public:
    Simulation(const structure::Model& model, Excitation excitation, const Start& start, const Options& options);
    ~Simulation();
    Simulation(Simulation&&) noexcept;

    using OnSnapshot = std::function<void(const Snapshot&)>;
    using OnCommit = std::function<void(const Eigen::VectorXd& joint_displacement)>;

    /// Recorded snapshots to one, samples (if any) to the other, in time order; every committed joint displacement
    /// (without those of linear springs, which need no memory) to the third. `go_on` is asked before every step; false
    /// stops between two steps. True when the end was reached. Throws core::NotConverged naming the time.
    bool to_end(const OnSnapshot& record, const OnSnapshot& sample = {}, const OnCommit& commit = {},
                const std::function<bool(double time)>& go_on = {});

    Snapshot now() const;
    EnergyBalance balance() const;  ///< of all snapshots so far
    Truncation truncation() const;  ///< all steps so far
    const StepAdvice& step_advice() const;
    std::size_t steps() const;      ///< taken
    std::size_t reversals() const;  ///< landed on (events)
    std::size_t evaluations() const;
    const Eigen::VectorXd& omega() const;   ///< of the modes kept, then of the static shapes
    const Eigen::MatrixXd& shapes() const;  ///< physical = shapes * modal
    Eigen::Index width() const;             ///< joint displacements with a memory: those that are committed
    /// Continues a run made with the same model, excitation, start and options: the same bits as if never stopped.
    Restart restart() const;
    void resume(const Restart& restart, const std::vector<Eigen::VectorXd>& committed);

 private:
    struct Run;
    std::unique_ptr<Run> run_;
};

}  // namespace faying::transient
