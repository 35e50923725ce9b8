#pragma once
// The deck under construction: what the handlers of keywords share. A handler reads one block, in one scope, and adds
// to the deck; `passes` in deck_reader.cpp says which handler reads what, and when. Private to the reader.

#include <string>
#include <unordered_set>
#include <vector>

#include "blocks.hpp"
#include "faying/fe/deck.hpp"

namespace faying::fe::text {

/// Where a block stands: an instance, or the assembly (which is all there is in a deck without parts). The blocks of a
/// part are read once for each of its instances.
struct Scope {
    Index instance = none;
    std::vector<const Block*> blocks;
    std::vector<bool> used;
};

/// A local coordinate system for *NODE: x = axes X + origin.
struct System {
    Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
};

class Builder {
 public:
    explicit Builder(const Sources& source_files) : sources(source_files) {}

    const Sources& sources;
    Deck deck;
    std::string assembly;  ///< its name: references may start with it
    System system;         ///< the *SYSTEM in force while nodes are read

    [[noreturn]] void refuse(Place at, const std::string& what) const { sources.refuse(at, what); }
    void reject(Severity severity, Place at, const std::string& what);
    /// Complains of parameters not among these: they may carry physics.
    void allow(const Block& block, std::initializer_list<std::string_view> parameters);
    const std::string& need(const Block& block, std::string_view parameter) const;

    /// "Instance.Set" for a new name of this scope.
    std::string qualified(const Scope& scope, const std::string& name) const;

    // References as a field or parameter writes them; each refuses what is not defined.
    Index node(const Scope& scope, std::string_view field, Place at) const;
    Index element(const Scope& scope, std::string_view field, Place at) const;
    Index node_set(const Scope& scope, std::string_view name, Place at) const;
    Index element_set(const Scope& scope, std::string_view name, Place at) const;
    Index surface(const Scope& scope, std::string_view name, Place at) const;
    NodeTarget node_or_set(const Scope& scope, std::string_view field, Place at) const;
    /// A node, or a set that holds just one.
    Index single_node(const Scope& scope, std::string_view field, Place at) const;
    /// `none` where there is none.
    Index find_node_set(const Scope& scope, std::string_view name) const;
    Index find_element_set(const Scope& scope, std::string_view name) const;
    Index find_instance(std::string_view name) const;

    /// Adds to a set, made when new; gives its place.
    Index grow_node_set(const Scope& scope, const std::string& name, const std::vector<Index>& nodes, bool unsorted,
                        Place at, bool internal = false);
    Index grow_element_set(const Scope& scope, const std::string& name, const std::vector<Index>& elements,
                           bool unsorted, Place at, bool internal = false);
    /// Sorts what was added since; sets are in order after this.
    void settle_sets();
    /// Of a node set or an element set, in order.
    const std::vector<Index>& members(Index set, bool nodes);

 private:
    template <class T>
    Index find(const Named<T>& list, const Scope& scope, std::string_view name) const;
    template <class T>
    Index find_or_refuse(const Named<T>& list, const Scope& scope, std::string_view name, Place at,
                         std::string_view what) const;
    Index labelled(const Scope& scope, std::string_view field, bool nodes) const;
    template <class S>
    void settle(S& set);

    std::unordered_set<std::string> said_;
    std::vector<bool> node_sets_dirty_, element_sets_dirty_;
};

/// Reads a block of this scope; `k` is its place in scope.blocks, so that a handler can take sub-keywords that follow.
using Handler = void (*)(Builder&, Scope&, std::size_t k);

/// The block after `k` when it is one of these; marks it as used.
const Block* follower(Scope& scope, std::size_t k, std::initializer_list<std::string_view> names);

// deck_mesh.cpp
void read_node(Builder&, Scope&, std::size_t);
void read_element(Builder&, Scope&, std::size_t);
void read_system(Builder&, Scope&, std::size_t);
void read_transform(Builder&, Scope&, std::size_t);
// deck_generate.cpp
void read_ngen(Builder&, Scope&, std::size_t);
void read_nfill(Builder&, Scope&, std::size_t);
void read_elgen(Builder&, Scope&, std::size_t);
// deck_sets.cpp
void read_nset(Builder&, Scope&, std::size_t);
void read_elset(Builder&, Scope&, std::size_t);
// deck_surfaces.cpp
void read_surface(Builder&, Scope&, std::size_t);
void read_contact_pair(Builder&, Scope&, std::size_t);
void read_surface_interaction(Builder&, Scope&, std::size_t);
void read_pre_tension(Builder&, Scope&, std::size_t);
// deck_constraints.cpp
void read_tie(Builder&, Scope&, std::size_t);
void read_coupling(Builder&, Scope&, std::size_t);
void read_rigid_body(Builder&, Scope&, std::size_t);
void read_equation(Builder&, Scope&, std::size_t);
void read_mpc(Builder&, Scope&, std::size_t);
// deck_properties.cpp
void read_material(Builder&, Scope&, std::size_t);
void read_orientation(Builder&, Scope&, std::size_t);
void read_amplitude(Builder&, Scope&, std::size_t);
void read_section(Builder&, Scope&, std::size_t);
void read_section_controls(Builder&, Scope&, std::size_t);
// deck_steps.cpp
void read_boundary(Builder&, Scope&, std::size_t);
void read_cload(Builder&, Scope&, std::size_t);
void read_step(Builder&, const Scope&, const std::vector<const Block*>& blocks);

/// Refuses a label that is taken, unless by a node at the same point.
Index add_node(Builder& builder, const Scope& scope, Index label, const Eigen::Vector3d& global, Place at);
/// Refuses a label that is taken, unless by the same element.
Index add_element(Builder& builder, const Scope& scope, Index label, Index type, const std::vector<Index>& nodes,
                  Place at);
/// First DOF to last DOF, "1, 3" or "2"; refuses what is not 1..6.
Dofs read_dofs(const Row& row, std::size_t first_field);

}  // namespace faying::fe::text
