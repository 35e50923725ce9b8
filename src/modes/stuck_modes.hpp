#pragma once
// Modes of a structure whose joints are springs, however stiff: a spring of 1e16 N/m beside a first mode of 1 kHz takes
// all digits of that mode from an eigensolver that works on K. Here M v = nu K v is solved instead, after K has got a
// unit diagonal, so that low modes (large nu) keep theirs, and modes too fast to matter are as good as static.

#include "faying/modes/interface.hpp"

namespace faying::modes {

struct StuckModes {
    Eigen::VectorXd omega;   ///< ascending; zero for rigid motions
    Eigen::MatrixXd shapes;  ///< on all degrees of freedom, of modal mass 1
    Eigen::MatrixXd on_y;    ///< of the joints' displacements
};

/// `tangent`: of the joints, on y.
StuckModes stuck_modes(const structure::Model& model, const Interface& interface, const Eigen::MatrixXd& tangent);

}  // namespace faying::modes
