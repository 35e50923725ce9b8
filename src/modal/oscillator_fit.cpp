#include "faying/modal/oscillator_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "faying/core/error.hpp"
#include "fit/least_squares.hpp"
#include "fit/parallel.hpp"
#include "fit/random.hpp"

namespace faying::modal {

namespace {

using core::BadInput;
using Eigen::Index;
using Eigen::VectorXd;
using std::numbers::pi;

constexpr double ridge = 1e-2;  ///< pull of the prior's middle: ends the search along what data do not determine
constexpr double narrow = 0.5;  ///< of the prior's width: less is determined
constexpr double cost_of_95 = 1.920729;  ///< half the 95 % quantile of chi squared with one degree of freedom
constexpr double misfit_p = 0.01;
constexpr double least_scatter = 1e-9;
constexpr double bound_width = 2 * 1.959963984540054;

double stated(const fit::Backbone& b, std::size_t i, int kind) {
    if (!b.has_bounds()) return 1;
    const double width =
        kind == 0 ? (b.omega_high[i] - b.omega_low[i]) / b.omega[i] : (b.zeta_high[i] - b.zeta_low[i]) / b.zeta[i];
    return std::max(width / bound_width, least_scatter);
}

/// Residuals of points in coordinates z, each kind over its scale.
class Misfits {
 public:
    Misfits(const Oscillator& mode, const fit::Backbone& data) : mode_(mode), data_(data) {
        for (int kind = 0; kind < 2; ++kind) {
            offset_[kind] = VectorXd::Zero(Index(data.size()));
            for (std::size_t i = 0; i < data.size(); ++i) weight_[kind].push_back(1 / stated(data, i, kind));
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

/// By fits of ever fewer starts.
Misfits::Solved best_of(const Misfits& misfits, const std::vector<std::vector<double>>& starts) {
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
    Misfits::Solved best;
    for (std::size_t k = 0; k < std::min<std::size_t>(2, tried.size()); ++k) {
        auto solved = misfits.solve(tried[k].z, all, 200);
        if (solved.cost < best.cost) best = std::move(solved);
    }
    return best;
}

/// Where the cost has risen by 95 %, the other parameters fitted anew: towards lower (-1) or higher (1) coordinates.
std::optional<double> profile_bound(const Misfits& misfits, const Misfits::Solved& best, std::size_t parameter,
                                    int direction) {
    const auto all = misfits.everything();
    constexpr double end = 3.5, pace = 0.5;
    double inside = best.z[parameter];
    auto from = best.z;
    const auto cost_at = [&](double z) {
        auto start = from;
        start[parameter] = z;
        return misfits.solve(start, all, 40, int(parameter));
    };
    while (direction * inside < end) {
        const double outside = inside + direction * pace;
        const auto there = cost_at(outside);
        if (there.cost > best.cost + cost_of_95) {
            double low = inside, high = outside;
            for (int k = 0; k < 6; ++k) {
                const double middle = 0.5 * (low + high);
                (cost_at(middle).cost > best.cost + cost_of_95 ? high : low) = middle;
            }
            return high;
        }
        from = there.z;
        inside = outside;
    }
    return std::nullopt;
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
        for (std::size_t i = 0; i < points; ++i) fit.log_likelihood -= std::log(stated(b, i, kind));
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
                const double size = b.has_bounds() ? stated(b, i, kind) : (kind == 0 ? own.omega : own.zeta);
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

Scatter scatter_of(const fit::Backbone& b) {
    const auto of = [&](const std::vector<double>& y) {
        double sum = 0;
        for (std::size_t i = 1; i + 1 < b.size(); ++i) {
            const double from = std::log(b.amplitude[i - 1]), to = std::log(b.amplitude[i + 1]);
            const double share = (std::log(b.amplitude[i]) - from) / (to - from);
            const double off = std::log(y[i]) - (1 - share) * std::log(y[i - 1]) - share * std::log(y[i + 1]);
            sum += off * off / (1 + share * share + (1 - share) * (1 - share));
        }
        return std::max(std::sqrt(sum / double(std::max<std::size_t>(b.size(), 3) - 2)), least_scatter);
    };
    return {of(b.omega), of(b.zeta)};
}

std::optional<Rise> rise_of(const fit::Backbone& b) {
    const double own = scatter_of(b).omega;
    std::optional<Rise> found;
    double most = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
        for (std::size_t j = i + 1; j < b.size(); ++j) {
            const double error = b.has_bounds() ? std::max(own, std::hypot(stated(b, i, 0), stated(b, j, 0))) : own;
            const double rise = std::log(b.omega[j] / b.omega[i]);
            if (rise > 4 * error && rise > most) {
                most = rise;
                found = Rise{b.amplitude[i], b.omega[i], b.amplitude[j], b.omega[j]};
            }
        }
    return found;
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
    auto best = best_of(misfits, starts_of(mode, data, options.starts, options.seed));
    if (!std::isfinite(best.cost))
        throw core::NotConverged(
            fmt::format("law {}: none of {} starts has a frequency and a damping", law, options.starts),
            std::numeric_limits<double>::quiet_NaN());
    const auto all = misfits.everything();
    const double freedom = std::max(1.0, double(data.size()) - 0.5 * double(priors.size()));
    const auto settle = [&] {  // scales and parameters in turn
        for (int pass = 0; pass < 15; ++pass) {
            double change = 0;
            for (int kind = 0; kind < 2; ++kind) {
                const double found = std::max(
                    misfits.size(best.z, kind).weighted * std::sqrt(double(data.size()) / freedom), least_scatter);
                change = std::max(change, std::abs(std::log(found / misfits.scale[kind])));
                misfits.scale[kind] = pass < 6 ? found : std::sqrt(found * misfits.scale[kind]);
            }
            best = misfits.solve(best.z, all, 200);
            if (change < 0.02) break;
        }
    };
    settle();
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
        s[kind] = std::max(size.weighted, least_scatter);
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
        if (std::log(at(rise->to) / at(rise->from)) < 0.25 * std::log(rise->omega_high / rise->omega_low)) {
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
    for (std::size_t i = 0; i < priors.size(); ++i) {
        FittedParameter p{priors[i].key, mode.unit(i), mode.in_units(i, fit.values[i]), 0, {}, {}, true};
        const double deviation = std::sqrt(covariance(Index(i), Index(i)));
        const auto bound = [&](double z) { return mode.in_units(i, priors[i].value(z)); };
        p.determined = deviation < narrow;
        if (p.determined) {
            p.error = std::abs(mode.in_units(i, priors[i].slope(best.z[i]))) * deviation;
            p.low = bound(best.z[i] - 1.96 * deviation);
            p.high = bound(best.z[i] + 1.96 * deviation);
        } else {
            p.error = core::infinity;
            if (!options.bounds) {
                fit.parameters.push_back(std::move(p));
                continue;
            }
            if (const auto z = profile_bound(misfits, best, i, -1)) p.low = bound(*z);
            if (const auto z = profile_bound(misfits, best, i, 1)) p.high = bound(*z);
            fit.notes.push_back(fmt::format("{} is not determined by these points: {}", p.key,
                                            p.low && p.high
                                                ? fmt::format("95 % between {:.4g} and {:.4g}", *p.low, *p.high)
                                            : p.low  ? fmt::format("95 % above {:.4g}, no upper bound", *p.low)
                                            : p.high ? fmt::format("95 % below {:.4g}, no lower bound", *p.high)
                                                     : "no bound at all"));
        }
        fit.parameters.push_back(std::move(p));
    }
    if (options.folds > 0) hold_out(fit, misfits, best, data, mode, options.folds);
    return fit;
}

std::vector<OscillatorFit> compare_laws(const fit::Backbone& backbone, const std::vector<std::string>& laws,
                                        const OscillatorFitOptions& options) {
    options.check();
    for (const auto& law : laws) Oscillator(law, scales_of(backbone));  // what is no law is said at once
    std::vector<OscillatorFit> all(laws.size());
    std::atomic<std::size_t> done{0};
    fit::for_each_index(laws.size(), options.threads, [&](std::size_t k) {
        try {
            all[k] = fit_oscillator(backbone, laws[k], options);
        } catch (const core::NotConverged& error) {
            all[k].problem = error.what();
        } catch (const BadInput& error) {
            all[k].problem = error.what();
        }
        all[k].law = laws[k];
        if (options.progress) options.progress(++done);
    });
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        if (a.problem.empty() != b.problem.empty()) return a.problem.empty();
        return a.held_out < b.held_out;
    });
    return all;
}

}  // namespace faying::modal
