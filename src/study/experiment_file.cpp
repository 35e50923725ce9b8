// Experiment files (TOML).

#include "faying/files/reduced.hpp"
#include "faying/study/experiment.hpp"
#include "io/toml_file.hpp"

namespace faying::study {

namespace {

class ExperimentReader {
 public:
    explicit ExperimentReader(const std::string& path) : file_(path) { e_.path = path; }

    Experiment read() {
        file_.only_keys(file_.root(), {"seed", "structure", "joint", "hammer", "record", "mode"});
        e_.seed = std::uint64_t(file_.whole(file_.root(), "seed", 1, 0, 2147483647));
        structure(table("structure"));
        joint(table("joint"));
        hammer(table("hammer"));
        record(table("record"));
        file_.each_table("mode", [&](const toml::table& t) { band(t); });
        if (e_.bands.empty()) file_.reject(file_.root(), "no [[mode]] with its band is given");
        return std::move(e_);
    }

 private:
    io::TomlFile file_;
    Experiment e_;

    const toml::table& table(std::string_view name) const {
        const auto& node = file_.required(file_.root(), name);
        if (!node.is_table()) file_.reject(node, fmt::format("'{}' must be a table", name));
        return *node.as_table();
    }

    double positive(const toml::table& t, std::string_view key, double fallback, bool zero = false) const {
        const auto* node = t.get(key);
        if (!node) return fallback;
        const double x = file_.number(*node, key);
        if (!(zero ? x >= 0 : x > 0))
            file_.reject(*node, fmt::format("{} must be {}", key, zero ? "at least 0" : "above 0"));
        return x;
    }

    std::string output(const toml::table& t) const {
        const auto& node = file_.required(t, "output");
        std::string name = file_.text(node, "output");
        file_.at_place(node, [&] { structure::find_output(structure::bare_model(e_.reduced), name); });
        return name;
    }

    void structure(const toml::table& t) {
        file_.only_keys(t, {"file", "static", "damping"});
        const auto& node = file_.required(t, "file");
        const auto path = std::filesystem::path(e_.path).parent_path() / file_.text(node, "file");
        if (!std::filesystem::is_regular_file(path))
            file_.reject(node, fmt::format("there is no file '{}'", path.string()));
        e_.reduced = files::read_reduced(path.string());
        if (e_.reduced.quadrature.nodes.size() == 0)
            file_.reject(node, "has no interface nodes: reduce it with [full_joint]");
        if (const auto* loads = t.get("static")) {
            if (!loads->is_table()) file_.reject(*loads, "static must be a table, { preload = 12000 }");
            for (const auto& [key, value] : *loads->as_table())
                e_.loads[std::string(key.str())] = file_.number(value, key.str());
        }
        file_.at_place(t, [&] { structure::bare_model(e_.reduced, e_.loads); });
        if (e_.loads.empty()) file_.reject(t, "static is missing: friction needs the pressure of the bolts");
        e_.damping_ratio = positive(t, "damping", e_.damping_ratio, true);
    }

    void joint(const toml::table& t) {
        file_.only_keys(t, {"kt", "kn", "mu", "spread", "exponent", "least_pressure"});
        auto& j = e_.joint;
        j.kt = positive(t, "kt", j.kt);
        j.kn = positive(t, "kn", j.kn);
        j.mu = positive(t, "mu", j.mu);
        j.spread = positive(t, "spread", j.spread, true);
        j.exponent = positive(t, "exponent", j.exponent, true);
        j.least_pressure = positive(t, "least_pressure", j.least_pressure);
    }

    void hammer(const toml::table& t) {
        file_.only_keys(t, {"output", "hits", "force", "pulse"});
        e_.hammer = output(t);
        e_.hits = file_.whole(t, "hits", e_.hits, 1, 1000);
        if (const auto* node = t.get("force")) {
            const auto v = file_.vector(*node, "force");
            if (v.size() != 2 || !(v(0) > 0) || v(1) < v(0))
                file_.reject(*node, "force must be [least, greatest] in N, above 0");
            e_.force_low = v(0);
            e_.force_high = v(1);
        }
        e_.pulse = positive(t, "pulse", e_.pulse);
    }

    void record(const toml::table& t) {
        file_.only_keys(t, {"output", "duration", "step", "every", "noise", "order", "points"});
        e_.sensor = output(t);
        e_.duration = positive(t, "duration", e_.duration);
        e_.step = positive(t, "step", e_.step);
        e_.record_every = file_.whole(t, "every", e_.record_every, 1, 1000);
        e_.noise = positive(t, "noise", e_.noise, true);
        e_.order = file_.whole(t, "order", e_.order, 1, 20);
        e_.points = file_.whole(t, "points", e_.points, 4, 1000);
        if (e_.duration / e_.step > 1e8) file_.reject(t, "duration/step is beyond 1e8 steps");
    }

    void band(const toml::table& t) {
        file_.only_keys(t, {"mode", "band"});
        Band b;
        b.mode = file_.whole(t, "mode", 0, 1, 1000);
        if (b.mode == 0) file_.reject(t, "'mode' is missing");
        const auto& node = file_.required(t, "band");
        const auto v = file_.vector(node, "band");
        const double nyquist = 0.5 / (e_.step * e_.record_every);
        if (v.size() != 2 || !(v(0) > 0) || !(v(1) > v(0)) || !(v(1) < nyquist))
            file_.reject(node, fmt::format("band must be [low, high] in Hz with 0 < low < high < {:g}", nyquist));
        b.low = v(0);
        b.high = v(1);
        e_.bands.push_back(b);
    }
};

}  // namespace

Experiment read_experiment(const std::string& path) { return ExperimentReader(path).read(); }

}  // namespace faying::study
