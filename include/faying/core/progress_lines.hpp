#pragma once
// Progress for those who keep what is said: files and the logs of other programs.

namespace faying::core {

/// From here on in this process every Progress is shown in lines of its own, also where standard error is not a terminal:
/// from the first moment on, and then once a second or with every new label.
void show_progress_in_lines();

}  // namespace faying::core
