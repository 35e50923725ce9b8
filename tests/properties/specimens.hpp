#pragma once
// The table of laws under test: for each, how to draw admissible parameters over several decades, the displacement at
// which the law shows what it is, and what it may be held to beyond its Claims.

#include "faying/laws/along_line.hpp"
#include "faying/laws/bouc_wen.hpp"
#include "faying/laws/generalized_valanis.hpp"
#include "faying/laws/iwan5_stiction.hpp"
#include "faying/laws/iwan_sliders.hpp"
#include "faying/laws/jenkins.hpp"
#include "faying/laws/pinched.hpp"
#include "faying/laws/polynomial.hpp"
#include "faying/laws/six_state.hpp"
#include "faying/laws/two_state.hpp"
#include "faying/laws/valanis.hpp"
#include "properties/support.hpp"

namespace faying::tests {

/// Parameters in table order. `scales` are their natural sizes: what a relative change means; 0: do not differentiate.
struct Sample {
    std::vector<double> values, scales;
    double length = 1.0;

    Sample& add(double value) { return add(value, std::abs(value)); }
    Sample& add(double value, double scale) {
        values.push_back(value);
        scales.push_back(scale);
        return *this;
    }
    Sample& fixed(double value) { return add(value, 0.0); }
    std::string text() const {
        std::ostringstream out;
        out.precision(17);
        out << "parameters";
        for (const double v : values) out << ' ' << v;
        out << ", length " << length;
        return out.str();
    }
};

/// A law of one scalar type from a sample; direction k of a dual number is parameter first + k.
template <class L>
L make(const Sample& sample, std::size_t first = 0) {
    using T = typename L::Scalar;
    typename L::Parameters p{};
    const auto& table = L::table();
    for (std::size_t i = 0; i < table.size(); ++i) {
        T x(sample.values.at(i));
        if constexpr (core::is_dual<T>)
            if (i >= first && i < first + core::directions && sample.scales[i] > 0.0) x.v[i - first] = 1.0;
        table[i].at(p) = x;
    }
    return L(p);
}

/// What most laws are: exact, cheap, and no more odd than they claim.
struct Exact {
    static constexpr double cut = 1e-12;  ///< path cuts move the force by no more than this, relative
    static constexpr int effort = 100;    ///< random cases a property
    static constexpr bool odd = false;    ///< odd although the law does not claim it for all its parameters
};

inline double some_force() { return log_uniform(1e-3, 1e6); }
inline double some_stiffness() { return log_uniform(1e-2, 1e9); }

struct JenkinsCase : Exact {
    template <class T>
    using Law = laws::Jenkins<T>;
    static Sample draw() {
        const double kt = some_stiffness(), fs = some_force();
        Sample s;
        s.add(kt).add(fs).length = fs / kt;
        return s;
    }
};

struct JenkinsPragerCase : Exact {
    template <class T>
    using Law = laws::JenkinsPrager<T>;
    static Sample draw() {
        Sample s = JenkinsCase::draw();
        return s.add(s.values[0] * log_uniform(1e-4, 10.0));
    }
};

/// The penalty stiffness makes slip start within 1e-12 .. 1e-2 of the displacements that matter, fs/kp.
struct PragerCase : Exact {
    template <class T>
    using Law = laws::Prager<T>;
    static Sample draw() {
        const double fs = some_force(), kp = some_stiffness();
        Sample s;
        s.add(fs).add(kp).add(kp * log_uniform(1e2, 1e12)).length = fs / kp;
        return s;
    }
};

struct PolynomialCase : Exact {
    template <class T>
    using Law = laws::Polynomial<T>;
    static Sample draw() {
        Sample s;
        s.length = log_uniform(1e-6, 1.0);
        const double k = some_stiffness();
        s.add(k);
        for (int j = 2; j <= 9; ++j) {
            const double natural = k / std::pow(s.length, j - 1);
            s.add(natural * uniform(-1.0, 1.0), natural);
        }
        return s;
    }
};

inline Sample draw_iwan4() {
    const double FS = some_force(), KT = some_stiffness();
    Sample s;
    const double chi = uniform(-0.97, 1.5);
    const double beta = pick(0, 4) == 0 ? 0.0 : log_uniform(1e-3, 1e3);
    s.add(FS).add(KT).add(chi, chi + 1.0).add(beta);
    s.length = laws::IwanPopulation<double>(FS, KT, chi, beta).phi_max;
    return s;
}

struct Iwan4Case : Exact {
    template <class T>
    using Law = laws::Iwan4<T>;
    static Sample draw() { return draw_iwan4(); }
};

struct Iwan5Case : Exact {
    template <class T>
    using Law = laws::Iwan5<T>;
    static Sample draw() { return draw_iwan4().add(uniform(0.02, 0.98), 1.0); }
};

struct Iwan5StictionCase : Exact {
    template <class T>
    using Law = laws::Iwan5Stiction<T>;
    static constexpr double cut = 1e-11;  // what the law claims: band edges are differences of displacements
    static Sample draw() { return Iwan5Case::draw(); }
};

struct Iwan4SlidersCase : Exact {
    template <class T>
    using Law = laws::Iwan4Sliders<T>;
    static constexpr int effort = 40;
    static Sample draw() { return draw_iwan4().fixed(pick(1, 60)).fixed(pick(0, 1) ? 1.0 : uniform(1.0, 1.5)); }
};

struct EqualSlidersCase : Exact {
    template <class T>
    using Law = laws::EqualSliders<T>;
    static constexpr int effort = 40;
    static Sample draw() {
        Sample s;
        s.length = log_uniform(1e-8, 1e2);
        return s.add(some_stiffness()).add(s.length).fixed(pick(1, 60));
    }
};

/// Saturation force, stiffness, and beta/alpha over its whole admissible range, ends included.
inline Sample draw_bouc_wen(double n) {
    const double A = some_stiffness(), top = log_uniform(1e-2, 1e3);
    const int end = pick(0, 9);
    const double ratio = end == 0 ? 1.0 : (end == 1 ? -1.0 : uniform(-0.98, 0.98));
    const double alpha = A / std::pow(top, n);
    Sample s;
    s.add(A).add(alpha, std::abs(ratio) == 1.0 ? 0.0 : alpha).add(alpha * ratio, std::abs(ratio) == 1.0 ? 0.0 : alpha);
    s.add(n, 1.0).length = top / A;
    return s;
}

struct BoucWenOneCase : Exact {
    template <class T>
    using Law = laws::BoucWen<T>;
    static Sample draw() { return draw_bouc_wen(1.0); }
};

struct BoucWenTwoCase : Exact {
    template <class T>
    using Law = laws::BoucWen<T>;
    static Sample draw() { return draw_bouc_wen(2.0); }
};

struct BoucWenCase : Exact {
    template <class T>
    using Law = laws::BoucWen<T>;
    static Sample draw() { return draw_bouc_wen(uniform(0.3, 6.0)); }
};

struct BoucWenMasingCase : Exact {
    template <class T>
    using Law = laws::BoucWenMasing<T>;
    static Sample draw() {
        const int which = pick(0, 3);
        const double n = which == 0 ? 1.0 : (which == 1 ? 2.0 : uniform(0.3, 6.0));
        const double A = some_stiffness(), top = log_uniform(1e-2, 1e3);
        Sample s;
        s.add(A).add(A / std::pow(top, n)).add(n, 1.0).length = top / A;
        return s;
    }
};

inline Sample draw_valanis(double kappa, bool differentiate_kappa) {
    const double E0 = some_stiffness();
    const double Et = pick(0, 4) == 0 ? 0.0 : E0 * log_uniform(1e-4, 0.9);
    Sample s;
    s.length = log_uniform(1e-8, 1e2);
    return s.add(E0).add(Et).add(1.0 / s.length).add(kappa, differentiate_kappa ? 1.0 : 0.0);
}

struct ValanisExponentialCase : Exact {
    template <class T>
    using Law = laws::Valanis<T>;
    static Sample draw() { return draw_valanis(0.0, false); }
};

struct ValanisBilinearCase : Exact {
    template <class T>
    using Law = laws::Valanis<T>;
    static Sample draw() { return draw_valanis(1.0, false); }
};

struct ValanisCase : Exact {
    template <class T>
    using Law = laws::Valanis<T>;
    static Sample draw() { return draw_valanis(uniform(0.01, 0.99), true); }
};

struct ValanisMasingCase : Exact {
    template <class T>
    using Law = laws::ValanisMasing<T>;
    static Sample draw() {
        const int end = pick(0, 3);
        return draw_valanis(end == 0 ? 0.0 : (end == 1 ? 1.0 : uniform(0.01, 0.99)), end > 1);
    }
};

/// Powers of x only; `lopsided` gives the falling direction its own set.
inline Sample draw_generalized_valanis(bool lopsided) {
    using Law = laws::GeneralizedValanis<double>;
    Sample s;
    s.length = log_uniform(1e-6, 1e1);
    const double E1 = some_stiffness(), E2 = log_uniform(0.1, 10.0) / s.length;
    for (const bool down : {false, true}) {
        if (down && !lopsided) {
            for (int i = 0; i < Law::terms + 2; ++i) s.fixed(std::nan(""));
            break;
        }
        s.add(down ? E1 * uniform(0.5, 1.5) : E1).add(down ? E2 * uniform(0.5, 1.5) : E2);
        for (int i = 0; i < Law::terms; ++i) {
            const auto [px, pv] = Law::powers(i);
            const bool wanted = pv == 0 && (lopsided || px % 2 == 1);
            // Small enough that x^5 at thirty lengths does not drown everything else.
            const double natural = 0.3 * E1 * E2 / std::pow(5.0 * s.length, px - 1);
            wanted ? s.add(natural * uniform(-1.0, 1.0), natural) : s.fixed(0.0);
        }
    }
    return s;
}

struct GeneralizedValanisCase : Exact {
    template <class T>
    using Law = laws::GeneralizedValanis<T>;
    static constexpr bool odd = true;
    static Sample draw() { return draw_generalized_valanis(false); }
};

struct GeneralizedValanisLopsidedCase : Exact {
    template <class T>
    using Law = laws::GeneralizedValanis<T>;
    static Sample draw() { return draw_generalized_valanis(true); }
};

struct TwoStateCase : Exact {
    template <class T>
    using Law = laws::TwoState<T>;
    static Sample draw() {
        const double alpha = log_uniform(0.1, 10.0), sigma = log_uniform(1e-3, 3.0), mu = log_uniform(1e-4, 1e4);
        const double size = std::sqrt(alpha) * uniform(0.2, 1.5), angle = uniform(0.0, 2 * std::numbers::pi);
        const int axis = pick(0, 9);  // sometimes along an axis of the ellipse
        const double b1 = axis == 0 ? 0.0 : size * std::cos(angle), b2 = axis == 1 ? 0.0 : size * std::sin(angle);
        Sample s;
        s.add(alpha).add(sigma).add(b1, size).add(b2, size).add(uniform(-0.5, 1.0), 1.0).add(mu);
        s.length = std::sqrt(mu * std::min(sigma, 1.0)) / size;
        return s;
    }
};

struct SixStateCase : Exact {
    template <class T>
    using Law = laws::SixState<T>;
    static constexpr double cut = 1e-9;  // the integrator's 1e-13 per step, over some hundred steps, amplified
    static constexpr int effort = 6;
    static Sample draw() {
        using Law = laws::SixState<double>;
        std::vector<double> strength, stiffness;
        for (int i = 0; i < Law::size; ++i) {
            strength.push_back(log_uniform(0.7, 1.4));
            stiffness.push_back(log_uniform(0.7, 1.4));
        }
        Sample s;
        const auto& table = Law::table();
        std::size_t at = 0;
        for (const auto* factor : {&strength, &stiffness})  // D A D stays positive definite
            for (int i = 0; i < Law::size; ++i)
                for (int j = i; j < Law::size; ++j) {
                    const double entry = *table[at++].fallback * (*factor)[i] * (*factor)[j];
                    i == j ? s.add(entry) : s.fixed(entry);
                }
        for (int i = 0; i < Law::size; ++i) s.add(*table[at++].fallback * uniform(0.8, 1.2), 10.0);
        s.length = make<Law>(s).stick_half_width();
        return s;
    }
};

struct PinchedCase : Exact {
    template <class T>
    using Law = laws::Pinched<T>;
    static Sample draw() {
        const double theta = some_stiffness();
        Sample s;
        s.length = log_uniform(1e-6, 1e1);
        return s.add(log_uniform(0.1, 20.0))
            .add(theta)
            .add(theta * uniform(0.05, 0.95))
            .add(s.length * log_uniform(1e-4, 1.0));
    }
};

struct ReidCase : Exact {
    template <class T>
    using Law = laws::Reid<T>;
    static Sample draw() {
        Sample s;
        s.length = log_uniform(1e-6, 1e1);
        return s.add(some_stiffness()).add(uniform(0.01, 0.99), 1.0);
    }
};

/// Contact laws at a held normal approach; un < 0 (no grip, or a gap) as well.
template <template <class> class C>
struct AlongLineCase : Exact {
    template <class T>
    using Law = laws::AlongLine<C<T>>;
    static Sample draw() {
        const double kt = some_stiffness(), kn = some_stiffness(), limit = some_force();
        const double mu = log_uniform(1e-2, 2.0), un = limit / (mu * kn);
        Sample s;
        s.length = limit / kt;
        for (const auto& entry : Law<double>::table()) {
            const double value = entry.key == "kt"   ? kt
                                 : entry.key == "fs" ? limit
                                 : entry.key == "mu" ? mu
                                 : entry.key == "kp" ? kt * log_uniform(1e-4, 1.0)
                                 : entry.key == "kn" ? kn
                                                     : un * (pick(0, 9) == 0 ? -1.0 : 1.0);
            entry.fallback ? s.fixed(*entry.fallback) : s.add(value);  // mu_max: contact_test.cpp
        }
        return s;
    }
};

}  // namespace faying::tests
