#include "samples.hpp"

#include <algorithm>
#include <numbers>

namespace faying::harmonic {

Eigen::MatrixXd sampled_parameters(const JointOf<core::Dual>& seeded, const std::vector<core::Dual>& base,
                                   const core::Harmonics& harmonics, const Eigen::VectorXd& motion,
                                   const HarmonicOptions& options) {
    const Eigen::Index width = seeded.components(), functions = harmonics.size();
    Eigen::VectorXd h(functions);
    const Eigen::Map<const Eigen::MatrixXd> coefficients(motion.data(), width, functions);
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(width * functions, core::directions);
    std::vector<core::Dual> at(static_cast<std::size_t>(width)), force(at),
        tangent(static_cast<std::size_t>(width * width));
    JointOf<core::Dual> joint = seeded;
    for (int j = 0; j < 2 * options.samples; ++j) {
        harmonics.values(2 * std::numbers::pi * (j % options.samples) / options.samples, h.data());
        const Eigen::VectorXd u = coefficients * h;
        for (Eigen::Index c = 0; c < width; ++c) at[std::size_t(c)] = base[std::size_t(c)] + u(c);
        joint.evaluate(at, force, tangent);
        joint.commit();
        if (j < options.samples) continue;
        for (Eigen::Index b = 0; b < functions; ++b) {
            const double w = h(b) * (b == 0 && harmonics.has_mean() ? 1.0 : 2.0) / options.samples;
            for (Eigen::Index c = 0; c < width; ++c) out.row(b * width + c) += w * force[std::size_t(c)].v.transpose();
        }
    }
    return out;
}

HarmonicForce sampled(const JointOf<core::Dual>& begun, const Eigen::VectorXd& base, const core::Harmonics& harmonics,
                      const Eigen::VectorXd& motion, const HarmonicOptions& options) {
    const Eigen::Index width = begun.components(), functions = harmonics.size(), unknowns = width * functions;
    const int n = options.samples;
    Eigen::MatrixXd h(functions, n);
    for (int j = 0; j < n; ++j) harmonics.values(2 * std::numbers::pi * j / n, h.col(j).data());
    const Eigen::MatrixXd u = Eigen::Map<const Eigen::MatrixXd>(motion.data(), width, functions) * h;
    HarmonicForce out;
    out.force = Eigen::VectorXd::Zero(unknowns);
    out.slope = Eigen::MatrixXd::Zero(unknowns, unknowns);
    std::vector<core::Dual> at(static_cast<std::size_t>(width)), force(at),
        tangent(static_cast<std::size_t>(width * width));
    for (Eigen::Index first = 0; first < unknowns; first += core::directions) {
        const Eigen::Index seeded = std::min<Eigen::Index>(core::directions, unknowns - first);
        JointOf<core::Dual> joint = begun;
        double before = 0;
        for (int period = 0; period < 2; ++period) {
            before = joint.dissipated(0).a;
            for (int j = 0; j < n; ++j) {
                for (Eigen::Index c = 0; c < width; ++c) {
                    at[std::size_t(c)] = core::Dual(base(c) + u(c, j));
                    for (Eigen::Index d = 0; d < seeded; ++d)
                        if ((first + d) % width == c) at[std::size_t(c)].v[d] = h((first + d) / width, j);
                }
                joint.evaluate(at, force, tangent);
                joint.commit();
                if (period == 0) continue;
                for (Eigen::Index b = 0; b < functions; ++b) {
                    const double w = h(b, j) * (b == 0 && harmonics.has_mean() ? 1.0 : 2.0) / n;
                    for (Eigen::Index c = 0; c < width; ++c) {
                        const core::Dual& f = force[std::size_t(c)];
                        if (first == 0) out.force(b * width + c) += w * f.a;
                        for (Eigen::Index d = 0; d < seeded; ++d) out.slope(b * width + c, first + d) += w * f.v[d];
                    }
                }
            }
        }
        if (first == 0) out.dissipated = joint.dissipated(0).a - before;
    }
    return out;
}

}  // namespace faying::harmonic
