#include "step_advice.hpp"

#include <fmt/format.h>

#include <cmath>

namespace faying::transient::detail {

namespace {

/// The frequency up to which the modes hold `share` of a joint's own flexibility, Sum P^2 / omega^2.
double frequency_of(const System& system, Eigen::Index y, double share) {
    const Eigen::Index n = system.size();
    Eigen::VectorXd flexibility = Eigen::VectorXd::Zero(n);
    for (Eigen::Index r = 0; r < n; ++r)
        if (system.omega()(r) > 0) flexibility(r) = std::pow(system.map()(y, r) / system.omega()(r), 2);
    double left = flexibility.sum() * share;
    Eigen::Index r = 0;
    while (r < n - 1 && (left -= flexibility(r)) > 0) ++r;
    return flexibility.sum() > 0 ? system.omega()(r) : 0;
}

}  // namespace

StepAdvice step_advice(const structure::Model& model, const System& system, const Excitation& excitation,
                       const Options& options) {
    constexpr double share = 0.5;
    StepAdvice advice;
    const auto faster = [&](double omega, auto&& name) {
        if (!(omega > advice.omega)) return;
        advice.omega = omega;
        advice.of = name();
    };
    Eigen::Index all = 0, y = 0;
    for (const auto& joint : model.joints)
        for (Eigen::Index i = 0; i < joint.map.rows(); ++i) {
            if (system.is_spring(all++)) continue;
            faster(frequency_of(system, y++, share), [&] {
                const int c = joint.components();
                return fmt::format("joint '{}', {}", joint.name, structure::site_name(joint, i / c, int(i % c)));
            });
        }
    for (std::size_t k = 0; k < excitation.size(); ++k)
        faster(excitation[k].history.omega, [&] { return fmt::format("load {}", k + 1); });
    if (advice.omega > 0) advice.step = 0.5 / advice.omega;
    const bool fixed = options.method != Method::events && !options.adaptive;
    advice.too_long = fixed && advice.omega > 0 && options.step > 2 * advice.step;
    return advice;
}

}  // namespace faying::transient::detail
