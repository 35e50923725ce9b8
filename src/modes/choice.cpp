#include "faying/modes/choice.hpp"

namespace faying::modes {

BackboneOptions suited_options(const structure::Model& model, std::optional<Framework> framework,
                               std::optional<Dissipation> dissipation) {
    bool masing = true, contact = false;
    for (const auto& joint : model.joints) {
        contact = contact || joint.law.contact();
        masing = masing && (joint.law.masing() || joint.law.elastic());
    }
    BackboneOptions options;
    options.framework = framework.value_or(masing ? Framework::masing : Framework::loops);
    options.dissipation = dissipation.value_or(contact && options.framework == Framework::masing ? Dissipation::modal
                                                                                                 : Dissipation::local);
    return options;
}

}  // namespace faying::modes
