#pragma once
// What the sites of a joint do in the steady loop of a point: force over displacement, who sticks, slips or opens.
//
//     const auto points = backbone(model, 1, {1e-3}, options);
//     const auto most = busiest_sites(model, points[0], 0).front();             // of the first joint
//     const SiteLoop loop = site_loop(model, points[0], options, 0, most.site, most.component);
//
// The point gives the displacements at both reversals. The law is taken around between them from the state it had at
// rest, until its loop closes, on straight lines: exact for a law of one displacement; contact sites may wander a
// little off the line on their way.

#include "faying/modes/backbone.hpp"

namespace faying::modes {

inline constexpr double largest_closure_error = 1e-9;  ///< a loop that misses its start by less has closed

/// From +q to -q and back; displacements from rest, force times the site's weight and counted from rest.
struct SiteLoop {
    std::vector<double> u, f;
    double closure_error = 0;  ///< by how much the force misses its start after the last round, relative to its swing

    bool closed() const { return closure_error <= largest_closure_error; }
};

/// `component`: 0, or 0 to 2 (tangent 1, tangent 2, normal) for a contact law; `points` a half loop.
SiteLoop site_loop(const structure::Model& model, const BackbonePoint& point, const BackboneOptions& options,
                   std::size_t joint, Eigen::Index site, int component, int points = 40);
/// For its label: nothing, or that it has not closed.
std::string closing_note(const SiteLoop& loop);

/// A site, and the tangent along which it moves most.
struct BusySite {
    Eigen::Index site = 0;
    int component = 0;
    double loss = 0;  ///< dissipation; where there is none by site, how far it moves
};
/// Of one joint, those that dissipate most first.
std::vector<BusySite> busiest_sites(const structure::Model& model, const BackbonePoint& point, std::size_t joint);

enum class SiteStatus { stuck, slipping, open };
const char* name(SiteStatus status);

struct SiteState {
    SiteStatus status = SiteStatus::stuck;  ///< open: without pressure at one reversal at least
    double slip = 0;      ///< amplitude of the tangential displacement between the reversals; normal: of the normal one
    double pressure = 0;  ///< of a law that has a normal at +q, prestress included; else 0
    double gap = 0;       ///< how far the faces are apart there, 0 where they touch
    double traction = 0;  ///< at rest and along histories: what it holds along the faces, as pressure is counted
    double closure_error = 0;  ///< of its loop, as SiteLoop has it

    bool loop_closed() const { return closure_error <= largest_closure_error; }
};

/// Whether the states of its sites have a pressure and a gap; and the component that presses, -1 where none does.
bool has_normal(const structure::Joint& joint);
Eigen::Index normal_of(const structure::Joint& joint);
/// What is left of a site's displacement without the component of a contact law that presses.
Eigen::VectorXd tangential(const structure::Joint& joint, const Eigen::VectorXd& moved);

/// Every site of a joint in the loop of a converged point.
std::vector<SiteState> site_states(const structure::Model& model, const BackbonePoint& point,
                                   const BackboneOptions& options, std::size_t joint);

/// What is to be seen at one place of a joint whose places are known; sites at one place (two tangents of a law of one
/// displacement) are one.
struct PlaceState {
    Eigen::Vector3d at;
    double area = 0;  ///< 0 when not known: the law gives forces
    SiteState state;
};
bool has_places(const structure::Joint& joint);
std::vector<PlaceState> by_place(const structure::Joint& joint, const std::vector<SiteState>& states);
std::vector<PlaceState> place_states(const structure::Model& model, const BackbonePoint& point,
                                     const BackboneOptions& options, std::size_t joint);

}  // namespace faying::modes
