#pragma once
// What a contact on three displacements does over a period, from event to event (harmonic_contact.hpp), with derivatives.

#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "faying/harmonic/contact.hpp"
#include "first_below.hpp"
#include "period_integrals.hpp"
#include "radau.hpp"

namespace faying::harmonic::detail {

using namespace laws;

using core::Dual;
using Eigen::Vector2d;
constexpr double turn = 2 * std::numbers::pi;
constexpr double nothing = 1e-12;  ///< of the largest limit: a limit that small holds nothing

inline Vector2d across(const Vector2d& e) { return {-e(1), e(0)}; }
inline Vector2d direction_of(double theta) { return {std::cos(theta), std::sin(theta)}; }

/// What a contact holds at t = 0, when it has gone there straight from where it was: friction, and how far the springs
/// beside it are stretched.
struct ContactStart {
    Vector2d tau = Vector2d::Zero(), stretch = Vector2d::Zero();
    Eigen::Matrix<double, 2, core::directions> dtau = {}, dstretch = {};  ///< where parameters are seeded
};

/// What a contact does over a period.
class ContactPath {
 public:
    enum class Axes { both, first };  ///< `first`: motion and friction along the first axis only

    /// Derivatives are to the motion's harmonics; or, where there are `slopes`, to parameters, with which the base
    /// moves too.
    ContactPath(const ContactPieces& law, const Eigen::VectorXd& base, const core::Harmonics& harmonics,
                const Eigen::VectorXd& motion, const ContactSlopes* slopes, Axes axes);

    HarmonicForce find(const ContactStart& start, const HarmonicOptions& options);
    /// At the end of the last period.
    ContactState state() const;

 private:
    enum class Phase { open, stick, slip };
    struct State {
        Phase phase = Phase::open;
        Vector2d s = Vector2d::Zero();  ///< stick: tau = s + kt u
        double theta = 0;               ///< slip: direction
        Vector2d reference = Vector2d::Zero();
        Eigen::MatrixXd ds, dreference;  ///< to the motion's harmonics, or parameters
        Eigen::RowVectorXd dtheta;
    };
    struct Regime {  ///< the same between two marks
        bool touches = true, grips = true;
        bool sloped = true;  ///< the limit goes with the pressure
    };
    struct Place {  ///< of the motion at a time
        double t = 0;
        Eigen::Vector3d u, v, a;
        double limit = 0, limit_rate = 0;
    };
    struct Step {  ///< of slip whose direction turns
        double length = 0;
        Radau::Vector theta, pace;  ///< at the stages; kt u'.e/limit
        std::array<Place, Radau::stages> places;
        bool converged = false;
        double rough = 0;         ///< what a polynomial of the stages leaves out, in angle times share of the limit
        Radau::Vector turning{};  ///< theta', as Legendre polynomials
    };

    /// ContactSlopes over all columns.
    struct Slopes {
        Eigen::RowVectorXd kt, kp, kn, mu, fs;
        Eigen::MatrixXd base;
        Slopes(const ContactSlopes& given, Eigen::Index columns);
    };

    const ContactPieces& law_;
    Eigen::Index given_;  ///< columns of the motion, or of parameters; behind them stand those of what is held at t = 0
    std::optional<Slopes> slopes_;
    const Eigen::VectorXd& base_;
    const core::Harmonics& harmonics_;
    Eigen::MatrixXd u_;
    Eigen::Index functions_, columns_;
    bool one_axis_;
    double scale_ = 1;           ///< of the limit
    std::vector<double> marks_;  ///< 0, where the limit has kinks, 2 pi
    /// No more than this, by derivative: motion from its mean (along the face; across it), and its velocity, ..
    std::array<double, 4> along_{}, normal_{};
    Eigen::Vector3d mean_;
    Regime regime_;
    State now_;
    bool quiet_ = true;           ///< stuck in one regime since the period began
    bool unfinished_ = false;     ///< more events than can be
    std::vector<double> events_;  ///< of the last period
    PeriodIntegrals integrals_;
    Eigen::MatrixXd force_;                 ///< functions x components
    std::array<Eigen::MatrixXd, 3> slope_;  ///< of each component: functions x columns
    Eigen::MatrixXd moments_;               ///< Int h_b u of a piece

    Regime regime_at(double t) const;
    void motion_at(double t, Place& p) const;
    void limit_of(Place& p) const;
    Place at(double t) const {
        Place p;
        motion_at(t, p);
        limit_of(p);
        return p;
    }

    // What varies: tangential displacement and velocity, normal displacement, and what the law makes of them.
    Eigen::MatrixXd moved(double t) const { return slopes_ ? slopes_->base.topRows(2) : tangential(values(t)); }
    Eigen::MatrixXd hastened(double t) const {
        return slopes_ ? Eigen::MatrixXd::Zero(2, columns_) : tangential(rates(values(t)));
    }
    Eigen::VectorXd values(double t) const;
    Eigen::VectorXd rates(const Eigen::VectorXd& values) const;
    Eigen::MatrixXd tangential(const Eigen::VectorXd& h) const;
    Eigen::RowVectorXd pressed(double t) const;
    Eigen::MatrixXd pulled(const Place& p) const;     ///< kt u, with its own parameter
    Eigen::RowVectorXd held(const Place& p) const;    ///< the limit
    Eigen::RowVectorXd held_by_law(double un) const;  ///< the limit, to the law's own parameters
    Eigen::RowVectorXd turned(const Place& p, const Vector2d& e) const;
    /// Where nothing is held, slip goes with the velocity.
    static Vector2d direction(const Place& p) {
        const double speed = p.v.head<2>().norm();
        return speed > 0 ? Vector2d(p.v.head<2>() / speed) : Vector2d(1, 0);
    }

    /// Times at which the normal displacement takes a value.
    void crossings(double level);
    void mark_times();
    void begin(const ContactStart& start);
    /// What is held at t = 0 goes along in columns of its own; what it was is kept in the others.
    void seed_held();
    void one_period();
    double dissipated() const;
    bool repeats(const State& before, double residual) const;
    /// To what a period leaves alone, as far as its linear map tells: friction fades slowly where slip is short.
    void jump_to_repeating(const State& before);
    double apart(const State& a, const State& b) const;
    /// At a mark: contact may open, close, or get another limit.
    void pass_mark(double t, const Regime& next);
    void start_slip(const Place& p, const Vector2d& tau);
    void start_stick(const Place& p);
    Vector2d traction(const Place& p) const {
        if (now_.phase == Phase::open) return Vector2d::Zero();
        if (now_.phase == Phase::stick) return now_.s + law_.kt * p.u.head<2>();
        return p.limit * direction_of(now_.theta);
    }
    /// Positive while it may go on as it is.
    double margin(const Place& p) const {
        if (now_.phase == Phase::stick) return p.limit * p.limit - traction(p).squaredNorm();
        return slip_margin(p, now_.theta);
    }
    double slip_margin(const Place& p, double theta) const {
        return direction_of(theta).dot(p.v.head<2>()) - p.limit_rate / law_.kt;
    }
    void go(double from, double to);
    /// From a time on, until an event or `to`; returns where it ended.
    double piece(double from, double to);
    /// When it can no longer go on as it is (first_below.hpp); `to` where it can.
    double first_event(double from, double to) const;
    double stick_ends(double from, double to) const;
    double straight_slip_ends(double from, double to) const;
    std::array<double, 4> limit_bounds() const;  ///< of the limit and its derivatives

    // Slip whose direction turns (contact_slip.cpp).
    double turning_slip(double from, double to);
    Step step_from(double from, double length) const;
    struct SlipEnd {
        enum { none, inside, unclear } found = none;  ///< unclear: the step is too rough to tell
        double length = 0;                            ///< of the step at whose end slip stops
    };
    SlipEnd slip_ends(double from, const Step& step) const;
    Local slip_margin_in(double from, const Step& step, double length) const;
    void take(const Step& step);

    // Closed forms, over [from, to].
    void add_stick(double from, double to);
    void add_straight_slip(double from, double to);
    void add_springs(double from, double to);
    void over(double from, double to);
};

}  // namespace faying::harmonic::detail
