#pragma once
// What a study compares: a law, where it stands (five patches, or every point of the interface), and how its backbone
// is traced. The 26 variants of [S0] (Table 1, section 4) by name, and any law a user names.
//
//     const Variant& v = find_variant("iwan4");
//     v.axes;                                            // what is searched: FS, KT, chi, beta, kn with their ranges
//     const auto model = model_of(v, reduced, law_values(v, {1.6e5, 5e12, -0.4, 1e-4, 1e14}), loads);
//
// Searched are quantities of similar meaning in every law; each law says which and where (laws/search.hpp): Bouc-Wen's
// eta (alpha) and Valanis' lambda, whose size and unit change with the other parameters, as the traction fs at which
// the law saturates. Two equal laws have 1.kt, 2.kt and so on, as everywhere.
//
// All parameters of forces are per square metre.

#include <Eigen/Dense>
#include <random>
#include <string>
#include <vector>

#include "faying/core/parameter.hpp"
#include "faying/fit/space.hpp"
#include "faying/modes/harmonic_balance.hpp"
#include "faying/structure/reduced.hpp"

namespace faying::study {

/// Range of the Pareto-optimal sets in [S0] Appendix A.
struct PublishedRange {
    std::string key;
    double low, high;
    bool logarithmic = true;  ///< ends are powers of ten
};

/// How frequency and damping of a mode are found: quasi-statically as `framework` says, or by harmonic balance (nonlinear
/// modes by the extended periodic motion concept), where the law is followed through whole periods.
struct Analysis {
    bool epmc = false;
    core::Harmonics harmonics = core::Harmonics::up_to(3);
    int samples = 0;  ///< per period; 0: exact pieces
};

struct Variant {
    std::string name;   ///< as study files and stores call it
    std::string title;  ///< for people
    bool full = false;  ///< every quadrature point, else patches
    modes::Framework framework = modes::Framework::masing;
    std::string law;
    std::vector<PublishedRange> published;  ///< of the law; "kn" is the normal spring's where the law has none
    double published_seconds = 0;           ///< [S0] Table 10
    bool contact = false;
    bool conservative = false;  ///< prestress, [S0] Table 6
    bool viscous = true;
    std::vector<fit::Axis> axes = {};  ///< what is searched
    core::ParameterValues fixed = {};  ///< what is not
    Analysis analysis = {};
};

/// The 26 of [S0], in its order.
const std::vector<Variant>& all26();
/// Throws BadInput naming the allowed ones.
const Variant& find_variant(const std::string& name);

/// Any law that is not among them: contact or not as its name says, ranges from the caller where it knows better than
/// the usual range of that key. Throws BadInput for a law that is not there or a parameter without a range.
Variant variant_of_law(const std::string& name, const std::string& law, bool full, modes::Framework framework);
/// Replaces the range of an axis (or adds the axis); throws BadInput for a key the law does not have.
void set_range(Variant& variant, const std::string& key, fit::Range range);
/// Takes a parameter out of the search.
void set_fixed(Variant& variant, const std::string& key, double value);

/// How an axis is written for people; per area.
struct AxisLabel {
    std::string symbol, unit;
};
AxisLabel label_of(const Variant& variant, const std::string& key);

/// Parameters of the law (and "kn") from values on the axes.
core::ParameterValues law_values(const Variant& variant, const std::vector<double>& values);
/// The same with derivatives: d (law value) / d (axis value).
struct LawValues {
    std::vector<std::string> keys;
    Eigen::VectorXd values;
    Eigen::MatrixXd slopes;  ///< a row a key, a column an axis
};
LawValues law_values_with_slopes(const Variant& variant, const std::vector<double>& values);

/// A parameter set within the published ranges: uniformly random, or the middle without a generator.
core::ParameterValues draw(const Variant& variant, std::mt19937_64* random);

/// The variant on a reduced model under the named static loads.
structure::Model model_of(const Variant& variant, const structure::Reduced& reduced, core::ParameterValues law,
                          const std::map<std::string, double>& loads);
/// What a study calls a parameter of a joint of such a model: the law's own key, "kn" for the stiffness of the normal
/// spring; empty for one that is not searched.
std::string searched_key(const structure::Joint& joint, std::size_t parameter);
/// The spring that a joint has along its normal where the law has none, and the key of its stiffness.
laws::Law linear_spring(double stiffness);
inline constexpr const char* spring_stiffness = "k1";

/// "masing", "loops" or "epmc".
std::string_view framework_of(const Variant& variant);
/// Quasi-static: how its backbone is traced. For `epmc`: how its sites are taken around afterwards, for loops.
modes::BackboneOptions backbone_options(const Variant& variant);

/// Throws BadInput when the code does not know the variant's law, or an axis is none of its parameters.
void check_law(const Variant& variant);

}  // namespace faying::study
