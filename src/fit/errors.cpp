#include "faying/fit/errors.hpp"

#include <cmath>
#include <stdexcept>

namespace faying::fit {

namespace {

constexpr double least_square = 1e-28;  // of a relative error: round-off

/// Mean of the squares of relative errors and its gradient.
struct MeanSquare {
    double value = 0;
    Eigen::RowVectorXd gradient;  ///< empty without slopes
};

/// error(i) gives the relative error at point i and its slope in the predicted quantity there.
template <class Error>
MeanSquare mean_square(Eigen::Index points, const Eigen::MatrixXd& slopes, Error error) {
    MeanSquare sum;
    if (slopes.size() > 0) sum.gradient = Eigen::RowVectorXd::Zero(slopes.cols());
    for (Eigen::Index i = 0; i < points; ++i) {
        const auto [e, slope] = error(i);
        sum.value += e * e / double(points);
        if (slopes.size() > 0) sum.gradient += (2 * e * slope / double(points)) * slopes.row(i);
    }
    return sum;
}

MeanSquare frequency_square(const Backbone& data, const Prediction& model) {
    return mean_square(model.omega.size(), model.omega_slopes, [&](Eigen::Index i) {
        const double measured = data.omega[std::size_t(i)];
        return std::pair{(model.omega(i) - measured) / measured, 1 / measured};
    });
}

MeanSquare damping_square(const Backbone& data, const Prediction& model) {
    return mean_square(model.zeta.size(), model.zeta_slopes, [&](Eigen::Index i) {
        const double z = model.zeta(i), measured = std::log(data.zeta[std::size_t(i)]);
        if (!(z > 0)) return std::pair{1.0, 0.0};
        return std::pair{(std::log(z) - measured) / measured, 1 / (z * measured)};
    });
}

void check(const Backbone& data, const Prediction& model) {
    const auto n = Eigen::Index(data.size());
    const bool omega = model.omega_slopes.size() == 0 || model.omega_slopes.rows() == n;
    const bool zeta = model.zeta_slopes.size() == 0 || model.zeta_slopes.rows() == n;
    if (n == 0 || model.omega.size() != n || model.zeta.size() != n || !omega || !zeta)
        throw std::invalid_argument(
            "errors: a prediction needs one omega, one zeta and one row of slopes a measured point");
}

}  // namespace

Errors errors(const Backbone& data, const Prediction& model) {
    check(data, model);
    return {std::sqrt(frequency_square(data, model).value), std::sqrt(damping_square(data, model).value)};
}

Evaluation objectives(const Backbone& data, const Prediction& model) {
    check(data, model);
    Evaluation e;
    const MeanSquare squares[2] = {frequency_square(data, model), damping_square(data, model)};
    const auto parameters = squares[0].gradient.size();
    const bool slopes = parameters > 0 && squares[1].gradient.size() == parameters;
    if (slopes) e.jacobian.resize(2, parameters);
    for (int j = 0; j < 2; ++j) {
        const double square = squares[j].value + least_square;
        e.objectives.push_back(std::log10(square));
        if (slopes) e.jacobian.row(j) = squares[j].gradient / (square * std::log(10.0));
    }
    return e;
}

Errors errors_of(const std::vector<double>& objectives) {
    return {std::pow(10.0, objectives.at(0) / 2), std::pow(10.0, objectives.at(1) / 2)};
}

std::optional<Variability> variability(const Backbone& data) {
    if (!data.has_bounds()) return {};
    const auto of = [&](const std::vector<double>& omega, const std::vector<double>& zeta) {
        const auto n = Eigen::Index(data.size());
        Errors e = errors(data, {Eigen::Map<const Eigen::VectorXd>(omega.data(), n),
                                 Eigen::Map<const Eigen::VectorXd>(zeta.data(), n)});
        for (const double z : zeta)
            if (!(z > 0)) e.damping = std::nan("");
        return e;
    };
    return Variability{of(data.omega_high, data.zeta_high), of(data.omega_low, data.zeta_low)};
}

}  // namespace faying::fit
