#include "faying/modes/backbone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "derivatives.hpp"
#include "faying/core/error.hpp"

namespace faying::modes {

void BackboneOptions::check() const {
    core::require(tolerance >= 1e-14 && tolerance <= 1e-3, "backbone options", "1e-14 <= tolerance <= 1e-3");
    core::require(most_iterations >= 1, "backbone options", "most_iterations >= 1");
    core::require(most_steps >= 1, "backbone options", "most_steps >= 1");
    core::require(most_halvings >= 0, "backbone options", "most_halvings >= 0");
    core::require(most_failures >= 1, "backbone options", "most_failures >= 1");
    core::require(most_loops >= 1, "backbone options", "most_loops >= 1");
    core::require(loop_tolerance > 0 && loop_tolerance < 1, "backbone options", "0 < loop_tolerance < 1");
    core::require(masing_tolerance > 0, "backbone options", "masing_tolerance > 0");
    core::require(quadrature >= 4 && quadrature <= 200, "backbone options", "4 <= quadrature <= 200");
}

namespace {

void check_amplitudes(const std::vector<double>& amplitudes) {
    if (amplitudes.empty()) throw core::BadInput("backbone", "no amplitude is given");
    for (std::size_t i = 0; i < amplitudes.size(); ++i) {
        if (!(amplitudes[i] >= least_amplitude && amplitudes[i] <= largest_amplitude))
            throw core::BadInput("backbone", fmt::format("amplitude {:g} is not in [{:g}, {:g}]", amplitudes[i],
                                                         least_amplitude, largest_amplitude));
        if (i > 0 && amplitudes[i] <= amplitudes[i - 1]) throw core::BadInput("backbone", "amplitudes must ascend");
    }
}

void check_laws(const structure::Model& model, const BackboneOptions& options) {
    for (const auto& joint : model.joints) {
        const bool contact = joint.law.contact();
        if (options.framework == Framework::masing && !contact && !joint.law.masing())
            throw core::BadInput(joint.name,
                                 fmt::format("{} is not a Masing law: use the loops framework (bouc-wen and "
                                             "valanis also have -masing versions)",
                                             joint.law.name()));
        if (!joint.law.independent_of_increments())
            throw core::BadInput(joint.name,
                                 fmt::format("{} depends on its increments and cannot be used here", joint.law.name()));
    }
}

/// An area that only rounding makes negative is none; `energy` is that of the motion.
double not_below_zero(double area, double energy) { return area < 0 && area > -1e-14 * energy ? 0.0 : area; }

/// Int_0^q (lambda_0 - lambda) s ds along first loading, panel by panel. Differences, because lambda itself would drown
/// the area in microslip.
class MasingArea {
 public:
    MasingArea(Tracer& tracer, const BackboneOptions& options)
        : tracer_(tracer), tolerance_(options.tolerance), rule_(options.quadrature) {}
    void with(Derivatives& derivatives) { derivatives_ = &derivatives; }

    /// Adds [last, q], or nothing when a point of it fails.
    bool extend(double q, int& iterations) {
        if (last_ == 0.0) begin(q, iterations);
        Sum sum = sum_;
        const double span = std::log(q / last_);
        const int panels = std::max(1, int(std::ceil(span / std::log(4.0))));
        const double low = last_;
        for (int k = 0; k < panels; ++k) {
            const double a = low * std::exp(span * k / panels),
                         b = k + 1 == panels ? q : low * std::exp(span * (k + 1) / panels);
            for (std::size_t i = 0; i < rule_.nodes.size(); ++i) {
                const double s = i + 1 == rule_.nodes.size() ? b : 0.5 * (a + b) + 0.5 * (b - a) * rule_.nodes[i];
                const bool begins = sum.lambda < 0;
                if (i > 0 || begins) {
                    if (!tracer_.reach(s, iterations)) return false;
                    sum.lambda = tracer_.here().lambda;
                    if (begins) {
                        sum.left_out = 4.0 * std::abs(tracer_.start_lambda() - sum.lambda) * s * s;
                        sum.least = s;
                    }
                    if (derivatives_) sum.slope = derivatives_->first_loading(tracer_.here()).lambda_plus();
                    if (derivatives_ && begins) {
                        sum.start_slope = sum.slope;
                        sum.area_slope.setZero(sum.slope.size());
                    }
                }
                const double share = 0.5 * (b - a) * rule_.weights[i] * s;
                sum.area += share * (tracer_.start_lambda() - sum.lambda);
                if (derivatives_) sum.area_slope += share * (sum.start_slope - sum.slope);
            }
        }
        sum_ = std::move(sum);
        last_ = q;
        return true;
    }
    double dissipation() const {
        const double drop = tracer_.start_lambda() - sum_.lambda;
        const double area = 8.0 * (0.5 * drop * last_ * last_ - sum_.area);
        return not_below_zero(area, tracer_.start_lambda() * last_ * last_);
    }
    /// At most: what the panels below the first point would add.
    double left_out() const { return sum_.left_out; }
    double least() const { return sum_.least; }
    /// To every parameter. The first point stands for q = 0: nothing slips below it.
    Eigen::VectorXd dissipation_slope() const {
        return 8.0 * (0.5 * last_ * last_ * (sum_.start_slope - sum_.slope) - sum_.area_slope);
    }

 private:
    Tracer& tracer_;
    double tolerance_;
    Lobatto rule_;
    Derivatives* derivatives_ = nullptr;
    double last_ = 0;
    struct Sum {
        double area = 0, lambda = -1;                    ///< up to `last`, and there
        double least = 0, left_out = 0;                  ///< first point, and the most that lies below it
        Eigen::VectorXd start_slope, slope, area_slope;  ///< of lambda at rest and at `last`, and of the area
    } sum_;

    /// The first panels start 16^-5 below the first amplitude, where what is left out is rounding. The rounding of a
    /// preload covers small increments: with one, at the least amplitude that still has a solution in the digits left,
    /// with some to spare: else it is chance whether the next one has.
    void begin(double q, int& iterations) {
        last_ = std::ldexp(q, -20);
        if (!tracer_.uses_prestress()) return;
        for (int halvings = 8; halvings > 0; --halvings) {
            last_ = std::ldexp(q, -halvings);
            if (tracer_.reach(last_, iterations) &&
                tracer_.equations().residual_size(tracer_.here()) <= 0.1 * tolerance_)
                return;
        }
    }
};

class Run {
 public:
    Run(const structure::Model& model, const Interface& interface, int mode, const BackboneOptions& options)
        : model_(model), options_(options), tracer_(model, interface, options), area_(tracer_, options) {
        tracer_.start(mode);
        if (!options.derivatives) return;
        derivatives_ = std::make_unique<Derivatives>(tracer_, model, options);
        area_.with(*derivatives_);
    }

    BackbonePoint at(double q) {
        BackbonePoint p;
        p.q = q;
        shape_ = {};
        const bool by_area = options_.framework == Framework::masing && options_.dissipation == Dissipation::modal;
        asked_.push_back(q);
        const bool there = by_area ? area_.extend(q, p.iterations)
                                   : tracer_.reach(q, p.iterations, options_.folds ? asked_ : std::vector<double>());
        if (!there && tracer_.turned_at() > 0 && tracer_.turned_at() < q)
            return not_reached(std::move(p), fmt::format("the branch turns back at q = {:g}", tracer_.turned_at()));
        if (!there) return not_reached(std::move(p), "the branch was lost on the way to this amplitude");
        fill(p);
        if (by_area && tracer_.folds() > 0) {
            p.converged = false;
            p.reason = "the modal area is not known beyond a turning point: use the local dissipation";
        }
        return p;
    }
    /// Points at amplitudes asked for before, that the branch met again on its way to the last of them.
    std::vector<std::pair<BackbonePoint, Shape>> met_again() {
        std::vector<std::pair<BackbonePoint, Shape>> points;
        const auto crossings = tracer_.take_crossings();
        if (crossings.empty()) return points;
        const Branch back = tracer_.here();
        for (const auto& c : crossings) {
            BackbonePoint p;
            p.q = c.branch.q;
            tracer_.go_to(c.branch);
            fill(p);
            p.branch = c.folds;
            points.emplace_back(std::move(p), shape_);
        }
        tracer_.go_to(back);
        return points;
    }
    const Shape& shape() const { return shape_; }
    /// A point without a solution.
    BackbonePoint not_reached(BackbonePoint p, std::string reason) {
        p.residual = tracer_.residual_at(p.q);
        if (!std::isfinite(p.residual)) p.residual = std::numeric_limits<double>::quiet_NaN();
        p.reason = p.iterations < options_.most_steps ? std::move(reason) : spent();
        return p;
    }

 private:
    const structure::Model& model_;
    const BackboneOptions& options_;
    Tracer tracer_;
    MasingArea area_;
    std::unique_ptr<Derivatives> derivatives_;  ///< when asked for
    Shape shape_;                               ///< of the point just found; empty when there is none
    std::vector<double> asked_;
    const bool work_needs_path_ = options_.framework == Framework::loops && work_needs_path(model_);

    void fill(BackbonePoint& p) {
        p.branch = tracer_.folds();
        if (options_.framework == Framework::masing)
            masing(p);
        else
            loops(p);
    }

    void masing(BackbonePoint& p) {
        auto& equations = tracer_.equations();
        const Branch& b = tracer_.here();
        p.residual = equations.full_residual(b);
        p.omega = std::sqrt(b.lambda);
        note_sites(p, b);
        note_reversals(p, b, nullptr);
        note_shape(p, b);
        if (options_.dissipation == Dissipation::modal) {
            p.dissipation = area_.dissipation();
        } else {
            masing_dissipation(tracer_.sites(), p.dissipation_by_joint, p.site_dissipation);
            for (const double d : p.dissipation_by_joint) p.dissipation += d;
        }
        finish(p);
        Eigen::VectorXd d(tracer_.sites().rows());
        equations.increments(b, d);
        p.masing_error =
            not_odd(tracer_.sites(), d) / (2 * std::numbers::pi * b.lambda * p.q * p.q *
                                           (std::abs(p.zeta_friction) + std::abs(p.zeta_viscous) + hardly_damped));
        const double known = options_.tolerance * tracer_.start_lambda() * p.q * p.q;  // lambda is known to that
        if (area_.left_out() > options_.loop_tolerance * std::abs(p.dissipation) + known) {
            p.converged = false;
            p.reason = fmt::format(
                "the modal area below q = {:g}, the least amplitude whose solution has digits enough, is not known",
                area_.least());
        }
        if (!derivatives_ || !p.converged) return;
        auto slopes = derivatives_->first_loading(b);
        if (options_.dissipation == Dissipation::modal) slopes.loss = area_.dissipation_slope();
        derivatives_->write(p, b, b, slopes);
    }

    void loops(BackbonePoint& p) {
        note_sites(p, tracer_.here());
        note_shape(p, tracer_.here());
        Loop loop = tracer_.close(p.iterations);
        p.loops = loop.half_loops;
        p.closure_error = loop.gap;
        p.residual = loop.residual;
        if (!loop.converged) {
            p.reason = p.iterations < options_.most_steps
                           ? fmt::format("the end of half loop {} was not found", loop.half_loops + 1)
                           : spent();
            return;
        }
        p.omega = 0.5 * (std::sqrt(loop.plus.lambda) + std::sqrt(loop.minus.lambda));
        p.dissipation_by_joint = loop.dissipation;
        p.site_dissipation = loop.by_site;
        Derivatives::Slopes slopes;
        if (derivatives_) slopes = derivatives_->closed_loop(loop);
        const bool modal = options_.dissipation == Dissipation::modal;
        if (modal || work_needs_path_) {
            if (!along_the_path(p, loop, slopes, modal)) return;
        } else {
            for (const double d : loop.dissipation) p.dissipation += d;
        }
        note_shape(p, loop.plus);
        note_reversals(p, loop.plus, &loop.minus);
        finish(p);
        if (derivatives_) derivatives_->write(p, loop.plus, loop.minus, slopes);
    }

    std::string spent() const { return fmt::format("{} Newton steps were not enough", options_.most_steps); }

    /// Dissipation as the joints' work on the path of loads around the loop: of all of them, or by site without what
    /// springs do, normal contact among them, whose work around a loop is none.
    bool along_the_path(BackbonePoint& p, Loop& loop, Derivatives::Slopes& slopes, bool modal) {
        Eigen::MatrixXd work_slope;
        const Eigen::VectorXd work = derivatives_ ? derivatives_->loop_work(loop, slopes, p.iterations, work_slope)
                                                  : tracer_.loop_work(loop, p.iterations);
        if (work.size() == 0) {
            p.residual = loop.residual;
            p.reason = "a point between the reversals was not found";
            return false;
        }
        if (!modal && loop.straight) {  // what the laws count is exact: the slopes of it are in place
            for (const double d : loop.dissipation) p.dissipation += d;
            return true;
        }
        slopes.loss.setZero(work_slope.cols());
        Eigen::Index row = 0;
        for (std::size_t j = 0; j < model_.joints.size(); ++j) {
            const auto& joint = model_.joints[j];
            const int width = joint.components();
            if (!modal) p.site_dissipation[j].setZero();
            for (Eigen::Index i = 0; i < joint.map.rows(); ++i, ++row) {
                const bool spring = joint.law.elastic() || i % width == joint.law.normal();
                if (!modal && spring) continue;
                p.dissipation += work(row);
                if (!modal) p.site_dissipation[j](i / width) += work(row);
                if (derivatives_) slopes.loss += work_slope.row(row).transpose();
            }
            if (!modal) p.dissipation_by_joint[j] = p.site_dissipation[j].sum();
        }
        return true;
    }

    /// On all DOF at once only where a damping matrix needs it; the others wait for `recover_shapes`.
    void note_shape(BackbonePoint& p, const Branch& b) {
        if (model_.damping.size() > 0) p.shape = tracer_.equations().full_shape(b);
        shape_ = tracer_.equations().shape(b);
    }

    /// What the sites feel, at the increments of the last evaluation.
    void note_sites(BackbonePoint& p, const Branch& b) {
        Eigen::VectorXd u(tracer_.sites().rows());
        tracer_.equations().increments(b, u);
        u += tracer_.at_rest().sites;
        Eigen::Index row = 0;
        for (const auto& joint : model_.joints) {
            const Eigen::Index count = joint.map.rows();
            p.site_displacement.push_back(u.segment(row, count));
            Eigen::VectorXd f = tracer_.sites().force().segment(row, count);
            for (Eigen::Index i = 0; i < count; ++i) f(i) /= joint.weight(i / joint.components());
            p.site_force.push_back(f);
            row += count;
        }
    }

    /// Where the sites turn; without `minus` they move as far to both sides.
    void note_reversals(BackbonePoint& p, const Branch& plus, const Branch* minus) {
        Eigen::VectorXd up(tracer_.sites().rows()), down(up.size());
        tracer_.equations().increments(plus, up);
        if (minus)
            tracer_.equations().increments(*minus, down);
        else
            down = -up;
        const auto& rest = tracer_.at_rest().sites;
        Eigen::Index row = 0;
        for (const auto& joint : model_.joints) {
            const Eigen::Index count = joint.map.rows();
            p.site_rest.push_back(rest.segment(row, count));
            p.site_plus.push_back(rest.segment(row, count) + up.segment(row, count));
            p.site_minus.push_back(rest.segment(row, count) + down.segment(row, count));
            row += count;
        }
    }

    void finish(BackbonePoint& p) {
        p.dissipation = not_below_zero(p.dissipation, p.omega * p.omega * p.q * p.q);
        p.zeta_friction = p.dissipation / (2 * std::numbers::pi * p.omega * p.omega * p.q * p.q);
        p.zeta_viscous = tracer_.viscous_ratio(p.shape, p.omega);
        p.zeta = p.zeta_friction + p.zeta_viscous;
        p.converged = p.residual <= options_.tolerance && std::isfinite(p.zeta);
        if (!std::isfinite(p.zeta))
            p.reason = "damping is not a finite number";
        else if (!p.converged)
            p.reason = fmt::format("the residual stays above {:g}", options_.tolerance);
    }
};

/// x of all shapes in one product; one by one each would read Phi again.
void recover_shapes(const Interface& interface, const std::vector<Shape>& shapes, std::vector<BackbonePoint>& points) {
    std::vector<std::size_t> there;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (shapes[i].y.size() + shapes[i].xi.size() > 0) there.push_back(i);
    Eigen::MatrixXd y(interface.width(), long(there.size())), xi(interface.modes(), long(there.size()));
    for (std::size_t k = 0; k < there.size(); ++k) {
        y.col(long(k)) = shapes[there[k]].y;
        xi.col(long(k)) = shapes[there[k]].xi;
    }
    const Eigen::MatrixXd x = interface.full(y, xi);
    for (std::size_t k = 0; k < there.size(); ++k) points[there[k]].shape = x.col(long(k));
}

}  // namespace

std::vector<BackbonePoint> backbone(const structure::Model& model, const Interface& interface, int mode,
                                    const std::vector<double>& amplitudes, const BackboneOptions& options) {
    options.check();
    check_amplitudes(amplitudes);
    check_laws(model, options);
    Run run(model, interface, mode, options);
    std::vector<BackbonePoint> points;
    std::vector<Shape> shapes;
    int failures = 0;
    for (const double q : amplitudes) {
        if (failures >= options.most_failures) {  // the branch is gone: do not spend more on it
            BackbonePoint p;
            p.q = q;
            points.push_back(run.not_reached(std::move(p), "the branch was given up at a smaller amplitude"));
            continue;
        }
        BackbonePoint p = run.at(q);
        const Shape shape = run.shape();
        for (auto& [again, its_shape] : run.met_again()) {
            points.push_back(std::move(again));
            shapes.push_back(its_shape);
        }
        points.push_back(std::move(p));
        shapes.push_back(shape);
        failures = points.back().converged ? 0 : failures + 1;
    }
    if (options.shapes) recover_shapes(interface, shapes, points);
    return points;
}

std::vector<BackbonePoint> backbone(const structure::Model& model, int mode, const std::vector<double>& amplitudes,
                                    const BackboneOptions& options) {
    return backbone(model, Interface(model), mode, amplitudes, options);
}

}  // namespace faying::modes
