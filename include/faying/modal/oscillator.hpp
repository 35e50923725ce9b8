#pragma once
// One mode as an oscillator of unit mass with any law beside its springs,
//
//     q'' + 2 zeta0 w1 q' + Kinf q + k3 q^3 + k5 q^5 + f(q; theta) = F
//
// and its backbone from the law's steady loop at amplitude q:
//
//     w^2 = w1^2 + K(q) - K(q1),     zeta = zeta0 w1/w + D(q)/(2 pi (w q)^2)
//
// K is the harmonic stiffness of law and polynomial, or their secant. q1 is the least amplitude measured and w1 the
// frequency there, which data know best; Kinf = w1^2 - K(q1) follows. Inside, amplitudes are over the greatest measured
// one and stiffnesses over a measured w^2: units of amplitude do not matter.
//
//     const Oscillator mode("iwan4+polynomial k3", scales_of(backbone));
//     mode.parameters();                                             // priors: omega, zeta0, FS, KT, chi, beta, k3
//     mode.at(values, {0.1, 1, 10}, true)->omega_slopes;
//     mode.named(values);                                            // in the units of the data

#include <optional>
#include <string>
#include <vector>

#include "faying/fit/errors.hpp"
#include "faying/fit/prior.hpp"
#include "faying/laws/searched.hpp"
#include "faying/modal/iwan.hpp"

namespace faying::modal {

/// What amplitudes and frequencies are measured in, inside.
struct Scales {
    double amplitude = 1;  ///< greatest measured
    double least = 1;      ///< q1
    double omega = 1;      ///< at q1
};
Scales scales_of(const fit::Backbone& backbone);
Scales scales_of(const std::vector<fit::Backbone>& backbones);

struct NamedValue {
    std::string key;
    double value = 0;
    std::string unit;  ///< with the amplitude's unit as m, and N for unit mass: m/s^2
};

class Oscillator {
 public:
    /// `law` as everywhere, of one displacement; "+polynomial k3,k5" (or "+polynomial": k3 and k5) puts odd powers
    /// beside it, "polynomial k3" alone is an oscillator without friction. Throws BadInput.
    Oscillator(const std::string& law, const Scales& scales, Stiffness stiffness = Stiffness::harmonic,
               const core::ParameterValues& fixed = {});

    const std::string& name() const { return name_; }
    const Scales& scales() const { return scales_; }
    /// omega (rad/s), zeta0, then of the law (searched in place of its own where it says so), then k3, ..
    const std::vector<fit::Prior>& parameters() const { return priors_; }
    bool has_polynomial() const { return !powers_.empty(); }
    /// Other prior of a parameter; in the units of the data for one that has a unit. Throws BadInput for an unknown key.
    void set_prior(const std::string& key, double low, double high);

    /// At amplitudes; none where the law has no answer or the mode no frequency.
    std::optional<fit::Prediction> at(const std::vector<double>& values, const std::vector<double>& amplitudes,
                                      bool slopes) const;
    /// A value of `parameters` in the units of the data.
    double in_units(std::size_t parameter, double value) const;
    const std::string& unit(std::size_t parameter) const { return units_[parameter]; }
    /// Of the law and the springs, in the units of the data: Kinf, zeta0, the law's own keys, k3, ..
    std::vector<NamedValue> named(const std::vector<double>& values) const;
    /// To be simulated, in the units of the data.
    structure::Model model(const std::vector<double>& values) const;
    /// What a user should know: parameters that the oscillator's own spring takes the place of.
    const std::vector<std::string>& notes() const { return notes_; }

 private:
    std::string name_, law_;
    Scales scales_;
    bool harmonic_;
    std::vector<laws::SearchedPart> parts_;
    std::vector<fit::Prior> priors_;
    std::vector<std::string> units_;
    std::vector<double> factors_;                       ///< value in units over value inside
    std::vector<std::string> searched_;                 ///< keys of the law among the priors, from number 2
    std::vector<std::pair<std::string, double>> held_;  ///< keys of the law and their values inside
    std::vector<int> powers_;
    std::vector<std::string> notes_;

    void add_law(const core::ParameterValues& fixed);
    void add_polynomial();
    void add(fit::Prior prior, std::string unit, double factor);
};

}  // namespace faying::modal
