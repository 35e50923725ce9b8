#pragma once
// What one site does in the steady loop of a point: its force over its displacement, whether it sticks, slips or opens.
//
//     const auto points = backbone(model, 1, {1e-3}, options);
//     const SiteLoop loop = site_loop(model, points[0], options, 0, 4, 0);    // first joint, fifth site, first
//     component
//
// The point gives the displacements at both reversals. The law is taken around between them from the state it had at
// rest, until its loop closes, on straight lines: exact for a law of one displacement; contact sites may wander a
// little off the line on their way.

#include "faying/modes/backbone.hpp"

namespace faying::modes {

/// From +q to -q and back; displacements from rest, force times the site's weight and counted from rest.
struct SiteLoop {
    std::vector<double> u, f;
};

/// `component`: 0, or 0 to 2 (tangent 1, tangent 2, normal) for a contact law; `points` a half loop.
SiteLoop site_loop(const structure::Model& model, const BackbonePoint& point, const BackboneOptions& options,
                   std::size_t joint, Eigen::Index site, int component, int points = 40);

enum class SiteStatus { stuck, slipping, open };
const char* name(SiteStatus status);

struct SiteState {
    SiteStatus status = SiteStatus::stuck;  ///< open: without pressure at one reversal at least
    double slip = 0;      ///< amplitude of the tangential displacement between the reversals; normal: of the normal one
    double pressure = 0;  ///< of a contact law at +q, prestress included; else 0
};

/// Every site of a joint in the loop of a converged point.
std::vector<SiteState> site_states(const structure::Model& model, const BackbonePoint& point,
                                   const BackboneOptions& options, std::size_t joint);

}  // namespace faying::modes
