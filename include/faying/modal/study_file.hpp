#pragma once
// Moved to faying/files/modal_study.hpp. Kept for code on its way; new code includes that.

#include "faying/files/modal_study.hpp"

namespace faying::modal {
using StudyFile = files::ModalStudyFile;
inline StudyFile read_study(const std::string& path) { return files::read_modal_study(path); }
}  // namespace faying::modal
