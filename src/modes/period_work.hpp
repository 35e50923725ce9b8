#pragma once
// A period of motion and of its variation, from event to event: Runge-Kutta-Fehlberg 7(8) on (q, q'/omega), the angles at
// which contacts slip, and their derivatives to X, landing on every reversal and kink of every joint, and on everything
// that changes what a contact does.

#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <numbers>

#include "contact_memory.hpp"
#include "harmonic_orbit.hpp"
#include "joint_memory.hpp"

namespace faying::modes {

struct PeriodMap::Work {
    using Vector = std::vector<double>;
    using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;
    using ConstVector = Eigen::Map<const Eigen::VectorXd>;
    using Contact = ContactMemory;
    static constexpr double two_pi = 2 * std::numbers::pi;
    static constexpr double at_once = 1e-8;  ///< phase below which two events are one: a tip is off by its square

    const HarmonicSystem& system;
    double w, zeta;
    Eigen::Index n;
    std::vector<JointMemory> sites;
    std::vector<Contact> contacts;
    Eigen::MatrixXd rows;     ///< displacements of sites, then three of every contact = rows q
    Eigen::VectorXd damping;  ///< c - 2 zeta w
    Eigen::MatrixXd damping_matrix;
    const Eigen::MatrixXd* prescribed = nullptr;  ///< modal harmonics, where the motion is given
    double section = 0, reach = 1;                ///< phase of the beginning; size of q
    Eigen::Index states = 0;                      ///< of X
    bool changed = false;                         ///< not the reversals that were expected
    Eigen::VectorXd gap_of_period;                ///< X' - X of the last run
    std::string failure;                          ///< why a run came to no end

    Work(const HarmonicSystem& s, double frequency, double z);

    /// X of a motion given by its harmonics; the section goes where it is farthest from reversals.
    Eigen::VectorXd begin(const Eigen::MatrixXd& q);
    /// X at the end of the last run, with the reversals that it had.
    Eigen::VectorXd go_on(const Orbit& orbit);
    /// A period from X, in so many parts.
    bool run(const Eigen::VectorXd& start, int segments, Orbit& orbit);

 private:
    boost::numeric::odeint::runge_kutta_fehlberg78<Vector> stepper;
    Vector x, next, error, slope, next_slope;  ///< q, q', angles: a column each, first the motion, then its variations
    Eigen::VectorXd u0, speed0, pull0, u1, speed1, pull1;
    Eigen::VectorXd acceleration;  ///< of the modes, by their equations, at the last look
    double time = 0, next_step = 0;
    Eigen::VectorXd h, h_slope, h_bend;  ///< harmonics at a time, scratch

    Eigen::Index height() const { return 2 * n + Eigen::Index(contacts.size()); }
    ConstMatrix matrix(const Vector& of) const { return {of.data(), height(), states + 1}; }
    Eigen::Map<Eigen::MatrixXd> matrix(Vector& of) const { return {of.data(), height(), states + 1}; }
    Eigen::Index contact_row(std::size_t c) const { return Eigen::Index(sites.size() + 3 * c); }

    void add_contact(const HarmonicSystem::Site& site, const Eigen::MatrixXd& on_modes);
    void harmonics_at(double t);
    Eigen::VectorXd assemble(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                             const std::vector<std::vector<double>>& tips, const std::vector<laws::ContactHeld>& held);
    void damped(const Eigen::Ref<const Eigen::MatrixXd>& v, Eigen::MatrixXd& out) const;
    void rhs(const Vector& from, Vector& to, double t);
    Contact::Place place(std::size_t c, const Eigen::VectorXd& u, const Eigen::VectorXd& speed, double theta) const;
    Contact::Place place(std::size_t c, const Vector& of) const;
    Contact::Variation variation(std::size_t c, const Vector& of) const;
    void identity();  ///< the variation begins anew
    Eigen::MatrixXd collected() const;

    // Steps (period_steps.cpp).
    struct Event {
        enum class Kind { none, reversal, kink, contact } kind = Kind::none;
        std::size_t site = 0;
        Contact::Event what = Contact::Event::mark;
        bool operator==(const Event&) const = default;
    };
    double attempt(double step);
    double distance(const Event& event) const;
    Event first_event(double step, double& share) const;
    void look_at_contacts(double step, double& share, Event& first) const;
    double land(const Event& event, double high);
    void here();
    void note_reversals();
    void pass_contact(const Event& event);
    void jump(const Eigen::VectorXd& before, const Eigen::RowVectorXd& later);
    bool find_step(double target, double& step, Event& event);
    bool advance(double target);
};

}  // namespace faying::modes
