// Boxes that are searched, and models at a point of them.

#include "faying/study/variants.hpp"

#include <ceres/jet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "published_variants.hpp"

namespace faying::study {

using core::BadInput;
using core::Scale;

namespace {

/// Usual search range of a parameter, whatever the law (per square metre; [S0] Appendix A and a decade or two around).
struct Usual {
    std::string_view key;
    double low, high;
    Scale scale;
    const char *symbol, *unit;
};
constexpr Usual usual_ranges[] = {
    {"fs", 1e4, 3e7, Scale::logarithmic, "f_s/A", "N/m²"},
    {"FS", 1e4, 3e7, Scale::logarithmic, "F_S/A", "N/m²"},
    {"kt", 1e11, 1e16, Scale::logarithmic, "k_t/A", "N/m³"},
    {"KT", 1e11, 1e16, Scale::logarithmic, "K_T/A", "N/m³"},
    {"A", 1e11, 1e16, Scale::logarithmic, "A/A", "N/m³"},
    {"E0", 1e11, 1e16, Scale::logarithmic, "E_0/A", "N/m³"},
    {"kp", 1e8, 1e13, Scale::logarithmic, "k_p/A", "N/m³"},
    {"Et", 1e8, 1e12, Scale::logarithmic, "E_t/A", "N/m³"},
    {"kn", 1e11, 1e15, Scale::logarithmic, "k_n/A", "N/m³"},
    {"mu", 0.02, 3, Scale::linear, "μ", ""},
    {"chi", -0.99, 1, Scale::linear, "χ", ""},
    {"beta", 1e-6, 30, Scale::logarithmic, "β", ""},
    {"theta", 0.5, 1, Scale::linear, "θ", ""},
    {"n", 0.3, 2.5, Scale::linear, "n", ""},
    {"kappa", 0, 0.9, Scale::linear, "κ", ""},
    {"beta/alpha", -0.95, 0.95, Scale::linear, "β/α", ""},
};

const Usual* usual(std::string_view key) {
    for (const auto& u : usual_ranges)
        if (u.key == key) return &u;
    return nullptr;
}

enum class Form { plain, bouc_wen, bouc_wen_masing, valanis };

Form form_of(const Variant& v) {
    if (v.law.starts_with("bouc-wen-masing")) return Form::bouc_wen_masing;
    if (v.law.starts_with("bouc-wen")) return Form::bouc_wen;
    if (v.law.starts_with("valanis")) return Form::valanis;
    return Form::plain;
}

/// From what is searched to what the law takes.
template <class T>
std::vector<std::pair<std::string, T>> transformed(const Variant& v, std::vector<std::pair<std::string, T>> x) {
    const auto take = [&](std::string_view key) {
        const auto found = std::find_if(x.begin(), x.end(), [&](const auto& p) { return p.first == key; });
        if (found == x.end()) throw BadInput(v.name, fmt::format("parameter '{}' has neither range nor value", key));
        T value = found->second;
        x.erase(found);
        return value;
    };
    const auto read = [&](std::string_view key) {
        T value = take(key);
        x.emplace_back(key, value);
        return value;
    };
    using std::pow;
    switch (form_of(v)) {
        case Form::plain: break;
        case Form::bouc_wen_masing: {
            const T saturated = take("fs");
            x.emplace_back("eta", read("A") / pow(saturated, read("n")));
            break;
        }
        case Form::bouc_wen: {
            const T saturated = take("fs"), ratio = take("beta/alpha");
            const T alpha = read("A") / (pow(saturated, read("n")) * (1.0 - ratio));
            x.emplace_back("alpha", alpha);
            x.emplace_back("beta", ratio * alpha);
            break;
        }
        case Form::valanis: {
            const T saturated = take("fs");
            x.emplace_back("lambda", read("E0") / saturated);
            break;
        }
    }
    return x;
}

std::vector<core::ParameterInfo> table_of(const Variant& v) {
    if (v.contact) {
        for (const auto& entry : laws::contact_catalogue())
            if (entry.info.key == v.law) return entry.info.parameters;
        throw BadInput(v.name, fmt::format("this program has no contact law '{}'", v.law));
    }
    std::vector<core::ParameterInfo> table;
    std::string_view rest = v.law;
    while (!rest.empty()) {
        const auto plus = rest.find('+');
        const std::string part(rest.substr(0, plus));
        rest = plus == std::string_view::npos ? std::string_view{} : rest.substr(plus + 1);
        if (part == "kp")
            table.push_back({"kp", "k_p", "N/m", core::non_negative, Scale::logarithmic, "post-slip stiffness", {}});
        else
            for (const auto& info : laws::find_law(part).info.parameters) table.push_back(info);
    }
    return table;
}

/// Keys that may be searched or fixed.
std::vector<std::string> keys_of(const Variant& v) {
    std::vector<std::string> keys;
    for (const auto& info : table_of(v)) keys.push_back(info.key);
    const auto replace = [&](std::string_view old, std::initializer_list<const char*> by) {
        std::erase(keys, old);
        for (const char* key : by)
            if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.emplace_back(key);
    };
    if (form_of(v) == Form::bouc_wen_masing) replace("eta", {"fs"});
    if (form_of(v) == Form::valanis) replace("lambda", {"fs"});
    if (form_of(v) == Form::bouc_wen) {
        replace("alpha", {"fs"});
        replace("beta", {"beta/alpha"});
    }
    if (!v.contact) replace("", {"kn"});
    return keys;
}

void require_key(const Variant& v, const std::string& key) {
    const auto keys = keys_of(v);
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
        throw BadInput(v.name,
                       fmt::format("law {} has no parameter '{}'; allowed are: {}", v.law, key, fmt::join(keys, ", ")));
}

/// Axes and fixed values of a published variant: fixed where both ends are the same.
void set_axes(Variant& v) {
    for (const auto& key : keys_of(v)) {
        const auto range =
            std::find_if(v.published.begin(), v.published.end(), [&](const auto& r) { return r.key == key; });
        if (range != v.published.end() && range->low == range->high)
            v.fixed[key] = range->logarithmic ? std::pow(10.0, range->low) : range->low;
        else if (const auto* u = usual(key))
            v.axes.push_back({key, {u->low, u->high}, u->scale});
    }
}

}  // namespace

const std::vector<Variant>& all26() {
    static const std::vector<Variant> all = [] {
        auto list = published_variants();
        for (auto& v : list) set_axes(v);
        return list;
    }();
    return all;
}

const Variant& find_variant(const std::string& name) {
    std::vector<std::string> names;
    for (const auto& v : all26()) {
        if (v.name == name) return v;
        names.push_back(v.name);
    }
    throw BadInput(fmt::format("unknown variant '{}'; allowed are: {}", name, fmt::join(names, ", ")));
}

Variant variant_of_law(const std::string& name, const std::string& law, bool full, modes::Framework framework) {
    Variant v;
    v.name = name;
    v.title = name;
    v.full = full;
    v.framework = framework;
    v.law = law;
    v.contact = laws::is_contact_law(law);
    if (full && !v.contact)
        throw BadInput(name, fmt::format("law '{}' is not a contact law, which a full joint needs", law));
    set_axes(v);
    return v;
}

void set_range(Variant& v, const std::string& key, fit::Range range) {
    require_key(v, key);
    v.fixed.erase(key);
    const auto* u = usual(key);
    const Scale scale = u && u->scale == Scale::linear ? Scale::linear
                        : range.lower > 0              ? Scale::logarithmic
                                                       : Scale::linear;
    const auto at = std::find_if(v.axes.begin(), v.axes.end(), [&](const auto& a) { return a.key == key; });
    if (at != v.axes.end())
        *at = {key, range, scale};
    else
        v.axes.push_back({key, range, scale});
}

void set_fixed(Variant& v, const std::string& key, double value) {
    require_key(v, key);
    std::erase_if(v.axes, [&](const auto& a) { return a.key == key; });
    v.fixed[key] = value;
}

AxisLabel label_of(const std::string& key) {
    const auto* u = usual(key);
    return u ? AxisLabel{u->symbol, u->unit} : AxisLabel{key, ""};
}

core::ParameterValues law_values(const Variant& v, const std::vector<double>& values) {
    std::vector<std::pair<std::string, double>> x;
    for (const auto& [key, value] : v.fixed) x.emplace_back(key, value);
    for (std::size_t i = 0; i < v.axes.size(); ++i) x.emplace_back(v.axes[i].key, values.at(i));
    core::ParameterValues law;
    for (auto& [key, value] : transformed(v, std::move(x))) law[key] = value;
    return law;
}

LawValues law_values_with_slopes(const Variant& v, const std::vector<double>& values) {
    constexpr int most = 8;
    using Jet = ceres::Jet<double, most>;
    if (v.axes.size() > most) throw BadInput(v.name, fmt::format("at most {} parameters can be searched", most));
    std::vector<std::pair<std::string, Jet>> x;
    for (const auto& [key, value] : v.fixed) x.emplace_back(key, Jet(value));
    for (std::size_t i = 0; i < v.axes.size(); ++i) x.emplace_back(v.axes[i].key, Jet(values.at(i), int(i)));
    const auto law = transformed(v, std::move(x));
    LawValues out;
    out.values.resize(Eigen::Index(law.size()));
    out.slopes.resize(Eigen::Index(law.size()), Eigen::Index(v.axes.size()));
    for (std::size_t k = 0; k < law.size(); ++k) {
        out.keys.push_back(law[k].first);
        out.values(Eigen::Index(k)) = law[k].second.a;
        out.slopes.row(Eigen::Index(k)) = law[k].second.v.head(Eigen::Index(v.axes.size())).transpose();
    }
    return out;
}

core::ParameterValues draw(const Variant& v, std::mt19937_64* random) {
    core::ParameterValues values;
    for (const auto& r : v.published) {
        const double share = random ? double((*random)() >> 11) * 0x1.0p-53 : 0.5;
        const double x = r.low + share * (r.high - r.low);
        values[r.key] = r.logarithmic ? std::pow(10.0, x) : x;
    }
    if (values.contains("beta") && values.contains("alpha")) values["beta"] *= values["alpha"];
    values.insert(v.fixed.begin(), v.fixed.end());
    return values;
}

structure::Model model_of(const Variant& v, const structure::Reduced& reduced, core::ParameterValues law,
                          const std::map<std::string, double>& loads) {
    auto model = structure::bare_model(reduced, loads);
    if (v.contact) {
        auto contact = laws::Law::contact(v.law, law);
        model.joints = {v.full ? structure::joint_on_interface(reduced, "interface", contact, "")
                               : structure::joint_on_patches(reduced, "patches", contact, {"all"}, "", true)};
        return model;
    }
    const double kn = law.at("kn");
    law.erase("kn");
    model.joints = {
        structure::joint_on_patches(reduced, "tangential", laws::Law(v.law, law), {"all"}, "tangential", true),
        structure::joint_on_patches(reduced, "normal", laws::Law("polynomial", {{"k1", kn}}), {"all"}, "normal", true)};
    return model;
}

modes::BackboneOptions backbone_options(const Variant& v) {
    modes::BackboneOptions o;
    o.framework = v.framework;
    o.prestress = v.conservative ? modes::Friction::conservative : modes::Friction::active;
    if (v.contact && v.framework == modes::Framework::masing) o.dissipation = modes::Dissipation::modal;
    return o;
}

void check_law(const Variant& v) {
    for (const auto& axis : v.axes) require_key(v, axis.key);
    for (const auto& [key, value] : v.fixed) require_key(v, key);
    for (const auto& info : table_of(v)) {
        if (info.fallback || info.key == "eta" || info.key == "alpha" || info.key == "lambda") continue;
        const std::string key = info.key == "beta" && form_of(v) == Form::bouc_wen ? "beta/alpha" : info.key;
        const bool searched = std::any_of(v.axes.begin(), v.axes.end(), [&](const auto& a) { return a.key == key; });
        if (!searched && !v.fixed.contains(key))
            throw BadInput(v.name, fmt::format("parameter '{}' of {} has neither range nor value", key, v.law));
    }
}

}  // namespace faying::study
