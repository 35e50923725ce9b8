#pragma once
// How C3D8R, CPE4R and CPS4R resist the motions that one mean strain does not see (docs/theory/elements.md).

#include <optional>

namespace faying::fe {

/// stiffness: Abaqus/Standard's default for linear elasticity, a small artificial one of 0.005 G. enhanced: the
/// physical one, right in bending with one element through the thickness; Abaqus' HOURGLASS=ENHANCED in intent.
enum class Hourglass { stiffness, enhanced };

struct HourglassControl {
    Hourglass kind = Hourglass::stiffness;
    double scale = 1;               ///< of `stiffness`: a factor on the default (*SECTION CONTROLS)
    std::optional<double> modulus;  ///< of `stiffness`: instead of 0.005 G (*HOURGLASS STIFFNESS)
    friend bool operator==(const HourglassControl&, const HourglassControl&) = default;
};

}  // namespace faying::fe
