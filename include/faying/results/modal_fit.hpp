#pragma once
// Oscillators with any law fitted to a measured backbone, as `faying modal-fit` shows them.
//
//     const ModalFitRun run = modal_fit({.file = "backbone.csv", .laws = {"iwan4", "iwan4+polynomial k3"}});
//     run.fits.front().law;                                          // the best by held-out error

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "faying/core/frequency.hpp"
#include "faying/core/names.hpp"
#include "faying/io/output.hpp"
#include "faying/modal/oscillator_fit.hpp"

namespace faying::results {

inline constexpr core::Names<modal::Curves, 3> oscillator_curves{{{"quasi-static", modal::Curves::quasi_static},
                                                                  {"harmonic", modal::Curves::harmonic},
                                                                  {"simulated", modal::Curves::simulated}}};

struct ModalFitRequest {
    std::string file;
    std::vector<std::string> laws;
    int mode = 0;  ///< of the file; 0: the only one
    modal::OscillatorFitOptions options = {};
};

struct ModalFitRun {
    std::string file;
    fit::Backbone points;
    modal::Scatter scatter;
    std::optional<modal::Rise> rise;
    std::vector<modal::OscillatorFit> fits;  ///< best first
    core::FrequencyUnit unit = {};

    /// Throws core::NotConverged when no law could be fitted.
    void require_converged() const;
};

/// Throws BadInput for files that are no backbone and laws that are none.
ModalFitRun modal_fit(const ModalFitRequest& request);

nlohmann::json json(const ModalFitRun& run);
io::Table table(const ModalFitRun& run);  ///< measured, and fitted by every law
io::Figure figure(const ModalFitRun& run);
std::string text(const ModalFitRun& run);

/// The backbone of a mode of a file; 0: the only one. Throws BadInput.
fit::Backbone measured_backbone(const std::string& file, int mode);

}  // namespace faying::results
