#include "faying/fit/posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "faying/core/error.hpp"

namespace faying::fit {

namespace {

constexpr double nowhere = -std::numeric_limits<double>::infinity();
constexpr double bound_width = 2 * 1.959963984540054;  ///< of 95 % bounds, in standard deviations
constexpr std::size_t most_points = 400;               ///< of a record: its covariance is dense
constexpr double least_error = 1e-9;                   ///< relative
const double log_two_pi = std::log(2 * std::numbers::pi);

constexpr const char* kinds[] = {"omega", "zeta"};

/// Relative standard errors as the measurement states them; ones where it does not.
Eigen::VectorXd stated_errors(const MeasuredRecord& r, int kind) {
    const auto& d = r.data;
    const auto n = Eigen::Index(d.size());
    const double given = kind == 0 ? r.omega_error : r.zeta_error;
    if (given > 0 || !d.has_bounds()) return Eigen::VectorXd::Constant(n, given > 0 ? given : 1.0);
    Eigen::VectorXd error(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const auto k = std::size_t(i);
        const double x = kind == 0 ? d.omega[k] : d.zeta[k];
        const double width = kind == 0 ? d.omega_high[k] - d.omega_low[k] : d.zeta_high[k] - d.zeta_low[k];
        error(i) = std::max(width / (bound_width * x), least_error);
    }
    return error;
}

}  // namespace

void ErrorOptions::check() const {
    core::require(size_spread > 0 && size_spread <= 3, "errors", "0 < size_spread <= 3");
}

Posterior::Posterior(CurveModel model, std::vector<MeasuredRecord> records, const ErrorOptions& options)
    : model_(std::move(model)), records_(std::move(records)), options_(options), parameters_(model_.parameters) {
    options_.check();
    if (records_.empty()) throw core::BadInput("calibration", "there is no record");
    std::map<int, int> tests;  // of each mode
    for (const auto& r : records_) {
        if (r.data.size() < 2 || r.data.size() > most_points)
            throw core::BadInput(r.name, fmt::format("{} points; 2 to {} are allowed (points = 40 takes 40 of them)",
                                                     r.data.size(), most_points));
        known_ = known_ && r.error_known();
        ++tests[r.data.mode];
    }
    const bool several = std::any_of(tests.begin(), tests.end(), [](const auto& t) { return t.second > 1; });
    const auto add = [&](int& key, Prior prior) {
        key = int(parameters_.size());
        parameters_.push_back(std::move(prior));
    };
    for (int kind = 0; kind < 2; ++kind) {
        if (known_)
            add(keys_.size[kind],
                Prior::log_normal(fmt::format("{} error size", kinds[kind]), 1, options_.size_spread));
        else
            add(keys_.size[kind],
                kind == 0 ? Prior::log_uniform("omega error", 1e-7, 1e-1) : Prior::log_uniform("zeta error", 1e-4, 1));
        if (options_.scatter && several)
            add(keys_.scatter[kind],
                Prior::log_normal(fmt::format("{} test scatter", kinds[kind]), kind == 0 ? 1e-3 : 0.1, 1));
    }
    if (options_.correlated && known_) {
        add(keys_.share, Prior::uniform("shared error", 0, 1));
        add(keys_.length, Prior::log_uniform("error length", 0.05, 3));
    }
    for (const auto& r : records_) {
        Prepared p;
        const auto n = Eigen::Index(r.data.size());
        for (int kind = 0; kind < 2; ++kind) {
            const auto& y = kind == 0 ? r.data.omega : r.data.zeta;
            p.logarithm[kind] = Eigen::Map<const Eigen::VectorXd>(y.data(), n).array().log();
            p.error[kind] = known_ ? stated_errors(r, kind) : Eigen::VectorXd::Ones(n);
        }
        const Eigen::ArrayXd a = Eigen::Map<const Eigen::ArrayXd>(r.data.amplitude.data(), n).log();
        p.distance.resize(n, n);
        for (Eigen::Index i = 0; i < n; ++i) p.distance.col(i) = (a - a(i)).abs();
        prepared_.push_back(std::move(p));
    }
}

std::size_t Posterior::data() const {
    std::size_t n = 0;
    for (const auto& r : records_) n += 2 * r.data.size();
    return n;
}

std::vector<double> Posterior::values(const Eigen::VectorXd& z) const {
    std::vector<double> v(size());
    for (std::size_t i = 0; i < size(); ++i) v[i] = parameters_[i].value(z(Eigen::Index(i)));
    return v;
}

Eigen::VectorXd Posterior::coordinates(const std::vector<double>& values) const {
    Eigen::VectorXd z = Eigen::VectorXd::Zero(Eigen::Index(size()));
    for (std::size_t i = 0; i < std::min(values.size(), size()); ++i)
        z(Eigen::Index(i)) = parameters_[i].coordinate(values[i]);
    return z;
}

Eigen::MatrixXd Posterior::covariance(const std::vector<double>& values, std::size_t record, int kind,
                                      std::optional<double> size) const {
    const auto& p = prepared_[record];
    const double k = size.value_or(value_of(values, keys_.size[kind], 1));
    const double share = value_of(values, keys_.share, 0), length = value_of(values, keys_.length, 1);
    const double scatter = value_of(values, keys_.scatter[kind], 0);
    Eigen::MatrixXd c = (k * k * p.error[kind]) * p.error[kind].transpose();
    if (share > 0)
        c.array() *= share * (-p.distance / length).array().exp();
    else
        c.setZero();
    c.diagonal() = (k * p.error[kind]).array().square();
    c.array() += scatter * scatter;
    return c;
}

std::optional<Eigen::VectorXd> Posterior::residual(const Prediction& model, std::size_t record, int kind) const {
    const auto& x = kind == 0 ? model.omega : model.zeta;
    if (!(x.minCoeff() > 0) || !x.allFinite()) return std::nullopt;
    return prepared_[record].logarithm[kind] - x.array().log().matrix();
}

double Posterior::log_density(const Eigen::VectorXd& z) const { return evaluate(z, nullptr); }

double Posterior::log_density_gradient(const Eigen::VectorXd& z, Eigen::VectorXd& gradient) const {
    return evaluate(z, &gradient);
}

double Posterior::evaluate(const Eigen::VectorXd& z, Eigen::VectorXd* gradient) const {
    if (!z.allFinite()) return nowhere;
    const auto v = values(z);
    double sum = -0.5 * z.squaredNorm() - 0.5 * double(size()) * log_two_pi;
    Eigen::VectorXd slope = Eigen::VectorXd::Zero(Eigen::Index(size()));  // by values
    const std::vector<double> theta(v.begin(), v.begin() + std::ptrdiff_t(model_size()));
    for (std::size_t r = 0; r < records_.size(); ++r) {
        const auto model = model_.at(theta, r, gradient != nullptr);
        if (!model) return nowhere;
        const auto& p = prepared_[r];
        for (int kind = 0; kind < 2; ++kind) {
            const auto residual = this->residual(*model, r, kind);
            if (!residual) return nowhere;
            const Eigen::MatrixXd c = covariance(v, r, kind);
            const Eigen::LLT<Eigen::MatrixXd> factor(c);
            if (factor.info() != Eigen::Success) return nowhere;
            const Eigen::VectorXd weighted = factor.solve(*residual);
            sum -= 0.5 * residual->dot(weighted) + factor.matrixLLT().diagonal().array().log().sum() +
                   0.5 * double(residual->size()) * log_two_pi;
            if (!gradient) continue;
            const auto& x = kind == 0 ? model->omega : model->zeta;
            const auto& slopes = kind == 0 ? model->omega_slopes : model->zeta_slopes;
            slope.head(Eigen::Index(model_size())) += slopes.transpose() * weighted.cwiseQuotient(x);
            // d log likelihood / d phi = 1/2 sum_ij W_ij dC_ij/dphi,  W = w w^T - C^-1
            const Eigen::MatrixXd W =
                weighted * weighted.transpose() - factor.solve(Eigen::MatrixXd::Identity(c.rows(), c.cols()));
            const double k = value_of(v, keys_.size[kind], 1), scatter = value_of(v, keys_.scatter[kind], 0);
            if (keys_.scatter[kind] >= 0) slope(keys_.scatter[kind]) += scatter * W.sum();
            const Eigen::MatrixXd own = c.array() - scatter * scatter;
            if (keys_.size[kind] >= 0) slope(keys_.size[kind]) += W.cwiseProduct(own).sum() / k;
            if (keys_.share >= 0) {
                const double share = v[std::size_t(keys_.share)], length = v[std::size_t(keys_.length)];
                Eigen::MatrixXd common = W.cwiseProduct(own);
                common.diagonal().setZero();
                if (share > 0) slope(keys_.share) += 0.5 * common.sum() / share;
                slope(keys_.length) += 0.5 * common.cwiseProduct(p.distance).sum() / (length * length);
            }
        }
    }
    if (!std::isfinite(sum)) return nowhere;
    if (gradient) {
        gradient->resize(z.size());
        for (Eigen::Index i = 0; i < z.size(); ++i)
            (*gradient)(i) = slope(i) * parameters_[std::size_t(i)].slope(z(i)) - z(i);
        if (!gradient->allFinite()) return nowhere;
    }
    return sum;
}

}  // namespace faying::fit
