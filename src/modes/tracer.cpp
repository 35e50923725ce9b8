#include "tracer.hpp"

#include <cmath>

#include "faying/core/error.hpp"

namespace faying::modes {

namespace {

constexpr int most_ways = 2;  ///< to own inertia beside the first

}  // namespace

Tracer::Tracer(const structure::Model& model, const Interface& interface, const BackboneOptions& options)
    : model_(model),
      interface_(interface),
      options_(options),
      sites_(structure::joint_set(model)),
      equations_(model, interface, sites_, options) {
    const bool history = options.framework == Framework::loops && options.prestress == Friction::active;
    kind_ = history ? Start::with_history : Start::fresh;
    uses_prestress_ = prestress_matters(model, kind_);
}

void Tracer::start(int mode) {
    at_rest_.sites = Eigen::VectorXd::Zero(sites_.rows());
    if (uses_prestress_) at_rest_ = prestress(model_, interface_, {.friction = options_.prestress});
    sites_.begin(at_rest_.sites, kind_ == Start::with_history);
    sites_.evaluate(Eigen::VectorXd::Zero(sites_.rows()));
    // A guess to begin with; but QSMA loads this very shape.
    const double tolerance = options_.method == Method::qsma ? 1e-13 : 1e-6;
    equations_.set_rest();
    const auto first = start_mode(model_, interface_, sites_, mode, tolerance, equations_.at_rest());
    start_lambda_ = first.lambda;
    equations_.set_mode(first.y, first.xi, first.lambda);
    branch_.clear();
    crossings_.clear();
    folds_ = 0;
    turned_at_ = 0;
    ended_ = false;
}

double Tracer::viscous_ratio(const Eigen::VectorXd& shape, double omega) const {
    return model_.damping.size() > 0 ? shape.dot(model_.damping * shape) / (2 * omega) : model_.damping_ratio;
}

bool Tracer::try_at(Branch& guess, int& iterations, bool damped) {
    return equations_.solve(guess, iterations, damped, std::min(options_.most_iterations, most_newton)) &&
           guess.lambda > 0;
}

bool Tracer::same_mode(const Branch& a, const Branch& b) const {
    return options_.method == Method::qsma || equations_.overlap(a, b) > least_overlap;
}

/// From a solution `from` to the one guessed, a shape of which we know one that it is like: Newton; loads; Newton by
/// full steps, which jump over kinks that trap a descent.
bool Tracer::approach(Branch& guess, const Branch& from, const Branch& like, int& iterations) {
    const Branch first = guess;
    if (try_at(guess, iterations) && same_mode(like, guess)) return true;
    if (by_load(guess, from, first.q, iterations)) return true;
    guess = first;
    return try_at(guess, iterations, false) && same_mode(like, guess);
}

/// From a solution to another amplitude q (the other reversal, or further along first loading) by the loads that act on
/// the structure. Amplitude alone leaves the way open: around q = 0 on a loop the shape is not the mode's, and with one
/// wrong guess at what sticks there may be no solution of that amplitude at all. A load of fixed shape has no such
/// gaps: K d + f_nl(d) is monotone in d. First phi^T M d goes from where it is to q under lambda M phi, phi the shape
/// that we come from; then the inertia of that shape is handed over to the structure's own.
bool Tracer::by_load(Branch& b, const Branch& from, double q, int& iterations) {
    const bool own = options_.method == Method::rqnma;
    const Shape phi = equations_.shape(from);
    if (own) equations_.set_load(phi);
    equations_.set_loading(0.0, 1.0);
    b = equations_.guess(phi, from.lambda, q);
    bool good = equations_.solve(b, iterations, true, 2 * most_newton) || load_path(b, phi, from, q, iterations);
    if (own) {
        Shape load = phi;
        double reached = 0;
        for (int again = 0; good && !to_own_inertia(b, reached, iterations); ++again) {
            // Where the way ends, the load that acts is given a second time: another way on from the same place.
            const Shape now = equations_.shape(b);
            load = {reached * now.y + (1 - reached) * load.y, reached * now.xi + (1 - reached) * load.xi};
            equations_.set_load(load);
            equations_.set_loading(0.0, 1.0);
            b = equations_.guess(now, b.lambda, q);
            good = again < most_ways && equations_.solve(b, iterations, true, 2 * most_newton);
        }
        equations_.set_loading(1.0, 1.0);
    }
    return good && b.lambda > 0;
}

/// phi^T M d from `from`, whose shape phi is, to q; b is written when it gets there.
bool Tracer::load_path(Branch& b, const Shape& phi, const Branch& from, double q, int& iterations) {
    double reached = from.q / q;
    Branch here = equations_.guess({reached * phi.y, reached * phi.xi}, reached * from.lambda, q);
    const auto load = [&](double target) { equations_.set_loading(0.0, target); };
    if (!follow_load(here, reached, 1.0, 0.25 * (1.0 - reached), load, iterations)) return false;
    b = std::move(here);
    return true;
}

/// Under given inertia from the solution b at the target `reached` to the one at `until`, in steps as large as Newton
/// manages. `load` sets what acts at a target.
bool Tracer::follow_load(Branch& b, double& reached, double until, double step, const Load& load, int& iterations) {
    constexpr double least = 1e-5;
    const double smallest = least * step;
    while (reached < until) {
        const double next = std::min(until, reached + step);
        load(next);
        Branch there = b;
        if (equations_.solve(there, iterations, true, most_newton)) {
            b = std::move(there);
            reached = next;
            step *= 2.0;
        } else if ((step *= 0.4) < smallest) {
            b = std::move(there);
            return false;
        }
    }
    return true;
}

/// From given inertia to own: at once, or in steps, as small as it takes to meet a site on the steep line where its
/// contact opens. Where friction and pressure feed on each other the way can fold back: then full Newton steps from the
/// fold to what lies beyond it. `share` is how far it got.
bool Tracer::to_own_inertia(Branch& b, double& share, int& iterations) {
    constexpr double least = 1e-7;
    double step = 1.0;
    share = 0.0;
    const auto attempt = [&](double next, bool damped, int most) {
        const Shape shape = equations_.shape(b);
        equations_.set_loading(next, 1.0);
        Branch there = equations_.guess(shape, b.lambda, b.q);
        const bool good = equations_.solve(there, iterations, damped, most) &&
                          equations_.alike(shape, equations_.shape(there)) > least_overlap;
        if (good) {
            b = std::move(there);
            share = next;
        }
        equations_.set_loading(share, 1.0);
        return good;
    };
    const auto jump = [&] {
        for (const double far : {0.03, 0.1, 0.3, 1.0})
            if (attempt(std::min(1.0, share + far), false, 4 * most_newton)) return true;
        return false;
    };
    while (share < 1.0) {
        if (attempt(std::min(1.0, share + step), true, most_newton))
            step *= 2.0;
        else if ((step *= 0.4) < least) {
            if (!jump()) return false;
            step = 0.1;
        }
    }
    return true;
}

/// Straight from the linear mode, or from where the joints are as good as stuck.
bool Tracer::begin_branch(double q, int& iterations) {
    for (int k = 0; k <= options_.most_halvings; ++k) {
        Branch guess = equations_.start(q * std::exp(-1.5 * k));
        const Branch linear = guess;
        const bool good = try_at(guess, iterations) || (guess = linear, try_at(guess, iterations, false));
        if (good && same_mode(linear, guess)) {
            equations_.find_slope(guess);
            branch_ = {guess};
            return true;
        }
    }
    return false;
}

/// Tangent and curvature in ln q.
Branch Tracer::predict(double q) const {
    Branch guess = branch_.back();
    const double h = std::log(q / guess.q);
    guess.q = q;
    if (guess.slope.size() == 0) return guess;
    const Eigen::Index n = guess.z.size();
    Eigen::VectorXd move = h * guess.slope;
    if (branch_.size() > 1) {
        const Branch& before = branch_[branch_.size() - 2];
        if (before.slope.size() == guess.slope.size() && before.kept == guess.kept)
            move += 0.5 * h * h / std::log(branch_.back().q / before.q) * (guess.slope - before.slope);
    }
    guess.z += move.head(n);
    if (guess.lambda + move(n) > 0) guess.lambda += move(n);
    return guess;
}

/// The inertia that the method itself takes: its own, or the linearised mode's.
void Tracer::use_own_inertia() { equations_.set_loading(options_.method == Method::rqnma ? 1.0 : 0.0, 1.0); }

/// From the last point of the branch, up or down to q.
bool Tracer::climb(double q, int& iterations) {
    double step = std::log(q / branch_.back().q);
    const double least = std::ldexp(std::max(std::abs(step), 1e-3), -options_.most_halvings);
    while (branch_.back().q != q) {
        equations_.refresh_kept(branch_.back());
        const double left = std::log(q / branch_.back().q);
        Branch guess = predict(std::abs(step) >= std::abs(left) * (1 - 1e-12) ? q : branch_.back().q * std::exp(step));
        // On the way around folds nothing may be jumped over.
        const bool good = options_.folds ? try_at(guess, iterations) && same_mode(branch_.back(), guess)
                                         : approach(guess, branch_.back(), branch_.back(), iterations);
        if (!good) {
            step *= 0.5;
            if (std::abs(step) < least) return false;
            continue;
        }
        equations_.find_slope(guess);
        if (branch_.size() > 1) branch_.erase(branch_.begin());
        branch_.push_back(std::move(guess));
        step *= 2.0;
    }
    return true;
}

/// From points beyond q, where one is found: what stands in the way up (a fold, or kinks too dense for any step) need
/// not stand in the way back.
bool Tracer::come_back(double q, int& iterations) {
    const std::vector<Branch> before = branch_;
    for (const double beyond : {1.003, 1.03, 1.2}) {
        Branch guess = predict(q * beyond);
        if (approach(guess, branch_.back(), branch_.back(), iterations)) {
            equations_.find_slope(guess);
            branch_ = {std::move(guess)};
            if (climb(q, iterations)) {
                branch_ = {branch_.back()};  // the next prediction goes up again
                return true;
            }
        }
        branch_ = before;
    }
    return false;
}

bool Tracer::reach(double q, int& iterations, const std::vector<double>& asked) {
    sites_.restart();
    equations_.set_side(true);
    if (branch_.empty() && !begin_branch(q, iterations)) return false;
    if (climb(q, iterations) || (!options_.folds && come_back(q, iterations))) return true;
    return around_folds(q, asked.empty() ? std::vector<double>{q} : asked, iterations);
}

void Tracer::go_to(const Branch& b) {
    sites_.restart();
    equations_.set_side(true);
    use_own_inertia();
    branch_ = {b};
    equations_.residual_size(b);
}

double Tracer::residual_at(double q) {
    sites_.restart();
    equations_.set_side(true);
    use_own_inertia();
    Branch b = branch_.empty() ? equations_.start(q) : branch_.back();
    b.q = q;
    equations_.residual_size(b);
    return equations_.full_residual(b);
}

}  // namespace faying::modes
