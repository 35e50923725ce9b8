// Calibration files.

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "faying/core/checksum.hpp"
#include "faying/files/backbones.hpp"
#include "faying/io/text_file.hpp"
#include "faying/study/calibration.hpp"
#include "io/toml_file.hpp"

namespace faying::study {

using core::BadInput;

namespace {

/// Evenly picked: neighbours of a dense backbone say little that is new.
fit::Backbone picked_evenly(const fit::Backbone& b, int most) {
    const auto n = b.size();
    if (most <= 0 || n <= std::size_t(most)) return b;
    std::vector<std::size_t> which;
    for (int k = 0; k < most; ++k)
        which.push_back(std::size_t(std::lround(double(k) * double(n - 1) / double(most - 1))));
    return fit::picked(b, which);
}

class CalibrationReader {
 public:
    explicit CalibrationReader(const std::string& path) : file_(path) { plan_.path = path; }

    CalibrationPlan read() {
        const auto& root = file_.root();
        plan_.title = file_.text(root, "title", std::filesystem::path(plan_.path).stem().string());
        if (root.contains("structure"))
            of_study();
        else
            of_modes();
        return std::move(plan_);
    }

 private:
    io::TomlFile file_;
    CalibrationPlan plan_;
    double omega_error_ = 0, zeta_error_ = 0;  ///< of a study's measurement

    const toml::table& as_table(const toml::node& node, std::string_view name) const {
        if (!node.is_table()) file_.reject(node, fmt::format("'{}' must be a table", name));
        return *node.as_table();
    }

    double positive(const toml::table& t, std::string_view key, double fallback) const {
        const auto* node = t.get(key);
        if (!node) return fallback;
        const double x = file_.number(*node, key);
        if (!(x > 0)) file_.reject(*node, fmt::format("{} must be greater than 0", key));
        return x;
    }

    void options(const toml::table& t) {
        const auto table = [&](const char* name) -> const toml::table* {
            const auto* node = t.get(name);
            return node ? &as_table(*node, name) : nullptr;
        };
        if (const auto* e = table("errors")) {
            file_.only_keys(*e, {"correlated", "scatter", "size_spread", "omega_error", "zeta_error"});
            plan_.errors.correlated = file_.flag(*e, "correlated", true);
            plan_.errors.scatter = file_.flag(*e, "scatter", true);
            plan_.errors.size_spread = positive(*e, "size_spread", plan_.errors.size_spread);
            omega_error_ = positive(*e, "omega_error", 0);
            zeta_error_ = positive(*e, "zeta_error", 0);
            file_.at_place(*e, [&] { plan_.errors.check(); });
        }
        if (const auto* s = table("sampling")) {
            auto& o = plan_.sampling;
            file_.only_keys(*s, {"chains", "warmup", "draws", "seed", "acceptance", "deepest"});
            o.chains = file_.whole(*s, "chains", o.chains, 2, 64);
            o.warmup = file_.whole(*s, "warmup", o.warmup, 100, 1000000);
            o.draws = file_.whole(*s, "draws", o.draws, 100, 1000000);
            o.seed = std::uint64_t(file_.whole(*s, "seed", int(o.seed), 0, 2147483647));
            o.acceptance = positive(*s, "acceptance", o.acceptance);
            o.deepest = file_.whole(*s, "deepest", o.deepest, 1, 15);
            file_.at_place(*s, [&] { o.check(); });
        }
        if (const auto* e = table("evidence")) {
            file_.only_keys(*e, {"draws", "components"});
            plan_.evidence.draws = file_.whole(*e, "draws", plan_.evidence.draws, 100, 10000000);
            plan_.evidence.components = file_.whole(*e, "components", plan_.evidence.components, 1, 100);
        }
        if (const auto* p = table("predict")) {
            file_.only_keys(*p, {"amplitudes", "points", "draws"});
            plan_.predicted_points = file_.whole(*p, "points", plan_.predicted_points, 2, 10000);
            plan_.prediction.draws = file_.whole(*p, "draws", plan_.prediction.draws, 20, 1000000);
            if (const auto* ends = p->get("amplitudes")) {
                const auto v = file_.vector(*ends, "amplitudes");
                if (v.size() != 2 || !(v(0) > 0) || !(v(1) > v(0)))
                    file_.reject(*ends, "amplitudes must be [least, greatest], both positive");
                plan_.predicted = {v(0), v(1)};
            }
        }
        plan_.evidence.seed = plan_.prediction.seed = plan_.sampling.seed;
    }

    void of_modes() {
        const auto& root = file_.root();
        file_.only_keys(root, {"title", "model", "record", "prior", "errors", "sampling", "evidence", "predict"});
        const auto& model = as_table(file_.required(root, "model"), "model");
        file_.only_keys(model, {"laws", "curves"});
        const std::string curves = file_.text(model, "curves", "harmonic");
        if (curves != "harmonic" && curves != "quasi-static")
            file_.reject(*model.get("curves"),
                         fmt::format("curves is '{}'; allowed are: harmonic, quasi-static", curves));
        plan_.stiffness = curves == "harmonic" ? modal::Stiffness::harmonic : modal::Stiffness::secant;
        options(root);
        file_.each_table("record", [&](const toml::table& t) { record(t); });
        if (plan_.records.empty()) file_.reject(root, "there is no [[record]]: give one table a test");
        std::vector<fit::Backbone> all;
        for (const auto& r : plan_.records) {
            all.push_back(r.data);
            if (r.data.mode != plan_.records.front().data.mode)
                file_.reject(root, "the records are of different modes; a single-mode model is of one");
        }
        const auto& laws = file_.required(model, "laws");
        const auto* list = laws.as_array();
        if (!list || list->empty()) file_.reject(laws, "laws must be a list of names");
        for (const auto& law : *list) {
            const std::string name = file_.text(law, "a law");
            if (std::find(plan_.laws.begin(), plan_.laws.end(), name) != plan_.laws.end())
                file_.reject(law, fmt::format("law '{}' is given twice", name));
            file_.at_place(law, [&] { modal::Oscillator(name, modal::scales_of(all), plan_.stiffness); });
            plan_.laws.push_back(name);
        }
        file_.each_table("prior", [&](const toml::table& t) { prior(t, all); });
    }

    void record(const toml::table& t) {
        file_.only_keys(t, {"file", "mode", "name", "scale", "omega_error", "zeta_error", "points"});
        const auto& node = file_.required(t, "file");
        const std::string name = file_.text(node, "file");
        const auto path = std::filesystem::path(plan_.path).parent_path() / name;
        if (!std::filesystem::is_regular_file(path)) file_.reject(node, fmt::format("there is no file '{}'", name));
        const int wanted = file_.whole(t, "mode", 0, 1, 1000000);
        const auto all = files::read_backbones(path.string());
        fit::MeasuredRecord r;
        bool found = false;
        std::vector<int> modes;
        for (const auto& b : all) {
            modes.push_back(b.mode);
            if (b.mode != wanted && !(wanted == 0 && all.size() == 1)) continue;
            r.data = b;
            found = true;
        }
        if (!found)
            file_.reject(node,
                         wanted == 0
                             ? fmt::format("{} has modes {}; say which with mode = ..", name, fmt::join(modes, ", "))
                             : fmt::format("{} has no mode {}; there are: {}", name, wanted, fmt::join(modes, ", ")));
        r.name = file_.text(t, "name", path.stem().string());
        r.omega_error = positive(t, "omega_error", 0);
        r.zeta_error = positive(t, "zeta_error", 0);
        if ((r.omega_error > 0) != (r.zeta_error > 0)) file_.reject(t, "give both omega_error and zeta_error, or none");
        r.data = picked_evenly(r.data, file_.whole(t, "points", 0, 2, 400));
        const double scale = positive(t, "scale", 1);
        for (double& a : r.data.amplitude) a *= scale;
        for (const auto& other : plan_.records)
            if (other.name == r.name)
                file_.reject(t, fmt::format("record '{}' is given twice; give it a name", r.name));
        plan_.records.push_back(std::move(r));
    }

    void prior(const toml::table& t, const std::vector<fit::Backbone>& data) {
        file_.only_keys(t, {"law", "key", "range"});
        GivenPrior p;
        p.law = file_.text(t, "law", "");
        p.key = file_.text(file_.required(t, "key"), "key");
        const auto range = file_.vector(file_.required(t, "range"), "range");
        if (range.size() != 2 || !(range(0) < range(1)))
            file_.reject(*t.get("range"), "range must be [least, greatest]");
        p.low = range(0);
        p.high = range(1);
        bool used = false;
        for (const auto& law : plan_.laws) {
            if (!p.law.empty() && law != p.law) continue;
            modal::Oscillator mode(law, modal::scales_of(data), plan_.stiffness);
            const auto& known = mode.parameters();
            if (p.law.empty() &&
                std::none_of(known.begin(), known.end(), [&](const auto& k) { return k.key == p.key; }))
                continue;
            file_.at_place(t, [&] { mode.set_prior(p.key, p.low, p.high); });
            used = true;
        }
        if (!used)
            file_.reject(
                t, fmt::format("no law {} has a parameter '{}'", p.law.empty() ? "here" : "'" + p.law + "'", p.key));
        plan_.priors.push_back(std::move(p));
    }

    void of_study() {
        auto study = std::make_shared<Study>(read_study(plan_.path));
        if (const auto* t = file_.root().get("calibrate")) {
            const auto& table = as_table(*t, "calibrate");
            file_.only_keys(table, {"errors", "sampling", "evidence", "predict"});
            options(table);
        }
        if ((omega_error_ > 0) != (zeta_error_ > 0))
            file_.reject(*file_.root().get("calibrate"), "errors: give both omega_error and zeta_error, or none");
        auto all = calibration_of(std::move(study), omega_error_, zeta_error_);
        plan_.laws = std::move(all.laws);
        plan_.records = std::move(all.records);
        plan_.study = std::move(all.study);
    }
};

}  // namespace

CalibrationPlan calibration_of(std::shared_ptr<const Study> study, double omega_error, double zeta_error) {
    CalibrationPlan plan;
    plan.path = study->path;
    plan.title = study->title;
    for (const auto& v : study->variants) plan.laws.push_back(v.name);
    for (const auto& mode : study->setup.modes) {
        if (!mode.fitted) continue;
        fit::MeasuredRecord r{mode.name, mode.data, omega_error, zeta_error};
        r.data.mode = mode.number;
        plan.records.push_back(std::move(r));
    }
    plan.study = std::move(study);
    return plan;
}

CalibrationPlan read_calibration(const std::string& path) { return CalibrationReader(path).read(); }

std::string fingerprint(const CalibrationPlan& plan) {
    nlohmann::json j;
    for (const auto& r : plan.records)
        j["records"].push_back({r.name, r.data.mode, r.data.amplitude, r.data.omega, r.data.zeta, r.data.omega_low,
                                r.data.omega_high, r.data.zeta_low, r.data.zeta_high, r.omega_error, r.zeta_error});
    for (const auto& p : plan.priors) j["priors"].push_back({p.law, p.key, p.low, p.high});
    const auto& s = plan.sampling;
    j["sampling"] = {s.chains, s.warmup, s.draws, s.seed, s.acceptance, s.deepest};
    j["errors"] = {plan.errors.correlated, plan.errors.scatter, plan.errors.size_spread};
    j["stiffness"] = int(plan.stiffness);
    j["sampler"] = 2;  // chains of another way of drawing are not gone on with
    if (plan.study) j["study"] = fingerprint(*plan.study);
    core::Checksum sum;
    sum.add(j.dump());
    return fmt::format("{:016x}", sum.value());
}

}  // namespace faying::study
