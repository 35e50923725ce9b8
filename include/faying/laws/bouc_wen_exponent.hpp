#pragma once
// How the arcs of Bouc-Wen (bouc_wen_flow.hpp) move with the exponent n, at n = 1 and n = 2, where the arcs themselves
// are closed forms that do not know n. With g = A - c F^n loading, A + c F^n unloading, and from zero force
//
//     I1 = Int c F^n ln F/g^2 dF,   I2 = Int c F^(n+1) ln F/g^2 dF,   W = g I1,   E = I2 - F I1,
//
// an arc of fixed length from F0 to F1 has
//
//     dF1/dn = -+(W1 - (g1/g0) W0)  (- loading, + unloading),    dArea/dn = E1 - E0 + (F1 - F0)/g0 W0.
//
// Integrated by parts, I1 and I2 are logarithms and dilogarithms. W and E, unlike I1 and I2, stay finite in saturation.

namespace faying::laws {

/// A point of an arc: X = c F^n/A loading and -c F^n/A unloading, room = 1 - X.
struct ArcPoint {
    double force = 0.0, X = 0.0, room = 1.0, log_room = 0.0;
};

struct ExponentSlope {
    double W = 0.0, E = 0.0;
};

/// n is 1 or 2.
ExponentSlope exponent_slope(int n, double A, const ArcPoint& at);

}  // namespace faying::laws
