#pragma once
// Formulations that a user asks for instead of the deck's, by element type:
//
//     element_choice("C3D8R=C3D8I", where)        // another type of the same shape
//     element_choice("C3D8R=enhanced", where)     // hourglass control: stiffness (Abaqus' default), enhanced
//     element_choice("C3D8=averaged", where)      // dilatation: full (CalculiX), averaged (Abaqus)

#include <optional>
#include <string>
#include <string_view>

#include "faying/fe/element.hpp"

namespace faying::fe {

struct ElementChoice {
    ElementKind from = ElementKind::C3D8;
    ElementKind to = ElementKind::C3D8;  ///< the same where only its formulation is chosen
    std::optional<Hourglass> hourglass;
    std::optional<Dilatation> dilatation;
    std::string text;  ///< "C3D8R=C3D8I"
};

/// Throws BadInput, at `where`, for what is not TYPE=TYPE of one shape or TYPE=formulation that the type has.
ElementChoice element_choice(std::string_view text, const std::string& where);

}  // namespace faying::fe
