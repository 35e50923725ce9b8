#pragma once
// What was chosen where a deck leaves something open, or was overridden, and what the other choice would change.
//
//     for (const Choice& c : weighed_choices(deck, options, model, {omega, shapes, rigid, {}}))
//         .. c.text, c.instead, c.frequency_change ..
//
// The change is estimated without another factorisation: Rayleigh quotients of the other choice's K and M over the
// modes there are, lowered by a few steps that take out what is wrong locally. Upper bounds on the other frequencies.

#include "faying/fe/model.hpp"

namespace faying::fe {

struct Choice {
    Place at;             ///< of the first thing it is about
    std::string text;     ///< what was chosen
    std::string instead;  ///< how to have it the other way: `element = "C3D8R=enhanced"`
    ModelOptions alternative;
    Eigen::VectorXd frequency_change = {};  ///< relative, of the first elastic modes; empty: not estimated
};

/// Hourglass control and dilatation of the elements there are, types taken as others, weights of distributing
/// couplings on element faces.
std::vector<Choice> choices_of(const Deck& deck, const ModelOptions& options);

/// Elastic modes of a model, in its free DOF.
struct Modes {
    Eigen::VectorXd omega;    ///< ascending, none zero
    Eigen::MatrixXd shapes;   ///< as columns
    Eigen::MatrixXd rigid;    ///< motions that cost nothing, which they are orthogonal to
    std::vector<Index> held;  ///< nodes, ascending, that are held in a way the model does not say: the interface's
};

/// (omega' - omega) / omega of each mode but the last two, which may change places with others.
Eigen::VectorXd frequency_changes(const Deck& deck, const ModelOptions& alternative, const LinearModel& model,
                                  const Modes& modes);

/// choices_of, each with its change of the modes given.
std::vector<Choice> weighed_choices(const Deck& deck, const ModelOptions& options, const LinearModel& model,
                                    const Modes& modes);

}  // namespace faying::fe
