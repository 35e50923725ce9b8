#pragma once
// The posterior of a model's parameters given measured backbones. Of point i of record r, ln omega and ln zeta are
//
//     y_i = m(a_i; theta) + t_r + e_i,   t_r ~ N(0, S^2),   cov(e_i, e_j) = k^2 s_i s_j ((1 - c) delta_ij + c exp(-|ln a_i/a_j|/l))
//
// t_r is how tests differ from one another (only where there are several), s_i what the measurement says of its own
// error, k by how much that is wrong, c the share of the error that neighbours have in common, l over how much of
// amplitude. S, k, c and l are found along with theta; the t_r are integrated out.
//
//     const Posterior posterior(model, records, {});
//     Eigen::VectorXd gradient;
//     const double log_density = posterior.log_density_gradient(z, gradient);      // normalised prior times likelihood
//     posterior.values(z);                                                          // theta, then S, k, c, l

#include <Eigen/Dense>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "faying/fit/errors.hpp"
#include "faying/fit/prior.hpp"

namespace faying::fit {

/// One test of one mode.
struct MeasuredRecord {
    std::string name;
    Backbone data;
    /// Relative standard errors where the backbone has no bounds; 0: not known, found from the scatter.
    double omega_error = 0, zeta_error = 0;

    bool error_known() const { return data.has_bounds() || (omega_error > 0 && zeta_error > 0); }
};

/// A model of backbones: parameters, and what it says at the amplitudes of a record. Called from many threads at once;
/// none: these values are not allowed, or the solver behind it did not converge.
struct CurveModel {
    std::vector<Prior> parameters;
    std::function<std::optional<Prediction>(const std::vector<double>& values, std::size_t record, bool slopes)> at;
};

struct ErrorOptions {
    bool correlated = true;    ///< neighbours may share errors (only where the size of the errors is known)
    bool scatter = true;       ///< tests may differ (only where there are several of a mode)
    double size_spread = 0.2;  ///< of ln k beforehand: how far stated errors may be off
    void check() const;
};

/// Where the parts of the errors are among the parameters; -1: not there.
struct ErrorKeys {
    int size[2] = {-1, -1}, scatter[2] = {-1, -1};  ///< of omega and zeta
    int share = -1, length = -1;
};

class Posterior {
 public:
    /// Throws BadInput for records that are empty or too long for the dense algebra.
    Posterior(CurveModel model, std::vector<MeasuredRecord> records, const ErrorOptions& options = {});

    std::size_t size() const { return parameters_.size(); }
    /// The model's, then those of the errors.
    const std::vector<Prior>& parameters() const { return parameters_; }
    std::size_t model_size() const { return model_.parameters.size(); }
    const std::vector<MeasuredRecord>& records() const { return records_; }
    const CurveModel& model() const { return model_; }
    const ErrorKeys& error_keys() const { return keys_; }
    bool errors_known() const { return known_; }
    const ErrorOptions& options() const { return options_; }
    /// Values measured, both kinds.
    std::size_t data() const;

    std::vector<double> values(const Eigen::VectorXd& z) const;
    Eigen::VectorXd coordinates(const std::vector<double>& values) const;

    /// Of z, natural logarithm; minus infinity where the model has no answer.
    double log_density(const Eigen::VectorXd& z) const;
    double log_density_gradient(const Eigen::VectorXd& z, Eigen::VectorXd& gradient) const;

    /// Covariance of ln omega (kind 0) or ln zeta (kind 1) of a record. `size` in place of the found k.
    Eigen::MatrixXd covariance(const std::vector<double>& values, std::size_t record, int kind,
                               std::optional<double> size = {}) const;
    /// ln measured - ln model; none where the model has no answer.
    std::optional<Eigen::VectorXd> residual(const Prediction& model, std::size_t record, int kind) const;

 private:
    CurveModel model_;
    std::vector<MeasuredRecord> records_;
    ErrorOptions options_;
    bool known_ = true;
    std::vector<Prior> parameters_;
    ErrorKeys keys_;
    struct Prepared {
        Eigen::VectorXd logarithm[2], error[2];  ///< of the data, and their stated relative errors
        Eigen::MatrixXd distance;                ///< |ln a_i/a_j|
    };
    std::vector<Prepared> prepared_;

    double evaluate(const Eigen::VectorXd& z, Eigen::VectorXd* gradient) const;
    double value_of(const std::vector<double>& values, int key, double otherwise) const {
        return key >= 0 ? values[std::size_t(key)] : otherwise;
    }
};

}  // namespace faying::fit
