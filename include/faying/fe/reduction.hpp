#pragma once
// From a deck to a reduced model with joints: what `faying reduce` does.
//
//     ReduceOptions options;
//     options.interface = {.first = "TOP_FACE", .second = "BOTTOM_FACE"};
//     options.whole_joint = WholeJoint{.cuts = {0, 0.125, 0.375, 0.625, 0.875, 1}};
//     options.modes = 13;
//     const Reduction r = reduce(read_deck("beam.inp"), options);
//     files::write_reduced("rom.h5", r.reduced);
//
// docs/theory/reduction.md has the mathematics. Under mpirun every rank calls it and holds the result.

#include <array>
#include <optional>

#include "faying/fe/choices.hpp"
#include "faying/fe/contact_pair.hpp"
#include "faying/fe/craig_bampton.hpp"
#include "faying/fe/interface.hpp"
#include "faying/fe/interface_mesh.hpp"
#include "faying/fe/model.hpp"
#include "faying/structure/reduced.hpp"

namespace faying::fe {

/// A rectangle about a point of the interface, sides along the tangents; or what surfaces of the deck hold of it.
struct PatchBox {
    std::string name;
    std::vector<std::string> surfaces;  ///< of one side or of both; empty: the rectangle
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    Eigen::Vector2d size = Eigen::Vector2d::Zero();
};

/// Motions of a patch, in the order of its coordinates: along the interface's axes, then turns about them.
inline constexpr std::array<const char*, 6> patch_motions{"t1", "t2", "normal", "r1", "r2", "rn"};

/// Patches that move as their averages do. Of each patch's six motions those not named below are kept as
/// coordinates.
struct WholeJoint {
    std::vector<double> cuts;     ///< fractions of the interface's length along tangent 1
    std::vector<PatchBox> boxes;  ///< or rectangles
    std::vector<int> tied;        ///< motions held at zero, 0 to 5
    std::vector<int> free;        ///< motions left alone
};

/// Zero-thickness elements over the whole interface.
struct FullJoint {
    enum class MeshKind { deck, uniform, graded };
    MeshKind mesh = MeshKind::deck;
    int elements = 152;  ///< target of a coarser mesh
};

/// On every face of a surface: along the global axes, or pressing inwards, per area.
struct LoadTraction {
    std::string surface;
    Eigen::Vector3d traction = Eigen::Vector3d::Zero();
    double pressure = 0;
};

struct LoadForce {
    std::string set;  ///< node set; the force is spread evenly
    Eigen::Vector3d force = Eigen::Vector3d::Zero();
};

struct LoadCase {
    std::string name;
    std::vector<LoadForce> forces;
    std::string step;  ///< or: the *CLOAD of this step (a name or a number from 1)
    std::vector<LoadTraction> tractions = {};
    Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  ///< body force: on all mass, m/s2
};

struct OutputPoint {
    std::string name;
    std::string set;                       ///< node set (its mean), or
    std::optional<Eigen::Vector3d> point;  ///< the node closest to a point
    Eigen::Vector3d direction = Eigen::Vector3d::UnitZ();
};

struct ReduceOptions {
    InterfaceOptions interface;
    bool snap = false;                      ///< move the second side's nodes onto their partners first
    std::optional<WholeJoint> whole_joint;  ///< one of these
    std::optional<FullJoint> full_joint;
    bool pairs_of_deck = false;           ///< or its own *CONTACT PAIR lines
    std::vector<PairOptions> pairs = {};  ///< contact of deformable bodies; answers to loads and at outputs are exact
    Eigen::Index modes = 13;              ///< elastic, with the interface held
    std::vector<LoadCase> loads;
    std::vector<OutputPoint> outputs;
    ModelOptions model;
    Share done = [](double) {};  ///< how far it is
};

struct Reduction {
    structure::Reduced reduced;
    LinearModel model;
    Interface interface;
    InterfaceMesh interface_mesh;  ///< that laws act on: the deck's, or a coarser one
    std::vector<PairedFaces> pairs;
    CraigBampton craig_bampton;
    Eigen::Index full_dof = 0;
    double mass = 0;             ///< of the structure
    double rigid_frequency = 0;  ///< Hz: the largest of the rigid motions with the joint stuck, 0 but for round-off
    std::vector<Note> notes;
    std::vector<Choice> choices;  ///< with their change of the first fixed-interface frequencies
};

/// Throws BadInput for surfaces that do not meet, parts that nothing holds, sets that are not there, and a rigid motion
/// above 0.01 Hz.
Reduction reduce(const Deck& deck, const ReduceOptions& options);

}  // namespace faying::fe
