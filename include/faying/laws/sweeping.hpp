#pragma once
// What the sweeping processes share (two-state, six-state): a point e inside the unit ball, moved along a straight
// line.

#include <cmath>

#include "faying/laws/law.hpp"

namespace faying::laws {

/// How far e may move along the vector v before |e| = 1, in lengths of v: along = e.v, square = v.v, room = 1 - e.e.
/// A point on the sphere that moves outward has no way to go.
template <class T>
T distance_to_sphere(const T& along, const T& square, T room) {
    using std::sqrt;
    if (value(room) <= 0.0 && value(along) >= 0.0) return T(0.0);
    if (value(room) < 0.0) room = T(0.0);
    const T spread = sqrt(T(along * along + square * room));
    return value(along) > 0.0 ? T(room / (along + spread)) : T((spread - along) / square);
}

}  // namespace faying::laws
