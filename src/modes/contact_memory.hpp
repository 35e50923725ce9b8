#pragma once
// A contact on three displacements over a period of motion, and how it varies: what laws/harmonic_contact.hpp integrates
// along a given motion, here as part of the motion's own equations. It sticks (tau = s + kt u), slips (tau = limit e,
// where e turns by theta' = kt (u'.e_across)/limit) or is open; events in between are
//
//     a mark (it opens, closes, or its limit gets another slope), slip begins, slip ends.
//
// Its states in X are the traction over kt, and where the springs kp beside it are slack if an opening can move that. A contact
// that neither slips nor opens in a period has none: what it holds is a parameter of the motion.

#include <array>
#include <cmath>

#include "harmonic_system.hpp"

namespace faying::modes {

class ContactMemory {
 public:
    using Vector2 = Eigen::Vector2d;
    using Vector3 = Eigen::Vector3d;
    /// Displacements, their rates and the direction of slip.
    struct Place {
        Vector3 u = Vector3::Zero(), v = Vector3::Zero();
        double theta = 0;
    };
    /// How these vary, a column each.
    struct Variation {
        Eigen::MatrixXd u, v;  ///< 3 x columns
        Eigen::RowVectorXd theta;
    };
    enum class Event { mark, slip_begins, slip_ends };

    /// Both axes together; or each by itself, the normal force with the first.
    enum class Axes { both, first, second };
    /// `along`: which axis stands first, as always where it is one by itself. `straight`: it moves along that one only.
    ContactMemory(const HarmonicSystem::Site& site, Axes axes, int along, bool straight);

    /// Rows of a site's displacements in the order used here.
    std::array<Eigen::Index, 3> rows() const { return {site_.row + along_, site_.row + 1 - along_, site_.row + 2}; }
    /// A motion in the order used here, 3 x functions, as the law takes it: by function and component.
    Eigen::VectorXd in_order(Eigen::MatrixXd motion) const {
        if (along_ == 1) motion.row(0).swap(motion.row(1));
        return Eigen::Map<const Eigen::VectorXd>(motion.data(), motion.size());
    }
    double weight() const { return site_.weight; }
    const Vector3& base() const { return base_; }

    laws::ContactHeld held_in(const core::Harmonics& harmonics, const Eigen::VectorXd& motion, double t) const;
    /// What it holds at the section, where it is displaced by `u`.
    void expect(const laws::ContactHeld& held, const Vector3& u, Eigen::Index first);
    Eigen::Index first() const { return first_; }
    Eigen::Index count() const { return values_.size(); }
    const Eigen::VectorXd& values() const { return values_; }
    double size() const { return scale_ / law_.kt; }  ///< of a state, that counts as one

    /// At the beginning of a period; the angle of slip comes back in `p`.
    void start(const Eigen::VectorXd& states, Place& p);
    /// How the angle varies when X varies by itself; `u` as Variation's.
    Eigen::RowVectorXd vary_alone(const Place& p, const Eigen::MatrixXd& u);
    void collect(const Place& p, const Variation& d, Eigen::Ref<Eigen::MatrixXd> rows) const;
    void end(const Place& p);  ///< of a period: values() are those there
    laws::ContactHeld held() const {
        return {.traction = traction_, .slack = slack_, .slips = slips(), .moves = moved_};
    }
    bool as_expected() const { return slips() == expected_.slips && moved_ == expected_.moves; }

    /// Forces from those at rest, and theta'.
    Vector3 force(const Place& p, double& turn) const;
    Eigen::MatrixXd vary_force(const Place& p, const Variation& d, Eigen::RowVectorXd& turn) const;
    /// What an error of the angle counts, as a displacement.
    double lever(const Place& p) const { return slips() ? limit_of(p) / law_.kt : 0.0; }

    /// Positive before an event; of those that can come.
    double margin(Event event, const Place& p) const;
    bool awaits(Event event) const;
    double noise(Event event, const Place& p) const;
    /// Passes one, with the acceleration there; `d.theta` and `p.theta` come out as they are after it. What it adds to the
    /// time of the event is `later`, where forces jump.
    void pass(Event event, Place& p, const Vector3& acceleration, Variation& d, Eigen::RowVectorXd& later);

 private:
    enum class Phase { open, stick, slip };
    HarmonicSystem::Site site_;
    laws::ContactPieces law_;
    Axes which_;
    int along_;
    bool straight_;
    double scale_ = 1;
    Vector3 base_ = Vector3::Zero(), rest_ = Vector3::Zero();  ///< displacements and forces at rest
    Vector2 kept_ = Vector2::Zero();                           ///< s, where it is no state
    laws::ContactHeld expected_;
    Eigen::Index first_ = 0;
    Eigen::VectorXd values_;
    // running
    Phase phase_ = Phase::stick;
    bool pressed_ = true, capped_ = false;  ///< u_n > 0; the limit is fs, above the level where it stops to grow
    bool moved_ = false;
    Vector2 s_ = Vector2::Zero(), slack_ = Vector2::Zero(), traction_ = Vector2::Zero();
    Eigen::MatrixXd ds_, dslack_;  ///< 2 x columns

    bool slips() const { return phase_ == Phase::slip; }
    bool fades() const { return !law_.coulomb && std::isfinite(law_.mu); }
    double cap() const { return law_.fs / (law_.mu * law_.kn); }  ///< level of u_n
    bool touches() const { return !law_.penalty || pressed_; }
    bool grips() const { return law_.coulomb ? pressed_ : touches(); }
    bool sloped() const { return law_.coulomb || (fades() && !capped_); }
    bool slack_moves() const { return law_.kp > 0 && law_.penalty; }
    Eigen::Index axes() const { return which_ == Axes::both ? 2 : 1; }
    double limit_of(const Place& p) const;
    double limit_rate(const Place& p) const;
    Vector2 traction(const Place& p) const;
    Eigen::MatrixXd vary_traction(const Place& p, const Variation& d) const;
    Eigen::RowVectorXd vary_limit(const Variation& d) const;
    bool holds_little(const Place& p) const;
    void look(const Place& p);
    void begin_slip(Place& p, Variation& d);
    void end_slip(const Place& p, const Variation& d);
    void open_or_close(Place& p, const Vector3& acceleration, Variation& d, Eigen::RowVectorXd& later);
};

}  // namespace faying::modes
