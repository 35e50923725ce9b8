#include "faying/modes/prestress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "faying/core/error.hpp"
#include "faying/core/newton.hpp"
#include "jacobian_factors.hpp"

namespace faying::modes {

void PrestressOptions::check() const {
    core::require(tolerance >= 1e-15 && tolerance <= 1e-2, "prestress options", "1e-15 <= tolerance <= 1e-2");
    core::require(most_iterations >= 1, "prestress options", "most_iterations >= 1");
}

namespace {

constexpr Eigen::Index few_unknowns = 64;  ///< up to here a factorisation costs nothing

bool any_gap(const structure::Model& model, bool (*is_such)(double)) {
    return std::any_of(model.joints.begin(), model.joints.end(), [&](const structure::Joint& joint) {
        return std::any_of(joint.gap.begin(), joint.gap.end(), is_such);
    });
}
/// Faces that a gap below zero presses into each other without any load.
bool pressed_in(const structure::Model& model) {
    return any_gap(model, [](double gap) { return gap < 0; });
}
bool apart(const structure::Model& model) {
    return any_gap(model, [](double gap) { return gap > 0; });
}

class StaticSolver {
 public:
    StaticSolver(const structure::Model& model, const Interface& interface, const PrestressOptions& options)
        : model_(model),
          interface_(interface),
          options_(options),
          sites_(structure::joint_set(model)),
          static_(Eigen::VectorXd::Zero(model.size())) {
        if (model.static_force.size() > 0) static_ = model.static_force;
        load_ = interface.force_on_y(static_);
        const Eigen::VectorXd inner = interface.force_on_modes(static_);
        modes_ = Eigen::VectorXd::Zero(interface.modes());
        for (Eigen::Index k = 0; k < interface.modes(); ++k) {
            if (!interface.couples_by_stiffness(k))
                modes_(k) = inner(k) / interface.omega2()(k);
            else if (std::abs(inner(k)) > 1e-9 * load_.norm() || !interface.stiffness_coupling().col(k).isZero(1e-9))
                throw core::BadInput("static",
                                     "the load moves the structure as a rigid body: nothing but its inertia holds it");
        }
        sites_.evaluate(Eigen::VectorXd::Zero(sites_.rows()));  // what gaps below zero press
        const double pressed = (interface.site_map().transpose() * sites_.force()).norm();
        scale_ = std::max({load_.norm(), pressed, std::numeric_limits<double>::min()});
    }

    Prestress solve() {
        Prestress p;
        p.y = linear_start();
        if (options_.friction != Friction::linear && !newton(p, 1.0)) continuation(p);
        p.sites = interface_.site_map() * p.y;
        p.u = interface_.full(p.y, modes_);
        note_forces(p);
        p.residual = full_residual(p);
        const auto [closed, all] = sites_.touching(p.sites);
        if (all > 0 && closed == 0 && static_.norm() > 0 && !apart(model_)) throw opened(p.residual);
        if (!(p.residual <= options_.tolerance))
            throw core::NotConverged(
                fmt::format("prestress: no equilibrium found (relative residual {:.2g})", p.residual), p.residual);
        return p;
    }

 private:
    const structure::Model& model_;
    const Interface& interface_;
    const PrestressOptions& options_;
    Sites sites_;
    Eigen::VectorXd static_, load_, modes_, residual_;
    Eigen::MatrixXd jacobian_;
    std::shared_ptr<const KnownInverse> closed_;  ///< with every joint stuck and closed; none of few unknowns
    double scale_ = 1;

    /// Every joint stuck and closed.
    Eigen::VectorXd linear_start() {
        sites_.evaluate(sites_.just_closed());
        if (interface_.width() > few_unknowns && !closed_)
            closed_ = std::make_shared<const KnownInverse>(interface_,
                                                           std::make_shared<const JointTangents>(interface_, sites_));
        Eigen::VectorXd y = load_;
        solve_with_tangents(y);
        jacobian_ = interface_.stiffness();
        add_stiffness(sites_, interface_, jacobian_);
        if (!y.allFinite() || (jacobian_ * y - load_).norm() > 1e-6 * scale_)
            throw core::BadInput("static", "the joints do not hold the structure against its static load");
        return y;
    }

    /// (K_y + S^T k S)^-1 with the tangents of the last evaluation.
    void solve_with_tangents(Eigen::VectorXd& r) {
        UpdatedInverse update;
        if (closed_ && closed_->finite() && update.compute(closed_, sites_)) return update.solve(r);
        jacobian_ = interface_.stiffness();
        add_stiffness(sites_, interface_, jacobian_);
        solve::DenseLu lu;
        lu.compute(jacobian_);
        lu.solve(Eigen::VectorXd(r), r);
    }

    double evaluate(const Eigen::VectorXd& y, double share) {
        const Eigen::VectorXd u = interface_.site_map() * y;
        if (options_.friction == Friction::conservative)
            sites_.evaluate_springs(u);
        else
            sites_.evaluate(u);
        residual_ = interface_.stiffness() * y - share * load_;
        residual_ += interface_.site_map().transpose() * sites_.force();
        return residual_.norm() / scale_;
    }

    /// y under a share of the load, as core::newton sees it.
    struct Point {
        StaticSolver& solver;
        double share;
        Eigen::VectorXd y, at = y, change = {};

        double evaluate() { return solver.evaluate(at, share); }
        bool direction() {
            change = solver.residual_;
            solver.solve_with_tangents(change);
            return change.allFinite();
        }
        void move(double, double to) {
            at = y;
            if (to != 0) at -= to * change;
        }
        bool settled(double before, double after, double) {
            y = at;
            return before < 1e-11 && after > 0.1 * before;
        }
    };

    /// True when the residual is below tolerance (and it goes on to rounding).
    bool newton(Prestress& p, double share) {
        Point point{.solver = *this, .share = share, .y = p.y};
        const auto end = core::newton(
            point,
            {.tolerance = options_.tolerance, .most_iterations = options_.most_iterations, .take_last_cut = false});
        p.iterations += end.iterations;
        if (end.end == core::NewtonEnd::no_direction || !end.converged()) return false;
        p.y = point.y;
        return true;
    }

    /// The load in steps, halved where Newton fails. Only displacements are carried over: the path of every site stays
    /// the straight one from its virgin state.
    void continuation(Prestress& p) {
        double share = 0.0, step = 0.1;
        p.y *= 0.0;
        p.load_steps = 0;
        Eigen::VectorXd before = p.y;
        while (share < 1.0 && step > 1e-6) {
            const double next = std::min(1.0, share + step);
            const Eigen::VectorXd here = p.y;
            p.y = share > 0 ? (here + (next - share) / share * here).eval() : (next * linear_start()).eval();
            if (newton(p, next)) {
                share = next;
                step *= 1.5;
                ++p.load_steps;
            } else {
                p.y = here;
                step *= 0.4;
            }
        }
        if (share < 1.0) {
            if (pulled_apart(interface_.site_map() * linear_start())) throw opened(1.0);
            throw core::NotConverged(fmt::format("prestress: equilibrium was lost at {:.3g} of the static load", share),
                                     1.0);
        }
    }

    static core::NotConverged opened(double residual) {
        return core::NotConverged("prestress: the static load opens the joint completely", residual);
    }

    /// Whether contact that could hold as well as press would be in tension on the whole.
    bool pulled_apart(const Eigen::VectorXd& displacements) const {
        double closing = 0;
        bool contact = false;
        for (const auto& part : sites_.parts()) {
            contact = contact || part.contact();
            for (Eigen::Index i = part.normal; part.contact() && i < part.count; i += part.width)
                closing += model_.joints[part.group].weight(i / part.width) * displacements(part.row + i);
        }
        return contact && closing <= 0;
    }

    void note_forces(Prestress& p) {
        if (options_.friction == Friction::linear) {
            sites_.evaluate(sites_.just_closed());
            p.force.resize(sites_.rows());
            sites_.multiply_tangent(p.sites, p.force);
            return;
        }
        evaluate(p.y, 1.0);
        p.force = sites_.force();
        if (options_.friction != Friction::active) return;
        sites_.commit();
        p.dissipated = sites_.dissipated_by_site();
        sites_.restart();
    }

    double full_residual(const Prestress& p) const {
        if (!(scale_ > std::numeric_limits<double>::min())) return 0.0;
        Eigen::VectorXd r = model_.stiffness * p.u - static_;
        double pressed = 0;
        Eigen::Index row = 0;
        for (const auto& joint : model_.joints) {
            const Eigen::VectorXd force = joint.map.transpose() * p.force.segment(row, joint.map.rows());
            r += force;
            pressed = std::max(pressed, force.norm());
            row += joint.map.rows();
        }
        return r.norm() / (static_.norm() > 0 ? static_.norm() : pressed);
    }
};

}  // namespace

Prestress prestress(const structure::Model& model, const Interface& interface, const PrestressOptions& options) {
    options.check();
    if ((model.static_force.size() == 0 || model.static_force.isZero(0.0)) && !pressed_in(model)) {
        Prestress p;
        p.u = Eigen::VectorXd::Zero(model.size());
        p.y = Eigen::VectorXd::Zero(interface.width());
        p.sites = p.force = Eigen::VectorXd::Zero(interface.site_map().rows());
        return p;
    }
    return StaticSolver(model, interface, options).solve();
}

Prestress prestress(const structure::Model& model, const PrestressOptions& options) {
    return prestress(model, Interface(model), options);
}

}  // namespace faying::modes
