#pragma once
// Bolts through two bodies TOP and BOTTOM that lie on each other at z = 0, in boxes of a plan: heads, nuts and washers,
// what they press on, and the cut at which they are pulled.

#include "columns.hpp"

namespace faying::fe {

/// Levels of a bolt from below.
struct BoltLevels {
    int nut, lower_washer, bottom, lap, top, upper_washer, head;
};

/// What heads and nuts do where they lie on: tied (on washers or not), or rubbing.
struct BoltSeats {
    bool washers = false, contact = false;
    double friction = 0;
};

bool of_plates(const PlanQuad& q);  ///< all but the bolt and its clearance
QuadFilter in_segment(int segment, bool (*kind)(const PlanQuad&));
QuadFilter in_segments(int first, int last, bool (*kind)(const PlanQuad&));

/// *CONTACT PAIR with its own *SURFACE INTERACTION and *FRICTION.
void write_contact(Columns& c, const std::string& name, double friction, const std::string& first,
                   const std::string& second);

/// BOLT_k_HEAD and BOLT_k_NUT in the box of a segment, washers, and their seats on TOP and BOTTOM.
void write_bolt(Columns& c, const BoltLevels& z, int segment, int number, const BoltSeats& seats);

/// The shank may come to bear on its hole, radii r1 and r2 about x: a pair with each plate, from the layer beside the
/// faying surface outwards (relative motions of plates and shank at the surface itself go round in a ring).
void write_shank(Columns& c, const BoltLevels& z, int number, double x, double r1, double r2, double friction);

/// The shank is cut at z = 0. Both sides of the cut move together, but for one opening along the axis that they share:
/// u3(head side) - u3(nut side) is the same for all pairs as for the middle one. A force pair on the middle nodes is
/// then the bolt's tension, exactly.
void write_cut(Columns& c, const BoltLevels& z, int number, double x, double preload);

}  // namespace faying::fe
