#include "local_search.hpp"

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/fit/pareto.hpp"

namespace faying::fit {

using Vector = std::vector<double>;

namespace {
/// What an unconverged evaluation counts as: far enough for the line search to step back.
constexpr double far_away = 1e3;
}  // namespace

Evaluation Counted::operator()(const Vector& coordinates) const {
    auto values = space_.values(coordinates);
    Evaluation e = objective_(values);
    ++evaluations;
    if (!e.usable()) {
        ++not_converged;
        return e;
    }
    if (e.objectives.size() != 2 || e.jacobian.rows() != 2 || e.jacobian.cols() != Eigen::Index(space_.size()))
        throw core::BadInput("boundary intersection",
                             "needs two objectives with their Jacobian; use NSGA-II without derivatives");
    const Vector slopes = space_.slopes(coordinates);
    for (Eigen::Index i = 0; i < e.jacobian.cols(); ++i) e.jacobian.col(i) *= slopes[std::size_t(i)];
    const std::lock_guard lock(mutex_);
    seen_.push_back({std::move(values), {.objectives = e.objectives, .residual = e.residual}});
    return e;
}

std::vector<Candidate> Counted::seen() const {
    // Threads come in any order: by values, that points of equal objectives do not depend on it.
    auto all = seen_;
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.values < b.values; });
    return merged_front(all);
}

double reach(const Evaluation& e, const Vector& utopia, const std::array<double, 2>& direction) {
    if (!e.usable()) return core::infinity;
    return std::max((e.objectives[0] - utopia[0]) / direction[0], (e.objectives[1] - utopia[1]) / direction[1]);
}

Vector LocalSearch::least(int j, Vector x) {
    objective_ = j;
    begin(x);
    auto o = optimiser(size_);
    nlopt_set_min_objective(o.get(), &LocalSearch::single, this);
    run(o.get(), x);
    return x;
}

Vector LocalSearch::least_within(int j, double bound, Vector x) {
    objective_ = 1 - j;
    bound_ = bound;
    begin(x);
    auto o = optimiser(size_);
    nlopt_set_min_objective(o.get(), &LocalSearch::single, this);
    nlopt_add_inequality_constraint(o.get(), &LocalSearch::above_bound, this, o_.feasibility / 10);
    run(o.get(), x);
    return x;
}

LocalSearch::Answer LocalSearch::along(const Vector& utopia, double psi, Vector x) {
    utopia_ = utopia;
    direction_ = {std::cos(psi), std::sin(psi)};
    const Evaluation e = begin(x);
    // Start where the ray is nearest.
    double t = 0;
    if (e.usable())
        for (std::size_t j = 0; j < 2; ++j) t += direction_[j] * (e.objectives[j] - utopia[j]);
    x.push_back(t);
    auto o = optimiser(size_ + 1);
    nlopt_set_min_objective(o.get(), &LocalSearch::distance, this);
    const double tolerance[2] = {o_.feasibility / 10, o_.feasibility / 10};
    if (o_.ray == Ray::on)
        nlopt_add_equality_mconstraint(o.get(), 2, &LocalSearch::off_ray, this, tolerance);
    else
        nlopt_add_inequality_mconstraint(o.get(), 2, &LocalSearch::off_ray, this, tolerance);
    run(o.get(), x);
    if (o_.ray == Ray::inside && !nearest_.coordinates.empty()) return nearest_;
    Answer a{x, x.back()};
    a.coordinates.pop_back();
    return a;
}

/// Scales the variables by the slopes at the start, that a first step changes the objectives by about one. By powers of
/// two: scaled and back a point has the same bits, and is not evaluated again.
Evaluation LocalSearch::begin(const Vector& x) {
    Evaluation e = function_(x);
    scale_.assign(size_ + 1, 1.0);
    if (e.usable())
        for (std::size_t i = 0; i < size_; ++i)
            scale_[i] = std::exp2(std::max(0.0, std::round(std::log2(e.jacobian.col(Eigen::Index(i)).norm()))));
    return e;
}

LocalSearch::Optimiser LocalSearch::optimiser(std::size_t dimension) const {
    Optimiser o(nlopt_create(NLOPT_LD_SLSQP, unsigned(dimension)));
    Vector lower(dimension, 0.0), upper(scale_.begin(), scale_.begin() + long(dimension)), close = upper;
    if (dimension > size_) {
        lower.back() = -far_away;
        upper.back() = far_away;
    }
    for (double& c : close) c *= o_.tolerance;
    nlopt_set_lower_bounds(o.get(), lower.data());
    nlopt_set_upper_bounds(o.get(), upper.data());
    nlopt_set_xtol_abs(o.get(), close.data());
    nlopt_set_ftol_abs(o.get(), o_.tolerance / 100);
    nlopt_set_maxeval(o.get(), o_.evaluations);
    return o;
}

/// NLopt keeps the best point also where it stops for round-off or for the number of evaluations.
void LocalSearch::run(nlopt_opt o, Vector& x) {
    double least = 0;
    running_ = o;
    for (std::size_t i = 0; i < size_; ++i) x[i] *= scale_[i];
    nlopt_optimize(o, x.data(), &least);
    if (thrown_) std::rethrow_exception(thrown_);
    const Vector coordinates = coordinates_of(x.data());
    std::copy(coordinates.begin(), coordinates.end(), x.begin());
}

Vector LocalSearch::coordinates_of(const double* x) const {
    Vector c(size_);
    for (std::size_t i = 0; i < size_; ++i) c[i] = std::clamp(x[i] / scale_[i], 0.0, 1.0);
    return c;
}

/// Exceptions may not pass through NLopt: kept, and thrown again behind it.
Evaluation LocalSearch::evaluate(const double* x) {
    try {
        Evaluation e = function_(coordinates_of(x));
        for (Eigen::Index i = 0; i < e.jacobian.cols(); ++i) e.jacobian.col(i) /= scale_[std::size_t(i)];
        return e;
    } catch (...) {
        thrown_ = std::current_exception();
        nlopt_force_stop(running_);
        return {.objectives = {}, .status = Status::failed};
    }
}

double LocalSearch::single(unsigned n, const double* x, double* gradient, void* data) {
    auto& self = *static_cast<LocalSearch*>(data);
    const Evaluation e = self.evaluate(x);
    if (gradient)
        for (unsigned i = 0; i < n; ++i) gradient[i] = e.usable() ? e.jacobian(self.objective_, i) : 0;
    return e.usable() ? e.objectives[std::size_t(self.objective_)] : far_away;
}

double LocalSearch::above_bound(unsigned n, const double* x, double* gradient, void* data) {
    auto& self = *static_cast<LocalSearch*>(data);
    const int other = 1 - self.objective_;
    const Evaluation e = self.evaluate(x);
    if (gradient)
        for (unsigned i = 0; i < n; ++i) gradient[i] = e.usable() ? e.jacobian(other, i) : 0;
    return e.usable() ? e.objectives[std::size_t(other)] - self.bound_ : far_away;
}

double LocalSearch::distance(unsigned n, const double* x, double* gradient, void*) {
    if (gradient) {
        std::fill(gradient, gradient + n, 0.0);
        gradient[n - 1] = 1;
    }
    return x[n - 1];
}

void LocalSearch::off_ray(unsigned m, double* result, unsigned n, const double* x, double* gradient, void* data) {
    auto& self = *static_cast<LocalSearch*>(data);
    const Evaluation e = self.evaluate(x);
    if (const double t = reach(e, self.utopia_, self.direction_); t < self.nearest_.t)
        self.nearest_ = {self.coordinates_of(x), t};
    for (unsigned j = 0; j < m; ++j) {
        result[j] = e.usable() ? e.objectives[j] - self.utopia_[j] - x[n - 1] * self.direction_[j] : far_away;
        if (!gradient) continue;
        for (unsigned i = 0; i + 1 < n; ++i) gradient[j * n + i] = e.usable() ? e.jacobian(j, i) : 0;
        gradient[j * n + n - 1] = -self.direction_[j];
    }
}

}  // namespace faying::fit
