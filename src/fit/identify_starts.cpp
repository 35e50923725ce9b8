// Where least squares begins: stiffness, slip force and dissipation read off the loop, one recipe a law.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "faying/fit/identify.hpp"
#include "faying/laws/catalogue.hpp"

namespace faying::fit {

namespace {

using Values = core::ParameterValues;
/// `known`: what the user holds or starts from.
using Recipe = std::vector<Values> (*)(const LoopFeatures&, const Values& known);

double known_or(const Values& known, const char* key, double otherwise) {
    const auto found = known.find(key);
    return found != known.end() ? found->second : otherwise;
}

/// What is left of the loop when a spring of the slip stiffness stands beside the law.
double stick(const LoopFeatures& s) { return std::max(s.stiffness - s.slip_stiffness, 0.05 * s.stiffness); }

std::vector<Values> jenkins(const LoopFeatures& s, const Values&) {
    return {{{"kt", s.stiffness}, {"fs", s.slip_force}}};
}

std::vector<Values> jenkins_prager(const LoopFeatures& s, const Values&) {
    return {{{"kt", stick(s)}, {"fs", s.slip_force}, {"kp", std::max(s.slip_stiffness, 1e-3 * s.stiffness)}}};
}

std::vector<Values> polynomial(const LoopFeatures& s, const Values&) {
    Values v;
    for (int j = 1; j <= 8; ++j) v[fmt::format("k{}", j)] = j == 1 ? s.force / s.amplitude : 0;
    return {v};
}

/// Contact laws at a constant normal displacement: friction force mu kn un.
std::vector<Values> dry_friction(const LoopFeatures& s, const Values& known) {
    const double kn = known_or(known, "kn", s.stiffness);
    const double un = known_or(known, "un", s.slip_force / kn / known_or(known, "mu", 1));
    return {{{"kt", s.stiffness}, {"mu", s.slip_force / (kn * un)}, {"kn", kn}, {"un", un}}};
}

std::vector<Values> contact_slider(const LoopFeatures& s, const Values&) {
    return {{{"kt", s.stiffness},
             {"fs", s.slip_force},
             {"kp", std::max(s.slip_stiffness, 1e-3 * s.stiffness)},
             {"kn", s.stiffness},
             {"un", s.amplitude}}};
}

/// In microslip the slip force is not seen: try greater ones too.
std::vector<Values> iwan(const LoopFeatures& s, const Values&) {
    const double seen = std::clamp(s.dissipation_slope - 3, -0.8, 1.0);
    std::vector<Values> all;
    // With theta < 1 the slip force is theta FS.
    for (const double slip : {1.05 * s.force, s.slip_force / 0.75, 2.5 * s.force})
        for (const double chi : {seen, -0.5, 0.3})
            for (const double beta : {0.2, 2.0})
                for (const double theta : {0.9, 0.6})
                    all.push_back({{"FS", slip}, {"KT", s.stiffness}, {"chi", chi}, {"beta", beta}, {"theta", theta}});
    return all;
}

std::vector<Values> equal_sliders(const LoopFeatures& s, const Values&) {
    std::vector<Values> all;
    for (const double phi : {2.0, 6.0}) all.push_back({{"k", s.stiffness}, {"phi_max", phi * s.force / s.stiffness}});
    return all;
}

/// On loading df/du = A - (alpha - beta) f^n, so that the slip force is (A/(alpha - beta))^(1/n).
std::vector<Values> bouc_wen(const LoopFeatures& s, const Values& known) {
    std::vector<Values> all;
    for (const double n : {known_or(known, "n", 1), known_or(known, "n", 2)})
        for (const double ratio : {0.0, -0.6, 0.6}) {
            const double eta = s.stiffness / std::pow(s.force, n);
            all.push_back({{"A", s.stiffness},
                           {"eta", eta},
                           {"alpha", eta / (1 - ratio)},
                           {"beta", ratio * eta / (1 - ratio)},
                           {"n", n}});
        }
    return all;
}

std::vector<Values> valanis(const LoopFeatures& s, const Values&) {
    std::vector<Values> all;
    for (const double kappa : {0.1, 0.6, 0.9}) {
        const double Et = std::clamp(s.slip_stiffness, 1e-3 * s.stiffness, 0.8 * s.stiffness);
        const double lambda = s.stiffness / (s.slip_force * (1 - kappa * Et / s.stiffness));
        all.push_back({{"E0", s.stiffness}, {"Et", Et}, {"lambda", lambda}, {"kappa", kappa}});
    }
    return all;
}

/// f = (1 + ks - |b|^2/alpha) u + b.z/alpha with |z| about 1 in slip; b1 : b2 as in one-bolt lap joints.
std::vector<Values> two_state(const LoopFeatures& s, const Values&) {
    std::vector<Values> all;
    for (const double sigma : {1.0 / 16, 0.3})
        for (const double share : {0.597, 0.9}) {
            const double b = stick(s) / s.slip_force;
            all.push_back({{"alpha", b / s.slip_force},
                           {"sigma", sigma},
                           {"b1", b * share},
                           {"b2", b * std::sqrt(1 - share * share)},
                           {"ks", s.stiffness - 1},
                           {"mu", 1}});
        }
    return all;
}

/// D = 2 beta K0/(K0 + 2) A^2
std::vector<Values> pinched(const LoopFeatures& s, const Values&) {
    std::vector<Values> all;
    for (const double K0 : {1.0, 5.0})
        all.push_back({{"K0", K0},
                       {"theta_m", s.force / s.amplitude},
                       {"beta", std::max(s.dissipation, 1e-3 * s.force * s.amplitude) * (K0 + 2) /
                                    (2 * K0 * s.amplitude * s.amplitude)},
                       {"eps", 1e-3 * s.amplitude}});
    return all;
}

/// D = 2 k eta A^2, greatest force k (1 + eta) A
std::vector<Values> reid(const LoopFeatures& s, const Values&) {
    const double product = s.dissipation / (2 * s.amplitude * s.amplitude);
    const double k = std::max(s.force / s.amplitude - product, 0.1 * s.force / s.amplitude);
    return {{{"k", k}, {"eta", std::clamp(product / k, 0.01, 0.99)}}};
}

std::vector<Values> spring(const LoopFeatures& s, const Values&) {
    return {{{"kp", std::max(s.slip_stiffness, 1e-3 * s.stiffness)}}};
}

Recipe recipe_of(const std::string& key) {
    static const std::map<std::string, Recipe> recipes{{"jenkins", jenkins},
                                                       {"jenkins-prager", jenkins_prager},
                                                       {"prager", jenkins_prager},
                                                       {"polynomial", polynomial},
                                                       {"elastic-dry-friction", dry_friction},
                                                       {"elastic-dry-friction-linear", dry_friction},
                                                       {"jenkins-2d", contact_slider},
                                                       {"jenkins-2d-penalty", contact_slider},
                                                       {"jenkins-prager-2d", contact_slider},
                                                       {"jenkins-prager-2d-penalty", contact_slider},
                                                       {"iwan4", iwan},
                                                       {"iwan5", iwan},
                                                       {"iwan5-stiction", iwan},
                                                       {"iwan4-sliders", iwan},
                                                       {"equal-sliders", equal_sliders},
                                                       {"bouc-wen", bouc_wen},
                                                       {"bouc-wen-masing", bouc_wen},
                                                       {"valanis", valanis},
                                                       {"valanis-masing", valanis},
                                                       {"two-state", two_state},
                                                       {"two-state-increment", two_state},
                                                       {"two-state-patched", two_state},
                                                       {"pinched", pinched},
                                                       {"reid", reid},
                                                       {"kp", spring}};
    const auto found = recipes.find(key);
    return found == recipes.end() ? nullptr : found->second;
}

struct Part {
    std::string key;
    std::vector<core::ParameterInfo> parameters;  ///< under the part's own names
};

std::vector<Part> parts_of(const std::string& name) {
    std::vector<Part> parts;
    for (std::size_t from = 0; from <= name.size();) {
        const std::size_t plus = std::min(name.find('+', from), name.size());
        const std::string key = name.substr(from, plus - from);
        if (key == "kp" && from > 0)
            parts.push_back(
                {key, {{"kp", "k_p", "N/m", core::non_negative, core::Scale::logarithmic, "post-slip stiffness", {}}}});
        else
            parts.push_back({key, laws::find_law(key).info.parameters});
        from = plus + 1;
    }
    return parts;
}

/// As laws::Law names it: bare, or with the number of the part in front where two parts share the key.
std::string full_name(const std::vector<Part>& parts, std::size_t part, const std::string& key) {
    int owners = 0;
    for (const auto& p : parts)
        owners += int(std::count_if(p.parameters.begin(), p.parameters.end(), [&](auto& i) { return i.key == key; }));
    return owners > 1 ? fmt::format("{}.{}", part + 1, key) : key;
}

}  // namespace

std::vector<core::ParameterInfo> parameters_of(const std::string& law) {
    const auto parts = parts_of(law);
    std::vector<core::ParameterInfo> all;
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (auto info : parts[i].parameters) {
            info.key = full_name(parts, i, info.key);
            all.push_back(std::move(info));
        }
    return all;
}

std::vector<Values> suggested_starts(const std::string& law, const LoopFeatures& seen, const Values& known) {
    const auto parts = parts_of(law);
    std::vector<Values> all{{}};
    LoopFeatures share = seen;
    if (parts.size() > 1) {
        // Springs beside take the slip stiffness; several friction laws share the force.
        const auto springs = std::count_if(parts.begin(), parts.end(),
                                           [](const Part& p) { return p.key == "kp" || p.key == "polynomial"; });
        const double others = double(std::max<long>(1, long(parts.size()) - springs));
        if (springs > 0) {
            share.force = std::max(seen.force - seen.slip_stiffness * seen.amplitude, 0.1 * seen.force) / others;
            share.stiffness = stick(seen) / others;
        }
        share.slip_force = seen.slip_force / others;
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Recipe recipe = recipe_of(parts[i].key);
        if (!recipe) continue;
        Values own;
        for (const auto& info : parts[i].parameters)
            if (known.contains(full_name(parts, i, info.key))) own[info.key] = known.at(full_name(parts, i, info.key));
        std::vector<Values> extended;
        for (const auto& before : all)
            for (const auto& values : recipe(parts[i].key == "kp" ? seen : share, own)) {
                Values start = before;
                for (const auto& info : parts[i].parameters)
                    if (values.contains(info.key)) start[full_name(parts, i, info.key)] = values.at(info.key);
                if (std::find(extended.begin(), extended.end(), start) == extended.end()) extended.push_back(start);
            }
        all = std::move(extended);
    }
    return all;
}

}  // namespace faying::fit
