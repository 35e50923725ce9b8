#include "faying/harmonic/force.hpp"

#include <fmt/format.h>

#include "faying/core/error.hpp"
#include "samples.hpp"
#include "scalar_path.hpp"

namespace faying::harmonic {

using namespace laws;

namespace {

using core::Dual;
using core::Harmonics;

/// Slopes by central differences, for a force that jumps.
HarmonicForce with_differences(const JointOf<Dual>& begun, double base, const Harmonics& harmonics,
                               const Eigen::VectorXd& motion, const HarmonicOptions& options) {
    constexpr double share = 1e-5;  // of the motion: third order and rounding are both about 1e-10 then
    detail::ScalarPath whole(begun, base, harmonics, motion, options);
    auto out = whole.find();
    const double step = share * motion.norm();
    if (!(step > 0) || !whole.jumped()) return out;
    for (Eigen::Index c = 0; c < motion.size(); ++c) {
        Eigen::VectorXd more = motion, less = motion;
        more(c) += step;
        less(c) -= step;
        out.slope.col(c) = (detail::ScalarPath(begun, base, harmonics, more, options).find().force -
                            detail::ScalarPath(begun, base, harmonics, less, options).find().force) /
                           (2 * step);
    }
    return out;
}

}  // namespace

void HarmonicOptions::check(const core::Harmonics& harmonics) const {
    if (samples != 0 && samples < 2 * harmonics.highest() + 2)
        throw core::BadInput("samples", fmt::format("{} per period do not carry harmonic {}; at least {} are needed",
                                                    samples, harmonics.highest(), 2 * harmonics.highest() + 2));
    core::require(tolerance >= 1e-14 && tolerance <= 1e-3, "harmonic options", "1e-14 <= tolerance <= 1e-3");
    core::require(most_periods >= 2, "harmonic options", "most_periods >= 2");
}

HarmonicForce harmonic_force(const JointOf<core::Dual>& begun, const Eigen::VectorXd& base,
                             const core::Harmonics& harmonics, const Eigen::VectorXd& motion,
                             const HarmonicOptions& options) {
    if (options.samples > 0) return sampled(begun, base, harmonics, motion, options);
    if (begun.components() == 1 && options.jumps) return with_differences(begun, base(0), harmonics, motion, options);
    if (begun.components() == 1) return detail::ScalarPath(begun, base(0), harmonics, motion, options).find();
    throw core::BadInput("harmonics", "contact on three displacements has no closed pieces: give a number of samples");
}

Eigen::MatrixXd harmonic_force_parameters(const JointOf<core::Dual>& begun, const JointOf<core::Dual>& seeded,
                                          const std::vector<core::Dual>& base, const core::Harmonics& harmonics,
                                          const Eigen::VectorXd& motion, const HarmonicOptions& options) {
    if (options.samples > 0) return sampled_parameters(seeded, base, harmonics, motion, options);
    if (begun.components() == 1)
        return detail::ScalarPath(begun, base[0].a, harmonics, motion, options).find_parameters(seeded, base[0]);
    throw core::BadInput("harmonics", "contact on three displacements has no closed pieces: give a number of samples");
}

}  // namespace faying::harmonic
