#include "faying/fit/predictive.hpp"

#include <algorithm>
#include <array>
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

/// A stretch of the residuals: one kind of one record.
struct Part {
    std::size_t record = 0;
    int kind = 0;
    Index first = 0, size = 0;
};

/// Residuals of all records over their stated (or found) errors, and how they follow the model's parameters in z and,
/// where tests differ, the tests.
struct Stacked {
    VectorXd residual;
    Eigen::MatrixXd slopes;
    std::vector<Part> parts;
};

/// Standard deviations of the errors with factor one, without the scatter of tests.
VectorXd stated_size(const Posterior& posterior, std::vector<double> values, std::size_t record, int kind) {
    const auto& keys = posterior.error_keys();
    if (keys.scatter[kind] >= 0) values[std::size_t(keys.scatter[kind])] = 0;
    const std::optional<double> one = posterior.errors_known() ? std::optional(1.0) : std::nullopt;
    return posterior.covariance(values, record, kind, one).diagonal().cwiseSqrt();
}

/// Factor of the covariance of errors over their stated size.
Eigen::MatrixXd own_errors(const Posterior& posterior, std::vector<double> values, const Part& part) {
    const auto& keys = posterior.error_keys();
    if (keys.scatter[part.kind] >= 0) values[std::size_t(keys.scatter[part.kind])] = 0;
    const Eigen::MatrixXd c = posterior.covariance(values, part.record, part.kind);
    const VectorXd size = stated_size(posterior, values, part.record, part.kind).cwiseInverse();
    return Eigen::LLT<Eigen::MatrixXd>(size.asDiagonal() * c * size.asDiagonal()).matrixL();
}

Stacked residuals_at(const Posterior& posterior, const VectorXd& z, const std::vector<double>& values) {
    const auto& records = posterior.records();
    const auto parameters = Index(posterior.model_size());
    const bool scattered = posterior.error_keys().scatter[0] >= 0;
    Stacked s;
    Index rows = 0;
    for (std::size_t r = 0; r < records.size(); ++r)
        for (int kind = 0; kind < 2; ++kind) {
            s.parts.push_back({r, kind, rows, Index(records[r].data.size())});
            rows += Index(records[r].data.size());
        }
    s.residual.resize(rows);
    s.slopes = Eigen::MatrixXd::Zero(rows, parameters + (scattered ? Index(s.parts.size()) : 0));
    for (std::size_t p = 0; p < s.parts.size(); ++p) {
        const auto& part = s.parts[p];
        const auto model = posterior.model().at(theta_of(posterior, values), part.record, true);
        const auto residual = model ? posterior.residual(*model, part.record, part.kind) : std::nullopt;
        if (!residual) throw core::NotConverged("calibration: the best draw of the posterior has no prediction", 0);
        const VectorXd weight = stated_size(posterior, values, part.record, part.kind).cwiseInverse();
        s.residual.segment(part.first, part.size) = residual->cwiseProduct(weight);
        const auto& x = part.kind == 0 ? model->omega : model->zeta;
        const auto& slopes = part.kind == 0 ? model->omega_slopes : model->zeta_slopes;
        for (Index c = 0; c < parameters; ++c)
            s.slopes.col(c).segment(part.first, part.size) = slopes.col(c).cwiseQuotient(x).cwiseProduct(weight) *
                                                             posterior.parameters()[std::size_t(c)].slope(z(c));
        if (scattered) {
            const double scatter = values[std::size_t(posterior.error_keys().scatter[part.kind])];
            s.slopes.col(parameters + Index(p)).segment(part.first, part.size) = scatter * weight;
        }
    }
    return s;
}

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
    std::size_t best = 0;
    for (std::size_t k = 1; k < samples.size(); ++k)
        if (samples.log_density(k) > samples.log_density(best)) best = k;
    const VectorXd z = samples.draw(best);
    const auto values = posterior.values(z);
    const auto stacked = residuals_at(posterior, z, values);
    const auto n = stacked.residual.size();
    // What a fit leaves of errors: parameters follow them as far as the prior lets them.
    const Eigen::MatrixXd& A = stacked.slopes;
    const Eigen::LLT<Eigen::MatrixXd> inner(A.transpose() * A + Eigen::MatrixXd::Identity(A.cols(), A.cols()));
    const auto left = [&](const VectorXd& e) -> VectorXd { return e - A * inner.solve(A.transpose() * e); };
    const bool stated = posterior.errors_known();
    const auto measure = [&](const VectorXd& r) {
        std::array<double, 2> t{};
        for (const auto& part : stacked.parts) {
            const auto piece = r.segment(part.first, part.size);
            t[std::size_t(part.kind)] += stated ? piece.squaredNorm() : following(piece) * double(part.size);
        }
        return t;
    };
    const VectorXd rest = left(stacked.residual);
    const auto seen = measure(rest);
    const int copies = std::max(1000, options.draws);
    std::vector<std::array<double, 2>> copied(static_cast<std::size_t>(copies));
    for_each_index(copied.size(), options.threads, [&](std::size_t k) {
        Random random{options.seed, 0xf17, k};
        auto drawn = values;  // errors as they were believed beforehand
        if (stated)
            for (std::size_t i = posterior.model_size(); i < posterior.size(); ++i)
                drawn[i] = posterior.parameters()[i].value(random.normal());
        VectorXd e(n);
        for (const auto& part : stacked.parts) {
            VectorXd white(part.size);
            for (auto& w : white) w = random.normal();
            e.segment(part.first, part.size) = stated ? VectorXd(own_errors(posterior, drawn, part) * white) : white;
        }
        copied[k] = measure(left(e));
    });
    FitCheck check;
    for (int kind = 0; kind < 2; ++kind) {
        int larger = 0;
        double squares = 0, count = 0;
        for (const auto& t : copied) larger += t[std::size_t(kind)] >= seen[std::size_t(kind)];
        for (const auto& part : stacked.parts)
            if (part.kind == kind) {
                squares += rest.segment(part.first, part.size).squaredNorm();
                count += double(part.size);
            }
        (kind == 0 ? check.omega_p : check.zeta_p) = (1.0 + larger) / (1.0 + copies);
        (kind == 0 ? check.omega_ratio : check.zeta_ratio) = std::sqrt(squares / count);
    }
    check.misfit = check.omega_p < misfit_level || check.zeta_p < misfit_level;
    return check;
}

}  // namespace faying::fit
