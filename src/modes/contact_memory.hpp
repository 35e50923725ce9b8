#pragma once
// One slider of a contact on three displacements over a period, from event to event, with what it holds as numbers that
// a period map can vary. It is open, sticks, or slips:
//
//     stick   friction s + kt u           states: s
//     slip    friction limit e(theta)     states: theta, which turns by theta' = kt (u'.e_across)/limit; along one axis none
//     open    none
//
// and where a spring kp restarts with the contact, the place where it is slack, while it is closed. X has as many places
// for them as there are components, whatever it does at the beginning of the period: those that it does not need are
// zero, and so are their rows and columns of the map. Events are zeros of functions of the motion; friction is
// continuous there, so that their time only counts where an opening tears a spring apart.

#include <array>
#include <cmath>

#include "harmonic_system.hpp"

namespace faying::modes {

class ContactMemory {
 public:
    using State = harmonic::ContactState;
    using Phase = State::Phase;
    enum class Axes { both, first, second };
    enum class Kind { normal, cap, slip, stick };
    static constexpr std::array<Kind, 4> kinds{Kind::normal, Kind::cap, Kind::slip, Kind::stick};

    /// The normal force is counted with the first axis, or both.
    ContactMemory(const HarmonicSystem::Site& site, Axes axes);

    Eigen::Index row() const { return site_.row; }
    const Eigen::VectorXd& base() const { return site_.base; }
    double weight() const { return site_.weight; }
    const harmonic::ContactPieces& law() const { return *site_.contact; }
    const HarmonicSystem::Site& site() const { return site_; }

    /// The motion of its site: displacement with that at rest, first and second derivative to the phase.
    struct Place {
        Eigen::Vector3d u, v, a;
        double angle = 0, turning = 0;
    };
    /// How they vary, by state of X.
    struct Variation {
        Eigen::MatrixXd u, v;
        Eigen::RowVectorXd angle;
    };

    /// At the beginning of a period; `normal` is its normal displacement there, `reach` the largest.
    void expect(const State& state, double normal, double reach, Eigen::Index first);
    Eigen::Index first() const { return first_; }
    Eigen::Index count() const { return moves_ ? components() * (restarts() ? 2 : 1) : 0; }
    Eigen::VectorXd values(double angle) const;
    Eigen::VectorXd sizes() const;
    /// From these values, in the phase expected.
    void start(const Eigen::VectorXd& values);
    State state(double angle) const;
    bool as_expected() const { return phase_ == expected_.phase && moves_ == moved_; }

    double angle_at_start() const { return start_angle_; }
    /// How much an angle counts: of the largest friction, and as a displacement.
    double share_of_limit(const Place& p) const { return slips_around() ? limit(p) / scale_ : 0.0; }
    double arm(const Place& p) const { return slips_around() ? limit(p) / law().kt : 0.0; }

    struct Answer {  ///< force from rest and theta', with their derivatives
        Eigen::Vector3d force = Eigen::Vector3d::Zero(), to_angle = Eigen::Vector3d::Zero();
        Eigen::Matrix3d tangent = Eigen::Matrix3d::Zero();
        double pace = 0, pace_to_angle = 0;
        Eigen::RowVector3d pace_to_u = Eigen::RowVector3d::Zero(), pace_to_v = Eigen::RowVector3d::Zero();
    };
    Answer respond(const Place& p) const;
    /// What it holds adds to the variation of the force.
    void add_memory(Eigen::Ref<Eigen::MatrixXd> force) const;

    /// Positive before an event of a kind, and its derivative; none where there can be none.
    struct Ahead {
        double value = 0, rate = 0, noise = 0;
    };
    std::optional<Ahead> ahead(Kind kind, const Place& p) const;
    /// An event happens here. The angle and its variation may change; the force where it jumps, with how the time of
    /// the jump varies.
    struct Jump {
        Eigen::Vector3d force = Eigen::Vector3d::Zero();
        Eigen::RowVectorXd later;
    };
    std::optional<Jump> pass(Kind kind, const Place& p, Variation& varied, double& angle);

    /// From here on its states vary as these rows; the angle's variation is returned.
    Eigen::RowVectorXd vary(const Eigen::Ref<const Eigen::MatrixXd>& rows);
    void collect(const Eigen::Ref<const Eigen::RowVectorXd>& angle, Eigen::Ref<Eigen::MatrixXd> rows) const;

 private:
    HarmonicSystem::Site site_;
    Axes axes_;
    Eigen::Vector2d mask_;
    Eigen::Vector3d rest_;
    double scale_ = 1, reach_ = 1;  ///< of the limit; of the normal displacement
    State expected_;
    bool moves_ = false;  ///< it slips or opens in a period: else what it holds is a parameter
    bool moved_ = false;
    Eigen::Index first_ = 0;
    double start_angle_ = 0;

    Phase phase_ = Phase::open;
    bool pressed_ = true, started_pressed_ = true;  ///< normal displacement above zero
    bool capped_ = false, started_capped_ = false;  ///< the limit no longer grows with the pressure
    Eigen::Vector2d s_ = Eigen::Vector2d::Zero(), reference_ = Eigen::Vector2d::Zero();
    Eigen::MatrixXd ds_, dreference_;

    int components() const { return axes_ == Axes::both ? 2 : 1; }
    Eigen::Index component(Eigen::Index i) const { return axes_ == Axes::second ? 1 : i; }
    bool restarts() const { return law().kp > 0 && law().penalty; }
    bool slips_around() const { return phase_ == Phase::slip && axes_ == Axes::both; }
    bool touches() const { return !law().penalty || pressed_; }
    bool sloped() const { return law().coulomb || (std::isfinite(law().mu) && !capped_); }
    double limit(const Place& p) const;
    double limit_rate(const Place& p) const { return sloped() ? law().mu * law().kn * p.v(2) : 0.0; }
    Eigen::RowVectorXd limit_variation(const Variation& varied) const;
    Eigen::Vector2d along(const Eigen::Vector3d& three) const { return mask_.cwiseProduct(three.head<2>()); }
    Eigen::MatrixXd all_along(const Eigen::MatrixXd& three) const { return mask_.asDiagonal() * three.topRows(2); }
    Eigen::Vector2d traction(const Place& p) const;
    std::optional<Jump> open(const Place& p, Variation& varied);
    void close(const Place& p, Variation& varied, double& angle);
    void begin_slip(const Place& p, Variation& varied, double& angle);
    void slip_with_velocity(const Place& p, Variation& varied, double& angle) const;
};

}  // namespace faying::modes
