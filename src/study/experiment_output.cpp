#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "faying/archive/archive.hpp"
#include "faying/core/error.hpp"
#include "faying/core/frequency.hpp"
#include "faying/core/lines.hpp"
#include "faying/io/output.hpp"
#include "faying/structure/fingerprint.hpp"
#include "faying/study/experiment.hpp"

namespace faying::study {

namespace {

/// All that the record of a hit depends on; bands and what comes after may change.
std::string key_of(const Experiment& e) {
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", structure::fingerprint(rough_model(e)), e.seed, e.hammer,
                       e.sensor, e.hits, e.force_low, e.force_high, e.pulse, e.duration, e.step, e.record_every,
                       e.noise);
}

}  // namespace

/// A file a hit, which `faying envelope` reads as well. Those of another experiment are not taken: their key differs.
HitStore hits_in_folder(const std::string& folder, const Experiment& experiment) {
    const std::string key = key_of(experiment);
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) throw core::BadInput(folder, "cannot be made: " + failed.message());
    const auto path = [=](int hit) { return fmt::format("{}/hit_{}.h5", folder, hit + 1); };
    return {[=](int hit, signal::Record& record) {
                if (!std::filesystem::exists(path(hit))) return false;
                const auto kept = archive::read_archive(path(hit));
                if (kept.text("key") != key) return false;
                const Eigen::VectorXd values = kept.vector("acceleration");
                record = {0, kept.number("step"), {values.begin(), values.end()}};
                return true;
            },
            [=](int hit, const signal::Record& record) {
                Eigen::VectorXd time(Eigen::Index(record.values.size()));
                for (std::size_t i = 0; i < record.values.size(); ++i) time(Eigen::Index(i)) = record.time(i);
                archive::Archive kept;
                kept.set("about", "virtual experiment, not a measurement");
                kept.set("key", key);
                kept.set("step", record.step, "s");
                kept.set("t", time, "s");
                kept.set("acceleration",
                         Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(record.values.data(), time.size())),
                         "m/s^2");
                archive::write_archive(path(hit), kept);
            }};
}

std::string record_text(const signal::Record& record, double seconds) {
    auto table = io::named_table({"t", "acceleration"});
    const auto rounded = [](const std::string& text) { return std::strtod(text.c_str(), nullptr); };
    for (std::size_t i = 0; i < record.values.size() && record.time(i) <= seconds; ++i)
        io::add_row(table,
                    {rounded(fmt::format("{:.9g}", record.time(i))), rounded(fmt::format("{:.6g}", record.values[i]))});
    return "# virtual experiment, not a measurement\n" + io::csv_text(table);
}

nlohmann::json experiment_json(const ExperimentResult& result) {
    nlohmann::json made = {{"virtual", true}, {"hits", result.records.size()}, {"notes", result.notes}};
    for (const auto& b : result.backbones)
        made["modes"].push_back({{"mode", b.mode}, {"amplitude", b.amplitude}, {"omega", b.omega}, {"zeta", b.zeta}});
    return made;
}

std::string experiment_text(const ExperimentResult& result) {
    core::Lines out;
    out.print("virtual experiment, {} hits\n", result.records.size());
    for (const auto& b : result.backbones)
        if (b.size() > 0)
            out.print("mode {}: {:.4g} to {:.4g} m/s^2, {:.5g} to {:.5g} Hz, zeta {:.3g} to {:.3g}\n", b.mode,
                      b.amplitude.front(), b.amplitude.back(), core::hertz(b.omega.front()),
                      core::hertz(b.omega.back()), b.zeta.front(), b.zeta.back());
    for (const auto& note : result.notes) out.print("not used: {}\n", note);
    return out;
}

}  // namespace faying::study
