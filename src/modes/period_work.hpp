#pragma once
// A period of motion and of its variation, from event to event: Runge-Kutta-Fehlberg 7(8) on (q, q'/omega, directions of
// slip) and their derivatives to X, landing on every reversal and kink of every joint, and on every event of a contact
// (period_steps.cpp).

#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "contact_memory.hpp"
#include "harmonic_orbit.hpp"
#include "joint_memory.hpp"

namespace faying::modes {

struct PeriodMap::Work {
    using Vector = std::vector<double>;
    using Matrix = Eigen::Map<Eigen::MatrixXd>;
    using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;
    using ConstVector = Eigen::Map<const Eigen::VectorXd>;
    static constexpr double two_pi = 2 * std::numbers::pi;
    static constexpr double at_once = 1e-8;  ///< phase below which two events are one: a tip is off by its square

    const HarmonicSystem& system;
    double w, zeta;
    Eigen::Index n;
    std::vector<JointMemory> sites;       ///< of one displacement
    std::vector<ContactMemory> contacts;  ///< of three
    Eigen::MatrixXd rows;                 ///< displacements = rows q: one of each site, then three of each contact
    Eigen::VectorXd damping;              ///< c - 2 zeta w
    Eigen::MatrixXd damping_matrix;
    Eigen::VectorXd squared;                      ///< -omega^2/w^2
    Eigen::MatrixXd pulled_back;                  ///< -P^T/w^2
    const Eigen::MatrixXd* prescribed = nullptr;  ///< modal harmonics, where the motion is given
    double section = 0, reach = 1;                ///< phase of the beginning; size of q
    Eigen::Index states = 0;                      ///< of X
    Eigen::Index columns = 0;                     ///< variations that go along
    bool changed = false;                         ///< not the reversals, or phases of contacts, that were expected
    std::string trouble;                          ///< why a period could not be followed

    // running
    boost::numeric::odeint::runge_kutta_fehlberg78<Vector> stepper, probing;
    Vector x, next, error, slope, next_slope;                  ///< 2n + contacts rows: the motion, then its variations
    Vector way, way_slope, way_end, way_end_slope, way_error;  ///< the motion alone, while events are looked for
    Eigen::MatrixXd y, g;
    Eigen::VectorXd u0, speed0, pull0, u1, speed1, pull1, angle0, turning0, angle1, turning1;
    double time = 0, next_step = 0;
    Eigen::VectorXd h, h_slope, h_bend;  ///< harmonics at a time, scratch
    Eigen::VectorXd gap_of_period;       ///< X' - X of the last run

    Work(const HarmonicSystem& s, double frequency, double z);

    Eigen::Index height() const { return 2 * n + Eigen::Index(contacts.size()); }
    Eigen::Index row_of(std::size_t contact) const { return Eigen::Index(sites.size() + 3 * contact); }

    /// X of a motion given by its harmonics; the section goes where it is farthest from events.
    Eigen::VectorXd begin(const Eigen::MatrixXd& q);
    /// X from a displacement, a velocity, the tips of every site in the period before and what contacts hold.
    Eigen::VectorXd assemble(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                             const std::vector<std::vector<double>>& tips,
                             const std::vector<ContactMemory::State>& held);
    /// X where the last period ended, with what it met.
    Eigen::VectorXd end_of_period(const Orbit& orbit);
    /// A period from X, in so many parts.
    bool run(const Eigen::VectorXd& start, int segments, Orbit& orbit);
    /// A period from X, with these variations of it; in `end` what they are after it.
    bool carry(const Eigen::VectorXd& start, const Eigen::MatrixXd& directions, Orbit& orbit, Eigen::MatrixXd& end);

    // motion and equations
    void harmonics_at(double t);
    std::vector<std::vector<double>> tips_from(const Eigen::MatrixXd& q, std::vector<std::vector<double>> turns);
    std::vector<ContactMemory::State> states_of_contacts(const Eigen::MatrixXd& q) const;
    void rhs(const Vector& from, Vector& to, double t);
    void add_sites(const ConstMatrix& all);
    void add_contacts(const ConstMatrix& all, Matrix& out);
    void set_out(const Eigen::VectorXd& start, Orbit& orbit);
    void find_ways();
    void finish(const Eigen::VectorXd& start, Orbit& orbit);
    void vary(const Eigen::MatrixXd& directions);
    Eigen::MatrixXd collected() const;

    // steps and events (period_steps.cpp)
    struct Event {
        enum class Kind { reversal, level, contact } kind = Kind::reversal;
        Eigen::Index site = -1;
        ContactMemory::Kind of_contact = ContactMemory::Kind::normal;
        bool operator==(const Event&) const = default;
    };
    struct Rate {
        double value = 0, rate = 0;
    };
    double attempt(double step);
    void probe(double step);
    /// What contacts and springs see of a state.
    void note(const Vector& state, const Vector& state_slope, Eigen::VectorXd& u, Eigen::VectorXd& speed,
              Eigen::VectorXd& pull, Eigen::VectorXd& angle, Eigen::VectorXd& turning) const;
    void note_end(const Vector& end, const Vector& end_slope);
    double error_ratio() const;
    Rate distance(const Event& event, bool at_end) const;
    ContactMemory::Place place(std::size_t contact, bool at_end) const;
    ContactMemory::Place place_within(std::size_t contact, double step, double share) const;
    Event first_event(double step, double& share) const;
    void first_of_contact(std::size_t contact, double step, Event& first, double& share) const;
    double land(const Event& event, double high);
    bool find_step(double target, double& step, Event& event);
    void here();
    bool note_reversals(const Event& event);
    bool note_site(std::size_t site);
    void note_contact(const Event& event);
    void add_jump(const Eigen::VectorXd& pushed, const Eigen::RowVectorXd& later);
    bool advance(double target);
};

}  // namespace faying::modes
