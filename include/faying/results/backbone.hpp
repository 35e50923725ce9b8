#pragma once
// The backbone of a model's mode, as a request and an answer that shows itself.
//
//     BackboneRequest request{.mode = 2, .amplitudes = {0.1, 1, 10}};
//     const BackboneRun run = backbone(files::read_model("model.toml"), request);
//     run.points[1].omega, run.points[1].zeta;
//     io::write_file("backbone.html", io::figure_html(figure(run)));    // click a point: the joints' loops and maps
//     run.require_converged();

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "faying/core/frequency.hpp"
#include "faying/io/output.hpp"
#include "faying/modes/choice.hpp"

namespace faying::results {

struct BackboneRequest {
    int mode = 1;                    ///< by frequency about the preload, from 1
    std::vector<double> amplitudes;  ///< ascending
    modes::Method method = modes::Method::rqnma;
    std::optional<modes::Framework> framework = {};      ///< none: Masing where every law allows it
    std::optional<modes::Dissipation> dissipation = {};  ///< none: local where it is known
    modes::Friction prestress = modes::Friction::active;
    int most_loops = 100, quadrature = 12;
    bool close_loops = true, derivatives = false;
    bool folds = false;       ///< where the branch turns back in q, all its points at an amplitude; modal amplitudes
    std::string output = {};  ///< also its displacement and acceleration
    std::optional<modes::Quantity> amplitude_of = {};  ///< the amplitudes are of the output; none: modal
    std::string name = "model";                        ///< of the model, for titles
    core::FrequencyUnit unit = {};                     ///< of text and figure
};

struct BackboneRun {
    structure::Model model;
    BackboneRequest request;
    modes::BackboneOptions options;  ///< with what was chosen
    std::vector<modes::BackbonePoint> points;

    /// Throws NotConverged for the first point that did not converge, or where Masing's rule does not hold.
    void require_converged() const;
};

/// What a request asks of the solver.
modes::BackboneOptions options_of(const BackboneRequest& request, const structure::Model& model);
/// "converged", "not converged" or "masing does not hold".
const char* status_of(const modes::BackbonePoint& point, const modes::BackboneOptions& options);
/// As BackboneRun's, for points that are not of a run.
void require_converged(const std::vector<modes::BackbonePoint>& points, int mode,
                       const modes::BackboneOptions& options);

/// Throws BadInput for an output that is not there, and as modes::backbone does.
BackboneRun backbone(structure::Model model, BackboneRequest request);

nlohmann::json json(const BackboneRun& run);
/// Points that converged.
io::Table table(const BackboneRun& run);
/// Frequency and damping over amplitude; per point the loops of the sites that dissipate most, and maps of joints whose
/// places are known. A picture cannot be clicked: it shows the loops of the busiest site at a few of the points.
io::Figure figure(const BackboneRun& run, bool picture = false);
std::string text(const BackboneRun& run);

}  // namespace faying::results
