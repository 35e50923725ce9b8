// Study files.

#include "faying/study/study.hpp"

#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "faying/archive/archive.hpp"
#include "faying/files/backbones.hpp"
#include "faying/files/reduced.hpp"
#include "faying/fit/pareto.hpp"
#include "faying/io/text_file.hpp"
#include "inputs.hpp"
#include "io/toml_file.hpp"
#include "starting_fronts.hpp"

namespace faying::study {

using core::BadInput;

namespace {

/// Of a file, for people.
std::string name_of(const std::filesystem::path& path) { return io::valid_utf8(path.filename().string()); }

constexpr std::size_t many_points = 200;  ///< that a note is due: samples rather than a backbone

class Reader {
 public:
    explicit Reader(const std::string& path) : file_(path) { study_.path = path; }

    Study read() {
        const auto& root = file_.root();
        file_.only_keys(root, {"title", "variants", "from", "method", "harmonics", "samples", "structure",
                               "measurement", "mode", "search", "search_full", "boxes", "variant", "calibrate"});
        study_.title = root.contains("title") ? file_.text(*root.get("title"), "title")
                                              : name_of(std::filesystem::path(study_.path).stem());
        study_.inputs.push_back({name_of(study_.path), io::read_text(study_.path)});
        structure(table("structure"));
        read_modes();
        measurement(table("measurement"));
        if (const auto* t = root.get("search")) search(as_table(*t, "search"), study_.search);
        study_.search_full.seed = study_.search.seed;
        if (const auto* t = root.get("search_full")) search(as_table(*t, "search_full"), study_.search_full);
        if (const auto* t = root.get("boxes")) boxes(as_table(*t, "boxes"));
        analysis_ = analysis(root, {});
        variants();
        if (const auto* from = root.get("from"))
            study_.starting_fronts = read_starting_fronts(beside(*from, "from"), study_.variants);
        return std::move(study_);
    }

 private:
    io::TomlFile file_;
    Study study_;
    std::map<int, const toml::node*> own_file_;  ///< of modes that are measured in files of their own
    Analysis analysis_;                          ///< of variants that do not say otherwise

    const toml::table& as_table(const toml::node& node, std::string_view name) const {
        if (!node.is_table()) file_.reject(node, fmt::format("'{}' must be a table", name));
        return *node.as_table();
    }
    const toml::table& table(std::string_view name) const { return as_table(file_.required(file_.root(), name), name); }

    std::string beside(const toml::node& node, std::string_view what) const {
        const std::string name = file_.text(node, what);
        const auto path = std::filesystem::path(study_.path).parent_path() / name;
        if (!std::filesystem::is_regular_file(path)) file_.reject(node, fmt::format("there is no file '{}'", name));
        return path.string();
    }

    std::string word(const toml::table& t, std::string_view key, std::string fallback,
                     std::initializer_list<std::string_view> allowed) const {
        const auto* node = t.get(key);
        if (!node) return fallback;
        std::string text = file_.text(*node, key);
        if (std::find(allowed.begin(), allowed.end(), text) == allowed.end())
            file_.reject(*node, fmt::format("{} is '{}'; allowed are: {}", key, text, fmt::join(allowed, ", ")));
        return text;
    }

    void structure(const toml::table& t) {
        file_.only_keys(t, {"whole", "full", "static"});
        const auto read = [&](const char* key, std::string& path) -> std::shared_ptr<const structure::Reduced> {
            const auto* node = t.get(key);
            if (!node) return {};
            path = beside(*node, key);
            study_.inputs.push_back({name_of(path), digest(content_of(path))});
            return std::make_shared<structure::Reduced>(files::read_reduced(path));
        };
        study_.setup.whole = read("whole", study_.whole_path);
        study_.setup.full = read("full", study_.full_path);
        if (!study_.setup.whole && !study_.setup.full)
            file_.reject(t, "a reduced model is needed: whole = \"..\" or full = \"..\"");
        if (const auto* loads = t.get("static"))
            for (const auto& [key, node] : as_table(*loads, "static"))
                study_.setup.loads[std::string(key.str())] = file_.number(node, key.str());
        for (const auto& reduced : {study_.setup.whole, study_.setup.full})
            if (reduced) file_.at_place(t, [&] { structure::bare_model(*reduced, study_.setup.loads); });
    }

    void read_modes() {
        file_.each_table("mode", [&](const toml::table& t) {
            file_.only_keys(t, {"mode", "index", "name", "fitted", "file"});
            Mode m;
            m.number = file_.whole(t, "mode", 0, 1, 1000);
            if (m.number == 0) file_.reject(t, "'mode' is missing: its number in the measurement");
            indices(t, m);
            m.name = t.contains("name") ? file_.text(*t.get("name"), "name") : fmt::format("mode {}", m.number);
            m.fitted = file_.flag(t, "fitted", m.fitted);
            for (const auto& other : study_.setup.modes)
                if (other.number == m.number) file_.reject(t, fmt::format("mode {} is given twice", m.number));
            if (const auto* node = t.get("file")) own_file_[m.number] = node;
            study_.setup.modes.push_back(std::move(m));
        });
        const auto& modes = study_.setup.modes;
        if (std::none_of(modes.begin(), modes.end(), [](const Mode& m) { return m.fitted; }))
            file_.reject(file_.root(), "no mode is fitted: give [[mode]] tables, one of them with fitted = true");
    }

    /// index = 3, or { whole = 6, full = 5 }: a finer joint may have fewer or more modes in between.
    void indices(const toml::table& t, Mode& m) const {
        const auto* given = t.get("index");
        if (!given || !given->is_table()) {
            m.index = m.full_index = file_.whole(t, "index", m.number, 1, 1000);
            return;
        }
        const auto& both = *given->as_table();
        file_.only_keys(both, {"whole", "full"});
        m.index = file_.whole(both, "whole", m.number, 1, 1000);
        m.full_index = file_.whole(both, "full", m.number, 1, 1000);
    }

    std::vector<fit::Backbone> backbones_in(const toml::node& file) {
        const std::string path = beside(file, "file");
        auto backbones = file_.at_place(file, [&] { return files::read_backbones(path); });
        const std::string text = archive::is_archive(path) ? files::backbones_text(backbones) : io::read_text(path);
        study_.is_virtual = study_.is_virtual || text.starts_with("# virtual");
        study_.inputs.push_back({name_of(path), text});
        return backbones;
    }
    const fit::Backbone& of_mode(int number, const std::vector<fit::Backbone>& all, const toml::node& file) const {
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& b) { return b.mode == number; });
        if (found == all.end()) file_.reject(file, fmt::format("{} has no mode {}", file_.text(file, "file"), number));
        return *found;
    }
    fit::Backbone only(std::vector<fit::Backbone> all, const toml::node& file) const {
        if (all.size() != 1)
            file_.reject(file, fmt::format("{} has {} modes; the file of a mode has that one alone",
                                           file_.text(file, "file"), all.size()));
        return std::move(all.front());
    }

    void measurement(const toml::table& t) {
        file_.only_keys(t, {"file", "points", "amplitude", "output", "viscous"});
        if (const auto* node = t.get("points"); node && !node->is_string())
            study_.points = file_.whole(*node, "points", 2, 1000);
        else
            word(t, "points", "measured", {"measured"});
        const std::string kind = word(t, "amplitude", "modal", {"modal", "displacement", "acceleration"});
        study_.amplitude = kind == "modal"          ? Amplitude::modal
                           : kind == "displacement" ? Amplitude::displacement
                                                    : Amplitude::acceleration;
        if (study_.amplitude != Amplitude::modal) study_.output = file_.text(file_.required(t, "output"), "output");
        std::vector<fit::Backbone> common;
        if (const auto* file = t.get("file")) common = backbones_in(*file);
        for (auto& mode : study_.setup.modes) {
            const bool own = own_file_.contains(mode.number);
            const auto& file = own ? *own_file_.at(mode.number) : file_.required(t, "file");
            const std::string path = file_.text(file, "file");
            mode.measured = own ? only(backbones_in(file), file) : of_mode(mode.number, common, file);
            if (mode.measured.size() < 2)
                file_.reject(
                    file, fmt::format("{}: mode {} has one amplitude; a backbone has two at least", path, mode.number));
            mode.data = study_.points ? fit::resampled(mode.measured, *study_.points) : mode.measured;
            mode.measured_amplitude = mode.data.amplitude;
            for (const double zeta : mode.data.zeta)
                if (!(zeta > 0 && zeta < 1))
                    file_.reject(file,
                                 fmt::format("{}: mode {}: damping {:g} is not in (0, 1)", path, mode.number, zeta));
            mode.zeta0 = mode.data.zeta.front();
            if (const auto* viscous = t.get("viscous")) {
                if (!viscous->is_string()) {
                    mode.zeta0 = file_.number(*viscous, "viscous");
                    if (!(mode.zeta0 >= 0 && mode.zeta0 < 1))
                        file_.reject(*viscous, fmt::format("viscous is {:g}; a damping ratio is in [0, 1), or "
                                                           "\"lowest\"",
                                                           mode.zeta0));
                } else {
                    word(t, "viscous", "", {"lowest"});
                }
            }
        }
        note_many_points();
        scale_amplitudes(t);
    }

    void note_many_points() {
        const auto& modes = study_.setup.modes;
        if (std::none_of(modes.begin(), modes.end(), [](const Mode& m) { return m.data.size() > many_points; })) return;
        std::vector<std::string> counts;
        for (const auto& mode : modes) counts.push_back(fmt::format("mode {}: {}", mode.number, mode.data.size()));
        study_.notes.push_back(
            fmt::format("every evaluation is solved at all measured amplitudes ({}), which takes time in proportion; "
                        "points = 40 in [measurement] compares at 40 log-spaced ones, faying envelope merges samples "
                        "into a backbone",
                        fmt::join(counts, ", ")));
    }

    /// What mass-normalised stuck modes move the output by.
    std::vector<double> seen_at_output(const toml::table& t, const structure::Reduced& reduced, bool full) const {
        const auto index = [&](const Mode& mode) { return full ? mode.full_index : mode.index; };
        int last = 1;
        for (const auto& mode : study_.setup.modes) last = std::max(last, index(mode));
        const auto shapes = file_.at_place(t, [&] { return stuck_shapes(reduced, last); });
        const auto model = structure::bare_model(reduced, {});
        const auto& row =
            file_.at_place(t, [&]() -> const Eigen::VectorXd& { return structure::find_output(model, study_.output); });
        std::vector<double> seen;
        for (const auto& mode : study_.setup.modes) {
            const auto shape = shapes.col(index(mode) - 1);
            seen.push_back(std::abs(row.dot(shape)));
            if (!(seen.back() > 1e-6 * row.norm() * shape.norm()))
                file_.reject(t, fmt::format("output '{}' does not see mode {}, number {} of the {}-joint model",
                                            study_.output, mode.number, index(mode), full ? "full" : "whole"));
        }
        return seen;
    }

    /// q from what was measured at an output, by the stuck shape there. Both models must mean the same mode.
    void scale_amplitudes(const toml::table& t) {
        if (study_.amplitude == Amplitude::modal) return;
        const auto& s = study_.setup;
        const auto phi = s.whole ? seen_at_output(t, *s.whole, false) : seen_at_output(t, *s.full, true);
        if (s.whole && s.full) {
            const auto other = seen_at_output(t, *s.full, true);
            for (std::size_t m = 0; m < phi.size(); ++m)
                if (other[m] < 0.7 * phi[m] || other[m] > phi[m] / 0.7)
                    file_.reject(
                        t, fmt::format("mode {}: number {} of the whole-joint model moves '{}' by {:.3g}, number {} "
                                       "of the full-joint model by {:.3g}: not the same mode; give index = {{ "
                                       "whole = .., full = .. }}",
                                       s.modes[m].number, s.modes[m].index, study_.output, phi[m],
                                       s.modes[m].full_index, other[m]));
        }
        for (std::size_t m = 0; m < phi.size(); ++m) {
            auto& mode = study_.setup.modes[m];
            for (std::size_t i = 0; i < mode.data.size(); ++i) {
                const double omega = mode.data.omega[i];
                mode.data.amplitude[i] /= phi[m] * (study_.amplitude == Amplitude::acceleration ? omega * omega : 1.0);
            }
            sort_by_amplitude(t, mode);
        }
    }

    /// Noise of the frequency may put two accelerations near each other the other way round as modal amplitudes.
    void sort_by_amplitude(const toml::table& t, Mode& mode) const {
        std::vector<std::size_t> order(mode.data.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        const auto& q = mode.data.amplitude;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return q[a] < q[b]; });
        std::vector<double> measured;
        for (const auto i : order) measured.push_back(mode.measured_amplitude[i]);
        mode.measured_amplitude = std::move(measured);
        mode.data = fit::picked(mode.data, order);
        for (std::size_t i = 1; i < mode.data.size(); ++i)
            if (mode.data.amplitude[i] == mode.data.amplitude[i - 1])
                file_.reject(t, fmt::format("mode {}: two measured points have the modal amplitude {:g}", mode.number,
                                            mode.data.amplitude[i]));
    }

    void search(const toml::table& t, Search& s) const {
        file_.only_keys(t, {"method", "seed", "population", "generations", "pooled", "rays", "starts", "tries",
                            "rounds", "evaluations", "front"});
        const std::string method =
            word(t, "method", std::string(name(s.method)), {"nsga2", "boundary-intersection", "both"});
        s.method = method == "both" ? Method::both : method == "nsga2" ? Method::nsga2 : Method::boundary_intersection;
        s.seed = std::uint64_t(file_.whole(t, "seed", int(s.seed), 0, 2147483647));
        s.population = file_.whole(t, "population", s.population, 4, 100000);
        if (s.population % 2) file_.reject(*t.get("population"), "population must be even");
        s.generations = file_.whole(t, "generations", s.generations, 1, 1000000);
        s.pooled = file_.whole(t, "pooled", s.pooled, 1, 1000000);
        s.rays = file_.whole(t, "rays", s.rays, 1, 10000);
        s.starts = file_.whole(t, "starts", s.starts, 1, 10000);
        s.tries = file_.whole(t, "tries", s.tries, 0, 10000);
        s.rounds = file_.whole(t, "rounds", s.rounds, 0, 1000);
        s.front = file_.whole(t, "front", s.front, 2, 100000);
        s.evaluations = file_.whole(t, "evaluations", s.evaluations, 10, 100000);
    }

    void boxes(const toml::table& t) {
        file_.only_keys(t, {"lower", "upper"});
        study_.boxes.published = word(t, "lower", "data", {"data", "published"}) == "published";
        if (const auto* node = t.get("upper")) {
            const auto v = file_.vector(*node, "upper");
            if (v.size() != 2 || !(v(0) > 0) || !(v(1) > 0))
                file_.reject(*node, "upper must be two positive errors: [frequency, damping]");
            study_.boxes.upper = {v(0), v(1)};
        }
        if (!study_.boxes.published) return;
        for (const auto& mode : study_.setup.modes) file_.at_place(t, [&] { fit::published_box(mode.number); });
    }

    void variants() {
        const auto* list = file_.root().get("variants");
        if (!list && !file_.root().contains("variant"))
            file_.reject(file_.root(), "'variants' is missing: a list of names, or \"all26\"");
        if (list && list->is_string()) {
            if (word(file_.root(), "variants", "", {"all26"}) == "all26")
                for (const auto& v : all26()) add(analysed(v), *list);
        } else if (list) {
            const auto* names = list->as_array();
            if (!names) file_.reject(*list, "variants must be a list of names, or \"all26\"");
            for (const auto& name : *names)
                add(analysed(file_.at_place(name, [&] { return find_variant(file_.text(name, "a variant")); })), name);
        }
        file_.each_table("variant", [&](const toml::table& t) { add(own_variant(t), t); });
        if (study_.variants.empty()) file_.reject(file_.root(), "there is no variant to fit");
    }

    /// method = "epmc", harmonics = 3 (or the orders [0, 1, 3]), samples = 128.
    Analysis analysis(const toml::table& t, Analysis made) const {
        constexpr int most_orders = 100;
        if (t.contains("method")) made.epmc = word(t, "method", "", {"rqnma", "epmc"}) == "epmc";
        for (const char* key : {"harmonics", "samples"})
            if (!made.epmc && t.contains(key))
                file_.reject(*t.get(key), fmt::format("'{}' goes with method = \"epmc\"", key));
        if (const auto* node = t.get("harmonics")) {
            if (!node->is_array()) {
                made.harmonics = core::Harmonics::up_to(file_.whole(*node, "harmonics", 1, most_orders));
            } else {
                const auto given = file_.vector(*node, "harmonics");
                std::vector<int> orders;
                for (const double k : given) {
                    if (!(k >= 0 && k <= most_orders && k == std::floor(k)))
                        file_.reject(*node,
                                     fmt::format("harmonics: {:g} is not a whole number from 0 to {}", k, most_orders));
                    orders.push_back(int(k));
                }
                made.harmonics = file_.at_place(*node, [&] { return core::Harmonics(orders); });
            }
        }
        made.samples = file_.whole(t, "samples", made.samples, 0, 1000000);
        modes::HarmonicOptions options{.harmonics = made.harmonics};
        options.joints.samples = made.samples;
        if (made.epmc) file_.at_place(t, [&] { options.check(); });
        return made;
    }

    Variant analysed(Variant v) const {
        v.analysis = analysis_;
        return v;
    }

    Variant own_variant(const toml::table& t) const {
        file_.only_keys(t, {"name", "title", "like", "law", "joint", "framework", "method", "harmonics", "samples",
                            "viscous", "prestress", "search", "fixed"});
        const std::string name = file_.text(file_.required(t, "name"), "name");
        const bool safe =
            !name.empty() &&
            name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_.") ==
                std::string::npos &&
            name.front() != '.';
        if (!safe) file_.reject(*t.get("name"), "a name of letters, digits, + - _ . is needed: files are called by it");
        Variant v = file_.at_place(t, [&] { return base_of(t, name); });
        v.name = name;
        v.title = t.contains("title") ? file_.text(*t.get("title"), "title") : name;
        v.viscous = file_.flag(t, "viscous", v.viscous);
        v.analysis = analysis(t, analysis_);
        for (const char* key : {"framework", "prestress"})
            if (v.analysis.epmc && t.contains(key))
                file_.reject(*t.get(key), fmt::format("'{}' does not go with method = \"epmc\"", key));
        if (t.contains("prestress"))
            v.conservative = word(t, "prestress", "active", {"active", "conservative"}) == "conservative";
        if (const auto* node = t.get("search"))
            for (const auto& [label, range] : as_table(*node, "search")) {
                const std::string key(label.str());
                const auto ends = file_.vector(range, key);
                if (ends.size() != 2) file_.reject(range, fmt::format("{} must be [least, greatest]", key));
                file_.at_place(range, [&] { set_range(v, key, {ends(0), ends(1)}); });
            }
        if (const auto* node = t.get("fixed"))
            for (const auto& [label, value] : as_table(*node, "fixed")) {
                const std::string key(label.str());
                const double number = file_.number(value, key);
                file_.at_place(value, [&] { set_fixed(v, key, number); });
            }
        return v;
    }

    Variant base_of(const toml::table& t, const std::string& name) const {
        if (t.contains("like") == t.contains("law"))
            file_.reject(t, "give either like = \"a variant\" or law = \"..\"");
        if (const auto* like = t.get("like")) {
            for (const char* key : {"law", "joint", "framework"})
                if (t.contains(key)) file_.reject(*t.get(key), fmt::format("'{}' follows from like", key));
            return find_variant(file_.text(*like, "like"));
        }
        const bool full = word(t, "joint", "whole", {"whole", "full"}) == "full";
        const bool loops = word(t, "framework", full ? "loops" : "masing", {"masing", "loops"}) == "loops";
        return variant_of_law(name, file_.text(*t.get("law"), "law"), full,
                              loops ? modes::Framework::loops : modes::Framework::masing);
    }

    void add(Variant v, const toml::node& at) {
        for (const auto& other : study_.variants)
            if (other.name == v.name) file_.reject(at, fmt::format("variant '{}' is given twice", v.name));
        file_.at_place(at, [&] {
            check_law(v);
            study_.setup.reduced(v);
            fit::Space{v.axes};
        });
        study_.variants.push_back(std::move(v));
    }
};

}  // namespace

std::string_view name(Method method) {
    switch (method) {
        case Method::nsga2: return "nsga2";
        case Method::boundary_intersection: return "boundary-intersection";
        case Method::both: break;
    }
    return "both";
}

Study read_study(const std::string& path) { return Reader(path).read(); }

}  // namespace faying::study
