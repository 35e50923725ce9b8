#pragma once
// What the commands of large displacements are given: a deck (its *CONTACT PAIR lines are contact), a model file with
// joints, or a model file of a deck with contact of its own:
//
//     [structure]
//     deck = "panel.inp"                              # its *CLOAD are the preload
//     damping = { ratio = 0 }
//     [preload]
//     hold = [[443, 1]]                               # node and direction, only while preloading; else what the deck
//                                                     # supports in its static steps and no more in its last
//     friction = false                                # true: active from the start, with `increments`
//     [[contact]]                                     # to rigid ground; without any: the deck's *CONTACT PAIR lines
//     nodes = "CLEFT"                                 # a node set
//     areas = { file = "panel_contact.csv", node = 1, area = 3 }     # columns; or area = 1e-6 for each
//     point = [0.03, -0.75e-3]                        # of the ground
//     normal = [-0.019197, 0.999816]                  # out of the ground; or slope = 1.1 (degrees, of a plane deck)
//     kn = 1e14                                       # N/m^3
//     kt = 1e14
//     mu = 0.6
//     [[contact]]                                     # of two surfaces of the deck
//     first = "PANEL_LEFT_LOWER"
//     second = "LEFT_PILLAR_TOP"
//     kn = 1e14
//     kt = 1e14
//     mu = 0.6
//     within = 1e-3                                   # faces farther apart never meet; else a mean face
//
//     Opened it = open_structure("panel.toml");
//     System& elastic = it.stuck();

#include <memory>
#include <string>

#include "faying/fe/deck.hpp"
#include "faying/geometric/contact.hpp"
#include "faying/geometric/joint_system.hpp"
#include "faying/geometric/modal_path.hpp"

namespace faying::geometric {

struct PreloadReport {
    bool friction = false;
    int increments = 0;  ///< of a preload with friction
    double change = 0;   ///< of the largest displacement when the increments are halved, relative
    int closed = 0;
    double normal_sum = 0;  ///< N
    int passes = 0;         ///< of two surfaces: until their normals are those of the seat
};

/// A structure at rest.
class Opened {
 public:
    std::unique_ptr<fe::Deck> deck;  ///< of decks
    std::unique_ptr<Solid> solid;
    std::unique_ptr<ContactSolid> touching;
    std::unique_ptr<JointSystem> joints_stuck, joints_slipping;
    Rest rest;
    double damping_ratio = 0;
    PreloadReport preload;

    /// Elastic: friction stuck, contact as it is at rest.
    System& stuck();
    /// With friction, from rest without traction. Throws BadInput where the structure has none.
    System& slipping();
    bool has_friction() const { return touching || (joints_stuck && joints_stuck->has_friction()); }
    /// One degree of freedom with polynomial springs: closed forms hold.
    bool one_coordinate() const { return joints_stuck && joints_stuck->size() == 1; }
};

/// Throws BadInput with the file and line, NotConverged for a preload that cannot be put on.
Opened open_structure(const std::string& file, const fe::ModelOptions& options = {});

}  // namespace faying::geometric
