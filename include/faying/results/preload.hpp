#pragma once
// A model at rest under its static load, and linear modes about a state of its joints, as `faying preload` and
// `faying modes` show them.
//
//     const AtRest rest = preload(files::read_model("model.toml"));
//     rest.states[0][3].pressure;                                     // of the fourth site of the first joint
//     io::write_file("sites.csv", sites_csv(rest));
//
//     const ModelModes m = model_modes(model, modes::About::slipping, 2);     // m.made.modes.omega

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "faying/core/frequency.hpp"
#include "faying/fe/deck_modes.hpp"
#include "faying/io/output.hpp"
#include "faying/modes/choice.hpp"
#include "faying/modes/site_loop.hpp"

namespace faying::results {

/// A model at rest, and what the sites of its joints do there (by joint).
struct AtRest {
    structure::Model model;
    modes::Friction friction;
    modes::Prestress prestress;
    std::vector<std::vector<modes::SiteState>> states;
    std::string name = "model";  ///< for the title
};

/// Throws BadInput for a model without static load, and as modes::prestress does.
AtRest preload(structure::Model model, modes::Friction friction = modes::Friction::active,
               const std::string& name = "model");

nlohmann::json json(const AtRest& rest);
/// Pressure, gap and slip along x, and maps of every joint whose places are known.
io::Figure figure(const AtRest& rest);
std::string text(const AtRest& rest);
/// A line per site: its joint and name, place and area where they are known, status, pressure, gap, slip, displacement
/// and force of each of its directions.
std::string sites_csv(const AtRest& rest);
/// A line per DOF: its name and displacement.
std::string dofs_csv(const AtRest& rest);
/// The sites as points with what they do there, for ParaView (.vtu). Throws core::BadInput where no places are known.
std::string sites_vtk(const AtRest& rest);
/// All files or none: the sites (CSV) and the figure, the degrees of freedom, the sites for ParaView; "": not asked for.
void write_files(const AtRest& rest, const io::OutputFiles& files, const std::string& dofs, const std::string& vtk);

/// Linear modes of a model about a state of its joints.
struct ModelModes {
    Eigen::Index dofs = 0;
    std::size_t joints = 0;
    modes::JointModes made;
    core::FrequencyUnit unit = {};
};
/// About the preload where nothing is said; `about` = preload needs a static load. `name` opens the message otherwise.
ModelModes model_modes(const structure::Model& model, std::optional<modes::About> about = {}, int count = 0,
                       modes::Friction friction = modes::Friction::active, const std::string& name = "model");
nlohmann::json json(const ModelModes& modes);
std::string text(const ModelModes& modes);

/// Number, frequency and residual of every mode.
std::string modes_text(const fe::DeckModes& modes, const core::FrequencyUnit& unit);
std::string modes_text(const Eigen::VectorXd& omega, const Eigen::VectorXd& residual, const core::FrequencyUnit& unit);

}  // namespace faying::results
