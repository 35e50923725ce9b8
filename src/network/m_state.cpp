#include "faying/network/m_state.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>

#include "ball.hpp"
#include "faying/core/error.hpp"
#include "faying/laws/sweeping.hpp"
#include "faying/network/sensitivity.hpp"
#include "formula_slip.hpp"

namespace faying::network {

using core::Dual;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

void check_ellipsoid(const Ellipsoid& e, const std::string& where) {
    const Index m = e.coupling.size();
    const auto check = [&](const MatrixXd& x, const char* name) {
        if (x.rows() != m || x.cols() != m)
            throw core::BadInput(where, fmt::format("{} is {} x {}; expected {} x {}, as many as b has entries", name,
                                                    x.rows(), x.cols(), m, m));
        if (!x.allFinite() || (x - x.transpose()).cwiseAbs().maxCoeff() > 1e-9 * x.cwiseAbs().maxCoeff())
            throw core::BadInput(where, fmt::format("{} is not a finite symmetric matrix", name));
        if (Eigen::LLT<MatrixXd>(x).info() != Eigen::Success)
            throw core::BadInput(where, fmt::format("{} is not positive definite", name));
    };
    if (m == 0) throw core::BadInput(where, "b is empty");
    if (!e.coupling.allFinite() || e.coupling.isZero(0.0)) throw core::BadInput(where, "b must be finite and not zero");
    check(e.stiffness, "K");
    check(e.friction, "A");
}

/// A number with its derivatives, from a row of them.
template <class Row>
Dual with_slopes(double value, const Row& slopes) {
    Dual d(value);
    for (int k = 0; k < core::directions; ++k) d.v[k] = slopes(k);
    return d;
}
Eigen::RowVectorXd slopes_of(const Dual& d) { return Eigen::RowVectorXd(d.v.transpose()); }

template <class T>
struct Answers {
    T answer, tangent, stored;
};

/// From xi, its slope dxi/df and the energy of the springs x.K x/2.
template <class T>
Answers<T> answers(const Ellipsoid& e, const T& load, const T& xi, const T& slope, const T& springs) {
    if (e.drive == laws::Drive::force) return {xi, slope, springs};
    return {T(e.held * load - xi), T(e.held - slope), T(springs + load * (0.5 * e.held * load - xi))};
}

/// On the ellipsoid, exactly: z in the state's `r`, q follows from it.
template <class T>
Answers<T> step_on(const Ball& ball, std::vector<T>& z, std::vector<T>& x, const T& from, const T& load,
                   T& dissipated) {
    const std::size_t m = z.size();
    const auto at = [](std::size_t i) { return Index(i); };
    std::vector<T> e = z;  // L e = z
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < i; ++j) e[i] -= ball.L(at(i), at(j)) * e[j];
        e[i] = e[i] / ball.L(at(i), at(i));
    }
    const T run = load - from;
    const double s = laws::value(run) < 0 ? -1.0 : 1.0;
    const T distance = s * run;
    T size(0.0);
    for (const T& c : e) size += c * c;
    const T free_run = laws::distance_to_sphere<T>(T(s * ball.along(e)), T(ball.beta.squaredNorm()), T(1.0 - size));
    T slope(0.0);
    if (distance <= free_run) {
        for (std::size_t i = 0; i < m; ++i) e[i] += run * ball.beta(at(i));
    } else {
        T norm(0.0);
        for (std::size_t i = 0; i < m; ++i) {
            e[i] += s * free_run * ball.beta(at(i));
            norm += e[i] * e[i];
        }
        using std::sqrt;
        norm = sqrt(norm);
        for (T& c : e) c = c / norm;
        dissipated += ball.slide(e, T(distance - free_run), s);
        const T along = ball.along(e);
        slope = along * along / ball.square(e);
    }
    const auto& b = ball.given.coupling;
    std::vector<T> pull(m);
    for (std::size_t i = 0; i < m; ++i) {
        z[i] = T(0.0);
        for (std::size_t j = 0; j <= i; ++j) z[i] += ball.L(at(i), at(j)) * e[j];
        pull[i] = b(at(i)) * load - z[i];
    }
    if (!(distance <= free_run) || laws::is_dual<T>)  // a state that rests stays to the last bit
        for (std::size_t i = 0; i < m; ++i) {
            T sum(0.0);
            for (std::size_t j = 0; j < m; ++j) sum += ball.inverse(at(i), at(j)) * pull[j];
            x[i] = sum;
        }
    T xi(0.0), springs(0.0);
    for (std::size_t i = 0; i < m; ++i) {
        xi += b(at(i)) * x[i];
        springs += 0.5 * x[i] * pull[i];
    }
    return answers(ball.given, load, xi, slope, springs);
}

template <class T>
Answers<T> step_on(const FormulaSlip& law, std::vector<T>& x, const T& from, const T& load, T& dissipated) {
    const std::size_t m = x.size();
    const auto at = [](std::size_t i) { return Index(i); };
    std::vector<T> q(m, T(0.0));
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j) q[i] += law.axes(at(j), at(i)) * x[j];
    const auto moved = law.move(q, from, load);
    dissipated += moved.dissipated;
    T xi(0.0), springs(0.0);
    for (std::size_t i = 0; i < m; ++i) {
        xi += law.b(at(i)) * q[i];
        for (std::size_t j = 0; j < m; ++j) springs += 0.5 * law.K(at(i), at(j)) * q[i] * q[j];
        x[i] = T(0.0);
        for (std::size_t j = 0; j < m; ++j) x[i] += law.axes(at(i), at(j)) * q[j];
    }
    return answers(law.given, load, xi, moved.slope, springs);
}

std::vector<Dual> gathered(const VectorXd& values, const MatrixXd& slopes) {
    std::vector<Dual> all;
    for (Index i = 0; i < values.size(); ++i) all.push_back(with_slopes(values(i), slopes.row(i)));
    return all;
}
void spread(const std::vector<Dual>& all, MatrixXd& slopes) {
    for (std::size_t i = 0; i < all.size(); ++i) slopes.row(Index(i)) = slopes_of(all[i]);
}
void spread(const std::vector<Dual>& all, VectorXd& values) {
    for (std::size_t i = 0; i < all.size(); ++i) values(Index(i)) = all[i].a;
}

}  // namespace

Ball::Ball(const Ellipsoid& e, const std::string& where) : given(e) {
    check_ellipsoid(e, where);
    L = Eigen::LLT<MatrixXd>(e.friction).matrixL();
    const auto lower = L.triangularView<Eigen::Lower>();
    const MatrixXd half = lower.solve(e.stiffness);
    M = lower.solve(half.transpose());
    beta = lower.solve(e.coupling);
    const Eigen::LLT<MatrixXd> factors(e.stiffness);
    inverse = factors.solve(MatrixXd::Identity(M.rows(), M.cols()));
    rest = (L.transpose() * factors.solve(e.coupling)).normalized();
    const double mean = M.trace() / double(M.rows());
    if ((M - mean * MatrixXd::Identity(M.rows(), M.cols())).cwiseAbs().maxCoeff() < 1e-14 * mean) round = mean;
}

FormulaSlip::FormulaSlip(const Ellipsoid& e, const std::string& where) : given(e) {
    check_ellipsoid(e, where);
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(e.friction);  // ascending
    axes = eigen.eigenvectors();
    a = eigen.eigenvalues();
    K = axes.transpose() * e.stiffness * axes;
    b = axes.transpose() * e.coupling;
    const VectorXd up = K.llt().solve(b).normalized();
    const double S = std::sqrt(up.dot(a.cwiseProduct(up)));
    const VectorXd c = -a.cwiseProduct(up) / S;
    const double norm = c.norm();
    if (!(std::abs(c(0)) > 1e-12 * norm))
        throw core::BadInput(where,
                             "the formula for the slip direction needs a load that pulls along the weakest axis "
                             "of A; take slip = \"exact\"");
    Q = VectorXd::Constant(a.size(), norm) - (1.0 + 10.0 * norm + norm * norm) * S * a.cwiseInverse();
    Q(0) += 1.0 / std::abs(c(0));
    longest = 0.05 / std::sqrt(b.dot(b.cwiseQuotient(a)));
}

MState::MState(const Network& box, const std::string& where) {
    check_network(box, where);
    set_ = std::make_shared<const Network>(box);
}
MState::MState(const Polytope& polytope, const std::string& where) {
    const auto& [K, C, mu, b, drive, held] = polytope;
    const Index m = b.size();
    if (C.cols() != m)
        throw core::BadInput(where,
                             fmt::format("C has {} columns; expected {}, as many as b has entries", C.cols(), m));
    if (mu.size() != C.rows())
        throw core::BadInput(where,
                             fmt::format("mu has {} entries; expected {}, one per row of C", mu.size(), C.rows()));
    check_network(Network{K, VectorXd::Zero(m), b, drive, held}, where);
    if (!C.allFinite()) throw core::BadInput(where, "C has an entry that is not a finite number");
    if (!mu.allFinite() || !(mu.minCoeff() >= 0.0)) throw core::BadInput(where, "mu must be finite numbers, 0 or more");
    if (Eigen::ColPivHouseholderQR<MatrixXd>(C).rank() < m)
        throw core::BadInput(where, fmt::format("the rows of C leave directions free; {} states need as many rows of C "
                                                "that are independent",
                                                m));
    Network net{C * K * C.transpose(), mu, C * b, drive, held, true};
    net.stiffness = 0.5 * (net.stiffness + net.stiffness.transpose()).eval();
    set_ = std::make_shared<const Network>(std::move(net));
    polytope_ = std::make_shared<const Polytope>(polytope);
}
MState::MState(const Ellipsoid& ellipsoid, const std::string& where) {
    if (ellipsoid.slip == Slip::formula)
        set_ = std::make_shared<const FormulaSlip>(ellipsoid, where);
    else
        set_ = std::make_shared<const Ball>(ellipsoid, where);
}

const Network* MState::sliders() const {
    const auto* held = std::get_if<std::shared_ptr<const Network>>(&set_);
    return held ? held->get() : nullptr;
}
const Ellipsoid* MState::ellipsoid() const {
    if (const auto* ball = std::get_if<std::shared_ptr<const Ball>>(&set_)) return &(*ball)->given;
    if (const auto* formula = std::get_if<std::shared_ptr<const FormulaSlip>>(&set_)) return &(*formula)->given;
    return nullptr;
}
Index MState::states() const {
    return polytope() ? polytope()->coupling.size() : sliders() ? sliders()->size() : ellipsoid()->coupling.size();
}
laws::Drive MState::drive() const { return sliders() ? sliders()->drive : ellipsoid()->drive; }
double MState::held() const { return sliders() ? sliders()->held : ellipsoid()->held; }

NetworkState MState::virgin() const {
    NetworkState z;
    z.x = z.r = VectorXd::Zero(remembered());
    z.side.assign(std::size_t(sliders() ? remembered() : 0), 0);
    return z;
}
MStateSlopes MState::no_slopes() const {
    const auto none = Eigen::RowVectorXd::Zero(core::directions);
    return {MatrixXd::Zero(remembered(), core::directions), none, none};
}

namespace {

MStateAnswer answer_of(const Follower& walk) { return {walk.answer(), walk.tangent(), walk.stored()}; }

MStateDual answer_of(const Follower& walk, const Sensitivity& along, const Dual& load) {
    const auto& n = walk.network();
    const auto& state = walk.state();
    const Dual xi = with_slopes(walk.xi(), n.coupling.transpose() * along.positions());
    const Dual dissipated = with_slopes(state.dissipated, along.dissipated());
    // d(x.K x/2) = K x.dx, and K x = b f - r
    const Eigen::RowVectorXd springs = (n.coupling * load.a - state.r).transpose() * along.positions();
    if (n.by_force()) return {xi, Dual(walk.tangent()), with_slopes(walk.stored(), springs) + dissipated, dissipated};
    Dual stored = load * (0.5 * n.held * load - xi);
    for (int k = 0; k < core::directions; ++k) stored.v[k] += springs(k);
    stored.a = walk.stored();
    return {n.held * load - xi, Dual(walk.tangent()), stored + dissipated, dissipated};
}

}  // namespace

MStateAnswer MState::step(NetworkState& state, double load) const {
    if (const auto* net = std::get_if<std::shared_ptr<const Network>>(&set_)) {
        Follower walk(*net);
        walk.set_state(state);
        walk.advance(load);
        state = walk.state();
        return answer_of(walk);
    }
    std::vector<double> x(state.x.begin(), state.x.end());
    Answers<double> a;
    if (const auto* ball = std::get_if<std::shared_ptr<const Ball>>(&set_)) {
        std::vector<double> z(state.r.begin(), state.r.end());
        a = step_on(**ball, z, x, state.load, load, state.dissipated);
        state.r = Eigen::Map<const VectorXd>(z.data(), state.r.size());
    } else {
        a = step_on(*std::get<std::shared_ptr<const FormulaSlip>>(set_), x, state.load, load, state.dissipated);
    }
    state.x = Eigen::Map<const VectorXd>(x.data(), state.x.size());
    state.load = load;
    state.work = a.stored + state.dissipated;
    return {a.answer, a.tangent, a.stored};
}

MStateDual MState::step(NetworkState& state, MStateSlopes& slopes, const Dual& load) const {
    if (const auto* net = std::get_if<std::shared_ptr<const Network>>(&set_)) {
        Follower walk(*net);
        walk.set_state(state);
        Sensitivity along(walk, core::directions);
        along.set_state(slopes.states, slopes.dissipated);
        along.advance(load.a, slopes_of(load));
        state = walk.state();
        slopes = {along.positions(), along.dissipated(), slopes_of(load)};
        return answer_of(walk, along, load);
    }
    const Dual from = with_slopes(state.load, slopes.load);
    Dual dissipated = with_slopes(state.dissipated, slopes.dissipated);
    Answers<Dual> a;
    if (const auto* ball = std::get_if<std::shared_ptr<const Ball>>(&set_)) {
        auto z = gathered(state.r, slopes.states);
        auto x = gathered(state.x, MatrixXd::Zero(states(), core::directions));
        a = step_on(**ball, z, x, from, load, dissipated);
        spread(z, state.r);
        spread(z, slopes.states);
        spread(x, state.x);
    } else {
        auto x = gathered(state.x, slopes.states);
        a = step_on(*std::get<std::shared_ptr<const FormulaSlip>>(set_), x, from, load, dissipated);
        spread(x, state.x);
        spread(x, slopes.states);
    }
    state.load = load.a;
    state.dissipated = dissipated.a;
    slopes.dissipated = slopes_of(dissipated);
    slopes.load = slopes_of(load);
    const Dual work = a.stored + dissipated;
    state.work = work.a;
    return {a.answer, a.tangent, work, dissipated};
}

std::vector<MStateAnswer> MState::follow(NetworkState state, std::span<const double> loads) const {
    std::vector<MStateAnswer> all;
    if (const auto* net = std::get_if<std::shared_ptr<const Network>>(&set_)) {
        Follower walk(*net);
        walk.set_state(state);
        for (const double load : loads) {
            walk.advance(load);
            all.push_back(answer_of(walk));
        }
    } else {
        for (const double load : loads) all.push_back(step(state, load));
    }
    return all;
}

std::vector<MStateDual> MState::follow(NetworkState state, MStateSlopes slopes, std::span<const Dual> loads) const {
    std::vector<MStateDual> all;
    if (const auto* net = std::get_if<std::shared_ptr<const Network>>(&set_)) {
        Follower walk(*net);
        walk.set_state(state);
        Sensitivity along(walk, core::directions);
        along.set_state(slopes.states, slopes.dissipated);
        for (const Dual& load : loads) {
            along.advance(load.a, slopes_of(load));
            all.push_back(answer_of(walk, along, load));
        }
    } else {
        for (const Dual& load : loads) all.push_back(step(state, slopes, load));
    }
    return all;
}

bool MState::kinks(const NetworkState& state, std::vector<double>& at) const {
    const auto* net = std::get_if<std::shared_ptr<const Network>>(&set_);
    if (!net) return false;
    for (const int direction : {-1, 1}) {
        Follower walk(*net);
        walk.set_state(state);
        const auto loads = walk.go_on(direction);
        at.insert(at.end(), loads.begin(), loads.end());
    }
    return true;
}

}  // namespace faying::network
