#include "harmonic.hpp"

#include <fmt/format.h>

#include <cmath>

#include "faying/core/error.hpp"
#include "faying/core/frequency.hpp"
#include "faying/core/words.hpp"

namespace faying::app {

void add_harmonics(CLI::App& command, HarmonicWords& words) {
    command.add_option("--harmonics", words.harmonics, "orders up to this one, or a list such as 0,1,3,5 (default 3)");
    command
        .add_option("--samples", words.samples,
                    "joint forces from this many samples per period, as other codes do; 0: exact pieces (default)")
        ->check(CLI::Range(0, 1 << 20));
}

modes::HarmonicOptions harmonic_options(const HarmonicWords& words) {
    constexpr double most = 500;
    std::vector<int> orders;
    for (const double k : core::parse_numbers(words.orders(), "--harmonics")) {
        if (!(k >= 0 && k <= most && k == std::floor(k)))
            throw core::BadInput("--harmonics", fmt::format("{:g} is not a whole number from 0 to {:g}", k, most));
        orders.push_back(int(k));
    }
    const bool list = words.harmonics.find(',') != std::string::npos;
    modes::HarmonicOptions options;
    options.harmonics = list ? core::Harmonics(orders) : core::Harmonics::up_to(orders.at(0));
    options.joints.samples = words.samples;
    options.check();
    return options;
}

nlohmann::ordered_json entry_of(const modes::HarmonicPoint& point, const HarmonicWords& words) {
    nlohmann::ordered_json entry;
    if (point.converged) {
        entry["omega"] = point.omega;
        entry["frequency"] = core::hertz(point.omega);
        entry["a"] = point.a;
        for (Eigen::Index b = 0; b < point.harmonics.cols(); ++b)
            entry["harmonics"].push_back(
                std::vector<double>(point.harmonics.col(b).begin(), point.harmonics.col(b).end()));
        entry["dissipation"] = point.dissipation;
        entry["dissipation_by_joint"] = point.dissipation_by_joint;
        entry["iterations"] = point.iterations;
        if (words.samples > 0) entry["samples"] = words.samples;
    }
    entry["residual"] = point.residual;
    entry["status"] = point.converged ? "converged" : "not converged";
    return entry;
}

}  // namespace faying::app
