#include "modal_iwan_input.hpp"

#include <fmt/format.h>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "faying/core/error.hpp"

namespace faying::app {

namespace {

class Reader {
 public:
    explicit Reader(const std::string& path) : path_(path) {
        std::ifstream file(path);
        if (!file) throw core::BadInput(path, "there is no such file");
        std::stringstream content;
        content << file.rdbuf();
        text_ = content.str();
        try {
            root_ = toml::parse(text_);
        } catch (const toml::parse_error& error) {
            throw core::BadInput(fmt::format("{}:{}: {}", path, error.source().begin.line, error.description()));
        }
    }

    ModalStudyFile study() {
        only_keys(root_, {"model", "ring_down", "mode", "impact"});
        ModalStudyFile file;
        file.text = text_;
        const auto model = required(root_, "model").value<std::string>();
        if (!model) complain(required(root_, "model"), "model must be the name of a model file");
        file.model = (std::filesystem::path(path_).parent_path() / *model).string();
        ring_down(table(required(root_, "ring_down"), "ring_down"), file.study);
        const auto* modes = required(root_, "mode").as_array();
        if (!modes || !modes->is_array_of_tables())
            complain(required(root_, "mode"), "modes are written as [[mode]] tables");
        for (const auto& entry : *modes) file.study.modes.push_back(mode(*entry.as_table()));
        if (const auto* impact = root_.get("impact")) impacts(table(*impact, "impact"), file.study);
        try {
            file.study.check();
        } catch (const core::BadInput& error) {
            throw core::BadInput(path_, error.what());
        }
        return file;
    }

 private:
    std::string path_, text_;
    toml::table root_;

    [[noreturn]] void complain(const toml::node& at, const std::string& what) const {
        throw core::BadInput(fmt::format("{}:{}: {}", path_, std::max(1u, unsigned(at.source().begin.line)), what));
    }
    void only_keys(const toml::table& table, std::initializer_list<std::string_view> allowed) const {
        std::string list;
        for (const auto name : allowed) list += (list.empty() ? "" : ", ") + std::string(name);
        for (const auto& [key, node] : table)
            if (std::find(allowed.begin(), allowed.end(), key.str()) == allowed.end())
                complain(node, fmt::format("unknown key '{}'; allowed are: {}", key.str(), list));
    }
    const toml::node& required(const toml::table& table, std::string_view key) const {
        const auto* node = table.get(key);
        if (!node) complain(table, fmt::format("'{}' is missing", key));
        return *node;
    }
    const toml::table& table(const toml::node& node, std::string_view what) const {
        const auto* t = node.as_table();
        if (!t) complain(node, fmt::format("{} must be a table", what));
        return *t;
    }
    double number(const toml::node& node, std::string_view what) const {
        const auto x = node.value<double>();
        if (!x || !std::isfinite(*x)) complain(node, fmt::format("{} must be a finite number", what));
        return *x;
    }
    int whole(const toml::node& node, std::string_view what) const {
        const double x = number(node, what);
        if (x != std::floor(x) || x < 1 || x > 1e6)
            complain(node, fmt::format("{} must be a whole number from 1", what));
        return int(x);
    }
    std::vector<double> numbers(const toml::node& node, std::string_view what) const {
        const auto* list = node.as_array();
        if (!list) complain(node, fmt::format("{} must be a list of numbers", what));
        std::vector<double> all;
        for (const auto& entry : *list) all.push_back(number(entry, what));
        return all;
    }

    void ring_down(const toml::table& t, modal::Study& study) const {
        only_keys(t, {"duration", "dt", "segments", "dropped", "tolerance", "method", "stiffness"});
        study.duration = number(required(t, "duration"), "duration");
        study.step = number(required(t, "dt"), "dt");
        if (const auto* node = t.get("segments")) study.segments = whole(*node, "segments");
        if (const auto* node = t.get("dropped")) study.dropped = number(*node, "dropped");
        if (const auto* node = t.get("tolerance")) study.tolerance = number(*node, "tolerance");
        if (const auto* node = t.get("method")) {
            const auto text = node->value_or(std::string());
            if (text != "events" && text != "newmark") complain(*node, "method must be \"events\" or \"newmark\"");
            study.method = text == "events" ? transient::Method::events : transient::Method::newmark;
        }
        if (const auto* node = t.get("stiffness")) {
            const auto text = node->value_or(std::string());
            if (text != "harmonic" && text != "secant") complain(*node, "stiffness must be \"harmonic\" or \"secant\"");
            study.fit.stiffness = text == "secant" ? modal::Stiffness::secant : modal::Stiffness::harmonic;
        }
    }

    modal::ModeLevels mode(const toml::table& t) const {
        only_keys(t, {"number", "stuck", "slip"});
        modal::ModeLevels m;
        m.mode = whole(required(t, "number"), "number");
        for (const auto& [key, slipping] : {std::pair("slip", true), std::pair("stuck", false)})
            if (const auto* node = t.get(key))
                for (const double p : numbers(*node, key)) m.levels.push_back({p, slipping});
        if (m.levels.empty()) complain(t, "a mode needs levels: stuck = [..] or slip = [..]");
        return m;
    }

    void impacts(const toml::table& t, modal::Study& study) const {
        only_keys(t, {"dofs", "p", "pulse"});
        for (const double dof : numbers(required(t, "dofs"), "dofs")) {
            if (dof != std::floor(dof) || dof < 1 || dof > 1e9)
                complain(required(t, "dofs"), "dofs are whole numbers from 1");
            study.points.push_back(int(dof));
        }
        study.impacts = numbers(required(t, "p"), "p");
        study.pulse_mode = whole(required(t, "pulse"), "pulse");
    }
};

}  // namespace

ModalStudyFile read_modal_study(const std::string& path) { return Reader(path).study(); }

}  // namespace faying::app
