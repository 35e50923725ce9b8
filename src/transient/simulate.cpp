#include "faying/transient/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "faying/core/error.hpp"
#include "faying/core/stop.hpp"
#include "left_out.hpp"
#include "static_start.hpp"
#include "step_advice.hpp"
#include "stepper.hpp"

namespace faying::transient {

std::optional<Method> find_method(std::string_view name) {
    if (name == "newmark") return Method::newmark;
    if (name == "alpha") return Method::alpha;
    if (name == "exponential") return Method::exponential;
    if (name == "events") return Method::events;
    return std::nullopt;
}

void Options::check() const {
    core::require(duration > 0 && std::isfinite(duration), "simulate", "duration > 0");
    core::require(step > 0 && step <= duration, "simulate", "0 < step <= duration");
    core::require(duration / step <= 1e12, "simulate", "duration / step <= 1e12");
    core::require(record_every >= 1, "simulate", "record_every >= 1");
    core::require(local_error() > 0 && local_error() < 1, "simulate", "0 < tolerance < 1");
    core::require(spectral_radius >= 0 && spectral_radius <= 1, "simulate", "0 <= spectral radius <= 1");
    core::require(modes >= 0, "simulate", "modes >= 0 (0: all)");
    core::require(energy_tolerance > 0, "simulate", "tolerance of the energy balance > 0");
    core::require(method != Method::exponential || !adaptive, "simulate", "fixed steps with the method exponential");
    for (std::size_t i = 0; i < samples.size(); ++i) {
        core::require(samples[i] >= 0 && samples[i] <= duration * (1 + 1e-12), "simulate",
                      "samples within the duration");
        core::require(i == 0 || samples[i] > samples[i - 1], "simulate", "samples ascend");
    }
}

double Energy::error() const { return largest > 0 ? missing() / largest : 0; }

namespace detail {

Loads::Loads(const System& system, Excitation excitation)
    : constant_(system.static_force()), left_out_constant_(system.left_out().static_force) {
    for (auto& load : excitation) {
        if (load.shape.size() != system.shapes().rows())
            throw core::BadInput(
                "load", fmt::format("shape has {} entries; expected {}", load.shape.size(), system.shapes().rows()));
        shapes_.push_back(system.modal_force(load.shape));
        left_out_shapes_.push_back(system.left_out().shapes.transpose() * load.shape);
        corners_.insert(corners_.end(), load.history.corners.begin(), load.history.corners.end());
        histories_.push_back(std::move(load.history));
    }
    std::sort(corners_.begin(), corners_.end());
}

const std::vector<double>& Loads::values(double t) const {
    if (t == asked_) return values_;
    asked_ = t;
    values_.resize(histories_.size());
    for (std::size_t k = 0; k < histories_.size(); ++k) values_[k] = histories_[k].value(t);
    return values_;
}

namespace {

void add_loads(Eigen::VectorXd& force, const std::vector<double>& values, const std::vector<Eigen::VectorXd>& shapes) {
    for (std::size_t k = 0; k < shapes.size(); ++k)
        if (values[k] != 0) force.noalias() += values[k] * shapes[k];
}

}  // namespace

void Loads::at(double t, Eigen::VectorXd& force) const {
    force = constant_;
    add_loads(force, values(t), shapes_);
}

void Loads::left_out_at(double t, Eigen::VectorXd& force) const {
    force = left_out_constant_;
    add_loads(force, values(t), left_out_shapes_);
}

double Loads::static_reach(const System& system) const {
    double reach = 0;
    for (Eigen::Index r = 0; r < system.size(); ++r) {
        double force = std::abs(constant_(r));
        for (std::size_t k = 0; k < shapes_.size(); ++k) force += std::abs(shapes_[k](r)) * histories_[k].peak;
        const double w = system.omega()(r);
        if (w > 1e-6 * system.omega().maxCoeff()) reach = std::max(reach, force / (w * w));
    }
    return std::max(reach, 1e-300);
}

}  // namespace detail

struct Simulation::Run {
    Options options;
    Eigen::VectorXd rest;  ///< of a preloaded structure with contacts
    System system;
    detail::Loads loads;
    std::optional<detail::ImplicitStepper> implicit;
    std::optional<detail::EventStepper> events;
    detail::LeftOutMotion left_out;
    StepAdvice advice;
    detail::Motion motion;
    Eigen::VectorXd rest_modal;  ///< q at rest: zero unless preloaded
    Energy energy;               ///< initial and largest are kept here
    double missing = 0;          ///< the greatest |energy.missing()|
    std::size_t steps = 0, recorded = 0, sampled = 0, corner = 0;

    Run(const structure::Model& model, const Excitation& excitation, const Start& start, const Options& given)
        : options(given),
          rest(start.preloaded ? detail::rest_of_contacts(model) : Eigen::VectorXd()),
          system(model, given.modes, rest),
          loads(system, excitation),
          left_out(system, loads),
          advice(detail::step_advice(model, system, excitation, given)) {
        if (options.method == Method::exponential) check_exponential();
        if (options.method == Method::events)
            events.emplace(system, loads, options);
        else
            implicit.emplace(system, loads, options);
        begin(model, start);
    }

    /// Where a joint's force feeds back into a mode that turns by more than half a circle a step, a force interpolated
    /// between its ends may do work each turn.
    void check_exponential() const {
        if (!system.diagonal_damping())
            throw core::BadInput("exponential", "damping is a matrix; give a damping ratio, or use newmark or alpha");
        const double highest = system.size() > 0 ? system.omega().maxCoeff() : 0;
        if (highest * options.step <= 3) return;
        throw core::BadInput(
            "exponential", fmt::format("step {:g} s is too long for the highest mode, {:.6g} rad/s: at most {:.3g} s, "
                                       "or keep fewer modes, or use newmark or alpha",
                                       options.step, highest, 3 / highest));
    }

    void begin(const structure::Model& model, const Start& start) {
        const Eigen::Index n = system.size();
        detail::Motion& m = motion;
        rest_modal =
            start.preloaded ? detail::static_start(model, system, rest) : Eigen::VectorXd(Eigen::VectorXd::Zero(n));
        m.q = rest_modal;
        m.v = Eigen::VectorXd::Zero(n);
        if (start.displacement.size() > 0) m.q += system.modal(start.displacement);
        if (start.velocity.size() > 0) m.v = system.modal(start.velocity);
        m.y = system.map() * m.q;
        m.g = Eigen::VectorXd::Zero(system.width());
        Eigen::MatrixXd tangent = Eigen::MatrixXd::Zero(system.width(), system.width());
        system.evaluate(m.y, m.g, tangent);
        system.commit();
        Eigen::VectorXd force(n);
        loads.at(0, force);
        m.pull = system.map().transpose() * m.g;
        m.a = force - system.damping_force(m.v) - system.omega().cwiseAbs2().cwiseProduct(m.q) - m.pull;
        m.largest = m.q.cwiseAbs().maxCoeff();
        energy.initial = 0.5 * m.v.squaredNorm() + system.strain_energy(m.q);
        initial_dissipation = system.dissipated();
        initial_springs = system.spring_energy(m.q);
        left_out.begin(m, start, rest_modal);
        if (events)
            for (Eigen::Index j = 0; j < system.width(); ++j) {
                const double speed = system.map().row(j).dot(m.v), pull = system.map().row(j).dot(m.a);
                const double sign = speed != 0 ? speed : pull;
                events->direction[std::size_t(j)] = sign > 0 ? 1 : (sign < 0 ? -1 : 0);
            }
    }
    double initial_dissipation = 0, initial_springs = 0;

    Energy energy_now() {
        Energy e = energy;
        e.kinetic = 0.5 * motion.v.squaredNorm();
        e.strain = system.strain_energy(motion.q);
        e.joint_work = motion.joint_work + system.spring_energy(motion.q) - initial_springs;
        e.joint_dissipated = system.dissipated() - initial_dissipation;
        e.viscous = motion.viscous;
        e.input = motion.input;
        // Of the motion: a preload holds far more. Below 1e-8 of that rounding is all there is to see.
        const double moving = e.kinetic + std::abs(system.strain_energy(motion.q - rest_modal));
        energy.largest = std::max({energy.largest, moving, 1e-8 * std::abs(e.initial)});
        e.largest = energy.largest;
        if (options.energy) missing = std::max(missing, std::abs(e.missing()));
        return e;
    }

    Snapshot snapshot(const detail::Motion& m) {
        return {m.time,
                m.q,
                m.v,
                m.a,
                system.physical(m.q),
                system.physical(m.v),
                system.joint_displacement(m.q, m.y),
                system.joint_force(m.q, m.y, m.g),
                energy_now()};
    }

    /// Between two steps of fixed length: the cubic through displacements and velocities.
    Snapshot between(const detail::Motion& before, double t) {
        const double h = motion.time - before.time, s = (t - before.time) / h, b = 1 - s;
        detail::Motion m = motion;
        m.time = t;
        m.q =
            b * b * (1 + 2 * s) * before.q + s * s * (3 - 2 * s) * motion.q + h * s * b * (b * before.v - s * motion.v);
        m.v = 6 * s * b / h * (motion.q - before.q) + b * (1 - 3 * s) * before.v + s * (3 * s - 2) * motion.v;
        m.a = b * before.a + s * motion.a;
        m.y = b * before.y + s * motion.y;
        m.g = b * before.g + s * motion.g;
        return snapshot(m);
    }

    /// The error falls with the square of the step, where that resolves what moves fastest.
    EnergyBalance balance() const {
        EnergyBalance b;
        if (energy.largest > 0) b.error = missing / energy.largest;
        b.held = b.error <= options.energy_tolerance;
        if (b.held) return b;
        const double share = options.energy_tolerance / b.error;
        if (!fixed()) {
            b.demand = 0.1 * options.local_error() * share;
            return b;
        }
        b.step = 0.6 * options.step * std::sqrt(share);
        if (advice.too_long) b.step = std::max(std::min(b.step, options.step * share), 0.8 * advice.step);
        return b;
    }

    double record_time() const {
        return std::min(options.duration, double(recorded) * options.record_every * options.step);
    }
    bool fixed() const { return implicit && !options.adaptive; }
    bool finished() const {
        return fixed() ? double(steps) >= std::ceil(options.duration / options.step * (1 - 1e-12))
                       : motion.time >= options.duration;
    }

    void advance() {
        step();
        left_out.follow(motion);
    }

    void step() {
        ++steps;
        if (fixed()) return implicit->fixed(motion, double(steps) * options.step);
        double stop = std::min(options.duration, record_time());
        if (sampled < options.samples.size()) stop = std::min(stop, options.samples[sampled]);
        while (corner < loads.corners().size() && loads.corners()[corner] <= motion.time) ++corner;
        if (corner < loads.corners().size()) stop = std::min(stop, loads.corners()[corner]);
        if (implicit)
            implicit->adaptive(motion, stop);
        else
            events->step(motion, stop);
    }

    void report(const detail::Motion* before, const OnSnapshot& record, const OnSnapshot& sample) {
        const double slack = 1e-9 * options.step;
        while (sampled < options.samples.size() && options.samples[sampled] <= motion.time + slack) {
            const double t = options.samples[sampled++];
            if (!sample) continue;
            const bool here = std::abs(t - motion.time) <= slack || before == nullptr;
            Snapshot s = here ? snapshot(motion) : between(*before, t);
            s.time = t;
            sample(s);
        }
        const bool due = fixed() ? steps % std::size_t(options.record_every) == 0 || finished()
                                 : motion.time >= record_time() - slack;
        if (!due) return;
        ++recorded;
        if (record)
            record(snapshot(motion));
        else if (options.energy)
            energy_now();
    }
};

Simulation::Simulation(const structure::Model& model, Excitation excitation, const Start& start,
                       const Options& options) {
    options.check();
    for (const auto* x : {&start.displacement, &start.velocity})
        if (x->size() != 0 && (x->size() != model.size() || !x->allFinite()))
            throw core::BadInput("start",
                                 fmt::format("displacement and velocity need {} finite numbers", model.size()));
    for (const auto& joint : model.joints)
        if (options.method == Method::events && joint.components() > 1)
            throw core::BadInput("events",
                                 fmt::format("joint '{}' has a contact law, which is exact along straight paths "
                                             "only, and long steps of three displacements are not straight; "
                                             "use newmark or alpha",
                                             joint.name));
    run_ = std::make_unique<Run>(model, excitation, start, options);
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

bool Simulation::to_end(const OnSnapshot& record, const OnSnapshot& sample, const OnCommit& commit,
                        const std::function<bool(double)>& go_on) {
    Run& run = *run_;
    if (run.steps == 0 && run.recorded == 0) {
        if (commit) commit(run.motion.y);
        run.report(nullptr, record, sample);
    }
    detail::Motion before;
    while (!run.finished()) {
        core::stop_point();
        if (go_on && !go_on(run.motion.time)) return false;
        const bool keep = run.fixed() && run.sampled < run.options.samples.size();
        if (keep) before = run.motion;
        run.advance();
        if (commit) commit(run.motion.y);
        run.report(keep ? &before : nullptr, record, sample);
    }
    return true;
}

Snapshot Simulation::now() const { return run_->snapshot(run_->motion); }
std::size_t Simulation::steps() const { return run_->steps; }
std::size_t Simulation::reversals() const { return run_->events ? run_->events->reversals : 0; }
std::size_t Simulation::evaluations() const {
    return run_->events ? run_->events->evaluations : run_->implicit->evaluations;
}
EnergyBalance Simulation::balance() const { return run_->balance(); }
Truncation Simulation::truncation() const { return run_->left_out.found(); }
const StepAdvice& Simulation::step_advice() const { return run_->advice; }
Eigen::Index Simulation::width() const { return run_->system.width(); }
const Eigen::VectorXd& Simulation::omega() const { return run_->system.omega(); }
const Eigen::MatrixXd& Simulation::shapes() const { return run_->system.shapes(); }

namespace {

/// Writes and reads the same list of numbers, so that the two cannot drift apart.
template <class Visit>
void visit_numbers(auto& run, Visit&& visit) {
    auto& m = run.motion;
    for (double* x : {&m.time, &m.joint_work, &m.viscous, &m.input, &m.largest, &run.energy.largest, &run.missing})
        visit(*x);
    const auto whole = [&](std::size_t& n) {
        double x = double(n);
        visit(x);
        n = std::size_t(x);
    };
    for (std::size_t* n : {&run.steps, &run.recorded, &run.sampled, &run.corner}) whole(*n);
    whole(run.events ? run.events->evaluations : run.implicit->evaluations);
    if (run.events) whole(run.events->reversals);
    visit(run.events ? run.events->next_step : run.implicit->next_step);
    for (auto* v : {&m.q, &m.v, &m.a, &m.y, &m.g, &m.pull})
        for (double& x : *v) visit(x);
    run.left_out.visit(visit);
    if (run.events)
        for (double& x : run.events->direction) visit(x);
}

}  // namespace

Restart Simulation::restart() const {
    Restart r;
    visit_numbers(*run_, [&](double& x) { r.numbers.push_back(x); });
    if (run_->events)
        for (const auto& open : run_->events->turns) {
            r.numbers.push_back(double(open.size()));
            r.numbers.insert(r.numbers.end(), open.begin(), open.end());
        }
    return r;
}

void Simulation::resume(const Restart& restart, const std::vector<Eigen::VectorXd>& committed) {
    std::size_t count = 0;
    visit_numbers(*run_, [&](double&) { ++count; });
    const auto& numbers = restart.numbers;
    if (run_->events ? numbers.size() < count + run_->events->turns.size() : numbers.size() != count)
        throw core::BadInput("resume", "the record was made with another model or other options");
    // The first committed displacement is that of the start, where a new run already is.
    Eigen::VectorXd g(run_->system.width());
    Eigen::MatrixXd tangent = Eigen::MatrixXd::Zero(run_->system.width(), run_->system.width());
    for (std::size_t k = 1; k < committed.size(); ++k) {
        if (committed[k].size() != run_->system.width())
            throw core::BadInput("resume", "the record has another number of joint displacements");
        run_->system.evaluate(committed[k], g, tangent);
        run_->system.commit();
    }
    std::size_t i = 0;
    visit_numbers(*run_, [&](double& x) { x = numbers[i++]; });
    if (run_->events)
        for (auto& open : run_->events->turns) {
            const std::size_t left = numbers.size() - i - 1;
            open.resize(std::min(std::size_t(numbers[i]), left));
            ++i;
            for (double& x : open) x = numbers[i++];
        }
}

}  // namespace faying::transient
