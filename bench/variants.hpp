#pragma once
// The 26 law and interface variants of [S0] (Table 1, section 4), with the parameter ranges of its Appendix A (Pareto
// optimal sets, per square metre) and the seconds its Table 10 gives for one backbone.

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "faying/modes/backbone.hpp"
#include "faying/structure/reduced.hpp"

namespace faying::bench {

struct Range {
    std::string key;
    double low, high;
    bool logarithmic = true;  ///< ends are powers of ten
};

struct Variant {
    std::string name;
    bool full = false;  ///< every quadrature point, else five patches
    modes::Framework framework = modes::Framework::masing;
    std::string law;
    std::vector<Range> ranges;  ///< of the law; "kn" is the normal spring's where the law has none
    double published = 0;       ///< seconds, [S0] Table 10
    bool contact = false;
    bool conservative = false;  ///< prestress, [S0] Table 6
    bool viscous = true;
};

inline std::vector<Variant> variants() {
    using modes::Framework;
    const auto m = Framework::masing, l = Framework::loops;
    const auto linear = [](std::string key, double low, double high) {
        return Range{std::move(key), low, high, false};
    };
    return {
        {"Jenkins", false, m, "jenkins", {{"fs", 5.21, 5.29}, {"kt", 12.76, 17.24}, {"kn", 11.32, 17.76}}, 0.10},
        {"elastic dry friction",
         false,
         m,
         "elastic-dry-friction-decoupled",
         {linear("mu", 0.75, 2.07), {"kt", 12.38, 14.37}, {"kn", 12.28, 12.33}},
         3.5,
         true},
        {"Prager",
         false,
         m,
         "prager",
         {{"fs", 5.25, 5.26}, {"kt", 18.5, 18.5}, {"kp", 11.52, 11.63}, {"kn", 12.35, 12.36}},
         0.14},
        {"generalized Jenkins-Prager",
         false,
         m,
         "jenkins-prager",
         {{"fs", 4.58, 5.16}, {"kt", 11.66, 12.79}, {"kp", 11.12, 11.38}, {"kn", 12.12, 18.51}},
         0.10},
        {"Iwan-4",
         false,
         m,
         "iwan4",
         {{"FS", 4.94, 5.30},
          {"KT", 11.72, 13.10},
          linear("chi", -0.84, 0.09),
          {"beta", -6.53, -3.31},
          {"kn", 16.29, 19.17}},
         0.17},
        {"Iwan-5",
         false,
         m,
         "iwan5",
         {{"FS", 4.85, 5.30},
          {"KT", 11.57, 13.07},
          linear("chi", -0.82, 0.17),
          {"beta", -4.84, -2.87},
          linear("theta", 0.88, 1.0),
          {"kn", 13.91, 18.40}},
         0.17},
        {"Iwan-4 + kp",
         false,
         m,
         "iwan4+kp",
         {{"FS", 5.02, 5.30},
          {"KT", 12.11, 13.11},
          linear("chi", -0.84, 0.0),
          {"beta", -3.76, -1.47},
          {"kp", 3.83, 11.07},
          {"kn", 14.51, 18.50}},
         0.17},
        {"Bouc-Wen general",
         false,
         m,
         "bouc-wen-masing",
         {{"A", 12.60, 12.94}, {"eta", 6.92, 10.29}, linear("n", 0.50, 1.08), {"kn", 15.97, 18.27}},
         0.45},
        {"Bouc-Wen n=1",
         false,
         m,
         "bouc-wen-masing",
         {{"A", 12.67, 12.84}, {"eta", 7.39, 7.55}, linear("n", 1, 1), {"kn", 16.18, 18.54}},
         0.16},
        {"Bouc-Wen n=2",
         false,
         m,
         "bouc-wen-masing",
         {{"A", 11.53, 12.78}, {"eta", 1.81, 2.25}, linear("n", 2, 2), {"kn", 17.64, 19.33}},
         0.15},
        {"Bouc-Wen n=1 + kp",
         false,
         m,
         "bouc-wen-masing+kp",
         {{"A", 12.68, 12.83}, {"eta", 7.40, 7.55}, linear("n", 1, 1), {"kp", 10.14, 10.59}, {"kn", 13.43, 18.60}},
         0.16},
        {"Valanis",
         false,
         m,
         "valanis-masing",
         {{"E0", 12.66, 12.82},
          {"Et", 5.76, 10.58},
          {"lambda", 7.38, 7.53},
          linear("kappa", 0.0, 0.01),
          {"kn", 18.16, 19.88}},
         0.55},

        {"Jenkins", false, l, "jenkins", {{"fs", 5.18, 5.28}, {"kt", 12.67, 13.63}, {"kn", 11.27, 16.92}}, 0.44},
        {"elastic dry friction",
         false,
         l,
         "elastic-dry-friction-decoupled",
         {linear("mu", 0.84, 1.03), {"kt", 13.83, 14.96}, {"kn", 12.29, 12.31}},
         740,
         true},
        {"Bouc-Wen n=1",
         false,
         l,
         "bouc-wen",
         {{"A", 12.64, 12.82},
          {"alpha", 7.11, 7.28},
          linear("beta", -0.89, -0.35),
          linear("n", 1, 1),
          {"kn", 13.96, 14.88}},
         4.3,
         false,
         true},
        {"Bouc-Wen n=1 + kp",
         false,
         l,
         "bouc-wen+kp",
         {{"A", 12.62, 12.82},
          {"alpha", 7.09, 7.29},
          linear("beta", -0.77, -0.37),
          linear("n", 1, 1),
          {"kp", 8.48, 10.26},
          {"kn", 13.82, 14.84}},
         3.8,
         false,
         true},
        {"Valanis",
         false,
         l,
         "valanis",
         {{"E0", 12.62, 12.81},
          {"Et", 8.65, 11.04},
          {"lambda", 7.30, 7.58},
          linear("kappa", 0.01, 0.34),
          {"kn", 13.51, 19.5}},
         44,
         false,
         true},

        {"Iwan-4, no viscous",
         false,
         m,
         "iwan4",
         {{"FS", 5.28, 5.32},
          {"KT", 13.19, 15.64},
          linear("chi", -0.995, -0.88),
          {"beta", -20, -3.79},
          {"kn", 13.32, 18.42}},
         0.15,
         false,
         false,
         false},
        {"Bouc-Wen n=1, no viscous",
         false,
         l,
         "bouc-wen",
         {{"A", 12.77, 12.84},
          {"alpha", 7.58, 8.43},
          linear("beta", 0.08, 0.91),
          linear("n", 1, 1),
          {"kn", 13.18, 14.72}},
         9.3,
         false,
         true,
         false},
        {"Bouc-Wen n=1 + kp, no viscous",
         false,
         l,
         "bouc-wen+kp",
         {{"A", 12.77, 12.86},
          {"alpha", 7.82, 8.49},
          linear("beta", 0.45, 0.91),
          linear("n", 1, 1),
          {"kp", 6.04, 10.14},
          {"kn", 12.87, 14.75}},
         8.1,
         false,
         true,
         false},
        {"Valanis, no viscous",
         false,
         l,
         "valanis",
         {{"E0", 12.10, 12.85},
          {"Et", 10.96, 11.76},
          {"lambda", 7.13, 7.83},
          linear("kappa", 0.0, 0.06),
          {"kn", 14.18, 21.31}},
         86,
         false,
         true,
         false},

        {"Jenkins", true, l, "jenkins-2d", {{"fs", 5.28, 5.43}, {"kt", 15.12, 15.52}, {"kn", 10.77, 11.92}}, 170, true},
        {"generalized Jenkins-Prager",
         true,
         l,
         "jenkins-prager-2d",
         {{"fs", 5.27, 5.40}, {"kt", 14.91, 15.63}, {"kp", 9.03, 11.23}, {"kn", 10.79, 11.92}},
         170,
         true},
        {"generalized Jenkins-Prager + penalty",
         true,
         l,
         "jenkins-prager-2d-penalty",
         {{"fs", 5.30, 5.70}, {"kt", 13.28, 15.52}, {"kp", 7.43, 10.76}, {"kn", 11.78, 13.16}},
         150,
         true},
        {"elastic dry friction",
         true,
         l,
         "elastic-dry-friction",
         {linear("mu", 0.65, 1.47), {"kt", 13.93, 15.26}, {"kn", 11.74, 11.78}},
         81,
         true},
        {"elastic dry friction + kp",
         true,
         l,
         "elastic-dry-friction+kp",
         {linear("mu", 0.67, 1.57), {"kt", 13.75, 15.5}, {"kp", 0.0, 7.90}, {"kn", 11.73, 11.78}},
         74,
         true},
    };
}

/// A parameter set, uniformly within the ranges; `where` in [0, 1] for all of them at once (0.5: the middle), or
/// random.
inline core::ParameterValues draw(const Variant& v, std::mt19937_64* random) {
    core::ParameterValues values;
    for (const auto& r : v.ranges) {
        const double share = random ? double((*random)() >> 11) * 0x1.0p-53 : 0.5;
        const double x = r.low + share * (r.high - r.low);
        values[r.key] = r.logarithmic ? std::pow(10.0, x) : x;
    }
    if (values.contains("beta") && values.contains("alpha")) values["beta"] *= values["alpha"];
    return values;
}

/// The variant on a reduced model.
inline structure::Model make(const Variant& v, const structure::Reduced& reduced, core::ParameterValues values,
                             double preload = 12845.0) {
    auto model = structure::bare_model(reduced, {{"preload", preload}});
    if (v.viscous) model.damping_ratio = 1e-4;
    if (v.contact) {
        auto law = laws::Law::contact(v.law, values);
        model.joints = {v.full ? structure::joint_on_interface(reduced, "interface", law, "")
                               : structure::joint_on_patches(reduced, "patches", law, {"all"}, "", true)};
        return model;
    }
    const double kn = values.at("kn");
    values.erase("kn");
    model.joints = {
        structure::joint_on_patches(reduced, "tangential", laws::Law(v.law, values), {"all"}, "tangential", true),
        structure::joint_on_patches(reduced, "normal", laws::Law("polynomial", {{"k1", kn}}), {"all"}, "normal", true)};
    return model;
}

inline modes::BackboneOptions options_of(const Variant& v) {
    modes::BackboneOptions o;
    o.framework = v.framework;
    o.prestress = v.conservative ? modes::Friction::conservative : modes::Friction::active;
    if (v.contact && v.framework == modes::Framework::masing) o.dissipation = modes::Dissipation::modal;
    return o;
}

}  // namespace faying::bench
