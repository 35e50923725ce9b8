#include "faying/network/follower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "tableau.hpp"

namespace faying::network {

using Eigen::Index;
using Eigen::VectorXd;

struct Follower::Inside {
    std::shared_ptr<const Network> net;
    Method method;
    NetworkState state;
    Tableau tableau;
    int direction = 0;        ///< of the load: 1, -1, or 0 before anything moved
    std::vector<char> moves;  ///< the slider slips (or has no friction)
    std::vector<Index> set;   ///< those, in the order they began
    VectorXd velocity, rate;  ///< dx/|df|, dr/|df|
    VectorXd entering, leaving;
    double negligible = 0;  ///< rates below this are round-off
    std::uint64_t events = 0, limit = 0;
    Watch* watch = nullptr;

    Inside(std::shared_ptr<const Network> given, Method by)
        : net(std::move(given)),
          method(by),
          tableau(net->stiffness),
          negligible(1e-13 * net->coupling.lpNorm<Eigen::Infinity>()) {
        const Index n = net->size();
        if (method != Method::events && net->friction.minCoeff() <= 0.0)
            throw core::BadInput("network", fmt::format("method {} needs friction above 0 at every slider; {} does not",
                                                        name_of(method), name_of(Method::events)));
        state.x = state.r = velocity = rate = VectorXd::Zero(n);
        state.side.assign(std::size_t(n), 0);
        moves.assign(std::size_t(n), 0);
    }

    Index size() const { return net->size(); }
    bool free(Index i) const { return net->friction(i) == 0.0; }
    int side(Index i) const { return state.side[std::size_t(i)]; }

    // ---- velocities

    /// Nothing moves but what has no friction; the load now goes in `d`.
    void turn(int d) {
        if (watch) watch->turns();
        direction = d;
        tableau.restart();
        std::fill(moves.begin(), moves.end(), 0);
        set.clear();
        velocity.setZero();
        rate = double(d) * net->coupling;
        // The friction forces afresh: what round-off has gathered on the last branch goes.
        const VectorXd fresh = net->coupling * state.load - net->stiffness * state.x;
        for (Index i = 0; i < size(); ++i)
            if (side(i) == 0) state.r(i) = fresh(i);
        if (method == Method::events)
            for (Index i = 0; i < size(); ++i)
                if (free(i)) {
                    tableau.column(i, entering);
                    raise(i);
                    let_move(i);
                }
        find_velocities();
    }

    bool held_by_bound(Index i) const {
        return !moves[std::size_t(i)] && side(i) != 0 && side(i) * rate(i) <= negligible;
    }
    /// A slider at its bound that is pushed past it.
    bool pushed(Index i) const { return !moves[std::size_t(i)] && side(i) != 0 && side(i) * rate(i) > negligible; }

    void find_velocities() {
        if (method != Method::events) return solve_for_velocities();
        for (;;) {
            Index most = -1;
            double push = 0;
            for (Index i = 0; i < size(); ++i)
                if (pushed(i) && std::abs(rate(i)) > push) {
                    push = std::abs(rate(i));
                    most = i;
                }
            if (most < 0) return;
            begin_to_slip(most);
            check_end();
        }
    }

    /// Raises the velocity of slider j until its friction force stays at the bound; sliders that come to rest meanwhile
    /// leave the set.
    void begin_to_slip(Index j) {
        for (;;) {
            tableau.column(j, entering);
            const double own = entering(j);
            if (!(own > 1e-14 * net->stiffness(j, j))) throw no_equilibrium();
            const double full = rate(j) / own;
            const double s = full > 0 ? 1.0 : -1.0;
            double reach = std::abs(full);
            Index stops = -1;
            for (const Index i : set) {
                if (free(i)) continue;
                const double slower = side(i) * entering(i) * s;  // velocities change by -entering
                if (slower > 0.0 && side(i) * velocity(i) < reach * slower) {
                    reach = std::max(0.0, side(i) * velocity(i) / slower);
                    stops = i;
                }
            }
            move_rates(j, s * reach);
            if (stops < 0) {
                let_move(j);
                ++events;
                return;
            }
            if (watch) watch->stops(stops);
            velocity(stops) = 0.0;
            tableau.column(stops, leaving);
            tableau.take_out(stops, leaving);
            moves[std::size_t(stops)] = 0;
            set.erase(std::find(set.begin(), set.end(), stops));
            ++events;
        }
    }
    void raise(Index j) { move_rates(j, rate(j) / entering(j)); }

    /// Velocity of j by `more`, everything else along with it; `entering` is its column.
    void move_rates(Index j, double more) {
        const double own = velocity(j) + more;
        for (const Index i : set) velocity(i) -= more * entering(i);
        velocity(j) = own;
        for (Index i = 0; i < size(); ++i)
            if (!moves[std::size_t(i)]) rate(i) -= more * entering(i);
    }
    void let_move(Index j) {
        rate(j) = 0.0;
        tableau.take_in(j, entering);
        moves[std::size_t(j)] = 1;
        set.push_back(j);
    }

    core::BadInput no_equilibrium() const {
        return core::BadInput(
            "network", fmt::format("no equilibrium carries a load beyond {:.9g}: everything slides", state.load));
    }

    /// The same velocities from a problem of their own, by one of the methods kept for comparison.
    void solve_for_velocities() {
        std::vector<Index> bound;
        for (Index i = 0; i < size(); ++i)
            if (side(i) != 0 || free(i)) bound.push_back(i);
        const Index m = Index(bound.size());
        Eigen::MatrixXd M(m, m);
        VectorXd q(m), sides(m);
        for (Index a = 0; a < m; ++a) sides(a) = free(bound[a]) ? 1.0 : double(side(bound[a]));
        for (Index a = 0; a < m; ++a) {
            q(a) = -direction * sides(a) * net->coupling(bound[a]);
            for (Index c = 0; c < m; ++c) M(a, c) = sides(a) * sides(c) * net->stiffness(bound[a], bound[c]);
        }
        const auto before = moves;
        set.clear();
        std::fill(moves.begin(), moves.end(), 0);
        velocity.setZero();
        rate = double(direction) * net->coupling;
        if (m > 0) {
            const auto found = solve_complementarity(M, q, method);
            for (Index a = 0; a < m; ++a)
                if (found.y(a) > 0.0) {
                    velocity(bound[a]) = sides(a) * found.y(a);
                    moves[std::size_t(bound[a])] = 1;
                    set.push_back(bound[a]);
                }
            rate -= net->stiffness * velocity;
            for (const Index i : set) rate(i) = 0.0;
        }
        for (Index i = 0; i < size(); ++i)
            if (before[std::size_t(i)] != moves[std::size_t(i)]) ++events;
    }

    /// In exact arithmetic no set of moving sliders comes twice on a branch; round-off might not know that.
    void check_end() const {
        if (events > limit)
            throw core::NotConverged(fmt::format("network: events do not end at load {:.9g}", state.load),
                                     std::numeric_limits<double>::quiet_NaN());
    }

    // ---- along the load

    /// How far the load may go before a friction force reaches its bound.
    double way_to_event(double most) const {
        double way = most;
        const double* r = state.r.data();
        const double* mu = net->friction.data();
        for (Index i = 0; i < size(); ++i) {
            const double speed = rate(i);
            if (moves[std::size_t(i)] || held_at_rest(i) || !(std::abs(speed) > negligible)) continue;
            const double room = speed > 0 ? mu[i] - r[i] : mu[i] + r[i];
            if (room < way * std::abs(speed)) way = std::max(0.0, room / std::abs(speed));
        }
        return way;
    }
    /// At its bound and neither pushed nor leaving it.
    bool held_at_rest(Index i) const { return side(i) != 0 && side(i) * rate(i) > -negligible; }

    void go(double way) {
        const double before = xi();
        double dissipated = 0.0;
        for (const Index i : set) {
            const double run = velocity(i) * way;
            state.x(i) += run;
            dissipated += net->friction(i) * std::abs(run);
        }
        state.dissipated += dissipated;
        const double from = state.load;
        state.load += direction * way;
        do_work(from, before);
        Watch* told = watch;  // of the first that arrives
        for (Index i = 0; i < size(); ++i) {
            if (moves[std::size_t(i)] || held_at_rest(i)) continue;
            double& r = state.r(i);
            r += rate(i) * way;
            const double mu = net->friction(i);
            const double room = rate(i) > 0 ? mu - r : mu + r;
            int to = 0;  // what reaches its bound together is at its bound together
            if (std::abs(rate(i)) > negligible && room <= 1e-14 * (mu + std::abs(rate(i)) * way)) {
                to = rate(i) > 0 ? 1 : -1;
                r = to * mu;
                if (told) told->arrives(i, rate(i));
                told = nullptr;
            }
            state.side[std::size_t(i)] = std::int8_t(to);
        }
    }

    void do_work(double from, double xi_before) {
        const double xi_now = xi(), mean = 0.5 * (from + state.load);
        state.work += net->by_force() ? mean * (xi_now - xi_before)
                                      : (net->held * mean - 0.5 * (xi_now + xi_before)) * (state.load - from);
    }

    double xi() const { return net->coupling.dot(state.x); }

    void advance(double load) {
        if (!std::isfinite(load)) throw core::BadInput("network", fmt::format("a load of {} is not finite", load));
        const double run = load - state.load;
        if (run == 0.0) return;
        const int d = run > 0 ? 1 : -1;
        limit = events + 1000 + 100 * std::uint64_t(size());
        if (d != direction) turn(d);
        for (;;) {
            const double left = d * (load - state.load);
            const double way = way_to_event(left);
            if (way >= left) {
                go(left);
                state.load = load;
                break;
            }
            go(way);
            find_velocities();
            check_end();
        }
        // A slider that reaches its bound just here slips from here on.
        find_velocities();
    }
};

Follower::Follower(const Network& network, Method method)
    : Follower((check_network(network, "network"), std::make_shared<const Network>(network)), method) {}
Follower::Follower(std::shared_ptr<const Network> network, Method method)
    : inside_(std::make_unique<Inside>(std::move(network), method)) {}
Follower::~Follower() = default;
Follower::Follower(Follower&&) noexcept = default;
Follower& Follower::operator=(Follower&&) noexcept = default;

void Follower::advance(double load) { inside_->advance(load); }
const NetworkState& Follower::state() const { return inside_->state; }
void Follower::set_state(const NetworkState& state) {
    inside_->state = state;
    inside_->direction = 0;
    inside_->set.clear();
    std::fill(inside_->moves.begin(), inside_->moves.end(), 0);
    inside_->velocity.setZero();
}
double Follower::xi() const { return inside_->xi(); }
double Follower::answer() const {
    const auto& net = *inside_->net;
    return net.by_force() ? xi() : net.held * load() - xi();
}
double Follower::tangent() const {
    const auto& net = *inside_->net;
    const double slope = inside_->direction * net.coupling.dot(inside_->velocity);
    return net.by_force() ? slope : net.held - slope;
}
double Follower::stored() const {
    const auto& net = *inside_->net;
    const double springs = 0.5 * state().x.dot(net.coupling * load() - state().r);  // K x = b f - r
    return net.by_force() ? springs : springs + load() * (0.5 * net.held * load() - xi());
}
double Follower::residual() const {
    const auto& net = *inside_->net;
    const VectorXd pull = net.coupling * load();
    const double scale = pull.lpNorm<Eigen::Infinity>() + net.friction.lpNorm<Eigen::Infinity>();
    const VectorXd springs = net.stiffness * state().x;
    double worst = (pull - springs - state().r).lpNorm<Eigen::Infinity>();
    for (Index i = 0; i < net.size(); ++i) worst = std::max(worst, std::abs(state().r(i)) - net.friction(i));
    return worst / (scale + springs.lpNorm<Eigen::Infinity>());
}
int Follower::slipping() const {
    const auto& in = *inside_;
    return int(std::count_if(in.set.begin(), in.set.end(), [&](Index i) { return in.velocity(i) != 0.0; }));
}
bool Follower::slips(Index slider) const { return inside_->moves[std::size_t(slider)] != 0; }
const std::vector<Index>& Follower::moving() const { return inside_->set; }
const VectorXd& Follower::velocities() const { return inside_->velocity; }
int Follower::direction() const { return inside_->direction; }
void Follower::watch(Watch* by) { inside_->watch = by; }
std::uint64_t Follower::events() const { return inside_->events; }
const Network& Follower::network() const { return *inside_->net; }

}  // namespace faying::network
