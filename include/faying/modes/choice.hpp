#pragma once
// Words for the choices of modal analysis, and what suits a model where nothing was chosen.
//
//     BackboneOptions options = suited_options(model);           // Masing where every law allows it, else loops
//     options.prestress = core::named(frictions, "linear", "prestress");

#include <optional>

#include "faying/core/names.hpp"
#include "faying/modes/about.hpp"
#include "faying/modes/backbone.hpp"
#include "faying/modes/output_amplitude.hpp"

namespace faying::modes {

inline constexpr core::Names<Method, 2> methods{{{"rqnma", Method::rqnma}, {"qsma", Method::qsma}}};
inline constexpr core::Names<Framework, 2> frameworks{{{"masing", Framework::masing}, {"loops", Framework::loops}}};
inline constexpr core::Names<Dissipation, 2> dissipations{
    {{"local", Dissipation::local}, {"modal", Dissipation::modal}}};
inline constexpr core::Names<Friction, 3> frictions{
    {{"active", Friction::active}, {"conservative", Friction::conservative}, {"linear", Friction::linear}}};
inline constexpr core::Names<Quantity, 2> quantities{
    {{"displacement", Quantity::displacement}, {"acceleration", Quantity::acceleration}}};
inline constexpr core::Names<About, 3> states{
    {{"preload", About::preload}, {"stuck", About::stuck}, {"slipping", About::slipping}}};

/// What is left open follows from the laws: loops where one is not Masing, and modal area where nothing else is known
/// (contact in the Masing framework).
BackboneOptions suited_options(const structure::Model& model, std::optional<Framework> framework = {},
                               std::optional<Dissipation> dissipation = {});

}  // namespace faying::modes
