#pragma once
// A finite set of Jenkins sliders in parallel: the textbook way to compute an Iwan law, kept for comparison and for
// [S3] chapter 3, whose law *is* a set of 500 equal sliders. Each slider is a play operator,
//
//     z_j <- clip(z_j, u - phi_j, u + phi_j),   f = Sum_j k_j (u - z_j),
//
// exact for any straight path.
//
// `iwan4-sliders` bins the Segalman density: edges e_j = phi_max (r^j - 1)/(r^N - 1) (r = 1: uniform), stiffness and
// slip force of each bin integrated exactly, so that Sum k = KT and Sum k phi = FS; one more slider holds the delta.
// Uniform bins cannot resolve microslip: with 200 of them damping is 26 % wrong at small amplitude ([S2] setting).

#include <algorithm>
#include <cmath>
#include <vector>

#include "faying/laws/iwan.hpp"

namespace faying::laws {

template <class T>
struct Slider {
    T stiffness, reach;  ///< k_j and the stretch phi_j at which it slips
};

/// Stepping shared by every set of sliders.
template <class T>
class SliderSet {
 public:
    struct State {
        std::vector<T> positions;  ///< z_j
        T dissipated{};
    };

    explicit SliderSet(std::vector<Slider<T>> sliders) : sliders_(std::move(sliders)) {}
    const std::vector<Slider<T>>& sliders() const { return sliders_; }
    State virgin() const { return {std::vector<T>(sliders_.size(), T(0.0)), T(0.0)}; }

    Step<T, State> step(State z, const T& u) const {
        T force(0.0), tangent(0.0), stored(0.0), slipped(0.0);
        for (std::size_t j = 0; j < sliders_.size(); ++j) {
            const auto& [k, reach] = sliders_[j];
            const T trial = u - z.positions[j];
            const bool stuck = std::abs(value(trial)) <= value(reach);
            if (is_dual<T> && stuck) {  // dual numbers are worth a branch, doubles are not
                const T held = k * trial;
                force += held;
                stored += 0.5 * held * trial;
                tangent += k;
                continue;
            }
            const T stretch = clip(trial, reach);
            const T held = k * stretch;
            force += held;
            stored += 0.5 * held * stretch;
            if (!is_dual<T>) tangent += stuck ? k : T(0.0);
            const T slip = trial - stretch;
            slipped += held * slip;
            z.positions[j] += slip;
        }
        z.dissipated += slipped;
        return {force, tangent, stored + z.dissipated, z.dissipated, std::move(z)};
    }

 private:
    std::vector<Slider<T>> sliders_;

    /// Into [-reach, reach]; for double without a branch, because which sliders slip cannot be predicted.
    static T clip(const T& x, const T& reach) {
        if constexpr (!is_dual<T>) return std::min(std::max(x, -reach), reach);
        return value(x) > value(reach) ? reach : (value(x) < -value(reach) ? T(-reach) : x);
    }
};

/// Half a slider is a typing error, not a number to be rounded.
inline std::string why_not_whole(double count) {
    return count == std::floor(count) ? "" : "needs a whole count, not " + core::number_text(count);
}

/// Bins of the Segalman density; `ratio` is the growth of a bin to the next, 1 for uniform ones.
template <class T>
std::vector<Slider<T>> segalman_sliders(const T& FS, const T& KT, const T& chi, const T& beta, int bins,
                                        const T& ratio) {
    const IwanPopulation<T> population(FS, KT, chi, beta);
    std::vector<Slider<T>> sliders;
    sliders.reserve(bins + 1);
    using std::exp;
    using std::expm1;
    using std::log;
    const T growth = log(ratio);
    const auto edge = [&](int j) -> T {  // (r^j - 1)/(r^N - 1) with nothing that could overflow
        if (value(growth) == 0.0) return double(j) / bins * (1.0 + 0.5 * (j - bins) * growth);  // its limit at r = 1
        return exp(double(j - bins) * growth) * expm1(-double(j) * growth) / expm1(-double(bins) * growth);
    };
    const auto moment = [&](int j, double order) {  // R Int_0^e phi^(chi + order - 1)
        const T top = edge(j);
        if (value(top) == 0.0) return T(0.0);
        const T power = chi + order;
        return T(population.R * core::power(T(population.phi_max * top), power) / power);
    };
    for (int j = 0; j < bins; ++j) {
        const T stiffness = moment(j + 1, 1.0) - moment(j, 1.0);
        if (value(stiffness) == 0.0) continue;  // a bin too narrow for a double
        const T slip_force = moment(j + 1, 2.0) - moment(j, 2.0);
        sliders.push_back({stiffness, slip_force / stiffness});
    }
    sliders.push_back({population.S, population.phi_max});
    return sliders;
}

template <class T = double>
class Iwan4Sliders : private SliderSet<T> {
 public:
    using Scalar = T;
    using State = typename SliderSet<T>::State;
    struct Parameters {
        using Scalar = T;
        T FS, KT, chi, beta, count, ratio;
    };
    template <class U>
    using rebind = Iwan4Sliders<U>;
    static constexpr std::string_view key = "iwan4-sliders";
    static constexpr std::string_view title = "four-parameter Iwan in bins, for comparison with iwan4";
    static constexpr std::string_view source = "[S2] 2.1";
    static constexpr Claims claims{.odd = true, .return_point = true, .masing = true};
    static std::vector<Specimen> specimens() {
        return {{.values = {10.0, 1.0, -0.5, 5.0, 200.0, 1.05}, .amplitude = 17.0}};
    }
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues&) { return segalman_starts(seen); }

    static const core::ParameterTable<Parameters>& table() {
        static const core::ParameterTable<Parameters> t = [] {
            auto entries = segalman_table<Parameters>();
            entries.push_back(core::parameter<&Parameters::count>("count", "N", "", core::Bounds{1.0, 100000.0},
                                                                  core::Scale::linear, "number of bins", 200.0));
            entries.push_back(core::parameter<&Parameters::ratio>(
                "ratio", "r", "", core::Bounds{1.0, 2.0}, core::Scale::linear,
                "width of a bin over that of the one below; 1 is uniform spacing", 1.05));
            return entries;
        }();
        return t;
    }

    static std::string why_not_admissible(const Parameters& p) { return why_not_whole(value(p.count)); }

    explicit Iwan4Sliders(const Parameters& p)
        : SliderSet<T>(
              segalman_sliders(p.FS, p.KT, p.chi, p.beta, static_cast<int>(std::lround(value(p.count))), p.ratio)),
          p_(p) {}
    Parameters parameters() const { return p_; }
    T macroslip() const { return IwanPopulation<T>(p_.FS, p_.KT, p_.chi, p_.beta).phi_max; }
    using SliderSet<T>::sliders;
    using SliderSet<T>::virgin;
    using SliderSet<T>::step;

 private:
    Parameters p_;
};

/// [S3] chapter 3: n sliders of equal stiffness k/n that slip at j phi_max/n.
template <class T = double>
class EqualSliders : private SliderSet<T> {
 public:
    using Scalar = T;
    using State = typename SliderSet<T>::State;
    struct Parameters {
        using Scalar = T;
        T k, phi_max, count;
    };
    template <class U>
    using rebind = EqualSliders<U>;
    static constexpr std::string_view key = "equal-sliders";
    static constexpr std::string_view title = "parallel sliders of equal stiffness";
    static constexpr std::string_view source = "[S3] 3.2";
    static constexpr Claims claims{.odd = true, .return_point = true, .masing = true};
    static std::vector<Specimen> specimens() { return {{.values = {1.0, 1.0, 500.0}, .amplitude = 1.5, .seeded = 2}}; }
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues&) {
        Starts all;
        for (const double phi : {2.0, 6.0})
            all.push_back({{"k", seen.stiffness}, {"phi_max", phi * seen.force / seen.stiffness}});
        return all;
    }

    static const core::ParameterTable<Parameters>& table() {
        using core::Scale;
        static const core::ParameterTable<Parameters> t = {
            core::parameter<&Parameters::k>("k", "k", "N/m", core::positive, Scale::logarithmic,
                                            "stiffness of all sliders together"),
            core::parameter<&Parameters::phi_max>("phi_max", "\\phi_{max}", "m", core::positive, Scale::logarithmic,
                                                  "stretch at which the last slider slips"),
            core::parameter<&Parameters::count>("count", "n", "", core::Bounds{1.0, 100000.0}, Scale::linear,
                                                "number of sliders", 500.0)};
        return t;
    }

    static std::string why_not_admissible(const Parameters& p) { return why_not_whole(value(p.count)); }

    explicit EqualSliders(const Parameters& p) : SliderSet<T>(equal(p)), p_(p) {}
    Parameters parameters() const { return p_; }
    const T& macroslip() const { return p_.phi_max; }
    using SliderSet<T>::sliders;
    using SliderSet<T>::virgin;
    using SliderSet<T>::step;

 private:
    Parameters p_;

    static std::vector<Slider<T>> equal(const Parameters& p) {
        const int n = static_cast<int>(std::lround(value(p.count)));
        std::vector<Slider<T>> sliders;
        sliders.reserve(n);
        for (int j = 1; j <= n; ++j) sliders.push_back({p.k / double(n), p.phi_max * (double(j) / n)});
        return sliders;
    }
};

}  // namespace faying::laws
