#include "tracer.hpp"

#include <cmath>

#include "faying/core/error.hpp"

namespace faying::modes {

namespace {

bool is_linear_spring(const laws::Law& law) {
    for (std::size_t i = 0; i < law.parameters().size(); ++i) {
        const auto& key = law.parameters()[i].key;
        const bool higher = key.size() >= 2 && (key.find('k') != std::string::npos) && key != "kp" && key != "k1";
        if (higher && law.values()[i] != 0.0) return false;
    }
    return true;
}

/// Whether the prestressed displacement enters the backbone at all.
bool prestress_matters(const structure::Model& model, Start kind) {
    if (model.static_force.size() == 0 || model.static_force.isZero(0.0)) return false;
    for (const auto& joint : model.joints) {
        if (joint.components() == 3) return true;
        if (joint.law.elastic() ? !is_linear_spring(joint.law) : kind == Start::with_history) return true;
        if (!joint.law.elastic() && joint.law.name().find("polynomial") != std::string::npos) return true;
    }
    return false;
}

}  // namespace

Tracer::Tracer(const structure::Model& model, const Interface& interface, const BackboneOptions& options)
    : model_(model),
      interface_(interface),
      options_(options),
      sites_(model, interface),
      equations_(model, interface, sites_, options) {
    const bool history = options.framework == Framework::loops && options.prestress == Friction::active;
    kind_ = history ? Start::with_history : Start::fresh;
    uses_prestress_ = prestress_matters(model, kind_);
}

void Tracer::start(int mode) {
    at_rest_.sites = Eigen::VectorXd::Zero(sites_.rows());
    if (uses_prestress_) at_rest_ = prestress(model_, interface_, {.friction = options_.prestress});
    sites_.begin(kind_, at_rest_.sites);
    sites_.evaluate(Eigen::VectorXd::Zero(sites_.rows()));
    const auto first = start_mode(model_, interface_, sites_, mode);
    start_lambda_ = first.lambda;
    equations_.set_mode(first.y, first.xi, first.lambda);
    branch_.clear();
}

bool Tracer::try_at(Branch& guess, int& iterations) {
    const Branch first = guess;
    if (equations_.solve(guess, iterations)) return guess.lambda > 0;
    guess = first;  // kinks can trap a descent that full steps jump over
    return equations_.solve(guess, iterations, false) && guess.lambda > 0;
}

/// Straight from the linear mode, or from where the joints are as good as stuck.
bool Tracer::begin_branch(double q, int& iterations) {
    for (int k = 0; k <= options_.most_halvings; ++k) {
        Branch guess = equations_.start(q * std::exp(-1.5 * k));
        const Branch linear = guess;
        if (try_at(guess, iterations) &&
            (options_.method == Method::qsma || equations_.overlap(linear, guess) > least_overlap)) {
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

bool Tracer::reach(double q, int& iterations) {
    sites_.restart();
    if (branch_.empty() && !begin_branch(q, iterations)) return false;
    double step = std::log(q / branch_.back().q);
    const double least = std::ldexp(std::max(step, 1e-3), -options_.most_halvings);
    while (branch_.back().q < q) {
        equations_.refresh_kept(branch_.back());
        const double left = std::log(q / branch_.back().q);
        Branch guess = predict(step >= left * (1 - 1e-12) ? q : branch_.back().q * std::exp(step));
        bool good = try_at(guess, iterations);
        if (good && options_.method == Method::rqnma) good = equations_.overlap(branch_.back(), guess) > least_overlap;
        if (!good) {
            step *= 0.5;
            if (step < least) return false;
            continue;
        }
        equations_.find_slope(guess);
        if (branch_.size() > 1) branch_.erase(branch_.begin());
        branch_.push_back(std::move(guess));
        step *= 2.0;
    }
    return true;
}

}  // namespace faying::modes
