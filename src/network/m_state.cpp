#include "faying/network/m_state.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/laws/sweeping.hpp"

namespace faying::network {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct MState::Ball {
    Ellipsoid given;
    MatrixXd L, M;
    VectorXd beta, rest;  ///< L^-1 b; the direction that a long way up ends in
    Eigen::LLT<MatrixXd> stiffness;

    Ball(const Ellipsoid& e, const std::string& where) : given(e) {
        const Index m = e.coupling.size();
        const auto check = [&](const MatrixXd& x, const char* name) {
            if (x.rows() != m || x.cols() != m)
                throw core::BadInput(where, fmt::format("{} is {} x {}; expected {} x {}, as many as b has entries",
                                                        name, x.rows(), x.cols(), m, m));
            if (!x.allFinite() || (x - x.transpose()).cwiseAbs().maxCoeff() > 1e-9 * x.cwiseAbs().maxCoeff())
                throw core::BadInput(where, fmt::format("{} is not a finite symmetric matrix", name));
            if (Eigen::LLT<MatrixXd>(x).info() != Eigen::Success)
                throw core::BadInput(where, fmt::format("{} is not positive definite", name));
        };
        if (m == 0) throw core::BadInput(where, "b is empty");
        if (!e.coupling.allFinite() || e.coupling.isZero(0.0))
            throw core::BadInput(where, "b must be finite and not zero");
        check(e.stiffness, "K");
        check(e.friction, "A");
        L = Eigen::LLT<MatrixXd>(e.friction).matrixL();
        const auto lower = L.triangularView<Eigen::Lower>();
        const MatrixXd half = lower.solve(e.stiffness);
        M = lower.solve(half.transpose());
        beta = lower.solve(e.coupling);
        stiffness.compute(e.stiffness);
        rest = (L.transpose() * stiffness.solve(e.coupling)).normalized();
    }

    bool by_force() const { return given.drive == laws::Drive::force; }

    MStateAnswer finish(NetworkState& z, const VectorXd& e, double slope) const {
        z.r = L * e;
        const double xi = given.coupling.dot(z.x);
        const double springs = 0.5 * z.x.dot(given.coupling * z.load - z.r);
        MStateAnswer a;
        a.answer = by_force() ? xi : given.held * z.load - xi;
        a.tangent = by_force() ? slope : given.held - slope;
        a.stored = by_force() ? springs : springs + z.load * (0.5 * given.held * z.load - xi);
        z.work = a.stored + z.dissipated;
        return a;
    }

    MStateAnswer step(NetworkState& z, double load) const {
        const double run = load - z.load, s = run < 0 ? -1.0 : 1.0, distance = std::abs(run);
        VectorXd e = L.triangularView<Eigen::Lower>().solve(z.r);
        z.load = load;
        const double free_run =
            laws::distance_to_sphere<double>(s * e.dot(beta), beta.squaredNorm(), 1.0 - e.squaredNorm());
        if (distance <= free_run) {
            e += run * beta;
            return finish(z, e, 0.0);
        }
        e += s * free_run * beta;
        e.normalize();
        z.dissipated += slide(e, distance - free_run, s);
        z.x = stiffness.solve(given.coupling * load - L * e);
        const double along = beta.dot(e);
        return finish(z, e, along * along / e.dot(M * e));
    }

    /// Along the sphere; gives what is dissipated.
    double slide(VectorXd& e, double length, double s) const {
        using Flow = std::vector<double>;
        const Index m = e.size();
        boost::numeric::odeint::runge_kutta_fehlberg78<Flow> stepper;
        const auto system = [&](const Flow& x, Flow& dx, double) {
            const Eigen::Map<const VectorXd> at(x.data(), m);
            Eigen::Map<VectorXd> rate(dx.data(), m);
            rate.noalias() = M * at;
            const double rho = s * beta.dot(at) / rate.dot(at);
            rate = s * beta - rho * rate;
            dx[std::size_t(m)] = rho;
        };
        Flow x(e.begin(), e.end());
        x.push_back(0.0);
        Flow next(x.size()), error(x.size());
        const double unit = 1.0 / beta.norm();
        double at = 0.0, h = std::min(length, 0.1 * unit);
        const auto arrived = [&] {
            for (Index i = 0; i < m; ++i)
                if (std::abs(x[std::size_t(i)] - s * rest(i)) > 4.0 * tolerance) return false;
            return true;
        };
        while (at < length && !arrived()) {
            h = std::min(h, length - at);
            stepper.do_step(system, x, 0.0, next, h, error);
            double excess = 0.0;
            for (std::size_t i = 0; i < x.size(); ++i)
                excess = std::max(excess, std::abs(error[i]) / (tolerance * (1.0 + std::abs(next[i]))));
            if (excess <= 1.0) {
                at += h;
                x = next;
                Eigen::Map<VectorXd>(x.data(), m).normalize();
                h *= std::min(5.0, 0.9 * std::pow(std::max(excess, 1e-9), -1.0 / 8));
            } else {
                h *= std::max(0.2, 0.9 * std::pow(excess, -1.0 / 7));
                if (!(h >= 1e-14 * std::min(length, unit)))
                    throw core::NotConverged("m-state: the slip integrator cannot meet its tolerance", h);
            }
        }
        double dissipated = x.back();
        e = Eigen::Map<const VectorXd>(x.data(), m);
        if (at < length) {
            e = s * rest;
            dissipated += s * beta.dot(e) / e.dot(M * e) * (length - at);
        }
        return dissipated;
    }
};

MState::MState(const Network& box, const std::string& where) {
    check_network(box, where);
    set_ = std::make_shared<const Network>(box);
}
MState::MState(const Ellipsoid& ellipsoid, const std::string& where)
    : set_(std::make_shared<const Ball>(ellipsoid, where)) {}

const Network* MState::box() const {
    const auto* held = std::get_if<std::shared_ptr<const Network>>(&set_);
    return held ? held->get() : nullptr;
}
const Ellipsoid* MState::ellipsoid() const {
    const auto* held = std::get_if<std::shared_ptr<const Ball>>(&set_);
    return held ? &(*held)->given : nullptr;
}
Index MState::states() const { return is_box() ? box()->size() : ellipsoid()->coupling.size(); }
laws::Drive MState::drive() const { return is_box() ? box()->drive : ellipsoid()->drive; }

NetworkState MState::virgin() const {
    NetworkState z;
    z.x = z.r = VectorXd::Zero(states());
    z.side.assign(std::size_t(is_box() ? states() : 0), 0);
    return z;
}

MStateAnswer MState::step(NetworkState& state, double load) const {
    if (const auto* ball = std::get_if<std::shared_ptr<const Ball>>(&set_)) return (*ball)->step(state, load);
    Follower walk(std::get<std::shared_ptr<const Network>>(set_));
    walk.set_state(state);
    walk.advance(load);
    state = walk.state();
    return {walk.answer(), walk.tangent(), walk.stored()};
}

}  // namespace faying::network
