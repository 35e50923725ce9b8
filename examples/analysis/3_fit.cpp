// A joint law fitted to a measured backbone: two errors, one front, and the mode that was not fitted.

#include <fmt/format.h>

#include <cmath>

#include "faying/fit/nsga2.hpp"
#include "faying/fit/pareto.hpp"
#include "faying/modes/backbone.hpp"

using namespace faying;

/// The three masses of 1_backbone.cpp with any joint.
structure::Model three_masses(const laws::Law& law) {
    structure::Model model;
    model.mass = 10 * Eigen::Matrix3d::Identity();
    model.stiffness = Eigen::Matrix3d{{18, -9, 0}, {-9, 18, -9}, {0, -9, 9}};
    model.damping_ratio = 1e-4;
    model.joints = {structure::single_site("joint", law, Eigen::Vector3d(0, -1, 1))};
    return model;
}

fit::Prediction predicted(const structure::Model& model, int mode, const std::vector<double>& amplitudes,
                          bool& converged) {
    const auto n = Eigen::Index(amplitudes.size());
    fit::Prediction p{Eigen::VectorXd(n), Eigen::VectorXd(n)};
    const auto points = modes::backbone(model, mode, amplitudes);
    for (Eigen::Index i = 0; i < n; ++i) {
        const auto& point = points[std::size_t(i)];
        converged = converged && point.converged;
        p.omega(i) = point.omega;
        p.zeta(i) = point.zeta;
    }
    return p;
}

int main() {
    // 1. The measurement: here of a joint that is known, so that the end can be checked.
    const core::ParameterValues truth = {{"FS", 10}, {"KT", 1}, {"chi", -0.5}, {"beta", 5}};
    fit::Backbone data;
    data.amplitude = {1, 3, 10, 30, 100};
    bool converged = true;
    const auto exact = predicted(three_masses(laws::Law("iwan4", truth)), 2, data.amplitude, converged);
    data.omega.assign(exact.omega.begin(), exact.omega.end());
    data.zeta.assign(exact.zeta.begin(), exact.zeta.end());

    // 2. What is searched: two parameters, the others known; and what an evaluation is.
    const fit::Space space({{"FS", {1, 100}, core::Scale::logarithmic}, {"KT", {0.1, 10}, core::Scale::logarithmic}});
    const auto objective = [&](const std::vector<double>& x) -> fit::Evaluation {
        auto values = truth;
        values["FS"] = x[0];
        values["KT"] = x[1];
        bool all = true;
        const auto model = predicted(three_masses(laws::Law("iwan4", values)), 2, data.amplitude, all);
        auto made = fit::objectives(data, model);  // log10 of the squared errors of frequency and damping
        if (!all) made.status = fit::Status::not_converged;
        return made;
    };

    // 3. The front: no point of it can be bettered in one error without loss in the other.
    const auto state = fit::nsga2(space, objective, {.population = 40, .generations = 30, .seed = 7});
    const auto front = fit::merged_front(state.pooled());
    for (const auto& c : front) {
        const auto e = fit::errors_of(c.evaluation.objectives);
        fmt::print("FS {:8.4f}, KT {:.5f}: errors {:.1e} (frequency), {:.1e} (damping)\n", c.values[0], c.values[1],
                   e.frequency, e.damping);
    }
    if (front.empty()) return 1;

    // 4. The third mode, which was not fitted.
    const auto& best = front[front.size() / 2].values;
    auto values = truth;
    values["FS"] = best[0];
    values["KT"] = best[1];
    const auto theirs = modes::backbone(three_masses(laws::Law("iwan4", truth)), 3, {10}).front();
    const auto ours = modes::backbone(three_masses(laws::Law("iwan4", values)), 3, {10}).front();
    fmt::print("mode 3 at q = 10: zeta {:.6f}, predicted {:.6f}\n", theirs.zeta, ours.zeta);
    return converged && std::abs(best[1] - 1) < 0.05 && std::abs(ours.zeta / theirs.zeta - 1) < 0.05 ? 0 : 1;
}
