#include "faying/study/problem.hpp"

#include <chrono>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/modes/linear.hpp"

namespace faying::study {

using core::BadInput;

namespace {

constexpr double stuck_stiffness_per_area = 1e14;
constexpr double least_likeness = 0.5;  ///< of a mode's shape to its reference (modal assurance criterion)

std::vector<double> middle_of(const fit::Space& space) { return space.values(std::vector<double>(space.size(), 0.5)); }

modes::BackboneOptions options_of(const Variant& v, Phase phase) {
    auto o = backbone_options(v);
    if (phase == Phase::tight) {
        o.loop_tolerance = v.full ? 1e-4 : 1e-6;  // [S0] 3.4 for hundreds of sites that shake down slowly
        o.quadrature = 20;
        o.most_loops = v.full ? 100 : 300;
    } else {
        o.tolerance = 1e-8;
        o.most_failures = 1;  // one amplitude without an answer, and the parameters are of no use
        if (v.full) {         // what converges does so early; the rest costs seconds
            o.tolerance = 1e-6;
            o.polish = false;
            o.most_steps = 2000;
            o.most_halvings = 5;
            o.loop_tolerance = 5e-4;
            o.most_loops = 12;
        }
    }
    return o;
}

/// Backbones one after the other.
void append(fit::Backbone& all, const fit::Backbone& more) {
    all.amplitude.insert(all.amplitude.end(), more.amplitude.begin(), more.amplitude.end());
    all.omega.insert(all.omega.end(), more.omega.begin(), more.omega.end());
    all.zeta.insert(all.zeta.end(), more.zeta.begin(), more.zeta.end());
}

void append(fit::Prediction& all, const fit::Prediction& more) {
    const auto vector = [](Eigen::VectorXd& a, const Eigen::VectorXd& b) {
        Eigen::VectorXd both(a.size() + b.size());
        both << a, b;
        a = both;
    };
    const auto matrix = [](Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
        if (b.size() == 0) return;
        Eigen::MatrixXd both(a.rows() + b.rows(), b.cols());
        both.topRows(a.rows()) = a;
        both.bottomRows(b.rows()) = b;
        a = both;
    };
    vector(all.omega, more.omega);
    vector(all.zeta, more.zeta);
    matrix(all.omega_slopes, more.omega_slopes);
    matrix(all.zeta_slopes, more.zeta_slopes);
}

double missing_residual(const std::vector<modes::BackbonePoint>& points) {
    double sum = 0;
    for (const auto& p : points)
        if (!p.converged) sum += std::isfinite(p.residual) ? std::min(p.residual, 1.0) : 1.0;
    return sum;
}

}  // namespace

std::string_view name(Phase phase) {
    switch (phase) {
        case Phase::search: return "search";
        case Phase::gradient: return "gradient";
        case Phase::tight: break;
    }
    return "tight";
}

const structure::Reduced& Setup::reduced(const Variant& variant) const {
    const auto& r = variant.full ? full : whole;
    if (!r)
        throw BadInput(variant.name, variant.full ? "needs a full-joint model: [structure] full is missing"
                                                  : "needs a whole-joint model: [structure] whole is missing");
    return *r;
}

Eigen::MatrixXd stuck_shapes(const structure::Reduced& reduced, int count) {
    auto model = structure::bare_model(reduced, {});
    const auto spring = linear_spring(stuck_stiffness_per_area);
    for (const char* along : {"tangential", "normal"})
        model.joints.push_back(reduced.patches.empty()
                                   ? structure::joint_on_interface(reduced, along, spring, along)
                                   : structure::joint_on_patches(reduced, along, spring, {"all"}, along, true));
    return modes::linear_modes(model.mass, structure::stuck_stiffness(model), count).shapes;
}

Problem::Problem(Variant variant, const Setup& setup)
    : variant_(std::move(variant)), setup_(setup), space_((check_law(variant_), variant_.axes)) {
    const auto& reduced = setup.reduced(variant_);
    interface_ = std::make_unique<modes::Interface>(
        model_of(variant_, reduced, law_values(variant_, middle_of(space_)), setup.loads));
    int last = 1;
    for (const auto& mode : setup.modes) last = std::max(last, index_of(mode));
    const Eigen::MatrixXd shapes = stuck_shapes(reduced, last);
    for (const auto& mode : setup.modes) reference_.push_back(reduced.mass * shapes.col(index_of(mode) - 1));
}

structure::Model Problem::model(const std::vector<double>& values, const Mode& mode) const {
    auto m = model_of(variant_, setup_.reduced(variant_), law_values(variant_, values), setup_.loads);
    if (variant_.viscous) m.damping_ratio = mode.zeta0;
    return m;
}

std::vector<modes::BackbonePoint> Problem::trace(Phase phase, const std::vector<double>& values, const Mode& mode,
                                                 bool derivatives) const {
    const auto m = model(values, mode);
    auto o = options_of(variant_, phase);
    o.derivatives = derivatives;
    if (!variant_.analysis.epmc) return modes::backbone(m, *interface_, index_of(mode), mode.data.amplitude, o);
    modes::HarmonicOptions periodic{.harmonics = variant_.analysis.harmonics, .tolerance = o.tolerance};
    periodic.joints.samples = variant_.analysis.samples;
    periodic.derivatives = derivatives;
    return modes::backbone_points(
        m, *interface_, modes::epmc(m, *interface_, index_of(mode), mode.data.amplitude, periodic), periodic.harmonics);
}

modes::BackboneOptions Problem::tight_options() const { return options_of(variant_, Phase::tight); }

std::vector<modes::BackbonePoint> Problem::backbone(const std::vector<double>& values, const Mode& mode,
                                                    bool derivatives) const {
    return trace(Phase::tight, values, mode, derivatives);
}

bool Problem::same_mode(const modes::BackbonePoint& point, std::size_t mode) const {
    const double product = reference_[mode].dot(point.shape);
    return product * product >= least_likeness;
}

fit::Prediction Problem::prediction(const std::vector<modes::BackbonePoint>& points,
                                    const std::vector<double>& values) const {
    const auto n = Eigen::Index(points.size());
    fit::Prediction p{Eigen::VectorXd(n), Eigen::VectorXd(n)};
    for (Eigen::Index i = 0; i < n; ++i) {
        p.omega(i) = points[std::size_t(i)].omega;
        p.zeta(i) = points[std::size_t(i)].zeta;
    }
    if (points.front().derivatives.empty()) return p;
    const auto law = law_values_with_slopes(variant_, values);
    const auto model = model_of(variant_, setup_.reduced(variant_), law_values(variant_, values), setup_.loads);
    p.omega_slopes = p.zeta_slopes = Eigen::MatrixXd::Zero(n, Eigen::Index(space_.size()));
    for (Eigen::Index i = 0; i < n; ++i)
        for (const auto& d : points[std::size_t(i)].derivatives) {
            const std::string key = searched_key(model.joints[d.joint], d.parameter);
            for (std::size_t k = 0; k < law.keys.size(); ++k) {
                if (law.keys[k] != key) continue;
                p.omega_slopes.row(i) += d.omega * law.slopes.row(Eigen::Index(k));
                p.zeta_slopes.row(i) += d.zeta * law.slopes.row(Eigen::Index(k));
            }
        }
    return p;
}

std::optional<fit::Prediction> Problem::predicted(const std::vector<double>& values, std::size_t mode,
                                                  bool slopes) const {
    try {
        const auto points = trace(slopes ? Phase::gradient : Phase::search, values, setup_.modes[mode], slopes);
        if (missing_residual(points) > 0 || !same_mode(points.front(), mode)) return std::nullopt;
        auto found = prediction(points, values);
        if (!slopes || found.omega_slopes.size() > 0) return found;
        // No exact slopes: differences over the axes.
        found.omega_slopes = found.zeta_slopes = Eigen::MatrixXd::Zero(found.omega.size(), Eigen::Index(space_.size()));
        const auto x = space_.coordinates(values);
        constexpr double h = 1e-4;
        for (std::size_t k = 0; k < x.size(); ++k) {
            auto up = x, down = x;
            up[k] = std::min(1.0, x[k] + h);
            down[k] = std::max(0.0, x[k] - h);
            const auto high = space_.values(up), low = space_.values(down);
            const auto a = predicted(high, mode, false), b = predicted(low, mode, false);
            if (!a || !b) return std::nullopt;
            found.omega_slopes.col(Eigen::Index(k)) = (a->omega - b->omega) / (high[k] - low[k]);
            found.zeta_slopes.col(Eigen::Index(k)) = (a->zeta - b->zeta) / (high[k] - low[k]);
        }
        return found;
    } catch (const core::NotConverged&) {
        return std::nullopt;
    } catch (const BadInput&) {  // parameters that the law or the mode does not allow
        return std::nullopt;
    }
}

fit::Evaluation Problem::fitted(Phase phase, const std::vector<double>& values, std::vector<ModeCurve>* curves) const {
    fit::Backbone data;
    fit::Prediction model;
    double missing = 0, largest = 0;
    bool failed = false;
    for (std::size_t k = 0; k < setup_.modes.size(); ++k) {
        const auto& mode = setup_.modes[k];
        if (!mode.fitted && phase != Phase::tight) continue;
        const auto points = trace(phase, values, mode, phase == Phase::gradient);
        const bool wrong = points.front().converged && !same_mode(points.front(), k);
        if (curves) {
            auto& curve = curves->emplace_back();
            for (const auto& p : points) {
                curve.omega.push_back(p.converged && !wrong ? p.omega : std::nan(""));
                curve.zeta.push_back(p.converged && !wrong ? p.zeta : std::nan(""));
            }
        }
        if (!mode.fitted) continue;
        failed = failed || wrong;
        missing += missing_residual(points);
        for (const auto& p : points) largest = std::max(largest, p.residual);
        if (missing > 0 || failed) continue;
        append(data, mode.data);
        append(model, prediction(points, values));
    }
    if (failed) return {.objectives = {}, .residual = core::infinity, .status = fit::Status::failed};
    if (missing > 0) return {.objectives = {}, .residual = missing, .status = fit::Status::not_converged};
    auto e = fit::objectives(data, model);
    e.residual = largest;
    return e;
}

Outcome Problem::evaluate(Phase phase, const std::vector<double>& values) const {
    const auto start = std::chrono::steady_clock::now();
    Outcome o;
    try {
        o.evaluation = fitted(phase, values, phase == Phase::tight ? &o.curves : nullptr);
        if (phase != Phase::gradient) o.evaluation.jacobian.resize(0, 0);
    } catch (const core::NotConverged& error) {
        const double residual = std::isfinite(error.residual) ? error.residual : core::infinity;
        o.evaluation = {.objectives = {}, .residual = residual, .status = fit::Status::not_converged};
    } catch (const BadInput&) {  // parameters that the law or the mode does not allow
        o.evaluation = {.objectives = {}, .residual = core::infinity, .status = fit::Status::failed};
    }
    if (!o.evaluation.usable()) o.curves.clear();
    o.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return o;
}

}  // namespace faying::study
