// Boxes that are searched, and models at a point of them.

#include "faying/study/variants.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "faying/core/error.hpp"
#include "faying/laws/catalogue.hpp"
#include "faying/laws/searched.hpp"
#include "published_variants.hpp"

namespace faying::study {

using core::BadInput;
using core::Scale;

namespace {

/// Range of the normal spring that stands beside a law of one displacement ([S0] Appendix A and a decade around).
core::ParameterInfo normal_stiffness() {
    return {
        "kn", "k_n", "N/m", core::positive, Scale::logarithmic, "normal stiffness", {}, core::SearchRange{1e11, 1e15}};
}

/// From what is searched to what the law takes.
template <class T>
std::vector<std::pair<std::string, T>> transformed(const Variant& v, std::vector<std::pair<std::string, T>> x) {
    return laws::from_search<T>(v.name, laws::searched_parts(v.law, v.contact ? 3 : 1), std::move(x));
}

/// What may be searched or fixed: parameters, then what stands for the others, then the normal spring.
std::vector<core::ParameterInfo> searchable(const Variant& v) {
    auto all = laws::searchable(v.law, v.contact ? 3 : 1);
    const bool has_normal = std::any_of(all.begin(), all.end(), [](const auto& info) { return info.key == "kn"; });
    if (!v.contact && !has_normal) all.push_back(normal_stiffness());
    return all;
}

std::vector<std::string> keys_of(const Variant& v) {
    std::vector<std::string> keys;
    for (const auto& info : searchable(v)) keys.push_back(info.key);
    return keys;
}

std::optional<core::ParameterInfo> find_searchable(const Variant& v, const std::string& key) {
    for (auto& info : searchable(v))
        if (info.key == key) return info;
    return std::nullopt;
}

void require_key(const Variant& v, const std::string& key) {
    const auto keys = keys_of(v);
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
        throw BadInput(v.name,
                       fmt::format("law {} has no parameter '{}'; allowed are: {}", v.law, key, fmt::join(keys, ", ")));
}

/// A symbol as a page writes it, for a quantity per area: "f_s/A", "χ".
std::string per_area_symbol(const core::ParameterInfo& info) {
    static constexpr std::pair<std::string_view, std::string_view> greek[] = {
        {"\\alpha", "α"}, {"\\beta", "β"},  {"\\chi", "χ"}, {"\\eta", "η"},   {"\\kappa", "κ"},  {"\\lambda", "λ"},
        {"\\mu", "μ"},    {"\\sigma", "σ"}, {"\\phi", "φ"}, {"\\theta", "θ"}, {"\\epsilon", "ε"}};
    std::string text = info.symbol;
    for (const auto& [tex, letter] : greek)
        for (auto at = text.find(tex); at != std::string::npos; at = text.find(tex))
            text.replace(at, tex.size(), letter);
    return text + (info.unit.starts_with("N") ? "/A" : "");
}

/// Of a quantity with N to the first power, per square metre.
std::string per_area_unit(const std::string& unit) {
    return unit == "N" ? "N/m²" : unit == "N/m" ? "N/m³" : unit.starts_with("N") ? unit + "/m²" : unit;
}

/// Axes and fixed values of a published variant: fixed where both ends are the same.
void set_axes(Variant& v) {
    for (const auto& info : searchable(v)) {
        const auto range =
            std::find_if(v.published.begin(), v.published.end(), [&](const auto& r) { return r.key == info.key; });
        if (range != v.published.end() && range->low == range->high)
            v.fixed[info.key] = range->logarithmic ? std::pow(10.0, range->low) : range->low;
        else if (info.search)
            v.axes.push_back({info.key, {info.search->low, info.search->high}, info.scale});
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
    const auto info = find_searchable(v, key);
    const bool linear = info && info->search && info->scale == Scale::linear;
    const Scale scale = !linear && range.lower > 0 ? Scale::logarithmic : Scale::linear;
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

AxisLabel label_of(const Variant& v, const std::string& key) {
    const auto info = find_searchable(v, key);
    if (!info || !info->search) return {key, ""};
    return {per_area_symbol(*info), per_area_unit(info->unit)};
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
    constexpr int most = laws::most_searched;
    using Jet = laws::SearchDual;
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
        auto contact = laws::Law(v.law, law);
        model.joints = {v.full ? structure::joint_on_interface(reduced, "interface", contact, "")
                               : structure::joint_on_patches(reduced, "patches", contact, {"all"}, "", true)};
        return model;
    }
    const double kn = law.at("kn");
    law.erase("kn");
    model.joints = {
        structure::joint_on_patches(reduced, "tangential", laws::Law(v.law, law), {"all"}, "tangential", true),
        structure::joint_on_patches(reduced, "normal", linear_spring(kn), {"all"}, "normal", true)};
    return model;
}

laws::Law linear_spring(double stiffness) { return laws::Law("polynomial", {{spring_stiffness, stiffness}}); }

std::string searched_key(const structure::Joint& joint, std::size_t parameter) {
    const auto& key = joint.law.parameters()[parameter].key;
    if (!joint.normal) return key;
    return key == spring_stiffness ? "kn" : "";
}

std::string_view framework_of(const Variant& v) {
    return v.analysis.epmc ? "epmc" : v.framework == modes::Framework::masing ? "masing" : "loops";
}

modes::BackboneOptions backbone_options(const Variant& v) {
    modes::BackboneOptions o;
    o.framework = v.analysis.epmc ? modes::Framework::loops : v.framework;
    o.prestress = v.conservative && !v.analysis.epmc ? modes::Friction::conservative : modes::Friction::active;
    if (v.contact && o.framework == modes::Framework::masing) o.dissipation = modes::Dissipation::modal;
    return o;
}

void check_law(const Variant& v) {
    for (const auto& axis : v.axes) require_key(v, axis.key);
    for (const auto& [key, value] : v.fixed) require_key(v, key);
    for (const auto& info : searchable(v)) {
        if (info.fallback) continue;
        const bool searched =
            std::any_of(v.axes.begin(), v.axes.end(), [&](const auto& a) { return a.key == info.key; });
        if (!searched && !v.fixed.contains(info.key))
            throw BadInput(v.name, fmt::format("parameter '{}' of {} has neither range nor value", info.key, v.law));
    }
}

}  // namespace faying::study
