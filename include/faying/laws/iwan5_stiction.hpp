#pragma once
// Iwan-5, slider by slider and still without sliders: each element breaks away at a stretch of phi, then slides at
// theta phi; it re-sticks on reversal holding theta phi and next breaks away at -phi. For theta < 1 that is not Masing.
//
// After any history the stretch of the element phi is piecewise linear in phi, e(phi) = a phi + b with a in
// {0, theta, -theta}, so the state is a short list of bands of phi and the step is exact:
//
//     moving by d in direction s, a stuck element breaks away at the distance  phi (1 - s a) - s b  (if below d)
//     force = Sum over bands of R [a phi^(chi+2)/(chi+2) + b phi^(chi+1)/(chi+1)],  plus S e(phi_max)
//
// Breaking away keeps (1 - theta^2) phi^2/2 of each unit of stiffness, sliding theta phi a unit of distance. theta = 1
// is Iwan-4; the virgin curve is that of `iwan5` for every theta.

#include <vector>

#include "faying/laws/iwan.hpp"

namespace faying::laws {

template <class T = double>
class Iwan5Stiction {
 public:
    using Scalar = T;
    using Parameters = typename Iwan5Curve<T>::Parameters;
    template <class U>
    using rebind = Iwan5Stiction<U>;
    static constexpr std::string_view key = "iwan5-stiction";
    static constexpr std::string_view title = "five-parameter Iwan, slider by slider (not Masing)";
    static constexpr std::string_view source = "[S0] 2.2.2";
    static constexpr Claims claims{.return_point = false, .continuous = false, .cut_tolerance = 1e-11};
    static const auto& table() { return Iwan5Curve<T>::table(); }
    static std::vector<Specimen> specimens() { return Iwan5Curve<T>::specimens(); }
    static Starts starts(const LoopFeatures& seen, const core::ParameterValues&) { return segalman_starts(seen); }

    explicit Iwan5Stiction(const Parameters& p) : p_(p), population_(p.FS, p.KT, p.chi, p.beta) {}
    Parameters parameters() const { return p_; }
    const T& macroslip() const { return population_.phi_max; }

    /// Elements with phi below `top` (and above the band before) are stretched by slope*phi + shift.
    struct Band {
        T top{}, slope{}, shift{};
        bool sliding = false;
    };
    struct State {
        T u{}, dissipated{};
        int direction = 0;
        std::vector<Band> bands;
    };
    State virgin() const { return {T(0.0), T(0.0), 0, {Band{population_.phi_max, T(0.0), T(0.0), false}}}; }

    Step<T, State> step(State z, const T& u) const {
        const T run = u - z.u;
        const int direction = direction_of(run, z.direction);
        const double s = direction;
        const T distance = s * run;
        const bool turned = direction != z.direction;
        State next{u, z.dissipated, direction, {}};
        T bottom(0.0);
        for (const Band& band : z.bands) {
            if (band.sliding && !turned) {
                next.dissipated += p_.theta * distance * moment(bottom, band.top, 2);
                append(next.bands, Band{band.top, s * p_.theta, T(0.0), true});
            } else {
                const T reluctance = 1.0 - s * band.slope;  // break-away distance = reluctance phi - s shift
                T edge = value(reluctance) > 0.0 ? T((distance + s * band.shift) / reluctance)
                                                 : T(value(distance) + s * value(band.shift) > 0.0 ? band.top : bottom);
                if (value(edge) > value(bottom)) {
                    if (value(edge) > value(band.top)) edge = band.top;
                    next.dissipated += 0.5 * (1.0 - p_.theta * p_.theta) * moment(bottom, edge, 3) +
                                       p_.theta * ((distance + s * band.shift) * moment(bottom, edge, 2) -
                                                   reluctance * moment(bottom, edge, 3));
                    append(next.bands, Band{edge, s * p_.theta, T(0.0), true});
                }
                if (value(edge) < value(band.top))
                    append(next.bands, Band{band.top, band.slope, band.shift + run, false});
            }
            bottom = band.top;
        }
        return finish(std::move(next), delta_dissipation(z, distance, s, turned));
    }

    /// Moving in a new direction from z, the sliders of the delta let go together at this distance.
    Jump<T> jump(const State& z, int direction) const {
        const Band& last = z.bands.back();
        const double s = direction;
        return {(1.0 - s * last.slope) * population_.phi_max - s * last.shift,
                population_.S * (1.0 - p_.theta) * population_.phi_max};
    }

 private:
    Parameters p_;
    IwanPopulation<T> population_;

    /// Int_low^high R phi^(chi + order - 1) dphi.
    T moment(const T& low, const T& high, int order) const {
        return antiderivative(high, order) - antiderivative(low, order);
    }
    T antiderivative(const T& phi, int order) const {
        const T power = p_.chi + double(order);
        return value(phi) > 0.0 ? T(population_.R * core::power(phi, power) / power) : T(0.0);
    }

    static void append(std::vector<Band>& bands, const Band& band) {
        if (!bands.empty()) {
            Band& last = bands.back();
            if (last.sliding == band.sliding && value(last.slope) == value(band.slope) &&
                value(last.shift) == value(band.shift)) {
                last.top = band.top;
                return;
            }
        }
        bands.push_back(band);
    }

    /// What the sliders of the delta at phi_max keep: they follow the last band.
    T delta_dissipation(const State& before, const T& distance, double s, bool turned) const {
        const Band& band = before.bands.back();
        const T& phi = population_.phi_max;
        if (band.sliding && !turned) return population_.S * p_.theta * phi * distance;
        const T slip = distance + s * band.shift - (1.0 - s * band.slope) * phi;
        if (value(slip) < 0.0) return T(0.0);
        return population_.S * phi * (0.5 * (1.0 - p_.theta * p_.theta) * phi + p_.theta * slip);
    }

    Step<T, State> finish(State next, const T& delta_loss) const {
        next.dissipated += delta_loss;
        T force(0.0), tangent(0.0), stored(0.0), bottom(0.0);
        for (const Band& band : next.bands) {
            const T m1 = moment(bottom, band.top, 1), m2 = moment(bottom, band.top, 2),
                    m3 = moment(bottom, band.top, 3);
            force += band.slope * m2 + band.shift * m1;
            stored += 0.5 * (band.slope * band.slope * m3 + 2.0 * band.slope * band.shift * m2 +
                             band.shift * band.shift * m1);
            if (!band.sliding) {
                tangent += m1;
            }
            bottom = band.top;
        }
        // Where the edge between sliding and stuck moves (the stuck side is at its break-away stretch), sliders drop by
        // (1 - theta) phi as it passes.
        for (std::size_t i = 0; i + 1 < next.bands.size(); ++i) {
            const Band &slid = next.bands[i], &stuck = next.bands[i + 1];
            if (!slid.sliding || stuck.sliding || next.direction == 0) continue;
            const double stretch = next.direction * value(stuck.slope * slid.top + stuck.shift);
            if (stretch < (1.0 - 1e-9) * value(slid.top)) continue;
            const T pace = 1.0 / (1.0 - double(next.direction) * stuck.slope);
            tangent -= density(slid.top) * (1.0 - p_.theta) * slid.top * pace;
        }
        const Band& last = next.bands.back();
        const T stretch = last.slope * population_.phi_max + last.shift;
        force += population_.S * stretch;
        stored += 0.5 * population_.S * stretch * stretch;
        if (!last.sliding) tangent += population_.S;
        return {force, tangent, stored + next.dissipated, next.dissipated, std::move(next)};
    }

    T density(const T& phi) const { return population_.R * core::power(phi, p_.chi); }
};

}  // namespace faying::laws
