#pragma once
// Harmonics of the forces of a contact on three displacements (two tangential, one normal) under a periodic motion,
// without samples: from event to event, which are
//
//     contact opens and closes (zeros of the normal displacement), slip begins (|s + kt u| = limit), slip ends
//     (u'.e - limit'/kt = 0, e the direction of slip)
//
// and between them Gauss rules on what is smooth: tau = s + kt u while it sticks (s constant), tau = limit e while it
// slips, where e turns by
//
//     theta' = kt (u' . e_across)/limit
//
// (no turning when the path is straight: closed form). This is what radial return tends to as its steps go to zero.
// Derivatives go along: s, theta and the point of re-closure vary with the motion's harmonics; the times of events only
// count where a force jumps, at an opening that tears a spring apart.

#include <Eigen/Dense>
#include <optional>
#include <vector>

#include "faying/harmonic/force.hpp"
#include "faying/laws/catalogue.hpp"

namespace faying::harmonic {

/// A contact law's parameters, as numbers.
struct ContactPieces {
    double kt = 0, kp = 0, kn = 0;
    double mu = 0;               ///< of the pressure, or the steepest ratio below `fs`
    double fs = core::infinity;  ///< the most that friction holds
    bool coulomb = true;         ///< else a constant limit, wherever it touches
    bool penalty = true;         ///< opens; else a linear normal spring
    bool decoupled = false;      ///< each tangential axis by itself, at the full limit
};

/// None where a law's force is no such thing.
std::optional<ContactPieces> contact_pieces(const laws::Law& law);

/// How these numbers, and the displacements at rest, move with up to four parameters.
struct ContactSlopes {
    using Row = Eigen::Matrix<double, 1, core::directions>;
    Row kt = Row::Zero(), kp = Row::Zero(), kn = Row::Zero(), mu = Row::Zero(), fs = Row::Zero();
    Eigen::Matrix<double, 3, core::directions> base = Eigen::Matrix<double, 3, core::directions>::Zero();
};
/// `seeds`: by parameter of the law, its direction or -1.
ContactSlopes contact_slopes(const laws::Law& law, const std::vector<int>& seeds);

/// As harmonic_force_parameters.
Eigen::MatrixXd harmonic_contact_parameters(const ContactPieces& law, ContactSlopes slopes,
                                            const laws::JointOf<core::Dual>& seeded,
                                            const std::vector<core::Dual>& base, const core::Harmonics& harmonics,
                                            const Eigen::VectorXd& motion, const HarmonicOptions& options = {});

/// What one slider of a contact holds at t = 0 of a periodic motion, once it repeats.
struct ContactState {
    enum class Phase { open, stick, slip } phase = Phase::open;
    Eigen::Vector2d held = Eigen::Vector2d::Zero();       ///< stick: friction is held + kt u
    double angle = 0;                                     ///< slip: its direction
    Eigen::Vector2d reference = Eigen::Vector2d::Zero();  ///< where the spring kp is slack
    std::vector<double> events;                           ///< times at which it opens, closes, slips, sticks, ..
};
/// One for both axes; of decoupled ones two, whose displacement and friction are along their own axis only.
std::vector<ContactState> contact_states(const ContactPieces& law, const laws::JointOf<core::Dual>& begun,
                                         const Eigen::VectorXd& base, const core::Harmonics& harmonics,
                                         const Eigen::VectorXd& motion, const HarmonicOptions& options = {});

/// As harmonic_force, for one site of such a law in its state `begun` at `base`.
HarmonicForce harmonic_contact(const ContactPieces& law, const laws::JointOf<core::Dual>& begun,
                               const Eigen::VectorXd& base, const core::Harmonics& harmonics,
                               const Eigen::VectorXd& motion, const HarmonicOptions& options = {});

}  // namespace faying::harmonic
