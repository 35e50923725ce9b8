#include "faying/files/modal_study.hpp"

#include <fstream>
#include <sstream>

#include "io/toml_file.hpp"

namespace faying::files {

namespace {

class ModalStudyReader {
 public:
    explicit ModalStudyReader(const std::string& path) : file_(path) {}

    ModalStudyFile study() const {
        const toml::table& root = file_.root();
        file_.only_keys(root, {"model", "ring_down", "mode", "impact"});
        ModalStudyFile found;
        found.text = text();
        const auto& model = file_.required(root, "model");
        found.model = (std::filesystem::path(file_.path()).parent_path() / file_.text(model, "model")).string();
        const auto& ring = file_.required(root, "ring_down");
        ring_down(table(ring, "ring_down"), found.study);
        file_.required(root, "mode");
        file_.each_table("mode", [&](const toml::table& t) { found.study.modes.push_back(mode(t)); });
        if (const auto* node = root.get("impact")) {
            if (node->is_table())
                impact(*node->as_table(), found.study);
            else
                file_.each_table("impact", [&](const toml::table& t) { impact(t, found.study); });
        }
        file_.at_place(root, [&] { found.study.check(); });
        return found;
    }

 private:
    io::TomlFile file_;

    std::string text() const {
        std::ifstream file(file_.path());
        std::stringstream content;
        content << file.rdbuf();
        return content.str();
    }
    const toml::table& table(const toml::node& node, std::string_view what) const {
        const auto* t = node.as_table();
        if (!t) file_.reject(node, fmt::format("{} must be a table", what));
        return *t;
    }
    const toml::array& list(const toml::node& node, std::string_view what) const {
        const auto* all = node.as_array();
        if (!all || all->empty()) file_.reject(node, fmt::format("{} must be a list, [..]", what));
        return *all;
    }
    /// True for the first word, false for the second; others are refused.
    bool choice(const toml::node& node, std::string_view what, std::string_view first, std::string_view second) const {
        const std::string word = file_.text(node, what);
        if (word != first && word != second)
            file_.reject(node, fmt::format("{} must be \"{}\" or \"{}\"", what, first, second));
        return word == first;
    }

    void ring_down(const toml::table& t, modal::Study& study) const {
        file_.only_keys(t,
                        {"duration", "dt", "segments", "dropped", "tolerance", "method", "stiffness", "zeta0", "loss"});
        study.duration = file_.number(file_.required(t, "duration"), "duration");
        study.step = file_.number(file_.required(t, "dt"), "dt");
        if (const auto* node = t.get("segments")) study.segments = file_.whole(*node, "segments", 1);
        if (const auto* node = t.get("dropped")) study.dropped = file_.number(*node, "dropped");
        if (const auto* node = t.get("tolerance")) study.tolerance = file_.number(*node, "tolerance");
        if (const auto* node = t.get("loss")) study.fit.robust = choice(*node, "loss", "cauchy", "squares");
        if (const auto* node = t.get("zeta0")) study.fit.zeta0 = positive(*node, "zeta0");
        if (const auto* node = t.get("method")) {
            const auto method = transient::find_method(file_.text(*node, "method"));
            if (!method) file_.reject(*node, fmt::format("method must be one of {}", transient::method_names));
            study.method = *method;
        }
        if (const auto* node = t.get("stiffness"))
            study.fit.stiffness = choice(*node, "stiffness", "harmonic", "secant") ? modal::Stiffness::harmonic
                                                                                   : modal::Stiffness::secant;
    }

    /// Numbers, or tables with p and what differs from [ring_down].
    std::vector<modal::Level> levels(const toml::node& node, std::string_view what, bool slipping) const {
        std::vector<modal::Level> all;
        for (const auto& entry : list(node, what)) {
            modal::Level level;
            level.slipping = slipping;
            if (const auto* t = entry.as_table()) {
                file_.only_keys(*t, {"p", "duration", "dt"});
                level.p = file_.number(file_.required(*t, "p"), "p");
                if (const auto* x = t->get("duration")) level.duration = positive(*x, "duration");
                if (const auto* x = t->get("dt")) level.step = positive(*x, "dt");
            } else {
                level.p = file_.number(entry, what);
            }
            all.push_back(level);
        }
        return all;
    }
    double positive(const toml::node& node, std::string_view what) const {
        const double x = file_.number(node, what);
        if (!(x > 0)) file_.reject(node, fmt::format("{} must be greater than 0", what));
        return x;
    }

    modal::ModeLevels mode(const toml::table& t) const {
        file_.only_keys(t, {"number", "stuck", "slip"});
        modal::ModeLevels m;
        m.mode = file_.whole(file_.required(t, "number"), "number", 1);
        for (const auto& [key, slipping] : {std::pair("slip", true), std::pair("stuck", false)})
            if (const auto* node = t.get(key))
                for (const modal::Level& level : levels(*node, key, slipping)) m.levels.push_back(level);
        if (m.levels.empty()) file_.reject(t, "a mode needs levels: stuck = [..] or slip = [..]");
        return m;
    }

    void impact(const toml::table& t, modal::Study& study) const {
        file_.only_keys(t, {"dofs", "outputs", "p", "pulse"});
        modal::Place place;
        place.levels = levels(file_.required(t, "p"), "p", false);
        place.pulse_mode = file_.whole(file_.required(t, "pulse"), "pulse", 1);
        if (!t.get("dofs") && !t.get("outputs")) file_.reject(t, "an impact needs dofs = [..] or outputs = [..]");
        if (const auto* dofs = t.get("dofs"))
            for (const auto& dof : list(*dofs, "dofs")) {
                place.dof = file_.whole(dof, "dofs", 1);
                study.places.push_back(place);
            }
        place.dof = 0;
        if (const auto* outputs = t.get("outputs"))
            for (const auto& output : list(*outputs, "outputs")) {
                place.output = file_.text(output, "outputs");
                study.places.push_back(place);
            }
    }
};

}  // namespace

ModalStudyFile read_modal_study(const std::string& path) { return ModalStudyReader(path).study(); }

}  // namespace faying::files
