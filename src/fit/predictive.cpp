#include "faying/fit/predictive.hpp"

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/fit/chains.hpp"
#include "parallel.hpp"
#include "random.hpp"

namespace faying::fit {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

std::vector<std::size_t> evenly(std::size_t all, int wanted) {
    std::vector<std::size_t> which;
    const auto n = std::min(all, std::size_t(wanted));
    for (std::size_t k = 0; k < n; ++k) which.push_back(k * all / n);
    return which;
}

std::vector<double> theta_of(const Posterior& p, const std::vector<double>& values) {
    return {values.begin(), values.begin() + std::ptrdiff_t(p.model_size())};
}

/// Typical stated error: the median over all points.
double typical_error(const Posterior& posterior, int kind) {
    std::vector<double> all;
    std::vector<double> prior;
    for (const auto& p : posterior.parameters()) prior.push_back(p.value(0));
    for (std::size_t r = 0; r < posterior.records().size(); ++r) {
        auto c = posterior.covariance(prior, r, kind, 1.0);
        const int scatter = posterior.error_keys().scatter[kind];
        const double own = scatter >= 0 ? prior[std::size_t(scatter)] : 0;
        for (const double v : c.diagonal()) all.push_back(std::sqrt(std::max(v - own * own, 0.0)));
    }
    return quantile(std::move(all), 0.5);
}

/// Of neighbours along the amplitude.
double following(const VectorXd& r) {
    const auto n = r.size();
    const double all = r.squaredNorm();
    return n > 2 && all > 0 ? r.head(n - 1).dot(r.tail(n - 1)) / all : 0.0;
}

struct Checked {
    double larger[2] = {0, 0}, squares[2] = {0, 0};
    bool valid = false;
};

}  // namespace

void PredictOptions::check() const {
    core::require(draws >= 20 && draws <= 1000000, "prediction", "20 <= draws <= 1000000");
}

Band predict(const Posterior& posterior, const Samples& samples, const CurveAt& curve, std::vector<double> amplitudes,
             const PredictOptions& options) {
    options.check();
    const auto which = evenly(samples.size(), options.draws);
    const std::size_t n = amplitudes.size();
    std::vector<std::optional<Prediction>> found(which.size());
    std::vector<std::vector<double>> values(which.size());
    for_each_index(which.size(), options.threads, [&](std::size_t k) {
        values[k] = posterior.values(samples.draw(which[k]));
        found[k] = curve(theta_of(posterior, values[k]));
    });
    Band band;
    band.amplitude = std::move(amplitudes);
    for (const auto& f : found) band.failed += f ? 0 : 1;
    if (band.failed == int(found.size()))
        throw core::NotConverged("calibration: no draw of the posterior has a prediction here", double(band.failed));
    const auto& keys = posterior.error_keys();
    for (int kind = 0; kind < 2; ++kind) {
        auto& b = kind == 0 ? band.omega : band.zeta;
        const double typical = typical_error(posterior, kind);
        for (std::size_t i = 0; i < n; ++i) {
            std::vector<double> at, test;
            for (std::size_t k = 0; k < found.size(); ++k) {
                if (!found[k]) continue;
                const double x = (kind == 0 ? found[k]->omega : found[k]->zeta)(Index(i));
                const double scatter = keys.scatter[kind] >= 0 ? values[k][std::size_t(keys.scatter[kind])] : 0;
                const double size = values[k][std::size_t(keys.size[kind])];
                at.push_back(x);
                // Several draws of the error for one of the curve: their number is small, and ends of bounds are rare.
                Random random{options.seed, 0xba9d, std::uint64_t(kind), i, k};
                for (int m = 0; m < 4; ++m)
                    test.push_back(x * std::exp(scatter * random.normal() + size * typical * random.normal()));
            }
            b.middle.push_back(quantile(at, 0.5));
            b.low.push_back(quantile(at, 0.025));
            b.high.push_back(quantile(at, 0.975));
            b.test_low.push_back(quantile(test, 0.025));
            b.test_high.push_back(quantile(test, 0.975));
        }
    }
    return band;
}

FitCheck check_fit(const Posterior& posterior, const Samples& samples, const PredictOptions& options) {
    options.check();
    constexpr int replicates = 50;
    const auto which = evenly(samples.size(), options.draws);
    std::vector<Checked> each(which.size());
    for_each_index(which.size(), options.threads, [&](std::size_t k) {
        const auto values = posterior.values(samples.draw(which[k]));
        const auto theta = theta_of(posterior, values);
        Checked c;
        c.valid = true;
        double measured[2] = {0, 0}, structure[2] = {0, 0}, count = 0;
        std::vector<Index> lengths;
        for (std::size_t r = 0; r < posterior.records().size() && c.valid; ++r) {
            const auto model = posterior.model().at(theta, r, false);
            c.valid = model.has_value();
            for (int kind = 0; kind < 2 && c.valid; ++kind) {
                const auto residual = posterior.residual(*model, r, kind);
                c.valid = residual.has_value();
                if (!c.valid) break;
                const std::optional<double> stated = posterior.errors_known() ? std::optional(1.0) : std::nullopt;
                const Eigen::LLT<Eigen::MatrixXd> factor(posterior.covariance(values, r, kind, stated));
                const VectorXd white = factor.matrixL().solve(*residual);
                measured[kind] += white.squaredNorm();
                structure[kind] += following(white) * double(white.size());
                if (kind == 0) count += double(white.size()), lengths.push_back(white.size());
            }
        }
        if (c.valid)
            for (int kind = 0; kind < 2; ++kind) {
                Random random{options.seed, 0xf17, std::uint64_t(kind), k};
                c.squares[kind] = measured[kind] / count;
                int larger = 0;
                for (int m = 0; m < replicates; ++m) {
                    double copy = 0, along = 0;
                    const double size =
                        posterior.errors_known() ? std::exp(posterior.options().size_spread * random.normal()) : 1.0;
                    for (const auto n : lengths) {
                        VectorXd white(n);
                        for (auto& w : white) w = size * random.normal();
                        copy += white.squaredNorm();
                        along += following(white) * double(n);
                    }
                    larger += posterior.errors_known() ? copy >= measured[kind] : along >= structure[kind];
                }
                c.larger[kind] = double(larger) / replicates;
            }
        each[k] = c;
    });
    FitCheck check;
    double valid = 0;
    double p[2] = {0, 0}, squares[2] = {0, 0};
    for (const auto& c : each) {
        if (!c.valid) continue;
        valid += 1;
        for (int kind = 0; kind < 2; ++kind) p[kind] += c.larger[kind], squares[kind] += c.squares[kind];
    }
    if (valid == 0) throw core::NotConverged("calibration: no draw of the posterior has a prediction", 0);
    check.omega_p = p[0] / valid;
    check.zeta_p = p[1] / valid;
    check.omega_ratio = std::sqrt(squares[0] / valid);
    check.zeta_ratio = std::sqrt(squares[1] / valid);
    check.misfit = check.omega_p < misfit_level || check.zeta_p < misfit_level;
    return check;
}

}  // namespace faying::fit
