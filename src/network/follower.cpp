#include "faying/network/follower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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
    std::vector<Index> set;   ///< sliders that slip (or have no friction), in the order they began
    VectorXd velocity, rate;  ///< dx/|df|, dr/|df|
    // Most work is one pass over all sliders that asks no questions, since answers that nobody can guess cost more than
    // the sums. So these are numbers: the scale of the tableau where a slider moves (else 0), one over it where it rests
    // (else 0), and the side of one that rests at its bound (else 0).
    VectorXd moves, rests, at_bound;
    VectorXd entering, leaving;
    double xi = 0;        ///< coupling.x
    VectorXd negligible;  ///< rates below this are round-off
    std::uint64_t events = 0, limit = 0;
    Watch* watch = nullptr;

    Inside(std::shared_ptr<const Network> given, Method by)
        : net(std::move(given)),
          method(by),
          tableau(net->stiffness),
          rests(scale().cwiseInverse()),
          negligible(1e-13 * net->coupling.cwiseProduct(scale()).lpNorm<Eigen::Infinity>() * rests) {
        const Index n = net->size();
        if (method != Method::events && net->friction.minCoeff() <= 0.0)
            throw core::BadInput("network", fmt::format("method {} needs friction above 0 at every slider; {} does not",
                                                        name_of(method), name_of(Method::events)));
        state.x = state.r = velocity = rate = moves = at_bound = VectorXd::Zero(n);
        state.side.assign(std::size_t(n), 0);
    }

    Index size() const { return net->size(); }
    const VectorXd& scale() const { return tableau.scale(); }
    bool free(Index i) const { return net->friction(i) == 0.0; }
    int side(Index i) const { return state.side[std::size_t(i)]; }

    void set_state(const NetworkState& given) {
        state = given;
        xi = net->coupling.dot(state.x);
        direction = 0;
        rest();
    }

    // ---- velocities

    void rest() {
        set.clear();
        moves.setZero();
        rests = scale().cwiseInverse();
        velocity.setZero();
        for (Index i = 0; i < size(); ++i) at_bound(i) = side(i);
    }

    /// Nothing moves but what has no friction; the load now goes in `d`.
    void turn(int d) {
        if (watch) watch->turns();
        direction = d;
        tableau.restart();
        rest();
        rate = double(d) * net->coupling;
        // The friction forces afresh: what round-off has gathered on the last branch goes.
        const VectorXd fresh = net->coupling * state.load - net->stiffness * state.x;
        for (Index i = 0; i < size(); ++i)
            if (side(i) == 0) state.r(i) = fresh(i);
        if (method == Method::events)
            for (Index i = 0; i < size(); ++i)
                if (free(i)) {
                    tableau.column(i, entering);
                    move_rates(i, rate(i) * scale()(i) / entering(i));
                    let_move(i);
                }
        find_velocities();
    }

    void find_velocities() {
        if (method != Method::events) return solve_for_velocities();
        for (;;) {
            Index most = -1;  // the slider that is pushed past its bound hardest
            double push = 0;
            for (Index i = 0; i < size(); ++i) {
                const double excess = at_bound(i) * rate(i);
                if (excess > negligible(i) && excess * scale()(i) > push) {
                    push = excess * scale()(i);
                    most = i;
                }
            }
            if (most < 0) return;
            begin_to_slip(most);
            check_end();
        }
    }

    /// Raises the velocity of slider j until its friction force stays at the bound; sliders that come to rest meanwhile
    /// leave the set.
    void begin_to_slip(Index j) {
        tableau.column(j, entering);
        for (;;) {
            const double own = entering(j), unit = scale()(j);
            if (!(own > 1e-14 * net->stiffness(j, j) * unit * unit)) throw no_equilibrium();
            const double full = rate(j) * unit / own;
            const double s = full > 0 ? 1.0 : -1.0;
            double reach = std::abs(full);
            Index stops = -1;
            for (const Index i : set) {
                const double slower = side(i) * entering(i) * s;  // velocities change by -entering
                const double speed = side(i) * velocity(i) / scale()(i);
                if (speed < reach * slower && slower > 0.0 && !free(i)) {
                    reach = std::max(0.0, speed / slower);
                    stops = i;
                }
            }
            move_rates(j, s * reach);
            ++events;
            if (stops < 0) return let_move(j);
            stop(stops, j);
        }
    }

    /// Velocity of j by `more`, everything else along with it; `entering` is its column. (Both in the tableau's scale.)
    void move_rates(Index j, double more) {
        const double own = velocity(j) + more * scale()(j);
        const auto change = more * entering.head(size()).array();
        velocity.array() -= moves.array() * change;
        rate.array() -= rests.array() * change;
        velocity(j) = own;
    }
    void let_move(Index j) {
        tableau.take_in(j, entering);
        set_moving(j);
    }
    void set_moving(Index j) {
        rate(j) = rests(j) = at_bound(j) = 0.0;
        moves(j) = scale()(j);
        set.push_back(j);
    }
    /// Slider i rests while j is being raised, whose column changes with that.
    void stop(Index i, Index j) {
        if (watch) watch->stops(i);
        velocity(i) = 0.0;
        tableau.column(i, leaving);
        const double shared = leaving(j) / leaving(i);
        tableau.take_out(i, leaving);
        moves(i) = 0.0;
        rests(i) = 1.0 / scale()(i);
        at_bound(i) = side(i);
        set.erase(std::find(set.begin(), set.end(), i));
        entering -= shared * leaving;
        entering(i) = -shared;
    }

    core::BadInput no_equilibrium() const {
        return core::BadInput(
            "network", fmt::format("no equilibrium carries a load beyond {:.9g}: everything slides", state.load));
    }

    /// The same velocities from a problem of their own, by one of the methods kept for comparison.
    void solve_for_velocities() {
        std::vector<Index> bound;
        for (Index i = 0; i < size(); ++i)
            if (side(i) != 0) bound.push_back(i);
        const Index m = Index(bound.size());
        Eigen::MatrixXd M(m, m);
        VectorXd q(m), sides(m);
        for (Index a = 0; a < m; ++a) sides(a) = scale()(bound[a]) * side(bound[a]);
        for (Index a = 0; a < m; ++a) {
            q(a) = -direction * sides(a) * net->coupling(bound[a]);
            for (Index c = 0; c < m; ++c) M(a, c) = sides(a) * sides(c) * net->stiffness(bound[a], bound[c]);
        }
        const VectorXd before = moves;
        rest();
        rate = double(direction) * net->coupling;
        if (m > 0) {
            const auto found = solve_complementarity(M, q, method);
            for (Index a = 0; a < m; ++a)
                if (found.y(a) > 0.0) {
                    velocity(bound[a]) = sides(a) * found.y(a);
                    set_moving(bound[a]);
                }
            rate -= net->stiffness * velocity;
            for (const Index i : set) rate(i) = 0.0;
        }
        events += std::uint64_t((before.array() != moves.array()).count());
    }

    /// In exact arithmetic no set of moving sliders comes twice on a branch; round-off might not know that.
    void check_end() const {
        if (events > limit)
            throw core::NotConverged(fmt::format("network: events do not end at load {:.9g}", state.load),
                                     std::numeric_limits<double>::quiet_NaN());
    }

    // ---- along the load

    /// How far the load may go before a friction force reaches its bound. (What moves has no rate.)
    double way_to_event(double most) const {
        double way = most;
        for (Index i = 0; i < size(); ++i) {
            const double speed = std::abs(rate(i));
            const double room = net->friction(i) - std::copysign(1.0, rate(i)) * state.r(i);
            if (room < way * speed && speed > negligible(i)) way = std::max(0.0, room / speed);
        }
        return way;
    }

    void go(double way) {
        state.x += velocity * way;
        state.dissipated += way * net->friction.dot(velocity.cwiseAbs());
        const double from = state.load, before = xi;
        state.load += direction * way;
        xi = net->coupling.dot(state.x);
        do_work(from, before);
        Watch* told = watch;  // of the first that arrives
        for (Index i = 0; i < size(); ++i) {
            const double speed = std::abs(rate(i)), mu = net->friction(i), leaving_bound = -at_bound(i) * rate(i);
            // At its bound and neither pushed nor leaving it, a friction force stays.
            const bool stays = (int(at_bound(i) != 0.0) & int(leaving_bound < negligible(i))) != 0;
            const double r = state.r(i) + (stays ? 0.0 : rate(i) * way);
            state.r(i) = r;
            if (leaving_bound >= negligible(i)) at_bound(i) = state.side[std::size_t(i)] = 0;
            const double room = mu - std::copysign(1.0, rate(i)) * r;
            // What reaches its bound together is at its bound together.
            if ((room <= 1e-14 * (mu + speed * way)) & (speed > negligible(i))) arrive(i, told);
        }
    }
    void arrive(Index i, Watch*& told) {
        const int to = rate(i) > 0 ? 1 : -1;
        state.r(i) = to * net->friction(i);
        state.side[std::size_t(i)] = std::int8_t(to);
        at_bound(i) = to;
        if (told) told->arrives(i, rate(i));
        told = nullptr;
    }

    void do_work(double from, double xi_before) {
        const double mean = 0.5 * (from + state.load);
        state.work += net->by_force() ? mean * (xi - xi_before)
                                      : (net->held * mean - 0.5 * (xi + xi_before)) * (state.load - from);
    }

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

    std::vector<double> go_on(int d) {
        std::vector<double> at;
        limit = events + 1000 + 100 * std::uint64_t(size());
        turn(d);
        for (;;) {
            const double way = way_to_event(std::numeric_limits<double>::infinity());
            if (std::isinf(way)) return at;
            go(way);
            at.push_back(state.load);
            find_velocities();
            check_end();
        }
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
std::vector<double> Follower::go_on(int direction) { return inside_->go_on(direction); }
const NetworkState& Follower::state() const { return inside_->state; }
void Follower::set_state(const NetworkState& state) { inside_->set_state(state); }
double Follower::xi() const { return inside_->xi; }
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
bool Follower::slips(Index slider) const { return inside_->moves(slider) != 0.0; }
const std::vector<Index>& Follower::moving() const { return inside_->set; }
const VectorXd& Follower::velocities() const { return inside_->velocity; }
int Follower::direction() const { return inside_->direction; }
void Follower::watch(Watch* by) { inside_->watch = by; }
std::uint64_t Follower::events() const { return inside_->events; }
const Network& Follower::network() const { return *inside_->net; }

}  // namespace faying::network
