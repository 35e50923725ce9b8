#include "faying/modal/oscillator_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "backbone_scatter.hpp"
#include "faying/core/error.hpp"
#include "fit/least_squares.hpp"
#include "fit/random.hpp"

namespace faying::modal {

namespace {

using core::BadInput;
using Eigen::Index;
using Eigen::VectorXd;
using std::numbers::pi;

constexpr double ridge = 1e-2;  ///< pull of the prior's middle: ends the search along what data do not determine
constexpr double surely_narrow = 0.15;   ///< of the prior's width, by curvature: bounds need no search
constexpr double narrow = 0.5;           ///< of the prior's width, by bounds: less is determined
constexpr double cost_of_95 = 1.920729;  ///< half the 95 % quantile of chi squared with one degree of freedom
constexpr double misfit_p = 0.01;
constexpr double followed = 0.6;  ///< of a rise of frequency: less is a misfit

/// Residuals of points in coordinates z, each kind over its scale.
class Misfits {
 public:
    Misfits(const Oscillator& mode, const fit::Backbone& data) : mode_(mode), data_(data) {
        for (int kind = 0; kind < 2; ++kind) {
            offset_[kind] = VectorXd::Zero(Index(data.size()));
            for (std::size_t i = 0; i < data.size(); ++i) weight_[kind].push_back(1 / stated_error(data, i, kind));
        }
    }

    double scale[2] = {1, 1};  ///< of the residuals over the stated errors (or of themselves)
    VectorXd offset_[2];       ///< added to ln omega, ln zeta: what a simulation differs by

    std::vector<double> values(const double* z) const {
        std::vector<double> v;
        for (std::size_t i = 0; i < mode_.parameters().size(); ++i) v.push_back(mode_.parameters()[i].value(z[i]));
        return v;
    }

    /// Of these points; rows: ln omega, ln zeta over their scales, then the ridge.
    bool evaluate(const double* z, const std::vector<std::size_t>& points, VectorXd& r, Eigen::MatrixXd* J) const {
        std::vector<double> amplitude;
        for (const auto i : points) amplitude.push_back(data_.amplitude[i]);
        const auto p = mode_.at(values(z), amplitude, J != nullptr);
        if (!p) return false;
        const auto n = Index(points.size()), m = Index(mode_.parameters().size());
        r.resize(2 * n + m);
        if (J) *J = Eigen::MatrixXd::Zero(2 * n + m, m);
        for (int kind = 0; kind < 2; ++kind)
            for (Index i = 0; i < n; ++i) {
                const auto k = points[std::size_t(i)];
                const double x = (kind == 0 ? p->omega : p->zeta)(i), y = kind == 0 ? data_.omega[k] : data_.zeta[k];
                const double w = weight_[kind][k] / scale[kind];
                r(kind * n + i) = (std::log(x / y) + offset_[kind](Index(k))) * w;
                if (!J) continue;
                const auto& slopes = kind == 0 ? p->omega_slopes : p->zeta_slopes;
                for (Index c = 0; c < m; ++c)
                    (*J)(kind * n + i, c) = slopes(i, c) / x * w * mode_.parameters()[std::size_t(c)].slope(z[c]);
            }
        for (Index c = 0; c < m; ++c) {
            r(2 * n + c) = ridge * z[c];
            if (J) (*J)(2 * n + c, c) = ridge;
        }
        return true;
    }

    /// Root mean square of the residuals over the stated errors, of one kind, and as they are.
    struct Size {
        double weighted = 0, plain = 0;
    };
    Size size(const std::vector<double>& z, int kind) const {
        const auto all = everything();
        VectorXd r;
        if (!evaluate(z.data(), all, r, nullptr)) return {core::infinity, core::infinity};
        const auto n = Index(all.size());
        Size s;
        for (Index i = 0; i < n; ++i) {
            const double weighted = r(kind * n + i) * scale[kind];
            const double plain = weighted / weight_[kind][std::size_t(i)];
            s.weighted += weighted * weighted / double(n);
            s.plain += plain * plain / double(n);
        }
        return {std::sqrt(s.weighted), std::sqrt(s.plain)};
    }

    std::vector<std::size_t> everything() const {
        std::vector<std::size_t> all(data_.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
        return all;
    }

    struct Solved {
        std::vector<double> z;
        double cost = core::infinity;
        bool converged = false;
    };
    Solved solve(std::vector<double> start, const std::vector<std::size_t>& points, int iterations,
                 int held = -1) const {
        fit::LeastSquares problem;
        problem.residuals = 2 * points.size() + start.size();
        problem.iterations = iterations;
        for (std::size_t i = 0; i < start.size(); ++i) {
            const auto kind = mode_.parameters()[i].kind;
            const bool range = kind == fit::Prior::Kind::uniform || kind == fit::Prior::Kind::log_uniform;
            const double end = range ? 4 : 8;
            // A held coordinate keeps a width that changes nothing: the solver wants room.
            problem.lower.push_back(int(i) == held ? start[i] - 1e-9 : -end);
            problem.upper.push_back(int(i) == held ? start[i] + 1e-9 : end);
            start[i] = std::clamp(start[i], problem.lower[i], problem.upper[i]);
        }
        problem.evaluate = [&](const double* z, VectorXd& r, Eigen::MatrixXd* J) { return evaluate(z, points, r, J); };
        const auto run = fit::minimise(problem, start);
        return {run.x, run.cost, run.converged};
    }

 private:
    const Oscillator& mode_;
    const fit::Backbone& data_;
    std::vector<double> weight_[2];
};

/// Starts that the points suggest: stiffness from the fall of frequency, slip force from the loss a cycle, the rest as
/// believed beforehand; every third one as believed throughout.
std::vector<std::vector<double>> starts_of(const Oscillator& mode, const fit::Backbone& b, int count,
                                           std::uint64_t seed) {
    const auto& priors = mode.parameters();
    const auto& s = mode.scales();
    const auto [least, most] = std::minmax_element(b.omega.begin(), b.omega.end());
    const double fall = std::max((*most * *most - *least * *least) / (s.omega * s.omega), 1e-6);
    const double zeta = *std::min_element(b.zeta.begin(), b.zeta.end());
    double force = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        const double u = b.amplitude[i] / s.amplitude, w = b.omega[i] / s.omega;
        force = std::max(force, 2 * pi * std::max(b.zeta[i] - 0.9 * zeta, 1e-3 * zeta) * w * w * u / 4);
    }
    std::vector<std::vector<double>> all;
    for (int k = 0; k < count; ++k) {
        fit::Random random{seed, 0x57a7, std::uint64_t(k)};
        std::vector<double> z;
        for (std::size_t i = 0; i < priors.size(); ++i) {
            const double believed = 1.2 * random.normal(), share = std::exp(1.5 * random.normal());
            double at = believed;
            if (i == 0) at = 0.2 * believed;
            if (i == 1) at = priors[i].coordinate(zeta * (0.5 + 0.5 * random.uniform()));
            if (k % 3 != 2 && mode.unit(i) == "N/m") at = priors[i].coordinate(3 * fall * share);
            if (k % 3 != 2 && mode.unit(i) == "N") at = priors[i].coordinate(3 * force * share);
            if (mode.unit(i).starts_with("N/m^")) at = 0.3 * fall * believed / 0.1;
            z.push_back(at);
        }
        all.push_back(std::move(z));
    }
    return all;
}

/// By fits of ever fewer starts; the first is the best.
std::vector<Misfits::Solved> best_of(const Misfits& misfits, const std::vector<std::vector<double>>& starts) {
    const auto all = misfits.everything();
    std::vector<std::pair<double, const std::vector<double>*>> screened;
    for (const auto& z : starts) {
        VectorXd r;
        if (misfits.evaluate(z.data(), all, r, nullptr)) screened.emplace_back(r.squaredNorm(), &z);
    }
    std::stable_sort(screened.begin(), screened.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Misfits::Solved> tried;
    for (std::size_t k = 0; k < std::min<std::size_t>(8, screened.size()); ++k)
        tried.push_back(misfits.solve(*screened[k].second, all, 25));
    std::stable_sort(tried.begin(), tried.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
    for (std::size_t k = 0; k < std::min<std::size_t>(2, tried.size()); ++k)
        tried[k] = misfits.solve(tried[k].z, all, 200);
    std::stable_sort(tried.begin(), tried.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
    return tried;
}

/// Where the cost has risen by 95 %, the other parameters fitted anew: towards lower (-1) or higher (1) coordinates.
std::optional<double> profile_bound(const Misfits& misfits, const Misfits::Solved& best, double least_cost,
                                    std::size_t parameter, int direction) {
    const auto all = misfits.everything();
    constexpr double end = 3.5, least_pace = 0.03, most_pace = 0.8;
    const double limit = least_cost + cost_of_95;
    double inside = best.z[parameter], pace = least_pace, last = 0;
    auto from = best.z, before = best.z;
    // The others go on as they went: a valley that bends is followed in steps that grow while it is.
    const auto solved_at = [&](double z) {
        auto start = from;
        for (std::size_t i = 0; last > 0 && i < start.size(); ++i)
            start[i] += (from[i] - before[i]) * std::abs(z - inside) / last;
        start[parameter] = z;
        return misfits.solve(start, all, 60, int(parameter));
    };
    while (direction * inside < end) {
        const double outside = inside + direction * pace;
        auto there = solved_at(outside);
        if (there.cost <= limit) {
            before = std::exchange(from, std::move(there.z));
            last = pace;
            inside = outside;
            pace = std::min(1.6 * pace, most_pace);
        } else if (pace > 1.01 * least_pace) {
            pace = std::max(0.3 * pace, least_pace);
        } else {
            return outside;
        }
    }
    return std::nullopt;
}

/// Other valleys that explain the points as well: macroslip early, or never, say.
std::vector<Misfits::Solved> rivals_of(const Misfits& misfits, const Misfits::Solved& best,
                                       const std::vector<Misfits::Solved>& tried) {
    std::vector<Misfits::Solved> rivals{best};
    for (const auto& t : tried) {
        auto solved = misfits.solve(t.z, misfits.everything(), 100);
        if (solved.cost <= best.cost + cost_of_95) rivals.push_back(std::move(solved));
    }
    return rivals;
}

/// Over all valleys: from the outermost of them.
std::optional<double> outermost_bound(const Misfits& misfits, const std::vector<Misfits::Solved>& rivals,
                                      std::size_t parameter, int direction) {
    const auto* outer = &rivals.front();
    for (const auto& r : rivals)
        if (direction * r.z[parameter] > direction * outer->z[parameter]) outer = &r;
    return profile_bound(misfits, *outer, rivals.front().cost, parameter, direction);
}

double chi_squared_p(double sum, double freedom) {
    return std::isfinite(sum) ? cdf(complement(boost::math::chi_squared(freedom), sum)) : 0.0;
}

/// Probability of residuals as large as these, given stated errors (chi squared, of which a half more is forgiven) or
/// the points' own scatter (F).
double misfit_probability(double weighted_rms, bool errors_stated, double own_scatter, std::size_t points,
                          double parameters) {
    const double n = double(points), freedom = std::max(1.0, n - parameters / 2);
    if (errors_stated) return chi_squared_p(n * weighted_rms * weighted_rms / (1.5 * 1.5), freedom);
    const double against = std::max(1.0, 2.0 * (n - 2) / 3);  // neighbouring differences share points
    const double ratio = weighted_rms * weighted_rms * n / freedom / (own_scatter * own_scatter);
    return std::isfinite(ratio) ? cdf(complement(boost::math::fisher_f(freedom, against), ratio)) : 0.0;
}

void information(OscillatorFit& fit, const double s[2], std::size_t points, std::size_t parameters,
                 const fit::Backbone& b) {
    const double n = double(points), count = double(parameters + 2), all = 2 * n;
    for (int kind = 0; kind < 2; ++kind) {
        fit.log_likelihood -= 0.5 * n * (std::log(2 * pi * s[kind] * s[kind]) + 1);
        for (std::size_t i = 0; i < points; ++i) fit.log_likelihood -= std::log(stated_error(b, i, kind));
    }
    const double few = all - count - 1;
    fit.aic = -2 * fit.log_likelihood + 2 * count +
              (few > 0 ? 2 * count * (count + 1) / few : std::numeric_limits<double>::infinity());
    fit.bic = -2 * fit.log_likelihood + count * std::log(all);
}

void hold_out(OscillatorFit& fit, const Misfits& misfits, const Misfits::Solved& best, const fit::Backbone& b,
              const Oscillator& mode, int folds) {
    const std::size_t n = b.size(), parts = std::min<std::size_t>(std::size_t(folds), n);
    double sum[2] = {0, 0}, weighted = 0;
    const Scatter own = scatter_of(b);
    for (std::size_t f = 0; f < parts; ++f) {
        std::vector<std::size_t> seen, unseen;
        for (std::size_t i = 0; i < n; ++i) (i % parts == f ? unseen : seen).push_back(i);
        const auto solved = misfits.solve(best.z, seen, 100);
        std::vector<double> amplitude;
        for (const auto i : unseen) amplitude.push_back(b.amplitude[i]);
        const auto p = mode.at(misfits.values(solved.z.data()), amplitude, false);
        for (std::size_t k = 0; k < unseen.size(); ++k)
            for (int kind = 0; kind < 2; ++kind) {
                const auto i = unseen[k];
                const double y = kind == 0 ? b.omega[i] : b.zeta[i];
                const double off =
                    p ? std::log((kind == 0 ? p->omega : p->zeta)(Index(k)) / y) + misfits.offset_[kind](Index(i))
                      : std::numeric_limits<double>::infinity();
                const double size = b.has_bounds() ? stated_error(b, i, kind) : (kind == 0 ? own.omega : own.zeta);
                sum[kind] += off * off / double(n);
                weighted += 0.5 * off * off / (size * size) / double(n);
            }
    }
    fit.held_omega = std::sqrt(sum[0]);
    fit.held_zeta = std::sqrt(sum[1]);
    fit.held_out = std::sqrt(weighted);
}

}  // namespace

void OscillatorFitOptions::check() const {
    core::require(starts >= 1 && starts <= 100000, "modal-fit", "1 <= starts <= 100000");
    core::require(folds >= 0 && folds != 1 && folds <= 1000, "modal-fit", "folds 0 or 2 to 1000");
}

OscillatorFit fit_oscillator(const fit::Backbone& data, const std::string& law, const OscillatorFitOptions& options) {
    options.check();
    const Oscillator mode(law, scales_of(data),
                          options.curves == Curves::quasi_static ? Stiffness::secant : Stiffness::harmonic,
                          options.fixed);
    const auto& priors = mode.parameters();
    if (2 * data.size() <= priors.size())
        throw BadInput("law " + law, fmt::format("{} points, {} values: too few for {} parameters", data.size(),
                                                 2 * data.size(), priors.size()));
    OscillatorFit fit;
    fit.law = law;
    fit.notes = mode.notes();
    Misfits misfits(mode, data);
    const auto spread = [](const std::vector<double>& y) {
        const auto [low, high] = std::minmax_element(y.begin(), y.end());
        return std::log(*high / *low);
    };
    if (!data.has_bounds()) {
        misfits.scale[0] = std::max(0.1 * spread(data.omega), 1e-7);
        misfits.scale[1] = std::max(0.1 * spread(data.zeta), 1e-3);
    }
    const auto tried = best_of(misfits, starts_of(mode, data, options.starts, options.seed));
    if (tried.empty() || !std::isfinite(tried.front().cost))
        throw core::NotConverged(
            fmt::format("law {}: none of {} starts has a frequency and a damping", law, options.starts),
            std::numeric_limits<double>::quiet_NaN());
    const auto all = misfits.everything();
    const double freedom = std::max(1.0, double(data.size()) - 0.5 * double(priors.size()));
    const double first_scale[] = {misfits.scale[0], misfits.scale[1]};
    const auto settled = [&](Misfits::Solved at) {  // scales and parameters in turn
        for (int kind = 0; kind < 2; ++kind) misfits.scale[kind] = first_scale[kind];
        for (int pass = 0; pass < 15; ++pass) {
            double change = 0;
            for (int kind = 0; kind < 2; ++kind) {
                const double found = std::max(
                    misfits.size(at.z, kind).weighted * std::sqrt(double(data.size()) / freedom), least_own_scatter);
                change = std::max(change, std::abs(std::log(found / misfits.scale[kind])));
                misfits.scale[kind] = pass < 6 ? found : std::sqrt(found * misfits.scale[kind]);
            }
            at = misfits.solve(at.z, all, 200);
            if (change < 0.02) break;
        }
        return at;
    };
    // Frequency may be bought with damping: the valley is taken whose residuals of both kinds are likeliest.
    Misfits::Solved best;
    double scatter = core::infinity, best_scale[2] = {1, 1};
    for (std::size_t k = 0; k < std::min<std::size_t>(3, tried.size()); ++k) {
        auto at = settled(tried[k]);
        const double product = std::log(misfits.scale[0]) + std::log(misfits.scale[1]);
        if (!std::isfinite(at.cost) || product >= scatter - 1e-6) continue;
        scatter = product;
        best = std::move(at);
        for (int kind = 0; kind < 2; ++kind) best_scale[kind] = misfits.scale[kind];
    }
    for (int kind = 0; kind < 2; ++kind) misfits.scale[kind] = best_scale[kind];
    if (options.curves == Curves::simulated)  // the simulation's difference is taken as that at the last parameters
        for (int pass = 0; pass < 3; ++pass) {
            const auto values = misfits.values(best.z.data());
            const auto simulated = simulated_curves(mode, values, data.amplitude);
            const auto smooth = mode.at(values, data.amplitude, false);
            misfits.offset_[0] = (simulated.omega.array() / smooth->omega.array()).log();
            misfits.offset_[1] = (simulated.zeta.array() / smooth->zeta.array()).log();
            best = misfits.solve(best.z, all, 200);
        }
    fit.converged = best.converged;
    fit.values = misfits.values(best.z.data());
    fit.model = mode.named(fit.values);
    fit.amplitude = data.amplitude;
    const auto curve = mode.at(fit.values, data.amplitude, false);
    for (Index i = 0; i < Index(data.size()); ++i) {
        fit.omega.push_back(curve->omega(i) * std::exp(misfits.offset_[0](i)));
        fit.zeta.push_back(curve->zeta(i) * std::exp(misfits.offset_[1](i)));
    }
    double s[2];
    for (int kind = 0; kind < 2; ++kind) {
        const auto size = misfits.size(best.z, kind);
        s[kind] = std::max(size.weighted, least_own_scatter);
        (kind == 0 ? fit.omega_rms : fit.zeta_rms) = size.plain;
        const Scatter own = scatter_of(data);
        (kind == 0 ? fit.omega_p : fit.zeta_p) = misfit_probability(
            size.weighted, data.has_bounds(), kind == 0 ? own.omega : own.zeta, data.size(), double(priors.size()));
    }
    information(fit, s, data.size(), priors.size(), data);
    fit.misfit = fit.omega_p < misfit_p || fit.zeta_p < misfit_p;
    if (const auto rise = rise_of(data); rise && !mode.has_polynomial()) {
        const auto at = [&](double a) {
            return fit
                .omega[std::size_t(std::find(fit.amplitude.begin(), fit.amplitude.end(), a) - fit.amplitude.begin())];
        };
        if (std::log(at(rise->to) / at(rise->from)) < followed * std::log(rise->omega_high / rise->omega_low)) {
            fit.misfit = true;
            fit.notes.push_back(fmt::format(
                "the frequency rises from {:.6g} Hz at amplitude {:.4g} to {:.6g} Hz at {:.4g}, which friction cannot "
                "do: put a hardening spring beside the law, {}+polynomial",
                rise->omega_low / (2 * pi), rise->from, rise->omega_high / (2 * pi), rise->to, law));
        }
    }
    // Covariance with what was believed beforehand, one in these coordinates.
    VectorXd r;
    Eigen::MatrixXd J;
    misfits.evaluate(best.z.data(), all, r, &J);
    const Eigen::MatrixXd H = J.transpose() * J;
    const Eigen::MatrixXd covariance =
        (H + (1 - ridge * ridge) * Eigen::MatrixXd::Identity(H.rows(), H.cols())).inverse();
    const auto rivals = options.bounds ? rivals_of(misfits, best, tried) : std::vector{best};
    for (std::size_t i = 0; i < priors.size(); ++i) {
        FittedParameter p{priors[i].key, mode.unit(i), mode.in_units(i, fit.values[i]), 0, {}, {}, true};
        const double deviation = std::sqrt(covariance(Index(i), Index(i)));
        const auto bound = [&](double z) { return mode.in_units(i, priors[i].value(z)); };
        double low = best.z[i] - 1.96 * deviation, high = best.z[i] + 1.96 * deviation;
        bool has_low = true, has_high = true;
        const bool elsewhere = std::any_of(rivals.begin(), rivals.end(),
                                           [&](const auto& r) { return r.z[i] < low - 0.05 || r.z[i] > high + 0.05; });
        if (options.bounds && (deviation > surely_narrow || elsewhere)) {  // a curvature says little of what is flat
            const auto below = outermost_bound(misfits, rivals, i, -1), above = outermost_bound(misfits, rivals, i, 1);
            has_low = below.has_value();
            has_high = above.has_value();
            low = below.value_or(low);
            high = above.value_or(high);
        }
        if (has_low) p.low = bound(low);
        if (has_high) p.high = bound(high);
        p.determined = has_low && has_high && high - low < narrow * 2 * 1.96;
        p.error = p.determined ? std::abs(mode.in_units(i, priors[i].slope(best.z[i]))) * deviation : core::infinity;
        if (!p.determined && options.bounds)
            fit.notes.push_back(fmt::format("{} is not determined by these points: {}", p.key,
                                            p.low && p.high
                                                ? fmt::format("95 % between {:.4g} and {:.4g}", *p.low, *p.high)
                                            : p.low  ? fmt::format("95 % above {:.4g}, no upper bound", *p.low)
                                            : p.high ? fmt::format("95 % below {:.4g}, no lower bound", *p.high)
                                                     : "no bound at all"));
        fit.parameters.push_back(std::move(p));
    }
    if (options.folds > 0) hold_out(fit, misfits, best, data, mode, options.folds);
    return fit;
}

}  // namespace faying::modal
