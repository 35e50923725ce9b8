#pragma once
// Study files of `faying modal-iwan` (TOML):
//
//     model = "model.toml"                       # beside the study file
//     [ring_down]
//     duration = 4000                            # s
//     dt = 0.1                                   # sampling of the records, s (and the step of newmark, ..)
//     segments = 15                              # of the Hilbert fit
//     method = "events"                          # or "newmark", "alpha", "exponential" (steps of dt)
//     zeta0 = 1e-4                               # where it is known: held in the fit
//     loss = "cauchy"                            # or "squares": points far off count in full
//     [[mode]]
//     number = 2
//     stuck = [9, 3, 0.8]                        # levels p of the force p M phi sin(w t), half a period
//     slip  = [50000, { p = 10000, duration = 2000, dt = 0.05 }]   # in the shape of the slipping mode
//     [impact]                                   # or several [[impact]]
//     dofs = [1, 2, 3]                           # or outputs = ["tip"]
//     p = [30, 10, 3]                            # N; levels as above
//     pulse = 3                                  # half a period of this stuck mode

#include <string>

#include "faying/modal/study.hpp"

namespace faying::files {

struct ModalStudyFile {
    std::string model;  ///< path
    modal::Study study;
    std::string text;  ///< as read, to tell studies apart
};

/// Throws core::BadInput with file:line, what was wrong and what is allowed.
ModalStudyFile read_modal_study(const std::string& path);

}  // namespace faying::files
