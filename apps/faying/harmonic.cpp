#include "harmonic.hpp"

#include <fmt/format.h>

#include <cmath>
#include <sstream>

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

modes::ResponseTask::Hold parse_hold(const structure::Model& model, const std::string& text) {
    modes::ResponseTask::Hold hold;
    const auto bad = [](const std::string& what) { return core::BadInput("--hold", what); };
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        const auto equals = word.find('=');
        if (equals == std::string::npos) throw bad(fmt::format("'{}' is not key=value", word));
        const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
        if (key == "output") {
            hold.row = structure::find_output(model, value);
            continue;
        }
        const double number = core::parse_numbers(value, "--hold").at(0);
        if (key == "displacement" || key == "acceleration") {
            if (!(number > 0)) throw bad(fmt::format("{} = {:g} is not above zero", key, number));
            hold.amplitude = number;
            hold.acceleration = key == "acceleration";
        } else if (key == "at") {
            if (!(number >= 1 && number <= double(model.size()) && number == std::floor(number)))
                throw bad(fmt::format("DOF {:g} does not exist; allowed are 1 to {}", number, model.size()));
            hold.row = Eigen::VectorXd::Unit(model.size(), Eigen::Index(number) - 1);
        } else {
            throw bad(fmt::format("key '{}' is not known; allowed are displacement, acceleration, at, output", key));
        }
    }
    if (hold.row.size() == 0) throw bad("give at=DOF or output=NAME");
    if (!(hold.amplitude > 0)) throw bad("give displacement=M or acceleration=M/S^2");
    return hold;
}

void add_stability(nlohmann::ordered_json& entry, const modes::Stability& stability) {
    entry["stable"] = stability.stable ? nlohmann::json(*stability.stable) : nlohmann::json(nullptr);
    auto list = nlohmann::json::array();
    for (const auto& m : stability.multipliers) list.push_back({m.real(), m.imag()});
    entry["multipliers"] = list;
    if (stability.stable) {
        entry["forgotten"] = stability.forgotten;
        entry["stability_of"] = stability.method;
        entry["orbit_residual"] = stability.orbit_residual;
        entry["orbit_distance"] = stability.orbit_distance;
    }
    if (!stability.reason.empty()) entry["stability_reason"] = stability.reason;
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
