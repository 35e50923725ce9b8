#pragma once
// A deck, flattened: what an Abaqus or CalculiX input file says, with parts, instances and *SYSTEM worked out.
//
//     const Deck deck = read_deck("beam.inp");                        // deck_reader.hpp
//     for (const Element& e : deck.elements)
//         for (Index n : nodes_of(deck, e)) .. deck.nodes[n].point ..
//     const NodeSet& tip = deck.node_sets[deck.node_sets.find("Beam-1.TIP")];
//
// Everything refers to everything else by index into these vectors, `none` for nothing. Coordinates and values are in
// the deck's own units. Every item knows the line it came from: deck.where(item.at) is "beam.inp:12".

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "faying/fe/deck_basics.hpp"
#include "faying/fe/deck_element_type.hpp"
#include "faying/fe/hourglass.hpp"

namespace faying::fe {

/// x = rotation X + translation takes a part's point to its place in the assembly.
struct Instance {
    std::string name, part;
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    Eigen::Vector3d translation = Eigen::Vector3d::Zero();
    Place at;
};

struct Node {
    Index label = 0;
    Index instance = none;  ///< `none` in a deck without parts, and for nodes of the assembly itself
    Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< global axes
    Place at;
};

/// A type name as some *ELEMENT card writes it.
struct DeckElementType {
    std::string name;
    const ElementType* known = nullptr;  ///< nullptr: not in the table, kept with whatever nodes it has
};

struct Element {
    Index label = 0;
    Index instance = none;
    Index type = none;     ///< in Deck::types
    Index first = 0;       ///< in Deck::connectivity
    Index size = 0;        ///< number of nodes
    Index section = none;  ///< in Deck::sections
    Place at;
};

/// Nodes in the order that counts: ascending and without repeats, or as given when UNSORTED (repeats kept).
struct NodeSet {
    std::string name;  ///< "Set" or "Instance.Set"
    std::vector<Index> nodes;
    bool unsorted = false;
    bool internal = false;
    Place at;
};

struct ElementSet {
    std::string name;
    std::vector<Index> elements;
    bool unsorted = false;
    bool internal = false;
    Place at;
};

struct SurfaceFace {
    Index element = none;
    int face = 0;  ///< from 1, as element_faces() numbers them
    friend bool operator==(const SurfaceFace&, const SurfaceFace&) = default;
};

struct SurfaceNode {
    Index node = none;
    double area = 1.0;  ///< the weight a distributing coupling takes; 1 when the deck gives none
};

struct Surface {
    enum class Kind { element, node, other };  ///< other: analytical and the like, kept as a keyword only
    std::string name;
    Kind kind = Kind::element;
    std::vector<SurfaceFace> faces;
    std::vector<SurfaceNode> nodes;
    Keyword keyword;
    Place at;
};

struct Tie {
    std::string name;
    Index slave = none, master = none;  ///< surfaces
    bool adjust = true;
    bool node_to_surface = false;
    bool no_rotation = false;
    std::optional<double> position_tolerance;
    Place at;
};

struct Coupling {
    enum class Kind { kinematic, distributing };
    /// Of each node, by its distance from the reference; `area` (its share of the surface) is no word of a deck's.
    enum class Weighting { uniform, linear, quadratic, cubic, area };
    std::string name;
    Kind kind = Kind::kinematic;
    Index reference = none;  ///< node
    Index surface = none;    ///< a surface of nodes gives their weights too: SurfaceNode::area
    Dofs dofs;
    bool structural = false;  ///< distributing, COUPLING=STRUCTURAL
    Weighting weighting = Weighting::uniform;
    std::optional<double> influence_radius;
    std::string orientation;
    Place at;
};

struct RigidBody {
    Index reference = none;      ///< node
    Index rotation_node = none;  ///< CalculiX's ROT NODE
    Index elements = none;       ///< element set
    Index nodes = none;          ///< node set, all DOF of each node: TIE NSET, or CalculiX's NSET
    Index pinned = none;         ///< node set, translations only: PIN NSET
    std::string analytical_surface;
    bool at_center_of_mass = false;  ///< POSITION=CENTER OF MASS
    Place at;
};

struct Term {
    Index node = none;
    int dof = 0;
    double coefficient = 0.0;
};

/// sum of coefficient * u(node, dof) = 0; the first term is the one to eliminate.
struct LinearEquation {
    std::vector<Term> terms;
    Place at;
};

struct Mpc {
    enum class Kind { beam, tie, pin, link };
    Kind kind = Kind::tie;
    Index slave = none, master = none;  ///< nodes
    Place at;
};

struct Material {
    enum class Elasticity { none, isotropic, engineering_constants, orthotropic, anisotropic, other };
    std::string name;
    Elasticity elasticity = Elasticity::none;
    std::vector<double> elastic;  ///< isotropic: E, nu; engineering: E1 E2 E3 nu12 nu13 nu23 G12 G13 G23; else D1111 ..
    std::optional<double> density;
    std::vector<Keyword> others;  ///< *PLASTIC, *EXPANSION, ..: word for word
    Place at;
};

struct Section {
    enum class Kind { solid, shell, beam, mass, other };
    Kind kind = Kind::other;
    Index elements = none;  ///< element set
    Index material = none;
    Index orientation = none;
    std::string controls;                       ///< of *SECTION CONTROLS; empty: none
    std::optional<double> hourglass_stiffness;  ///< of *HOURGLASS STIFFNESS
    std::vector<double> values;  ///< first data line: thickness of a plane solid or shell, dimensions, mass
    Keyword keyword;
    Place at;
};

/// *SECTION CONTROLS: what is said there of hourglass control.
struct SectionControls {
    std::string name;
    HourglassControl hourglass;
    Place at;
};

struct Orientation {
    std::string name, system;  ///< "RECTANGULAR", "CYLINDRICAL", ..
    std::vector<double> values;
    int rotation_axis = 3;
    double rotation_angle = 0.0;  ///< degrees
    Keyword keyword;
    Place at;
};

/// Nodal axes: boundary conditions, loads and equations at these nodes are along them.
struct Transform {
    Index nodes = none;  ///< node set
    char type = 'R';
    Eigen::Vector3d a = Eigen::Vector3d::Zero(), b = Eigen::Vector3d::Zero();
    Place at;
};

/// A node, or a node set.
struct NodeTarget {
    Index node = none;
    Index set = none;
};

struct Boundary {
    NodeTarget target;
    Dofs dofs;
    double value = 0.0;
    std::string type;  ///< "ENCASTRE" and so on, where the deck said that
    std::string amplitude;
    Place at;
};

struct PointLoad {
    NodeTarget target;
    int dof = 0;
    double value = 0.0;
    std::string amplitude;
    Place at;
};

struct SurfaceInteraction {
    std::string name;
    std::optional<double> friction;
    std::vector<Keyword> others;
    Place at;
};

struct ContactPair {
    std::string interaction;
    Index slave = none, master = none;  ///< surfaces
    Keyword keyword;
    Place at;
};

struct PreTension {
    Index surface = none, element = none, node = none;
    std::optional<Eigen::Vector3d> normal;
    Place at;
};

struct Amplitude {
    std::string name;
    Keyword keyword;
};

struct Step {
    std::string name;
    std::string procedure;  ///< "STATIC", "FREQUENCY", ..: the keyword
    bool nonlinear_geometry = false, perturbation = false;
    std::vector<Boundary> boundaries;
    bool new_boundaries = false;  ///< OP=NEW somewhere: those of earlier steps are gone
    std::vector<PointLoad> loads;
    bool new_loads = false;
    std::vector<Keyword> others;  ///< everything else in the step
    std::string text;             ///< the whole step, word for word
    Place at;
};

enum class Severity {
    note,    ///< read, and something about it is worth knowing
    kept,    ///< kept word for word, used by nothing here: output requests and the like
    physics  ///< kept, but the linear model is without what it says
};

struct Note {
    Severity severity = Severity::note;
    Place at;
    std::string text;
};

struct Deck {
    std::vector<std::string> files;
    std::string heading;
    Named<Instance> instances;
    std::vector<Node> nodes;
    std::vector<Element> elements;
    std::vector<Index> connectivity;
    std::vector<DeckElementType> types;
    Named<NodeSet> node_sets;
    Named<ElementSet> element_sets;
    Named<Surface> surfaces;
    Named<Material> materials;
    Named<Orientation> orientations;
    std::vector<Section> sections;
    Named<SectionControls> section_controls;
    std::vector<Transform> transforms;
    std::vector<Tie> ties;
    std::vector<Coupling> couplings;
    std::vector<RigidBody> rigid_bodies;
    std::vector<LinearEquation> equations;
    std::vector<Mpc> mpcs;
    std::vector<Boundary> boundaries;
    std::vector<PointLoad> loads;
    Named<SurfaceInteraction> interactions;
    std::vector<ContactPair> contact_pairs;
    std::vector<PreTension> pre_tensions;
    Named<Amplitude> amplitudes;
    std::vector<Step> steps;
    std::vector<Keyword> others;  ///< what the reader does not know
    std::vector<Note> notes;
    std::vector<LabelMap> node_labels, element_labels;  ///< by instance + 1

    std::string where(const Place& at) const;
};

std::span<const Index> nodes_of(const Deck& deck, const Element& element);
std::span<const Index> nodes_of(const Deck& deck, const NodeTarget& target);
/// Global node indices of a face, corners first, outward.
std::vector<Index> nodes_of(const Deck& deck, const SurfaceFace& face);
/// Every node a surface touches, ascending, once.
std::vector<Index> nodes_of(const Deck& deck, const Surface& surface);
const ElementType* known_type(const Deck& deck, const Element& element);
/// Of the element's section; `none` without one.
Index material_of(const Deck& deck, const Element& element);

/// A label in an instance (`none`: the assembly, or a deck without parts). `none` when there is no such node.
Index find_node(const Deck& deck, Index label, Index instance = none);
Index find_element(const Deck& deck, Index label, Index instance = none);
/// "Instance.12", or "12": how messages name a node and an element.
std::string node_name(const Deck& deck, Index node);
std::string element_name(const Deck& deck, Index element);

/// Throws the first note of severity `physics`, for callers that cannot do without what was left out.
void require_all_physics(const Deck& deck);

}  // namespace faying::fe
