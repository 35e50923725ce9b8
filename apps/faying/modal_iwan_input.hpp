#pragma once
// Study files of `faying modal-iwan` (TOML):
//
//     model = "model.toml"                       # beside the study file
//     [ring_down]
//     duration = 4000                            # s
//     dt = 0.1                                   # sampling of the records, s
//     segments = 15                              # of the Hilbert fit
//     [[mode]]
//     number = 2
//     stuck = [9, 3, 0.8]                        # levels p of the force p M phi sin(w t), half a period
//     slip  = [50000, 10000]                     # the same in the shape of the slipping mode
//     [impact]
//     dofs = [1, 2, 3]
//     p = [30, 10, 3]                            # N
//     pulse = 3                                  # half a period of this stuck mode

#include <string>

#include "faying/modal/study.hpp"

namespace faying::app {

struct ModalStudyFile {
    std::string model;
    modal::Study study;
    std::string text;  ///< as read, to tell studies apart
};

/// Throws core::BadInput with file:line, what was wrong and what is allowed.
ModalStudyFile read_modal_study(const std::string& path);

}  // namespace faying::app
