#pragma once
// One evaluation of a study: parameters of a variant -> backbones of its modes -> errors against the measurement.
//
//     const Problem problem(find_variant("iwan4"), setup);
//     const Outcome o = problem.evaluate(Phase::search, {1.6e5, 5e12, -0.4, 1e-4, 1e14});
//     o.evaluation.objectives;                          // log10 of the squared errors of the fitted modes
//
// The same values give the same bits, on any thread or rank.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "faying/fit/errors.hpp"
#include "faying/study/variants.hpp"

namespace faying::study {

/// A measured mode, its amplitudes as modal ones.
struct Mode {
    int number = 1;  ///< in the measurement
    /// Of the whole-joint and of the full-joint model, by frequency of the linearised structure.
    int index = 1, full_index = 1;
    std::string name = {};
    bool fitted = true;                           ///< else only predicted
    fit::Backbone data = {};                      ///< at the amplitudes that are compared; amplitude is the modal one
    std::vector<double> measured_amplitude = {};  ///< the same amplitudes in the measurement's unit
    fit::Backbone measured = {};                  ///< every point as it was measured, whatever is compared
    double zeta0 = 0;                             ///< viscous part
};

/// What all variants of a study share.
struct Setup {
    std::shared_ptr<const structure::Reduced> whole = {}, full = {};
    std::map<std::string, double> loads = {};
    std::vector<Mode> modes = {};

    const structure::Reduced& reduced(const Variant& variant) const;  ///< throws BadInput if it was not given
};

/// How carefully, and what for.
enum class Phase {
    search,    ///< fitted modes
    gradient,  ///< fitted modes with derivatives
    tight      ///< all modes at tight tolerance, with the backbones
};
std::string_view name(Phase phase);

/// A mode at the amplitudes that are compared; NaN where it did not converge.
struct ModeCurve {
    std::vector<double> omega, zeta;
};

struct Outcome {
    fit::Evaluation evaluation;          ///< of the fitted modes together
    std::vector<ModeCurve> curves = {};  ///< tight: of every mode
    double seconds = 0;
};

class Problem {
 public:
    Problem(Variant variant, const Setup& setup);

    const Variant& variant() const { return variant_; }
    const fit::Space& space() const { return space_; }

    Outcome evaluate(Phase phase, const std::vector<double>& values) const;

    /// The model at a parameter set, with the viscous part of a mode.
    structure::Model model(const std::vector<double>& values, const Mode& mode) const;
    /// How its backbones are traced at tight tolerance.
    modes::BackboneOptions tight_options() const;
    /// Its backbone at the measured amplitudes, at tight tolerance; by harmonic balance too, where the variant says so.
    std::vector<modes::BackbonePoint> backbone(const std::vector<double>& values, const Mode& mode,
                                               bool derivatives = false) const;
    /// Omega and zeta of a mode (its number among the setup's) at the tolerance of a search, with slopes by the values on
    /// the axes if wanted; none where it does not converge or is another mode.
    std::optional<fit::Prediction> predicted(const std::vector<double>& values, std::size_t mode, bool slopes) const;
    /// d (omega, zeta) / d axis value at the measured amplitudes of a mode, chained from a backbone with derivatives.
    fit::Prediction prediction(const std::vector<modes::BackbonePoint>& points,
                               const std::vector<double>& values) const;

 private:
    Variant variant_;
    const Setup& setup_;
    fit::Space space_;
    std::unique_ptr<modes::Interface> interface_;
    std::vector<Eigen::VectorXd> reference_;  ///< M times each mode's shape with the joint stuck

    std::vector<modes::BackbonePoint> trace(Phase phase, const std::vector<double>& values, const Mode& mode,
                                            bool derivatives) const;
    int index_of(const Mode& mode) const { return variant_.full ? mode.full_index : mode.index; }
    bool same_mode(const modes::BackbonePoint& point, std::size_t mode) const;
    fit::Evaluation fitted(Phase phase, const std::vector<double>& values, std::vector<ModeCurve>* curves) const;
};

/// Mode shapes with every patch or point of the joint stuck: what measured amplitudes are scaled with, and what a mode
/// is recognised by. A column per mode, mass normalised.
Eigen::MatrixXd stuck_shapes(const structure::Reduced& reduced, int count);

/// Amplitudes of a measurement as modal ones: q = a/|phi| for a displacement, a/(omega^2 |phi|) for an acceleration,
/// phi the stuck shape at the output.
enum class Amplitude { modal, displacement, acceleration };

}  // namespace faying::study
